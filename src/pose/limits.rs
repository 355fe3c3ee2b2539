/// Most angle steps in a full turn: as many as an [`Angle::Turn`](crate::Angle::Turn) can tell apart.
pub const MAX_ANGLES: u32 = 65_536;
/// Smallest scale a sprite can be baked at.
pub const MIN_SCALE: f32 = 1.0 / 64.0;
/// Largest scale a sprite can be baked at.
pub const MAX_SCALE: f32 = 64.0;
/// Coarsest resolution: a mask pixel is 8 x 8 pixels.
pub const MIN_RESOLUTION: f32 = 0.125;
/// Finest resolution: 8 x 8 mask pixels to a pixel.
pub const MAX_RESOLUTION: f32 = 8.0;
