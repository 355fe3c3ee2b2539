//! The settings of a sprite: [`Settings`] and the types of its fields.
//!
//! Part of the public API. Read by `solidify` and `pipeline`, and hashed by `incremental`.

use crate::mask::AlphaRule;
use crate::raster::{Pivot, Sampling};
use std::hash::Hash;
use std::ops::RangeInclusive;

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
    /// Colours whose texels are never solid, whatever their alpha. Default none.
    pub exclude_color: Vec<ColorRange>,
    /// Additional planes from layers of an Aseprite file. Default none.
    pub planes: Vec<LayerPlane>,
    /// The point of the sprite that lies at a collider's position. Default the image centre.
    pub pivot: Pivot,
    /// Rule for the pixels of a pose. Default nearest texel.
    pub sampling: Sampling,
    /// Adds a motion frame after the last frame: the union of all frames. It cannot miss a hit on a
    /// frame that a game skips. Default false.
    pub motion_frame: bool,
}

/// A plane from layers of an Aseprite file: a mask of its own, drawn from these layers.
///
/// The plane `body` is the first plane of every frame. Without an entry here, it consists of all
/// visible layers.
///
/// ```
/// use hitmask::{LayerPlane, Settings};
/// let eye = LayerPlane { name: "eye".into(), layers: vec!["iris".into(), "pupil".into()] };
/// let settings = Settings { planes: vec![eye], ..Settings::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerPlane {
    /// The name of the plane.
    pub name: String,
    /// The names of its layers or layer groups. Hidden layers are included.
    pub layers: Vec<String>,
}

impl Settings {
    /// Returns everything that affects the sprite, for hashing.
    pub(super) fn bits(&self) -> impl Hash {
        let Self { angles, max_error, scales, alpha, channel, exclude_color, .. } = self;
        let Self { planes, pivot, sampling, motion_frame, .. } = self;
        let scales: Vec<u32> = scales.iter().map(|scale| scale.to_bits()).collect();
        let steps = (angles, max_error.map(f32::to_bits), scales);
        (steps, alpha, channel, exclude_color, planes, pivot, sampling, motion_frame)
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
            planes: Vec::new(),
            pivot: Pivot::default(),
            sampling: Sampling::default(),
            motion_frame: false,
        }
    }
}

/// The channel that the alpha rule reads.
///
/// ```
/// use hitmask::{Channel, Settings};
/// let settings = Settings { channel: Channel::Red, ..Settings::default() };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Alpha; 255 if the image has none. The default.
    #[default]
    Alpha,
    /// Red, for masks that are stored as colour.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// A range of colours: red, green and blue each lie between two values.
/// ```
/// use hitmask::ColorRange;
/// let magenta = ColorRange::from([255, 0, 255]);
/// let nearly = ColorRange::near([255, 0, 255], 8);
/// let dark = ColorRange::from([0, 0, 0]..=[40, 40, 60]);
/// assert!(magenta.contains([255, 0, 255]) && !magenta.contains([250, 0, 255]));
/// assert!(nearly.contains([250, 5, 255]) && dark.contains([40, 0, 9]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorRange {
    /// Lower bounds of red, green and blue, inclusive.
    pub from: [u8; 3],
    /// Upper bounds of red, green and blue, inclusive.
    pub to: [u8; 3],
}

impl ColorRange {
    /// Returns the range of colours that differ by at most `tolerance` from `color` in each
    /// channel.
    #[must_use]
    pub fn near(color: [u8; 3], tolerance: u8) -> Self {
        Self {
            from: color.map(|part| part.saturating_sub(tolerance)),
            to: color.map(|part| part.saturating_add(tolerance)),
        }
    }

    /// Returns true if the colour lies in the range.
    #[must_use]
    pub fn contains(self, color: [u8; 3]) -> bool {
        (0..3).all(|i| (self.from[i]..=self.to[i]).contains(&color[i]))
    }
}

impl From<[u8; 3]> for ColorRange {
    fn from(color: [u8; 3]) -> Self {
        Self { from: color, to: color }
    }
}

impl From<RangeInclusive<[u8; 3]>> for ColorRange {
    fn from(range: RangeInclusive<[u8; 3]>) -> Self {
        Self { from: *range.start(), to: *range.end() }
    }
}
