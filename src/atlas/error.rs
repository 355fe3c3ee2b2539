use super::format::VERSION;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why an atlas does not open, or does not verify.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AtlasError {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause, from the operating system.
        cause: IoCause,
    },
    /// The bytes are not an atlas at all: the first eight are wrong, or missing.
    NotAnAtlas {
        /// Number of bytes given.
        len: u64,
    },
    /// The bytes are a shard of an atlas: what [`Bake::shard`](crate::Bake::shard) writes, to be put
    /// together with the others.
    Shard,
    /// The atlas was baked by another version.
    Version {
        /// The version in the file, at byte 8.
        found: u32,
        /// The version that this library reads.
        supported: u32,
    },
    /// The file is shorter or longer than its header says.
    Length {
        /// Bytes that the header calls for.
        expected: u64,
        /// Bytes there are.
        got: u64,
    },
    /// Bytes of a part of the file have changed since it was baked.
    Checksum {
        /// The part: [`Section::Records`], [`Section::Pool`] or [`Section::Packed`].
        section: Section,
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes that are there.
        got: u32,
    },
    /// A field has a value that no baker writes.
    Corrupt {
        /// The part of the file.
        section: Section,
        /// Which of its records, from 0.
        index: u32,
        /// The field's name in the format.
        field: &'static str,
        /// Where that record starts, in bytes from the start of the file.
        offset: u64,
    },
}

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// The bytes at the start: 192, or 128 in version 1.
    Header,
    /// All that lies before the pool: what is checked when the atlas opens.
    Records,
    /// The sprites.
    Sprites,
    /// The frames.
    Frames,
    /// The poses.
    Poses,
    /// The scales.
    Scales,
    /// The coarse boards.
    Boards,
    /// The masks' words.
    Pool,
    /// All that lies behind the header of a compact atlas.
    Packed,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "header",
            Self::Records => "records",
            Self::Sprites => "sprite",
            Self::Frames => "frame",
            Self::Poses => "pose",
            Self::Scales => "scale",
            Self::Boards => "board",
            Self::Pool => "pool",
            Self::Packed => "packed sections",
        })
    }
}

impl fmt::Display for AtlasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAnAtlas { len } => write!(f, "these {len} bytes are not a hitmask atlas"),
            Self::Shard => f.write_str("this is a shard of an atlas, not the whole"),
            Self::Version { found, supported } => {
                write!(f, "the atlas has format version {found} and this library reads {supported}")
            }
            Self::Length { expected, got } => write!(
                f,
                "the atlas should be {expected} bytes long and is {got}, so it was cut short or added to"
            ),
            Self::Checksum { section, expected, got } => write!(
                f,
                "the atlas is damaged: the checksum of its {section} is {got:08x} and should be {expected:08x}"
            ),
            Self::Corrupt { section, index, field, offset } => write!(
                f,
                "the atlas is damaged: {section} {index} (byte {offset}) has an impossible value in its field {field}"
            ),
        }
    }
}

impl AtlasError {
    /// Returns how to fix the fault that `Display` tells of.
    ///
    /// ```
    /// let error = hitmask::Atlas::from_bytes(b"PNG").unwrap_err();
    /// assert_eq!(error.to_string(), "these 3 bytes are not a hitmask atlas");
    /// assert_eq!(error.help(), "give a file written by a bake");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Io { .. } => "check the path and its permissions",
            Self::NotAnAtlas { .. } => "give a file written by a bake",
            Self::Shard => {
                "put all shards together with hitmask merge, and open the atlas that it writes"
            }
            Self::Version { found, .. } if *found > VERSION => "update hitmask, or bake again",
            Self::Version { .. } | Self::Corrupt { .. } => "bake it again",
            Self::Length { .. } | Self::Checksum { .. } => "copy or bake it again",
        }
        .into()
    }
}

impl std::error::Error for AtlasError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

/// An [`io::Error`] that can be copied and compared: its kind, and the number that the operating system
/// gave it.
///
/// ```
/// use hitmask::{Atlas, AtlasError};
/// let missing = Atlas::open("no/such.hitmask").unwrap_err();
/// assert!(matches!(missing, AtlasError::Io { cause, .. } if cause.kind == std::io::ErrorKind::NotFound));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IoCause {
    /// The kind of error.
    pub kind: io::ErrorKind,
    /// The number of the operating system, if the error came from there.
    pub code: Option<i32>,
}

impl From<io::Error> for IoCause {
    fn from(error: io::Error) -> Self {
        Self { kind: error.kind(), code: error.raw_os_error() }
    }
}

impl From<io::ErrorKind> for IoCause {
    fn from(kind: io::ErrorKind) -> Self {
        Self { kind, code: None }
    }
}

/// Writes the message of the operating system.
impl fmt::Display for IoCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.code.map_or_else(|| self.kind.into(), io::Error::from_raw_os_error);
        error.fmt(f)
    }
}

impl std::error::Error for IoCause {}
