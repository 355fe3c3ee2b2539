use crate::atlas::SpriteId;
use crate::geom::MAX_POSITION;
use crate::pose::{Angle, PoseError};
use crate::world::{ColliderId, MAX_COLLIDERS, MaskId};
use std::borrow::Cow;
use std::fmt;

/// Why a collider cannot be placed. The world is as it was before.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlaceError {
    /// The atlas has no such sprite.
    UnknownSprite {
        /// The id given.
        sprite: SpriteId,
        /// Number of sprites in the atlas.
        sprites: u32,
    },
    /// The sprite has no such frame.
    UnknownFrame {
        /// The frame given, from 0.
        frame: u32,
        /// Number of frames the sprite has.
        frames: u32,
    },
    /// The sprite has no such plane.
    UnknownPlane {
        /// The plane given, from 0.
        plane: u32,
        /// Number of planes the sprite has.
        planes: u32,
    },
    /// The position is not finite, or, times the resolution, farther than [`MAX_POSITION`] from the origin.
    Position([f32; 2]),
    /// The angle is not finite.
    Angle(Angle),
    /// The scale is not a positive number.
    Scale(f32),
    /// The collider is no longer in the world.
    Stale(ColliderId),
    /// The mask is no longer in the world.
    UnknownMask(MaskId),
    /// A mask made at run time cannot be turned, scaled or flipped, and has one frame.
    PosedMask(MaskId),
    /// The mask cannot be removed while a collider shows it.
    MaskInUse(MaskId),
    /// The mask was inserted as it is: there is nothing to draw it from.
    UndrawnMask(MaskId),
    /// The pivot of a mask is out of range, or a transform cannot be drawn.
    Pose(PoseError),
    /// The world has [`MAX_COLLIDERS`] colliders.
    Full,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSprite { sprite, sprites } => {
                write!(f, "sprite {} is not among the {sprites} of this atlas", sprite.index())
            }
            Self::UnknownFrame { frame, frames } => {
                write!(f, "frame {frame} is not among the sprite's {frames}")
            }
            Self::UnknownPlane { plane, planes } => {
                write!(f, "plane {plane} is not among the sprite's {planes}")
            }
            Self::Position([x, y]) => {
                write!(f, "position ({x}, {y}) is not finite or too far from the origin")
            }
            Self::Angle(angle) => write!(f, "the angle {angle:?} is not finite"),
            Self::Scale(scale) => write!(f, "scale {scale} is not a positive number"),
            Self::Stale(id) => write!(
                f,
                "collider {} (generation {}) is no longer in the world",
                id.index(),
                id.generation()
            ),
            Self::UnknownMask(id) => write!(
                f,
                "mask {} (generation {}) is not in the world",
                id.index(),
                id.generation()
            ),
            Self::PosedMask(id) => {
                write!(f, "mask {} was made at run time and is shown as it is", id.index())
            }
            Self::MaskInUse(id) => write!(f, "mask {} is shown by a collider", id.index()),
            Self::UndrawnMask(id) => write!(f, "mask {} was inserted as it is", id.index()),
            Self::Pose(cause) => cause.fmt(f),
            Self::Full => write!(f, "the world holds {MAX_COLLIDERS} colliders and no more"),
        }
    }
}

impl PlaceError {
    /// Returns how to fix the fault that `Display` tells of.
    ///
    /// ```
    /// let error = hitmask::PlaceError::Scale(-1.0);
    /// assert_eq!(error.to_string(), "scale -1 is not a positive number");
    /// assert_eq!(error.help(), "give a finite number above 0");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::UnknownSprite { .. } => "ask Atlas::sprite for the id of a name",
            Self::UnknownFrame { .. } => "count frames from 0",
            Self::UnknownPlane { .. } => "ask Sprite::plane for that of a name",
            Self::Position(_) => {
                return format!(
                    "keep x and y, times the resolution of the atlas, within {MAX_POSITION} of 0"
                )
                .into();
            }
            Self::Angle(_) => "give finite radians",
            Self::Scale(_) => "give a finite number above 0",
            Self::Stale(_) => "insert it again",
            Self::UnknownMask(_) => "insert it with World::insert_mask",
            Self::PosedMask(_) => "leave frame, angle, scale and flips at their defaults",
            Self::MaskInUse(_) => "remove that collider or set it to another shape first",
            Self::UndrawnMask(_) => "insert its sprite with World::insert_transformed",
            Self::Pose(cause) => return cause.help(),
            Self::Full => "remove some first",
        }
        .into()
    }
}

impl std::error::Error for PlaceError {}

/// Why one of many colliders cannot be placed.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkPlaceError {
    /// Its place among those given, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub cause: PlaceError,
}

impl fmt::Display for BulkPlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "number {}: {}", self.index, self.cause)
    }
}

impl std::error::Error for BulkPlaceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl BulkPlaceError {
    /// Returns how to fix the fault that `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        self.cause.help()
    }
}
