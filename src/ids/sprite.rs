//! [`AtlasId`] and [`SpriteId`]: names of atlases, and indices of their sprites.

use std::fmt;
use std::num::NonZeroU32;

/// The id of an atlas: 32 bits of its header, which depend on the names, the settings and the masks
/// of all its sprites. Equal atlases have equal ids. Others almost always have different ones.
///
/// Each [`SpriteId`] carries the id of its atlas, so that no world takes it for a sprite of another
/// atlas. Snapshots of a [`World`](crate::World) name their atlases by it. Two players can compare
/// it to tell whether they have the same atlas. The compact and the full form of a bake have the same
/// id.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder};
/// let ship = |mask: &str| AtlasBuilder::new().mask("ship", mask.parse().unwrap());
/// let id = |bake: AtlasBuilder| Atlas::from_vec(bake.to_bytes().unwrap()).unwrap().id();
/// assert_eq!(id(ship("#.")), id(ship("#.").compact(true)));
/// assert_ne!(id(ship("#.")), id(ship("##")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AtlasId(NonZeroU32);

/// The id of a sprite in one atlas: its index in the order of names, and the id of the atlas. The
/// id names no sprite after a bake that changes anything. So store names rather than ids in files,
/// and look ids up with [`Atlas::sprite_id`](crate::Atlas::sprite_id).
///
/// An atlas or a world of other atlases refuses the id. An id of [`SpriteId::new`] names no atlas.
/// It is accepted by every atlas, and by a world of one atlas.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Mask};
/// let dot: Mask = "#".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("dot", dot).to_bytes()?)?;
/// let id = atlas.sprite_id("dot").unwrap();
/// assert_eq!((id.index(), id.atlas()), (0, Some(atlas.id())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it is the number of [`to_bits`](Self::to_bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Bits", try_from = "Bits"))]
pub struct SpriteId {
    index: u32,
    atlas: Option<AtlasId>,
}

impl AtlasId {
    /// Returns the id with these bits, where 0 counts as 1. Generated code calls it; elsewhere use
    /// [`Atlas::id`](crate::Atlas::id).
    #[must_use]
    pub const fn new(bits: u32) -> Self {
        match NonZeroU32::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU32::MIN),
        }
    }

    /// Returns the bits, which are never 0.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }
}

/// Writes the bits as 8 hexadecimal digits.
impl fmt::Display for AtlasId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl SpriteId {
    /// Returns the id with this index in any atlas, for tests and for programs with one atlas.
    /// Elsewhere use [`Atlas::sprite_id`](crate::Atlas::sprite_id), whose ids other atlases refuse.
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self { index, atlas: None }
    }

    /// Returns the id with this index in an atlas. Generated code calls it.
    #[must_use]
    pub const fn of_atlas(atlas: AtlasId, index: u32) -> Self {
        Self { index, atlas: Some(atlas) }
    }

    /// Returns the index in the order of names, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Returns the atlas of the sprite; `None` for an id of [`SpriteId::new`].
    #[must_use]
    pub const fn atlas(self) -> Option<AtlasId> {
        self.atlas
    }

    /// Returns the id as one of `atlas`; `None` for an id of another atlas.
    #[inline(always)]
    pub(crate) fn within(self, atlas: AtlasId) -> Option<Self> {
        let is_here = self.atlas.is_none_or(|own| own == atlas);
        is_here.then_some(Self { atlas: Some(atlas), ..self })
    }

    /// Returns the id as a number, which is never 0, for foreign languages: the index plus 1, and the
    /// atlas in the upper 32 bits.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        let atlas = match self.atlas {
            Some(atlas) => atlas.bits(),
            None => 0,
        };
        // No atlas has 2^32 - 1 sprites.
        (atlas as u64) << 32 | self.index.wrapping_add(1) as u64
    }

    /// Returns the id with these bits, or `None` if [`to_bits`](Self::to_bits) never returns them,
    /// as 0. Atlas and world check the id on each use.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        let atlas = match NonZeroU32::new((bits >> 32) as u32) {
            Some(bits) => Some(AtlasId(bits)),
            None => None,
        };
        match (bits as u32).checked_sub(1) {
            Some(index) => Some(Self { index, atlas }),
            None => None,
        }
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
struct Bits(u64);

#[cfg(feature = "serde")]
impl From<SpriteId> for Bits {
    fn from(id: SpriteId) -> Self {
        Self(id.to_bits())
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Bits> for SpriteId {
    type Error = &'static str;

    fn try_from(Bits(bits): Bits) -> Result<Self, Self::Error> {
        Self::from_bits(bits).ok_or("a sprite id is never 0")
    }
}
