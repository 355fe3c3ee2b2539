//! [`PoseId`]: indices of stored poses, and how an atlas makes its id.
//!
//! Invariants: the compact and the full form of one bake have the same atlas id, so their sprite
//! ids are equal. Atlases of one id have equal masks at every pose, up to chance.

use super::format::{Header, KIND_FULL};
use crate::ids::AtlasId;
use crate::mask::{MaskDescriptor, MaskSize};

/// The id of a stored pose of one atlas, upright or upside down. [`Batch`](crate::Batch) takes such
/// ids. Unlike a [`SpriteId`](crate::SpriteId) it does not carry its atlas, because batches read millions of them. In
/// a batch of another atlas it shows another pose, or none.
/// [`Sprite::pose_id`](crate::Sprite::pose_id) returns ids. [`Batch`](crate::Batch) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoseId(u32);

impl PoseId {
    /// Returns the id of the pose at `index`, or `None` if `index` is 2^31 or more.
    pub(crate) const fn new(index: u32, flipped: bool) -> Option<Self> {
        let flip = if flipped { MaskSize::FLIPPED } else { 0 };
        if index < MaskSize::FLIPPED { Some(Self(index | flip)) } else { None }
    }

    /// Returns the id as a number, which is never 0, for foreign languages.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0 as u64 + 1
    }

    /// Returns the id with these bits, or `None` if [`to_bits`](Self::to_bits) never returns them,
    /// as 0. A [`Batch`](crate::Batch) checks the id on each use.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits == 0 || bits > 1 << 32 { None } else { Some(Self((bits - 1) as u32)) }
    }

    pub(crate) const fn index(self) -> usize {
        (self.0 & !MaskSize::FLIPPED) as usize
    }

    pub(crate) const fn is_flipped(self) -> bool {
        self.0 & MaskSize::FLIPPED != 0
    }

    /// Returns the index, with the flip in the highest bit.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the descriptor of this id, given the upright mask that it names.
    #[inline(always)]
    pub(crate) const fn shows(self, mask: MaskDescriptor) -> MaskDescriptor {
        MaskDescriptor { words: mask.words, size: mask.size.flipped_by(self.0) }
    }
}

impl Header {
    pub(super) const fn id(&self) -> AtlasId {
        AtlasId::new(if self.kind == KIND_FULL { self.records_crc } else { self.full_id })
    }
}

/// Returns the id of the same atlas with a label, which is not 0.
pub(super) fn labelled(id: AtlasId, label: u32) -> AtlasId {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&id.bits().to_le_bytes());
    hash.update(&label.to_le_bytes());
    AtlasId::new(hash.finalize())
}
