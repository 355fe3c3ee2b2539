//! The mirror state of a sprite.
//!
//! Colliders, atlas lookups and `Similarity` carry a [`Flip`]. `pose::flip_mapping` turns it into a
//! pose and a vertical flip.

/// Mirror images along the two axes of a sprite, applied before the rotation.
///
/// ```
/// # use hitmask::{Collider, Flip, SpriteId};
/// # const SHIP: SpriteId = SpriteId::new(0);
/// let facing_left = Collider::new(SHIP).flipped(Flip::X);
/// assert_eq!(facing_left.flip, Flip { x: true, y: false });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flip {
    /// Mirrored left to right.
    pub x: bool,
    /// Mirrored top to bottom.
    pub y: bool,
}

impl Flip {
    /// Not mirrored.
    pub const NONE: Self = Self { x: false, y: false };
    /// Mirrored left to right.
    pub const X: Self = Self { x: true, y: false };
    /// Mirrored top to bottom.
    pub const Y: Self = Self { x: false, y: true };
    /// Mirrored along both axes, which equals a half turn.
    pub const XY: Self = Self { x: true, y: true };
}
