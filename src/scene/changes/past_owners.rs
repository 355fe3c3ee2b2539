//! Owners at the last two updates, of colliders whose owner has changed since.
//!
//! Bodies begin and end touching by the owners of their time. An owner is stored only if it has
//! changed, so a world without such changes stores nothing.

use crate::scene::id::MAX_GENERATION;
use crate::scene::{ColliderId, Scene};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct PastOwners {
    /// Owners at the last update, of colliders that have changed since.
    last: BTreeMap<ColliderId, u32>,
    /// Owners at the update before, of colliders that changed between the two.
    before: BTreeMap<ColliderId, u32>,
    /// True if the last update has pairs, without which no owner is noted.
    has_pairs: bool,
}

/// Lists of [`PastOwners`] in order of ids: for the last update, then for the update before.
pub(crate) type OwnerLists = [Vec<(ColliderId, u32)>; 2];

impl PastOwners {
    #[inline(always)]
    pub(crate) const fn are_noted(&self) -> bool {
        self.has_pairs
    }

    /// Notes the owner that a collider had, before the first change since the last update. Only the
    /// first collider of a slot can have pairs of that update. Later ones are not noted, so a loop of
    /// inserts and removals takes no more memory.
    pub(crate) fn note(&mut self, id: ColliderId, owner: u32) {
        let [first, last] = [0, MAX_GENERATION].map(|at| ColliderId::new(id.index(), at));
        if self.last.range(first..=last).next().is_none() {
            self.last.insert(id, owner);
        }
    }

    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.before = std::mem::take(&mut self.last);
        self.has_pairs = has_pairs;
    }

    /// Sets whether changes are noted, after the pairs were taken back to those of an earlier update.
    pub(crate) const fn set_noting(&mut self, has_pairs: bool) {
        self.has_pairs = has_pairs;
    }

    pub(crate) fn from_lists(lists: &OwnerLists, has_pairs: bool) -> Self {
        let [last, before] = lists.each_ref().map(|list| list.iter().copied().collect());
        Self { last, before, has_pairs }
    }

    pub(crate) fn lists(&self) -> OwnerLists {
        [&self.last, &self.before]
            .map(|list| list.iter().map(|(&id, &owner)| (id, owner)).collect())
    }
}

impl Scene {
    /// Returns the present owner of a collider; 0 for none, or if the id is stale.
    pub(crate) fn owner_now(&self, id: ColliderId) -> u32 {
        self.slots.find(id).map_or(0, |slot| self.slots.owner(slot))
    }

    pub(crate) fn owner_at_last(&self, id: ColliderId) -> u32 {
        let stored = self.past_owners.last.get(&id).copied();
        stored.unwrap_or_else(|| self.owner_now(id))
    }

    pub(crate) fn owner_before(&self, id: ColliderId) -> u32 {
        let stored = self.past_owners.before.get(&id).copied();
        stored.unwrap_or_else(|| self.owner_at_last(id))
    }
}
