//! Sprites under any affine transform, drawn when they are needed.

use super::{Posed, Raster, Sampling};
use crate::geom::{Affine, Point, Rect, Similarity};
use crate::mask::{MAX_SIDE, Mask};
use crate::pose::{Pose, PoseError, PoseSet};

/// How a transformed sprite is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseFit {
    /// By a pose that is baked anyway, the nearest: quick, and snapped.
    SpriteReport {
        /// The pose.
        pose: Pose,
        /// What was asked for: where the pivot lies, and how the sprite is mirrored before it is
        /// turned to the pose.
        wanted: Similarity,
    },
    /// By a mask of its own, in the pixels of the transform: no baked pose is like it.
    Drawn(Posed),
}

impl Raster {
    /// The sprite under `transform`, which takes places relative to the pivot, in texels, to pixels:
    /// by the nearest of `poses` where it is a mirror, a size and a turn up to `tolerance`
    /// (see [`Affine::similarity`]), and drawn otherwise.
    ///
    /// # Errors
    /// As [`transformed`](Self::transformed).
    pub fn fit(
        &self,
        poses: &PoseSet,
        transform: Affine,
        tolerance: f64,
    ) -> Result<PoseFit, PoseError> {
        let pose = transform.similarity(tolerance).and_then(|wanted| {
            let pose = poses.nearest(wanted.angle, wanted.scale)?;
            Some(PoseFit::SpriteReport { pose, wanted })
        });
        match pose {
            Some(baked) => Ok(baked),
            None => self.transformed(transform).map(PoseFit::Drawn),
        }
    }

    /// The sprite under any transform of places relative to the pivot, in texels, to pixels; the
    /// origin of the result is in those. Where masks have a resolution other than 1, scale the
    /// transform by it: then they are mask pixels. A transform that flattens leaves no pixel.
    ///
    /// The rule is that of [`Raster`]: the inverse transform, in units of 2^-30 and rounded to
    /// nearest, takes each pixel's centre to a texel, in whole numbers. Whole pixels of the
    /// translation are taken off before and added after, so that they change nothing else.
    /// Costs some nanoseconds for each pixel of the result's box.
    ///
    /// # Errors
    /// [`PoseError::Transform`] where it is not finite or moves the sprite beyond 10^9 pixels,
    /// [`PoseError::TooLarge`] where a side of the result would exceed [`MAX_SIDE`].
    pub fn transformed(&self, transform: Affine) -> Result<Posed, PoseError> {
        Self::check(transform)?;
        let empty = Posed { mask: Mask::empty(), origin: Point::default(), pivot2: 0 };
        let (near, whole) = transform.without_whole_pixels();
        let Some(inverse) = near.inverse().filter(|_| self.tight.width() > 0) else {
            return Ok(empty);
        };
        let bounds = self.bounds_under(near)?;
        // Texels farther than these are outside any source, and these fit the sums below.
        let fixed = |v: f64, unit: i64| (v.clamp(-1e6, 1e6) * unit as f64).round() as i64;
        let [a, b, c, d] = [inverse.a, inverse.b, inverse.c, inverse.d].map(|v| fixed(v, 1 << 30));
        let [x, y] = [inverse.tx, inverse.ty].map(|v| fixed(v, 1 << 31));
        let [px, py] = self.pivot.map(|p| i64::from(p) << 30);
        let fine = self.sampling.log2();
        let solid = |dx: i64, dy: i64| {
            let at = |v: i128| (v >> (31 + fine)) as i64;
            let sum = |p: i64, q: i64, rest: i64| {
                i128::from(dx) * i128::from(p)
                    + i128::from(dy) * i128::from(q)
                    + (i128::from(rest) << fine)
            };
            let (sx, sy) = (at(sum(a, c, x + px)), at(sum(b, d, y + py)));
            let within = |v: i64, side: u32| (0..i64::from(side)).contains(&v);
            within(sx, self.tight.width())
                && within(sy, self.tight.height())
                && self.tight.get(sx as i32, sy as i32)
        };
        let pixel = |u: i64, v: i64| match self.sampling {
            Sampling::Nearest => solid(2 * u + 1, 2 * v + 1),
            Sampling::Coverage25 => {
                let samples = (0..16).map(|i| (8 * u + 1 + 2 * (i % 4), 8 * v + 1 + 2 * (i / 4)));
                let found = samples.filter(|&(dx, dy)| solid(dx, dy)).count();
                found >= usize::from(self.sampling.threshold())
            }
        };
        let mut mask = Mask::filled_by(bounds.width(), bounds.height(), |_, _| 0);
        for y in 0..bounds.height() {
            for x in 0..bounds.width() {
                if pixel(i64::from(bounds.x0) + i64::from(x), i64::from(bounds.y0) + i64::from(y)) {
                    mask.set(x as i32, y as i32, true);
                }
            }
        }
        let (mask, corner) = mask.trimmed();
        if mask.width() == 0 {
            return Ok(empty);
        }
        let origin = whole + Point::new(bounds.x0, bounds.y0) + corner;
        Ok(Posed { mask, origin, pivot2: 0 })
    }

    /// Finds fault with a transform that is not finite or moves too far.
    pub(crate) fn check(transform: Affine) -> Result<(), PoseError> {
        const FARTHEST: f64 = 1e9;
        let far = transform.tx.abs().max(transform.ty.abs()) > FARTHEST;
        if transform.is_finite() && !far { Ok(()) } else { Err(PoseError::Transform) }
    }

    /// Pixels that may be set: the corners of the tight box, and a pixel more on each side.
    fn bounds_under(&self, transform: Affine) -> Result<Rect, PoseError> {
        let [px, py] = self.pivot.map(|p| f64::from(p) / 2.0);
        let (w, h) = (f64::from(self.tight.width()), f64::from(self.tight.height()));
        let corners = [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)].map(|(x, y)| {
            let (x, y) = (x - px, y - py);
            let Affine { a, b, c, d, tx, ty } = transform;
            [a * x + c * y + tx, b * x + d * y + ty]
        });
        let extent = |axis: usize| {
            let ends = corners.map(|corner| corner[axis]);
            let low = ends.into_iter().fold(f64::INFINITY, f64::min).floor() - 1.0;
            let high = ends.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() + 1.0;
            (low, high)
        };
        let ((x0, x1), (y0, y1)) = (extent(0), extent(1));
        let most = f64::from(MAX_SIDE);
        if x1 - x0 > most || y1 - y0 > most {
            let side = |low: f64, high: f64| (high - low) as u64;
            return Err(PoseError::TooLarge { width: side(x0, x1), height: side(y0, y1) });
        }
        Ok(Rect::new(x0 as i32, y0 as i32, x1 as i32, y1 as i32))
    }
}
