//! Bodies: the compounds of a world, and the colliders without an owner, each a body of one part.
//!
//! The pairs of bodies are computed from the pairs of parts when they are asked for, so updates do no
//! work for them.
//!
//! Invariants: a pair of bodies is listed once, in order of its bodies. Events follow the owners
//! that the parts had at each of the two updates.

use crate::scene::{ColliderId, Pair, Scene};
use crate::update::PairLists;
use std::collections::HashSet;

/// One object: all colliders of an owner, or a single collider without an owner.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::Body;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let part = world.insert(dot.owned_by(7))?;
/// let rock = world.insert(dot)?;
/// let body = |id| world.get(id).map(|collider| Body::of(id, collider.owner));
/// assert_eq!(body(part), Some(Body::Owner(7)));
/// assert_eq!(body(rock), Some(Body::Collider(rock)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Body {
    /// The compound of an [owner](crate::Collider::owner), which is not 0.
    Owner(u32),
    /// A collider without an owner.
    Collider(ColliderId),
}

/// Two bodies that touch, and the parts by which they do; `a` is the lesser body. Owners come
/// before single colliders.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use hitmask::Body;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let rock = world.insert(dot)?;
/// let [arm, leg] = [world.insert(dot.owned_by(7))?, world.insert(dot.owned_by(7))?];
/// world.update();
/// // Two pairs of parts touch, and one pair of bodies.
/// assert_eq!(world.touching().len(), 2);
/// let pair = world.touching_bodies()[0];
/// assert_eq!((pair.a, pair.b), (Body::Owner(7), Body::Collider(rock)));
/// assert_eq!(pair.parts, [arm, rock]);
/// assert!(world.contact(pair.parts).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyPair {
    /// The lesser body.
    pub a: Body,
    /// The greater body.
    pub b: Body,
    /// A part of `a` and a part of `b` that touch. Of several such pairs, it is the first in the
    /// order of [`World::touching`](crate::World::touching). [`World::contact`](crate::World::contact)
    /// takes them.
    pub parts: [ColliderId; 2],
}

impl BodyPair {
    fn bodies(&self) -> [Body; 2] {
        [self.a, self.b]
    }
}

impl Body {
    /// Returns the body of a collider with an [owner](crate::Collider::owner), which is 0 for none.
    #[must_use]
    pub const fn of(id: ColliderId, owner: u32) -> Self {
        if owner == 0 { Self::Collider(id) } else { Self::Owner(owner) }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct BodySearch<'w> {
    pub(crate) scene: &'w Scene,
    pub(crate) pairs: &'w PairLists,
}

impl<'w> BodySearch<'w> {
    /// Returns the pairs of bodies that touch, each once, in order.
    pub(crate) fn touching_bodies(&self) -> Vec<BodyPair> {
        distinct(self.pairs.touching.iter().map(|pair| self.body_pair(pair, Scene::owner_at_last)))
    }

    /// Returns those of [`touching_bodies`](Self::touching_bodies) that did not touch before.
    pub(crate) fn began_bodies(&self) -> Vec<BodyPair> {
        let past: HashSet<[Body; 2]> = self.past_pairs().map(|pair| pair.bodies()).collect();
        let mut now = self.touching_bodies();
        now.retain(|pair| !past.contains(&pair.bodies()));
        now
    }

    /// Returns the pairs of bodies that touched before, and no longer do. Ids may be stale.
    pub(crate) fn ended_bodies(&self) -> Vec<BodyPair> {
        let now: HashSet<[Body; 2]> = self
            .pairs
            .touching
            .iter()
            .map(|pair| self.body_pair(pair, Scene::owner_at_last).bodies())
            .collect();
        distinct(self.past_pairs().filter(|pair| !now.contains(&pair.bodies())))
    }

    /// Returns the pairs that touched at the update before the last, by the owners of that time.
    fn past_pairs(self) -> impl Iterator<Item = BodyPair> + use<'w> {
        self.pairs
            .stayed()
            .chain(&self.pairs.ended)
            .map(move |pair| self.body_pair(pair, Scene::owner_before))
    }

    fn body_pair(&self, pair: &Pair, owner: impl Fn(&Scene, ColliderId) -> u32) -> BodyPair {
        let [a, b] = [pair.a, pair.b].map(|id| (Body::of(id, owner(self.scene, id)), id));
        let [(a, first), (b, second)] = if a <= b { [a, b] } else { [b, a] };
        BodyPair { a, b, parts: [first, second] }
    }
}

/// Returns the pairs in order, each pair of bodies once with its first pair of parts.
fn distinct(pairs: impl Iterator<Item = BodyPair>) -> Vec<BodyPair> {
    let mut pairs: Vec<BodyPair> = pairs.collect();
    pairs.sort_unstable_by_key(|pair| (pair.bodies(), Pair::from(pair.parts)));
    pairs.dedup_by_key(|pair| pair.bodies());
    pairs
}
