//! When two masks meet on the way.
//!
//! ```text
//! from the first step after which the boxes overlap to the last:
//!   nothing of b in all that the box of a passes in the next n steps:  skip them, and n * 2
//!   or n is more than a small:                                           n / 2
//!   a small steps:                                                       try each
//!   and if these meet nothing again and again, on a straight way:      ask how missing_first it is free
//! ```
//!
//! 1. What the box passes is looked at by words, some thousand pixels at a time: a way through the
//!    open costs next to nothing, and one that ends at a wall a few tries.
//! 2. Where masks pass close by each other without touching, a slanting way costs a try for each
//!    step, which is about what asking for each row of offsets costs, too. A straight way is one
//!    row of offsets: one walk over the masks' rows settles it.

use super::reachable_windows::{Windows, size};
use super::row_runs::Coordinate;
use crate::geom::{PixelPath, Point};
use crate::mask::MaskRef;

/// Steps that are tried one by one.
const TRY_STEPS: u32 = 8;
/// Most steps that are skipped at once. More, and a slanting way looks at far more than it passes.
const MAX_SKIP_STEPS: u32 = 64;
/// Tries in vain, [`TRY_STEPS`] each, after which a straight way is asked how far it is free.
const MAX_FAILED_TRIES: u32 = 3;
/// Steps of a straight way that are asked for at once.
const STRAIGHT_STEPS: u32 = 512;

/// The first step of `path`, from `from` to `to`, after which `a`, at (0, 0) before it moves,
/// touches `b`, at `offset`.
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

/// True where the box of `a` meets no pixel of `b` on its way from one place to another, both
/// counted. A path never turns back: the two bound all between them.
fn is_clear(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, (from, to): (Point, Point)) -> bool {
    let span = |from: i32, to: i32, size: u32, at: i32| {
        let (from, to, at) = (i64::from(from), i64::from(to), i64::from(at));
        [from.min(to) - at, from.max(to) + i64::from(size) - at]
    };
    let x = span(from.x, to.x, a.width(), offset.x);
    let y = span(from.y, to.y, a.height(), offset.y);
    !b.has_any(x, y)
}

/// The first step from `first` to `last` of a straight way that meets: the offsets at which the
/// masks touch on it are asked for once.
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

/// How many steps from `first` on are free; `None` where all are.
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
    // Moving the first mask right takes the second to the left of it.
    if path.motion().x > 0 {
        (range.last != T::MIN).then(|| from - from.min(range.last.into()))
    } else {
        (range.first != T::MAX).then(|| from.max(range.first.into()) - from)
    }
}
