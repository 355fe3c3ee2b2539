//! The bake: from images to the bytes of an atlas, at build time.
//!
//! ```text
//! sources --decode--> masks --dedupe--> distinct masks --rasterise--> poses --write--> bytes
//! ```
//!
//! Build scripts and the command line share this module; games compile it only with the feature
//! `bake`. Invariants: the same sources and settings give the same bytes, on any machine and at any
//! number of threads; and a bake that fails leaves the file it was to replace as it was.

mod angle_budget;
mod atomic_write;
mod binary;
mod build_script;
mod cache;
mod error;
mod error_display;
#[cfg(feature = "image")]
mod image;
mod incremental;
mod inputs;
#[cfg(feature = "image")]
mod manifest;
mod motion_union;
mod options;
mod output_guard;
mod pipeline;
mod report;
mod settings;
mod shard;
mod solidify;
mod sprite_info;
mod staleness;
mod write;

pub use atomic_write::replace as replace_file;
pub use error::{BakeError, FrameFault, OutputRefused};
#[cfg(feature = "image")]
pub use image::Grid;
#[cfg(feature = "image")]
#[doc = include_str!("MANIFEST.md")]
pub mod manifest_format {}
#[doc = include_str!("SHARDS.md")]
pub mod shards {}
pub use report::{CacheNote, Report, SpriteReport, Warning};
pub use settings::{Channel, ColorRange, LayerPlane, Settings};
pub use shard::{MergeError, MergeReport, merge};
pub use staleness::CheckReport;

use inputs::Source;
use pipeline::Plan;
use std::fmt;
#[cfg(feature = "image")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "image")]
use image::Pages;
/// Nothing is shared where no files are read.
#[cfg(not(feature = "image"))]
#[derive(Debug, Default)]
struct Pages {}

/// Bakes sprites into an atlas.
///
/// Needs the feature `bake`, for sources in memory, or `image`, for files too. Name the sources and
/// the settings, in any order, then write:
///
/// ```
/// use hitmask::{Atlas, Bake, Mask};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let bytes = Bake::new().mask("arrow", arrow).angles(32).scales([0.5, 1.0]).to_bytes()?;
/// assert_eq!(Atlas::from_vec(bytes)?.get(hitmask::SpriteId::new(0)).unwrap().angles(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The setters change the settings of every source that was not given settings of its own.
pub struct Bake {
    sources: Vec<Source>,
    settings: Settings,
    plan: Plan,
    /// Bytes of an atlas beyond which a bake warns.
    budget: u64,
    /// Files and folders a change to which calls for another bake.
    watched: Vec<PathBuf>,
    cache: Option<PathBuf>,
    /// Which of how many shards to bake, from 1.
    shard: Option<[u32; 2]>,
    #[cfg(feature = "image")]
    output: Option<PathBuf>,
    progress: Option<Progress>,
}

type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

impl Bake {
    /// A bake without sources, at the default [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            sources: Vec::new(),
            settings: Settings::default(),
            plan: Plan { resolution: 1.0, max_bytes: None, compact: false },
            budget: 512 << 20,
            watched: Vec::new(),
            cache: None,
            shard: None,
            #[cfg(feature = "image")]
            output: None,
            progress: None,
        }
    }

    /// Where the manifest that was read last puts the atlas, if it says so.
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
