//! The report of a bake: totals, one entry per sprite, and cache notes.
//!
//! Part of the public API.

use crate::error::{BakeError, BakeFault};
use hitmask::baking::{SpriteInfo, summary};
use hitmask::{BuildReport, SpriteReport, Warning};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// The result of a bake, as [`Bake::write`](crate::Bake::write) returns it.
///
/// ```no_run
/// use hitmask_bake::{Bake, Mask};
/// let dot: Mask = "#".parse()?;
/// let report = Bake::new().mask("dot", dot).write("sprites.hitmask")?;
/// println!("{} sprites, {} bytes", report.sprites, report.bytes);
/// for line in report.summary() {
///     eprintln!("warning: {line}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Number of sprites.
    pub sprites: usize,
    /// Number of frames of all sprites together.
    pub frames: usize,
    /// Number of frames that share the poses of an earlier frame with equal pixels and settings.
    pub shared_frames: usize,
    /// Number of poses: frames times planes times angle steps times scales.
    pub poses: usize,
    /// Size of the atlas in bytes.
    pub bytes: usize,
    /// Number of sprites that were copied from the previous atlas: unchanged ones, which need a
    /// [cache](crate::Bake::cache), and those in `stale`. The others were baked.
    pub kept: usize,
    /// False if the file already held these bytes and was left alone.
    pub written: bool,
    /// Files that could not be baked, each with its fault. Empty unless
    /// [`Bake::keep_going`](crate::Bake::keep_going) is set, because a fault is an error otherwise.
    pub failures: Vec<(PathBuf, BakeError)>,
    /// Names of the sprites of these files that the previous atlas had, in ascending order. They keep the
    /// masks of the last bake that could read their files. All other sprites of these files are left out.
    pub stale: Vec<String>,
    /// Remarks about the [cache](crate::Bake::cache).
    pub notes: Vec<CacheNote>,
    /// One entry per sprite, in order of their names.
    pub each: Vec<SpriteReport>,
    /// Probable mistakes in the sources, in order of the sprites' names.
    pub warnings: Vec<Warning>,
    /// Findings that are rarely mistakes, in the same order: those with
    /// [`Warning::is_hint`]. Look at them if a sprite collides other than expected.
    pub hints: Vec<Warning>,
    /// The sprite with the largest masks, estimated.
    pub(super) largest: String,
}

impl Report {
    /// Returns the problems as at most one line per kind: their number, the worst example and the
    /// remedy. Build scripts and the command line print these lines. Problems are
    /// [`failures`](Self::failures) and [`warnings`](Self::warnings).
    ///
    /// ```
    /// use hitmask_bake::{Bake, Mask};
    /// let path = std::env::temp_dir().join(format!("hitmask-summary-{}", std::process::id()));
    /// let blank: Mask = "..".parse()?;
    /// let report = Bake::new().mask("a", blank.clone()).mask("b", blank).write(&path)?;
    /// assert!(report.summary()[0].starts_with("2 frames are empty, such as a, frame 0: "));
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((_, error)) = self.failures.first() {
            let (count, help) = (self.failures.len(), error.help());
            let files = if count == 1 { "file" } else { "files" };
            lines.push(one_line(format!(
                "{count} {files} cannot be baked, such as: {error}; {help}"
            )));
        }
        lines.extend(self.stale_line().map(one_line));
        lines.extend(summary(&self.warnings).into_iter().map(one_line));
        lines
    }
}

/// Replaces the line breaks that names of files can have.
fn one_line(text: String) -> String {
    text.replace(['\n', '\r'], " ")
}

impl Report {
    /// Returns the line of [`summary`](Self::summary) about sprites with old masks, if there are any.
    #[must_use]
    pub fn stale_line(&self) -> Option<String> {
        let (first, others) = self.stale.split_first()?;
        let (sprites, keep) = match others.len() {
            0 => (format!("{first:?}"), "keeps its masks"),
            more => (format!("{first:?} and {more} more"), "keep their masks"),
        };
        let when = "of the last bake that could read its file";
        Some(format!("{sprites} {keep} {when}; repair the file and bake again"))
    }

    /// Returns the number of [full rectangles](Warning::Opaque) among the hints, an example and the remedy, if
    /// there are any. Build scripts and the command line print this line, because art without alpha hits
    /// as its box does.
    #[must_use]
    pub fn opaque_line(&self) -> Option<String> {
        let is_opaque = |hint: &&Warning| matches!(hint, Warning::Opaque { .. });
        let opaque: Vec<Warning> = self.hints.iter().filter(is_opaque).cloned().collect();
        summary(&opaque).pop().map(one_line)
    }

    /// Returns the report on these sprites, in order of their names, in an atlas of `bytes` bytes.
    pub(super) fn new(infos: &[SpriteInfo], bytes: usize) -> Self {
        let BuildReport { frames, shared_frames, poses, each, warnings, hints, largest, .. } =
            BuildReport::new(infos, bytes);
        let sprites = each.len();
        let of_sprites = Self { sprites, frames, shared_frames, poses, bytes, ..Self::default() };
        Self { each, warnings, hints, largest, ..of_sprites }
    }
}

/// A remark about the cache: why the bake did more work than necessary, or why the next one will.
/// The atlas itself is correct.
///
/// ```
/// use hitmask_bake::CacheNote;
/// let note = CacheNote::CacheDamaged { path: "sprites.cache".into() };
/// assert_eq!(note.to_string(), "sprites.cache is a damaged cache and was not used");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheNote {
    /// The cache is damaged. All sprites were baked.
    CacheDamaged {
        /// The path of the cache.
        path: PathBuf,
    },
    /// The cache path leads to a file that is not a cache. It was left unchanged, and the bake ran
    /// without a cache.
    CacheForeign {
        /// The path of the file.
        path: PathBuf,
    },
    /// Another version wrote the cache. All sprites were baked.
    CacheOfOtherVersion {
        /// The path of the cache.
        path: PathBuf,
    },
    /// The cache describes another atlas than the one in the output file. All sprites were baked.
    CacheOfOtherAtlas {
        /// The path of the cache.
        path: PathBuf,
    },
    /// The cache cannot be written. The next bake will do more work than necessary.
    CacheNotWritten {
        /// The path of the cache.
        path: PathBuf,
        /// The system's error message.
        cause: String,
    },
}

impl CacheNote {
    /// Converts a write error to a note.
    pub(super) fn not_written(error: BakeError) -> Option<Self> {
        let cause = match error.fault {
            BakeFault::Write(cause) => cause.to_string(),
            BakeFault::Output { reason } => reason.to_owned(),
            _ => return None,
        };
        Some(Self::CacheNotWritten { path: error.place.path?, cause })
    }
}

impl fmt::Display for CacheNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CacheDamaged { path } => {
                write!(f, "{} is a damaged cache and was not used", path.display())
            }
            Self::CacheForeign { path } => {
                write!(f, "{} is not a cache of a bake and was left unchanged", path.display())
            }
            Self::CacheOfOtherVersion { path } => {
                write!(f, "another version wrote the cache {}, so it was not used", path.display())
            }
            Self::CacheOfOtherAtlas { path } => write!(
                f,
                "the cache {} describes another atlas than the output file, so it was not used",
                path.display()
            ),
            Self::CacheNotWritten { path, cause } => {
                write!(f, "cannot write the cache {}: {cause}", path.display())
            }
        }
    }
}

impl CacheNote {
    /// Returns the remedy for the problem that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::CacheDamaged { .. } => "check the disk if this happens again",
            Self::CacheForeign { .. } => "choose another path for the cache, or remove the file",
            Self::CacheOfOtherVersion { .. } => "do nothing: the bake has replaced the cache",
            Self::CacheOfOtherAtlas { .. } => "use a separate cache for each atlas",
            Self::CacheNotWritten { .. } => {
                "check that the folder exists and that the disk has room, or bake without a cache"
            }
        }
        .into()
    }
}
