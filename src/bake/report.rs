use super::{BakeError, angle_budget};
use crate::atlas::Subject;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// What a bake did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Number of sprites.
    pub sprites: usize,
    /// Number of frames of all sprites.
    pub frames: usize,
    /// Number of frames that equal an earlier one in pixels and settings, and share its poses.
    pub shared_frames: usize,
    /// Number of poses: frames times angle steps times scales.
    pub poses: usize,
    /// Size of the atlas in bytes.
    pub bytes: usize,
    /// Number of sprites that had not changed, and were kept as the atlas before had them; the
    /// others were baked. Without a [cache](crate::Bake::cache) it is 0.
    pub kept: usize,
    /// False where the file held these bytes already, and was left alone.
    pub written: bool,
    /// What came of the [cache](crate::Bake::cache), where that is worth a word.
    pub notes: Vec<CacheNote>,
    /// Each sprite, in order of their names.
    pub each: Vec<SpriteReport>,
    /// What may not be as it was meant, in order of the sprites' names.
    pub warnings: Vec<Warning>,
    /// The sprite that takes the most, nearly.
    pub(super) largest: String,
}

/// How one sprite was baked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpriteReport {
    /// Its name.
    pub sprite: String,
    /// Angle steps in a full turn.
    pub angles: u32,
    /// Poses: frames times planes times angle steps times scales.
    pub poses: usize,
    /// The largest error that the steps leave, in pixels: how far a pixel may lie from where an
    /// exact turn would put it. 0 for what never turns.
    pub error: f32,
}

impl SpriteReport {
    pub(super) fn of(subject: &Subject) -> Self {
        let (angles, scales) = (subject.poses.angles(), subject.poses.scales().len());
        Self {
            sprite: subject.name.clone(),
            angles,
            poses: subject.images.len() * angles as usize * scales,
            error: angle_budget::error(angle_budget::reach(subject), angles) as f32,
        }
    }
}

/// Why a bake had to do more than it should, or the next will have to. The atlas is as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheNote {
    /// The cache is damaged: everything was baked.
    CacheDamaged {
        /// The file.
        path: PathBuf,
    },
    /// Where the cache should be is a file that is none, and stays as it is: the bake did without.
    CacheForeign {
        /// The file.
        path: PathBuf,
    },
    /// The cache was written by another version: everything was baked.
    CacheOfOtherVersion {
        /// The file.
        path: PathBuf,
    },
    /// The atlas is not the one that the cache tells of: everything was baked.
    CacheOfOtherAtlas {
        /// The file.
        path: PathBuf,
    },
    /// The cache cannot be written: the next bake will do more than it should.
    CacheNotWritten {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
}

impl CacheNote {
    /// The note of a cache that cannot be written.
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
                write!(f, "{} is no cache of a bake and is left as it is", path.display())
            }
            Self::CacheOfOtherVersion { path } => {
                write!(f, "{} was written by another version and was not used", path.display())
            }
            Self::CacheOfOtherAtlas { path } => write!(
                f,
                "{} tells of another atlas than the one that is there and was not used",
                path.display()
            ),
            Self::CacheNotWritten { path, cause } => {
                write!(f, "cannot write the cache {}: {cause}", path.display())
            }
        }
    }
}

impl CacheNote {
    /// Returns what to do about what `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::CacheDamaged { .. } => "nothing is to be done unless it comes again",
            Self::CacheForeign { .. } => "name another file for the cache, or remove it",
            Self::CacheOfOtherVersion { .. } => "nothing is to be done",
            Self::CacheOfOtherAtlas { .. } => "give each atlas a cache of its own",
            Self::CacheNotWritten { .. } => {
                "check that the folder exists and has room, or bake without a cache"
            }
        }
        .into()
    }
}

/// Something that may not be as it was meant. The bake went on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// No texel of a frame is solid by the alpha rule: it touches nothing.
    Empty {
        /// The sprite.
        sprite: String,
        /// The frame, from 0.
        frame: usize,
    },
    /// The threshold decides much: of the frame with the softest edges, more than 1.1 times as many
    /// texels show at all as are solid.
    Sensitive {
        /// The sprite.
        sprite: String,
        /// The frame, from 0.
        frame: usize,
        /// Texels whose alpha is 1 or more.
        seen: u64,
        /// Texels that are solid by the alpha rule.
        solid: u64,
    },
    /// Thin parts of a sprite fall apart, or most of it is lost, when it turns or shrinks.
    Thin {
        /// The sprite.
        sprite: String,
        /// The first such frame, from 0.
        frame: usize,
    },
    /// Every frame has the pixels and the pivot of that of an earlier sprite.
    Duplicate {
        /// The sprite.
        sprite: String,
        /// The earlier one.
        of: String,
    },
    /// The atlas is larger than [`Bake::budget`](crate::Bake::budget).
    OverBudget {
        /// The sprite that takes the most.
        sprite: String,
        /// Bytes of the atlas.
        bytes: u64,
        /// Bytes that it was to take at most.
        budget: u64,
    },
    /// The pivot's half-texels were one odd and one even; y was lowered by one, that is, moved
    /// half a texel up.
    PivotLowered {
        /// The sprite.
        sprite: String,
        /// The frame, from 0.
        frame: usize,
    },
}

impl Warning {
    /// The sprite it is about.
    #[must_use]
    pub fn sprite(&self) -> &str {
        match self {
            Self::Empty { sprite, .. }
            | Self::Sensitive { sprite, .. }
            | Self::Thin { sprite, .. }
            | Self::Duplicate { sprite, .. }
            | Self::OverBudget { sprite, .. }
            | Self::PivotLowered { sprite, .. } => sprite,
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
                "{sprite}, frame {frame}: {seen} texels show and {solid} are solid, so the alpha threshold moves its edge"
            ),
            Self::Thin { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: parts one texel thin break when it turns or shrinks"
            ),
            Self::Duplicate { sprite, of } => {
                write!(f, "{sprite}: its pixels are those of {of}, which it shares")
            }
            Self::OverBudget { sprite, bytes, budget } => write!(
                f,
                "{sprite} takes the most of {:.0} MB, where {:.0} were to do",
                *bytes as f64 / 1e6,
                *budget as f64 / 1e6
            ),
            Self::PivotLowered { sprite, frame } => write!(
                f,
                "{sprite}, frame {frame}: the pivot was moved half a texel up, so that both axes share a lattice"
            ),
        }
    }
}

impl Warning {
    /// Returns what to do about what `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Empty { .. } => "lower the alpha threshold if that was not meant",
            Self::Sensitive { .. } => "choose it with care",
            Self::Thin { .. } => "bake it with coverage, or draw them thicker",
            Self::Duplicate { .. } => "leave one out if that was not meant",
            Self::OverBudget { .. } => "bake fewer angles or scales, or raise the budget",
            Self::PivotLowered { .. } => {
                "give one with both coordinates whole or both halves to choose for yourself"
            }
        }
        .into()
    }
}
