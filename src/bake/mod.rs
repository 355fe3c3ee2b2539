//! The bake: makes the bytes of an atlas from images, at build time.
//!
//! ```text
//! sources --decode--> masks --dedupe--> distinct masks --rasterise--> poses --write--> bytes
//! ```
//!
//! Called by build scripts and by the command line. Games compile it only with the feature `bake`.
//! Invariants: the same sources and settings give the same bytes, on any machine and with any
//! number of threads. A bake that fails leaves the previous output file unchanged. Memory does not
//! follow the size of the atlas: the masks of a large one grow in a file.

mod angle_budget;
mod atomic_write;
mod binary;
mod build_script;
mod cache;
mod error;
mod error_display;
mod failures;
mod fault;
#[cfg(feature = "image")]
mod image;
mod incremental;
mod inputs;
mod job;
mod limits;
#[cfg(feature = "image")]
mod manifest;
mod motion_union;
mod names;
mod options;
mod output_guard;
mod pipeline;
mod report;
mod settings;
mod shard;
mod solidify;
mod sprite_info;
mod staleness;
mod temporary_file;
mod thresholds;
mod warning;
mod write;

pub use atomic_write::replace as replace_file;
pub use error::BakeError;
pub use fault::{FrameFault, OutputRefused, ThresholdFault};
#[cfg(feature = "image")]
pub use image::Grid;
pub use limits::BakeCost;
#[cfg(feature = "image")]
pub use limits::BakeLimits;
#[cfg(feature = "image")]
#[doc = include_str!("MANIFEST.md")]
pub mod manifest_format {}
#[doc = include_str!("SHARDS.md")]
pub mod shards {}
pub use report::{CacheNote, Report, SpriteReport};
pub use settings::{LayerPlane, Settings};
pub use shard::{MergeError, MergeReport, merge};
pub use staleness::CheckReport;
pub use warning::Warning;

use failures::Failures;
use inputs::Source;
use pipeline::Plan;
use std::fmt;
#[cfg(feature = "image")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "image")]
use image::Pages;
/// Placeholder for the page cache, which exists only with the feature `image`.
#[cfg(not(feature = "image"))]
#[derive(Debug, Default)]
struct Pages {}

/// Bakes sprites into an atlas.
///
/// Needs the feature `bake` for sources in memory, or `image` for files as well. Name the sources
/// and settings in any order, then write:
///
/// ```
/// use hitmask::{Atlas, Bake, Mask};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let bytes = Bake::new().mask("arrow", arrow).angles(32).scales([0.5, 1.0]).to_bytes()?;
/// let atlas = Atlas::from_vec(bytes)?;
/// assert_eq!(atlas.sprites().next().unwrap().angles(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The setters change the settings of all sources that were not added with settings of their own.
pub struct Bake {
    sources: Vec<Source>,
    settings: Settings,
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
    #[cfg(feature = "image")]
    output: Option<PathBuf>,
    /// Warnings about files that were passed over.
    foreign: Vec<Warning>,
    progress: Option<Progress>,
}

type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

impl Bake {
    /// Returns a bake without sources, with default [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            sources: Vec::new(),
            settings: Settings::default(),
            plan: Plan {
                resolution: 1.0,
                max_bytes: None,
                compact: false,
                #[cfg(feature = "image")]
                limits: BakeLimits::new(),
            },
            failures: Failures::default(),
            budget: 512 << 20,
            watched: Vec::new(),
            cache: None,
            shard: None,
            #[cfg(feature = "image")]
            output: None,
            foreign: Vec::new(),
            progress: None,
        }
    }

    /// Returns the output path of the manifest that was read last, if it names one.
    #[cfg(feature = "image")]
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
