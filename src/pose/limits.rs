//! The limits of angle steps, scales and resolutions. `PoseSet` and the baker check them.

/// Upper bound on the angle steps in a full turn: the number of values of
/// [`Angle::turn`](crate::Angle::turn).
pub const MAX_ANGLES: u32 = 65_536;
/// Smallest scale that a sprite can be baked at.
pub const MIN_SCALE: f32 = 1.0 / 64.0;
/// Largest scale that a sprite can be baked at.
pub const MAX_SCALE: f32 = 64.0;
/// Coarsest resolution: a mask pixel covers 8 x 8 pixels.
pub const MIN_RESOLUTION: f32 = 0.125;
/// Finest resolution: a pixel covers 8 x 8 mask pixels.
pub const MAX_RESOLUTION: f32 = 8.0;
