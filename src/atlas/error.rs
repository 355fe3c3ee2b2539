//! [`FileError`] and [`Section`]: the faults of an atlas or a snapshot that is read.
//!
//! Invariants: a failed read changes no world and no atlas. `Display` states the fault and the offending
//! value; `help` states the remedy.

use super::format::MAX_POSES;
use super::options::DrawingCost;
use crate::error::CallError;
use crate::ids::AtlasId;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reason why an atlas or a snapshot cannot be read, or fails to verify. `Display` states the fault
/// and [`help`](Self::help) the remedy.
///
/// ```
/// use hitmask::{Atlas, FileError};
/// let error = Atlas::from_bytes(b"PNG").unwrap_err();
/// assert_eq!(error, FileError::NotAnAtlas { len: 3 });
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        cause: IoCause,
    },
    /// The bytes are not an atlas: the first 8 bytes are wrong or missing.
    NotAnAtlas {
        /// The number of bytes given.
        len: u64,
    },
    /// The bytes are a shard of an atlas, as `hitmask bake --shard` writes it. `hitmask merge` makes an
    /// atlas of all shards.
    Shard,
    /// The bytes are too short, or do not begin with the magic bytes of a snapshot.
    NotASnapshot,
    /// The file has a format version that this library does not read.
    Version {
        /// [`Section::Header`] of an atlas, or [`Section::Snapshot`].
        section: Section,
        /// The version in the file, at byte 8.
        found: u32,
        /// The version that this library reads.
        supported: u32,
    },
    /// The length of the file differs from the length in its header.
    Length {
        /// The length that the header requires, in bytes.
        expected: u64,
        /// The actual length, in bytes.
        got: u64,
    },
    /// The bytes of a section have changed since they were written.
    Checksum {
        /// The section: [`Section::Records`], [`Section::Pool`], [`Section::Packed`] or
        /// [`Section::Snapshot`].
        section: Section,
        /// The checksum stored in the file.
        expected: u32,
        /// The checksum of the actual bytes.
        got: u32,
    },
    /// Drawing the poses of a compact atlas may exceed a limit of
    /// [`AtlasOptions`](crate::AtlasOptions). Nothing has been drawn.
    OverLimit {
        /// The limited quantity.
        cost: DrawingCost,
        /// Upper bound on the quantity that drawing takes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// A field has a value that is never written.
    Corrupt {
        /// The section of the file.
        section: Section,
        /// The index of the record in its section, from 0. 0 in a snapshot.
        index: u32,
        /// The name of the field in the format.
        field: &'static str,
        /// The byte offset of the record, or of the field of a snapshot, from the start of the file.
        offset: u64,
    },
    /// The snapshot was taken with another atlas.
    OtherAtlas {
        /// Id of the atlas that the snapshot was taken with.
        expected: AtlasId,
        /// Id of the given atlas.
        got: AtlasId,
    },
    /// The snapshot was taken with another number of atlases.
    AtlasCount {
        /// Number of atlases that the snapshot was taken with.
        expected: usize,
        /// Number of atlases given.
        got: usize,
    },
    /// A world refuses what the snapshot holds: its atlases together, or a
    /// [collider](CallError::Collider).
    Refused(CallError),
}

/// A section of an atlas file. [`FileError`] names the section that is damaged.
///
/// ```
/// assert_eq!(hitmask::Section::Pool.to_string(), "pool");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Section {
    /// The header: the first 192 bytes.
    Header,
    /// Everything before the pool. Checked when the atlas opens.
    Records,
    /// The sprite records.
    Sprites,
    /// The frame records.
    Frames,
    /// The pose records.
    Poses,
    /// The scales.
    Scales,
    /// The maps.
    Maps,
    /// The words of the masks.
    Pool,
    /// The compressed sections after the header of a compact atlas.
    Packed,
    /// A snapshot of a world.
    Snapshot,
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
            Self::Maps => "map",
            Self::Pool => "pool",
            Self::Packed => "packed sections",
            Self::Snapshot => "snapshot",
        })
    }
}

debug_with_help!(FileError);

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAnAtlas { len } => write!(f, "these {len} bytes are not a hitmask atlas"),
            Self::Shard => f.write_str("this is one shard of an atlas, not a whole atlas"),
            Self::NotASnapshot => f.write_str("the bytes are not a snapshot of a world"),
            Self::Version { section, found, supported } => {
                let file = if *section == Section::Snapshot { "snapshot" } else { "atlas" };
                write!(
                    f,
                    "the {file} has format version {found}, but this library reads {supported}"
                )
            }
            Self::Length { expected, got } => {
                write!(f, "the atlas is {got} bytes long, but its header says {expected}")
            }
            Self::Checksum { section: Section::Snapshot, expected, got } => {
                write!(f, "snapshot checksum {got:08x} does not match the stored {expected:08x}")
            }
            Self::Checksum { section, expected, got } => write!(
                f,
                "the atlas is damaged: the checksum of its {section} is {got:08x}, expected {expected:08x}"
            ),
            Self::OverLimit { cost, needed, limit } => {
                let (what, unit) = match cost {
                    DrawingCost::Bytes => ("take", "bytes"),
                    DrawingCost::Poses => ("draw", "poses"),
                    DrawingCost::Samples => ("take", "samples"),
                };
                write!(
                    f,
                    "opening the compact atlas may {what} {needed} {unit}, but the limit is {limit}"
                )
            }
            Self::Corrupt { section: Section::Snapshot, field, offset, .. } => {
                write!(f, "invalid {field} at byte {offset} of the snapshot")
            }
            Self::Corrupt { section, index, field, offset } => write!(
                f,
                "the atlas is damaged: invalid field {field} in {section} {index} at byte {offset}"
            ),
            Self::OtherAtlas { expected, got } => write!(
                f,
                "the snapshot belongs to the atlas with id {expected}; this atlas has {got}"
            ),
            Self::AtlasCount { expected, got } => {
                write!(f, "the snapshot belongs to {expected} atlases; {got} are given")
            }
            Self::Refused(cause) => write!(f, "a world refuses the snapshot: {cause}"),
        }
    }
}

impl FileError {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Io { .. } => "check the path and its permissions",
            Self::NotAnAtlas { .. } => "open a file that hitmask bake has written",
            Self::Shard => "merge all shards with hitmask merge, and open the merged atlas",
            Self::NotASnapshot => "give the bytes that World::snapshot returned",
            Self::OtherAtlas { .. } => "open the atlas that the snapshot was taken with",
            Self::AtlasCount { .. } => {
                "give the atlases that World::atlases listed when the snapshot was taken"
            }
            Self::Refused(cause) => return cause.help(),
            Self::Version { section: Section::Snapshot, .. } => {
                "take the snapshot again with this version of hitmask"
            }
            Self::Checksum { section: Section::Snapshot, .. }
            | Self::Corrupt { section: Section::Snapshot, .. } => {
                "get an undamaged copy of the snapshot"
            }
            Self::Version { .. } => "bake the atlas again, with the hitmask that opens it",
            Self::OverLimit { cost: DrawingCost::Poses, limit, .. } if *limit >= MAX_POSES => {
                "bake fewer angles or scales, or split the sprites among several atlases"
            }
            Self::OverLimit { cost, needed, .. } => {
                let (setter, option, value) = match cost {
                    // The option counts megabytes.
                    DrawingCost::Bytes => ("max_bytes", "--limit", needed.div_ceil(1_000_000)),
                    DrawingCost::Poses => ("max_poses", "--limit-poses", *needed),
                    DrawingCost::Samples => ("max_samples", "--limit-samples", *needed),
                };
                return format!(
                    "if you trust the file, allow it with AtlasOptions::{setter} = {needed}, \
                     or with {option} {value} of hitmask; or bake it without compact"
                )
                .into();
            }
            Self::Corrupt { .. } => "bake the atlas again",
            Self::Length { .. } | Self::Checksum { .. } => "copy the file or bake the atlas again",
        }
        .into()
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { cause, .. } => Some(cause),
            Self::Refused(cause) => Some(cause),
            _ => None,
        }
    }
}

/// The kind and the system's number of an [`io::Error`]. Unlike that type it can be copied and
/// compared.
///
/// ```
/// use hitmask::{Atlas, FileError};
/// use std::io::ErrorKind;
/// let missing = Atlas::open("no/such.hitmask").unwrap_err();
/// let FileError::Io { cause, .. } = missing else { panic!() };
/// assert_eq!(cause.kind, ErrorKind::NotFound);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IoCause {
    /// The kind of the error.
    pub kind: io::ErrorKind,
    /// The system's error number, if the error came from the system.
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

/// Writes the system's message.
impl fmt::Display for IoCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.code.map_or_else(|| self.kind.into(), io::Error::from_raw_os_error);
        error.fmt(f)
    }
}

impl std::error::Error for IoCause {}
