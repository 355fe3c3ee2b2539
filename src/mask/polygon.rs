//! The exact borders of a mask as polygons along pixel edges, and its convex hull (Andrew's monotone
//! chain). [`Mask::shape`] gives borders with fewer corners.
//!
//! Invariants: corners are integers. Borders of set pixels run clockwise on screen, borders of holes
//! counterclockwise. No three corners of a hull are collinear.

use super::{Connectivity, Mask, MaskRef};
use crate::geom::Point;

/// A closed polygon with integer corners, in pixels from the mask's top-left corner. Pixel (x, y)
/// is the square from (x, y) to (x + 1, y + 1). The last corner is joined to the first.
///
/// ```
/// use hitmask::{Connectivity, Mask};
/// let polygons = "##".parse::<Mask>()?.polygons(Connectivity::Eight);
/// assert_eq!((polygons.len(), polygons[0].double_area()), (1, 4));
/// # Ok::<(), hitmask::MaskError>(())
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

    /// Tests whether the polygon encloses clear pixels.
    #[must_use]
    pub fn is_hole(&self) -> bool {
        self.double_area() < 0
    }
}

/// Steps to the right, down, left and up: each is the one before rotated clockwise.
const EDGE_STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The pixel ahead of a corner on the right-hand side, for each of [`EDGE_STEPS`]. The pixel on the
/// left-hand side is the entry of the step before.
const RIGHT: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];

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
            // Every border, also that of a hole, has an edge with a set pixel below it. `tops` holds
            // those edges that are not walked yet.
            let above = |s, y| if y == 0 { 0 } else { mask.word(s, y - 1) };
            let mut tops =
                Mask::filled_by(mask.width(), mask.height(), |s, y| mask.word(s, y) & !above(s, y));
            let mut polygons = Vec::new();
            for y in 0..mask.height() {
                loop {
                    let next = tops.as_ref().runs(y).next();
                    let Some((x, _)) = next else { break };
                    let start = Point::new(x as i32, y as i32);
                    polygons.push(mask.walk(start, connectivity, &mut tops));
                }
            }
            polygons
        }
        of(self.as_ref(), connectivity)
    }
}

impl MaskRef<'_> {
    /// Walks the border to the right of `start`, clockwise, and removes its edges from `tops`.
    fn walk(self, start: Point, connectivity: Connectivity, tops: &mut Mask) -> Polygon {
        let mut points = Vec::new();
        let (mut at, mut step) = (start, 0);
        loop {
            if step == 0 {
                tops.set(at.x, at.y, false);
            }
            let [dx, dy] = EDGE_STEPS[step];
            at = Point::new(at.x + dx, at.y + dy);
            // The two pixels ahead, on either side.
            let pixel = |[x, y]: [i32; 2]| self.get(at.x + x, at.y + y);
            let (right, left) = (pixel(RIGHT[step]), pixel(RIGHT[(step + 3) % 4]));
            let turn = match (right, left) {
                (true, false) => 0,
                (true, true) => 3,
                (false, true) if connectivity == Connectivity::Eight => 3,
                (false, _) => 1,
            };
            if turn != 0 {
                points.push(at);
            }
            step = (step + turn) % 4;
            if at == start && step == 0 {
                break;
            }
        }
        // The walk ends with its first corner; rotate that corner to the front.
        points.rotate_right(1);
        Polygon { points }
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
