//! The shortest way apart of two masks of up to [`SIDE`] pixels: what is searched in `push.rs` row
//! by row of translations, here for 32 or 64 such rows at once and without memory of its own.
//!
//! ```text
//! runs of each row, in layers                                                    runs.rs
//! for each block of 32 or 64 rows of translations, the middle one first:
//!   for each layer of a and of b:
//!     walk over the rows of a: in each lane, from where to where all translations are taken
//!     try the nearest that is not known to be; if it is free, the block is done
//! ```
//!
//! 1. Bytes suffice for windows of at most 64 columns whose boxes overlap: sums of two columns and
//!    of what lies between the windows reach from -127 to 127. A missing run saturates, on the side
//!    where it changes nothing. Wider ones take twice as many.
//! 2. A walk costs about five cycles a row, and most searches take two of each block. With vectors
//!    of 64 bytes one block is mostly enough.
//! 3. Of rows of many runs the last ones are not looked at. So what is known to be taken is so
//!    still, and what is tried is tried on the masks; but a search may get stuck, and then says so.

use super::Candidate;
use super::order::{blocks, facing_rows, from_the_middle};
use super::runs::{BESIDE, Column, Runs, SIDE};
use super::windows::Windows;
use crate::geom::Rect;
use crate::mask::{MaskRef, WORD};
use crate::narrow::simd_level::{self, with_level};
use fearless_simd::{Level, Simd, SimdBase};

/// Rows between two looks at whether all lanes are taken.
const LOOK: usize = 32;

/// Which translations are taken, for rows of them from `top` on.
struct Taken<T, const LANES: usize> {
    top: i64,
    /// In each, all from 0 up to, not including, this one.
    right: [T; LANES],
    /// The same to the left: all from 0 down to, not including, this one.
    left: [T; LANES],
}

impl<T: Column, const LANES: usize> Taken<T, LANES> {
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
        let rows = facing_rows([a.rows[in_a], b.rows[in_b]], down, LANES);
        let (above, below) = (&a.firsts[in_a], &a.lasts[in_a]);
        let (firsts, lasts) = (&b.firsts[in_b], &b.lasts[in_b]);
        for (row, n) in from_the_middle(rows, LOOK) {
            let (at_a, at_b) = (row as usize + BESIDE, (row + down + BESIDE as i64) as usize);
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
                // One instruction with a mask, where there are such; or two without a blend.
                if LANES == 64 {
                    rights[i] = if right > before { right.max(after) } else { right };
                    lefts[i] = if after > left { left.min(before) } else { left };
                } else {
                    rights[i] = right.max(if right > before { after } else { T::ZERO });
                    lefts[i] = left.min(if after > left { before } else { T::ZERO });
                }
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
    out_on(simd_level::preferred(), windows, best, is_free)
}

#[inline(always)]
fn out_on(
    level: Level,
    windows: &Windows<'_>,
    best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    let (a, b) = windows.parts();
    let width = a.1.width().max(b.1.width());
    if width.max(a.1.height()).max(b.1.height()) > SIDE as u32 {
        return None;
    }
    with_level!(level, simd => simd.vectorize(
        #[inline(always)]
        || {
            if width > WORD {
                search::<_, i16, 2, 32>(simd, a, b, windows.offset, best, is_free)
            } else if has_64_lanes(simd) {
                search::<_, i8, 1, 64>(simd, a, b, windows.offset, best, is_free)
            } else {
                search::<_, i8, 1, 32>(simd, a, b, windows.offset, best, is_free)
            }
        },
    ))
}

/// Whether a vector is 64 bytes long.
#[inline(always)]
const fn has_64_lanes<S: Simd>(_: S) -> bool {
    <S::u8s as SimdBase<S>>::LEN >= 64
}

#[inline(always)]
fn search<S: Simd, T: Column, const WORDS: usize, const LANES: usize>(
    simd: S,
    (a, in_a): (MaskRef<'_>, Rect),
    (b, in_b): (MaskRef<'_>, Rect),
    [dx, dy]: [i64; 2],
    mut best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    // Filled where they lie: moving them would cost as much.
    let (mut of_a, mut of_b) = (Runs::<T>::new(), Runs::<T>::new());
    of_a.fill::<S, WORDS>(simd, a, in_a);
    of_a.turn(dx);
    of_b.fill::<S, WORDS>(simd, b, in_b);
    for (top, nearest) in blocks(LANES as i64) {
        let left_over = best.square as i64 - nearest * nearest;
        if left_over < 0 {
            break;
        }
        let limit = T::cut((left_over as f64).sqrt().ceil() as i64);
        let mut taken = Taken::<T, LANES> { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;
    use crate::mask::{Mask, dotted};
    use crate::narrow::motion::naive;

    /// A blob with a notch, or dots in rows.
    fn mask(width: u32, height: u32, dots: bool) -> Mask {
        if dots {
            return dotted(width, height);
        }
        let mut mask = Mask::new(width, height).unwrap();
        for y in 0..height {
            let notch = width / 3..width / 3 + y % 7;
            for x in (y % 5..width.saturating_sub(y * y % 23)).filter(|x| !notch.contains(x)) {
                mask.set(x, y, true);
            }
        }
        mask
    }

    #[test]
    fn every_level_finds_the_way_out_that_trying_all_places_finds() {
        let sizes = [(9, 5), (64, 40), (65, 33), (96, 70), (40, 96)];
        for (i, &(aw, ah)) in sizes.iter().enumerate() {
            for (j, &(bw, bh)) in sizes.iter().enumerate() {
                let (is_a, is_b) = (i % 2 == 1, j == 2);
                let (a, b) = (mask(aw, ah, is_a), mask(bw, bh, is_b));
                let sides = [-(aw as i32) / 3, 2, aw as i32 - 7, 8 - bw as i32];
                for (k, dx) in (0..).zip(sides) {
                    let offset = Point::new(dx, ah as i32 / 2 - 9 * k);
                    for a in [a.as_ref(), a.as_ref().flip_y()] {
                        if let Some(out) = naive::push_out(a, b.as_ref(), offset) {
                            hold(a, b.as_ref(), offset, out, is_a || is_b);
                        }
                    }
                }
            }
        }
    }

    fn hold(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, out: Point, is_dotted: bool) {
        // Windows that end where nothing nearer than this is to be found.
        let reach = i64::from(out.x.abs().max(out.y.abs()) + 1);
        let windows = Windows::new(a, b, offset, [-reach; 2], [reach; 2]).unwrap();
        let is_free = |by: Candidate| !a.touches(b, offset - by.point());
        let worst = Candidate::new([reach; 2]);
        for simd in crate::narrow::Simd::available() {
            let found = out_on(simd.level().unwrap(), &windows, worst, is_free);
            // Of dots the last runs of a row are not looked at.
            if found.is_some() || !is_dotted {
                let found = found.map(Candidate::point);
                assert_eq!(found, Some(out), "{} {offset:?}\n{a:?}{b:?}", simd.name());
            }
        }
    }
}
