//! The pixel rules, one pixel at a time. Every faster implementation must equal this one bit for
//! bit.

use super::sampling_rule::EDGE;
use super::{Matrix, Pivot, Posed, Sampling};
use crate::error::CallError;
use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskRef};
use crate::pose::{Pose, PoseSet};

/// A source mask at a pose, evaluated pixel by pixel without preparation.
///
/// ```
/// use hitmask::{Mask, Pivot, Pose, PoseSet, Sampling, reference::Drawing};
/// let (source, poses): (Mask, _) = ("#.".parse()?, PoseSet::new(4, [1.0])?);
/// let pose = Pose { step: 0, scale: 0 };
/// let drawing = Drawing::new(&source, Pivot::HalfTexels(0, 0), Sampling::Nearest, &poses, pose)?;
/// assert!(drawing.pixel(0, 0) && !drawing.pixel(1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    source: MaskRef<'a>,
    pivot: [i32; 2],
    sampling: Sampling,
    matrix: Matrix,
    /// Offset of the pivot from the lattice origin on each axis, in half-pixels.
    pivot2: [i32; 2],
    bounds: Rect,
}

/// No set pixel is so far from the lattice origin on an axis. Sides and pivots, in texels, are below
/// 2^16, and scales are at most 64. The sums of a nearer pixel fit an i64.
const MAX_DISTANCE: u32 = 1 << 23;

impl<'a> Drawing<'a> {
    /// Returns `source` at one pose of `poses`, about `pivot`.
    ///
    /// # Errors
    /// [`CallError::Pivot`] where the pivot is beyond [`MAX_PIVOT`](crate::MAX_PIVOT).
    ///
    /// # Panics
    /// Panics if `pose.scale` is not an index into the scales of `poses`.
    pub fn new(
        source: &'a Mask,
        pivot: Pivot,
        sampling: Sampling,
        poses: &PoseSet,
        pose: Pose,
    ) -> Result<Self, CallError> {
        let pivot = pivot.resolve(source.width(), source.height())?;
        let scale = poses.scales()[pose.scale as usize] * poses.resolution();
        let pivot2 = poses.lattice().pivot2(pivot);
        let turn = std::f64::consts::TAU * f64::from(pose.step) / f64::from(poses.angles());
        Ok(Self {
            source: source.as_ref(),
            pivot,
            sampling,
            matrix: Matrix::new(pose.step, poses.angles(), scale),
            pivot2,
            bounds: bounds(source, pivot, pivot2, turn, f64::from(scale)),
        })
    }

    /// Shrinks the bounds to the set pixels, at the cost of one drawing of the sprite.
    ///
    /// [`new`](Self::new) maps the corners of the image and adds 2 px on each side.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        let Posed { mask, origin, .. } = self.posed();
        let (width, height) = (mask.width() as i32, mask.height() as i32);
        self.bounds = Rect::new(origin.x, origin.y, origin.x + width, origin.y + height);
        self
    }

    /// Returns a box that contains every set pixel, relative to the lattice origin.
    #[must_use]
    pub const fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Tests whether the pixel (u, v), relative to the lattice origin, is set.
    #[must_use]
    pub fn pixel(&self, u: i32, v: i32) -> bool {
        if u.unsigned_abs() | v.unsigned_abs() >= MAX_DISTANCE {
            return false;
        }
        let [fx, fy] = self.pivot2.map(i64::from);
        let (u, v) = (i64::from(u), i64::from(v));
        match self.sampling {
            Sampling::Nearest => self.sample(2 * u + 1 - fx, 2 * v + 1 - fy, 0),
            Sampling::Coverage25 => {
                let sample = |i: i64, j: i64| {
                    // Samples are at 1/8, 3/8, 5/8 and 7/8 of a pixel.
                    let dx = 4 * (2 * u + 1 - fx) + 2 * i - 3;
                    let dy = 4 * (2 * v + 1 - fy) + 2 * j - 3;
                    self.sample(dx, dy, 2)
                };
                let solid = (0..4_i64).flat_map(|j| (0..4_i64).map(move |i| (i, j)));
                solid.filter(|&(i, j)| sample(i, j)).count() >= 4
            }
        }
    }

    /// Tests whether the source is solid at (dx, dy), in units of 2^-(1 + samples_log2) pixels.
    fn sample(&self, dx: i64, dy: i64, samples_log2: u32) -> bool {
        let Matrix { c, s } = self.matrix;
        let [px, py] = self.pivot.map(|p| ((i64::from(p) << 30) + EDGE) << samples_log2);
        let sx = (dx * c + dy * s + px) >> (31 + samples_log2);
        let sy = (-dx * s + dy * c + py) >> (31 + samples_log2);
        let within = |v: i64, side: u32| (0..i64::from(side)).contains(&v);
        within(sx, self.source.width())
            && within(sy, self.source.height())
            && self.source.get(sx as i32, sy as i32)
    }

    /// Ors `colour` into the set pixels of a row; `pixels` begins at (u, v), relative to the
    /// lattice origin. The texel position advances by one step per pixel, as in a classic blit.
    pub(crate) fn colour_row(&self, u: i32, v: i32, pixels: &mut [u32], colour: u32) {
        if self.sampling == Sampling::Coverage25 {
            for (u, pixel) in (u..).zip(pixels) {
                *pixel |= if self.pixel(u, v) { colour } else { 0 };
            }
            return;
        }
        for (pixel, texel) in pixels.iter_mut().zip(self.texels(u, v)) {
            if self.is_solid(texel) {
                *pixel |= colour;
            }
        }
    }

    /// Returns the index of the first pixel that has `colour` and is set in this sprite as well.
    /// `pixels` begins at (u, v), relative to the lattice origin.
    pub(crate) fn first_on_colour(
        &self,
        u: i32,
        v: i32,
        pixels: &[u32],
        colour: u32,
    ) -> Option<usize> {
        if self.sampling == Sampling::Coverage25 {
            let mut row = (u..).zip(pixels);
            return row.position(|(u, &pixel)| pixel == colour && self.pixel(u, v));
        }
        let mut row = pixels.iter().zip(self.texels(u, v));
        row.position(|(&pixel, texel)| pixel == colour && self.is_solid(texel))
    }

    /// The texels under the pixels of a row from (u, v) to the right, one addition each.
    fn texels(&self, u: i32, v: i32) -> impl Iterator<Item = (i64, i64)> {
        let Matrix { c, s } = self.matrix;
        let [px, py] = self.pivot.map(|p| (i64::from(p) << 30) + EDGE);
        let [fx, fy] = self.pivot2.map(i64::from);
        let (dx, dy) = (2 * i64::from(u) + 1 - fx, 2 * i64::from(v) + 1 - fy);
        let mut a = dx * c + dy * s + px;
        let mut b = -dx * s + dy * c + py;
        std::iter::repeat_with(move || {
            let texel = (a >> 31, b >> 31);
            a += 2 * c;
            b -= 2 * s;
            texel
        })
    }

    fn is_solid(&self, (sx, sy): (i64, i64)) -> bool {
        let (w, h) = (u64::from(self.source.width()), u64::from(self.source.height()));
        (sx as u64) < w && (sy as u64) < h && self.source.get(sx as i32, sy as i32)
    }

    /// Returns the whole posed mask, trimmed.
    #[must_use]
    pub fn posed(&self) -> Posed {
        let Rect { x0, y0, .. } = self.bounds;
        let mut mask = Mask::filled_by(self.bounds.width(), self.bounds.height(), |_, _| 0);
        for y in 0..mask.height() {
            for x in 0..mask.width() {
                mask.set(x as i32, y as i32, self.pixel(x0 + x as i32, y0 + y as i32));
            }
        }
        let (mask, corner) = mask.trimmed();
        let origin = if mask.width() == 0 {
            Point::default()
        } else {
            Point::new(x0 + corner.x, y0 + corner.y)
        };
        Posed { mask, origin, pivot2: self.pivot2 }
    }
}

/// Returns the box of the image's corners, posed in floating point, plus 2 px a side.
fn bounds(source: &Mask, pivot: [i32; 2], pivot2: [i32; 2], turn: f64, scale: f64) -> Rect {
    let (sin, cos) = turn.sin_cos();
    let [px, py] = pivot.map(|p| f64::from(p) / 2.0);
    let (w, h) = (f64::from(source.width()), f64::from(source.height()));
    let corners = [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)].map(|(x, y)| {
        let (x, y) = ((x - px) * scale, (y - py) * scale);
        let [half_x, half_y] = pivot2.map(|f| f64::from(f) / 2.0);
        (cos * x - sin * y + half_x, sin * x + cos * y + half_y)
    });
    let low = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::MAX, f64::min);
    let high = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::MIN, f64::max);
    Rect::new(
        low(|p| p.0).floor() as i32 - 2,
        low(|p| p.1).floor() as i32 - 2,
        high(|p| p.0).ceil() as i32 + 2,
        high(|p| p.1).ceil() as i32 + 2,
    )
}
