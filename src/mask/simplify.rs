//! Polygons with fewer corners, never farther off than a tolerance: Douglas and Peucker's method
//! (1973), and then a check that takes corners back where lines would cross.
//!
//! Each kept line stands for a chain of the exact border. A chain's corners lie within the
//! tolerance of its line, so all of it does; and as the chain joins the line's ends, no point of
//! the line is farther from the chain.

use super::convex_hull::cross;
use super::{MaskError, Polygon};
use crate::geom::Point;
use std::collections::BTreeSet;

impl Polygon {
    /// The same polygon with as few corners as keep it within `tolerance` pixels: no point of the
    /// one border is farther than that from the other. Corners stay on corners of this polygon,
    /// it turns the same way round, its lines do not cross, and it touches itself only where this
    /// one does. Thin shapes keep more corners for that.
    ///
    /// Polygons are simplified one by one: where a wall between an outer border and a hole is
    /// thinner than twice the tolerance, the two may cross.
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
    /// [`MaskError::Tolerance`] where it is not above 0.
    pub fn simplified(&self, tolerance: f32) -> Result<Self, MaskError> {
        // Also where it is not a number.
        if tolerance.is_nan() || tolerance <= 0.0 {
            return Err(MaskError::Tolerance(tolerance));
        }
        let limit = f64::from(tolerance) * f64::from(tolerance);
        let mut border = Border { points: self.points(), kept: BTreeSet::new(), limit };
        border.thin_out();
        border.untangle(self.is_hole());
        Ok(Self::from_points(border.corners()))
    }
}

struct Border<'a> {
    points: &'a [Point],
    /// Indices of the corners that stay.
    kept: BTreeSet<usize>,
    /// The square of the tolerance.
    limit: f64,
}

impl Border<'_> {
    fn corners(&self) -> Vec<Point> {
        self.kept.iter().map(|&i| self.points[i]).collect()
    }

    fn thin_out(&mut self) {
        if self.points.is_empty() {
            return;
        }
        // Two corners far from each other begin: no line between them can stand for all.
        let far = self.farthest(0, 0).map_or(0, |(far, _)| far);
        self.kept.extend([0, far]);
        self.keep_between(vec![(0, far), (far, self.points.len())]);
    }

    /// Keeps what corners of these chains have to be kept for the tolerance.
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

    /// Of the corners between two, the one farthest from the line that joins them, and its
    /// distance squared; `to` may be the number of corners, which is corner 0 again. From 0 to 0
    /// is all the way round.
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

    /// Takes corners back until no lines cross and the polygon turns the right way. It ends: the
    /// exact border is a polygon that passes.
    fn untangle(&mut self, is_hole: bool) {
        loop {
            let kept: Vec<usize> = self.kept.iter().copied().collect();
            let corners = Polygon::from_points(self.corners());
            let turned = corners.double_area() == 0 || corners.is_hole() != is_hole;
            let bad = if turned { (0..kept.len()).collect() } else { tangled(corners.points()) };
            let mut has_grown = false;
            for line in bad {
                let (from, to) = (kept[line], kept[(line + 1) % kept.len()]);
                if let Some((middle, _)) = self.farthest(from, to) {
                    has_grown |= self.kept.insert(middle);
                    // A part of a chain may be farther from its line than the whole from its own.
                    self.keep_between(vec![(from, middle), (middle, to)]);
                }
            }
            if !has_grown {
                return;
            }
        }
    }
}

/// The square of the distance from `p` to the line from `a` to `b`, ends included.
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

/// The lines of a closed polygon, by their first corner, that cross another, touch one elsewhere
/// than with a corner at a corner, or fold back upon the line before.
fn tangled(points: &[Point]) -> BTreeSet<usize> {
    let n = points.len();
    let end = |line: usize| points[(line + 1) % n];
    let span = |line: usize| {
        let (a, b) = (points[line], end(line));
        (a.x.min(b.x), a.x.max(b.x))
    };
    let mut found = BTreeSet::new();
    // From the left, each line against those that start before it ends.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by_key(|&line| span(line));
    for (i, &one) in order.iter().enumerate() {
        let right = span(one).1;
        for &two in order[i + 1..].iter().take_while(|&&two| span(two).0 <= right) {
            let meet = if (one + 1) % n == two {
                folds_back(points[one], points[two], end(two))
            } else if (two + 1) % n == one {
                folds_back(points[two], points[one], end(one))
            } else {
                meet([points[one], end(one)], [points[two], end(two)])
            };
            if meet {
                found.extend([one, two]);
            }
        }
    }
    found
}

/// True where c lies back towards a, seen from b.
fn folds_back(a: Point, b: Point, c: Point) -> bool {
    cross(a, b, c) == 0 && dot(vector(b, a), vector(b, c)) > 0
}

/// True where two lines share a point that is not an end of both.
fn meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let side = |a, b, p| cross(a, b, p).signum();
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    if c_side * d_side < 0 && a_side * b_side < 0 {
        return true;
    }
    // An end of one within the other, without its ends.
    let within =
        |p: Point, a: Point, b: Point, side: i64| side == 0 && dot(vector(p, a), vector(p, b)) < 0;
    let ends = within(c, a, b, c_side) || within(d, a, b, d_side);
    let ends = ends || within(a, c, d, a_side) || within(b, c, d, b_side);
    // Or the same line twice.
    ends || (a == c && b == d) || (a == d && b == c)
}
