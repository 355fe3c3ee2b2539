//! The atlas: every posed mask of every sprite in one block of bytes.
//!
//! [`Atlas`] opens such bytes, checks them, and hands out masks without copying. `AtlasWriter`
//! makes them. What is kept true: once an atlas has opened, nothing panics or reads astray,
//! whatever the bytes were.

#[cfg(target_endian = "big")]
compile_error!("hitmask reads its atlas in place, and the atlas is little-endian");

mod batch;
mod bytes;
mod check;
mod compact;
mod draw;
mod error;
mod fidelity;
mod file;
mod format;
mod id;
mod locate;
mod packed;
mod pool;
mod read;
mod sprite;
mod stored;
mod subject;
mod verify;
mod write;

pub use batch::{Batch, PosePair};
pub use bytes::Aligned;
pub(crate) use check::Records;
pub(crate) use compact::compact;
pub(crate) use draw::{DrawError, Drawer, Entry};
pub use error::{AtlasError, Section};
pub use fidelity::Fidelity;
pub(crate) use file::{AtlasFile, Kept};
pub(crate) use format::{MAGIC, SHARD_MAGIC};
pub use id::{PoseId, SpriteId};
pub(crate) use locate::{Cast, Located, Missing, Poses, Wanted};
pub use read::Atlas;
pub(crate) use sprite::DEFAULT_PLANE;
pub use sprite::Sprite;
pub(crate) use subject::{Image, Subject};

/// The atlas format, version 2.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
