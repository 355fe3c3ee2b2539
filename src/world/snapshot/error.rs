use crate::world::PlaceError;
use std::borrow::Cow;
use std::fmt;

/// Why bytes are not a snapshot of such a world. Nothing has changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not begin like a snapshot.
    NotASnapshot,
    /// The bytes are a snapshot of another version.
    Version {
        /// The version given.
        found: u32,
        /// The version that is read.
        supported: u32,
    },
    /// The snapshot was taken with another atlas.
    OtherAtlas {
        /// Checksum of the atlas that the snapshot was taken with.
        expected: u32,
        /// Checksum of the atlas given.
        got: u32,
    },
    /// The bytes are not those that were written.
    Checksum {
        /// The checksum that the bytes end with.
        expected: u32,
        /// That of the bytes before.
        got: u32,
    },
    /// A number that cannot be.
    Corrupt {
        /// What it stands for.
        field: &'static str,
        /// Where it is, in bytes from the start.
        offset: usize,
    },
    /// A collider that cannot be placed.
    Placement {
        /// Its slot.
        slot: u32,
        /// Why.
        cause: PlaceError,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASnapshot => f.write_str("these bytes are no snapshot"),
            Self::Version { found, supported } => {
                write!(f, "the snapshot is of version {found}, and version {supported} is read")
            }
            Self::OtherAtlas { expected, got } => write!(
                f,
                "the snapshot was taken with the atlas of checksum {expected:08x}, and this one has {got:08x}"
            ),
            Self::Checksum { expected, got } => {
                write!(f, "the snapshot's checksum is {got:08x} and should be {expected:08x}")
            }
            Self::Corrupt { field, offset } => {
                write!(f, "the snapshot has an invalid {field} at byte {offset}")
            }
            Self::Placement { slot, cause } => {
                write!(f, "the snapshot's collider in slot {slot}: {cause}")
            }
        }
    }
}

impl SnapshotError {
    /// Returns how to fix the fault that `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NotASnapshot => "take them from World::snapshot",
            Self::Version { .. } => "take it again with this version of hitmask",
            Self::OtherAtlas { .. } => "open the atlas it was taken with",
            Self::Checksum { .. } | Self::Corrupt { .. } => "get an undamaged copy",
            Self::Placement { cause, .. } => return cause.help(),
        }
        .into()
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Placement { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
