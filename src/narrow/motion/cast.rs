//! When two masks meet on the way.

use super::spans::Coordinate;
use super::windows::{Windows, size};
use crate::geom::{Path, Point};
use crate::mask::MaskRef;

/// Steps that are quicker tried one by one than prepared for.
const FEW: u32 = 8;

/// The first step of `path`, from `from` to `to`, after which `a`, at (0, 0) before it moves,
/// touches `b`, at `offset`.
pub(crate) fn first_touch(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    path: Path,
    (from, to): (u32, u32),
) -> Option<u32> {
    let ([aw, ah], [bw, bh]) = (size(a), size(b));
    let (x, y) = (i64::from(offset.x), i64::from(offset.y));
    // The steps at which the boxes overlap.
    let (first, last) = path.steps_within([x - aw + 1, x + bw - 1], [y - ah + 1, y + bh - 1])?;
    let (first, last) = (first.max(from), last.min(to));
    if first > last || aw == 0 || bw == 0 || ah == 0 || bh == 0 {
        return None;
    }
    if last - first < FEW {
        return (first..=last).find(|&step| a.touches(b, offset - path.at(step)));
    }
    let (start, end) = (path.at(first), path.at(last));
    let between = |v: i32, w: i32| (i64::from(v.min(w)), i64::from(v.max(w)));
    let ((x0, x1), (y0, y1)) = (between(start.x, end.x), between(start.y, end.y));
    let windows = Windows::new(a, b, offset, [x0, y0], [x1, y1])?;
    let motion = path.motion();
    let transposed = motion.y.unsigned_abs() > motion.x.unsigned_abs();
    if windows.are_small(transposed) {
        walk::<i16>(&windows, path, (first, last), transposed)
    } else {
        walk::<i32>(&windows, path, (first, last), transposed)
    }
}

/// Row of offsets by row of offsets: in each the path runs straight ahead, and the first touch
/// ahead is known after one walk over the masks' rows.
fn walk<T: Coordinate>(
    windows: &Windows<'_>,
    path: Path,
    (first, last): (u32, u32),
    transposed: bool,
) -> Option<u32> {
    let facing = windows.facing::<T>(transposed);
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
        let reach = facing.reach(y - i64::from(at.y), from, from);
        // Moving the first mask right takes the second to the left of it.
        let ahead = if path.motion().x > 0 {
            (reach.last != T::MIN).then(|| from - from.min(reach.last.into()))
        } else {
            (reach.first != T::MAX).then(|| from.max(reach.first.into()) - from)
        };
        match ahead {
            Some(ahead) if ahead <= (end - step).into() => return Some(step + ahead as u32),
            _ => step = end + 1,
        }
    }
    None
}
