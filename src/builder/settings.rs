//! The settings of a sprite: [`Settings`].
//!
//! Part of the public API. Bakers hash them to find sprites whose settings have changed.

use crate::mask::{AlphaRule, Channel, ColorRange, TexelRule};
use crate::raster::{Pivot, Sampling};
use std::hash::{Hash, Hasher};

/// The settings that a sprite is baked with.
///
/// ```
/// use hitmask::Settings;
/// let still = Settings { angles: 1, ..Settings::default() };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Angle steps in a full turn: a multiple of 4, or 1 for a sprite that never turns. Default 64.
    pub angles: u32,
    /// Largest error in pixels. If set, chooses the angle steps of a sprite from 8 to 128, unless
    /// its `angles` is 1. No pixel then lies farther than this from its exactly rotated position.
    /// If 128 steps do not suffice, the bake warns with
    /// [`Warning::OverError`](crate::Warning::OverError). Default none: `angles` applies.
    pub max_error: Option<f32>,
    /// Scales to bake at; 1 is source size. Default 1 alone.
    pub scales: Vec<f32>,
    /// Rule for solid texels. Default alpha >= 128.
    pub alpha: AlphaRule,
    /// Channel that the alpha rule reads. Default alpha.
    pub channel: Channel,
    /// Colours and colour ranges whose texels are never solid. Default none. `[255, 0, 255]` is a key
    /// colour at every alpha, `[0, 0, 0]..=[40, 40, 60]` a range. A fourth number limits the alpha:
    /// `[0, 0, 0, 0]..=[0, 0, 0, 127]` is a soft shadow.
    pub exclude_color: Vec<ColorRange>,
    /// Colours whose texels alone can be solid. Default none: texels of all colours.
    pub only_color: Vec<ColorRange>,
    /// Additional planes by alpha: each has the texels whose alpha is at least a threshold. Each
    /// value is from 1 to 255 and occurs once. Default none. [`AtlasBuilder::thresholds`] has the rules.
    ///
    /// [`AtlasBuilder::thresholds`]: crate::AtlasBuilder::thresholds
    pub thresholds: Vec<u8>,
    /// The point of the sprite that lies at a collider's position. Default the image centre.
    pub pivot: Pivot,
    /// Rule for the pixels of a pose. Default nearest texel.
    pub sampling: Sampling,
    /// Adds a motion frame after the last frame: the union of all frames, plane by plane, with the
    /// pivots aligned. Its index is `frame_count() - 1` of the sprite. Show it while a fast animation
    /// skips frames: the collider then touches everything that any frame would touch. Default false.
    pub motion_frame: bool,
    /// Lets colliders mirror the sprite. Without it, a sprite of 1 angle step takes half the memory, and a
    /// flip is refused by [`CallError::NeverMirrored`](crate::CallError::NeverMirrored). A sprite that
    /// turns has its mirror images anyway. Default true.
    pub mirrored: bool,
}

impl Settings {
    /// Returns the rule for solid texels, for masks at run time that equal baked ones.
    #[must_use]
    pub fn texel_rule(&self) -> TexelRule {
        TexelRule {
            alpha: self.alpha,
            channel: self.channel,
            exclude_color: self.exclude_color.clone(),
            only_color: self.only_color.clone(),
        }
    }

    /// Returns the thresholds in ascending order, the order of their planes.
    #[must_use]
    pub fn ascending_thresholds(&self) -> Vec<u8> {
        let mut thresholds = self.thresholds.clone();
        thresholds.sort_unstable();
        thresholds
    }
}

/// Hashes everything that affects the sprite, numbers by their bits.
impl Hash for Settings {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { angles, max_error, scales, thresholds, pivot, sampling, .. } = self;
        (angles, max_error.map(f32::to_bits), thresholds, pivot, sampling).hash(state);
        (self.texel_rule(), self.motion_frame, self.mirrored).hash(state);
        scales.iter().map(|scale| scale.to_bits()).for_each(|bits| bits.hash(state));
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            angles: 64,
            max_error: None,
            scales: vec![1.0],
            alpha: AlphaRule::default(),
            channel: Channel::default(),
            exclude_color: Vec::new(),
            only_color: Vec::new(),
            thresholds: Vec::new(),
            pivot: Pivot::default(),
            sampling: Sampling::default(),
            motion_frame: false,
            mirrored: true,
        }
    }
}
