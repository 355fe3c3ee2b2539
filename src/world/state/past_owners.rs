//! Owners at the last two updates, of colliders whose owner has changed since.
//!
//! Bodies begin and end touching by the owners of their time. An owner is stored only if it has
//! changed, so a world without such changes stores nothing. Written by `World::set` and
//! `World::remove`, read by the queries for bodies and by snapshots.

use crate::world::{ColliderId, World};
use std::collections::{BTreeMap, HashSet};

/// Owners of the past.
#[derive(Clone, Debug, Default)]
pub(crate) struct PastOwners {
    /// Owners at the last update, of colliders that have changed since.
    last: BTreeMap<ColliderId, u32>,
    /// Owners at the update before, of colliders that changed between the two.
    before: BTreeMap<ColliderId, u32>,
}

/// Lists of [`PastOwners`] without the entries that no answer depends on, in order of ids: for the
/// last update, then for the update before.
pub(crate) type OwnerLists = [Vec<(ColliderId, u32)>; 2];

impl PastOwners {
    /// Notes the owner that a collider had, before the first change since the last update.
    pub(crate) fn note(&mut self, id: ColliderId, owner: u32) {
        self.last.entry(id).or_insert(owner);
    }

    /// Ends an update.
    pub(crate) fn update(&mut self) {
        self.before = std::mem::take(&mut self.last);
    }

    /// Returns the owners of two lists.
    pub(crate) fn from_lists(lists: &OwnerLists) -> Self {
        let [last, before] = lists.each_ref().map(|list| list.iter().copied().collect());
        Self { last, before }
    }
}

impl World {
    /// Returns the present owner of a collider; 0 for none, or if the id is stale.
    pub(crate) fn owner_now(&self, id: ColliderId) -> u32 {
        self.slots.find(id).map_or(0, |slot| self.slots.owner(slot))
    }

    /// Returns the owner that a collider had at the last update.
    pub(crate) fn owner_at_last(&self, id: ColliderId) -> u32 {
        let stored = self.past_owners.last.get(&id).copied();
        stored.unwrap_or_else(|| self.owner_now(id))
    }

    /// Returns the owner that a collider had at the update before the last.
    pub(crate) fn owner_before(&self, id: ColliderId) -> u32 {
        let stored = self.past_owners.before.get(&id).copied();
        stored.unwrap_or_else(|| self.owner_at_last(id))
    }

    /// Returns the past owners that answers depend on.
    pub(crate) fn owner_lists(&self) -> OwnerLists {
        let PastOwners { last, before } = &self.past_owners;
        if last.is_empty() && before.is_empty() {
            return OwnerLists::default();
        }
        let ended = self.ended.iter().flat_map(|pair| [pair.a, pair.b]);
        let old: HashSet<ColliderId> =
            self.stayed().flat_map(|pair| [pair.a, pair.b]).chain(ended).collect();
        let new: HashSet<ColliderId> =
            self.began.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        let last = last.iter().map(|(&id, &owner)| (id, owner)).filter(|&(id, owner)| {
            (old.contains(&id) || new.contains(&id)) && owner != self.owner_now(id)
        });
        let before = before.iter().map(|(&id, &owner)| (id, owner));
        let before =
            before.filter(|&(id, owner)| old.contains(&id) && owner != self.owner_at_last(id));
        [last.collect(), before.collect()]
    }
}

impl World {
    /// Keeps the owner of the collider in this slot for the events of bodies, if `next` differs.
    #[inline(always)]
    pub(crate) fn note_owner(&mut self, slot: usize, next: u32) {
        let owner = self.slots.owner(slot);
        // Without pairs of the last two updates there are no events.
        if owner != next && !(self.touching.is_empty() && self.ended.is_empty()) {
            self.past_owners.note(self.slots.id(slot as u32), owner);
        }
    }
}
