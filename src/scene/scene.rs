//! The scene: its three rooms, and the way in which every call changes a slot.
//!
//! A call checks its input, then changes slots by [`Scene::edit`]. Bulk placements write very many slots
//! at once, and record them after. `changes` tells what follows from an edit.
//!
//! Invariants: a failed call leaves the scene unchanged. A scene of one atlas reads its poses in
//! place. Several atlases are combined to one, so appearances and placement know one atlas only.

use crate::atlas::Atlas;
use crate::ids::ColliderId;
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use crate::scene::bulk::{GroupedPlacements, PlacementCheck};
use crate::scene::changes::{ChangeList, Changes, SlotState};
use crate::scene::placed::{NO_COLLIDER, Placed, Slots};
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
    /// The slots before a call, if they are recorded one by one.
    pub(super) before: Vec<SlotState>,
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
            self.changes.record_all_pairs();
        }
        self.accuracy = accuracy;
    }

    /// Changes what a slot holds, and records what differs after that.
    #[inline]
    pub(crate) fn edit(&mut self, slot: usize, write: impl FnOnce(&mut Slots)) {
        let before = self.state(slot);
        write(&mut self.placed.slots);
        self.record(&before);
    }

    #[inline]
    pub(super) fn state(&self, slot: usize) -> SlotState {
        let slots = &self.placed.slots;
        let number = slots.appearances[slot];
        let appearance = (number != NO_COLLIDER).then_some(number);
        SlotState {
            id: slots.id(slot as u32),
            appearance,
            fixed: appearance.is_some_and(|number| self.placed.appearances.get(number).fixed),
            owner: slots.owner(slot),
            placed: slots.placed(slot),
        }
    }

    /// Records an edit of a slot that was in the state `before`.
    #[inline]
    pub(super) fn record(&mut self, before: &SlotState) {
        let slot = before.id.slot();
        let after = self.state(slot);
        if after.appearance != before.appearance {
            self.change_shape(slot, [before.appearance, after.appearance]);
        }
        self.changes.record(before, &after, self.placed.slots.len());
    }

    /// Notes which shape a slot shows instead of another one.
    fn change_shape(&mut self, slot: usize, appearances: [Option<u32>; 2]) {
        let Self { stock, placed: Placed { slots, appearances: all }, .. } = self;
        let shapes = appearances.map(|number| number.map(|number| all.get(number).shape));
        if let [before, after] = shapes
            && before != after
        {
            before.into_iter().for_each(|shape| slots.remove_shown(slot, shape));
            after.into_iter().for_each(|shape| slots.add_shown(slot, shape));
            before.into_iter().for_each(|shape| stock.atlases.release(shape));
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

    /// Begins an update: the colliders that show edited masks join the dirty set.
    pub(crate) fn begin_update(&mut self) {
        let Self { placed: Placed { slots, .. }, changes, .. } = self;
        let edited = changes.dirty.edited_masks.iter().flat_map(|&mask| slots.showing(mask));
        let mut edited: Vec<u32> = edited.collect();
        // The order of a hash set differs from run to run.
        edited.sort_unstable();
        for slot in edited {
            changes.record_pixels(slot as usize, slots.len());
        }
    }

    /// Ends an update. `has_pairs` tells whether pairs touch, or ended in this update.
    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.changes.end_update(has_pairs);
        self.placed.slots.forget_freed();
        self.stock.poses.end_update();
    }
}
