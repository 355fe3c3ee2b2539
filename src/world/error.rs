use super::{ColliderId, MAX_POSITION};
use crate::atlas::SpriteId;
use crate::pose::Angle;
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
    /// The position is not finite, or farther than [`MAX_POSITION`] from the origin.
    Position([f32; 2]),
    /// The angle is not finite.
    Angle(Angle),
    /// The scale is not a positive number.
    Scale(f32),
    /// The collider is no longer in the world.
    Stale(ColliderId),
    /// The world has 2^32 colliders.
    Full,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSprite { sprite, sprites } => write!(
                f,
                "sprite {} is not among the {sprites} of this atlas; ask Atlas::sprite for the id of a name",
                sprite.index()
            ),
            Self::UnknownFrame { frame, frames } => {
                write!(f, "frame {frame} is not among the sprite's {frames}; they count from 0")
            }
            Self::Position([x, y]) => write!(
                f,
                "position ({x}, {y}) is not a place; keep x and y finite and within {MAX_POSITION} pixels of the origin"
            ),
            Self::Angle(angle) => {
                write!(f, "the angle {angle:?} is not finite; give finite radians")
            }
            Self::Scale(scale) => write!(f, "scale {scale} is not a size; give a positive number"),
            Self::Stale(id) => write!(
                f,
                "collider {} (generation {}) is no longer in the world; insert it again",
                id.index(),
                id.generation()
            ),
            Self::Full => {
                write!(f, "the world holds 2^32 colliders and no more; remove some first")
            }
        }
    }
}

impl std::error::Error for PlaceError {}
