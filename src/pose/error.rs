//! The error of pose sets, pivots, transforms and rasterization.

use super::{MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE};
use crate::mask::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;

/// The reason why a sprite cannot be posed as requested.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum PoseError {
    /// The number of angle steps is neither 1 nor a multiple of four up to [`MAX_ANGLES`].
    Angles(u32),
    /// The list of scales is empty.
    NoScales,
    /// A scale is not a number from [`MIN_SCALE`] to [`MAX_SCALE`].
    Scale(f32),
    /// A resolution is not a power of two from [`MIN_RESOLUTION`] to [`MAX_RESOLUTION`].
    Resolution(f32),
    /// A scale times the resolution is not a number from [`MIN_SCALE`] to [`MAX_SCALE`].
    ScaleAtResolution {
        /// The scale.
        scale: f32,
        /// The resolution.
        resolution: f32,
    },
    /// The pivot is too far from the image.
    Pivot {
        /// The pivot in half-texels from the top-left corner.
        half_texels: [i32; 2],
        /// Upper bound on its distance from the image's corner on either axis, in half-texels.
        limit: i32,
    },
    /// A transform is not finite, or translates by more than 10^9 pixels.
    Transform,
    /// The posed mask would exceed the size limit of a mask.
    TooLarge {
        /// Width in pixels that the pose requires.
        width: u64,
        /// Height in pixels that the pose requires.
        height: u64,
    },
}

debug_with_help!(PoseError);

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Angles(n) => write!(f, "invalid number of angle steps: {n}"),
            Self::NoScales => f.write_str("the list of scales is empty"),
            Self::Scale(s) => write!(f, "invalid scale {s}"),
            Self::Resolution(r) => write!(f, "invalid resolution {r}"),
            Self::ScaleAtResolution { scale, resolution } => {
                write!(f, "invalid scale {scale} at resolution {resolution}")
            }
            Self::Pivot { half_texels: [x, y], .. } => {
                write!(f, "pivot ({x}, {y}), in half-texels, is too far from the image")
            }
            Self::Transform => f.write_str("the transform is not finite, or translates too far"),
            Self::TooLarge { width, height } => {
                write!(f, "pose size {width} x {height} exceeds {MAX_SIDE} pixels on a side")
            }
        }
    }
}

impl PoseError {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Angles(_) => format!(
                "pass a multiple of 4 up to {MAX_ANGLES}, or 1 for a sprite that never turns"
            ),
            Self::NoScales => return "give at least one, such as 1".into(),
            Self::Scale(_) => format!("pass a number from {MIN_SCALE} to {MAX_SCALE}"),
            Self::Resolution(_) => {
                format!("pass a power of two from {MIN_RESOLUTION} to {MAX_RESOLUTION}")
            }
            Self::ScaleAtResolution { .. } => {
                format!("keep their product from {MIN_SCALE} to {MAX_SCALE}")
            }
            Self::Pivot { limit, .. } => {
                format!("keep it within {limit} half-texels on either axis")
            }
            Self::Transform => {
                return "check the positions, angles and scales that it is made of".into();
            }
            Self::TooLarge { .. } => {
                return "lower the scale, or cut the art into pieces".into();
            }
        }
        .into()
    }
}

impl std::error::Error for PoseError {}
