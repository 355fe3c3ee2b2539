//! A decoded image: the masks of its planes, before it is cut into frames.
//!
//! Made by the decoders, cut by `sheet_frame`.

use hitmask::baking::Frame;
use hitmask::{AlphaRule, Mask, Pivot};

/// Name of the first plane of every frame from a file.
pub(super) use hitmask::baking::DEFAULT_PLANE as BODY;

/// A decoded image of a file.
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

impl DecodedImage {
    /// Returns width and height in texels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.visible.width(), self.visible.height()]
    }

    /// Returns the whole image as a frame.
    pub(super) fn frame(&self) -> Frame {
        Frame {
            pivot: self.pivot,
            visible: Some(self.visible.count()),
            is_cut: self.is_cut,
            rule: Some(self.rule),
            ..Frame::of_planes(self.planes.clone())
        }
    }
}
