//! The shortest translation after which two masks touch, and the distance of a mask from a point.

use super::reachable_windows::{Windows, size};
use super::row_runs::Coordinate;
use super::search_order::{Candidate, RADIUS_GROWTH, floor_sqrt, outwards};
use crate::geom::{Point, Rect};
use crate::mask::MaskRef;

/// Pixels by which the first search radius exceeds the distance at which a pixel is known to lie.
const RADIUS_MARGIN: i64 = 16;
/// Side in pixels up to which all rows of a mask are read for the distance of a point.
const READ_ALL_SIDE: u32 = 128;

/// Returns the shortest translation of `a`, at (0, 0), after which it touches `b`, at `offset`, as
/// x and y. Returns `None` if one of the masks has no pixel, and possibly if the translation is
/// longer than `most`.
///
/// ```text
/// rings around the smaller mask until one holds a pixel of the larger:  bounds on the distance
/// within a radius from these bounds:
///     crop both windows to their pixels, and search the rows of translations
///     worse than the radius:  again, with the translation found as radius
/// ```
pub(super) fn nearest(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    most: i64,
) -> Option<[i64; 2]> {
    let ([aw, ah], [bw, bh]) = (size(a), size(b));
    if [aw, ah, bw, bh].contains(&0) {
        return None;
    }
    let [x, y] = [i64::from(offset.x), i64::from(offset.y)];
    let [_, far] = if aw * ah > bw * bh {
        a.distance_bounds([[x, x + bw], [y, y + bh]], most)?
    } else {
        b.distance_bounds([[-x, aw - x], [-y, ah - y]], most)?
    };
    let mut radius = far + far / 8 + RADIUS_MARGIN;
    loop {
        let windows = Windows::new(a, b, offset, [-radius; 2], [radius; 2])?;
        let best = match windows.cropped() {
            None => None,
            Some(cropped) if cropped.fit::<i16>(false) => search_windows::<i16>(&cropped),
            Some(cropped) => search_windows::<i32>(&cropped),
        };
        match best {
            Some(best) if windows.whole || best.square <= i128::from(radius).pow(2) => {
                return Some([best.x, best.y]);
            }
            None if windows.whole => return None,
            // No better translation is longer than the one found.
            Some(best) => radius = floor_sqrt(best.square) + 1,
            None => radius *= RADIUS_GROWTH,
        }
    }
}

/// Returns the shortest translation at which pixels of both windows meet.
fn search_windows<T: Coordinate>(windows: &Windows<'_>) -> Option<Candidate> {
    let run_pair = windows.run_pair::<T>(false);
    let [low, high] = windows.facing_rows();
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
/// The centre of pixel (x, y) is (x + 1/2, y + 1/2). Rings around the point give bounds on the
/// distance. Between these bounds, rows are searched outwards from the point.
pub(crate) fn point_distance(
    (mask, origin): (MaskRef<'_>, Point),
    [px, py]: [f64; 2],
    most: f64,
) -> Option<f64> {
    let x = px - f64::from(origin.x);
    let beside = (x - f64::from(mask.width())).max(-x);
    let last = mask.height().checked_sub(1).filter(|_| beside <= most)?;
    let last_column = mask.width().checked_sub(1)?;
    let center = |start: i32, pixel: u32| (i64::from(start) + i64::from(pixel)) as f64 + 0.5;
    // The pixel of the mask's box that is nearest to the point. Rounded down before the subtraction:
    // -1e-17 + 3 is 3, the next pixel.
    let pixel = |at: f64, start: i32, last: u32| {
        (at.floor() as i64 - i64::from(start)).clamp(0, last.into()) as u32
    };
    let (column, start) = (pixel(px, origin.x, last_column), pixel(py, origin.y, last));
    let whole = mask.rect_at(Point::default());
    // Reading all rows of a small mask costs less than bounds on the distance.
    let (near, most, area) = if last_column.max(last) < READ_ALL_SIDE {
        (0, most, whole)
    } else {
        let around = [column, start].map(|pixel| [i64::from(pixel), i64::from(pixel) + 1]);
        // From that pixel, no pixel is more than half a pixel farther than from the point.
        let [near, far] = mask.distance_bounds(around, (most + 1.0) as i64)?;
        let aside = [center(origin.x, column) - px, center(origin.y, start) - py].map(f64::abs);
        let [x, y] = aside.map(|aside| aside + far as f64);
        let most = most.min((x * x + y * y).sqrt() + 1.0);
        // No mask is larger than the upper limit.
        let reach = (most.ceil() as i64).min(1 << 16) as i32;
        let [x, y] = around.map(|[at, _]| at as i32);
        let within = Rect::new(x - reach, y - reach, x + reach + 1, y + reach + 1);
        (near, most, mask.bounds_in(whole.intersection(within)?)?)
    };
    let (first_row, end_row) = (area.y0 as u32, area.y1 as u32);
    let mut best = f64::INFINITY;
    // Returns false for a row that is too far away.
    let mut search = |row: u32| {
        let dy = center(origin.y, row) - py;
        if dy.abs() > most || dy * dy > best {
            return false;
        }
        // Far away, the difference of the squares is as large as their rounding errors.
        let (square, across) = (best.min(most * most), dy * dy);
        let rounding = (square + across) * (4.0 * f64::EPSILON);
        let reach = ((square - across + rounding).sqrt() as u32).saturating_add(2);
        // Columns nearer than this are known to be clear.
        let clear = if i64::from(row.abs_diff(start)) < near { near as u32 } else { 0 };
        let left = column.checked_sub(clear).and_then(|end| {
            mask.last_in_row([column.saturating_sub(reach).min(end), end + 1], row)
        });
        let right = (column.saturating_add(clear) <= last_column).then(|| {
            let end = column.saturating_add(reach).min(last_column);
            mask.first_in_row([column + clear, end.max(column + clear) + 1], row)
        });
        for column in [left, right.flatten()].into_iter().flatten() {
            let dx = center(origin.x, column) - px;
            best = best.min(dx * dx + dy * dy);
        }
        true
    };
    let _ = (start.max(first_row)..end_row).all(&mut search);
    let _ = (first_row..start.min(end_row)).rev().all(&mut search);
    best.is_finite().then(|| best.sqrt())
}
