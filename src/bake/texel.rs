//! From an image's bytes to masks: which texels are solid, by the settings' rules for channel,
//! colours and alpha, in that order.

use super::frame::{BODY, Frame};
use super::{Channel, Settings};
use crate::mask::{Mask, MaskError};

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
