//! The set of poses that a sprite is baked at.
//!
//! The baker builds a [`PoseSet`] per sprite. Atlas lookups call `nearest` with the angles and
//! scales that the atlas stores.
//!
//! Invariants: scales are in range, ascending and distinct.

use super::flip_mapping::stored_steps;
use super::{Angle, MAX_ANGLES, MAX_SCALE, MIN_SCALE, Resolution};
use crate::error::CallError;
use std::hash::{Hash, Hasher};

/// One angle step and one scale of a [`PoseSet`].
///
/// ```
/// use hitmask::{Pose, PoseSet};
/// let poses = PoseSet::new(4, [1.0])?;
/// assert_eq!(poses.nearest(0.0, 1.0), Some(Pose { step: 0, scale: 0 }));
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Angle step: the sprite is rotated by `step / angles` of a full turn, clockwise.
    pub step: u32,
    /// Index into [`PoseSet::scales`].
    pub scale: u32,
}

/// The angles and scales that a sprite is baked at: every angle step at every scale.
///
/// ```
/// use hitmask::{Pose, PoseSet};
/// let poses = PoseSet::new(64, [0.5, 1.0])?;
/// let quarter = std::f32::consts::FRAC_PI_2;
/// assert_eq!(poses.nearest(quarter, 0.9), Some(Pose { step: 16, scale: 1 }));
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PoseSet {
    angles: u32,
    scales: Vec<f32>,
    resolution: Resolution,
    /// False for a sprite of one step that is never mirrored.
    is_mirrored: bool,
}

impl PoseSet {
    /// Returns the poses of `angles` steps at each of `scales`, where 1 is the source size. Scales
    /// are sorted and duplicates removed.
    ///
    /// # Errors
    /// [`CallError::Number`] unless `angles` is 1 or a multiple of four up to [`MAX_ANGLES`], and where
    /// a scale is out of range. [`CallError::NoScales`] without scales.
    pub fn new(angles: u32, scales: impl Into<Vec<f32>>) -> Result<Self, CallError> {
        let mut scales = scales.into();
        if angles == 0 || angles > MAX_ANGLES || (angles != 1 && !angles.is_multiple_of(4)) {
            let (value, most) = (angles as f32, MAX_ANGLES as f32);
            return Err(CallError::Number {
                name: "number of angle steps",
                value,
                least: 1.0,
                most,
            });
        }
        if scales.is_empty() {
            return Err(CallError::NoScales);
        }
        for &scale in &scales {
            CallError::check_number("scale", scale, MIN_SCALE, MAX_SCALE)?;
        }
        scales.sort_by(f32::total_cmp);
        scales.dedup();
        Ok(Self { angles, scales, resolution: Resolution::default(), is_mirrored: true })
    }

    /// Returns the same poses with `resolution` mask pixels along the side of a pixel. 2 or 4 is
    /// finer than a pixel; 0.5 or 0.25 is coarser and smaller. The default is 1.
    ///
    /// # Errors
    /// [`CallError::Number`] unless `resolution` is a power of two from
    /// [`MIN_RESOLUTION`](crate::MIN_RESOLUTION) to [`MAX_RESOLUTION`](crate::MAX_RESOLUTION), and
    /// where a scale times the resolution is out of range.
    pub fn at_resolution(self, resolution: f32) -> Result<Self, CallError> {
        let drawn = Resolution::new(resolution)?;
        for scale in &self.scales {
            let product = scale * resolution;
            CallError::check_number("scale times the resolution", product, MIN_SCALE, MAX_SCALE)?;
        }
        Ok(Self { resolution: drawn, ..self })
    }

    /// Returns the same poses of a sprite that is never mirrored. Changes nothing if the sprite turns,
    /// because the steps of a turn show its mirror images too.
    pub(crate) fn without_mirroring(self) -> Self {
        Self { is_mirrored: self.angles > 1, ..self }
    }

    /// Returns the number of angle steps as an atlas records it: 0 if the sprite is never mirrored.
    pub(crate) const fn recorded_angles(&self) -> u32 {
        if self.is_mirrored { self.angles } else { 0 }
    }

    /// Returns the number of angle steps that an atlas stores.
    pub(crate) const fn stored_steps(&self) -> u32 {
        stored_steps(self.recorded_angles())
    }

    /// Returns the number of angle steps in a full turn.
    #[must_use]
    pub const fn angles(&self) -> u32 {
        self.angles
    }

    /// Returns the scales in ascending order.
    #[must_use]
    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// Returns the number of mask pixels along the side of a pixel.
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.resolution.value()
    }

    /// Returns the number of poses that an atlas stores of each plane of a frame.
    pub(crate) fn stored_count(&self) -> u32 {
        self.stored_steps() * self.scales.len() as u32
    }

    /// Returns the resolution in the form that the rasterizers take.
    pub(crate) const fn lattice(&self) -> Resolution {
        self.resolution
    }

    /// Returns the pose nearest to an angle and a scale. The angle step is the nearest, halves
    /// rounded up. The scale is the one of least difference, the smaller of two equally near.
    /// Returns `None` where the angle is not finite or the scale is not a positive finite number.
    #[must_use]
    pub fn nearest(&self, angle: impl Into<Angle>, scale: f32) -> Option<Pose> {
        nearest(self.angles, &self.scales, angle.into(), scale)
    }
}

// Scales are neither NaN nor zero, so equal scales have equal bits.
impl Eq for PoseSet {}

impl Hash for PoseSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.angles, self.resolution, self.is_mirrored).hash(state);
        self.scales.iter().for_each(|scale| scale.to_bits().hash(state));
    }
}

/// As [`PoseSet::nearest`], for angles and scales stored in an atlas.
#[inline(always)]
pub(crate) fn nearest(angles: u32, scales: &[f32], angle: Angle, scale: f32) -> Option<Pose> {
    if !is_size(scale) {
        return None;
    }
    Some(Pose { step: angle.step(angles)?, scale: nearest_scale(scales, scale) })
}

/// Tests whether a requested scale is a positive finite number.
#[inline(always)]
pub(crate) const fn is_size(scale: f32) -> bool {
    // The bits of positive numbers are ordered, up to those of infinity.
    scale.to_bits().wrapping_sub(1) < f32::INFINITY.to_bits() - 1
}

/// Returns the index of the scale nearest to a positive number.
#[inline(always)]
pub(crate) fn nearest_scale(scales: &[f32], scale: f32) -> u32 {
    if scales.len() == 1 {
        return 0;
    }
    // Scales ascend, so the index is the number of midpoints below. In f64 twice a midpoint is
    // exact.
    let twice = 2.0 * f64::from(scale);
    let below = |pair: &&[f32]| f64::from(pair[0]) + f64::from(pair[1]) < twice;
    scales.windows(2).filter(below).count() as u32
}
