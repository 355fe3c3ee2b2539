//! The scene: its three rooms, and the way in which every call changes a slot.
//!
//! A call checks its input, then changes slots by [`Scene::set_slot`]. Bulk placements write very many slots
//! at once, and record them after. `changes` tells what follows from an edit.
//!
//! Invariants: a failed call leaves the scene unchanged. A scene of one atlas reads its poses in
//! place. Several atlases are combined to one, so appearances and placement know one atlas only.

use crate::atlas::Atlas;
use crate::ids::ColliderId;
use crate::memory::clone_fields::clone_fields;
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use crate::scene::bulk::{GroupedPlacements, PlacementCheck};
use crate::scene::changes::{ChangeList, Changes, SlotState};
use crate::scene::collider::Appearance;
use crate::scene::placed::{NO_COLLIDER, Placed};
use crate::scene::stock::{AtlasList, ShownPoses, Stock};
use crate::scene::{Collider, PlacedMask};

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) stock: Stock,
    pub(crate) placed: Placed,
    pub(crate) changes: Changes,
    /// The finest accuracy of pair tests.
    pub(crate) accuracy: Accuracy,
    pub(crate) scale_policy: ScalePolicy,
    pub(super) bulk: BulkBuffers,
}

clone_fields!(
    [] Scene { stock, placed, changes, accuracy, scale_policy } scratch { bulk }
);

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

    /// Gives a slot a collider with its appearance and placed mask, or none. Records what differs then.
    #[inline(always)]
    pub(crate) fn set_slot(&mut self, slot: usize, next: Option<(&Collider, u32, PlacedMask)>) {
        self.set_slot_from(self.state(slot), next);
    }

    /// As [`set_slot`](Self::set_slot), given the state of the slot.
    #[inline(always)]
    pub(super) fn set_slot_from(
        &mut self,
        before: SlotState,
        next: Option<(&Collider, u32, PlacedMask)>,
    ) {
        let (slot, slots) = (before.id.slot(), &mut self.placed.slots);
        let after = match next {
            Some((collider, appearance, placed)) => {
                slots.put(slot, collider, appearance, placed);
                let shape = Some(self.placed.appearances.get(appearance).shape);
                let Collider { fixed, owner, .. } = *collider;
                SlotState { id: before.id, appearance, shape, fixed, owner, placed }
            }
            None => {
                slots.free(slot);
                SlotState::free(slots.id(slot as u32))
            }
        };
        self.record(&before, &after);
    }

    #[inline(always)]
    pub(super) fn state(&self, slot: usize) -> SlotState {
        let slots = &self.placed.slots;
        let (id, appearance) = (slots.id(slot as u32), slots.appearances[slot]);
        if appearance == NO_COLLIDER {
            return SlotState::free(id);
        }
        let Appearance { shape, fixed, .. } = *self.placed.appearances.get(appearance);
        let (owner, placed) = (slots.owner(slot), slots.placed(slot));
        SlotState { id, appearance, shape: Some(shape), fixed, owner, placed }
    }

    /// Records that the state of a slot changed, if it did.
    #[inline(always)]
    pub(super) fn record(&mut self, before: &SlotState, after: &SlotState) {
        let slot = before.id.slot();
        if before.appearance != after.appearance && before.shape != after.shape {
            let Self { stock, placed: Placed { slots, .. }, .. } = self;
            before.shape.into_iter().for_each(|shape| slots.remove_shown(slot, shape));
            after.shape.into_iter().for_each(|shape| slots.add_shown(slot, shape));
            before.shape.into_iter().for_each(|shape| stock.atlases.release(shape));
        }
        self.changes.record(before, after, self.placed.slots.len());
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
