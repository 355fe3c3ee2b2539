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
mod error;
mod format;
mod locate;
mod read;
mod sprite;
mod verify;
mod write;

pub use batch::{Batch, PosePair};
pub use bytes::Aligned;
pub(crate) use check::Records;
pub use error::{AtlasError, Section};
pub(crate) use locate::{Missing, Wanted};
pub use read::Atlas;
pub use sprite::{PoseId, Sprite, SpriteId};
pub(crate) use write::{AtlasWriter, FrameEntry, SpriteEntry};

/// The atlas format, version 1.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
