use crate::atlas::SpriteId;
use crate::pose::Angle;

/// A sprite placed in the world.
///
/// ```
/// # use hitmask::{Collider, SpriteId};
/// # const SHIP: SpriteId = SpriteId::new(0);
/// let ship = Collider::new(SHIP).at([100.0, 40.5]).turned(0.3).flipped(true, false);
/// let next = Collider { frame: 1, ..ship };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// What is placed.
    pub sprite: SpriteId,
    /// The image shown, from 0.
    pub frame: u32,
    /// Where the pivot lies, in pixels: x right, y down. Snaps to the pixel at
    /// floor(p + 1/2) on each axis. Within [`MAX_POSITION`](crate::MAX_POSITION) of the origin.
    pub position: [f32; 2],
    /// Turn about the pivot, clockwise on screen. The nearest baked step is shown.
    pub angle: Angle,
    /// Size, 1 being that of the image. The nearest baked scale is shown.
    pub scale: f32,
    /// Mirrored left to right, before turning.
    pub flip_x: bool,
    /// Mirrored top to bottom, before turning.
    pub flip_y: bool,
}

impl Collider {
    /// The first frame of `sprite` at the origin, upright, in source size.
    #[must_use]
    pub const fn new(sprite: SpriteId) -> Self {
        Self {
            sprite,
            frame: 0,
            position: [0.0; 2],
            angle: Angle::Turn(0),
            scale: 1.0,
            flip_x: false,
            flip_y: false,
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

    /// The same, mirrored in x, in y, in both or in neither.
    #[must_use]
    pub const fn flipped(self, flip_x: bool, flip_y: bool) -> Self {
        Self { flip_x, flip_y, ..self }
    }

    /// The same with another frame.
    #[must_use]
    pub const fn with_frame(self, frame: u32) -> Self {
        Self { frame, ..self }
    }
}
