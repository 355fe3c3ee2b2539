//! What sprites and their poses are called by.

use super::format::HotPose;
use crate::mask::{MaskDescriptor, MaskSize};

/// A sprite of one atlas: its place in the order of names. In another atlas, or in this one baked anew
/// with other sprites, the same number names another sprite, or none: ask for names again, with
/// [`Atlas::sprite`](crate::Atlas::sprite), and keep names, not numbers, in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpriteId(u32);

/// A posed mask of one atlas, as it is stored or upside down: what a [`Batch`](crate::Batch) takes.
/// Get it from [`Sprite::pose_id`](crate::Sprite::pose_id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoseId(u32);

impl PoseId {
    /// The pose at `index`; `None` where that is 2^31 or more.
    pub(crate) const fn new(index: u32, flipped: bool) -> Option<Self> {
        let flip = if flipped { MaskSize::FLIPPED } else { 0 };
        if index < MaskSize::FLIPPED { Some(Self(index | flip)) } else { None }
    }

    /// Index among the poses of its atlas.
    pub(crate) const fn index(self) -> usize {
        (self.0 & !MaskSize::FLIPPED) as usize
    }

    /// True where it is shown upside down.
    pub(crate) const fn is_flipped(self) -> bool {
        self.0 & MaskSize::FLIPPED != 0
    }

    /// Its index, and in the highest bit whether it is shown upside down.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The mask of the pose that it names, as the kernels take it.
    #[inline(always)]
    pub(crate) const fn shows(self, pose: HotPose) -> MaskDescriptor {
        MaskDescriptor { words: pose.words, size: pose.size.flipped_by(self.0) }
    }
}

impl SpriteId {
    /// The sprite at this place, from 0. Generated code uses it; elsewhere ask
    /// [`Atlas::sprite`](crate::Atlas::sprite).
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Its place in the order of names, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
}
