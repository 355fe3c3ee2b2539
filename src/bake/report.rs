//! The report of a bake: totals, one entry per sprite, cache notes and warnings.
//!
//! Part of the public API. `sprite_info` computes the data.

use super::{BakeError, angle_budget};
use crate::atlas::SourceSprite;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// The result of a bake, as [`Bake::write`](crate::Bake::write) returns it.
///
/// ```no_run
/// use hitmask::{Bake, Mask};
/// let dot: Mask = "#".parse()?;
/// let report = Bake::new().mask("dot", dot).write("sprites.hitmask")?;
/// println!("{} sprites, {} bytes", report.sprites, report.bytes);
/// for warning in &report.warnings {
///     eprintln!("warning: {warning}; {}", warning.help());
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
    /// Number of unchanged sprites that were copied from the previous atlas. The others were baked.
    /// 0 without a [cache](crate::Bake::cache).
    pub kept: usize,
    /// False if the file already held these bytes and was left alone.
    pub written: bool,
    /// Remarks about the [cache](crate::Bake::cache).
    pub notes: Vec<CacheNote>,
    /// One entry per sprite, in order of their names.
    pub each: Vec<SpriteReport>,
    /// Possible mistakes in the sources, in order of the sprites' names.
    pub warnings: Vec<Warning>,
    /// The sprite with the largest masks, estimated.
    pub(super) largest: String,
}

/// The report on one sprite. [`Report::each`] lists them.
///
/// ```
/// use hitmask::Report;
/// fn worst(report: &Report) -> Option<&str> {
///     let worst = report.each.iter().max_by(|a, b| a.error.total_cmp(&b.error))?;
///     Some(&worst.sprite)
/// }
/// assert_eq!(worst(&Report::default()), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpriteReport {
    /// The name of the sprite.
    pub sprite: String,
    /// Angle steps in a full turn.
    pub angles: u32,
    /// Number of poses: frames times planes times angle steps times scales.
    pub poses: usize,
    /// Largest distance of a pixel from its exactly rotated position, in pixels. 0 for a sprite
    /// that does not turn.
    pub error: f32,
}

impl SpriteReport {
    pub(super) fn of(sprite: &SourceSprite) -> Self {
        let (angles, scales) = (sprite.poses.angles(), sprite.poses.scales().len());
        Self {
            sprite: sprite.name.clone(),
            angles,
            poses: sprite.images.len() * angles as usize * scales,
            error: angle_budget::error(angle_budget::radius(sprite), angles) as f32,
        }
    }
}

/// A remark about the cache: why the bake did more work than necessary, or why the next one will.
/// The atlas itself is correct.
///
/// ```
/// use hitmask::CacheNote;
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
        let (path, cause) = match error {
            BakeError::Write { path, cause } => (path, cause.to_string()),
            BakeError::Output { path, fault } => (path, fault.to_string()),
            _ => return None,
        };
        Some(Self::CacheNotWritten { path, cause })
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

/// A possible mistake in a source. The bake has continued.
///
/// ```
/// use hitmask::Warning;
/// let warning = Warning::Thin { sprite: "rope".into(), frame: 0 };
/// assert_eq!(warning.sprite(), "rope");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A frame has no solid texel by the alpha rule, so it touches nothing.
    Empty {
        /// The name of the sprite.
        sprite: String,
        /// The index of the frame, from 0.
        frame: usize,
    },
    /// The result depends strongly on the alpha threshold: more than 1.1 times as many texels are
    /// visible as are solid. Reported for the frame with the highest ratio.
    Sensitive {
        /// The name of the sprite.
        sprite: String,
        /// The index of the frame, from 0.
        frame: usize,
        /// Number of visible texels: alpha 1 or more.
        seen: u64,
        /// Number of solid texels by the alpha rule.
        solid: u64,
    },
    /// Thin parts of a sprite break apart, or most of it is lost, when it turns or shrinks.
    Thin {
        /// The name of the sprite.
        sprite: String,
        /// The first such frame, from 0.
        frame: usize,
    },
    /// All frames have the pixels and pivots of those of an earlier sprite.
    Duplicate {
        /// The name of the sprite.
        sprite: String,
        /// The name of the earlier sprite.
        of: String,
    },
    /// The atlas is larger than [`Bake::budget`](crate::Bake::budget).
    OverBudget {
        /// The sprite with the largest masks.
        sprite: String,
        /// The size of the atlas in bytes.
        bytes: u64,
        /// The budget in bytes.
        budget: u64,
    },
    /// One half-texel coordinate of the pivot was odd and the other even. The bake lowered y by 1,
    /// which moves the pivot up by half a texel.
    PivotLowered {
        /// The name of the sprite.
        sprite: String,
        /// The index of the frame, from 0.
        frame: usize,
    },
    /// A GIF ends after this frame without its end mark, so later frames may be missing.
    Truncated {
        /// The name of the sprite.
        sprite: String,
        /// The index of the last complete frame, from 0.
        frame: usize,
    },
}

impl Warning {
    /// Returns the name of the sprite that the warning is about.
    #[must_use]
    pub fn sprite(&self) -> &str {
        match self {
            Self::Empty { sprite, .. }
            | Self::Sensitive { sprite, .. }
            | Self::Thin { sprite, .. }
            | Self::Duplicate { sprite, .. }
            | Self::OverBudget { sprite, .. }
            | Self::PivotLowered { sprite, .. }
            | Self::Truncated { sprite, .. } => sprite,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { sprite, frame } => {
                write!(f, "{sprite}, frame {frame}: no texel is solid, so it touches nothing")
            }
            Self::Sensitive { sprite, frame, seen, solid } => write!(
                f,
                "{sprite}, frame {frame}: {seen} texels are visible but only {solid} are solid, so the alpha threshold shifts the edge"
            ),
            Self::Thin { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: parts of 1 texel width break when the sprite turns or shrinks"
            ),
            Self::Duplicate { sprite, of } => {
                write!(f, "{sprite}: all frames equal those of {of}, so both share their poses")
            }
            Self::OverBudget { sprite, bytes, budget } => write!(
                f,
                "the atlas takes {bytes} bytes, more than the budget of {budget} bytes; {sprite} takes the most"
            ),
            Self::PivotLowered { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: the pivot was moved up by half a texel, so that both coordinates are whole or both are half"
            ),
            Self::Truncated { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: the file ends here without its end mark, so later frames may be missing"
            ),
        }
    }
}

impl Warning {
    /// Returns the remedy for the problem that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Empty { .. } => "lower the alpha threshold if the frame should not be empty",
            Self::Sensitive { .. } => "check the alpha threshold",
            Self::Thin { .. } => "bake the sprite with coverage sampling, or draw thicker lines",
            Self::Duplicate { .. } => "remove one of the two if they should not be equal",
            Self::OverBudget { .. } => "bake fewer angles or scales, or raise the budget",
            Self::PivotLowered { .. } => "set a pivot with both coordinates whole or both half",
            Self::Truncated { .. } => "export or download the file again",
        }
        .into()
    }
}
