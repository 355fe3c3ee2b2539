//! Where the pixels of a pose fall in its source: the matrix from pixels to texels, and row by row
//! which samples lie inside, and on which texels.

use crate::mask::WORD;
use std::cmp::Ordering;
use wide::i32x4;

/// pi / 2 in units of 2^-100, rounded down.
const HALF_PI: i128 = 1_991_220_906_497_848_681_844_175_556_976;
/// One, in the units of 2^-62 that sine and cosine are computed in.
const ONE: i128 = 1 << 62;

/// The map from a pose back to its source: cosine and sine over scale, in units of 2^-30,
/// rounded to nearest. Exact at quarter turns; equal in size at eighths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) c: i64,
    pub(crate) s: i64,
}

impl Matrix {
    /// Step `step` of `angles` in a full turn, at `scale` (a finite number of at least
    /// [`MIN_SCALE`](crate::pose::MIN_SCALE)).
    ///
    /// Reduced to one eighth of a turn and computed there by series in integers: no floating
    /// point and no platform's trigonometry decides a bit.
    pub(crate) fn new(step: u32, angles: u32, scale: f32) -> Self {
        let n = u64::from(angles);
        let quarters = 4 * (u64::from(step) % n);
        let (quadrant, part) = (quarters / n, quarters % n);
        let (cos, sin) = quarter_cos_sin(part, n);
        let (c, s) = (over_scale(cos, scale), over_scale(sin, scale));
        match quadrant {
            0 => Self { c, s },
            1 => Self { c: -s, s: c },
            2 => Self { c: -c, s: -s },
            _ => Self { c: s, s: -c },
        }
    }
}

/// Cosine and sine of `part / n` of a quarter turn, less than a whole one, in units of 2^-62:
/// past the middle they change places, and in the middle they are equal to the last bit.
fn quarter_cos_sin(part: u64, n: u64) -> (i128, i128) {
    match (2 * part).cmp(&n) {
        Ordering::Less => cos_sin(part, n),
        Ordering::Equal => {
            let (cos, _) = cos_sin(part, n);
            (cos, cos)
        }
        Ordering::Greater => {
            let (cos, sin) = cos_sin(n - part, n);
            (sin, cos)
        }
    }
}

/// Cosine and sine of `part / n` of a quarter turn, at most one half, in units of 2^-62, each to
/// within 2^-57: Taylor's series until its terms vanish.
fn cos_sin(part: u64, n: u64) -> (i128, i128) {
    let x = (HALF_PI * i128::from(part) / i128::from(n)) >> 38;
    let (mut cos, mut sin) = (0, 0);
    let (mut term, mut k) = (ONE, 0);
    while term != 0 {
        match k % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        k += 1;
        term = ((term * x) >> 62) / k;
    }
    (cos, sin)
}

/// `value`, in units of 2^-62 and not negative, over `scale`, in units of 2^-30, to nearest.
fn over_scale(value: i128, scale: f32) -> i64 {
    // A scale is mantissa x 2^exponent exactly: the division is one of integers.
    let bits = scale.to_bits();
    let mantissa = i128::from(bits & 0x7f_ffff | 0x80_0000);
    let exponent = (bits >> 23 & 0xff) as i32 - 150;
    let divisor = mantissa << (32 + exponent);
    ((value + divisor / 2) / divisor) as i64
}

/// Which samples of a row lie inside the source on one axis, from row to row.
///
/// Along a row the coordinate goes in equal steps, so the samples inside are a range. Its ends are
/// quotients, which grow by the same amount from one row to the next: divided once, then carried
/// on by additions, in whole numbers and so exactly.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    /// First sample inside, and first past them; for rows along which the coordinate stands still,
    /// the coordinate itself from either end of the source.
    ends: [Quotient; 2],
    samples: i64,
    stands_still: bool,
}

/// A distance in steps, rounded up, and how it grows.
#[derive(Clone, Copy)]
struct Quotient {
    steps: i64,
    /// What the distance is beyond the steps before, less one: from 0 to below `step`.
    rest: i64,
    step: i64,
    grows: [i64; 2],
}

impl Quotient {
    fn new(distance: i64, grows: i64, step: i64) -> Self {
        let up = distance + step - 1;
        Self {
            steps: up.div_euclid(step),
            rest: up.rem_euclid(step),
            step,
            grows: [grows.div_euclid(step), grows.rem_euclid(step)],
        }
    }

    #[inline(always)]
    fn next(&mut self) -> i64 {
        let steps = self.steps;
        let rest = self.rest + self.grows[1];
        let carries = rest >= self.step;
        self.rest = if carries { rest - self.step } else { rest };
        self.steps += self.grows[0] + i64::from(carries);
        steps
    }
}

impl Clip {
    /// For rows of `samples` samples: the coordinate begins at `at` in the first, grows by `along`
    /// from one sample to the next and by `down` from one row to the next, and is inside from 0 to
    /// below `end`.
    pub(super) fn new(at: i64, along: i64, down: i64, end: i64, samples: u32) -> Self {
        // Going down, the ends change places: at + i step <= end - 1, then < 0.
        let (distance, grows) = if along < 0 { (at - (end - 1), down) } else { (-at, -down) };
        let step = along.abs().max(1);
        let ends = [distance, distance + end].map(|d| Quotient::new(d, grows, step));
        Self { ends, samples: samples.into(), stands_still: along == 0 }
    }

    /// The samples of the next row, as a range, whose coordinate is inside.
    #[inline(always)]
    pub(super) fn next(&mut self) -> (i64, i64) {
        let [low, high] = [self.ends[0].next(), self.ends[1].next()];
        if self.stands_still {
            // These are -at and end - at.
            return (0, if low <= 0 && high > 0 { self.samples } else { 0 });
        }
        (low.max(0), high.min(self.samples))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_exact_and_eighths_have_equal_parts() {
        for n in [4, 8, 64, 360, 65_536] {
            let at = |step| Matrix::new(step, n, 1.0);
            let one = 1 << 30;
            assert_eq!(at(0), Matrix { c: one, s: 0 });
            assert_eq!(at(n / 4), Matrix { c: 0, s: one });
            assert_eq!(at(n / 2), Matrix { c: -one, s: 0 });
            assert_eq!(at(3 * (n / 4)), Matrix { c: 0, s: -one });
            if n % 8 == 0 {
                assert_eq!(at(n / 8), Matrix { c: 759_250_125, s: 759_250_125 });
            }
        }
        // Before rounding, too: no scale can then part them.
        let (cos, sin) = quarter_cos_sin(16, 32);
        assert_eq!(cos, sin);
        assert_eq!(Matrix::new(1, 2, 2.0), Matrix { c: -(1 << 29), s: 0 });
    }

    #[test]
    fn every_entry_is_the_nearest_integer_to_the_true_value() {
        for n in [12, 28, 64, 100, 360, 4096] {
            for scale in [1.0_f32 / 64.0, 0.1, 0.5, 0.7, 1.0, 1.5, 3.0, 64.0] {
                for step in 0..n {
                    let angle = std::f64::consts::TAU * f64::from(step) / f64::from(n);
                    let unit = f64::from(1 << 30) / f64::from(scale);
                    let got = Matrix::new(step, n, scale);
                    // f64 knows the true value to about 2^-16 of a unit at the smallest scale.
                    for (got, truth) in [(got.c, angle.cos() * unit), (got.s, angle.sin() * unit)] {
                        assert!((got as f64 - truth).abs() < 0.5001, "{step} of {n} at {scale}");
                    }
                }
            }
        }
    }

    fn hold(at: i64, along: i64, down: i64, end: i64) {
        let mut clip = Clip::new(at, along, down, end, 12);
        for row in 0..5 {
            let (low, high) = clip.next();
            for i in 0..12 {
                let is_inside = (0..end).contains(&(at + i * along + row * down));
                assert_eq!((low..high).contains(&i), is_inside, "{at} {along} {down} {end} {i}");
            }
        }
    }

    #[test]
    fn the_range_inside_is_what_stepping_finds() {
        for at in -20..20 {
            for along in -7..=7 {
                for down in [-3, 0, 1, 9] {
                    for end in [1, 5, 16] {
                        hold(at, along, down, end);
                    }
                }
            }
        }
        // As large as the largest image and pivot make them, and just beside whole quotients.
        for along in [1, 3, (1 << 31) - 1, 1 << 31, (1 << 38) + 7] {
            for end in [1 << 33, 300 << 33, 16_384 << 33] {
                for at in (-6..=6).map(|i| i * along) {
                    for off in -1..=1 {
                        for down in [along, -along, 1 << 37, 5 - (1 << 30)] {
                            hold(at + off, along, down, end);
                            hold(at + off, -along, down, end);
                            hold(end + at + off, -along, down, end);
                        }
                    }
                }
            }
        }
    }
}
