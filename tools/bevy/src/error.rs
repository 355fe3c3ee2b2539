//! The fault of a collider that cannot be placed.
//!
//! Made by `resolve` and `sync`. Logged once per fault, and returned by `PixelWorld::fault`.

use bevy_ecs::prelude::*;
use bevy_math::Affine2;
use hitmask::CallError;
use std::borrow::Cow;
use std::fmt;

/// The reason why a collider is disabled. The plugin logs it once, with the entity and its name. The collider is
/// enabled again when the fault is mended.
///
/// ```
/// use bevy_hitmask::ColliderError;
/// let error = ColliderError::UnknownName { sprite: "shpi".into(), alike: Some("ship".into()) };
/// assert_eq!(error.to_string(), "no atlas has a sprite named \"shpi\"");
/// assert!(error.help().starts_with("did you mean \"ship\"?"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColliderError {
    /// The plugin has no atlas, and none is being loaded.
    NoAtlas,
    /// The atlas of the collider could not be loaded.
    AtlasNotLoaded {
        /// The path of the atlas, if known.
        path: Option<String>,
    },
    /// No atlas has a sprite of this name.
    UnknownName {
        /// The name.
        sprite: String,
        /// The most similar name of the atlases, if one is similar.
        alike: Option<String>,
    },
    /// No atlas has a map of this name, for [`PixelWorld::spawn_map`](crate::PixelWorld::spawn_map).
    UnknownMap {
        /// The name.
        map: String,
        /// The names of the maps of the atlases.
        maps: Vec<String>,
    },
    /// The entity is not one of [`PixelWorld::spawn_map`](crate::PixelWorld::spawn_map).
    NoMap(Entity),
    /// The sprite has no plane of this name.
    UnknownPlane {
        /// The name of the sprite.
        sprite: String,
        /// The name of the plane.
        plane: String,
        /// The most similar name of the sprite's planes, if one is similar.
        alike: Option<String>,
    },
    /// The transform is not finite.
    Transform(Affine2),
    /// The transform stretches or slants the sprite, and the [`Stretch`](crate::Stretch) rule forbids it.
    Stretched(Affine2),
    /// The transform stretches, slants or scales the sprite, but the atlas has no mask to draw it from.
    NoSource {
        /// The name of the sprite.
        sprite: String,
    },
    /// The transform turns, scales or mirrors a mask of the world, which has one pose.
    TurnedMask,
    /// The world refuses the collider.
    Place(CallError),
}

/// A collider cannot be placed and is disabled, as one whose name is misspelt. Raised once per fault, as a message
/// and as an event that observers receive. [`PixelWorld::fault`](crate::PixelWorld::fault) tells the fault of an entity at any time.
///
/// Without an observer the fault is logged, or printed to stderr in an app without a logger.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::ColliderFault;
///
/// fn strict(fault: On<ColliderFault>) {
///     panic!("{}: {}; {}", fault.entity, fault.error, fault.error.help());
/// }
/// # App::new().add_observer(strict);
/// ```
#[derive(EntityEvent, Message, Clone, Debug, PartialEq)]
pub struct ColliderFault {
    /// The entity of the collider.
    pub entity: Entity,
    /// What is wrong with the collider.
    pub error: ColliderError,
}

impl fmt::Display for ColliderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAtlas => f.write_str("the world has no atlas"),
            Self::AtlasNotLoaded { path: Some(path) } => {
                write!(f, "the atlas {path} could not be loaded")
            }
            Self::AtlasNotLoaded { path: None } => f.write_str("the atlas could not be loaded"),
            Self::UnknownName { sprite, .. } => write!(f, "no atlas has a sprite named {sprite:?}"),
            Self::UnknownMap { map, .. } => write!(f, "no atlas has a map named {map:?}"),
            Self::NoMap(entity) => write!(f, "entity {entity} is not the root of a map"),
            Self::UnknownPlane { sprite, plane, .. } => {
                write!(f, "sprite {sprite:?} has no plane named {plane:?}")
            }
            Self::Transform(transform) => write!(f, "the transform {transform} is not finite"),
            Self::Stretched(transform) => {
                write!(f, "the transform {transform} stretches or slants the sprite")
            }
            Self::NoSource { sprite } => {
                write!(
                    f,
                    "the atlas has no mask of sprite {sprite:?} to draw another transform from"
                )
            }
            Self::TurnedMask => f.write_str("a mask of the world cannot turn, scale or flip"),
            Self::Place(cause) => cause.fmt(f),
        }
    }
}

impl ColliderError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NoAtlas => {
                "give one to HitmaskPlugin::with_atlas or HitmaskPlugin::load, or load a PixelAtlas"
            }
            Self::AtlasNotLoaded { .. } => "correct the path, or bake the file again",
            Self::UnknownName { alike: Some(other), .. }
            | Self::UnknownPlane { alike: Some(other), .. } => {
                return format!("did you mean {other:?}? `hitmask info` lists the names").into();
            }
            Self::UnknownName { .. } => {
                "correct the name, or load an atlas with this sprite; `hitmask info` lists the names"
            }
            Self::UnknownMap { maps, .. } if maps.is_empty() => "bake a level file; they have no maps",
            Self::UnknownMap { maps, .. } => {
                let shown: Vec<String> = maps.iter().take(20).map(|map| format!("{map:?}")).collect();
                let more = if maps.len() > shown.len() { ", ..." } else { "" };
                return format!("their maps: {}{more}", shown.join(", ")).into();
            }
            Self::NoMap(_) => "give the entity that PixelWorld::spawn_map returned",
            Self::UnknownPlane { .. } => "correct the name; `hitmask info` lists the planes",
            Self::Transform(_) => "look for a division by 0 in the code that moves the entity",
            Self::Stretched(_) => {
                "scale both axes of the entity and its parents alike, or use Stretch::Draw"
            }
            Self::NoSource { .. } => {
                "bake the atlas with AtlasBuilder::compact, or add the scale 1 to AtlasBuilder::scales"
            }
            Self::TurnedMask => "use PixelCollider::from_raster, which is drawn under any transform",
            Self::Place(cause) => return cause.help(),
        }
        .into()
    }

    /// Tests whether both are the same kind of fault, so that the second one is not logged.
    pub(crate) fn is_kind_of(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Place(CallError::Number { name: a, .. }),
                Self::Place(CallError::Number { name: b, .. }),
            ) => a == b,
            (Self::Place(a), Self::Place(b)) => {
                std::mem::discriminant(a) == std::mem::discriminant(b)
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl std::error::Error for ColliderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Place(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<CallError> for ColliderError {
    fn from(cause: CallError) -> Self {
        Self::Place(cause)
    }
}
