//! The blocked translations around 0, for a block of rows of translations at once.
//!
//! Called by `push_out.rs`.
//!
//! ```text
//! for each run of a layer of a:
//!   in each lane, one vertical translation, at which the run faces a run of a layer of b:
//!     the two runs overlap at the translations from start to end
//!     if start <= right <= end: right = end + 1
//!     if start <= left <= end:  left = start - 1
//! ```
//!
//! 1. A lane is a row of translations, not a row of pixels. So nothing is gathered across lanes,
//!    and one load of a run serves all of them.
//! 2. One walk is mostly enough, because most pairs of runs of a solid overlap share a pixel at 0.
//!    A walk always gives a lower bound. Only the translation with the least bound is tested, and
//!    if it is free, no other layers are walked.
//! 3. Rows go from the middle outwards, because masks are widest there. The walk stops as soon as
//!    all lanes are blocked beyond the limit.
//! 4. A walk costs about 5 cycles per row, and most searches take 2 walks per block.

use super::row_runs::{Coordinate, LANES, PADDING_ROWS, RowRuns};

/// Rows of a between two tests whether all lanes are blocked.
const ROWS_PER_CHECK: usize = 32;

/// The known blocked ranges of [`LANES`] rows of translations, the first of them at y = `top`.
pub(super) struct BlockedRanges<T> {
    top: i64,
    /// In each row, the translations from 0 up to this one, exclusive, are blocked.
    right: [T; LANES],
    /// In each row, the translations from 0 down to this one, exclusive, are blocked.
    left: [T; LANES],
}

impl<T: Coordinate> BlockedRanges<T> {
    /// Returns the state in which no translation is known to be blocked.
    #[inline(always)]
    pub(super) fn new(top: i64) -> Self {
        Self { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] }
    }

    /// Walks the runs of one layer of a, [reflected](RowRuns::reflect), and one layer of b, which
    /// lies `dy` rows below. Stops as soon as all lanes are blocked beyond `limit` on both sides.
    #[inline(always)]
    pub(super) fn walk(
        &mut self,
        (a, in_a): (&RowRuns<T>, usize),
        (b, in_b): (&RowRuns<T>, usize),
        dy: i64,
        limit: T,
    ) {
        // In the first lane, row i of a faces row i + down of b.
        let down = self.top - dy;
        let rows = facing_rows([a.layers[in_a], b.layers[in_b]], down);
        let ((above, below), (firsts, lasts)) = (a.layer(in_a), b.layer(in_b));
        for (row, n) in middle_out(rows, ROWS_PER_CHECK) {
            let (at_a, at_b) =
                (row as usize + PADDING_ROWS, (row + down + PADDING_ROWS as i64) as usize);
            let faced = n + LANES - 1;
            self.block(
                (&below[at_a..][..n], &above[at_a..][..n]),
                (&firsts[at_b..][..faced], &lasts[at_b..][..faced]),
            );
            if self.all_beyond(limit) {
                return;
            }
        }
    }

    /// Blocks the translations at which runs of a overlap the runs of b that they face.
    #[inline(always)]
    fn block(&mut self, a: (&[T], &[T]), b: (&[T], &[T])) {
        // Copies, so that they stay in registers.
        let (mut rights, mut lefts) = (self.right, self.left);
        let faced = b.0.windows(LANES).zip(b.1.windows(LANES));
        for ((&below, &above), (firsts, lasts)) in a.0.iter().zip(a.1).zip(faced) {
            let (Some(firsts), Some(lasts)) =
                (firsts.first_chunk::<LANES>(), lasts.first_chunk::<LANES>())
            else {
                break;
            };
            for i in 0..LANES {
                let (before, after) = (firsts[i].plus(below), lasts[i].plus(above));
                let (right, left) = (rights[i], lefts[i]);
                rights[i] = right.max(if right > before { after } else { T::ZERO });
                lefts[i] = left.min(if after > left { before } else { T::ZERO });
            }
        }
        (self.right, self.left) = (rights, lefts);
    }

    /// Tests whether all lanes are blocked beyond `limit` on both sides.
    #[inline(always)]
    fn all_beyond(&self, limit: T) -> bool {
        let mut all = true;
        for (&right, &left) in self.right.iter().zip(&self.left) {
            all &= (right > limit) & (left < T::ZERO.minus(limit));
        }
        all
    }

    /// Returns the shortest translation that is not known to be blocked, as x and y. Ties go to the
    /// topmost, then to the leftmost.
    #[inline(always)]
    pub(super) fn nearest(&self) -> [i64; 2] {
        let mut least = T::farthest();
        for i in 0..LANES {
            let x = self.right[i].min(T::ZERO.minus(self.left[i]));
            least = least.min(x.key(self.top + i as i64, i));
        }
        let lane = least.into() as usize % LANES;
        let (left, right): (i64, i64) = (self.left[lane].into(), self.right[lane].into());
        [if -left <= right { left } else { right }, self.top + lane as i64]
    }
}

/// Returns the blocks of rows of translations, without end: the middle one, then alternately one
/// below and one above, each farther away. Each item is the first row of a block and the distance
/// of its nearest row from row 0.
#[inline(always)]
pub(super) fn blocks() -> impl Iterator<Item = (i64, i64)> {
    let lanes = LANES as i64;
    (0_i64..).map(
        #[inline(always)]
        move |block| {
            let away = (block + 1) / 2 * lanes;
            match block % 2 {
                1 => (away - lanes / 2, away - lanes / 2),
                _ => (-away - lanes / 2, (away + 1 - lanes / 2).max(0)),
            }
        },
    )
}

/// Returns the half-open range of rows of a that face a row of b in one of the lanes. In the first
/// lane row i of a faces row i + `down` of b, and one row more in each further lane.
#[inline(always)]
fn facing_rows(rows: [[usize; 2]; 2], down: i64) -> [i64; 2] {
    let [[a_from, a_to], [b_from, b_to]] = rows.map(|rows| rows.map(|row| row as i64));
    let from = (b_from + 1 - LANES as i64 - down).clamp(a_from, a_to);
    [from, (b_to - down).clamp(from, a_to)]
}

/// Returns the rows `from..to` in parts of at most `most` rows, starting at the middle. Each item
/// is the first row of a part and its number of rows.
#[inline(always)]
fn middle_out([from, to]: [i64; 2], most: usize) -> impl Iterator<Item = (i64, usize)> {
    let middle = (from + to) / 2;
    let (mut row, mut end) = (middle, to);
    std::iter::from_fn(
        #[inline(always)]
        move || {
            if row == end && end == to && from < middle {
                (row, end) = (from, middle);
            }
            let rows = most.min((end - row) as usize);
            row += rows as i64;
            (rows > 0).then_some((row - rows as i64, rows))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_visited_once_starting_at_the_middle() {
        for (from, to) in [(0, 0), (3, 3), (0, 1), (2, 4), (-5, 40), (7, 100)] {
            for most in [1, 3, 16, 200] {
                let parts: Vec<_> = middle_out([from, to], most).collect();
                let mut rows: Vec<i64> =
                    parts.iter().flat_map(|&(row, n)| row..row + n as i64).collect();
                assert_eq!(rows.first(), (from < to).then_some(&((from + to) / 2)));
                assert!(parts.iter().all(|&(_, n)| n <= most));
                rows.sort_unstable();
                assert!(rows.into_iter().eq(from..to), "{from}..{to} by {most}");
            }
        }
    }

    #[test]
    fn blocks_are_adjacent_and_ordered_by_distance() {
        let blocks: Vec<_> = blocks().take(9).collect();
        assert_eq!(blocks[..3], [(-16, 0), (16, 16), (-48, 17)]);
        assert!(blocks.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        let mut tops: Vec<i64> = blocks.iter().map(|&(top, _)| top).collect();
        tops.sort_unstable();
        assert!(tops.windows(2).all(|pair| pair[0] + LANES as i64 == pair[1]));
    }
}
