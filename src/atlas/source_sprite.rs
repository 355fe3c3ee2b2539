//! A sprite before its poses are drawn.
//!
//! Filled by the bake from images and by `compact` from a compact atlas. `builder` draws its poses.

#![deny(clippy::arithmetic_side_effects)]

use super::format::{FrameRecord, rule_from_bytes, sampling_from_byte};
use super::validate::Records;
use crate::geom::Point;
use crate::mask::{AlphaRule, Mask, words_of};
use crate::pose::PoseSet;
use crate::raster::Sampling;

/// A sprite before its poses are drawn: its masks, trimmed, and its settings.
#[derive(Clone, Debug)]
pub struct SourceSprite {
    pub(crate) name: String,
    /// The names of its planes. Empty if it has only the default plane.
    pub(crate) planes: Vec<String>,
    pub(crate) poses: PoseSet,
    pub(crate) rule: AlphaRule,
    pub(crate) sampling: Sampling,
    /// Its images. The planes of one frame are adjacent.
    pub(crate) images: Vec<Image>,
}

/// One plane of a frame, before its poses are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// Width and height of the untrimmed image, in texels.
    pub(crate) size: [u32; 2],
    /// The pivot in half-texels from the image corner.
    pub(crate) pivot: [i32; 2],
    /// The mask, cut to its tight box.
    pub(crate) tight: Mask,
    /// The top-left corner of the tight box in the image.
    pub(crate) corner: Point,
}

impl Image {
    /// Reads an image of a compact atlas. Returns `None` if the mask exceeds the image.
    fn read(records: &Records<'_>, frame: &FrameRecord) -> Option<Self> {
        let at = frame.first_pose as usize;
        let size = [frame.width, frame.height];
        let (tight, corner) = (records.mask(at).to_mask(), records.origin(at));
        is_inside(records, frame).then_some(Self { size, pivot: frame.pivot, tight, corner })
    }
}

/// Returns true if the source mask of a frame record of a compact atlas lies in its image.
pub(super) fn is_inside(records: &Records<'_>, frame: &FrameRecord) -> bool {
    let at = frame.first_pose as usize;
    let (mask, corner) = (records.mask(at), records.origin(at));
    let axes = [(corner.x, mask.width(), frame.width), (corner.y, mask.height(), frame.height)];
    axes.iter().all(|&(from, len, side)| {
        let from = u32::try_from(from).ok();
        from.and_then(|from| side.checked_sub(from)).is_some_and(|left| len <= left)
    })
}

impl SourceSprite {
    /// Returns the bytes of the masks of its images.
    #[must_use]
    pub fn mask_bytes(&self) -> usize {
        let words = |image: &Image| words_of(image.tight.width(), image.tight.height());
        let words: usize = self.images.iter().map(|image| words(image) as usize).sum();
        words.saturating_mul(8)
    }

    /// Reads sprite `i` of a compact atlas. Returns `None` if a mask exceeds its image.
    pub(super) fn read(records: &Records<'_>, i: usize) -> Option<Self> {
        let frames = records.frames_of(&records.sprites()[i]);
        let images =
            frames.iter().map(|frame| Image::read(records, frame)).collect::<Option<_>>()?;
        Some(Self { images, ..Self::settings(records, i)? })
    }

    /// Reads sprite `i` without its images; `None` if its settings are invalid.
    pub(super) fn settings(records: &Records<'_>, i: usize) -> Option<Self> {
        let sprite = records.sprites()[i];
        let mut poses = PoseSet::new(sprite.angles(), records.scales_of(&sprite)).ok()?;
        if !sprite.is_mirrored() {
            poses = poses.without_mirroring();
        }
        Some(Self {
            name: records.name(i).to_owned(),
            planes: records.planes_of(&sprite).map(str::to_owned).collect(),
            poses: poses.at_resolution(records.resolution().value()).ok()?,
            rule: rule_from_bytes(sprite.rule, sprite.rule_value)?,
            sampling: sampling_from_byte(sprite.sampling)?,
            images: Vec::new(),
        })
    }
}
