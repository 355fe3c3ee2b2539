//! Bakes art on disk into an atlas for [hitmask]: images, animations, sheets, Aseprite files, and levels
//! of Tiled and LDtk. A manifest has settings for each.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), hitmask_bake::BakeError> {
//!     hitmask_bake::Bake::new().angles(64).sprites("art")?.write_out_dir("sprites")?;
//!     Ok(())
//! }
//! ```
//!
//! The game brings the atlas in with [`include_atlas!`](hitmask::include_atlas). [`manifest_format`] has the
//! keys of `hitmask.toml`, [`shards`] recipes for a bake on many machines. Masks that are in memory need
//! no files: [`AtlasBuilder`] bakes them, and [`Bake::frames`] adds them to a bake of files.
//!
//! ```text
//! sources --decode--> frames --hitmask::baking--> trimmed masks --draw--> poses --write--> file
//! ```
//!
//! The same sources and settings give the same bytes, on any machine and with any number of threads. A
//! bake that fails leaves the previous output file unchanged. Memory does not follow the size of the
//! atlas: the masks of a large one grow in a file.

mod atomic_write;
mod bake;
mod binary;
mod build_script;
mod cache;
mod error;
mod failures;
mod image;
mod incremental;
mod inputs;
mod job;
mod limits;
mod manifest;
mod map_rule;
mod names;
mod options;
mod output_guard;
mod pipeline;
mod previous;
mod read_file;
mod report;
mod settings;
mod shard;
mod sheet_guess;
mod source;
mod staleness;
mod text;
mod write;

pub use atomic_write::{remove_temporary_files, replace as replace_file};
pub use bake::Bake;
pub use error::{BakeError, BakeFault, Place};
pub use hitmask::{
    AlphaRule, AtlasBuilder, BuildError, BuildFault, Channel, ColorRange, Mask, Pivot, Sampling,
    Settings, SpriteReport, Warning,
};
pub use image::{Grid, GridOrder};
#[doc(hidden)]
pub use image::{LevelArt, Texels};
pub use limits::BakeLimits;
pub use map_rule::MapRule;
pub use report::{CacheNote, Report};
pub use settings::{Anchor, LayerPlane, SourceSettings};
pub use shard::{MergeReport, merge};
pub use staleness::CheckReport;
#[doc = include_str!("MANIFEST.md")]
pub mod manifest_format {}
#[doc = include_str!("SHARDS.md")]
pub mod shards {}
