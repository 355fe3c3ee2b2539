//! Polygons with fewer corners, within a tolerance: Douglas-Peucker (1973), followed by a check
//! that restores corners where lines would cross.
//!
//! Public as [`Polygon::simplified`].
//!
//! Each kept line replaces a chain of the exact border. The chain's corners are within the
//! tolerance of the line, so the whole chain is. The chain joins the ends of the line, so no point
//! of the line is farther than the tolerance from the chain.

use super::convex_hull::cross;
use super::{MaskError, Polygon};
use crate::geom::Point;
use std::collections::BTreeSet;

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
        let mut border = Border { points: self.points(), kept: BTreeSet::new(), limit };
        border.drop_corners();
        border.restore_crossed(self.is_hole());
        Ok(Self::from_points(border.corners()))
    }
}

struct Border<'a> {
    points: &'a [Point],
    /// Indices of the corners that remain.
    kept: BTreeSet<usize>,
    /// The square of the tolerance.
    limit: f64,
}

impl Border<'_> {
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

    /// Restores corners until no lines cross and the orientation is right. Terminates because the
    /// exact border passes.
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

/// Returns the squared distance from `p` to the segment from `a` to `b`.
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

/// Tests whether the path a, b, c folds back at b.
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
