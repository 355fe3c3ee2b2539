//! Colliders, what they show, and the ids that name them.

use crate::atlas::SpriteId;
use crate::geom::Flip;
use crate::narrow::Accuracy;
use crate::pose::Angle;

/// What a collider shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A sprite of the atlas, at the baked pose nearest to the collider's angle and scale.
    Sprite(SpriteId),
    /// A mask made at run time: see [`World::insert_mask`](crate::world::World::insert_mask). It is shown
    /// as it is: frame, plane, angle, scale and flips stay at their defaults.
    Mask(MaskId),
}

impl Shape {
    /// The sprite; `None` for a mask made at run time.
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
    /// What is placed.
    pub shape: Shape,
    /// The image shown, from 0.
    pub frame: u32,
    /// Which of the frame's masks is shown, from 0: what [`Sprite::plane`](crate::Sprite::plane)
    /// gives for a name. The first unless it says otherwise.
    pub plane: u32,
    /// Where the pivot lies, in pixels: x right, y down. Snaps to the mask pixel at floor(r p + 1/2)
    /// on each axis, r being the atlas's resolution, 1 unless it was baked at another; r p is within
    /// [`MAX_POSITION`](crate::MAX_POSITION) of the origin.
    pub position: [f32; 2],
    /// Turn about the pivot, clockwise on screen. The nearest baked step is shown.
    pub angle: Angle,
    /// Size, 1 being that of the image. The nearest baked scale is shown.
    pub scale: f32,
    /// Mirror images, taken before the turn.
    pub flip: Flip,
    /// The layers it is on, one bit each. Default the lowest alone.
    pub layers: u32,
    /// The layers it may meet, one bit each. Default all. Two colliders meet only where each is on
    /// a layer that the other may meet.
    pub collides_with: u32,
    /// True for what never moves, or seldom: the level. Fixed colliders are indexed once instead
    /// of at every update, and do not meet each other. Changing one has the whole index of fixed
    /// ones built again at the next update.
    pub fixed: bool,
    /// True for what reports touches but is in nobody's way: casts and moves pass through it.
    pub sensor: bool,
    /// How closely its pairs are looked at, unless the world's own accuracy is coarser. At
    /// [`Accuracy::Box`] the collider counts as its tight box, filled; [`DecidedBy`](crate::DecidedBy) says
    /// what two of different accuracies come to. Moves, casts and queries look at pixels in any case:
    /// [which calls follow accuracies](crate::World#which-calls-follow-accuracies).
    pub accuracy: Accuracy,
    /// Pixels that have to overlap for a pair to count as touching; of two colliders the greater
    /// number holds. 0 counts as 1, the default. At [`Accuracy::Coarse`] it is not looked at, unless the
    /// other is at [`Accuracy::Box`]. For moves, casts and queries one pixel is enough in any case:
    /// [which calls follow accuracies](crate::World#which-calls-follow-accuracies).
    pub min_overlap: u32,
}

impl Collider {
    /// The first frame of `sprite` at the origin, upright, in source size.
    #[must_use]
    pub const fn new(sprite: SpriteId) -> Self {
        Self::of(Shape::Sprite(sprite))
    }

    /// A mask made at run time, its pivot at the origin.
    #[must_use]
    pub const fn from_mask(mask: MaskId) -> Self {
        Self::of(Shape::Mask(mask))
    }

    const fn of(shape: Shape) -> Self {
        Self {
            shape,
            frame: 0,
            plane: 0,
            position: [0.0; 2],
            angle: Angle::Turn(0),
            scale: 1.0,
            flip: Flip::NONE,
            layers: 1,
            collides_with: u32::MAX,
            fixed: false,
            sensor: false,
            accuracy: Accuracy::Exact,
            min_overlap: 1,
        }
    }

    /// The same at another position, in pixels.
    #[must_use]
    pub fn at(self, position: impl Into<[f32; 2]>) -> Self {
        Self { position: position.into(), ..self }
    }

    /// The same at another angle: radians, or an [`Angle`].
    #[must_use]
    pub fn turned(self, angle: impl Into<Angle>) -> Self {
        Self { angle: angle.into(), ..self }
    }

    /// The same at another scale.
    #[must_use]
    pub const fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the collider mirrored along the axes of `flip`.
    #[must_use]
    pub const fn flipped(self, flip: Flip) -> Self {
        Self { flip, ..self }
    }

    /// The same with another frame.
    #[must_use]
    pub const fn with_frame(self, frame: u32) -> Self {
        Self { frame, ..self }
    }

    /// The same with another plane: see [`plane`](Self::plane).
    #[must_use]
    pub const fn with_plane(self, plane: u32) -> Self {
        Self { plane, ..self }
    }

    /// The same on other layers, meeting others: one bit each.
    #[must_use]
    pub const fn on_layers(self, layers: u32, collides_with: u32) -> Self {
        Self { layers, collides_with, ..self }
    }

    /// The same, never moving: see [`fixed`](Self::fixed).
    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// The same, in nobody's way: see [`sensor`](Self::sensor).
    #[must_use]
    pub const fn sensor(self) -> Self {
        Self { sensor: true, ..self }
    }
}

/// Where a collider goes: the part of it that changes from tick to tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// Where the pivot lies, as [`Collider::position`](crate::Collider::position).
    pub position: [f32; 2],
    /// Turn about the pivot, clockwise on screen.
    pub angle: Angle,
}

/// A collider of one world. Small and cheap to copy; once its collider is removed it is stale, and
/// never names the one that takes its place. In another world, unless one is a copy of the other, it
/// names a stranger or nobody: nothing tells that it came from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ColliderId {
    index: u32,
    generation: u32,
}

impl ColliderId {
    pub(crate) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Its slot in the world, from 0: no two colliders share one at a time, and freed slots are
    /// used again, so that it can index arrays of your own.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The same, as arrays are indexed.
    #[inline(always)]
    pub(crate) const fn slot(self) -> usize {
        self.index as usize
    }

    /// How often the slot had been freed when this id was given.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// Two colliders; `a` has the lower index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pair {
    /// The collider of lower index.
    pub a: ColliderId,
    /// The collider of higher index.
    pub b: ColliderId,
}

/// A mask made at run time, in one world. Once it is removed it is stale, and never names the one
/// that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaskId {
    index: u32,
    generation: u32,
}

impl MaskId {
    pub(crate) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Its place among the masks of the world, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How often the place had been freed when this id was given.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}
