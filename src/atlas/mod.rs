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
mod alike;
mod assembler;
#[expect(clippy::module_inception, reason = "the file holds the type `Atlas`")]
mod atlas;
#[cfg(feature = "runtime")]
mod batch;
mod build_error;
#[cfg(feature = "runtime")]
mod combined;
mod compact;
mod compression;
mod digest;
mod drawing_cost;
mod drawn_poses;
mod error;
#[cfg(feature = "runtime")]
mod fidelity;
mod finish;
mod format;
mod id;
mod map;
mod options;
mod pool_writer;
mod pose_job;
mod pose_lookup;
mod reuse;
mod source_sprite;
mod sprite;
mod threshold;
mod undrawn;
mod validate;
mod verify;
mod write;

pub use aligned_bytes::Aligned;
pub use alike::alike;
pub use assembler::Assembler;
pub use atlas::Atlas;
#[cfg(feature = "runtime")]
pub use batch::{Batch, PosePair};
pub use build_error::{BuildError, BuildFault};
pub use digest::of_value as digest;
pub use error::{FileError, IoCause, Section};
#[cfg(feature = "runtime")]
pub use fidelity::Fidelity;
pub use finish::Finished;
pub use format::{MAGIC, SHARD_MAGIC};
pub use id::PoseId;
pub use map::{Map, MapItem, MapShape};
pub use options::{AtlasOptions, DrawingCost};
pub use pool_writer::Scratch;
pub use pose_job::Entry;
pub(crate) use pose_lookup::{Located, MissingPart, PoseRequest, SpritePoses};
pub use reuse::{AtlasFile, Kept};
pub(crate) use source_sprite::Image;
pub use source_sprite::SourceSprite;
pub use sprite::{DEFAULT_PLANE, Sprite};
pub(crate) use threshold::threshold_plane;
#[cfg(feature = "runtime")]
pub(crate) use undrawn::PoseDrawer;
pub(crate) use validate::Records;

/// The atlas file format.
#[doc = include_str!("FORMAT.md")]
pub mod file_format {}
