//! Push-outs: the shortest translation that separates two masks, along a direction or in any, and
//! the shortest that separates one mask from many.
//!
//! ```text
//! start with the best translation that separates the boxes
//! within a radius that grows:  for blocks of 32 rows of translations, from the middle outwards:
//!     walk one pair of layers of runs; take the shortest translation not known to be blocked
//!     worse than the best: next block;  free: it is the best;  else walk the next pair of layers
//! more than 32 runs in a row of the larger window:                             row_bits.rs instead
//! ```
//!
//! # Blocked ranges
//!
//! The blocked translations around 0, for a block of rows of translations at once.
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

use super::reachable_windows::{RunPair, Windows, size};
use super::row_bits::{self, MAX_LAYER_RUNS};
use super::row_runs::{Coordinate, PADDING_ROWS, RowRuns, SEARCH_ROWS};
use super::search_order::{Candidate, RADIUS_GROWTH, floor_sqrt, outwards};
use crate::geom::{PixelPath, Point};
use crate::mask::MaskRef;
use crate::simd::vectorized;
use std::cmp::Reverse;

/// First search radius in pixels. A deeper contact is searched again, with a larger radius.
const FIRST_RADIUS: i64 = 16;
/// Side in pixels up to which a full search of two masks costs hardly more.
const SEARCH_ALL_SIDE: i64 = 96;
/// Upper bound on the steps of a part of a path.
const MAX_PART_STEPS: u32 = 256;

/// Returns the shortest translation that frees `a` from `b`; `None` if they do not touch.
pub(super) fn out(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    if a.touches(b, offset) { out_within(a, b, offset, i64::MAX) } else { None }
}

/// Returns the translation of [`out`] of two touching masks, if no longer than `most` px.
fn out_within(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, most: i64) -> Option<Point> {
    let d = [i64::from(offset.x), i64::from(offset.y)];
    let ([aw, ah], [bw, bh]) = (size(a), size(b));
    // Separating the boxes always separates the masks.
    let boxes = [[d[0] - aw, 0], [d[0] + bw, 0], [0, d[1] - ah], [0, d[1] + bh]];
    let [mut best, others @ ..] = boxes.map(Candidate::new);
    for other in others {
        best = best.min(other);
    }
    // An upper bound on the length of every better translation; `best` itself goes along an axis.
    let longest = |best: Candidate| floor_sqrt(best.square - 1) + 1;
    let is_small = aw.max(ah).max(bw).max(bh) <= SEARCH_ALL_SIDE;
    let mut radius =
        best.x.abs().max(best.y.abs()).min(if is_small { SEARCH_ALL_SIDE } else { FIRST_RADIUS });
    radius = radius.min(most);
    let mut is_dense = false;
    loop {
        let windows = Windows::new(a, b, offset, [-radius; 2], [radius; 2])?;
        let is_free = |by: Candidate| !a.touches(b, offset - by.point());
        // Dense masks stay dense in larger windows.
        is_dense = is_dense || {
            if windows.fit::<i8>(false) {
                !vectorized(
                    #[inline(always)]
                    || search_within_radius::<i8>(&windows, radius, &mut best, is_free),
                )
            } else if windows.fit::<i16>(false) && radius <= i16::LIMIT {
                !vectorized(
                    #[inline(always)]
                    || search_within_radius::<i16>(&windows, radius, &mut best, is_free),
                )
            } else {
                !search_within_radius::<i32>(&windows, radius, &mut best, is_free)
            }
        };
        if is_dense {
            row_bits::search(a, b, offset, radius, &mut best);
        }
        if best.square <= i128::from(radius * radius) {
            return Some(best.point());
        }
        if radius == most {
            return None;
        }
        radius = (radius * RADIUS_GROWTH).min(longest(best)).min(most);
    }
}

/// Replaces `best` by the best translation of at most `radius` px that is better. Blocks of rows
/// are searched from the middle outwards. Returns false, and searches nothing, if a row of the
/// larger mask has too many runs.
#[inline(always)]
fn search_within_radius<T: Coordinate>(
    windows: &Windows<'_>,
    radius: i64,
    best: &mut Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> bool {
    let [dx, dy] = windows.offset;
    let mut run_pair = windows.run_pair::<T>(false);
    let RunPair { a, b } = &run_pair;
    if (if a.rows > b.rows { a } else { b }).layers.len() > MAX_LAYER_RUNS {
        return false;
    }
    run_pair.a.reflect(dx);
    let all_layers = run_pair.layers().count();
    for (top, nearest) in blocks() {
        let farthest = best.square.min(i128::from(radius * radius)) as i64;
        let left_over = farthest - nearest * nearest;
        if left_over < 0 {
            break;
        }
        let limit = T::clamped((left_over as f64).sqrt().ceil() as i64);
        let mut blocked = BlockedRanges::<T>::new(top);
        // The last translation found, and how many walks in a row have not changed it.
        let (mut tried, mut same) = (None, 0);
        for (in_a, in_b) in run_pair.layers().cycle() {
            blocked.walk((&run_pair.a, in_a), (&run_pair.b, in_b), dy, limit);
            let found = Candidate::new(blocked.nearest());
            if found >= *best || found.square > i128::from(radius * radius) {
                break;
            }
            // An unchanged translation was tested before, so one of the layers blocks it. If none
            // does, the masks are damaged: their pixels differ from their rows.
            same = if tried == Some(found) { same + 1 } else { 0 };
            if same > all_layers {
                break;
            }
            if same == 0 && is_free(found) {
                *best = found;
                break;
            }
            tried = Some(found);
        }
    }
    true
}

/// Returns the first translation along `direction` that separates touching masks.
pub(super) fn along(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    direction: Point,
) -> Option<Point> {
    let steps = PixelPath::new(direction).steps();
    if steps == 0 || !a.touches(b, offset) {
        return None;
    }
    // After this many steps the boxes are apart. A longer path takes the same pixels.
    let enough = (size(a).into_iter().chain(size(b))).max()? * 2;
    let times = (enough as u32).div_ceil(steps) as i32;
    let path = if times > 1 {
        PixelPath::new([direction.x * times, direction.y * times])
    } else {
        PixelPath::new(direction)
    };
    let transposed = direction.y.unsigned_abs() > direction.x.unsigned_abs();
    // The windows of a part of the path are far smaller than those of the whole path.
    let (mut first, mut part_steps) = (0_u32, FIRST_RADIUS as u32);
    loop {
        let last = first.saturating_add(part_steps - 1).min(path.steps());
        let (start, end) = (path.at(first), path.at(last));
        let between = |v: i32, w: i32| (i64::from(v.min(w)), i64::from(v.max(w)));
        let ((x0, x1), (y0, y1)) = (between(start.x, end.x), between(start.y, end.y));
        let Some(windows) = Windows::new(a, b, offset, [x0, y0], [x1, y1]) else {
            return Some(start);
        };
        let found = if windows.fit::<i16>(transposed) {
            free_step::<i16>(&windows, path, (first, last), transposed)
        } else {
            free_step::<i32>(&windows, path, (first, last), transposed)
        };
        if found.is_some() || last == path.steps() {
            return Some(path.at(found.unwrap_or(last)));
        }
        first = last + 1;
        part_steps = (part_steps * RADIUS_GROWTH as u32).min(MAX_PART_STEPS);
    }
}

/// Returns the first of the steps from `first` to `last` after which the masks do not touch.
fn free_step<T: Coordinate>(
    windows: &Windows<'_>,
    path: PixelPath,
    (first, last): (u32, u32),
    transposed: bool,
) -> Option<u32> {
    let run_pair = windows.run_pair::<T>(transposed);
    let [mut x, mut y] = windows.offset;
    let mut path = path;
    if transposed {
        (x, y, path) = (y, x, path.transposed());
    }
    let mut step = first;
    while step <= last {
        let end = path.row_end(step).min(last);
        let at = path.at(step);
        let from = x - i64::from(at.x);
        let [left, right] = run_pair.free(y - i64::from(at.y), from, (end - step).into());
        let ahead = if path.motion().x > 0 { from - left } else { right - from };
        if ahead <= (end - step).into() {
            return Some(step + ahead as u32);
        }
        step = end + 1;
    }
    None
}

/// Returns the shortest translation of `a`, at (0, 0), by at most `radius` px, after which it
/// touches none of `others`, each with its offset. Returns `None` if there is none.
///
/// In each row of translations, the ranges blocked by each mask are computed from its runs. A
/// translation is free if it lies in no range. A single mask is left as by [`out`].
pub(crate) fn out_of_all(
    a: MaskRef<'_>,
    others: &[(MaskRef<'_>, Point)],
    radius: u32,
) -> Option<Point> {
    if let [(b, offset)] = *others {
        return match a.touches(b, offset) {
            true => out_within(a, b, offset, radius.into()),
            false => Some(Point::default()),
        };
    }
    let mut best: Option<Candidate> = None;
    // Most searches end near, so they start with a small radius and the obstacles within it.
    let mut radius_now = i64::from(radius).min(FIRST_RADIUS);
    loop {
        let mut obstacles_near: Vec<ObstacleRuns> = others
            .iter()
            .filter_map(|&(b, offset)| {
                Windows::new(a, b, offset, [-radius_now; 2], [radius_now; 2])
            })
            .map(|windows| ObstacleRuns {
                run_pair: windows.run_pair(false),
                offset: windows.offset,
            })
            .collect();
        // A large obstacle blocks most translations at once, so the obstacles on top of it need no
        // walk.
        obstacles_near.sort_by_key(|obstacle| Reverse(obstacle.run_pair.b.rows));
        let mut in_row: Vec<&ObstacleRuns> = Vec::with_capacity(obstacles_near.len());
        let square = i128::from(radius_now) * i128::from(radius_now);
        for y in outwards(radius_now) {
            let left_over = best.map_or(square, |best| best.square) - i128::from(y * y);
            if left_over < 0 {
                break;
            }
            let limit = floor_sqrt(left_over);
            in_row.clear();
            in_row.extend(obstacles_near.iter().filter(|obstacle| obstacle.is_beside(y)));
            for x in [-1, 1].into_iter().filter_map(|side| free_of_all(&in_row, y, side, limit)) {
                let found = Candidate::new([x, y]);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        if best.is_some() || radius_now == i64::from(radius) {
            return best.map(Candidate::point);
        }
        radius_now = (radius_now * RADIUS_GROWTH).min(i64::from(radius));
    }
}

struct ObstacleRuns {
    run_pair: RunPair<i32>,
    offset: [i64; 2],
}

impl ObstacleRuns {
    /// Tests whether the obstacle has rows beside those of the mask moved by `y`.
    fn is_beside(&self, y: i64) -> bool {
        let dy = self.offset[1] - y;
        -(self.run_pair.b.rows as i64) < dy && dy < self.run_pair.a.rows as i64
    }
}

/// Returns the x closest to 0, on one side and within `limit`, that is free of obstacles.
fn free_of_all(obstacles: &[&ObstacleRuns], y: i64, side: i64, limit: i64) -> Option<i64> {
    let mut x = 0;
    let mut clear = 0;
    // The position is free as soon as all obstacles in a row have left x unchanged.
    for obstacle in obstacles.iter().cycle() {
        let at = obstacle.offset[0] - x;
        let range = obstacle.run_pair.touch_range(obstacle.offset[1] - y, at, at);
        let (first, last) = (i64::from(range.first), i64::from(range.last));
        let next = if side < 0 {
            // A motion of the mask to the left moves an obstacle to the right, relative to the
            // mask.
            if last >= at { obstacle.offset[0] - (last + 1) } else { x }
        } else if first <= at {
            obstacle.offset[0] - (first - 1)
        } else {
            x
        };
        clear = if next == x { clear + 1 } else { 0 };
        x = next;
        if x.abs() > limit {
            return None;
        }
        if clear == obstacles.len() {
            break;
        }
    }
    Some(x)
}

/// Rows of a between two tests whether all lanes are blocked.
const ROWS_PER_CHECK: usize = 32;

/// The known blocked ranges of [`SEARCH_ROWS`] rows of translations, the first of them at y = `top`.
pub(super) struct BlockedRanges<T> {
    top: i64,
    /// In each row, the translations from 0 up to this one, exclusive, are blocked.
    right: [T; SEARCH_ROWS],
    /// In each row, the translations from 0 down to this one, exclusive, are blocked.
    left: [T; SEARCH_ROWS],
}

impl<T: Coordinate> BlockedRanges<T> {
    /// Returns the state in which no translation is known to be blocked.
    #[inline(always)]
    pub(super) fn new(top: i64) -> Self {
        Self { top, right: [T::ZERO; SEARCH_ROWS], left: [T::ZERO; SEARCH_ROWS] }
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
            let faced = n + SEARCH_ROWS - 1;
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
        let faced = b.0.windows(SEARCH_ROWS).zip(b.1.windows(SEARCH_ROWS));
        for ((&below, &above), (firsts, lasts)) in a.0.iter().zip(a.1).zip(faced) {
            let (Some(firsts), Some(lasts)) =
                (firsts.first_chunk::<SEARCH_ROWS>(), lasts.first_chunk::<SEARCH_ROWS>())
            else {
                break;
            };
            for i in 0..SEARCH_ROWS {
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

    /// Returns the shortest translation not known to be blocked, at a tie topmost, then leftmost.
    #[inline(always)]
    pub(super) fn nearest(&self) -> [i64; 2] {
        let mut least = T::farthest();
        for i in 0..SEARCH_ROWS {
            let x = self.right[i].min(T::ZERO.minus(self.left[i]));
            least = least.min(x.key(self.top + i as i64, i));
        }
        let lane = least.into() as usize % SEARCH_ROWS;
        let (left, right): (i64, i64) = (self.left[lane].into(), self.right[lane].into());
        [if -left <= right { left } else { right }, self.top + lane as i64]
    }
}

/// Returns the blocks of rows of translations, without end: the middle one, then alternately one
/// below and one above, each farther away. Each item is the first row of a block and the distance
/// of its nearest row from row 0.
#[inline(always)]
pub(super) fn blocks() -> impl Iterator<Item = (i64, i64)> {
    let lanes = SEARCH_ROWS as i64;
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
    let from = (b_from + 1 - SEARCH_ROWS as i64 - down).clamp(a_from, a_to);
    [from, (b_to - down).clamp(from, a_to)]
}

/// Returns rows `from..to` in parts of up to `most`, from the middle: start and length.
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
    use crate::mask::{Mask, dotted};
    use crate::narrow::reference;

    /// Returns a blob with a notch, or rows of dots.
    fn mask(width: u32, height: u32, dots: bool) -> Mask {
        if dots {
            return dotted(width, height);
        }
        let mut mask = Mask::new(width, height).unwrap();
        for y in 0..height {
            let notch = width / 3..width / 3 + y % 7;
            for x in (y % 5..width.saturating_sub(y * y % 23)).filter(|x| !notch.contains(x)) {
                mask.set(x as i32, y as i32, true);
            }
        }
        mask
    }

    #[test]
    fn every_coordinate_type_finds_the_push_out_of_an_exhaustive_search() {
        let sizes = [(9, 5), (64, 40), (65, 33), (96, 70), (40, 96)];
        for (i, &(aw, ah)) in sizes.iter().enumerate() {
            for (j, &(bw, bh)) in sizes.iter().enumerate() {
                let (a, b) = (mask(aw, ah, i % 2 == 1), mask(bw, bh, j == 2));
                let sides = [-(aw as i32) / 3, 2, aw as i32 - 7, 8 - bw as i32];
                for (k, dx) in (0..).zip(sides) {
                    let offset = Point::new(dx, ah as i32 / 2 - 9 * k);
                    for a in [a.as_ref(), a.as_ref().flip_y()] {
                        if let Some(expected) = reference::push_out(a, b.as_ref(), offset) {
                            check(a, b.as_ref(), offset, expected);
                        }
                    }
                }
            }
        }
    }

    fn check(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, expected: Point) {
        assert_eq!(out(a, b, offset), Some(expected), "{offset:?}\n{a:?}{b:?}");
        let radius = 2 * i64::from(expected.x.abs().max(expected.y.abs()));
        let windows = Windows::new(a, b, offset, [-radius; 2], [radius; 2]).unwrap();
        let is_free = |by: Candidate| !a.touches(b, offset - by.point());
        let worst = Candidate::new([radius; 2]);
        let mut found = [worst; 3];
        if windows.fit::<i8>(false) {
            search_within_radius::<i8>(&windows, radius, &mut found[0], is_free);
        } else {
            found[0] = Candidate::new([expected.x.into(), expected.y.into()]);
        }
        search_within_radius::<i16>(&windows, radius, &mut found[1], is_free);
        search_within_radius::<i32>(&windows, radius, &mut found[2], is_free);
        assert_eq!(found.map(Candidate::point), [expected; 3], "{offset:?}\n{a:?}{b:?}");
    }
}
