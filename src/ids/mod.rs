//! Ids of atlases, sprites, colliders and runtime masks.
//!
//! Checked on each use. Foreign languages keep an id as 64 bits.

mod collider;
mod sprite;

pub use collider::{ColliderId, MAX_COLLIDERS, MaskId};
#[cfg(feature = "runtime")]
pub(crate) use collider::{MASK_TAG, MAX_GENERATION, MAX_MASK_GENERATION, next_generation};
pub use sprite::{AtlasId, SpriteId};
