//! The shortest translation after which two masks touch, and the distance of a mask from a point.
//!
//! Called by `motion_api.rs` for `nearest` and `distance`, and by `world/query` for positions.

use super::reachable_windows::{Windows, size};
use super::row_runs::Coordinate;
use super::{Candidate, outwards};
use crate::geom::Point;
use crate::mask::MaskRef;

/// Pixels by which the first search radius exceeds the gap between the boxes.
const FIRST_RADIUS: i64 = 16;
/// Factor of the search radius from one search to the next.
const RADIUS_GROWTH: i64 = 4;

/// Returns the shortest translation of `a`, at (0, 0), after which it touches `b`, at `offset`, as
/// x and y. Returns `None` if one of the masks has no pixel.
pub(super) fn nearest(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<[i64; 2]> {
    let (size_a, size_b) = (size(a), size(b));
    if [size_a, size_b].concat().contains(&0) {
        return None;
    }
    let d = [i64::from(offset.x), i64::from(offset.y)];
    // The translations at which the boxes overlap, on each axis.
    let low = [d[0] - size_a[0] + 1, d[1] - size_a[1] + 1];
    let high = [d[0] + size_b[0] - 1, d[1] + size_b[1] - 1];
    let gap = |axis: usize| low[axis].max(-high[axis]).max(0);
    let mut radius = gap(0).max(gap(1)) + FIRST_RADIUS;
    loop {
        if let Some(windows) = Windows::new(a, b, offset, [-radius; 2], [radius; 2]) {
            let best = if windows.fit::<i16>(false) {
                search_windows::<i16>(&windows, low[1], high[1])
            } else {
                search_windows::<i32>(&windows, low[1], high[1])
            };
            match best {
                Some(best) if windows.whole || best.square <= i128::from(radius).pow(2) => {
                    return Some([best.x, best.y]);
                }
                None if windows.whole => return None,
                _ => {}
            }
        }
        radius *= RADIUS_GROWTH;
    }
}

/// Returns the best translation with y from `low` to `high`.
fn search_windows<T: Coordinate>(windows: &Windows<'_>, low: i64, high: i64) -> Option<Candidate> {
    let run_pair = windows.run_pair::<T>(false);
    let [x, y] = windows.offset;
    let mut best: Option<Candidate> = None;
    // The row closest to 0; the rows after it are farther and farther away.
    let start = 0.clamp(low, high);
    for away in outwards(high - low) {
        let (down, least) = (start + away, i128::from(start.abs() + away.abs()));
        if best.is_some_and(|best| least * least > best.square) {
            break;
        }
        if !(low..=high).contains(&down) {
            continue;
        }
        let range = run_pair.touch_range(y - down, x, x);
        let right = (range.first != T::MAX).then(|| x.max(range.first.into()));
        let left = (range.last != T::MIN).then(|| x.min(range.last.into()));
        for meeting in [left, right].into_iter().flatten() {
            let found = Candidate::new([x - meeting, down]);
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    best
}

/// Returns the distance from a point to the nearest centre of a set pixel of a mask whose top-left
/// pixel is at `origin`. Returns `None` if no pixel is set, and possibly if all are farther than
/// `most`.
///
/// The centre of pixel (x, y) is (x + 1/2, y + 1/2). Rows are searched outwards from the point.
pub(crate) fn point_distance(
    (mask, origin): (MaskRef<'_>, Point),
    [px, py]: [f64; 2],
    most: f64,
) -> Option<f64> {
    let (x, y) = (px - f64::from(origin.x), py - f64::from(origin.y));
    let beside = (x - f64::from(mask.width())).max(-x);
    let last = mask.height().checked_sub(1).filter(|_| beside <= most)?;
    let center = |start: i32, pixel: u32| (i64::from(start) + i64::from(pixel)) as f64 + 0.5;
    let mut best = f64::INFINITY;
    // Returns false for a row that is too far away.
    let mut search = |row: u32| {
        let dy = center(origin.y, row) - py;
        if dy.abs() > most || dy * dy > best {
            return false;
        }
        for (x0, x1) in mask.runs(row) {
            let column = x.floor().clamp(f64::from(x0), f64::from(x1 - 1)) as u32;
            let dx = center(origin.x, column) - px;
            best = best.min(dx * dx + dy * dy);
        }
        true
    };
    let start = y.floor().clamp(0.0, f64::from(last)) as u32;
    let _ = (start..=last).all(&mut search);
    let _ = (0..start).rev().all(&mut search);
    best.is_finite().then(|| best.sqrt())
}
