//! The first contact of two masks on a pixel path.
//!
//! ```text
//! from the first step at which the boxes overlap to the last:
//!   the box of a sweeps over no pixel of b in the next n steps:   skip them, n * 2
//!   else n is more than TRY_STEPS:                                n / 2
//!   else:                                                         test each step
//!   a straight path on which such tests fail repeatedly:          compute the free distance
//! ```
//!
//! 1. The swept box is tested by words, some thousand pixels at a time. A path through open space
//!    costs almost nothing, and one that ends at a wall costs a few tests.
//! 2. If masks pass close to each other without contact, a diagonal path costs one test per step.
//!    Computing a row of offsets per step would cost about the same. A straight path lies in one
//!    row of offsets, so one walk over the rows of both masks settles it.

use super::reachable_windows::{Windows, size};
use super::row_runs::Coordinate;
use super::search_order::TRY_STEPS;
use crate::geom::{PixelPath, Point};
use crate::mask::MaskRef;

/// Upper bound on steps skipped at once, for the area that a diagonal path tests.
const MAX_SKIP_STEPS: u32 = 64;
/// Failed runs of [`TRY_STEPS`] tests after which the free distance of a straight path is computed.
const MAX_FAILED_TRIES: u32 = 3;
/// Steps of a straight path that one computation covers.
const STRAIGHT_STEPS: u32 = 512;

/// Returns the first step of `path`, from `from` to `to`, after which `a` touches `b`.
pub(crate) fn first_touch(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    path: PixelPath,
    (from, to): (u32, u32),
) -> Option<u32> {
    let ([aw, ah], [bw, bh]) = (size(a), size(b));
    let (x, y) = (i64::from(offset.x), i64::from(offset.y));
    // The steps at which the boxes overlap.
    let (first, last) = path.steps_within([x - aw + 1, x + bw - 1], [y - ah + 1, y + bh - 1])?;
    let (mut step, last) = (first.max(from), last.min(to));
    if [aw, ah, bw, bh].contains(&0) {
        return None;
    }
    let straight = path.motion().x == 0 || path.motion().y == 0;
    let (mut skip_steps, mut tries) = (MAX_SKIP_STEPS, 0);
    while step <= last {
        let end = last.min(step.saturating_add(skip_steps - 1));
        if end - step < TRY_STEPS {
            let touch = |&step: &u32| a.touches(b, offset - path.at(step));
            if let Some(contact_step) = (step..=end).find(touch) {
                return Some(contact_step);
            }
            (step, skip_steps, tries) = (end + 1, TRY_STEPS * 2, tries + 1);
        } else if is_clear(a, b, offset, (path.at(step), path.at(end))) {
            (step, skip_steps, tries) = (end + 1, MAX_SKIP_STEPS.min(skip_steps * 2), 0);
        } else if straight && tries >= MAX_FAILED_TRIES {
            let end = last.min(step.saturating_add(STRAIGHT_STEPS));
            if let Some(contact_step) = first_touch_straight(a, b, offset, path, (step, end)) {
                return Some(contact_step);
            }
            (step, tries) = (end + 1, 0);
        } else {
            skip_steps = (end - step).div_ceil(2);
        }
    }
    None
}

/// Tests whether the box of `a` touches no pixel of `b` between two places on a path.
fn is_clear(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, (from, to): (Point, Point)) -> bool {
    let span = |from: i32, to: i32, size: u32, at: i32| {
        let (from, to, at) = (i64::from(from), i64::from(to), i64::from(at));
        [from.min(to) - at, from.max(to) + i64::from(size) - at]
    };
    let x = span(from.x, to.x, a.width(), offset.x);
    let y = span(from.y, to.y, a.height(), offset.y);
    !b.has_any(x, y)
}

/// Returns the first touching step of a straight path, by one walk over the rows.
fn first_touch_straight(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    path: PixelPath,
    (first, last): (u32, u32),
) -> Option<u32> {
    let (start, end) = (path.at(first), path.at(last));
    let between = |v: i32, w: i32| (i64::from(v.min(w)), i64::from(v.max(w)));
    let ((x0, x1), (y0, y1)) = (between(start.x, end.x), between(start.y, end.y));
    let windows = Windows::new(a, b, offset, [x0, y0], [x1, y1])?;
    let transposed = path.motion().x == 0;
    let skip_steps = if windows.fit::<i16>(transposed) {
        free_steps_ahead::<i16>(&windows, path, first, transposed)
    } else {
        free_steps_ahead::<i32>(&windows, path, first, transposed)
    };
    skip_steps
        .filter(|&skip_steps| skip_steps <= (last - first).into())
        .map(|skip_steps| first + skip_steps as u32)
}

/// Returns the number of free steps from `first` on; `None` if all are free.
fn free_steps_ahead<T: Coordinate>(
    windows: &Windows<'_>,
    path: PixelPath,
    first: u32,
    transposed: bool,
) -> Option<i64> {
    let run_pair = windows.run_pair::<T>(transposed);
    let [mut x, mut y] = windows.offset;
    let mut path = path;
    if transposed {
        (x, y, path) = (y, x, path.transposed());
    }
    let from = x - i64::from(path.at(first).x);
    let range = run_pair.touch_range(y, from, from);
    // A motion of the first mask to the right moves the second to the left, relative to the first.
    if path.motion().x > 0 {
        (range.last != T::MIN).then(|| from - from.min(range.last.into()))
    } else {
        (range.first != T::MAX).then(|| from.max(range.first.into()) - from)
    }
}
