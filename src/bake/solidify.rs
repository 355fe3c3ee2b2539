//! Converts pixels to masks: applies the excluded colours, the channel and the alpha rule, in that
//! order.
//!
//! Called by `inputs` and by the image decoders. Invariant: all masks of a frame have one size.

use super::{Channel, Settings};
use crate::atlas::DEFAULT_PLANE;
use crate::mask::{Mask, MaskError};
use crate::raster::Pivot;

/// Name of the first plane of every frame from a file.
pub(super) const BODY: &str = DEFAULT_PLANE;

/// A decoded frame of a sprite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    /// The masks by plane name. The first is the default plane; the others are in the requested
    /// order. All have the size of the untrimmed frame. The pivot is relative to it.
    pub(super) planes: Vec<(String, Mask)>,
    /// Pivot from the file. `None` means that of the settings.
    pub(super) pivot: Option<Pivot>,
    /// Number of visible texels of the body (alpha 1 or more), if known.
    pub(super) visible: Option<u64>,
    /// True if the file ends after this frame, without its end mark.
    pub(super) is_cut: bool,
}

impl Frame {
    /// Returns a frame of one mask.
    pub(super) fn of(mask: Mask) -> Self {
        Self { planes: vec![(BODY.to_owned(), mask)], pivot: None, visible: None, is_cut: false }
    }
}

/// A decoded image of a file.
#[cfg(feature = "image")]
pub(super) struct DecodedImage {
    /// The masks by plane name, the body first.
    pub(super) planes: Vec<(String, Mask)>,
    /// The visible texels: alpha 1 or more.
    pub(super) visible: Mask,
    pub(super) pivot: Option<Pivot>,
    /// True if the file ends after this image, without its end mark.
    pub(super) is_cut: bool,
}

#[cfg(feature = "image")]
impl DecodedImage {
    /// Returns width and height in texels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.visible.width(), self.visible.height()]
    }

    /// Returns the whole image as a frame.
    pub(super) fn frame(&self) -> Frame {
        Frame {
            planes: self.planes.clone(),
            pivot: self.pivot,
            visible: Some(self.visible.count()),
            is_cut: self.is_cut,
        }
    }
}

/// Largest number of texels in all images of one file: four images of the largest size. A small
/// file can claim thousands of such images, which would exhaust memory.
#[cfg(feature = "image")]
pub(super) const MAX_TEXELS: u64 = 4 * (crate::mask::MAX_SIDE as u64).pow(2);

/// Returns the value that the alpha rule reads, or `None` if the colour is excluded.
pub(super) fn value([r, g, b, a]: [u8; 4], settings: &Settings) -> Option<u8> {
    let left_out = settings.exclude_color.iter().any(|range| range.contains([r, g, b]));
    let value = match settings.channel {
        Channel::Alpha => a,
        Channel::Red => r,
        Channel::Green => g,
        Channel::Blue => b,
    };
    (!left_out).then_some(value)
}

/// Returns the masks of the solid and of the visible texels of an RGBA image.
pub(super) fn masks(
    width: u32,
    height: u32,
    rgba: &[u8],
    settings: &Settings,
) -> Result<[Mask; 2], MaskError> {
    // Evaluates the rule once per value instead of once per texel.
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

/// Returns the frame of an RGBA image.
pub(super) fn frame(
    width: u32,
    height: u32,
    rgba: &[u8],
    settings: &Settings,
) -> Result<Frame, MaskError> {
    let [solid, visible] = masks(width, height, rgba, settings)?;
    Ok(Frame {
        planes: vec![(BODY.to_owned(), solid)],
        pivot: None,
        visible: Some(visible.count()),
        is_cut: false,
    })
}
