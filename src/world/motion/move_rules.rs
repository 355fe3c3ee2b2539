//! Parameters and result of a character move. Used by `character_move` and by users.

use crate::geom::Point;
use crate::narrow::Side;
use crate::world::ColliderId;

/// Rules of a character move: slopes, slipping and one-way platforms.
///
/// ```
/// use hitmask::MoveRules;
///
/// let glider = MoveRules { climb: 0, slip: 1, ..MoveRules::default() };
/// assert_eq!(glider.one_way, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveRules {
    /// Pixels that the collider may step up per pixel sideways. 1 climbs slopes of 45 degrees, 2
    /// steeper ones, 0 none.
    pub climb: u32,
    /// Pixels that the collider may slip to a free side per pixel of motion, in all directions. 1
    /// slides along slopes of 45 degrees, as top-down games need. 0 stops at them, as characters
    /// standing on ground need.
    pub slip: u32,
    /// Layers, one bit each, whose colliders block only motion that comes down on them: platforms
    /// to jump through.
    pub one_way: u32,
}

impl Default for MoveRules {
    /// Returns the rules of a walker: climb 1, slip 0, no one-way layers.
    fn default() -> Self {
        Self { climb: 1, slip: 0, one_way: 0 }
    }
}

/// Result of a character move.
///
/// ```
/// # use hitmask::{Atlas, Bake, Collider, World};
/// # let atlas = Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let a = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let id = world.insert(a)?;
/// let moved = world.move_and_slide(id, [3.0, 0.5])?;
/// assert_eq!(moved.position, [3.0, 0.5]);
/// assert!(moved.contacts.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveResult {
    /// New position of the collider, in units of positions.
    pub position: [f32; 2],
    /// Distance moved, in mask pixels.
    pub translation: Point,
    /// Obstacles that ended a part of the motion, in the order of contact. The side is as seen
    /// from the collider: below for a floor, left or right for a wall.
    pub contacts: Vec<(ColliderId, Side)>,
}

impl MoveResult {
    /// Tests whether an obstacle on this side ended a part of the motion.
    #[must_use]
    pub fn blocked_on(&self, side: Side) -> bool {
        self.contacts.iter().any(|&(_, blocked)| blocked == side)
    }
}
