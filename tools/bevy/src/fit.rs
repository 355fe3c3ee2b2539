//! From a Bevy transform, y up, to a place in the world, y down.
//!
//! ```text
//! entity space, y up --GlobalTransform--> Bevy's world, y up --mirrored--> the world of hitmask, y down
//! ```
//!
//! [`ImageFit`] places the image of a sprite in entity space. [`linear`] and [`position`] convert the rest. Only this
//! module knows about both directions of y. Invariant: an image lies exactly where Bevy draws it. So the half-pixel
//! of a pivot at the middle of a texel, which a position of hitmask leaves out, is subtracted.

use bevy_math::{Affine2, Mat2, Vec2};
use bevy_transform::components::GlobalTransform;
use hitmask::{Affine, Angle, MAX_POSITION, Placement};
use std::f32::consts::{FRAC_PI_2, PI};

/// Greatest deviation from a similarity, relative to the scale, that a baked pose may show.
pub(crate) const TOLERANCE: f64 = 1e-3;
/// Greatest change of the squared scale, relative to it, that counts as rounding.
const SCALE_ROUNDING: f32 = 2e-5;

/// Returns the part of a transform that shows in 2D. The axis z and its shear are left out.
#[inline(always)]
pub(crate) fn flat(transform: &GlobalTransform) -> Affine2 {
    let affine = transform.affine();
    let matrix = Mat2::from_cols(
        Vec2::new(affine.matrix3.x_axis.x, affine.matrix3.x_axis.y),
        Vec2::new(affine.matrix3.y_axis.x, affine.matrix3.y_axis.y),
    );
    Affine2::from_mat2_translation(matrix, Vec2::new(affine.translation.x, affine.translation.y))
}

/// What Bevy's `Sprite` says about how an image is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpriteLook {
    pub(crate) flip: [bool; 2],
    /// Fraction of the size by which the entity's origin is off the centre, y up.
    pub(crate) anchor: Vec2,
    pub(crate) custom_size: Option<Vec2>,
}

/// How an image lies in the space of its entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImageFit {
    /// Scale from texels; negative on a mirrored axis.
    pub(crate) scale: Vec2,
    /// The pivot of the mask, y up.
    pub(crate) pivot: Vec2,
}

impl ImageFit {
    /// The pivot at the origin of the entity, one unit per texel.
    pub(crate) const PLAIN: Self = Self { scale: Vec2::ONE, pivot: Vec2::ZERO };

    /// Returns the fit of an image of this size, whose pivot is in half-texels from its top-left corner.
    pub(crate) fn of(look: &SpriteLook, size: [u32; 2], pivot: [i32; 2]) -> Self {
        let texels = Vec2::new(size[0] as f32, size[1] as f32);
        let drawn = look.custom_size.unwrap_or(texels);
        let mirror = Vec2::from(look.flip.map(|flip| if flip { -1.0 } else { 1.0 }));
        let scale = drawn / texels.max(Vec2::ONE) * mirror;
        let [px2, py2] = pivot.map(|half_texels| half_texels as f32);
        // From the centre of the image, y up.
        let from_centre = Vec2::new(px2 - texels.x, texels.y - py2) / 2.0;
        Self { scale, pivot: scale * from_centre - look.anchor * drawn }
    }
}

/// Returns the transform from texels, y down, to pixels, y down, without a translation.
pub(crate) fn linear(transform: &Affine2, fit: &ImageFit) -> Affine {
    let (x_axis, y_axis) = (transform.matrix2.x_axis, transform.matrix2.y_axis);
    let [sx, sy] = fit.scale.to_array().map(f64::from);
    Affine {
        a: f64::from(x_axis.x) * sx,
        b: -f64::from(x_axis.y) * sx,
        c: -f64::from(y_axis.x) * sy,
        d: f64::from(y_axis.y) * sy,
        tx: 0.0,
        ty: 0.0,
    }
}

/// Returns the position of the collider whose pivot is at `pivot` in entity space. `phase` is the offset of the pivot
/// from the position, in pixels, y down.
#[inline(always)]
pub(crate) fn position(transform: &Affine2, pivot: Vec2, phase: Vec2) -> [f32; 2] {
    let at = transform.transform_point2(pivot);
    [at.x - phase.x, -at.y - phase.y]
}

/// Returns the offset of a pivot from the position of its collider, in pixels: half a pixel where the pivot is at the
/// middle of a texel. At a resolution below 1 the library has no such offset.
pub(crate) fn phase(pivot: [i32; 2], resolution: f32) -> Vec2 {
    let phase =
        |half_texels: i32| (resolution * (half_texels & 1) as f32).floor() / (2.0 * resolution);
    Vec2::from(pivot.map(phase))
}

/// Returns the translation with which an image is drawn under `linear`, in pixels, y down. It depends on no position, so
/// a mask that moves is not drawn again.
///
/// A position snaps to whole pixels, and the pivot of a drawn mask lies at the phase from it. Of an odd number of texels
/// that are stretched, the middle may lie between pixels all the same. So where the axes are parallel to those of the
/// world, the corner of the image is moved to whole pixels; elsewhere the pivot is.
pub(crate) fn shift_to_pixels(linear: &Affine, corner: Vec2, phase: Vec2, resolution: f32) -> Vec2 {
    let Affine { a, b, c, d, .. } = *linear;
    let largest = [a, b, c, d].map(f64::abs).into_iter().fold(0.0, f64::max);
    let is_zero = |entry: f64| entry.abs() <= TOLERANCE * largest;
    let is_parallel = is_zero(b) && is_zero(c) || is_zero(a) && is_zero(d);
    if !is_parallel {
        return -phase;
    }
    let [x, y] = corner.to_array().map(f64::from);
    let at = Vec2::new((a * x + c * y) as f32, (b * x + d * y) as f32) + phase;
    (at * resolution).round() / resolution - at
}

/// The place of a collider for transforms that differ in position and angle only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastPlacement {
    /// Squared scale of the transform. NaN if there is no fast placement.
    length_squared: f32,
    /// -1 for a mirrored transform, else 1.
    mirror: f32,
    /// -1 if the angle is that of the negative x axis, else 1.
    turn: f32,
    pivot: Vec2,
    phase: Vec2,
}

impl Default for FastPlacement {
    fn default() -> Self {
        let (pivot, phase) = (Vec2::ZERO, Vec2::ZERO);
        Self { length_squared: f32::NAN, mirror: 1.0, turn: 1.0, pivot, phase }
    }
}

impl FastPlacement {
    /// Returns the fast placement of transforms as this one, which [`placement`](Self::placement) then accepts if it
    /// is a similarity.
    pub(crate) fn new(transform: &Affine2, fit: &ImageFit, phase: Vec2) -> Self {
        let x_axis = transform.matrix2.x_axis;
        let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
        let mirror = sign(transform.matrix2.determinant());
        // A mirrored image is mirrored left to right, so its angle is that of the negative x axis.
        let turn = mirror * sign(fit.scale.y);
        let length_squared = x_axis.length_squared();
        Self { length_squared, mirror, turn, pivot: fit.pivot, phase }
    }

    /// Returns the placement under a transform; `None` if more than position and angle differ.
    pub(crate) fn placement(&self, transform: &Affine2) -> Option<Placement> {
        let (position, direction) = self.position_and_direction(transform)?;
        Some(Placement { position, angle: Angle::radians(angle_of(direction.y, direction.x)) })
    }

    /// Returns the position, and the direction of the x axis, y down. `None` if more than these differ.
    #[inline(always)]
    pub(crate) fn position_and_direction(&self, transform: &Affine2) -> Option<([f32; 2], Vec2)> {
        let (x_axis, y_axis) = (transform.matrix2.x_axis, transform.matrix2.y_axis);
        let length_squared = x_axis.length_squared();
        let off = Vec2::new(y_axis.x + self.mirror * x_axis.y, y_axis.y - self.mirror * x_axis.x);
        let same_scale =
            (length_squared - self.length_squared).abs() <= SCALE_ROUNDING * self.length_squared;
        let tolerance = (TOLERANCE * TOLERANCE) as f32 * length_squared;
        let similar = (off.x * off.x <= tolerance) & (off.y * off.y <= tolerance);
        let position = position(transform, self.pivot, self.phase);
        let near = (position[0].abs() <= MAX_POSITION) & (position[1].abs() <= MAX_POSITION);
        let direction = Vec2::new(x_axis.x * self.turn, -x_axis.y * self.turn);
        (same_scale & similar & near).then_some((position, direction))
    }

    /// Returns the translation of a transform that places the collider at a position; `None` if there is no fast
    /// placement.
    pub(crate) fn translation(&self, transform: &Affine2, position: [f32; 2]) -> Option<Vec2> {
        if self.length_squared.is_nan() {
            return None;
        }
        let pivot = Vec2::new(position[0] + self.phase.x, -(position[1] + self.phase.y));
        Some(pivot - transform.matrix2 * self.pivot)
    }
}

/// Returns the angle of a vector that is not 0, in radians from -pi to pi. Its error is below 4e-7.
///
/// As `f32::atan2`, but without branches and calls, so that a loop computes several at a time. The polynomial is number
/// 4.4.49 of Abramowitz and Stegun, Handbook of Mathematical Functions.
#[inline(always)]
pub(crate) fn angle_of(y: f32, x: f32) -> f32 {
    const COEFFICIENTS: [f32; 8] = [
        0.002_866_225_7,
        -0.016_165_737,
        0.042_909_614,
        -0.075_289_64,
        0.106_562_64,
        -0.142_089,
        0.199_935_51,
        -0.333_331_45,
    ];
    let [across, along] = [y.abs(), x.abs()];
    let tangent = across.min(along) / across.max(along);
    let square = tangent * tangent;
    let series = COEFFICIENTS.iter().fold(0.0, |sum, &factor| sum * square + factor);
    let angle = tangent + tangent * (square * series);
    let angle = if across > along { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    angle.copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_standard_library() {
        let mut worst = 0.0_f64;
        for i in 0..200_000 {
            let exact = (i as f64 / 100_000.0 - 1.0) * std::f64::consts::PI;
            let (y, x) = (exact.sin() as f32 * 3.0, exact.cos() as f32 * 3.0);
            let expected = f64::from(y).atan2(f64::from(x));
            worst = worst.max((f64::from(angle_of(y, x)) - expected).abs());
        }
        assert!(worst < 4e-7, "{worst}");
        for (y, x) in [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (2.0, 2.0), (-5.0, 5.0)] {
            assert!((angle_of(y, x) - y.atan2(x)).abs() < 1e-7, "{y} {x}");
        }
    }
}
