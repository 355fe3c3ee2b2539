//! All colliders of a scene, by slot: their state, and their shared appearances.

use crate::geom::Rect;
use crate::ids::ColliderId;
use crate::memory::clone_fields::clone_fields;
use crate::pose::Resolution;
use crate::scene::Collider;
use crate::scene::collider::Appearance;
use crate::scene::placed::appearances::Appearances;
use crate::scene::placed::slots::Slots;
use crate::scene::stock::Stock;

#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) slots: Slots,
    pub(crate) appearances: Appearances,
}

clone_fields!([] Placed { slots, appearances });

impl Placed {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self { slots: Slots::default(), appearances: Appearances::new(resolution) }
    }

    pub(crate) fn get(&self, id: ColliderId) -> Option<Collider> {
        self.slots.find(id).map(|slot| self.collider(slot))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ColliderId, Collider)> {
        let slots = self.slots.occupied();
        slots.map(|slot| (self.slots.id(slot), self.collider(slot as usize)))
    }

    /// Returns the tight box of a collider. Returns `None` if `id` is stale or it has no pixels.
    pub(crate) fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.slots.find(id).map(|slot| self.slots.rect(slot)).filter(|rect| !rect.is_empty())
    }

    /// Returns the appearance of the collider in this slot.
    #[inline(always)]
    pub(crate) fn appearance(&self, slot: usize) -> &Appearance {
        self.appearances.get(self.slots.appearances[slot])
    }

    /// Returns true if the collider in this slot is fixed.
    #[inline(always)]
    pub(crate) fn is_fixed(&self, slot: u32) -> bool {
        self.appearance(slot as usize).fixed
    }

    /// Returns the slot of an enabled collider; `None` for a stale id or a disabled collider.
    pub(crate) fn enabled_slot(&self, id: ColliderId) -> Option<usize> {
        self.slots.find(id).filter(|&slot| self.appearance(slot).enabled)
    }

    /// Returns the colliders of an owner, in order of their indices.
    pub(crate) fn parts_of(&self, owner: u32) -> impl Iterator<Item = ColliderId> {
        self.slots.parts_of(owner).map(|slot| self.slots.id(slot))
    }

    /// Returns the present owner of a collider; 0 for none, or if the id is stale.
    pub(crate) fn owner(&self, id: ColliderId) -> u32 {
        self.slots.find(id).map_or(0, |slot| self.slots.owner(slot))
    }

    pub(crate) fn collider(&self, slot: usize) -> Collider {
        let slots = &self.slots;
        let appearance = self.appearance(slot);
        Collider {
            shape: appearance.shape,
            frame: appearance.frame,
            plane: appearance.plane,
            position: slots.positions[slot],
            angle: slots.angles[slot],
            scale: slots.scales[slot],
            flip: appearance.flip,
            layers: appearance.layers,
            collides_with: appearance.collides_with,
            fixed: appearance.fixed,
            sensor: appearance.sensor,
            owner: slots.owner(slot),
            enabled: appearance.enabled,
            accuracy: appearance.accuracy,
            move_accuracy: appearance.move_accuracy,
            min_overlap: appearance.min_overlap,
            user_data: slots.user_data(slot),
        }
    }

    /// Drops the appearances that no collider shows, if so many were added that it pays.
    #[inline(always)]
    pub(crate) fn sweep_appearances(&mut self, stock: &Stock) {
        if self.appearances.needs_sweep() {
            self.appearances.sweep(&mut self.slots.appearances, &stock.context());
        }
    }
}
