//! The mapping from the pixels of a pose to texels. It provides the matrix, and per row the range
//! of samples inside the source and the texels under them.
//!
//! Invariants: everything that decides a pixel is integer arithmetic. `Clip` returns exactly the
//! samples inside the source.

use crate::mask::WORD;
use std::cmp::Ordering;
use wide::i32x4;

/// pi / 2 in units of 2^-100, rounded down.
const HALF_PI: i128 = 1_991_220_906_497_848_681_844_175_556_976;
/// One, in the unit of 2^-62 that sine and cosine are computed in.
const ONE: i64 = 1 << 62;

/// The map from a pose back to its source: cosine and sine divided by the scale, in units of 2^-30,
/// rounded to nearest. Exact at quarter turns; both entries are equal at eighths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) c: i64,
    pub(crate) s: i64,
}

impl Matrix {
    /// Returns the matrix of step `step` of `angles` in a full turn, at `scale`, a finite number of
    /// at least [`MIN_SCALE`](crate::pose::MIN_SCALE).
    ///
    /// The angle is reduced to one eighth of a turn, where an integer series computes cosine and
    /// sine. Neither floating point nor the platform's trigonometry decides a bit.
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

/// Returns cosine and sine of `part / n` of a quarter turn, in 2^-62, mirrored past 1/2.
fn quarter_cos_sin(part: u64, n: u64) -> (i64, i64) {
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

/// Returns cosine and sine of `part / n` of a quarter turn, at most one half, in units of 2^-62.
/// Each is within 2^-57, by Taylor's series until its terms vanish.
fn cos_sin(part: u64, n: u64) -> (i64, i64) {
    // Below 2^62, as every term. A division of 64 bits takes a fraction of one of 128.
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
        term = ((i128::from(term) * x) >> 62) as i64 / k;
    }
    (cos, sin)
}

/// Divides `value`, in 2^-62, by `scale`, to units of 2^-30, rounded to nearest.
fn over_scale(value: i64, scale: f32) -> i64 {
    // A scale is exactly mantissa x 2^exponent, so the division is one of integers. The divisor is
    // below 2^40, because no scale exceeds 64.
    let bits = scale.to_bits();
    let mantissa = i64::from(bits & 0x7f_ffff | 0x80_0000);
    let exponent = (bits >> 23 & 0xff) as i32 - 150;
    let divisor = mantissa << (32 + exponent);
    (value + divisor / 2) / divisor
}

/// The range of samples of a row that are inside the source on one axis, from row to row.
///
/// The coordinate advances by equal steps along a row, so the samples inside form a range. The ends
/// of the range are quotients that grow by the same amount per row. They are divided once and then
/// updated by additions, in integers and so exactly.
#[derive(Clone, Copy)]
pub(super) struct Clip {
    /// First sample inside and one past the last. If the coordinate is constant along a row: its
    /// distance from either end of the source.
    ends: [Quotient; 2],
    samples: i64,
    is_constant: bool,
}

/// A distance in steps, rounded up, and its growth per row.
#[derive(Clone, Copy)]
struct Quotient {
    steps: i64,
    /// Remainder of the rounded-up division, from 0 to below `step`.
    rest: i64,
    step: i64,
    /// Growth per row, as a quotient and a remainder by `step`.
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
    /// Returns the ranges of a coordinate from `at` that is inside from 0 to below `end`.
    pub(super) fn new(at: i64, along: i64, down: i64, end: i64, samples: u32) -> Self {
        // For a negative step the ends are swapped: at + i step <= end - 1, then < 0.
        let (distance, grows) = if along < 0 { (at - (end - 1), down) } else { (-at, -down) };
        let step = along.abs().max(1);
        let ends = [distance, distance + end].map(|d| Quotient::new(d, grows, step));
        Self { ends, samples: samples.into(), is_constant: along == 0 }
    }

    /// Returns the range of samples of the next row whose coordinate is inside.
    #[inline(always)]
    pub(super) fn next(&mut self) -> (i64, i64) {
        let [low, high] = [self.ends[0].next(), self.ends[1].next()];
        if self.is_constant {
            // `low` is -at and `high` is end - at.
            return (0, if low <= 0 && high > 0 { self.samples } else { 0 });
        }
        (low.max(0), high.min(self.samples))
    }
}

/// Numbers per vector.
const VECTOR_LANES: usize = 4;
/// Columns per block; a whole number of blocks makes a word.
const BLOCK_COLUMNS: usize = 16;
const PER_WORD: usize = WORD as usize / BLOCK_COLUMNS;

type ColumnLanes = [i32x4; BLOCK_COLUMNS / VECTOR_LANES];

/// A finder of the texels under the rows of a pose, four columns at a time, which packs the sampled
/// bits into words.
///
/// A source position is the sum of a part from its column and a part from its row. Each part is a
/// whole texel and a fraction. The texel index is the sum of the whole parts, plus one on an axis
/// where the fractions add up to 1 or more. 32 bits decide that exactly, because no position has
/// more binary places.
#[derive(Default)]
pub(super) struct SampleColumns {
    blocks: Vec<ColumnBlock>,
    /// The texel indices under the current row.
    texel_indices: Vec<[[i32; VECTOR_LANES]; BLOCK_COLUMNS / VECTOR_LANES]>,
    pitch: u32,
    fraction_bits: u32,
}

#[derive(Clone, Copy)]
struct ColumnBlock {
    /// Whole texels, both axes in one index; rows are 2^pitch apart.
    whole: ColumnLanes,
    /// Fractions in 2^-32 texels less one half, so that a compare detects a wrapped sum.
    x: ColumnLanes,
    y: ColumnLanes,
}

/// A source position as a texel index and fractions.
#[derive(Clone, Copy)]
struct SplitPosition {
    whole: i32,
    x: i32,
    y: i32,
}

impl SampleColumns {
    /// Prepares for rows of `samples` samples. (c, -s) leads from each sample to the next, in units
    /// of 2^-`fraction_bits` texels, with `fraction_bits` at most 32. The index of texel (x, y) is
    /// y 2^`pitch` + x.
    pub(super) fn set(
        &mut self,
        Matrix { c, s }: Matrix,
        samples: u32,
        fraction_bits: u32,
        pitch: u32,
    ) {
        let count = samples.div_ceil(BLOCK_COLUMNS as u32) as usize;
        (self.pitch, self.fraction_bits) = (pitch, fraction_bits);
        self.blocks.clear();
        // Stale indices of another pose are overwritten before they are read.
        self.texel_indices.resize(count, [[0; VECTOR_LANES]; BLOCK_COLUMNS / VECTOR_LANES]);
        let mut at = [0_i64; 2];
        for _ in 0..count {
            let mut parts = [[[0; VECTOR_LANES]; BLOCK_COLUMNS / VECTOR_LANES]; 3];
            for i in 0..BLOCK_COLUMNS {
                let column = self.split(at);
                let biased = [column.whole, column.x ^ i32::MIN, column.y ^ i32::MIN];
                for (lanes, number) in parts.iter_mut().zip(biased) {
                    lanes[i / VECTOR_LANES][i % VECTOR_LANES] = number;
                }
                at = [at[0] + c, at[1] - s];
            }
            let [whole, x, y] = parts.map(|lanes| lanes.map(i32x4::from));
            self.blocks.push(ColumnBlock { whole, x, y });
        }
    }

    /// Splits a position. Indices wrap, but those of texels inside the source are correct.
    #[inline(always)]
    fn split(&self, [x, y]: [i64; 2]) -> SplitPosition {
        let whole = |at: i64| (at >> self.fraction_bits) as i32;
        let fraction = |at: i64| (at << (32 - self.fraction_bits)) as i32;
        let index = whole(x).wrapping_add(whole(y) << self.pitch);
        SplitPosition { whole: index, x: fraction(x), y: fraction(y) }
    }

    /// Writes the samples `first..last` of the row whose first sample is at `at` into `out`, one
    /// bit each. All these samples must be inside the source. The other bits of `out` must be 0 and
    /// stay 0.
    ///
    /// Calls `texel` for some indices outside the range as well, which may not exist.
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
        let start = self.split(at);
        let [whole, x, y] = [start.whole, start.x, start.y].map(i32x4::splat);
        let row = i32x4::splat(1 << self.pitch);
        let (from, to) = (first / BLOCK_COLUMNS, last.div_ceil(BLOCK_COLUMNS));
        // Indices go through memory, because extracting lanes from vectors costs more.
        for (found, block) in self.texel_indices[from..to].iter_mut().zip(&self.blocks[from..to]) {
            for (i, found) in found.iter_mut().enumerate() {
                // All ones, which is -1, where the sum of fractions wraps.
                let carry_x = (block.x[i] + x).simd_lt(block.x[i]);
                let carry_y = (block.y[i] + y).simd_lt(block.y[i]);
                *found = (block.whole[i] + whole - carry_x + (carry_y & row)).to_array();
            }
        }
        for (i, found) in (from..).zip(&self.texel_indices[from..to]) {
            let bits = found
                .as_flattened()
                .iter()
                .rev()
                .fold(0, |bits: u32, &at| 2 * bits + u32::from(texel(at as u32)));
            out[i / PER_WORD] |= u64::from(bits) << (i % PER_WORD * BLOCK_COLUMNS);
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
    fn quarter_turns_are_exact_and_eighths_have_equal_entries() {
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
        // Equal before rounding, so no scale can make them differ.
        let (cos, sin) = quarter_cos_sin(16, 32);
        assert_eq!(cos, sin);
        assert_eq!(Matrix::new(1, 2, 2.0), Matrix { c: -(1 << 29), s: 0 });
    }

    fn check_ranges(at: i64, along: i64, down: i64, end: i64) {
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
    fn the_range_inside_matches_a_step_by_step_walk() {
        for at in -20..20 {
            for along in -7..=7 {
                for down in [-3, 0, 1, 9] {
                    for end in [1, 5, 16] {
                        check_ranges(at, along, down, end);
                    }
                }
            }
        }
        // Values as large as the largest image and pivot give, and just beside whole quotients.
        for along in [1, 3, (1 << 31) - 1, 1 << 31, (1 << 38) + 7] {
            for end in [1 << 33, 300 << 33, 16_384 << 33, 32_767 << 33] {
                for at in (-6..=6).map(|i| i * along) {
                    for off in -1..=1 {
                        for down in [along, -along, 1 << 37, 5 - (1 << 30)] {
                            check_ranges(at + off, along, down, end);
                            check_ranges(at + off, -along, down, end);
                            check_ranges(end + at + off, -along, down, end);
                        }
                    }
                }
            }
        }
    }
}
