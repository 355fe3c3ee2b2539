//! The convex hull of a mask, by Andrew's monotone chain.
//!
//! Public; `simplify` uses [`cross`].
//!
//! Invariants: corners are integers and run clockwise on screen. No three corners are collinear.

use super::{Mask, Polygon};
use crate::geom::Point;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the convex hull of the set pixels, each a whole square; `None` where no pixel is
    /// set. The hull is the smallest convex polygon that covers them. Its corners are integers,
    /// clockwise on screen.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let step: Mask = "
    ///     .#..
    ///     .###
    /// ".parse()?;
    /// let hull = step.convex_hull().unwrap();
    /// assert_eq!(hull.points(), [[1, 0], [2, 0], [4, 1], [4, 2], [1, 2]].map(Point::from));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn convex_hull(&self) -> Option<Polygon> {
        let mask = self.as_ref();
        // Only the outermost corners of each row matter. The left chain is built counterclockwise
        // and the right one clockwise (Andrew's monotone chain, by y).
        let (mut left, mut right): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        for y in 0..mask.height() {
            let mut runs = mask.runs(y);
            let Some((x0, x1)) = runs.next() else { continue };
            let x1 = runs.last().map_or(x1, |(_, x1)| x1);
            for y in [y, y + 1] {
                push(&mut right, Point::new(x1 as i32, y as i32), 1);
                push(&mut left, Point::new(x0 as i32, y as i32), -1);
            }
        }
        let start = left.first().copied()?;
        // From the top left along the top, down the right side and up the left side.
        let mut points = vec![start];
        points.extend(right);
        points.extend(left.into_iter().skip(1).rev());
        Some(Polygon::from_points(points))
    }
}

/// Appends `point` to a chain that turns one way only: 1 is clockwise, -1 is counterclockwise. Pops
/// the points that would turn the other way or not at all.
fn push(chain: &mut Vec<Point>, point: Point, way: i64) {
    while let [.., a, b] = chain[..] {
        if cross(a, b, point) * way > 0 {
            break;
        }
        chain.pop();
    }
    chain.push(point);
}

/// Returns twice the area of the triangle a, b, c: positive where it is clockwise on screen.
pub(super) fn cross(a: Point, b: Point, c: Point) -> i64 {
    let (ab_x, ab_y) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (ac_x, ac_y) = (i64::from(c.x) - i64::from(a.x), i64::from(c.y) - i64::from(a.y));
    ab_x * ac_y - ab_y * ac_x
}
