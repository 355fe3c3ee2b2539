//! The colliders that show a runtime mask, after a change of the mask.
//!
//! Called by the mask store and by updates. Each call visits every collider of the world.

use crate::world::state::placement::{self, PlacedMask};
use crate::world::state::slots::NO_COLLIDER;
use crate::world::{MaskId, Shape, World};

impl World {
    /// Tests whether a collider shows this mask.
    pub(crate) fn shows(&self, id: MaskId) -> bool {
        let mut slots = self.slots.occupied();
        slots.any(|slot| {
            self.appearances.get(self.slots.appearances[slot as usize]).shape == Shape::Mask(id)
        })
    }

    /// Adds the colliders that show an edited mask to the dirty set.
    pub(crate) fn add_edited_masks(&mut self) {
        let Self { dirty, appearances, slots, .. } = self;
        let edited = appearances.that_show(dirty.edited_masks());
        if edited.is_empty() {
            return;
        }
        for slot in 0..slots.len() {
            if edited.get(slots.appearances[slot] as usize) == Some(&true) {
                dirty.add(slot, slots.len());
            }
        }
    }

    /// Recomputes the boxes of all colliders that show this mask.
    pub(crate) fn place_again(&mut self, id: MaskId) {
        for slot in 0..self.slots.len() {
            let number = self.slots.appearances[slot];
            if number == NO_COLLIDER || self.appearances.get(number).shape != Shape::Mask(id) {
                continue;
            }
            let Some(entry) = self.masks.get(id) else { return };
            let lattice = placement::snap(self.slots.positions[slot], self.atlas.resolution())
                .unwrap_or_default();
            let rect = entry.rect().translated(lattice);
            let fixed = self.appearances.get(number).fixed;
            self.slots.put_placed(slot, fixed, PlacedMask::from_rect(rect));
            self.changed(slot);
        }
    }
}
