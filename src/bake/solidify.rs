//! Converts pixels to masks, by the rule of the settings and by their thresholds.
//!
//! Called by `inputs` and by the image decoders. Invariant: all masks of a frame have one size.

use super::Settings;
use crate::atlas::{DEFAULT_PLANE, threshold_plane};
use crate::mask::{AlphaRule, Mask, MaskError};
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
    /// The rule that made the masks. `None` if the source has masks or shapes instead of texels. The
    /// frame then lacks the planes by threshold.
    pub(super) rule: Option<AlphaRule>,
}

impl Frame {
    /// Returns a frame of these planes, which were not made from texels.
    pub(super) fn of_planes(planes: Vec<(String, Mask)>) -> Self {
        Self { planes, pivot: None, visible: None, is_cut: false, rule: None }
    }

    /// Returns a frame of one mask.
    pub(super) fn of(mask: Mask) -> Self {
        Self::of_planes(vec![(BODY.to_owned(), mask)])
    }
}

/// A decoded image of a file.
#[cfg(feature = "image")]
pub(super) struct DecodedImage {
    /// The masks by plane name: the body, the planes of layers, and the planes by threshold.
    pub(super) planes: Vec<(String, Mask)>,
    /// The rule that made the masks.
    pub(super) rule: AlphaRule,
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
            rule: Some(self.rule),
        }
    }
}

/// The masks of an image.
pub(super) struct TexelMasks {
    /// The solid texels.
    pub(super) solid: Mask,
    /// The visible texels: a value of 1 or more.
    pub(super) visible: Mask,
    /// The planes by threshold, in ascending order.
    pub(super) by_threshold: Vec<(String, Mask)>,
}

/// Returns the planes by threshold. `mask` makes a mask from a test for the value of a texel.
pub(super) fn by_threshold<E>(
    settings: &Settings,
    mask: impl Fn(&dyn Fn(u8) -> bool) -> Result<Mask, E>,
) -> Result<Vec<(String, Mask)>, E> {
    let plane = |t| Ok((threshold_plane(t), mask(&|value| value >= t)?));
    settings.ascending_thresholds().into_iter().map(plane).collect()
}

/// Returns the masks of an RGBA image.
pub(super) fn masks(
    width: u32,
    height: u32,
    rgba: &[u8],
    settings: &Settings,
) -> Result<TexelMasks, MaskError> {
    let rule = settings.texel_rule();
    Ok(TexelMasks {
        solid: rule.mask(width, height, rgba)?,
        visible: rule.mask_where(width, height, rgba, |value| value > 0)?,
        by_threshold: by_threshold(settings, |test| rule.mask_where(width, height, rgba, test))?,
    })
}

/// Returns the masks of an image from its alpha bytes. The rule must depend on alpha alone.
pub(super) fn alpha_masks(
    width: u32,
    height: u32,
    alpha: &[u8],
    settings: &Settings,
) -> Result<TexelMasks, MaskError> {
    let mask = |test: &dyn Fn(u8) -> bool| {
        Mask::from_texels(width, height, alpha, 1, |alpha| test(alpha[0]))
    };
    Ok(TexelMasks {
        solid: mask(&|value| settings.alpha.is_solid(value))?,
        visible: mask(&|value| value > 0)?,
        by_threshold: by_threshold(settings, mask)?,
    })
}

/// Returns the frame of an image with these masks.
pub(super) fn frame(masks: TexelMasks, settings: &Settings) -> Frame {
    let TexelMasks { solid, visible, by_threshold } = masks;
    let body = (BODY.to_owned(), solid);
    Frame {
        visible: Some(visible.count()),
        rule: Some(settings.alpha),
        ..Frame::of_planes([body].into_iter().chain(by_threshold).collect())
    }
}
