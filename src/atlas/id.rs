//! [`SpriteId`] and [`PoseId`]: indices of sprites and stored poses.
//!
//! Used by `Atlas`, `Batch`, `World` and generated code. An id is valid for the atlas that it came
//! from.

use super::format::HotPose;
use crate::mask::{MaskDescriptor, MaskSize};

/// The id of a sprite in one atlas: its index in the order of names. The same number names another
/// sprite, or none, in another atlas or after a bake with other sprites. So store names rather than
/// ids in files, and look ids up with [`Atlas::sprite_id`](crate::Atlas::sprite_id).
///
/// ```
/// use hitmask::{Atlas, Bake, Mask};
/// let dot: Mask = "#".parse()?;
/// let atlas = Atlas::from_vec(Bake::new().mask("dot", dot).to_bytes()?)?;
/// let id = atlas.sprite_id("dot").unwrap();
/// assert_eq!(id.index(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpriteId(u32);

/// The id of a stored pose of one atlas, upright or upside down. [`Batch`](crate::Batch) takes such
/// ids. [`Sprite::pose_id`](crate::Sprite::pose_id) returns them. [`Batch`](crate::Batch) has an
/// example.
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

    /// Returns the index of the pose in its atlas.
    pub(crate) const fn index(self) -> usize {
        (self.0 & !MaskSize::FLIPPED) as usize
    }

    /// Returns true if the pose is shown upside down.
    pub(crate) const fn is_flipped(self) -> bool {
        self.0 & MaskSize::FLIPPED != 0
    }

    /// Returns the index, with the flip in the highest bit.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the descriptor that kernels take for this id, given the record that the id names.
    #[inline(always)]
    pub(crate) const fn shows(self, pose: HotPose) -> MaskDescriptor {
        MaskDescriptor { words: pose.words, size: pose.size.flipped_by(self.0) }
    }
}

impl SpriteId {
    /// Returns the id with this index. Generated code calls it; elsewhere use
    /// [`Atlas::sprite_id`](crate::Atlas::sprite_id).
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the index in the order of names, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// Returns the id as a number, which is never 0, for foreign languages.
    ///
    /// ```
    /// use hitmask::SpriteId;
    /// let ship = SpriteId::new(7);
    /// assert_eq!(SpriteId::from_bits(ship.to_bits()), Some(ship));
    /// assert_eq!(SpriteId::from_bits(0), None);
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0 as u64 + 1
    }

    /// Returns the id with these bits, or `None` if [`to_bits`](Self::to_bits) never returns them,
    /// as 0. Atlas and world check the id on each use.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits == 0 || bits > 1 << 32 { None } else { Some(Self((bits - 1) as u32)) }
    }
}
