//! The filter of queries and motions.

use crate::ids::ColliderId;
use crate::narrow::{Accuracy, Normal, Side};
use std::fmt;

/// The colliders that a query, a cast or a move considers.
///
/// Build it from [`Filter::ALL`] or [`Filter::SOLID`] with `..`, because later versions may add
/// fields.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
/// use hitmask::Filter;
/// let enemies = Filter { layers: 0b10, ..Filter::ALL };
/// let boxes = Filter { accuracy: hitmask::Accuracy::Box, ..Filter::SOLID };
/// # let bytes = AtlasBuilder::new().mask("a", Mask::disc(4)?).to_bytes()?;
/// # let atlas = Atlas::from_vec(bytes)?;
/// # let a = atlas.sprite_id("a").unwrap();
/// # let mut world = World::new(atlas);
/// let owner = world.insert(Collider::new(a))?;
/// let door = world.insert(Collider::new(a).at([20.0, 0.0]))?;
/// let closed = world.cast(owner, [40.0, 0.0], Filter::SOLID)?;
/// assert_eq!(closed.unwrap().collider, door);
/// let open = Filter { keep: Some(&|other| other != door), ..Filter::SOLID };
/// assert_eq!(world.cast(owner, [40.0, 0.0], open)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter<'k> {
    /// Colliders on at least one of these layers, one bit each.
    pub layers: u32,
    /// Whether sensors are included. They never block moves, whatever this says.
    pub sensors: bool,
    /// A collider to exclude, usually the one that asks.
    pub except: Option<ColliderId>,
    /// How closely colliders are tested. At [`Accuracy::Box`] their tight boxes count as solid;
    /// otherwise their pixels count. The accuracies
    /// for [updates](crate::World#which-calls-follow-accuracies) are not used. Motions of colliders
    /// follow [`move_accuracy`](crate::Collider::move_accuracy) instead.
    pub accuracy: Accuracy,
    /// Returns true to keep a collider that passes the fields above. `None` keeps all.
    ///
    /// It is called for colliders near the query or the path, in no particular order, possibly more
    /// than once each. A move does not ask it about sensors.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub keep: Option<&'k dyn Fn(ColliderId) -> bool>,
    /// Returns true to let an obstacle block a contact of a move by rules. A game can let a jump
    /// through ceilings, or make only steep walls count. Queries and casts do not use it.
    ///
    /// The collider passes into an obstacle that is refused. The obstacle does not block again
    /// before the collider has left it. An overlap at the start counts as the contact at which this
    /// motion would have entered the obstacle. If the motion is 0 px, the normal of the overlap
    /// counts. A refused overlap pushes nothing out. A push out that would enter another obstacle is
    /// a contact with it.
    ///
    /// It may be called several times for one contact. It is called for each pixel of a slide, so a
    /// long slide takes one step per pixel.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, MoveRules, Side, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "###\n###".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let hero = world.insert(a.at([0.0, 20.0]))?;
    /// world.insert(a)?;
    /// // Ceilings let the hero through, floors do not.
    /// let filter = Filter { contacts: Some(&|c| c.side != Side::Above), ..Filter::SOLID };
    /// for (motion, y) in [([0.0, -40.0], -20.0), ([0.0, 40.0], -2.0)] {
    ///     let moved = world.move_by_rules(hero, motion, MoveRules::default(), filter)?;
    ///     assert_eq!(moved.position, [0.0, y]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg_attr(feature = "serde", serde(skip))]
    pub contacts: Option<&'k dyn Fn(&MoveContact) -> bool>,
}

impl<'k> Filter<'k> {
    /// All colliders, sensors included, tested by pixels.
    pub const ALL: Self = Self {
        layers: u32::MAX,
        sensors: true,
        except: None,
        accuracy: Accuracy::Exact,
        keep: None,
        contacts: None,
    };

    /// All colliders except sensors: those that block motions.
    pub const SOLID: Self = Self { sensors: false, ..Self::ALL };

    /// Returns a maker of this filter without its functions, which other threads can call.
    pub(crate) fn without_functions(self) -> impl Fn() -> Filter<'static> + Copy + Send + Sync {
        let Self { layers, sensors, except, accuracy, .. } = self;
        move || Filter { layers, sensors, except, accuracy, ..Filter::ALL }
    }
}

impl fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layers, sensors, except, accuracy, .. } = self;
        let mut filter = f.debug_struct("Filter");
        filter.field("layers", layers).field("sensors", sensors).field("except", except);
        filter.field("accuracy", accuracy).finish_non_exhaustive()
    }
}

/// A contact that an obstacle would block, as [`Filter::contacts`] receives it.
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
