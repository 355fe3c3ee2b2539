//! The atlas: every posed mask of every sprite in one block of bytes.
//!
//! [`Atlas`] opens such bytes, checks them, and hands out masks without copying. `AtlasWriter`
//! makes them. What is kept true: once an atlas has opened, nothing panics or reads astray,
//! whatever the bytes were.

#[cfg(target_endian = "big")]
compile_error!("hitmask reads its atlas in place, and the atlas is little-endian");

#[cfg(feature = "runtime")]
mod batch;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod builder;
mod bytes;
mod check;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod compact;
mod error;
#[cfg(feature = "runtime")]
mod fidelity;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod file;
mod format;
mod id;
mod locate;
mod packed;
mod pool;
mod read;
mod source_sprite;
mod sprite;
mod verify;
mod write;

#[cfg(feature = "runtime")]
pub use batch::{Batch, PosePair};
#[cfg(feature = "bake")]
pub(crate) use builder::{DrawError, Drawer, Entry};
pub use bytes::Aligned;
pub(crate) use check::Records;
#[cfg(feature = "bake")]
pub(crate) use compact::compact;
pub use error::{AtlasError, Section};
#[cfg(feature = "runtime")]
pub use fidelity::Fidelity;
#[cfg(feature = "bake")]
pub(crate) use file::{AtlasFile, Kept};
#[cfg(feature = "bake")]
pub(crate) use format::{MAGIC, SHARD_MAGIC};
pub use id::{PoseId, SpriteId};
pub(crate) use locate::{Cast, Located, Missing, Poses, Wanted};
pub use read::Atlas;
#[cfg(feature = "bake")]
pub(crate) use source_sprite::{Image, Subject};
#[cfg(feature = "bake")]
pub(crate) use sprite::DEFAULT_PLANE;
pub use sprite::Sprite;

/// The atlas format, version 2.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
