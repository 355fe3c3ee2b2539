//! From an image's bytes to the masks of a frame: which texels are solid, by the settings' rules for
//! colours, channel and alpha, in that order.

use super::{Channel, Settings};
use crate::atlas::DEFAULT_PLANE;
use crate::mask::{Mask, MaskError};
use crate::raster::Pivot;

/// The name of the plane that every frame of a file has, its first.
pub(super) const BODY: &str = DEFAULT_PLANE;

/// One image of a sprite, decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    /// Its masks by name: the first is the default one, the others are in the order they were asked
    /// for.
    /// All are of one size, that of the untrimmed frame, from which the pivot is counted.
    pub(super) planes: Vec<(String, Mask)>,
    /// The pivot that the file gives this frame; else that of the settings counts.
    pub(super) pivot: Option<Pivot>,
    /// Texels of the body that show at all, where that is known: their alpha is 1 or more.
    pub(super) seen: Option<u64>,
}

impl Frame {
    /// A frame of one mask.
    pub(super) fn of(mask: Mask) -> Self {
        Self { planes: vec![(BODY.to_owned(), mask)], pivot: None, seen: None }
    }
}

/// One image of a file.
#[cfg(feature = "image")]
pub(super) struct Still {
    /// Its masks by name, the body first.
    pub(super) planes: Vec<(String, Mask)>,
    /// The texels that show at all.
    pub(super) seen: Mask,
    pub(super) pivot: Option<Pivot>,
}

#[cfg(feature = "image")]
impl Still {
    /// Width and height in texels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.seen.width(), self.seen.height()]
    }

    /// The image as a frame, whole.
    pub(super) fn frame(&self) -> Frame {
        Frame { planes: self.planes.clone(), pivot: self.pivot, seen: Some(self.seen.count()) }
    }
}

/// Texels of all images of one file together: four of the largest size there may be. A small file
/// can claim many thousand images of that size, and would fill any memory.
#[cfg(feature = "image")]
pub(super) const MOST_TEXELS: u64 = 4 * (crate::mask::MAX_SIDE as u64).pow(2);

/// What the alpha rule reads of a texel; `None` where its colour is left out.
fn value([r, g, b, a]: [u8; 4], settings: &Settings) -> Option<u8> {
    let left_out = settings.exclude_color.iter().any(|range| range.contains([r, g, b]));
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
    if settings.exclude_color.is_empty() {
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
