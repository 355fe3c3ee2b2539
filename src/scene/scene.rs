//! The scene: its three rooms, and the edits that every other edit is made of.
//!
//! Invariants: a failed call leaves the scene unchanged. A scene of one atlas reads its poses in
//! place. Several atlases are combined to one, so appearances and placement know one atlas only.

use crate::atlas::Atlas;
use crate::ids::ColliderId;
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use crate::scene::Collider;
use crate::scene::bulk::{GroupedPlacements, PlacementCheck};
use crate::scene::changes::{ChangeList, Changes};
use crate::scene::placed::{NO_COLLIDER, Placed, Replaced};
use crate::scene::placement::PlacedMask;
use crate::scene::stock::{AtlasList, ShownPoses, Stock};

#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) stock: Stock,
    pub(crate) placed: Placed,
    pub(crate) changes: Changes,
    /// The finest accuracy of pair tests.
    pub(crate) accuracy: Accuracy,
    pub(crate) scale_policy: ScalePolicy,
    pub(super) bulk: BulkBuffers,
}

/// Buffers for placing many colliders in one call. Kept between calls for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct BulkBuffers {
    pub(super) grouped: GroupedPlacements,
    pub(super) checks: Vec<PlacementCheck>,
    /// The placed masks before a call for few colliders.
    pub(super) before: Vec<PlacedMask>,
    /// The changes that each thread found.
    pub(super) changes: Vec<ChangeList>,
}

impl Scene {
    pub(crate) fn new(atlas: Atlas) -> Self {
        let poses = ShownPoses::new(&atlas);
        Self::over(Stock::new(AtlasList::new(atlas.clone()), atlas, poses))
    }

    /// Creates a scene without colliders.
    pub(crate) fn over(stock: Stock) -> Self {
        Self {
            placed: Placed::new(stock.atlas.records().resolution()),
            stock,
            changes: Changes::default(),
            accuracy: Accuracy::default(),
            scale_policy: ScalePolicy::default(),
            bulk: BulkBuffers::default(),
        }
    }

    pub(crate) fn set_accuracy(&mut self, accuracy: Accuracy) {
        if accuracy != self.accuracy {
            self.changes.dirty.add_all_pairs();
        }
        self.accuracy = accuracy;
    }

    /// Writes a collider to its slot, where the kernels and the queries find it.
    pub(super) fn put(
        &mut self,
        slot: usize,
        collider: &Collider,
        appearance: u32,
        placed: PlacedMask,
    ) {
        let replaced = self.placed.slots.put(slot, collider, appearance, placed);
        self.note_move(slot, replaced, placed);
    }

    #[inline(always)]
    pub(super) fn put_placed(&mut self, slot: usize, fixed: bool, placed: PlacedMask) {
        let replaced = self.placed.slots.put_placed(slot, fixed, placed);
        self.note_move(slot, replaced, placed);
    }

    pub(super) fn free(&mut self, slot: usize) {
        let replaced = self.placed.slots.free(slot);
        self.note_move(slot, replaced, PlacedMask::default());
    }

    #[inline(always)]
    fn note_move(&mut self, slot: usize, replaced: Replaced, now: PlacedMask) {
        let Replaced { placed, fixed } = replaced;
        self.changes.displaced.note(slot, placed, now, fixed);
    }

    /// Adds the collider in this slot to the dirty set, before or after a change.
    pub(super) fn changed(&mut self, slot: usize) {
        let Self { placed, changes: Changes { dirty, .. }, .. } = self;
        dirty.add(slot, placed.slots.len());
        if placed.slots.appearances[slot] != NO_COLLIDER && placed.appearance(slot).fixed {
            dirty.add_fixed();
        }
    }

    /// Keeps the owner of the collider in this slot for the events of bodies, if `next` differs.
    #[inline(always)]
    pub(super) fn note_owner(&mut self, slot: usize, next: u32) {
        let owner = self.placed.slots.owner(slot);
        if owner != next && self.changes.past_owners.are_noted() {
            self.changes.past_owners.note(self.placed.slots.id(slot as u32), owner);
        }
    }

    /// Returns the owner of a collider at the last update.
    pub(crate) fn owner_at_last(&self, id: ColliderId) -> u32 {
        self.changes.past_owners.at_last(id).unwrap_or_else(|| self.placed.owner(id))
    }

    /// Returns the owner of a collider at the update before the last.
    pub(crate) fn owner_before(&self, id: ColliderId) -> u32 {
        self.changes.past_owners.before(id).unwrap_or_else(|| self.owner_at_last(id))
    }

    /// Ends an update. `has_pairs` tells whether pairs touch, or ended in this update.
    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.changes.end_update(has_pairs);
        self.placed.slots.forget_freed();
        self.stock.poses.end_update();
    }
}
