use super::Matrix;
use crate::mask::WORD;
use wide::i32x4;

/// Numbers in a vector.
const LANES: usize = 4;
/// Columns in a block; a whole number of blocks makes a word.
const BLOCK: usize = 16;
const PER_WORD: usize = WORD as usize / BLOCK;

type Lanes = [i32x4; BLOCK / LANES];

/// Finds the texels under the rows of a pose, four columns at once, and gathers them to words.
///
/// A place in the source is the sum of a part that its column gives and a part that its row gives,
/// each a whole number of texels and a fraction. The texel is at the sum of the whole numbers, and
/// one further on either axis where the fractions add up to one: which 32 bits decide exactly, for
/// no position has more binary places after the point.
#[derive(Default)]
pub(super) struct Columns {
    blocks: Vec<Block>,
    /// The texels under the row at hand, as indices.
    found: Vec<[[i32; LANES]; BLOCK / LANES]>,
    pitch: u32,
    places: u32,
}

/// The parts that some columns give.
#[derive(Clone, Copy)]
struct Block {
    /// Whole texels, both axes in one index: rows are 2^pitch apart.
    whole: Lanes,
    /// Fractions of a texel in units of 2^-32, less a half: so a signed comparison tells whether a
    /// sum, which wraps, has come to one.
    x: Lanes,
    y: Lanes,
}

/// The part that a row, or a column, gives.
#[derive(Clone, Copy)]
struct Part {
    whole: i32,
    x: i32,
    y: i32,
}

impl Columns {
    /// From now on for rows of `samples` samples from each of which (c, -s) leads to the next, in
    /// units of 2^-`places` texels, `places` being 32 at most; texels are told by y 2^`pitch` + x.
    pub(super) fn set(&mut self, Matrix { c, s }: Matrix, samples: u32, places: u32, pitch: u32) {
        let count = samples.div_ceil(BLOCK as u32) as usize;
        (self.pitch, self.places) = (pitch, places);
        self.blocks.clear();
        // What was found for another pose is written over before it is read.
        self.found.resize(count, [[0; LANES]; BLOCK / LANES]);
        let mut at = [0_i64; 2];
        for _ in 0..count {
            let mut parts = [[[0; LANES]; BLOCK / LANES]; 3];
            for i in 0..BLOCK {
                let part = self.part(at);
                let biased = [part.whole, part.x ^ i32::MIN, part.y ^ i32::MIN];
                for (lanes, number) in parts.iter_mut().zip(biased) {
                    lanes[i / LANES][i % LANES] = number;
                }
                at = [at[0] + c, at[1] - s];
            }
            let [whole, x, y] = parts.map(|lanes| lanes.map(i32x4::from));
            self.blocks.push(Block { whole, x, y });
        }
    }

    /// Splits a position. Indices wrap: those of texels inside come out right.
    #[inline(always)]
    fn part(&self, [x, y]: [i64; 2]) -> Part {
        let whole = |at: i64| (at >> self.places) as i32;
        let fraction = |at: i64| (at << (32 - self.places)) as i32;
        let index = whole(x).wrapping_add(whole(y) << self.pitch);
        Part { whole: index, x: fraction(x), y: fraction(y) }
    }

    /// Writes the samples `first..last` of the row whose first sample is at `at`, all of them
    /// inside the source, into `out`, a bit each; its other bits are 0 before and after. Asks
    /// `texel` for some texels outside as well, which need not exist.
    #[inline(always)]
    pub(super) fn row(
        &mut self,
        at: [i64; 2],
        (first, last): (usize, usize),
        out: &mut [u64],
        texel: impl Fn(u32) -> u8,
    ) {
        if first >= last {
            return;
        }
        let start = self.part(at);
        let [whole, x, y] = [start.whole, start.x, start.y].map(i32x4::splat);
        let row = i32x4::splat(1 << self.pitch);
        let (from, to) = (first / BLOCK, last.div_ceil(BLOCK));
        // Indices are written down and read again: taking each out of its vector costs more.
        for (found, block) in self.found[from..to].iter_mut().zip(&self.blocks[from..to]) {
            for (i, found) in found.iter_mut().enumerate() {
                // All ones, which is -1, where the sum of fractions wraps.
                let carry_x = (block.x[i] + x).simd_lt(block.x[i]);
                let carry_y = (block.y[i] + y).simd_lt(block.y[i]);
                *found = (block.whole[i] + whole - carry_x + (carry_y & row)).to_array();
            }
        }
        for (i, found) in (from..).zip(&self.found[from..to]) {
            let bits = found
                .as_flattened()
                .iter()
                .rev()
                .fold(0, |bits: u32, &at| 2 * bits + u32::from(texel(at as u32)));
            out[i / PER_WORD] |= u64::from(bits) << (i % PER_WORD * BLOCK);
        }
        let word = WORD as usize;
        out[first / word] &= u64::MAX << (first % word);
        out[(last - 1) / word] &= u64::MAX >> (word - 1 - (last - 1) % word);
    }
}
