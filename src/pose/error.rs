use super::{MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE};
use crate::mask::MAX_SIDE;
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
            Self::Angles(n) => write!(
                f,
                "{n} angle steps are not possible; give a multiple of 4 up to {MAX_ANGLES}, or 1 for what never turns"
            ),
            Self::NoScales => {
                write!(f, "the list of scales is empty; give at least one, such as 1")
            }
            Self::Scale(s) => write!(
                f,
                "scale {s} is not possible; give a number from {MIN_SCALE} to {MAX_SCALE}"
            ),
            Self::Resolution(r) => write!(
                f,
                "resolution {r} is not possible; give a power of two from {MIN_RESOLUTION} to {MAX_RESOLUTION}"
            ),
            Self::ScaleAtResolution { scale, resolution } => write!(
                f,
                "scale {scale} is not possible at resolution {resolution}; keep their product from {MIN_SCALE} to {MAX_SCALE}"
            ),
            Self::Pivot { half_texels: [x, y], limit } => write!(
                f,
                "the pivot ({x}, {y}), in half-texels, is too far away; keep it within {limit} on either axis"
            ),
            Self::Transform => write!(
                f,
                "the transform is not finite; check the positions, angles and scales it was made of"
            ),
            Self::TooLarge { width, height } => write!(
                f,
                "a pose would take {width} x {height} pixels and may take {MAX_SIDE} a side; \
                 lower the scale, or cut the art into pieces"
            ),
        }
    }
}

impl std::error::Error for PoseError {}
