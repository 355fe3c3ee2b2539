use crate::atlas::{AtlasError, IoCause};
use crate::bake::{OutputRefused, error_display};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// Why shards cannot be merged. Nothing has been written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MergeError {
    /// No shard was given.
    NoShards,
    /// A file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: IoCause,
    },
    /// A file is neither a shard nor an atlas.
    NotAShard {
        /// The file.
        path: PathBuf,
    },
    /// A file is a whole atlas.
    AnAtlas {
        /// The file.
        path: PathBuf,
    },
    /// A shard was written by another version.
    Version {
        /// The file.
        path: PathBuf,
    },
    /// The head of a shard is damaged, or does not tell of what follows.
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The sprites of a shard are damaged.
    Sprites {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        cause: AtlasError,
    },
    /// Two shards are of bakes of different sprites, settings or numbers of shards.
    OtherBake {
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Two files hold the same shard.
    Twice {
        /// Its number, from 1.
        shard: u32,
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Shards are missing.
    Missing {
        /// Their numbers, from 1.
        shards: Vec<u32>,
        /// How many there should be in all.
        of: u32,
        /// One that is there.
        beside: PathBuf,
    },
    /// The atlas would exceed its format's limits: 4 billion poses or 32 GiB of masks.
    AtlasTooLarge,
    /// Nothing is written to a path, because of what is there.
    Output {
        /// The path.
        path: PathBuf,
        /// What is there.
        fault: OutputRefused,
    },
    /// The atlas cannot be written.
    Write {
        /// The file to be written.
        path: PathBuf,
        /// What the system said.
        cause: IoCause,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoShards => f.write_str("no shard was given"),
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAShard { path } => write!(f, "{} is no shard", path.display()),
            Self::AnAtlas { path } => {
                write!(f, "{} is an atlas already, not a shard of one", path.display())
            }
            Self::Version { path } => {
                write!(f, "{} was written by another version of hitmask", path.display())
            }
            Self::Damaged { path } => write!(f, "the shard {} is damaged", path.display()),
            Self::Sprites { path, cause } => write!(f, "the shard {}: {cause}", path.display()),
            Self::OtherBake { first, second } => write!(
                f,
                "{} and {} are shards of two bakes, whose sprites, settings or numbers of shards differ",
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
            Self::AtlasTooLarge => f.write_str(error_display::TOO_LARGE[0]),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => error_display::not_written(f, path, cause),
        }
    }
}

impl MergeError {
    /// Returns how to fix the fault that `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NoShards => "name all shards of one bake",
            Self::Read { .. } => error_display::NOT_READ,
            Self::NotAShard { .. } | Self::AnAtlas { .. } => "give files that bake --shard wrote",
            Self::Version { .. } => "bake all shards with one version, and merge with the same",
            Self::Damaged { .. } | Self::Sprites { .. } => "copy or bake it again",
            Self::OtherBake { .. } => "bake all shards of the same sources with the same settings",
            Self::Twice { .. } => "give each once",
            Self::Missing { .. } => "bake what is missing, or name its files",
            Self::AtlasTooLarge => error_display::TOO_LARGE[1],
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
