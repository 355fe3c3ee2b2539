//! Sprites under any affine transform, rasterized on demand.
//!
//! Called by the run-time masks of `world`, and public on [`Raster`].
//!
//! Invariant: whole pixels of the translation change the origin only, never the mask.

use super::{Posed, Raster, Sampling};
use crate::geom::{Affine, Point, Rect, Similarity};
use crate::mask::{MAX_SIDE, Mask};
use crate::pose::{Pose, PoseError, PoseSet, ScalePolicy};

/// The way in which a transformed sprite is represented.
///
/// ```
/// use hitmask::{Affine, Mask, Pivot, PoseFit, PoseSet, Raster, Sampling};
/// let source: Mask = "##".parse()?;
/// let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest)?;
/// let slanted = Affine { c: 0.5, ..Affine::IDENTITY };
/// let fit = raster.fit(&PoseSet::new(4, [1.0])?, slanted, 0.001)?;
/// assert!(matches!(fit, PoseFit::Drawn(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PoseFit {
    /// By the nearest baked pose: fast, and snapped to that pose.
    Baked {
        /// The pose.
        pose: Pose,
        /// The requested transform: the position of the pivot, the flip, and the exact angle and
        /// scale.
        wanted: Similarity,
    },
    /// By a mask of its own, in the pixels of the transform, because no baked pose is similar.
    Drawn(Posed),
}

impl Raster {
    /// Fits the sprite under `transform`, which maps positions relative to the pivot, in texels, to
    /// pixels. Returns the nearest of `poses` where `transform` is a similarity within `tolerance`
    /// (see [`Affine::similarity`]), and its scale is accepted by the default [`ScalePolicy`].
    /// Returns a drawn mask otherwise.
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
            let baked = poses.scales()[pose.scale as usize];
            ScalePolicy::default().accepts(wanted.scale, baked).then_some(())?;
            Some(PoseFit::Baked { pose, wanted })
        });
        match pose {
            Some(baked) => Ok(baked),
            None => self.transformed(transform).map(PoseFit::Drawn),
        }
    }

    /// Draws the sprite under any transform that maps positions relative to the pivot, in texels,
    /// to pixels. The origin of the result is in the same pixels. For masks of a resolution other
    /// than 1, scale the transform by it: it then maps to mask pixels. A singular transform gives
    /// an empty mask.
    ///
    /// The rule is that of [`Raster`]. The inverse transform, in units of 2^-30 rounded to nearest,
    /// maps each pixel's centre to a texel in integers. Whole pixels of the translation are removed
    /// before and added after, so they change nothing else. Costs a few nanoseconds per pixel of
    /// the result's box.
    ///
    /// # Errors
    /// [`PoseError::Transform`] where the transform is not finite or moves the sprite beyond 10^9
    /// pixels. [`PoseError::TooLarge`] where a side of the result would exceed [`MAX_SIDE`].
    pub fn transformed(&self, transform: Affine) -> Result<Posed, PoseError> {
        Self::check(transform)?;
        let empty = Posed { mask: Mask::empty(), origin: Point::default(), pivot2: 0 };
        let (near, whole) = transform.without_whole_pixels();
        let Some(inverse) = near.inverse().filter(|_| self.tight.width() > 0) else {
            return Ok(empty);
        };
        let bounds = self.bounds_under(near)?;
        // Texels beyond the clamp are outside any source, and clamped values fit the sums below.
        let fixed = |v: f64, unit: i64| (v.clamp(-1e6, 1e6) * unit as f64).round() as i64;
        let [a, b, c, d] = [inverse.a, inverse.b, inverse.c, inverse.d].map(|v| fixed(v, 1 << 30));
        let [x, y] = [inverse.tx, inverse.ty].map(|v| fixed(v, 1 << 31));
        let [px, py] = self.pivot.map(|p| i64::from(p) << 30);
        let samples_log2 = self.sampling.log2();
        let solid = |dx: i64, dy: i64| {
            let at = |v: i128| (v >> (31 + samples_log2)) as i64;
            let sum = |p: i64, q: i64, rest: i64| {
                i128::from(dx) * i128::from(p)
                    + i128::from(dy) * i128::from(q)
                    + (i128::from(rest) << samples_log2)
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

    /// Refuses a transform that is not finite or translates too far.
    pub(crate) fn check(transform: Affine) -> Result<(), PoseError> {
        const MAX_TRANSLATION: f64 = 1e9;
        let far = transform.tx.abs().max(transform.ty.abs()) > MAX_TRANSLATION;
        if transform.is_finite() && !far { Ok(()) } else { Err(PoseError::Transform) }
    }

    /// Returns the pixels that may be set: the box of the transformed corners of the tight box,
    /// plus 1 px on each side.
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
