//! Which translations are taken: those at which two masks touch, around none at all, for several
//! rows of translations at once.
//!
//! ```text
//! for each run of a layer of a:
//!   in each lane, one vertical translation, by which the run faces one of a layer of b:
//!     the two meet at the translations from start to end
//!     where start <= right <= end: right = end + 1
//!     where start <= left <= end:  left = start - 1
//! ```
//!
//! 1. A lane is a row of translations, not a row of pixels: what is found needs no gathering from
//!    the lanes, and one load of a row's run serves all of them.
//! 2. One walk rarely leaves out anything: most pairs of runs of a solid overlap meet at 0. What it
//!    says is a lower bound in any case, and whoever takes the least of all bounds has only that
//!    one to try. If it is free, no other layers need be walked.
//! 3. Rows go from the middle on, where masks are widest, and no farther once all lanes are taken
//!    as far as it matters.

use super::order::{facing_rows, from_the_middle};
use super::spans::{Coordinate, Facing, LANES};

/// Rows of a between two looks at whether all lanes are taken.
const LOOK: usize = 16;

/// Rows of translations, the first of them `top` down.
pub(super) struct Taken<T> {
    top: i64,
    /// In each, all from 0 up to, not including, this one are taken.
    right: [T; LANES],
    /// The same to the left: all from 0 down to, not including, this one.
    left: [T; LANES],
}

impl<T: Coordinate> Taken<T> {
    /// Nothing is known to be taken yet.
    pub(super) fn new(top: i64) -> Self {
        Self { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] }
    }

    /// Walks over the runs of one layer of a and one of b. `offset` is where b lies from a; once
    /// all lanes are taken beyond `limit` to both sides nothing farther is looked for.
    #[inline(always)]
    pub(super) fn walk(
        &mut self,
        facing: &Facing<T>,
        (in_a, in_b): (usize, usize),
        offset: [i64; 2],
        limit: T,
    ) {
        let Facing { a, b } = facing;
        // Row i of a faces row i + down of b in the first lane.
        let down = self.top - offset[1];
        let rows = facing_rows([[0, a.rows], [0, b.rows]], down, LANES);
        let x = T::clamped(offset[0]);
        let ((a_first, a_last), (b_first, b_last)) = (a.layer(in_a), b.layer(in_b));
        for (row, n) in from_the_middle(rows, LOOK) {
            let (at_a, at_b) = (row as usize + LANES, (row + down + LANES as i64) as usize);
            let faced = n + LANES - 1;
            self.meet(
                x,
                (&a_first[at_a..][..n], &a_last[at_a..][..n]),
                (&b_first[at_b..][..faced], &b_last[at_b..][..faced]),
            );
            if self.are_beyond(limit) {
                return;
            }
        }
    }

    /// Takes what runs of a and those of b that they face meet at.
    #[inline(always)]
    fn meet(&mut self, x: T, a: (&[T], &[T]), b: (&[T], &[T])) {
        // Copies, which stay in registers.
        let (mut rights, mut lefts) = (self.right, self.left);
        let faced = b.0.windows(LANES).zip(b.1.windows(LANES));
        for ((&a_first, &a_last), (b_first, b_last)) in a.0.iter().zip(a.1).zip(faced) {
            let (Some(b_first), Some(b_last)) =
                (b_first.first_chunk::<LANES>(), b_last.first_chunk::<LANES>())
            else {
                break;
            };
            if a_first == T::FAR {
                continue;
            }
            let (low, high) = (x - a_last - T::ONE, x - a_first + T::ONE);
            for i in 0..LANES {
                let (before, after) = (b_first[i] + low, b_last[i] + high);
                let (right, left) = (rights[i], lefts[i]);
                rights[i] = right.max(if right > before { after } else { T::ZERO });
                lefts[i] = left.min(if after > left { before } else { T::ZERO });
            }
        }
        (self.right, self.left) = (rights, lefts);
    }

    /// True where all lanes are taken beyond a limit.
    #[inline(always)]
    fn are_beyond(&self, limit: T) -> bool {
        let mut all = true;
        for (&right, &left) in self.right.iter().zip(&self.left) {
            all &= (right > limit) & (T::ZERO - left > limit);
        }
        all
    }

    /// The shortest translation that is not known to be taken, as x and y: of equally short ones
    /// the one farthest up, of those the one farthest left.
    #[inline(always)]
    pub(super) fn nearest(&self) -> [i64; 2] {
        let mut squares = [0; LANES];
        let mut least = i64::MAX;
        for (i, square) in squares.iter_mut().enumerate() {
            let x: i64 = self.right[i].min(T::ZERO - self.left[i]).into();
            let y = self.top + i as i64;
            *square = x * x + y * y;
            least = least.min(*square);
        }
        let lane = squares.iter().position(|&square| square == least).unwrap_or(0);
        let (left, right): (i64, i64) = (self.left[lane].into(), self.right[lane].into());
        [if -left <= right { left } else { right }, self.top + lane as i64]
    }
}
