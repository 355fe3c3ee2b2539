//! Bakes art on disk into an atlas for [hitmask]: images, animations, sheets, Aseprite and Tiled
//! files, and a manifest with settings for each.
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

mod anchor;
mod atomic_write;
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
mod names;
mod options;
mod output_guard;
mod pipeline;
mod plan;
mod previous;
mod report;
mod shape;
mod shard;
mod sheet_guess;
mod staleness;
mod text;
mod write;

pub use anchor::Anchor;
pub use atomic_write::{remove_temporary_files, replace as replace_file};
pub use error::{BakeError, BakeFault, Place};
pub use hitmask::{
    AlphaRule, AtlasBuilder, BuildError, BuildFault, Channel, ColorRange, Mask, Pivot, Sampling,
    Settings, SpriteReport, Warning,
};
pub use image::{Grid, GridOrder};
pub use limits::BakeLimits;
pub use options::{LayerPlane, SourceSettings};
pub use report::{CacheNote, Report};
pub use shard::{MergeReport, merge};
pub use staleness::CheckReport;
#[doc = include_str!("MANIFEST.md")]
pub mod manifest_format {}
#[doc = include_str!("SHARDS.md")]
pub mod shards {}

use failures::Failures;
use inputs::Source;
use pipeline::Plan;
use std::fmt;
use std::path::{Path, PathBuf};

/// Bakes sprites into an atlas.
///
/// Name the sources and settings in any order, then write:
///
/// ```no_run
/// let bake = hitmask_bake::Bake::new().sprites("art")?.angles(32).scales([0.5, 1.0]);
/// println!("{} sprites", bake.write("sprites.hitmask")?.sprites);
/// # Ok::<(), hitmask_bake::BakeError>(())
/// ```
///
/// The setters change the settings of all sources that were not added with settings of their own.
pub struct Bake {
    sources: Vec<Source>,
    settings: SourceSettings,
    plan: Plan,
    /// Files that could not be opened as sources.
    failures: Failures,
    /// Atlas size in bytes above which the bake warns.
    budget: u64,
    /// Files and folders whose change makes a new bake necessary.
    watched: Vec<PathBuf>,
    cache: Option<PathBuf>,
    /// Shard number, from 1, and number of shards.
    shard: Option<[u32; 2]>,
    output: Option<PathBuf>,
    /// Warnings about files, found when they were added.
    foreign: Vec<Warning>,
    progress: Option<Progress>,
}

type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

impl Bake {
    /// Returns a bake without sources, with default [`SourceSettings`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            sources: Vec::new(),
            settings: SourceSettings::default(),
            plan: Plan {
                resolution: 1.0,
                max_bytes: None,
                compact: false,
                limits: BakeLimits::default(),
            },
            failures: Failures::default(),
            budget: 512 << 20,
            watched: Vec::new(),
            cache: None,
            shard: None,
            output: None,
            foreign: Vec::new(),
            progress: None,
        }
    }

    /// Returns the output path of the manifest that was read last, if it names one.
    #[must_use]
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

impl Default for Bake {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Bake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bake")
            .field("sources", &self.sources.len())
            .field("settings", &self.settings)
            .finish()
    }
}
