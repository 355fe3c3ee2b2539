//! The exact borders of a mask as polygons along pixel edges, and its convex hull (Andrew's monotone
//! chain). [`Mask::shape`] gives borders with fewer corners.
//!
//! Invariants: corners are integers. Borders of set pixels run clockwise on screen, borders of holes
//! counterclockwise. No three corners of a hull are collinear.

use super::border_tracer::BorderTracer;
use super::{Connectivity, Mask, MaskRef};
use crate::geom::{Point, Rect, cross};

/// A closed polygon with integer corners, in pixels from the mask's top-left corner. Pixel (x, y)
/// is the square from (x, y) to (x + 1, y + 1). The last corner is joined to the first.
///
/// ```
/// use hitmask::{Connectivity, Mask};
/// let polygons = "##".parse::<Mask>()?.polygons(Connectivity::Eight);
/// assert_eq!((polygons.len(), polygons[0].double_area()), (1, 4));
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygon {
    points: Vec<Point>,
}

impl Polygon {
    pub(super) fn from_points(points: Vec<Point>) -> Self {
        Self { points }
    }

    /// Returns the corners in order: clockwise on screen around set pixels, counterclockwise around
    /// a hole.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns twice the enclosed area, in square pixels; negative for a hole.
    #[must_use]
    pub fn double_area(&self) -> i64 {
        let next = self.points.iter().cycle().skip(1);
        let product = |a: i32, b: i32| i64::from(a) * i64::from(b);
        self.points.iter().zip(next).map(|(a, b)| product(a.x, b.y) - product(a.y, b.x)).sum()
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns every border between set and clear pixels, as exact polygons along pixel edges. Each
    /// connected component has one clockwise polygon, and each of its holes one counterclockwise
    /// polygon. Filled by the even-odd or the nonzero rule, the polygons reproduce the mask.
    ///
    /// If two pixels meet only at a corner, `Eight` joins them in one polygon that touches
    /// itself there, and `Four` separates them.
    ///
    /// Polygons are sorted by their topmost, then leftmost, edge with a set pixel below it. The
    /// left corner of that edge is the first corner. [`shape`](Self::shape) gives valid polygons with
    /// fewer corners.
    ///
    /// To match holes with their component, take the polygons of each
    /// [`component`](Self::components): the first is its border, the others are its holes.
    #[must_use]
    pub fn polygons(&self, connectivity: Connectivity) -> Vec<Polygon> {
        fn of(mask: MaskRef<'_>, connectivity: Connectivity) -> Vec<Polygon> {
            let region = Rect::new(0, 0, mask.width() as i32, mask.height() as i32);
            let mut tracer = BorderTracer::new(mask, region, connectivity);
            let mut polygons = Vec::new();
            while let Some(start) = tracer.next_start() {
                let mut points = Vec::new();
                tracer.follow(start, |at, [step, next], _| {
                    if next != step {
                        points.push(at.into());
                    }
                });
                // The last corner is the first one; rotate that corner to the front.
                points.rotate_right(1);
                polygons.push(Polygon { points });
            }
            polygons
        }
        of(self.as_ref(), connectivity)
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the convex hull of the set pixels, each a whole square; `None` where no pixel is
    /// set. The hull is the smallest convex polygon that covers them. Its corners are integers,
    /// clockwise on screen.
    #[must_use]
    pub fn convex_hull(&self) -> Option<Polygon> {
        fn of(mask: MaskRef<'_>) -> Option<Polygon> {
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
        of(self.as_ref())
    }
}

/// Appends `point` to a chain that turns one way only: 1 is clockwise, -1 is counterclockwise. Pops
/// the points that would turn the other way or not at all.
fn push(chain: &mut Vec<Point>, point: Point, way: i64) {
    while let [.., a, b] = chain[..] {
        if cross(a.into(), b.into(), point.into()) * way > 0 {
            break;
        }
        chain.pop();
    }
    chain.push(point);
}
