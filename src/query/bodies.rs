//! Bodies: the colliders of each owner, and the colliders without one, each a body of one part.
//!
//! Called by the world. The pairs of bodies are computed from the pairs of parts when
//! they are asked for, so updates do no work for them.
//!
//! Invariants: a pair of bodies is listed once, in order of its bodies. Events follow the owners
//! that the parts had at each of the two updates.

use crate::ids::ColliderId;
use crate::query::search::Search;
use crate::scene::{Pair, Scene};
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
    /// All colliders of an [owner](crate::Collider::owner), which is not 0.
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
/// let pair = world.bodies().touching()[0];
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

/// The bodies of a world, by [`World::bodies`](crate::World::bodies).
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'w> {
    pub(crate) search: Search<'w>,
    pub(crate) pairs: &'w PairLists,
}

impl<'w> Bodies<'w> {
    /// Returns the colliders of an [owner](crate::Collider::owner), in order of their indices, disabled
    /// ones included. Owner 0 has none.
    ///
    /// Costs one search of an index of the owned colliders, whatever the size of the world. The
    /// index takes about 12 bytes for each of them.
    #[must_use]
    pub fn parts(&self, owner: u32) -> Vec<ColliderId> {
        self.search.scene.placed.parts_of(owner).collect()
    }

    /// Returns the pairs of bodies that touched at the last [`update`](crate::World::update), each
    /// once, in order of their bodies.
    ///
    /// Costs a sort of all touching pairs.
    #[must_use]
    pub fn touching(&self) -> Vec<BodyPair> {
        distinct(self.pairs.touching.iter().map(|pair| self.body_pair(pair, Scene::owner_at_last)))
    }

    /// Returns the pairs of [`touching`](Self::touching) that did not touch at the
    /// update before: of each, the first pair of parts has begun to touch.
    ///
    /// A part that changes its owner belongs to another body from the next update on. Costs a sort
    /// and a hash table of all touching pairs.
    #[must_use]
    pub fn began(&self) -> Vec<BodyPair> {
        let past: HashSet<[Body; 2]> = self.past_pairs().map(|pair| pair.bodies()).collect();
        let mut now = self.touching();
        now.retain(|pair| !past.contains(&pair.bodies()));
        now
    }

    /// Returns the pairs of bodies that touched at the update before the last, and no longer touch.
    /// The last pair of parts of each has ended. `parts` are those that touched then, and their ids
    /// may be stale.
    ///
    /// The cost is that of [`began`](Self::began).
    #[must_use]
    pub fn ended(&self) -> Vec<BodyPair> {
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
        let [a, b] = [pair.a, pair.b].map(|id| (Body::of(id, owner(self.search.scene, id)), id));
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
