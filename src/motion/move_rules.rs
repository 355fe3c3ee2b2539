//! Parameters and result of a character move.

use crate::geom::Point;
use crate::ids::ColliderId;
use crate::narrow::Side;

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
    /// Layers, one bit each, whose colliders block motion that comes down on them, and hold a mover
    /// that stands on them: platforms to jump through.
    /// [`World::move_by_rules`](crate::World::move_by_rules) describes the rules.
    pub one_way: u32,
    /// Largest distance, in mask pixels, by which a one-way platform may rise into a mover between
    /// two of its moves and still raise it. A larger value also raises movers that come to rest in
    /// a platform, with their lowest rows in it. 0 raises none.
    pub rise: u32,
}

impl Default for MoveRules {
    /// Returns the rules of a walker: climb 1, slip 0, no one-way layers, rise 2.
    fn default() -> Self {
        Self { climb: 1, slip: 0, one_way: 0, rise: 2 }
    }
}

/// Result of a character move.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
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
    /// New position of the collider, in units of positions. Farther than 2^24 mask pixels from the
    /// origin an f32 cannot represent every pixel. The collider then ends at the last place on its way
    /// that it can represent: see [`Hit::position`](crate::Hit::position).
    pub position: [f32; 2],
    /// Distance from the old position to the new one, in mask pixels.
    pub translation: Point,
    /// Obstacles that ended a part of the motion, in the order of contact. The side is as seen
    /// from the collider: below for a floor, left or right for a wall.
    pub contacts: Vec<(ColliderId, Side)>,
    /// Sensors that the collider touched on its way, start and end included, in the order in which
    /// it first met them. Sensors met at one step are in order of their indices. A sensor that a
    /// fast move jumps over is listed too. Its layers have to be compatible.
    pub passed: Vec<ColliderId>,
    /// Obstacles that the collider overlapped at the start, could not be pushed out of, and still
    /// overlaps, in order of their indices. Empty unless the collider is crushed, as between a lift
    /// and a ceiling, or was placed deep inside an obstacle. One-way platforms never crush.
    pub stuck_in: Vec<ColliderId>,
}

impl MoveResult {
    /// Tests whether an obstacle on this side ended a part of the motion.
    #[must_use]
    pub fn blocked_on(&self, side: Side) -> bool {
        self.contacts.iter().any(|&(_, blocked)| blocked == side)
    }
}
