//! Colliders, their shapes, their appearances and their pairs.
//!
//! Plain data: users build a [`Collider`] and give it to the world. All other modules of the scene
//! read these types. Checks of their values are in `placement`.

use crate::geom::Flip;
use crate::ids::SpriteId;
use crate::ids::{ColliderId, MaskId};
use crate::narrow::{Accuracy, Contact};
use crate::pose::{Angle, Resolution};

/// Position and angle of a collider: the part that usually changes from tick to tick. 3 numbers of 32
/// bits with the layout of C, so that other languages and graphics processors can share the memory.
///
/// ```
/// use hitmask::{Angle, Placement};
///
/// let placement = Placement { position: [10.0, 20.5], angle: Angle::radians(0.3) };
/// assert_eq!(placement.position[1], 20.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Placement {
    /// Position of the pivot, as [`Collider::position`].
    pub position: [f32; 2],
    /// Rotation about the pivot, clockwise on screen.
    pub angle: Angle,
}

/// The shape of a collider: a sprite of the atlas or a runtime mask.
///
/// ```
/// use hitmask::{ColliderShape, SpriteId};
///
/// let ship = SpriteId::new(0);
/// assert_eq!(ColliderShape::Sprite(ship).sprite(), Some(ship));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ColliderShape {
    /// A sprite of an atlas of the world, at the baked pose nearest to the collider's angle and scale.
    Sprite(SpriteId),
    /// A runtime mask: see [`MasksMut::insert`](crate::MasksMut::insert). It has one
    /// pose, so frame, plane, angle, scale and flip must keep their defaults.
    Mask(MaskId),
}

impl ColliderShape {
    /// Returns the sprite; `None` for a runtime mask.
    #[must_use]
    pub const fn sprite(self) -> Option<SpriteId> {
        match self {
            Self::Sprite(sprite) => Some(sprite),
            Self::Mask(_) => None,
        }
    }
}

/// A sprite or a mask placed in the world.
///
/// ```
/// # use hitmask::{Collider, Flip, SpriteId};
/// # const SHIP: SpriteId = SpriteId::new(0);
/// let ship = Collider::new(SHIP).at([100.0, 40.5]).turned(0.3).flipped(Flip::X);
/// let next = Collider { frame: 1, ..ship };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Collider {
    /// The sprite or mask that is placed.
    pub shape: ColliderShape,
    /// Frame of the sprite, counted from 0.
    pub frame: u32,
    /// Plane of the frame, counted from 0: the value of [`Sprite::plane`](crate::Sprite::plane) for
    /// a name. Default 0.
    pub plane: u32,
    /// Position of the pivot, in pixels: x right, y down. It snaps to the mask pixel at floor(r p +
    /// 1/2) on each axis. Here r is the resolution of the atlas, by default 1. The product r p must
    /// be within [`MAX_POSITION`](crate::MAX_POSITION) of the origin.
    pub position: [f32; 2],
    /// Rotation about the pivot, clockwise on screen. The nearest baked step is shown.
    pub angle: Angle,
    /// Scale relative to the image. The nearest baked scale is shown. A scale that is far from
    /// every baked one is refused: see [`ScalePolicy`](crate::ScalePolicy). Default 1.
    pub scale: f32,
    /// Mirroring, applied before the rotation.
    pub flip: Flip,
    /// Layers of the collider, one bit each. Default: the lowest bit.
    pub layers: u32,
    /// Layers that the collider can touch, one bit each. Default: all. A pair can touch only if
    /// each collider is on a layer that the other can touch.
    pub collides_with: u32,
    /// Whether the collider never or seldom moves, as level geometry. Fixed colliders do not touch
    /// each other. They have an index of their own, which is not rebuilt when very many others move.
    pub fixed: bool,
    /// Whether the collider reports touches without blocking: casts and moves pass through it.
    pub sensor: bool,
    /// The body that the collider belongs to, by default 0 for none. Colliders with the same
    /// owner, such as the parts of one body, never touch or block each other. The number is chosen
    /// by the caller. Queries find each collider, whatever its owner.
    ///
    /// [`Bodies::touching`](crate::Bodies::touching) lists each pair of bodies once, and
    /// [`move_body`](crate::World::move_body) moves all parts together.
    pub owner: u32,
    /// Whether the collider takes part, by default true. A disabled collider keeps its id and its
    /// slot, but touches nothing, blocks nothing, moves through everything and is found by no
    /// query. [`get`](crate::World::get), [`rect`](crate::World::rect),
    /// [`posed`](crate::World::posed) and the iterators still return it.
    pub enabled: bool,
    /// Accuracy of the collider's pairs, unless the world's accuracy is coarser. At
    /// [`Accuracy::Box`] the collider counts as its tight box, filled.
    /// [`DecidedBy`](crate::DecidedBy) lists the result for two different accuracies. Moves and
    /// casts follow [`move_accuracy`](Self::move_accuracy). Queries test pixels at any accuracy:
    /// [which calls follow accuracies](crate::World#which-calls-follow-accuracies).
    pub accuracy: Accuracy,
    /// Accuracy of the collider in moves, casts and push-outs, as mover and as obstacle. At
    /// [`Accuracy::Box`] the collider counts as its tight box, filled; at any other accuracy its
    /// pixels count. The default `None` takes the accuracy for touching: the collider's own, or the
    /// world's if that is coarser. A value given here applies whatever the world's accuracy is.
    pub move_accuracy: Option<Accuracy>,
    /// Least overlap for a pair to count as touching, by area or by width and height, in pixels. A
    /// pair must meet the rules of both colliders. By default any shared mask pixel counts. Ignored
    /// at [`Accuracy::Coarse`], unless the other collider is at [`Accuracy::Box`]. For moves, casts
    /// and queries one pixel is enough: [which calls follow
    /// accuracies](crate::World#which-calls-follow-accuracies).
    pub min_overlap: MinOverlap,
    /// A number of the game's own, such as that of its entity; 0 by default. No answer depends on it.
    /// Snapshots keep it and [`state_hash`](crate::World::state_hash) covers it, so in lockstep games
    /// it is the same on every machine. A world in which all are 0 stores none; otherwise 8 bytes a
    /// collider.
    pub user_data: u64,
}

impl Collider {
    /// Creates a collider of the first frame of `sprite`, at the origin, unrotated, at scale 1.
    #[must_use]
    pub const fn new(sprite: SpriteId) -> Self {
        Self::of(ColliderShape::Sprite(sprite))
    }

    /// Creates a collider of a runtime mask, with its pivot at the origin.
    #[must_use]
    pub const fn from_mask(mask: MaskId) -> Self {
        Self::of(ColliderShape::Mask(mask))
    }

    const fn of(shape: ColliderShape) -> Self {
        Self {
            shape,
            frame: 0,
            plane: 0,
            position: [0.0; 2],
            angle: Angle::turn(0),
            scale: 1.0,
            flip: Flip::NONE,
            layers: 1,
            collides_with: u32::MAX,
            fixed: false,
            sensor: false,
            owner: 0,
            enabled: true,
            accuracy: Accuracy::Exact,
            move_accuracy: None,
            min_overlap: MinOverlap::Pixels(0),
            user_data: 0,
        }
    }

    /// Returns the collider at another position, in pixels.
    #[must_use]
    pub fn at(self, position: impl Into<[f32; 2]>) -> Self {
        Self { position: position.into(), ..self }
    }

    /// Returns the collider at another angle: radians, or an [`Angle`].
    #[must_use]
    pub fn turned(self, angle: impl Into<Angle>) -> Self {
        Self { angle: angle.into(), ..self }
    }

    /// Returns the collider at another scale: see [`scale`](Self::scale).
    #[must_use]
    pub const fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the collider mirrored along the axes of `flip`.
    #[must_use]
    pub const fn flipped(self, flip: Flip) -> Self {
        Self { flip, ..self }
    }

    /// Returns the collider with another frame.
    #[must_use]
    pub const fn with_frame(self, frame: u32) -> Self {
        Self { frame, ..self }
    }

    /// Returns the collider with another plane: see [`plane`](Self::plane).
    #[must_use]
    pub const fn with_plane(self, plane: u32) -> Self {
        Self { plane, ..self }
    }

    /// Returns the collider with other [`layers`](Self::layers) and
    /// [`collides_with`](Self::collides_with), one bit per layer.
    #[must_use]
    pub const fn on_layers(self, layers: u32, collides_with: u32) -> Self {
        Self { layers, collides_with, ..self }
    }

    /// Returns the collider as a fixed one: see [`fixed`](Self::fixed).
    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// Returns the collider as a part of a body: see [`owner`](Self::owner).
    #[must_use]
    pub const fn owned_by(self, owner: u32) -> Self {
        Self { owner, ..self }
    }

    /// Returns the collider as a disabled one: see [`enabled`](Self::enabled).
    #[must_use]
    pub const fn disabled(self) -> Self {
        Self { enabled: false, ..self }
    }

    /// Returns the collider with an accuracy of its own for moves: see
    /// [`move_accuracy`](Self::move_accuracy).
    #[must_use]
    pub const fn with_move_accuracy(self, accuracy: Accuracy) -> Self {
        Self { move_accuracy: Some(accuracy), ..self }
    }

    /// Returns the collider with another least overlap: a number of pixels, or `[width, height]`.
    /// See [`min_overlap`](Self::min_overlap).
    #[must_use]
    pub fn with_min_overlap(self, least: impl Into<MinOverlap>) -> Self {
        Self { min_overlap: least.into(), ..self }
    }

    /// Returns the collider as a sensor: see [`sensor`](Self::sensor).
    #[must_use]
    pub const fn sensor(self) -> Self {
        Self { sensor: true, ..self }
    }
}

/// The least overlap of a pair that counts as touching.
///
/// Its unit is pixels, as that of positions. At a [resolution](crate::AtlasBuilder::resolution) r a side of
/// one pixel is r mask pixels, and an area of one pixel is r x r of them. Fractions round up, and
/// one mask pixel is always necessary.
///
/// ```
/// use hitmask::{Collider, MinOverlap, SpriteId};
///
/// let ship = Collider::new(SpriteId::new(0));
/// assert_eq!(ship.min_overlap, MinOverlap::Pixels(0));
/// let by_area = ship.with_min_overlap(20);
/// let by_size = ship.with_min_overlap([3, 2]);
/// assert_eq!(by_area.min_overlap, MinOverlap::Pixels(20));
/// assert_eq!(by_size.min_overlap, MinOverlap::Size { width: 3, height: 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MinOverlap {
    /// The number of shared pixels, an area. With 0, the default, any shared mask pixel counts.
    Pixels(u32),
    /// The size of the box around the shared pixels: [`Contact::rect`]. A pair must reach both. 0
    /// counts as 1. Such pairs are tested one by one, as those at
    /// [`Accuracy::Box`].
    Size {
        /// Least width, in pixels.
        width: u32,
        /// Least height, in pixels.
        height: u32,
    },
}

impl Default for MinOverlap {
    /// Returns the rule by which any shared mask pixel counts.
    fn default() -> Self {
        Self::Pixels(0)
    }
}

impl From<u32> for MinOverlap {
    fn from(pixels: u32) -> Self {
        Self::Pixels(pixels)
    }
}

impl From<[u32; 2]> for MinOverlap {
    fn from([width, height]: [u32; 2]) -> Self {
        Self::Size { width, height }
    }
}

/// The least overlap of a collider or a pair, in mask pixels. Each number is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeastOverlap {
    pub(crate) area: u64,
    width: u64,
    height: u64,
}

impl LeastOverlap {
    /// Any shared mask pixel.
    pub(crate) const ANY: Self = Self { area: 1, width: 1, height: 1 };

    pub(crate) fn new(rule: MinOverlap, resolution: Resolution) -> Self {
        // Pixels to mask pixels, rounded up. `axes` is 1 for a length and 2 for an area.
        let scaled = |pixels: u32, axes: i32| {
            let (pixels, log2) = (u64::from(pixels), axes * resolution.log2());
            if log2 < 0 { pixels.div_ceil(1 << -log2) } else { pixels << log2 }.max(1)
        };
        match rule {
            MinOverlap::Pixels(pixels) => Self { area: scaled(pixels, 2), ..Self::ANY },
            MinOverlap::Size { width, height } => {
                Self { area: 1, width: scaled(width, 1), height: scaled(height, 1) }
            }
        }
    }

    /// Returns the least overlap that meets both rules.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            area: self.area.max(other.area),
            width: self.width.max(other.width),
            height: self.height.max(other.height),
        }
    }

    pub(crate) fn is_any(self) -> bool {
        self == Self::ANY
    }

    pub(crate) const fn is_by_area(self) -> bool {
        self.width == 1 && self.height == 1
    }

    pub(crate) fn is_met_by(self, contact: &Contact) -> bool {
        let Contact { area, rect, .. } = *contact;
        let (width, height) = (u64::from(rect.width()), u64::from(rect.height()));
        area >= self.area && width >= self.width && height >= self.height
    }
}

/// A collider without position, angle and scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Appearance {
    pub(crate) shape: ColliderShape,
    pub(crate) frame: u32,
    pub(crate) plane: u32,
    pub(crate) flip: Flip,
    pub(crate) layers: u32,
    pub(crate) collides_with: u32,
    pub(crate) fixed: bool,
    pub(crate) sensor: bool,
    pub(crate) enabled: bool,
    pub(crate) accuracy: Accuracy,
    pub(crate) move_accuracy: Option<Accuracy>,
    pub(crate) min_overlap: MinOverlap,
}

impl Appearance {
    pub(crate) fn of(collider: &Collider) -> Self {
        let Collider { shape, frame, plane, flip, layers, collides_with, .. } = *collider;
        let Collider { fixed, sensor, enabled, accuracy, move_accuracy, min_overlap, .. } =
            *collider;
        Self {
            shape,
            frame,
            plane,
            flip,
            layers,
            collides_with,
            fixed,
            sensor,
            enabled,
            accuracy,
            move_accuracy,
            min_overlap,
        }
    }
}

/// Two colliders; `a` has the lower index.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::Pair;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// let mut world = World::new(atlas);
/// let (a, b) = (world.insert(dot)?, world.insert(dot)?);
/// world.update();
/// assert_eq!(world.touching(), [Pair { a, b }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In memory it is 2 numbers of 64 bits, [`ColliderId::to_bits`] of `a` and of `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Pair {
    /// The collider of lower index.
    pub a: ColliderId,
    /// The collider of higher index.
    pub b: ColliderId,
}

impl From<&Pair> for Pair {
    fn from(pair: &Pair) -> Self {
        *pair
    }
}

/// Puts the collider of lower index first.
impl From<[ColliderId; 2]> for Pair {
    fn from([a, b]: [ColliderId; 2]) -> Self {
        Self { a: a.min(b), b: a.max(b) }
    }
}
