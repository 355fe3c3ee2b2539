//! Errors of reading a snapshot.
//!
//! Returned by the calls that restore a world. Invariants: a failed read changes no
//! world. `Display` states the fault and the offending value; `help` states the remedy.

use crate::atlas::AtlasId;
use crate::scene::{AtlasChangeError, PlaceError};
use std::borrow::Cow;
use std::fmt;

/// Error of reading a snapshot. The world is left unchanged.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, SnapshotError, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// let mut world = World::new(atlas);
/// assert_eq!(world.restore(b"PNG"), Err(SnapshotError::NotASnapshot));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes are too short, or do not begin with the magic bytes of a snapshot.
    NotASnapshot,
    /// The snapshot has an unsupported format version.
    Version {
        /// The version of the snapshot.
        found: u32,
        /// The only supported version.
        supported: u32,
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
    /// The atlases cannot be in one world.
    Atlases(AtlasChangeError),
    /// The stored checksum differs from that of the bytes.
    Checksum {
        /// The checksum stored at the end.
        expected: u32,
        /// The checksum of the bytes before it.
        got: u32,
    },
    /// A field holds an impossible value.
    Corrupt {
        /// Name of the field.
        field: &'static str,
        /// Offset of the field from the start, in bytes.
        offset: usize,
    },
    /// A collider of the snapshot cannot be placed.
    Placement {
        /// The collider's slot.
        slot: u32,
        /// The fault of that collider.
        cause: PlaceError,
    },
}

debug_with_help!(SnapshotError);

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASnapshot => f.write_str("the bytes are not a world snapshot"),
            Self::Version { found, supported } => {
                write!(f, "snapshot version {found} is not supported (expected {supported})")
            }
            Self::OtherAtlas { expected, got } => write!(
                f,
                "the snapshot belongs to the atlas with id {expected}; this atlas has {got}"
            ),
            Self::AtlasCount { expected, got } => {
                write!(f, "the snapshot belongs to {expected} atlases; {got} are given")
            }
            Self::Atlases(cause) => write!(f, "atlases of the snapshot: {cause}"),
            Self::Checksum { expected, got } => {
                write!(f, "snapshot checksum {got:08x} does not match the stored {expected:08x}")
            }
            Self::Corrupt { field, offset } => {
                write!(f, "invalid {field} at byte {offset} of the snapshot")
            }
            Self::Placement { slot, cause } => {
                write!(f, "collider in slot {slot} of the snapshot: {cause}")
            }
        }
    }
}

impl SnapshotError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NotASnapshot => "give the bytes that World::snapshot returned",
            Self::Version { .. } => "take the snapshot again with this version of hitmask",
            Self::OtherAtlas { .. } => "open the atlas that the snapshot was taken with",
            Self::AtlasCount { .. } => {
                "give the atlases that World::atlases listed when the snapshot was taken"
            }
            Self::Atlases(cause) => return cause.help(),
            Self::Checksum { .. } | Self::Corrupt { .. } => "get an undamaged copy of the snapshot",
            Self::Placement { cause, .. } => return cause.help(),
        }
        .into()
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Placement { cause, .. } => Some(cause),
            Self::Atlases(cause) => Some(cause),
            _ => None,
        }
    }
}
