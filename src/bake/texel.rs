//! From an image's bytes to masks: which texels are solid, by the settings' rules for channel,
//! colours and alpha, in that order.

use super::Settings;
use super::frame::{BODY, Frame};
use crate::mask::{Mask, MaskError};
use std::ops::RangeInclusive;

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

/// What the alpha rule reads of a texel; `None` where its colour is left out.
fn value([r, g, b, a]: [u8; 4], settings: &Settings) -> Option<u8> {
    let left_out = settings.leave_out.iter().any(|range| range.contains([r, g, b]));
    let value = match settings.channel {
        Channel::Alpha => a,
        Channel::Red => r,
        Channel::Green => g,
        Channel::Blue => b,
    };
    (!left_out).then_some(value)
}

/// The solid texels of an image of four bytes a texel, and those that show at all.
pub(super) fn masks(
    width: u32,
    height: u32,
    rgba: &[u8],
    settings: &Settings,
) -> Result<[Mask; 2], MaskError> {
    // Asked for each of the 256 values once, instead of for each texel.
    let solid: [bool; 256] = std::array::from_fn(|value| settings.alpha.is_solid(value as u8));
    if settings.leave_out.is_empty() {
        let channel = match settings.channel {
            Channel::Red => 0,
            Channel::Green => 1,
            Channel::Blue => 2,
            Channel::Alpha => 3,
        };
        let mask = |rule: &dyn Fn(u8) -> bool| {
            Mask::from_texels(width, height, rgba, 4, |texel| rule(texel[channel]))
        };
        return Ok([mask(&|value| solid[value as usize])?, mask(&|value| value > 0)?]);
    }
    let mask = |rule: &dyn Fn(u8) -> bool| {
        Mask::from_texels(width, height, rgba, 4, |texel| {
            value([texel[0], texel[1], texel[2], texel[3]], settings).is_some_and(rule)
        })
    };
    Ok([mask(&|value| solid[value as usize])?, mask(&|value| value > 0)?])
}

/// The frame of an image of four bytes a texel.
pub(super) fn frame(
    width: u32,
    height: u32,
    rgba: &[u8],
    settings: &Settings,
) -> Result<Frame, MaskError> {
    let [solid, seen] = masks(width, height, rgba, settings)?;
    Ok(Frame { planes: vec![(BODY.to_owned(), solid)], pivot: None, seen: Some(seen.count()) })
}
