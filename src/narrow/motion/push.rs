//! What parts two masks: the shortest way out, and the shortest along a direction.

use super::order::{blocks, outwards};
use super::spans::{Coordinate, Facing, LANES};
use super::taken::Taken;
use super::windows::{Windows, size};
use super::{Candidate, root, runs, small};
use crate::geom::{Path, Point};
use crate::mask::MaskRef;
use crate::narrow::simd_level::vectorized;
use std::cmp::Reverse;

/// Pixels that a search looks around at first: deeper contacts are searched again, farther.
const NEAR: i64 = 16;
/// Longest side of two masks that are searched as a whole at once: it costs hardly more.
const SMALL: i64 = runs::SIDE as i64;
/// How much farther each time.
const FARTHER: i64 = 4;

/// The shortest translation of `a`, at (0, 0), after which it does not touch `b`, at `offset`;
/// `None` where they do not touch.
pub(super) fn out(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    if !a.touches(b, offset) {
        return None;
    }
    let d = [i64::from(offset.x), i64::from(offset.y)];
    let ([aw, ah], [bw, bh]) = (size(a), size(b));
    // Parting the boxes always does.
    let boxes = [[d[0] - aw, 0], [d[0] + bw, 0], [0, d[1] - ah], [0, d[1] + bh]];
    let [mut best, others @ ..] = boxes.map(Candidate::new);
    for other in others {
        best = best.min(other);
    }
    // No translation that is better is longer; this one goes along an axis.
    let longest = |best: Candidate| root(best.square - 1) + 1;
    let is_small = aw.max(ah).max(bw).max(bh) <= SMALL;
    let mut radius = best.x.abs().max(best.y.abs()).min(if is_small { SMALL } else { NEAR });
    loop {
        let windows = Windows::new(a, b, offset, [-radius; 2], [radius; 2])?;
        let is_free = |by: Candidate| !a.touches(b, offset - by.point());
        if is_small && let Some(found) = small::out(&windows, best, is_free) {
            return Some(found.point());
        }
        if windows.are_small(false) && radius <= i16::LIMIT {
            vectorized(
                #[inline(always)]
                || out_within::<i16>(&windows, radius, &mut best, is_free),
            );
        } else {
            out_within::<i32>(&windows, radius, &mut best, is_free);
        }
        if best.square <= i128::from(radius * radius) {
            return Some(best.point());
        }
        radius = (radius * FARTHER).min(longest(best));
    }
}

/// Finds what is better than `best` among the translations of at most `radius` in length: row by
/// row of them, a block of rows at a time, from the middle outwards.
#[inline(always)]
fn out_within<T: Coordinate>(
    windows: &Windows<'_>,
    radius: i64,
    best: &mut Candidate,
    is_free: impl Fn(Candidate) -> bool,
) {
    let facing = windows.facing::<T>(false);
    let all_layers = facing.layers().count();
    for (top, nearest) in blocks(LANES as i64) {
        let farthest = |best: &Candidate| best.square.min(i128::from(radius * radius)) as i64;
        if nearest * nearest > farthest(best) {
            break;
        }
        let left_over = (farthest(best) - nearest * nearest) as f64;
        let limit = T::clamped(left_over.sqrt().ceil() as i64);
        let mut taken = Taken::<T>::new(top);
        // What the last layers left as it was, and how many in a row have.
        let (mut tried, mut same) = (None, 0);
        for layers in facing.layers().cycle() {
            taken.walk(&facing, layers, windows.offset, limit);
            let found = Candidate::new(taken.nearest());
            if found >= *best || found.square > i128::from(radius * radius) {
                break;
            }
            // What a walk leaves as it was has been tried; one of the layers takes it. Where none does,
            // the masks are damaged: the pixels say otherwise than their rows.
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
}

/// The first place on the way in `direction` at which `a` does not touch `b`; `None` where they do
/// not touch as they are, or the direction is (0, 0).
pub(super) fn along(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    direction: Point,
) -> Option<Point> {
    let steps = Path::new(direction).steps();
    if steps == 0 || !a.touches(b, offset) {
        return None;
    }
    // After as many steps the boxes have parted. Made longer, a path takes the same pixels.
    let enough = (size(a).into_iter().chain(size(b))).max()? * 2;
    let times = (enough as u32).div_ceil(steps) as i32;
    let path = if times > 1 {
        Path::new([direction.x * times, direction.y * times])
    } else {
        Path::new(direction)
    };
    let transposed = direction.y.unsigned_abs() > direction.x.unsigned_abs();
    let mut last = (NEAR as u32).min(path.steps());
    loop {
        let end = path.at(last);
        let between = |v: i32| (i64::from(v.min(0)), i64::from(v.max(0)));
        let ((x0, x1), (y0, y1)) = (between(end.x), between(end.y));
        let windows = Windows::new(a, b, offset, [x0, y0], [x1, y1])?;
        let found = if windows.are_small(transposed) {
            free_step::<i16>(&windows, path, last, transposed)
        } else {
            free_step::<i32>(&windows, path, last, transposed)
        };
        if found.is_some() || last == path.steps() {
            return Some(path.at(found.unwrap_or(last)));
        }
        last = last.saturating_mul(FARTHER as u32).min(path.steps());
    }
}

/// The first step up to `last` after which nothing touches.
fn free_step<T: Coordinate>(
    windows: &Windows<'_>,
    path: Path,
    last: u32,
    transposed: bool,
) -> Option<u32> {
    let facing = windows.facing::<T>(transposed);
    let [mut x, mut y] = windows.offset;
    let mut path = path;
    if transposed {
        (x, y, path) = (y, x, path.transposed());
    }
    let mut step = 0;
    while step <= last {
        let end = path.row_end(step).min(last);
        let at = path.at(step);
        let from = x - i64::from(at.x);
        let [left, right] = facing.free(y - i64::from(at.y), from, (end - step).into());
        let ahead = if path.motion().x > 0 { from - left } else { right - from };
        if ahead <= (end - step).into() {
            return Some(step + ahead as u32);
        }
        step = end + 1;
    }
    None
}

/// The shortest translation of `a`, at (0, 0), by at most `radius` pixels, after which it touches
/// none of `others`, each at its place; `None` where there is none.
///
/// The ranges of offsets at which each is touched are asked for as in [`out`]; a place is free
/// where no range of any holds it.
pub(crate) fn out_of_all(
    a: MaskRef<'_>,
    others: &[(MaskRef<'_>, Point)],
    radius: u32,
) -> Option<Point> {
    let mut best: Option<Candidate> = None;
    // Most searches end near: look there first, at what is near.
    let mut reach = i64::from(radius).min(NEAR);
    loop {
        let mut near: Vec<Obstacle> = others
            .iter()
            .filter_map(|&(b, offset)| Windows::new(a, b, offset, [-reach; 2], [reach; 2]))
            .map(|windows| Obstacle { facing: windows.facing(false), offset: windows.offset })
            .collect();
        // Who is large leaves no room at once, and spares a look at all that lies on it.
        near.sort_by_key(|obstacle| Reverse(obstacle.facing.b.rows));
        let mut here: Vec<&Obstacle> = Vec::with_capacity(near.len());
        let square = i128::from(reach) * i128::from(reach);
        for y in outwards(reach) {
            let left_over = best.map_or(square, |best| best.square) - i128::from(y * y);
            if left_over < 0 {
                break;
            }
            let limit = root(left_over);
            here.clear();
            here.extend(near.iter().filter(|obstacle| obstacle.is_beside(y)));
            for x in [-1, 1].into_iter().filter_map(|side| free_of_all(&here, y, side, limit)) {
                let found = Candidate::new([x, y]);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        if best.is_some() || reach == i64::from(radius) {
            return best.map(Candidate::point);
        }
        reach = (reach * FARTHER).min(i64::from(radius));
    }
}

/// What is in the way, and where.
struct Obstacle {
    facing: Facing<i32>,
    offset: [i64; 2],
}

impl Obstacle {
    /// True where it has rows beside those of the mask moved by `y`.
    fn is_beside(&self, y: i64) -> bool {
        let dy = self.offset[1] - y;
        -(self.facing.b.rows as i64) < dy && dy < self.facing.a.rows as i64
    }
}

/// The x of least size, to the side of `side` and at most `limit`, at which a mask moved by (x, y)
/// meets no obstacle.
fn free_of_all(obstacles: &[&Obstacle], y: i64, side: i64, limit: i64) -> Option<i64> {
    let mut x = 0;
    let mut clear = 0;
    // Once all in a row had nothing to say, the place is free.
    for obstacle in obstacles.iter().cycle() {
        let at = obstacle.offset[0] - x;
        let reach = obstacle.facing.reach(obstacle.offset[1] - y, at, at);
        let (first, last) = (i64::from(reach.first), i64::from(reach.last));
        let next = if side < 0 {
            // Moving the mask left takes what is in its way to the right of it.
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
