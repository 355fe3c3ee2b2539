use crate::mask::AlphaRule;
use crate::raster::{Pivot, Sampling};

/// How a sprite is baked.
///
/// ```
/// use hitmask::Settings;
/// let still = Settings { angles: 1, ..Settings::default() };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Angle steps in a full turn: a multiple of four, or 1 for what never turns. Default 64.
    pub angles: u32,
    /// Scales, 1 being source size. Default 1 alone.
    pub scales: Vec<f32>,
    /// Which texels are solid. Default alpha >= 128.
    pub alpha: AlphaRule,
    /// The point that a collider's position names. Default the image's centre.
    pub pivot: Pivot,
    /// Which pixels of a pose are set. Default the nearest texel's.
    pub sampling: Sampling,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            angles: 64,
            scales: vec![1.0],
            alpha: AlphaRule::default(),
            pivot: Pivot::default(),
            sampling: Sampling::default(),
        }
    }
}
