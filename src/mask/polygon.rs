//! The borders of a mask as polygons along pixel edges, for whatever takes polygons: physics
//! engines, path finding, drawing.

use super::{Connectivity, Mask, MaskRef};
use crate::geom::Point;

/// A closed polygon with whole-number corners, in pixels from the mask's top-left corner: pixel
/// (x, y) is the square from (x, y) to (x + 1, y + 1). The last corner is joined to the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygon {
    points: Vec<Point>,
}

impl Polygon {
    pub(super) fn from_points(points: Vec<Point>) -> Self {
        Self { points }
    }

    /// Its corners in order: clockwise on screen round set pixels, counterclockwise round a hole.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Twice the area inside, in pixels: negative for a hole.
    #[must_use]
    pub fn double_area(&self) -> i64 {
        let next = self.points.iter().cycle().skip(1);
        let product = |a: i32, b: i32| i64::from(a) * i64::from(b);
        self.points.iter().zip(next).map(|(a, b)| product(a.x, b.y) - product(a.y, b.x)).sum()
    }

    /// True where it goes round clear pixels, with set ones outside.
    #[must_use]
    pub fn is_hole(&self) -> bool {
        self.double_area() < 0
    }
}

/// Steps to the right, down, to the left and up: each is the one before turned clockwise.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The pixel ahead of a corner on the right hand, for each of [`STEPS`]. What is on the left hand
/// is on the right one for the step before.
const RIGHT: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];

impl MaskRef<'_> {
    /// Every border between set and clear pixels, as exact polygons along pixel edges: one round
    /// each connected component, clockwise, and one round each hole in it, counterclockwise. Filled
    /// by either common rule they give the mask back. Where two pixels meet at a corner only,
    /// `Eight` joins them in one polygon, which touches itself there, and `Four` parts them.
    ///
    /// In order of the topmost pixel edge, and of those the leftmost, that has set pixels below
    /// it; the corner left of that edge comes first. [`Polygon::simplified`] makes them coarser.
    /// To know whose hole a hole is, take the polygons of one [`component`](Self::components): the
    /// first is its border, the others are its holes.
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
    pub fn polygons(self, connectivity: Connectivity) -> Vec<Polygon> {
        // Each border, also a hole's, has an edge with a set pixel below it. Those not yet walked:
        let above = |s, y| if y == 0 { 0 } else { self.word(s, y - 1) };
        let mut tops =
            Mask::filled_by(self.width(), self.height(), |s, y| self.word(s, y) & !above(s, y));
        let mut polygons = Vec::new();
        for y in 0..self.height() {
            loop {
                let next = tops.as_ref().runs(y).next();
                let Some((x, _)) = next else { break };
                let start = Point::new(x as i32, y as i32);
                polygons.push(self.walk(start, connectivity, &mut tops));
            }
        }
        polygons
    }

    /// The border that goes right from `start` with set pixels on its right hand. Its edges are
    /// taken out of `tops`.
    fn walk(self, start: Point, connectivity: Connectivity, tops: &mut Mask) -> Polygon {
        let mut points = Vec::new();
        let (mut at, mut step) = (start, 0);
        loop {
            if step == 0 {
                tops.set(at.x, at.y, false);
            }
            let [dx, dy] = STEPS[step];
            at = Point::new(at.x + dx, at.y + dy);
            // The two pixels ahead, on either hand.
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
        // The walk ends at its first corner: put that one in front.
        points.rotate_right(1);
        Polygon { points }
    }
}

impl Mask {
    /// As [`MaskRef::polygons`].
    #[must_use]
    pub fn polygons(&self, connectivity: Connectivity) -> Vec<Polygon> {
        self.as_ref().polygons(connectivity)
    }
}
