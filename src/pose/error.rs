use super::{MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE};
use crate::mask::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;

/// Why a sprite cannot be posed as asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PoseError {
    /// The number of angle steps is neither 1 nor a multiple of four up to [`MAX_ANGLES`].
    Angles(u32),
    /// No scale was given.
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
    /// The pivot lies too far from the image to be placed.
    Pivot {
        /// The pivot in half-texels from the top-left corner.
        half_texels: [i32; 2],
        /// The farthest it may lie, in half-texels on either axis.
        limit: i32,
    },
    /// A transform has a number that is not finite.
    Transform,
    /// The posed mask would be larger than a mask may be.
    TooLarge {
        /// Width in pixels that the pose would take.
        width: u64,
        /// Height in pixels that the pose would take.
        height: u64,
    },
}

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Angles(n) => write!(f, "{n} angle steps are not possible"),
            Self::NoScales => f.write_str("the list of scales is empty"),
            Self::Scale(s) => write!(f, "scale {s} is not possible"),
            Self::Resolution(r) => write!(f, "resolution {r} is not possible"),
            Self::ScaleAtResolution { scale, resolution } => {
                write!(f, "scale {scale} is not possible at resolution {resolution}")
            }
            Self::Pivot { half_texels: [x, y], .. } => {
                write!(f, "the pivot ({x}, {y}), in half-texels, is too far away")
            }
            Self::Transform => f.write_str("the transform is not finite, or moves too far"),
            Self::TooLarge { width, height } => write!(
                f,
                "a pose would take {width} x {height} pixels and may take {MAX_SIDE} a side"
            ),
        }
    }
}

impl PoseError {
    /// Returns how to fix the fault that `Display` tells of.
    ///
    /// ```
    /// let error = hitmask::PoseSet::new(64, [0.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "scale 0 is not possible");
    /// assert_eq!(error.help(), "give a number from 0.015625 to 64");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Angles(_) => format!(
                "give a multiple of 4 up to {MAX_ANGLES}, or 1 for a sprite that never turns"
            ),
            Self::NoScales => return "give at least one, such as 1".into(),
            Self::Scale(_) => format!("give a number from {MIN_SCALE} to {MAX_SCALE}"),
            Self::Resolution(_) => {
                format!("give a power of two from {MIN_RESOLUTION} to {MAX_RESOLUTION}")
            }
            Self::ScaleAtResolution { .. } => {
                format!("keep their product from {MIN_SCALE} to {MAX_SCALE}")
            }
            Self::Pivot { limit, .. } => format!("keep it within {limit} on either axis"),
            Self::Transform => {
                return "check the positions, angles and scales it was made of".into();
            }
            Self::TooLarge { .. } => {
                return "lower the scale, or cut the art into pieces".into();
            }
        }
        .into()
    }
}

impl std::error::Error for PoseError {}
