//! What has changed since the last update.

use crate::ids::ColliderId;
use crate::ids::MAX_GENERATION;
use crate::scene::changes::dirty_set::DirtySet;
use crate::scene::changes::displaced::Displaced;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) dirty: DirtySet,
    pub(crate) displaced: Displaced,
    pub(crate) past_owners: PastOwners,
}

impl Changes {
    /// Ends an update. `has_pairs` tells whether pairs touch, or ended in this update.
    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.displaced.clear(&self.dirty);
        self.dirty.clear();
        self.past_owners.end_update(has_pairs);
    }
}

/// Owners at the last two updates, of colliders whose owner has changed since. Bodies begin and end
/// touching by the owners of their time. A world without such changes stores nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct PastOwners {
    /// Owners at the last update, of colliders that have changed since.
    last: BTreeMap<ColliderId, u32>,
    /// Owners at the update before, of colliders that changed between the two.
    before: BTreeMap<ColliderId, u32>,
    /// True if the last update has pairs, without which no owner is noted.
    has_pairs: bool,
}

/// Lists of [`PastOwners`] in order of ids: for the last update, and for the update before.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OwnerLists {
    pub(crate) last: Vec<(ColliderId, u32)>,
    pub(crate) before: Vec<(ColliderId, u32)>,
}

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

    /// Returns the owner of a collider at the last update, if it has changed since.
    pub(crate) fn at_last(&self, id: ColliderId) -> Option<u32> {
        self.last.get(&id).copied()
    }

    /// Returns the owner of a collider at the update before the last, if it changed until that.
    pub(crate) fn before(&self, id: ColliderId) -> Option<u32> {
        self.before.get(&id).copied()
    }

    pub(crate) fn from_lists(lists: &OwnerLists, has_pairs: bool) -> Self {
        let OwnerLists { last, before } = lists;
        let map = |list: &[(ColliderId, u32)]| list.iter().copied().collect();
        Self { last: map(last), before: map(before), has_pairs }
    }

    pub(crate) fn lists(&self) -> OwnerLists {
        let list = |map: &BTreeMap<_, _>| map.iter().map(|(&id, &owner)| (id, owner)).collect();
        OwnerLists { last: list(&self.last), before: list(&self.before) }
    }
}
