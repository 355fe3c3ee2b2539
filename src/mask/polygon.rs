//! The borders of a mask as polygons along pixel edges, for physics engines, path finding and
//! drawing.
//!
//! `convex_hull` and `simplify` build further polygons of the same type.
//!
//! Invariants: corners are integers. Borders of set pixels run clockwise on screen, borders of
//! holes counterclockwise.

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
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The pixel ahead of a corner on the right-hand side, for each of [`STEPS`]. The pixel on the
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
    /// left corner of that edge is the first corner. [`Polygon::simplified`] reduces the number of
    /// corners.
    ///
    /// To match holes with their component, take the polygons of each
    /// [`component`](Self::components): the first is its border, the others are its holes.
    ///
    /// ```
    /// use hitmask::{Connectivity, Mask, Point};
    /// let ring: Mask = "
    ///     .###
    ///     .#.#
    ///     .###
    /// ".parse()?;
    /// let polygons = ring.polygons(Connectivity::Eight);
    /// assert_eq!(polygons[0].points(), [[1, 0], [4, 0], [4, 3], [1, 3]].map(Point::from));
    /// assert_eq!(polygons[1].points(), [[2, 2], [3, 2], [3, 1], [2, 1]].map(Point::from));
    /// assert!(polygons[1].is_hole());
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn polygons(&self, connectivity: Connectivity) -> Vec<Polygon> {
        let mask = self.as_ref();
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
}

impl MaskRef<'_> {
    /// Walks the border that leaves `start` to the right, with set pixels on its right-hand side.
    /// Removes its edges from `tops`.
    fn walk(self, start: Point, connectivity: Connectivity, tops: &mut Mask) -> Polygon {
        let mut points = Vec::new();
        let (mut at, mut step) = (start, 0);
        loop {
            if step == 0 {
                tops.set(at.x, at.y, false);
            }
            let [dx, dy] = STEPS[step];
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
