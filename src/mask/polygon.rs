//! The borders of a mask as polygons along pixel edges, for physics engines, path finding and
//! drawing. Its convex hull (Andrew's monotone chain), and polygons with fewer corners within a
//! tolerance.
//!
//! Polygons are simplified by Douglas-Peucker (1973), followed by a check that restores corners where
//! lines would cross. Each kept line replaces a chain of the exact border. The chain's corners are
//! within the tolerance of the line, so the whole chain is. The chain joins the ends of the line, so
//! no point of the line is farther than the tolerance from the chain.
//!
//! Invariants: corners are integers. Borders of set pixels run clockwise on screen, borders of holes
//! counterclockwise. No three corners of a hull are collinear.

use super::{Connectivity, Mask, MaskError, MaskRef};
use crate::geom::Point;
use std::collections::BTreeSet;

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
    /// left corner of that edge is the first corner. [`Polygon::simplified`] reduces the number of
    /// corners.
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

impl Polygon {
    /// Returns this polygon with fewer corners, within `tolerance` pixels: no point of either
    /// border is farther than that from the other. Remaining corners are corners of this polygon,
    /// and the orientation is the same. Lines do not cross, and the result touches itself only
    /// where this polygon does. Thin shapes keep more corners for that reason.
    ///
    /// Polygons are simplified one by one. A wall between an outer border and a hole that is
    /// thinner than twice the tolerance may therefore be crossed.
    ///
    /// ```
    /// use hitmask::{Connectivity, Mask};
    /// let disc = Mask::disc(20)?;
    /// let exact = &disc.polygons(Connectivity::Eight)[0];
    /// let coarse = exact.simplified(1.0)?;
    /// assert!(exact.points().len() > 80 && coarse.points().len() < 20);
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::Tolerance`] where `tolerance` is not above 0.
    pub fn simplified(&self, tolerance: f32) -> Result<Self, MaskError> {
        // Refuses NaN as well.
        if tolerance.is_nan() || tolerance <= 0.0 {
            return Err(MaskError::Tolerance(tolerance));
        }
        let limit = f64::from(tolerance) * f64::from(tolerance);
        let mut border = ClosedLine { points: self.points(), kept: BTreeSet::new(), limit };
        border.drop_corners();
        border.restore_crossed(self.is_hole());
        Ok(Self::from_points(border.corners()))
    }
}

struct ClosedLine<'a> {
    points: &'a [Point],
    /// Indices of the corners that remain.
    kept: BTreeSet<usize>,
    /// The square of the tolerance.
    limit: f64,
}

impl ClosedLine<'_> {
    fn corners(&self) -> Vec<Point> {
        self.kept.iter().map(|&i| self.points[i]).collect()
    }

    fn drop_corners(&mut self) {
        if self.points.is_empty() {
            return;
        }
        // Starts with two corners that are far apart, because no single line can replace the whole
        // border.
        let far = self.farthest(0, 0).map_or(0, |(far, _)| far);
        self.kept.extend([0, far]);
        self.keep_between(vec![(0, far), (far, self.points.len())]);
    }

    /// Keeps the corners of these chains that the tolerance requires (Douglas-Peucker).
    fn keep_between(&mut self, mut chains: Vec<(usize, usize)>) {
        while let Some((from, to)) = chains.pop() {
            if let Some((middle, distance)) = self.farthest(from, to)
                && distance > self.limit
            {
                self.kept.insert(middle);
                chains.extend([(from, middle), (middle, to)]);
            }
        }
    }

    /// Returns the corner between `from` and `to` that is farthest from the line between them, and
    /// its squared distance. `to` may be the number of corners, which means corner 0 again. From 0
    /// to 0 is the whole border.
    fn farthest(&self, from: usize, to: usize) -> Option<(usize, f64)> {
        let n = self.points.len();
        let (a, b) = (self.points[from % n], self.points[to % n]);
        let end = if to <= from { to + n } else { to };
        let mut best: Option<(usize, f64)> = None;
        for i in from + 1..end {
            let distance = distance_squared(self.points[i % n], a, b);
            if best.is_none_or(|(_, most)| distance > most) {
                best = Some((i % n, distance));
            }
        }
        best
    }

    /// Restores corners until no lines cross, as the exact border does not.
    fn restore_crossed(&mut self, is_hole: bool) {
        loop {
            let kept: Vec<usize> = self.kept.iter().copied().collect();
            let corners = Polygon::from_points(self.corners());
            let turned = corners.double_area() == 0 || corners.is_hole() != is_hole;
            let bad =
                if turned { (0..kept.len()).collect() } else { invalid_lines(corners.points()) };
            let mut has_grown = false;
            for line in bad {
                let (from, to) = (kept[line], kept[(line + 1) % kept.len()]);
                if let Some((middle, _)) = self.farthest(from, to) {
                    has_grown |= self.kept.insert(middle);
                    // A part of a chain may be farther from its line than the whole chain is from
                    // its own.
                    self.keep_between(vec![(from, middle), (middle, to)]);
                }
            }
            if !has_grown {
                return;
            }
        }
    }
}

fn distance_squared(p: Point, a: Point, b: Point) -> f64 {
    let (ab, ap, bp) = (vector(a, b), vector(a, p), vector(b, p));
    let length = dot(ab, ab);
    if dot(ap, ab) <= 0 {
        dot(ap, ap) as f64
    } else if dot(bp, ab) >= 0 {
        dot(bp, bp) as f64
    } else {
        let cross = cross(a, b, p) as f64;
        cross * cross / length as f64
    }
}

fn vector(from: Point, to: Point) -> [i64; 2] {
    [i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y)]
}

fn dot(a: [i64; 2], b: [i64; 2]) -> i64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the lines of a closed polygon, by the index of their first corner, that are invalid. A
/// line is invalid if it crosses another, folds back upon the line before, or touches another line
/// elsewhere than corner to corner.
fn invalid_lines(points: &[Point]) -> BTreeSet<usize> {
    let n = points.len();
    let end = |line: usize| points[(line + 1) % n];
    let span = |line: usize| {
        let (a, b) = (points[line], end(line));
        (a.x.min(b.x), a.x.max(b.x))
    };
    let mut found = BTreeSet::new();
    // Sweeps from the left: compares each line with those that start before it ends.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by_key(|&line| span(line));
    for (i, &one) in order.iter().enumerate() {
        let right = span(one).1;
        for &two in order[i + 1..].iter().take_while(|&&two| span(two).0 <= right) {
            let is_invalid = if (one + 1) % n == two {
                folds_back(points[one], points[two], end(two))
            } else if (two + 1) % n == one {
                folds_back(points[two], points[one], end(one))
            } else {
                segments_conflict([points[one], end(one)], [points[two], end(two)])
            };
            if is_invalid {
                found.extend([one, two]);
            }
        }
    }
    found
}

fn folds_back(a: Point, b: Point, c: Point) -> bool {
    cross(a, b, c) == 0 && dot(vector(b, a), vector(b, c)) > 0
}

/// Tests whether two segments share a point that is not an end of both.
fn segments_conflict([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let side = |a, b, p| cross(a, b, p).signum();
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    if c_side * d_side < 0 && a_side * b_side < 0 {
        return true;
    }
    // An end of one segment strictly inside the other.
    let within =
        |p: Point, a: Point, b: Point, side: i64| side == 0 && dot(vector(p, a), vector(p, b)) < 0;
    let ends = within(c, a, b, c_side) || within(d, a, b, d_side);
    let ends = ends || within(a, c, d, a_side) || within(b, c, d, b_side);
    // Or the same segment twice.
    ends || (a == c && b == d) || (a == d && b == c)
}
