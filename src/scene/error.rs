//! Errors of the calls that change colliders, runtime masks and atlases.
//!
//! [`PlaceError`] describes one collider or mask; [`BulkPlaceError`] adds the index within a bulk
//! call. [`AtlasChangeError`] is about an atlas that is added, dropped or replaced.
//!
//! Invariants: a call that returns one of these errors leaves the world unchanged. `Display` states
//! the fault and the offending value; `help` states the remedy.

use crate::atlas::{AtlasId, SpriteId};
use crate::geom::MAX_POSITION;
use crate::pose::{Angle, PoseError, ScalePolicy};
use crate::scene::{ColliderId, MAX_COLLIDERS, MaskId};
use std::borrow::Cow;
use std::fmt;

/// Error of a call that places a collider or stores a mask. The world is left unchanged.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Collider, PlaceError, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// let a = Collider::new(atlas.sprite_id("a").unwrap());
/// let mut world = World::new(atlas);
/// let id = world.insert(a)?;
/// world.remove(id).unwrap();
/// let error = world.set(id, a).unwrap_err();
/// assert_eq!(error, PlaceError::Stale(id));
/// assert_eq!(error.to_string(), "collider 0 (generation 0) is no longer in the world");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum PlaceError {
    /// The atlas has no sprite with this id.
    UnknownSprite {
        /// The offending id.
        sprite: SpriteId,
        /// Number of sprites in the atlas.
        sprites: u32,
    },
    /// The sprite belongs to an atlas that is not in the world.
    OtherAtlas {
        /// The offending id.
        sprite: SpriteId,
    },
    /// The sprite or the plane is of an earlier version of an atlas. The
    /// [newest version](crate::AtlasesMut::replace) has none of that name.
    Vanished {
        /// The offending id.
        sprite: SpriteId,
        /// The plane that was asked for, counted from 0.
        plane: u32,
    },
    /// The sprite has no frame with this index.
    UnknownFrame {
        /// The offending frame, counted from 0.
        frame: u32,
        /// Number of frames of the sprite.
        frames: u32,
    },
    /// The sprite has no plane with this index.
    UnknownPlane {
        /// The offending plane, counted from 0.
        plane: u32,
        /// Number of planes of the sprite.
        planes: u32,
    },
    /// The position is not finite, or is farther than [`MAX_POSITION`] mask pixels from the origin
    /// on one axis. Mask pixels are units of positions times the resolution.
    Position([f32; 2]),
    /// The angle is not finite.
    Angle(Angle),
    /// The scale is not a finite number above 0.
    Scale(f32),
    /// The scale is too far from every scale that the sprite is baked at, by the world's
    /// [`ScalePolicy`].
    UnbakedScale {
        /// The offending scale.
        scale: f32,
        /// The nearest baked scale.
        nearest: f32,
        /// The policy of the world.
        policy: ScalePolicy,
    },
    /// The factor of a [`ScalePolicy`] is below 1 or not a number.
    ScaleFactor(f32),
    /// The collider with this id was removed.
    Stale(ColliderId),
    /// No collider of the world has this [owner](crate::Collider::owner).
    UnknownOwner(u32),
    /// The mask with this id was removed or was never inserted.
    UnknownMask(MaskId),
    /// The collider shows a runtime mask with a frame, angle, scale or flip. A runtime mask has one
    /// frame and one pose.
    PosedMask(MaskId),
    /// The mask cannot be removed because a collider shows it.
    MaskInUse(MaskId),
    /// The mask was inserted with [`MasksMut::insert`](crate::MasksMut::insert), so it has no
    /// source raster to draw again.
    UndrawnMask(MaskId),
    /// The pivot of a mask is out of range, or a transform cannot be drawn.
    Pose(PoseError),
    /// The poses that colliders would show take more than the
    /// [budget](crate::AtlasesMut::set_pose_budget), after all others were dropped.
    PoseBudget {
        /// Bytes of the masks that would be shown. A call that places all colliders, such as
        /// [`restore`](crate::World::restore), stops at the first pose that exceeds the budget.
        needed: u64,
        /// The budget, in bytes.
        budget: u64,
    },
    /// The world already holds [`MAX_COLLIDERS`] colliders, the index range of masks is used up, or
    /// its poses take 32 GiB.
    Full,
}

debug_with_help!(PlaceError);

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSprite { sprite, sprites } => {
                write!(
                    f,
                    "sprite {} does not exist (sprites in the atlas: {sprites})",
                    sprite.index()
                )
            }
            Self::OtherAtlas { sprite } => {
                write!(f, "sprite {} belongs to ", sprite.index())?;
                match sprite.atlas() {
                    Some(atlas) => write!(f, "atlas {atlas}, which is not in the world"),
                    None => f.write_str("no atlas, but the world has several"),
                }
            }
            Self::Vanished { sprite, plane } => {
                let (index, atlas) =
                    (sprite.index(), sprite.atlas().map(|atlas| atlas.to_string()));
                let atlas = atlas.unwrap_or_default();
                write!(
                    f,
                    "plane {plane} of sprite {index} of atlas {atlas} is not in its newest version"
                )
            }
            Self::UnknownFrame { frame, frames } => {
                write!(f, "frame {frame} does not exist (frames of the sprite: {frames})")
            }
            Self::UnknownPlane { plane, planes } => {
                write!(f, "plane {plane} does not exist (planes of the sprite: {planes})")
            }
            Self::Position([x, y]) => {
                write!(
                    f,
                    "position ({x}, {y}) is not finite or out of range (limit {MAX_POSITION} mask px)"
                )
            }
            Self::Angle(angle) => write!(f, "angle {} is not finite", angle.to_radians()),
            Self::Scale(scale) => write!(f, "scale {scale} is not a finite number above 0"),
            Self::UnbakedScale { scale, nearest, policy } => match policy {
                ScalePolicy::Exact => {
                    write!(f, "scale {scale} is not baked (the nearest baked scale is {nearest})")
                }
                _ => write!(
                    f,
                    "scale {scale} is not baked: it is more than {}x away from the nearest baked \
                     scale, {nearest}",
                    policy.factor()
                ),
            },
            Self::ScaleFactor(factor) => {
                write!(f, "factor {factor} of a scale policy is not a number of 1 or more")
            }
            Self::Stale(id) => write!(
                f,
                "collider {} (generation {}) is no longer in the world",
                id.index(),
                id.generation()
            ),
            Self::UnknownOwner(owner) => write!(f, "owner {owner} has no colliders in the world"),
            Self::UnknownMask(id) => write!(
                f,
                "mask {} (generation {}) is not in the world",
                id.index(),
                id.generation()
            ),
            Self::PosedMask(id) => {
                write!(f, "runtime mask {} cannot take a frame, angle, scale or flip", id.index())
            }
            Self::MaskInUse(id) => write!(f, "mask {} is in use by a collider", id.index()),
            Self::UndrawnMask(id) => write!(f, "mask {} has no raster to draw it from", id.index()),
            Self::Pose(cause) => cause.fmt(f),
            Self::PoseBudget { needed, budget } => {
                write!(f, "the shown poses take {needed} bytes (the budget is {budget} bytes)")
            }
            Self::Full => write!(f, "the world is full (limit {MAX_COLLIDERS} colliders)"),
        }
    }
}

impl PlaceError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::UnknownSprite { .. } => "get the id from Atlas::sprite_id",
            Self::OtherAtlas { .. } => "get the id from Atlas::sprite_id of an atlas of the world",
            Self::Vanished { .. } => {
                "show another sprite, or replace the atlas by a version with the same names"
            }
            Self::UnknownFrame { .. } => {
                "give a frame below the number of frames; frames count from 0"
            }
            Self::UnknownPlane { .. } => "get the index from Sprite::plane",
            Self::Position(_) => {
                return format!(
                    "keep x and y, times the resolution of the atlas, within {MAX_POSITION} of 0"
                )
                .into();
            }
            Self::Angle(_) => "give a finite angle in radians",
            Self::Scale(_) => "give a finite number above 0",
            Self::UnbakedScale { scale, .. } => {
                return format!(
                    "add {scale} to AtlasBuilder::scales, or allow the scale with World::set_scale_policy; \
                     MasksMut::insert_drawn draws any scale"
                )
                .into();
            }
            Self::ScaleFactor(_) => "give a factor of 1 or more, or ScalePolicy::Nearest",
            Self::Stale(_) => "insert the collider again and use the new id",
            Self::UnknownOwner(_) => {
                "give a number other than 0 that Collider::owned_by gave to a collider in the world"
            }
            Self::UnknownMask(_) => "insert the mask with MasksMut::insert and use the new id",
            Self::PosedMask(_) => "leave frame, angle, scale and flips at their defaults",
            Self::MaskInUse(_) => {
                "first remove every collider that shows the mask, or give it another shape"
            }
            Self::UndrawnMask(_) => "insert the raster with MasksMut::insert_drawn instead",
            Self::Pose(cause) => return cause.help(),
            Self::PoseBudget { needed, .. } => {
                return format!(
                    "give AtlasesMut::set_pose_budget {needed} bytes or more, or show fewer poses at once"
                )
                .into();
            }
            Self::Full => "remove colliders before inserting more",
        }
        .into()
    }
}

impl std::error::Error for PlaceError {}

/// Error of a bulk call: the index of the offending item and its [`PlaceError`].
///
/// ```
/// use hitmask::{BulkPlaceError, PlaceError};
///
/// let error = BulkPlaceError { index: 2, cause: PlaceError::Scale(0.0) };
/// assert_eq!(error.to_string(), "item 2: scale 0 is not a finite number above 0");
/// assert_eq!(error.help(), "give a finite number above 0");
/// ```
#[derive(Clone, PartialEq)]
pub struct BulkPlaceError {
    /// Index of the offending item in the given list, counted from 0.
    pub index: usize,
    /// The fault of that item.
    pub cause: PlaceError,
}

debug_with_help!(BulkPlaceError);

impl fmt::Display for BulkPlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item {}: {}", self.index, self.cause)
    }
}

impl std::error::Error for BulkPlaceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl BulkPlaceError {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        self.cause.help()
    }
}

/// Error of a call that adds, drops or replaces an atlas. The world is left unchanged.
///
/// ```
/// use hitmask::{Atlas, AtlasChangeError, AtlasBuilder, World};
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// let mut world = World::new(atlas.clone());
/// let error = world.atlases_mut().add(atlas.clone()).unwrap_err();
/// assert_eq!(error, AtlasChangeError::SameId(atlas.id()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
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
    /// The poses that colliders show do not fit the [budget](crate::AtlasesMut::set_pose_budget).
    Poses(PlaceError),
    /// A collider cannot be placed with the new atlas.
    Placement {
        /// The collider.
        collider: ColliderId,
        /// Its fault.
        cause: PlaceError,
    },
}

debug_with_help!(AtlasChangeError);

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
                "replace the atlas with AtlasesMut::replace, or give the other one a label with \
                 Atlas::labelled"
            }
            Self::Resolution { world, .. } => {
                return format!("bake the atlas with AtlasBuilder::resolution({world})").into();
            }
            Self::InUse { .. } => {
                "first remove the colliders, or give AtlasesMut::drop InUse::Remove"
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
