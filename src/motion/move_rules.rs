//! Parameters and result of a character move.

use crate::geom::Point;
use crate::narrow::{Normal, Side};
use crate::scene::ColliderId;

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

pub(super) type ColliderVeto<'k> = &'k dyn Fn(ColliderId) -> bool;
/// Returns whether an obstacle blocks a contact.
pub(super) type ContactVeto<'k> = &'k dyn Fn(&MoveContact) -> bool;

/// [`MoveRules`] and a function that decides what blocks the move: made by [`MoveRules::among`] or
/// [`MoveRules::at_contacts`]. Those have examples.
#[derive(Clone, Copy)]
pub struct MoveVeto<'k> {
    pub(super) rules: MoveRules,
    pub(super) keep: Keep<'k>,
}

#[derive(Clone, Copy)]
pub(super) enum Keep<'k> {
    All,
    Colliders(ColliderVeto<'k>),
    Contacts(ContactVeto<'k>),
}

impl std::fmt::Debug for MoveVeto<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MoveVeto").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl From<MoveRules> for MoveVeto<'_> {
    /// Returns the rules without a veto.
    fn from(rules: MoveRules) -> Self {
        Self { rules, keep: Keep::All }
    }
}

impl MoveRules {
    /// Returns the rules for a move that only colliders for which `keep` returns true block or push
    /// out. `keep` is not asked about sensors.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, MoveRules, World};
    /// # let bytes = AtlasBuilder::new().mask("a", Mask::disc(4)?).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// let owner = world.insert(Collider::new(a))?;
    /// let door = world.insert(Collider::new(a).at([20.0, 0.0]))?;
    /// let all = MoveRules::default();
    /// let moved = world.move_by_rules(owner, [40.0, 0.0], all.among(&|other| other != door))?;
    /// assert_eq!(moved.position, [40.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn among<'k>(self, keep: &'k dyn Fn(ColliderId) -> bool) -> MoveVeto<'k> {
        MoveVeto { rules: self, keep: Keep::Colliders(keep) }
    }

    /// Returns the rules for a move in which an obstacle blocks only the contacts for which `keep`
    /// returns true. A game can let a jump through ceilings, or make
    /// only steep walls count.
    ///
    /// The collider passes into an obstacle that is refused. The obstacle does not block again
    /// before the collider has left it. An overlap at the start counts as the contact at which this
    /// motion would have entered the obstacle. If the motion is 0 px, the normal of the overlap
    /// counts. A refused overlap pushes nothing out. A push out that would enter another obstacle is
    /// a contact with it.
    ///
    /// `keep` may be called several times for one contact. It is called for each pixel of a slide,
    /// so a long slide takes one step per pixel.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, MoveRules, Side, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "###\n###".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let hero = world.insert(a.at([0.0, 20.0]))?;
    /// world.insert(a)?;
    /// let rules = MoveRules::default();
    /// // Ceilings let the hero through, floors do not.
    /// for (motion, y) in [([0.0, -40.0], -20.0), ([0.0, 40.0], -2.0)] {
    ///     let moved =
    ///         world.move_by_rules(hero, motion, rules.at_contacts(&|c| c.side != Side::Above))?;
    ///     assert_eq!(moved.position, [0.0, y]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn at_contacts<'k>(self, keep: &'k dyn Fn(&MoveContact) -> bool) -> MoveVeto<'k> {
        MoveVeto { rules: self, keep: Keep::Contacts(keep) }
    }
}

/// A contact that an obstacle would block, as the veto of [`MoveRules::at_contacts`] receives it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveContact {
    /// The obstacle.
    pub collider: ColliderId,
    /// Side of the obstacle as seen from the moving collider: below for a floor, above for a
    /// ceiling, left or right for a wall.
    pub side: Side,
    /// Surface normal at the contact, from the obstacle towards the moving collider.
    pub normal: Normal,
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
