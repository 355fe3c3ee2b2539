//! The translations at which two masks touch, around 0, for a block of rows of translations at once.
//!
//! ```text
//! for each run of a layer of a:
//!   in each lane, one vertical translation, by which the run faces one of a layer of b:
//!     the two meet at the translations from start to end
//!     where start <= right <= end: right = end + 1
//!     where start <= left <= end:  left = start - 1
//! ```
//!
//! 1. A lane is a row of translations, not a row of pixels. So nothing is gathered across lanes, and
//!    one load of a row's run serves all of them.
//! 2. One walk finds nearly all: most pairs of runs of a solid overlap meet at 0. A walk gives a
//!    lower bound in any case. Only the translation with the least bound has to be tried, and if it
//!    is free, no other layers are walked.
//! 3. Rows go from the middle on, where masks are widest, and no farther once all lanes are blocked
//!    as far as it matters.
//! 4. A walk costs about 5 cycles a row, and most searches take 2 of each block.

use super::row_runs::{Coordinate, LANES, PADDING_ROWS, RowRuns};

/// Rows of a between two checks whether all lanes are blocked.
const ROWS_PER_CHECK: usize = 32;

/// Rows of translations, the first of them `top` down.
pub(super) struct BlockedRanges<T> {
    top: i64,
    /// In each row all translations from 0 up to, not including, this one are blocked.
    right: [T; LANES],
    /// The same to the left: all from 0 down to, not including, this one.
    left: [T; LANES],
}

impl<T: Coordinate> BlockedRanges<T> {
    /// No translation is known to be blocked yet.
    #[inline(always)]
    pub(super) fn new(top: i64) -> Self {
        Self { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] }
    }

    /// Walks over the runs of one layer of a, [turned](RowRuns::reflect), and one of b, which lies `dy`
    /// rows below. Stops once all lanes are blocked beyond `limit` to both sides.
    #[inline(always)]
    pub(super) fn walk(
        &mut self,
        (a, in_a): (&RowRuns<T>, usize),
        (b, in_b): (&RowRuns<T>, usize),
        dy: i64,
        limit: T,
    ) {
        // Row i of a faces row i + down of b in the first lane.
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

    /// Blocks the translations at which runs of a meet those of b that they face.
    #[inline(always)]
    fn block(&mut self, a: (&[T], &[T]), b: (&[T], &[T])) {
        // Copies, which stay in registers.
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

    /// Tests whether all lanes are blocked beyond a limit.
    #[inline(always)]
    fn all_beyond(&self, limit: T) -> bool {
        let mut all = true;
        for (&right, &left) in self.right.iter().zip(&self.left) {
            all &= (right > limit) & (left < T::ZERO.minus(limit));
        }
        all
    }

    /// Returns the shortest translation that is not known to be blocked, as x and y: of equally short
    /// ones the one farthest up, of those the one farthest left.
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

/// Returns the blocks of rows of translations, without end: the middle one, then one below and one
/// above in turn, each farther away. Each is its first row, and the distance of its nearest row
/// from row 0.
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

/// Returns the rows of a, as from and up to, that face a row of b in one of the lanes: in the first
/// lane row i of a faces row i + `down` of b, and one more in each further lane.
#[inline(always)]
fn facing_rows(rows: [[usize; 2]; 2], down: i64) -> [i64; 2] {
    let [[a_from, a_to], [b_from, b_to]] = rows.map(|rows| rows.map(|row| row as i64));
    let from = (b_from + 1 - LANES as i64 - down).clamp(a_from, a_to);
    [from, (b_to - down).clamp(from, a_to)]
}

/// Returns the rows `from..to`, at most `most` at a time, from the middle on: the first of them, and
/// their number.
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
    fn every_row_is_looked_at_once_the_middle_first() {
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
    fn blocks_lie_side_by_side_each_no_nearer_than_the_one_before() {
        let blocks: Vec<_> = blocks().take(9).collect();
        assert_eq!(blocks[..3], [(-16, 0), (16, 16), (-48, 17)]);
        assert!(blocks.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        let mut tops: Vec<i64> = blocks.iter().map(|&(top, _)| top).collect();
        tops.sort_unstable();
        assert!(tops.windows(2).all(|pair| pair[0] + LANES as i64 == pair[1]));
    }
}
