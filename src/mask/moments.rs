//! Centroid and principal axis of a mask.
//!
//! Invariants: sums are exact integers, so equal shapes give equal results.

use super::{Mask, MaskRef};
use crate::geom::Point;

/// Exact sums over the set pixels of 1, x, y and their products.
#[derive(Default)]
struct Sums {
    n: i128,
    x: i128,
    y: i128,
    xx: i128,
    xy: i128,
    yy: i128,
}

impl Sums {
    fn of(mask: MaskRef<'_>) -> Self {
        let mut sums = Self::default();
        for y in 0..mask.height() {
            // Sums of 0, 1, 2, ... below `end`, and of their squares. A side is below 2^15, so the
            // sums of a row stay below 2^45.
            let linear = |end: u64| end * end.saturating_sub(1) / 2;
            let square = |end: u64| end * end.saturating_sub(1) * (2 * end).saturating_sub(1) / 6;
            let (mut n, mut x, mut xx) = (0, 0, 0);
            for (x0, x1) in mask.runs(y) {
                let (x0, x1) = (u64::from(x0), u64::from(x1));
                n += x1 - x0;
                x += linear(x1) - linear(x0);
                xx += square(x1) - square(x0);
            }
            let (n, x, xx, y) = (i128::from(n), i128::from(x), i128::from(xx), i128::from(y));
            sums.n += n;
            sums.x += x;
            sums.y += n * y;
            sums.xx += xx;
            sums.xy += x * y;
            sums.yy += n * y * y;
        }
        sums
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the mean of the set pixels' centres, in pixels from the mask's top-left corner;
    /// `None` where no pixel is set. A single pixel (0, 0) has its centroid at (0.5, 0.5).
    #[must_use]
    pub fn centroid(&self) -> Option<[f32; 2]> {
        self.as_ref().centroid_at(Point::default())
    }

    /// Returns the angle of the principal axis, the direction of greatest spread, in radians. The
    /// range is above -pi/2 and up to pi/2; 0 is along x and positive angles turn clockwise on
    /// screen. Returns `None` where no pixel is set, and 0 where no direction dominates, as for a
    /// disc or a square.
    ///
    /// pygame's `Mask.angle` measures the same axis in degrees, counterclockwise. It divides its
    /// sums to whole numbers, so it is only near `-angle.to_degrees()`. Large masks differ by some
    /// degrees, and masks of a few pixels by any angle. An empty mask has the angle 0 there.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let falling: Mask = "
    ///     .#...
    ///     ..#..
    ///     ...#.
    /// ".parse()?;
    /// assert_eq!(falling.angle().map(f32::to_degrees), Some(45.0));
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    #[must_use]
    pub fn angle(&self) -> Option<f32> {
        let Sums { n, x, y, xx, xy, yy } = Sums::of(self.as_ref());
        // The variances times n squared are integers, so a zero is exact.
        let spread = (n * xx - x * x) - (n * yy - y * y);
        let slant = 2 * (n * xy - x * y);
        (n > 0).then(|| (0.5 * (slant as f64).atan2(spread as f64)) as f32)
    }
}

impl MaskRef<'_> {
    /// Returns the centroid of this mask with its top-left pixel at `at`, rounded once.
    pub(crate) fn centroid_at(self, at: Point) -> Option<[f32; 2]> {
        let Sums { n, x, y, .. } = Sums::of(self);
        let mean = |sum: i128, at: i32| {
            ((2 * (sum + i128::from(at) * n) + n) as f64 / (2 * n) as f64) as f32
        };
        (n > 0).then(|| [mean(x, at.x), mean(y, at.y)])
    }
}
