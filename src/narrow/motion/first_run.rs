//! The first run of set pixels in each of 8 rows at once.
//!
//! Called by `row_runs.rs`, once per layer.
//!
//! ```text
//! lowest = row & -row            the first pixel
//! above = row + lowest           carries through the first run, to the pixel after it
//! run = row & !above             the first run; the rest is row & above
//! first = ones(lowest - 1), last = first + ones(run) - 1
//! ```
//!
//! 1. There is no branch on the content of a row.
//! 2. Only set bits are counted, because vectors have an instruction for that.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, mask64x8, u64x8};

/// Rows per step.
pub(super) const ROWS: usize = 8;

/// The first runs of 8 rows.
pub(super) struct FirstRun<S: Simd> {
    /// Set for rows that have a run. Without a run, `first` and `last` are arbitrary.
    pub(super) has_run: mask64x8<S>,
    pub(super) first: u64x8<S>,
    pub(super) last: u64x8<S>,
    /// One bit for each row that has more runs.
    pub(super) more: u64,
}

impl<S: Simd> FirstRun<S> {
    /// Removes the first run from each of the 8 rows from `at` on, and returns the runs. `words`
    /// holds the words of each row; the first pixel is the least significant bit.
    #[inline(always)]
    pub(super) fn of<const LEN: usize>(simd: S, words: &mut [[u64; LEN]], at: usize) -> Self {
        let [zero, one] = [0, 1].map(|number| u64x8::splat(simd, number));
        let (mut any, mut more, mut first, mut ones) = (zero, zero, zero, zero);
        // `carry` is added to the next word. `none` is all ones in rows without a pixel so far.
        let (mut carry, mut none) = (zero, !zero);
        for words in words {
            let words = &mut words[at..][..ROWS];
            let row = u64x8::from_slice(simd, words);
            let lowest = row & (zero - row) & none;
            let above = row + lowest + carry;
            let (run, rest) = (row & !above, row & above);
            rest.store_slice(words);
            first += ((lowest - one) & none).count_ones();
            ones += run.count_ones();
            (any, more) = (any | row, more | rest);
            // Zero after the addition is an overflow: the first run extends to the end of the word.
            let is_empty = row.simd_eq(zero);
            carry = (!is_empty & above.simd_eq(zero)).select(one, zero);
            none &= is_empty.select(!zero, zero);
        }
        Self {
            has_run: any.simd_ne(zero),
            first,
            last: first + ones - one,
            more: more.simd_ne(zero).to_bitmask(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::with_level;

    /// Returns the first run of a row of two words, found pixel by pixel, and whether more runs
    /// follow.
    fn by_pixel(row: u128) -> Option<(u64, u64, bool)> {
        let set = |x: u64| row >> x & 1 == 1;
        let first = (0..128).find(|&x| set(x))?;
        let end = (first..128).find(|&x| !set(x)).unwrap_or(128);
        Some((first, end - 1, (end..128).any(set)))
    }

    #[test]
    fn first_runs_equal_a_per_pixel_scan_at_every_level() {
        let run = |first: u32, last: u32| u128::MAX >> (127 - last) & u128::MAX << first;
        let mut rows = vec![0, u128::MAX];
        for (first, last) in [(0, 0), (0, 63), (5, 63), (5, 64), (60, 70), (64, 64), (64, 127)] {
            rows.extend([run(first, last), run(first, last) | 1 << 127, run(first, last) | 1]);
        }
        rows.extend([run(3, 9) | run(62, 65) | run(90, 99), run(63, 63) | run(65, 65)]);
        rows.resize(rows.len().next_multiple_of(ROWS), 0);
        for level in crate::simd::Simd::available() {
            for rows in rows.chunks_exact(ROWS) {
                with_level!(level.level().unwrap(), simd => check(simd, rows));
            }
        }
    }

    fn check<S: Simd>(simd: S, rows: &[u128]) {
        let mut words: [[u64; ROWS]; 2] =
            [0, 64].map(|from| std::array::from_fn(|i| (rows[i] >> from) as u64));
        let found = FirstRun::of(simd, &mut words, 0);
        for (i, &row) in rows.iter().enumerate() {
            let has_run = found.has_run.to_bitmask() >> i & 1 == 1;
            let found_run =
                has_run.then(|| (found.first[i], found.last[i], found.more >> i & 1 == 1));
            assert_eq!(found_run, by_pixel(row), "{row:0128b}");
            let rest = u128::from(words[0][i]) | u128::from(words[1][i]) << 64;
            let removed = found_run
                .map_or(0, |(first, last, _)| u128::MAX >> (127 - last) & u128::MAX << first);
            assert_eq!(rest, row & !removed, "{row:0128b}");
        }
    }
}
