//! Sprites under any affine transform, rasterized on demand.
//!
//! Invariant: whole pixels of the translation change the origin only, never the mask.

use super::sampling_rule::EDGE;
use super::{Posed, Raster, Sampling};
use crate::error::CallError;
use crate::geom::{Affine, MAX_POSITION, Point, Rect};
use crate::mask::{MAX_SIDE, Mask};
use crate::pose::Resolution;

impl Raster {
    /// Draws the sprite under any transform that maps positions relative to the pivot, in texels,
    /// to pixels. The origin of the result is in the same pixels. A singular transform gives an
    /// empty mask. A transform is taken for singular if it makes a texel thinner than 2^-32 px.
    ///
    /// The rule is that of [`Raster`]: the inverse transform maps each pixel's centre to a texel.
    /// The pivot lies at the translation plus the phase of the pivot, as it does for a collider at
    /// that position. The fraction of the translation is kept, so the pixels depend on it.
    ///
    /// Under quarter turns, mirrors and the identity, at whole translations, the bits are those of
    /// the baked pose. Entries of such matrices may have the rounding errors of `f32`, up to 2^-20 of
    /// the largest. A centre up to 2^-14 texels before the edge of a texel counts as beyond the edge, as in
    /// poses. So each texel covers equally many pixels at whole scales. Ties at scales such as 1.1 hold up
    /// to 512 texels from the pivot. At other baked steps, bits differ at most 2^-13 texels before an edge.
    /// Whole pixels of the translation are removed before and added after, so they change the origin only.
    ///
    /// Costs a few nanoseconds per pixel of the result's box. An atlas of a resolution other than 1
    /// has other pixels: a world draws for its own.
    ///
    /// ```
    /// use hitmask::{Affine, Mask, Pivot, Raster, Sampling};
    /// let square = Raster::new(&Mask::solid(5, 5)?, Pivot::Center, Sampling::Nearest)?;
    /// let quarter = Affine::rotation(std::f32::consts::FRAC_PI_2);
    /// assert_eq!(square.transformed(quarter)?.mask, Mask::solid(5, 5)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::Transform`] where the transform is not finite or moves the sprite beyond 10^9
    /// pixels. [`CallError::TooLarge`] where a side of the result would exceed [`MAX_SIDE`]. Tips of
    /// the outline that are too thin for a pixel count if they are longer than 64 px.
    pub fn transformed(&self, transform: Affine) -> Result<Posed, CallError> {
        self.transformed_at(transform, Resolution::default())
    }

    /// Draws the sprite as [`transformed`](Self::transformed) does, in mask pixels of `resolution`.
    pub(crate) fn transformed_at(
        &self,
        transform: Affine,
        resolution: Resolution,
    ) -> Result<Posed, CallError> {
        Self::check(transform)?;
        let pivot2 = self.pivot2(resolution);
        let empty = Posed { mask: Mask::clear_of(0, 0), origin: Point::default(), pivot2 };
        let (near, whole) = transform.without_rounding_errors().without_whole_pixels();
        let is_thin = |Affine { a, b, c, d, .. }: &Affine| {
            [a, b, c, d].iter().any(|v| v.abs() > TexelWalk::MAX_TEXELS)
        };
        let inverse = near.inverse().filter(|inverse| !is_thin(inverse));
        let (Some(inverse), Some(outline)) = (inverse, self.tight.convex_hull()) else {
            return Ok(empty);
        };
        let bounds = self.bounds_under(near, outline.points(), pivot2)?;
        let texels = TexelWalk::new(self, inverse, pivot2);
        let mut mask = Mask::filled_by(bounds.width(), bounds.height(), |_, _| 0);
        for y in 0..bounds.height() as i32 {
            for x in 0..bounds.width() as i32 {
                if texels.is_set(bounds.x0 + x, bounds.y0 + y) {
                    mask.set(x, y, true);
                }
            }
        }
        let (mask, corner) = mask.trimmed();
        if mask.width() == 0 {
            return Ok(empty);
        }
        CallError::check_size([mask.width().into(), mask.height().into()], MAX_SIDE)?;
        let origin = whole + Point::new(bounds.x0, bounds.y0) + corner;
        Ok(Posed { mask, origin, pivot2 })
    }

    /// Refuses a transform that is not finite or translates too far.
    pub(crate) fn check(transform: Affine) -> Result<(), CallError> {
        let far = transform.tx.abs().max(transform.ty.abs()) > MAX_POSITION.into();
        if transform.is_finite() && !far { Ok(()) } else { Err(CallError::Transform) }
    }

    /// Returns the pixels that may be set: the box of the transformed corners of the outline, plus
    /// 1 px on each side.
    fn bounds_under(
        &self,
        transform: Affine,
        outline: &[Point],
        pivot2: [i32; 2],
    ) -> Result<Rect, CallError> {
        /// Pixels beyond the longest side that are searched: the margins, and tips without a pixel.
        const SPARE: f64 = 64.0;
        let [half_x, half_y] = pivot2.map(|half_pixels| f64::from(half_pixels) / 2.0);
        let [px, py] = self.pivot.map(|p| f64::from(p) / 2.0);
        let corners = outline.iter().map(|corner| {
            let (x, y) = (f64::from(corner.x) - px, f64::from(corner.y) - py);
            let Affine { a, b, c, d, tx, ty } = transform;
            [a * x + c * y + tx + half_x, b * x + d * y + ty + half_y]
        });
        let extent = |axis: usize| {
            let ends = corners.clone().map(|corner| corner[axis]);
            let low = ends.clone().fold(f64::INFINITY, f64::min).floor() - 1.0;
            let high = ends.fold(f64::NEG_INFINITY, f64::max).ceil() + 1.0;
            (low, high)
        };
        let ((x0, x1), (y0, y1)) = (extent(0), extent(1));
        if [x0, x1, y0, y1].iter().any(|v| v.abs() > MAX_POSITION.into()) {
            return Err(CallError::Transform);
        }
        let most = f64::from(MAX_SIDE) + SPARE;
        if x1 - x0 > most || y1 - y0 > most {
            let side = |low: f64, high: f64| (high - low) as u64;
            return Err(CallError::TooLarge {
                width: side(x0, x1),
                height: side(y0, y1),
                most: MAX_SIDE,
            });
        }
        Ok(Rect::new(x0 as i32, y0 as i32, x1 as i32, y1 as i32))
    }
}

/// The map from pixels to texels under a transform, in fixed point.
struct TexelWalk<'a> {
    raster: &'a Raster,
    pivot2: [i64; 2],
    /// Texels per half-pixel of x and of y, for both axes of the source.
    inverse: [[i128; 2]; 2],
    /// The pivot plus the translation, in texels.
    start: [i128; 2],
}

impl<'a> TexelWalk<'a> {
    /// Binary places of the fixed point numbers.
    const FRAC_BITS: u32 = 60;
    /// That of poses, in the same units. Entries of `f32` move a centre by up to 2^-24 of its distance.
    const EDGE: i128 = (EDGE as i128) << (Self::FRAC_BITS - 31);
    /// Upper bound on the texels per pixel. Pixels are within 2^30 of the pivot, in quarters of half
    /// pixels within 2^33, so the sums have at most 126 bits.
    const MAX_TEXELS: f64 = (1_u64 << 32) as f64;

    fn new(raster: &'a Raster, inverse: Affine, pivot2: [i32; 2]) -> Self {
        let fixed = |v: f64| (v * (1_i64 << Self::FRAC_BITS) as f64).round() as i128;
        let Affine { a, b, c, d, tx, ty } = inverse;
        let start = |pivot: i32, t: f64| {
            (i128::from(pivot) << (Self::FRAC_BITS - 1)) + fixed(t) + Self::EDGE
        };
        Self {
            raster,
            pivot2: pivot2.map(i64::from),
            inverse: [[a, c], [b, d]].map(|row| row.map(|v| fixed(v / 2.0))),
            start: [start(raster.pivot[0], tx), start(raster.pivot[1], ty)],
        }
    }

    /// Tests whether the pixel (u, v), relative to the lattice origin, is set.
    fn is_set(&self, u: i32, v: i32) -> bool {
        let (dx, dy) =
            (i64::from(u) * 2 + 1 - self.pivot2[0], i64::from(v) * 2 + 1 - self.pivot2[1]);
        match self.raster.sampling {
            Sampling::Nearest => self.is_solid(dx, dy, 0),
            Sampling::Coverage25 => {
                let samples = (0..16).map(|i| (4 * dx + 2 * (i % 4) - 3, 4 * dy + 2 * (i / 4) - 3));
                let found = samples.filter(|&(dx, dy)| self.is_solid(dx, dy, 2)).count();
                found >= usize::from(self.raster.sampling.threshold())
            }
        }
    }

    /// Tests whether the source is solid at (dx, dy), in units of 2^-(1 + samples_log2) pixels from
    /// the pivot.
    fn is_solid(&self, dx: i64, dy: i64, samples_log2: u32) -> bool {
        let texel = |axis: usize| {
            let [by_x, by_y] = self.inverse[axis];
            let along = i128::from(dx) * by_x + i128::from(dy) * by_y;
            (along + (self.start[axis] << samples_log2)) >> (Self::FRAC_BITS + samples_log2)
        };
        let (sx, sy) = (texel(0), texel(1));
        let tight = &self.raster.tight;
        let within = |v: i128, side: u32| (0..i128::from(side)).contains(&v);
        within(sx, tight.width()) && within(sy, tight.height()) && tight.get(sx as i32, sy as i32)
    }
}
