//! Errors of the calls that add, drop or replace an atlas of a world.
//!
//! Returned by `World::add_atlas`, `World::drop_atlas` and `World::replace_atlas`. Invariants: a
//! call that returns one of these errors leaves the world unchanged. `Display` states the fault and
//! the offending value; `help` states the remedy.

use crate::atlas::AtlasId;
use crate::world::{ColliderId, PlaceError};
use std::borrow::Cow;
use std::fmt;

/// Error of a call that adds, drops or replaces an atlas. The world is left unchanged.
///
/// ```
/// use hitmask::{Atlas, AtlasChangeError, AtlasBuilder, World};
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// let mut world = World::new(atlas.clone());
/// let error = world.add_atlas(atlas.clone()).unwrap_err();
/// assert_eq!(error, AtlasChangeError::SameId(atlas.id()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AtlasChangeError {
    /// No atlas of the world has this id, or the atlas was dropped.
    Unknown(AtlasId),
    /// The world has an atlas of this id already, or had it as an earlier version of another atlas.
    SameId(AtlasId),
    /// The atlas has another resolution than the world.
    Resolution {
        /// The resolution of the atlas.
        atlas: f32,
        /// The resolution of the world.
        world: f32,
    },
    /// Colliders show sprites of the atlas.
    InUse {
        /// The id of the atlas.
        atlas: AtlasId,
        /// The number of colliders.
        colliders: usize,
    },
    /// The atlas is the only one of the world.
    OnlyAtlas(AtlasId),
    /// The atlases of the world have too many sprites, poses or pixels together.
    TooLarge,
    /// The poses that colliders show do not fit the [budget](crate::World::set_pose_budget).
    Poses(PlaceError),
    /// A collider cannot be placed with the new atlas.
    Placement {
        /// The collider.
        collider: ColliderId,
        /// Its fault.
        cause: PlaceError,
    },
}

impl fmt::Display for AtlasChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(atlas) => write!(f, "atlas {atlas} is not in the world"),
            Self::SameId(atlas) => write!(f, "the world already has an atlas with id {atlas}"),
            Self::Resolution { atlas, world } => write!(
                f,
                "the atlas has resolution {atlas}, but the atlases of the world have {world}"
            ),
            Self::InUse { atlas, colliders } => {
                write!(f, "atlas {atlas} is in use by {colliders} colliders")
            }
            Self::OnlyAtlas(atlas) => write!(f, "atlas {atlas} is the only one of the world"),
            Self::TooLarge => f.write_str("the atlases are too large for one world"),
            Self::Poses(cause) => cause.fmt(f),
            Self::Placement { collider, cause } => {
                write!(f, "collider {}: {cause}", collider.index())
            }
        }
    }
}

impl AtlasChangeError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Unknown(_) => "give the id of an atlas that World::atlases lists",
            Self::SameId(_) => {
                "replace the atlas with World::replace_atlas, or give the other one a label with \
                 Atlas::labelled"
            }
            Self::Resolution { world, .. } => {
                return format!("bake the atlas with AtlasBuilder::resolution({world})").into();
            }
            Self::InUse { .. } => {
                "first remove the colliders, or call World::drop_atlas_and_colliders"
            }
            Self::OnlyAtlas(_) => "add another atlas first, or drop the world",
            Self::TooLarge => "drop an atlas first",
            Self::Poses(cause) | Self::Placement { cause, .. } => return cause.help(),
        }
        .into()
    }
}

impl std::error::Error for AtlasChangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Poses(cause) | Self::Placement { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
