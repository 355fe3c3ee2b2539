//! The face of the crate: [`Bake`], with what its methods in other files set and read.
//!
//! `options` has the setters, `inputs` adds sources, and `write` bakes them.

use crate::failures::Failures;
use crate::job::Plan;
use crate::limits::BakeLimits;
use crate::settings::SourceSettings;
use crate::source::Source;
use hitmask::Warning;
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
    pub(super) sources: Vec<Source>,
    pub(super) settings: SourceSettings,
    pub(super) plan: Plan,
    /// Files that could not be opened as sources.
    pub(super) failures: Failures,
    /// Atlas size in bytes above which the bake warns.
    pub(super) budget: u64,
    /// Files and folders whose change makes a new bake necessary.
    pub(super) watched: Vec<PathBuf>,
    pub(super) cache: Option<PathBuf>,
    pub(super) output: Option<PathBuf>,
    /// Warnings about files, found when they were added.
    pub(super) foreign: Vec<Warning>,
    pub(super) progress: Option<Progress>,
}

pub(super) type Progress = Box<dyn Fn(usize, usize) + Send + Sync>;

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
                shard: None,
            },
            failures: Failures::default(),
            budget: 512 << 20,
            watched: Vec::new(),
            cache: None,
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
