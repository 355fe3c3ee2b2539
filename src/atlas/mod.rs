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
mod digest;
mod drawing_cost;
mod drawn_poses;
mod error;
#[cfg(feature = "runtime")]
mod fidelity;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod finish;
mod format;
mod id;
mod options;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod pool_writer;
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "some of it is for bakes"))]
mod pose_job;
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
#[cfg(feature = "bake")]
pub(crate) use aligned_bytes::Bytes;
pub use atlas::Atlas;
#[cfg(feature = "runtime")]
pub use batch::{Batch, PosePair};
#[cfg(feature = "bake")]
pub(crate) use builder::Drawer;
#[cfg(feature = "bake")]
pub(crate) use compact::CompactWriter;
#[cfg(feature = "bake")]
pub(crate) use drawing_cost::check as check_drawing_cost;
pub use error::{AtlasError, IoCause, Section};
#[cfg(feature = "runtime")]
pub use fidelity::Fidelity;
#[cfg(feature = "bake")]
pub(crate) use finish::Finished;
#[cfg(feature = "bake")]
pub(crate) use format::{MAGIC, SHARD_MAGIC};
pub use id::{AtlasId, PoseId, SpriteId};
pub use options::{AtlasOptions, DrawingCost};
#[cfg(feature = "bake")]
pub(crate) use pool_writer::{Scratch, WriteError};
#[cfg(feature = "bake")]
pub(crate) use pose_job::{DrawError, Entry};
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

/// The atlas file format.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
