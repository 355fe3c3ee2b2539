//! The atlas: every posed mask of every sprite in one block of bytes.
//!
//! [`Atlas`] opens such bytes, checks them and returns masks without copying. The bake and the
//! compact format write them through `AtlasWriter`. `world` and `narrow` read poses through
//! `Records` and [`Batch`].
//!
//! Invariants: after an atlas has opened, no query panics or reads out of range, whatever the bytes
//! are. Only `format` knows byte offsets.

#[cfg(target_endian = "big")]
compile_error!("hitmask reads its atlas in place, and the atlas is little-endian");

mod aligned_bytes;
#[expect(clippy::module_inception, reason = "the file holds the type `Atlas`")]
mod atlas;
#[cfg(feature = "runtime")]
mod batch;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod builder;
#[cfg(feature = "runtime")]
mod combined;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod compact;
mod compression;
mod content;
mod drawing_cost;
mod error;
#[cfg(feature = "runtime")]
mod fidelity;
mod format;
mod id;
mod open;
mod options;
#[cfg(feature = "runtime")]
mod parts;
mod pool_writer;
mod pose_lookup;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod reuse;
mod source_sprite;
mod sprite;
mod threshold;
mod undrawn;
mod validate;
mod verify;
mod write;

pub use aligned_bytes::Aligned;
pub use atlas::Atlas;
#[cfg(feature = "runtime")]
pub use batch::{Batch, PosePair};
#[cfg(feature = "bake")]
pub(crate) use builder::{DrawError, Drawer, Entry};
#[cfg(feature = "bake")]
pub(crate) use compact::compact;
#[cfg(feature = "bake")]
pub(crate) use drawing_cost::check as check_drawing_cost;
pub use error::{AtlasError, IoCause, Section};
#[cfg(feature = "runtime")]
pub use fidelity::Fidelity;
#[cfg(feature = "bake")]
pub(crate) use format::{MAGIC, SHARD_MAGIC};
pub use id::{AtlasId, PoseId, SpriteId};
pub use options::{AtlasOptions, DrawingCost};
pub(crate) use pose_lookup::{Located, MissingPart, PoseRequest, SpritePoses};
#[cfg(feature = "bake")]
pub(crate) use reuse::{AtlasFile, Kept};
#[cfg(feature = "bake")]
pub(crate) use source_sprite::{Image, SourceSprite};
#[cfg(feature = "bake")]
pub(crate) use sprite::DEFAULT_PLANE;
pub use sprite::Sprite;
#[cfg(feature = "bake")]
pub(crate) use threshold::threshold_plane;
#[cfg(feature = "runtime")]
pub(crate) use undrawn::PoseDrawer;
pub(crate) use validate::Records;

/// The atlas file format, version 3.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
