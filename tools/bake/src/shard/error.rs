//! [`MergeError`]: the reasons why shards cannot be merged.

use crate::{BuildError, OutputRefused, error_display};
use hitmask::{AtlasError, IoCause};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// The reason why shards cannot be merged. Nothing has been written. `Display` states the fault and
/// [`help`](Self::help) the remedy.
///
/// ```
/// use hitmask::AtlasOptions;
/// let none = Vec::<&str>::new();
/// let error = hitmask_bake::merge("sprites.hitmask", none, AtlasOptions::new()).unwrap_err();
/// assert_eq!(error.to_string(), "no shard was given");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MergeError {
    /// No shard was given.
    NoShards,
    /// A file cannot be read.
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        cause: IoCause,
    },
    /// A file is neither a shard nor an atlas.
    NotAShard {
        /// The path of the file.
        path: PathBuf,
    },
    /// A file is a whole atlas, not a shard.
    AnAtlas {
        /// The path of the file.
        path: PathBuf,
    },
    /// A shard was written by another version.
    Version {
        /// The path of the file.
        path: PathBuf,
    },
    /// The head of a shard is damaged, or contradicts the sprites after it.
    Damaged {
        /// The path of the file.
        path: PathBuf,
    },
    /// The sprites of a shard are damaged.
    Sprites {
        /// The path of the file.
        path: PathBuf,
        /// The fault in its sprites.
        cause: AtlasError,
    },
    /// Two shards belong to different bakes: the sprites, settings or shard counts differ.
    OtherBake {
        /// The path of one file.
        first: PathBuf,
        /// The path of the other file.
        second: PathBuf,
    },
    /// Two files hold the same shard.
    Twice {
        /// The shard number, from 1.
        shard: u32,
        /// The path of one file.
        first: PathBuf,
        /// The path of the other file.
        second: PathBuf,
    },
    /// Shards are missing.
    Missing {
        /// The missing shard numbers, from 1.
        shards: Vec<u32>,
        /// The number of shards in the bake.
        of: u32,
        /// The path of a shard that was given.
        beside: PathBuf,
    },
    /// The atlas cannot hold the sprites.
    Build(BuildError),
    /// The output path leads to something that must not be replaced.
    Output {
        /// The output path.
        path: PathBuf,
        /// Why it must not be replaced.
        fault: OutputRefused,
    },
    /// The atlas cannot be written.
    Write {
        /// The output path.
        path: PathBuf,
        /// The system's error.
        cause: IoCause,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoShards => f.write_str("no shard was given"),
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAShard { path } => write!(f, "{} is not a shard", path.display()),
            Self::AnAtlas { path } => {
                write!(f, "{} is a whole atlas, not a shard", path.display())
            }
            Self::Version { path } => {
                write!(f, "another version of hitmask wrote {}", path.display())
            }
            Self::Damaged { path } => write!(f, "the shard {} is damaged", path.display()),
            Self::Sprites { path, cause } => write!(f, "the shard {}: {cause}", path.display()),
            Self::OtherBake { first, second } => write!(
                f,
                "{} and {} are shards of different bakes: their sprites, settings or shard counts differ",
                first.display(),
                second.display()
            ),
            Self::Twice { shard, first, second } => {
                write!(f, "{} and {} are both shard {shard}", first.display(), second.display())
            }
            Self::Missing { shards, of, beside } => {
                let beside = beside.display();
                if let [shard] = shards[..] {
                    return write!(f, "of {of} shards, number {shard} is missing beside {beside}");
                }
                let numbers: Vec<String> = shards.iter().take(20).map(u32::to_string).collect();
                let numbers = match &numbers[..] {
                    [first @ .., last] if shards.len() <= 20 => {
                        format!("{} and {last}", first.join(", "))
                    }
                    _ => format!("{}, ...", numbers.join(", ")),
                };
                write!(f, "of {of} shards, numbers {numbers} are missing beside {beside}")
            }
            Self::Build(cause) => cause.fmt(f),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => error_display::not_written(f, path, cause),
        }
    }
}

impl MergeError {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NoShards => "name all shards of one bake",
            Self::Read { .. } => error_display::NOT_READ,
            Self::NotAShard { .. } | Self::AnAtlas { .. } => {
                "name files that hitmask bake --shard has written"
            }
            Self::Version { .. } => "bake and merge all shards with the same version",
            Self::Damaged { .. } | Self::Sprites { .. } => "copy the shard or bake it again",
            Self::OtherBake { .. } => "bake all shards of the same sources with the same settings",
            Self::Twice { .. } => "name each shard once",
            Self::Missing { .. } => "bake the missing shards, or name their files too",
            Self::Build(cause) => return cause.help(),
            Self::Output { fault, .. } => return fault.help(),
            Self::Write { .. } => error_display::NOT_WRITTEN,
        }
        .into()
    }
}

impl std::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { cause, .. } | Self::Write { cause, .. } => Some(cause),
            Self::Sprites { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
