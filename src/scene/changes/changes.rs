//! What has changed since the last update: the only door to the dirty set, the homes and past owners.
//!
//! An edit is recorded by the state of its slot before and after. One comparison decides what follows:
//!
//! ```text
//! what differs                    what follows
//! nothing                         nothing: the edit leaves no trace
//! anything in a `SlotState`       the slot joins the dirty set: the next update tests its pairs
//!   and a side is fixed           that update packs the tree of fixed colliders again
//!   the box, or being fixed       the home of the slot: where a search finds it until that update
//!   the owner of a collider       its past owner: bodies begin and end touching by it
//! ```
//!
//! Other edits are not of one slot. The pixels of masks and of drawn poses, moves of very many colliders in
//! one call, and changes of everything have a method here each.
//!
//! Invariant: the home of a slot that is not in the dirty set is the index of the last update.

use crate::ids::ColliderId;
use crate::ids::{MAX_GENERATION, MaskId};
use crate::memory::clone_fields::clone_fields;
use crate::scene::changes::dirty_set::{ChangeList, DirtySet};
use crate::scene::changes::displaced::Displaced;
use crate::scene::{ColliderShape, PlacedMask};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) dirty: DirtySet,
    pub(crate) displaced: Displaced,
    pub(crate) past_owners: PastOwners,
}

clone_fields!([] Changes { dirty, displaced, past_owners });

/// The state of a slot, as far as updates, searches and events depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotState {
    /// The id of the collider in the slot, or of the next one.
    pub(crate) id: ColliderId,
    pub(crate) appearance: u32,
    /// The shape of the appearance; `None` in a free slot.
    pub(crate) shape: Option<ColliderShape>,
    pub(crate) fixed: bool,
    pub(crate) owner: u32,
    pub(crate) placed: PlacedMask,
}

impl SlotState {
    /// The state of a free slot, whose next collider has this id.
    pub(crate) fn free(id: ColliderId) -> Self {
        let placed = PlacedMask::default();
        Self { id, appearance: u32::MAX, shape: None, fixed: false, owner: 0, placed }
    }

    /// Returns true if the slot is in this state too. The appearance decides the shape and whether it is fixed.
    #[inline(always)]
    fn is(&self, other: &Self) -> bool {
        self.placed == other.placed
            && self.appearance == other.appearance
            && (self.id, self.owner) == (other.id, other.owner)
    }
}

impl Changes {
    /// Records an edit of one slot, out of `slots`.
    #[inline]
    pub(crate) fn record(&mut self, before: &SlotState, after: &SlotState, slots: usize) {
        if before.is(after) {
            return;
        }
        let slot = before.id.slot();
        let is_first = !self.dirty.contains(slot as u32);
        self.dirty.add(slot, slots);
        if before.fixed || after.fixed {
            self.dirty.add_fixed();
        }
        if before.owner != after.owner && before.shape.is_some() {
            self.past_owners.note(before.id, before.owner);
        }
        let (placed, fixed) = ([before.placed, after.placed], [before.fixed, after.fixed]);
        self.displaced.note(slot, placed, fixed, is_first);
    }

    /// Records that the moving colliders of these lists were placed by one call. Their former boxes are
    /// not known. `is_empty` tells whether the box of a slot is empty now.
    pub(crate) fn record_moves(
        &mut self,
        lists: &[ChangeList],
        slots: usize,
        is_empty: impl Fn(u32) -> bool,
    ) {
        self.displaced.note_moves(lists, is_empty);
        self.dirty.add_lists(lists, slots);
    }

    /// Records that one call inserted colliders into these free slots, out of `slots`.
    pub(crate) fn record_inserts(
        &mut self,
        inserted: Vec<u32>,
        any_fixed: bool,
        slots: usize,
        is_empty: impl Fn(u32) -> bool,
    ) {
        self.record_moves(&[ChangeList::whole(inserted)], slots, is_empty);
        if any_fixed {
            self.dirty.add_fixed();
        }
    }

    /// Records that a slot, out of `slots`, may show other pixels by the same placed mask.
    pub(crate) fn record_pixels(&mut self, slot: usize, slots: usize) {
        self.dirty.add(slot, slots);
    }

    /// Records other pixels of a mask. The boxes of its colliders are recorded apart.
    pub(crate) fn record_mask(&mut self, mask: MaskId) {
        self.dirty.edited_masks.insert(mask);
    }

    /// Records the removal of a mask, which no collider shows.
    pub(crate) fn record_mask_removal(&mut self, mask: MaskId) {
        self.dirty.edited_masks.remove(&mask);
    }

    /// Records that pairs may touch or not although no collider has changed.
    pub(crate) fn record_all_pairs(&mut self) {
        self.dirty.add_all_pairs();
    }

    /// Records that everything may have changed.
    pub(crate) fn record_all(&mut self) {
        self.dirty.add_all();
        self.dirty.add_fixed();
        self.displaced.clear(&self.dirty);
    }

    /// Ends an update. `has_pairs` tells whether pairs touch, or ended in this update.
    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.displaced.clear(&self.dirty);
        self.dirty.clear();
        self.past_owners.end_update(has_pairs);
    }

    /// Returns a slot that breaks the invariant.
    pub(crate) fn wrong_home(&self) -> Option<u32> {
        self.displaced.wrong_home(&self.dirty)
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
    /// Notes the owner that a collider had, before the first change since the last update. Only the
    /// first collider of a slot can have pairs of that update. Later ones are not noted, so a loop of
    /// inserts and removals takes no more memory.
    #[cold]
    fn note(&mut self, id: ColliderId, owner: u32) {
        if !self.has_pairs {
            return;
        }
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
