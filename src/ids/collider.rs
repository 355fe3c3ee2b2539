//! [`ColliderId`] and [`MaskId`]: the ids of colliders and runtime masks.
//!
//! Checked on each use. Foreign languages keep an id as 64 bits.
//!
//! Invariants: an id is an index with a revision: the generation plus 1. A revision is never 0, so
//! 64 zero bits are no id. An id of a removed collider stays stale until the generation wraps, after
//! 2^32 - 1 uses. An id of a removed mask stays stale for ever. In memory an id is the little-endian
//! number of `to_bits`. [`MASK_TAG`] is set in every id of a mask and in none of a collider, so no number
//! is an id of both.

use std::fmt;

/// Maximum number of colliders in a world.
pub const MAX_COLLIDERS: usize = (1 << 31) - 1;

/// Returns the generation that follows `generation`. Skips the one whose revision would be 0.
pub(crate) const fn next_generation(generation: u32) -> u32 {
    if generation >= MAX_GENERATION { 0 } else { generation + 1 }
}

/// The last generation before the first one comes again.
pub(crate) const MAX_GENERATION: u32 = u32::MAX - 1;

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    index: u32,
    generation: u32,
}

/// The last generation of a mask: its id is below 2^53, which a number of JavaScript holds exactly. An
/// index whose generation exceeds it is retired.
pub(crate) const MAX_MASK_GENERATION: u32 = (1 << 21) - 2;

/// The bit of an index that is set in ids of masks. Indices of colliders and of masks are below it.
pub(crate) const MASK_TAG: u32 = 1 << 31;

/// Defines an id by the tag in its index, its index and its revision.
macro_rules! id {
    ($(#[$documentation:meta])* $name:ident, $tag:expr, $index:literal, $first:literal) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "Parts", into = "Parts"))]
        #[repr(C, align(8))]
        pub struct $name {
            index: u32,
            revision: u32,
        }

        impl $name {
            const TAG: u32 = $tag;

            #[inline(always)]
            pub(crate) const fn new(index: u32, generation: u32) -> Self {
                Self { index: index | Self::TAG, revision: generation.wrapping_add(1) }
            }

            #[doc = $index]
            #[inline(always)]
            #[must_use]
            pub const fn index(self) -> u32 {
                self.index & !Self::TAG
            }

            #[doc = $first]
            #[inline(always)]
            #[must_use]
            pub(crate) const fn generation(self) -> u32 {
                self.revision.wrapping_sub(1)
            }

            /// Returns the id as a number, which is never 0: the index in the lower 31 bits, the
            /// generation plus 1 in the upper 32. Bit 31 is set for masks and clear for colliders. For
            /// foreign languages, and for data of your own that holds numbers only.
            #[must_use]
            pub const fn to_bits(self) -> u64 {
                (self.revision as u64) << 32 | self.index as u64
            }

            /// Returns the id with these bits, or `None` if [`to_bits`](Self::to_bits) never returns
            /// them, as 0 or those of the other kind of id. The world checks the id on each use, as every other id.
            #[must_use]
            pub const fn from_bits(bits: u64) -> Option<Self> {
                let (index, revision) = (bits as u32, (bits >> 32) as u32);
                if revision == 0 || index & MASK_TAG != Self::TAG {
                    None
                } else {
                    Some(Self { index, revision })
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("index", &self.index())
                    .field("generation", &self.generation())
                    .finish()
            }
        }

        #[cfg(feature = "serde")]
        impl From<$name> for Parts {
            fn from(id: $name) -> Self {
                Self { index: id.index(), generation: id.generation() }
            }
        }

        #[cfg(feature = "serde")]
        impl From<Parts> for $name {
            fn from(parts: Parts) -> Self {
                Self::new(parts.index, parts.generation)
            }
        }
    };
}

id! {
    /// Id of a collider in one world; small and cheap to copy.
    ///
    /// After its collider is removed, the id is stale: it never refers to the collider that reuses
    /// the slot. Ids do not record their world. In another world that is not a clone, an id may
    /// refer to an unrelated collider.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// use hitmask::ColliderId;
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// let mut world = World::new(atlas);
    /// let old = world.insert(a)?;
    /// world.remove(old);
    /// let new = world.insert(a)?;
    /// assert_eq!((old.index(), new.index()), (0, 0));
    /// assert_eq!((old.to_bits() >> 32, new.to_bits() >> 32), (1, 2));
    /// assert_eq!(world.get(old), None);
    /// assert_eq!(ColliderId::from_bits(new.to_bits()), Some(new));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ColliderId, 0,
    "Returns the slot in the world, counted from 0. No two colliders share a slot at a time, and
    freed slots are reused, so it can index arrays of your own.",
    "Returns the number of times that the slot had been freed when this id was given."
}

id! {
    /// Id of a runtime mask in one world. After its mask is removed, the id is stale: it never
    /// refers to the mask that reuses the index. An index is reused at most 2,097,150 times, so the
    /// [bits](Self::to_bits) are below 2^53.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Mask, Pivot, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// let mut world = World::new(atlas);
    /// let id = world.masks_mut().insert(Mask::disc(4)?, Pivot::Center)?;
    /// world.masks_mut().remove(id)?;
    /// assert_eq!(world.mask(id), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    MaskId, MASK_TAG,
    "Returns the index among the runtime masks of the world, counted from 0.",
    "Returns the number of times that the index had been freed when this id was given."
}

impl ColliderId {
    #[inline(always)]
    pub(crate) const fn slot(self) -> usize {
        self.index as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_skip_the_one_whose_revision_is_0() {
        assert_eq!([0, 7, MAX_GENERATION].map(next_generation), [1, 8, 0]);
        assert_eq!(ColliderId::new(3, MAX_GENERATION).to_bits() >> 32, u64::from(u32::MAX));
    }
}
