use crate::mask::AlphaRule;
use crate::raster::{Pivot, Sampling};
use std::hash::Hash;
use std::ops::RangeInclusive;

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
    /// Largest error in pixels: chooses the angle steps, from 8 to 128, of a sprite whose `angles`
    /// is not 1, so that no pixel is farther than this from where an exact turn would put it, or as
    /// near to it as 128 steps come. Default none: `angles` counts.
    pub max_error: Option<f32>,
    /// Scales, 1 being source size. Default 1 alone.
    pub scales: Vec<f32>,
    /// Which texels are solid. Default alpha >= 128.
    pub alpha: AlphaRule,
    /// The value of a texel that the alpha rule reads. Default its alpha.
    pub channel: Channel,
    /// Colours of which no texel is solid, whatever its alpha. Default none.
    pub exclude_color: Vec<ColorRange>,
    /// The planes that are made of an Aseprite file's layers. Default none but the body.
    pub planes: Vec<LayerPlane>,
    /// The point that a collider's position names. Default the image's centre.
    pub pivot: Pivot,
    /// Which pixels of a pose are set. Default the nearest texel's.
    pub sampling: Sampling,
    /// One more frame, after the last: all frames together, so that one which a game skips cannot miss.
    /// Default false.
    pub motion_frame: bool,
}

/// A plane of an Aseprite file: a mask of its own, drawn from some of the file's layers.
///
/// The plane called `body` is every frame's first; unless it is given, it is all visible layers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerPlane {
    /// The plane's name.
    pub name: String,
    /// The names of its layers, or of groups of layers, hidden ones too.
    pub layers: Vec<String>,
}

impl Settings {
    /// All that decides a sprite, to be hashed.
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

/// The value of a texel that the alpha rule reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Alpha; 255 where an image has none. The default.
    #[default]
    Alpha,
    /// Red, for masks that are drawn in colour.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// A box of colours: those whose red, green and blue each lie between two values.
///
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
    /// The least red, green and blue.
    pub from: [u8; 3],
    /// The greatest red, green and blue, themselves inside.
    pub to: [u8; 3],
}

impl ColorRange {
    /// The colours of which each part differs by at most `tolerance` from that of `color`.
    #[must_use]
    pub fn near(color: [u8; 3], tolerance: u8) -> Self {
        Self {
            from: color.map(|part| part.saturating_sub(tolerance)),
            to: color.map(|part| part.saturating_add(tolerance)),
        }
    }

    /// True where the colour lies in the range.
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
