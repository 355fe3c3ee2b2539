//! The pixels of a straight motion, in integer arithmetic.
//!
//! Motion queries, ray casts and lines all step along a [`PixelPath`], so they agree on every
//! pixel.
//!
//! Invariants: each step advances one pixel on the longer axis and at most one on the other. No
//! motion overflows.

use super::Point;

/// The sequence of pixels of a straight motion. Moving colliders and lines all follow this one
/// rule.
///
/// A motion of (dx, dy) pixels takes n = max(|dx|, |dy|) steps. After step i the position is
/// floor(i dx / n + 1/2) to the right and floor(i dy / n + 1/2) down. Each step advances one pixel
/// on the longer axis and zero or one on the other. All arithmetic is in integers.
///
/// ```
/// use hitmask::{PixelPath, Point};
/// let path = PixelPath::new([4, -1]);
/// let pixels: Vec<Point> = path.pixels().collect();
/// assert_eq!(pixels, [[0, 0], [1, 0], [2, 0], [3, -1], [4, -1]].map(Point::from));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelPath {
    motion: Point,
}

impl PixelPath {
    /// Returns the path of a motion of any size; the motion (0, 0) has no steps.
    #[must_use]
    pub fn new(motion: impl Into<[i32; 2]>) -> Self {
        Self { motion: Point::from(motion.into()) }
    }

    /// Returns the whole motion.
    #[must_use]
    pub const fn motion(self) -> Point {
        self.motion
    }

    /// Returns the number of steps: the longer of the two distances.
    #[must_use]
    pub const fn steps(self) -> u32 {
        let (x, y) = (self.motion.x.unsigned_abs(), self.motion.y.unsigned_abs());
        if x >= y { x } else { y }
    }

    /// Returns the position after `step` steps; the end where `step` exceeds
    /// [`steps`](Self::steps).
    #[must_use]
    pub const fn at(self, step: u32) -> Point {
        let n = self.steps();
        if step >= n {
            return self.motion;
        }
        Point { x: along(self.motion.x, step, n), y: along(self.motion.y, step, n) }
    }

    /// Returns all pixels from start to end, both included: one more than the number of steps.
    pub fn pixels(self) -> impl ExactSizeIterator<Item = Point> + DoubleEndedIterator {
        // The count is a usize because it may be 2^31 + 1.
        let count = self.steps() as usize + 1;
        (0..count).map(move |step| self.at(step as u32))
    }

    /// Returns the positions after `step` and after each later step, without a division per step.
    pub(crate) fn pixels_from(self, step: u32) -> impl Iterator<Item = Point> {
        let [mut x, mut y] =
            [self.motion.x, self.motion.y].map(|d| PathWalk::new(d, step, self.steps()));
        (step..=self.steps()).map(move |_| Point { x: x.advance(), y: y.advance() })
    }

    /// Returns the first and the last step within `x0..=x1` and `y0..=y1`.
    pub(crate) fn steps_within(self, [x0, x1]: [i64; 2], [y0, y1]: [i64; 2]) -> Option<(u32, u32)> {
        let n = self.steps();
        let (x, y) = (within(self.motion.x, n, x0, x1)?, within(self.motion.y, n, y0, y1)?);
        let (first, last) = (x.0.max(y.0), x.1.min(y.1));
        (first <= last).then_some((first, last))
    }

    pub(crate) const fn transposed(self) -> Self {
        Self { motion: Point { x: self.motion.y, y: self.motion.x } }
    }

    /// Returns the last step that has the same y as `step`.
    pub(crate) fn row_end(self, step: u32) -> u32 {
        let (n, y) = (self.steps(), i64::from(self.at(step).y));
        within(self.motion.y, n, y, y).map_or(n, |(_, last)| last)
    }
}

/// Returns floor(step d / n + 1/2) for step <= n and |d| <= n, and 0 for n = 0. No intermediate
/// result reaches 2^64, because n is at most 2^31.
const fn along(d: i32, step: u32, n: u32) -> i32 {
    if n == 0 {
        return 0;
    }
    ((scaled_distance(d, step, n) / (2 * n as u64)) as i32).wrapping_mul(d.signum())
}

/// Returns the distance after a step plus the rounding term, in units of 1/(2 n) pixel. The caller
/// divides by 2 n and discards the remainder.
///
/// The rounding term is half a pixel, n units. For negative `d` it is n - 1, because the sign is
/// applied after the division: a half then rounds towards the greater number.
const fn scaled_distance(d: i32, step: u32, n: u32) -> u64 {
    let half = if d >= 0 { n } else { n - 1 };
    2 * step as u64 * d.unsigned_abs() as u64 + half as u64
}

/// An incremental evaluation of [`along`], step by step (a Bresenham error term).
struct PathWalk {
    at: i32,
    by: i32,
    /// Progress towards the next pixel, per step, and of a full pixel.
    part: u64,
    step: u64,
    pixel: u64,
}

impl PathWalk {
    fn new(d: i32, step: u32, n: u32) -> Self {
        // A motion without steps never advances; 1 avoids a division by zero.
        let n = n.max(1);
        let (pixel, distance) = (2 * u64::from(n), scaled_distance(d, step, n));
        let at = ((distance / pixel) as i32).wrapping_mul(d.signum());
        Self {
            at,
            by: d.signum(),
            part: distance % pixel,
            step: 2 * u64::from(d.unsigned_abs()),
            pixel,
        }
    }

    #[inline(always)]
    fn advance(&mut self) -> i32 {
        let at = self.at;
        self.part += self.step;
        // No axis advances by more than one pixel per step.
        if self.part >= self.pixel {
            self.part -= self.pixel;
            self.at = at.wrapping_add(self.by);
        }
        at
    }
}

/// Returns the first and the last step of 0..=n whose `along` lies in `low..=high`.
fn within(d: i32, n: u32, low: i64, high: i64) -> Option<(u32, u32)> {
    let size = i64::from(d.unsigned_abs());
    // A motion left or up is mirrored; halves then round the other way.
    let (low, high, half) = if d >= 0 { (low, high, 0) } else { (-high, -low, 1) };
    if low > high || low > size || high < 0 {
        return None;
    }
    if size == 0 {
        return Some((0, n));
    }
    // The first step that reaches `goal`, which is in 1..=|d|.
    let reaching = |goal: i64| {
        let (n, goal, size) = (u64::from(n), goal as u64, size as u64);
        (2 * n * goal - n + half).div_ceil(2 * size) as u32
    };
    let first = if low <= 0 { 0 } else { reaching(low) };
    let last = if high >= size { n } else { reaching(high + 1) - 1 };
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_is_the_rounded_exact_position() {
        for (dx, dy) in
            [(7, 3), (3, 7), (-7, 3), (-3, -7), (5, 0), (0, -5), (4, 4), (2, -1), (0, 0)]
        {
            let path = PixelPath::new([dx, dy]);
            let n = f64::from(path.steps().max(1));
            for (i, p) in path.pixels().enumerate() {
                let at = |d: i32| (i as f64 * f64::from(d) / n + 0.5).floor() as i32;
                assert_eq!(p, Point::new(at(dx), at(dy)), "step {i} of {dx}, {dy}");
                let walked: Vec<Point> = path.pixels_from(i as u32).collect();
                assert_eq!(walked, path.pixels().skip(i).collect::<Vec<_>>(), "{i} of {dx}, {dy}");
            }
            assert_eq!(path.at(u32::MAX), Point::new(dx, dy));
        }
    }

    #[test]
    fn the_steps_within_a_box_match_a_step_by_step_walk() {
        for (dx, dy) in
            [(9, 4), (-9, 4), (4, -9), (-5, -5), (6, 0), (0, 6), (7, 1), (-1, 8), (0, 0)]
        {
            let path = PixelPath::new([dx, dy]);
            for x0 in -10..10 {
                for (y0, size) in [(-10, 3), (-3, 3), (0, 0), (2, 9), (-9, 20)] {
                    let (x1, y1) = (x0 + size, y0 + size);
                    let inside = |p: Point| {
                        (x0..=x1).contains(&i64::from(p.x)) && (y0..=y1).contains(&i64::from(p.y))
                    };
                    let walked: Vec<u32> =
                        (0..).zip(path.pixels()).filter(|(_, p)| inside(*p)).map(|s| s.0).collect();
                    let expected = walked.first().map(|&first| (first, walked[walked.len() - 1]));
                    assert_eq!(path.steps_within([x0, x1], [y0, y1]), expected, "{dx} {dy} {x0}");
                }
            }
        }
    }

    #[test]
    fn the_longest_motions_do_not_overflow() {
        let ends = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
        for x in ends {
            for y in ends {
                let path = PixelPath::new([x, y]);
                let n = path.steps();
                assert_eq!(path.at(n), Point::new(x, y));
                let middle = path.at(n / 2);
                assert!((i64::from(middle.x) * 2 - i64::from(x)).abs() <= 2, "{path:?}");
                assert!((i64::from(middle.y) * 2 - i64::from(y)).abs() <= 2, "{path:?}");
                let all = [i64::MIN / 4, i64::MAX / 4];
                assert_eq!(path.steps_within(all, all), Some((0, n)));
                let step = n - n / 7;
                let walked = path.pixels_from(step).take(3).collect::<Vec<_>>();
                let steps = (step..=n).take(3).map(|step| path.at(step));
                assert_eq!(walked, steps.collect::<Vec<_>>(), "{path:?}");
                let (x, y) = (i64::from(x), i64::from(y));
                let (_, last) = path.steps_within([x, x], [y, y]).unwrap();
                assert_eq!(last, n);
            }
        }
    }
}
