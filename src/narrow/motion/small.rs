//! The shortest way apart of two masks of up to [`SIDE`] pixels: what is searched in `push.rs` row
//! by row of translations, here for [`LANES`] such rows at once and without memory of its own.
//!
//! ```text
//! runs of each row, in layers                                                    runs.rs
//! for each block of LANES rows of translations, the middle one first:
//!   for each layer of a and of b:
//!     walk over the rows of a: in each lane, from where to where all translations are taken
//!     try the nearest that is not known to be; if it is free, the block is done
//! ```
//!
//! 1. Bytes suffice for windows of at most 64 columns whose boxes overlap: sums of two columns and
//!    of what lies between the windows reach from -127 to 127. A missing run saturates, on the side
//!    where it changes nothing. Wider ones take twice as many.
//! 2. What it costs is the taking apart of rows, two fifths, and the walks, a third: most searches
//!    take two blocks and two walks of each.
//! 3. Of rows of many runs the last ones are not looked at. So what is known to be taken is so
//!    still, and what is tried is tried on the masks; but a search may get stuck, and then says so.

use super::Candidate;
use super::order::{blocks, from_the_middle};
use super::runs::{Column, LANES, Row, Runs, SIDE};
use super::spans::vectorized;
use super::windows::Windows;
use crate::geom::Rect;
use crate::mask::{MaskRef, WORD};

/// Rows between two looks at whether all lanes are taken.
const LOOK: usize = 32;

/// Which translations are taken, for rows of them from `top` on.
struct Taken<T> {
    top: i64,
    /// In each, all from 0 up to, not including, this one.
    right: [T; LANES],
    /// The same to the left: all from 0 down to, not including, this one.
    left: [T; LANES],
}

impl<T: Column> Taken<T> {
    /// Walks over the runs of one layer of a, turned, and one of b, which lies `dy` rows below;
    /// once all lanes are taken beyond `limit` to both sides nothing farther is looked for.
    #[inline(always)]
    fn walk(
        &mut self,
        (a, in_a): (&Runs<T>, usize),
        (b, in_b): (&Runs<T>, usize),
        dy: i64,
        limit: T,
    ) {
        // Row i of a faces row i + down of b in the first lane.
        let down = self.top - dy;
        let [[a_from, a_to], [b_from, b_to]] =
            [a.rows[in_a], b.rows[in_b]].map(|rows| rows.map(|row| row as i64));
        let from = (b_from + 1 - LANES as i64 - down).clamp(a_from, a_to);
        let to = (b_to - down).clamp(from, a_to);
        let (above, below) = (&a.firsts[in_a], &a.lasts[in_a]);
        let (firsts, lasts) = (&b.firsts[in_b], &b.lasts[in_b]);
        for (row, n) in from_the_middle([from, to], LOOK) {
            let (at_a, at_b) = (row as usize + LANES, (row + down + LANES as i64) as usize);
            let faced = n + LANES - 1;
            self.meet(
                (&below[at_a..][..n], &above[at_a..][..n]),
                (&firsts[at_b..][..faced], &lasts[at_b..][..faced]),
            );
            if self.are_beyond(limit) {
                return;
            }
        }
    }

    /// Takes what runs of a and those of b that they face meet at.
    #[inline(always)]
    fn meet(&mut self, a: (&[T], &[T]), b: (&[T], &[T])) {
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

    /// True where all lanes are taken beyond a limit.
    #[inline(always)]
    fn are_beyond(&self, limit: T) -> bool {
        let mut all = true;
        for (&right, &left) in self.right.iter().zip(&self.left) {
            all &= (right > limit) & (left < T::ZERO.minus(limit));
        }
        all
    }

    /// The shortest translation that is not known to be taken: of equally short ones the one
    /// farthest up, of those the one farthest left.
    #[inline(always)]
    fn nearest(&self) -> Candidate {
        // Squares are below 2^16: a lane fits beside them.
        let mut least = u32::MAX;
        for i in 0..LANES {
            let (right, left): (i32, i32) = (self.right[i].into(), self.left[i].into());
            let (x, y) = (right.min(-left), self.top as i32 + i as i32);
            least = least.min(((x * x + y * y) as u32) * LANES as u32 + i as u32);
        }
        let lane = least as usize % LANES;
        let (right, left): (i32, i32) = (self.right[lane].into(), self.left[lane].into());
        let x = if -left <= right { left } else { right };
        Candidate::new([x.into(), self.top + lane as i64])
    }
}

/// The shortest translation that `is_free`, or `best` if there is none that is better, which lies
/// within reach of the windows; `None` where they are too large, or have rows of too many runs.
pub(super) fn out(
    windows: &Windows<'_>,
    best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    let (a, b) = windows.parts();
    let width = a.1.width().max(b.1.width());
    if width.max(a.1.height()).max(b.1.height()) > SIDE as u32 {
        return None;
    }
    vectorized(
        #[inline(always)]
        || {
            if width <= WORD {
                search::<i8, u64>(a, b, windows.offset, best, is_free)
            } else {
                search::<i16, u128>(a, b, windows.offset, best, is_free)
            }
        },
    )
}

#[inline(always)]
fn search<T: Column, R: Row>(
    (a, in_a): (MaskRef<'_>, Rect),
    (b, in_b): (MaskRef<'_>, Rect),
    [dx, dy]: [i64; 2],
    mut best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    // Filled where they lie: moving them would cost as much.
    let (mut of_a, mut of_b) = (Runs::<T>::new(), Runs::<T>::new());
    of_a.fill::<R>(a, in_a);
    of_a.turn(dx);
    of_b.fill::<R>(b, in_b);
    for (top, nearest) in blocks(LANES as i64) {
        let left_over = best.square as i64 - nearest * nearest;
        if left_over < 0 {
            break;
        }
        let limit = T::cut((left_over as f64).sqrt().ceil() as i64);
        let mut taken = Taken { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] };
        let (mut tried, mut walks) = (None, 0);
        for (in_a, in_b) in pairs(of_a.layers, of_b.layers).cycle() {
            taken.walk((&of_a, in_a), (&of_b, in_b), dy, limit);
            walks += 1;
            let found = taken.nearest();
            if found >= best {
                break;
            }
            if tried != Some(found) {
                if is_free(found) {
                    best = found;
                    break;
                }
                (tried, walks) = (Some(found), 0);
            } else if walks > of_a.layers * of_b.layers {
                // What takes it is a run that is not looked at.
                return None;
            }
        }
    }
    Some(best)
}

/// Every layer of a with every layer of b.
#[inline(always)]
fn pairs(a: usize, b: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..a * b).map(move |pair| (pair / b, pair % b))
}
