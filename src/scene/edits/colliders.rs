//! Single edits: inserts, replaces and removes one collider.
//!
//! Invariant: a failed call leaves the scene unchanged.

use crate::pose::ScalePolicy;
use crate::scene::appearances::Appearances;
use crate::scene::collider::Appearance;
use crate::scene::placement::{self, PlaceContext, PlacedMask};
use crate::scene::slots::NO_COLLIDER;
use crate::scene::{Collider, ColliderId, PlaceError, Scene};

impl Scene {
    pub(crate) fn insert(&mut self, collider: Collider) -> Result<ColliderId, PlaceError> {
        let collider = self.atlases.own(collider)?;
        self.sweep_appearances();
        let (appearance, placed) = self.resolve(
            &collider,
            self.slots.appearances.last().copied(),
            self.scale_policy,
            None,
        )?;
        let slot = self.slots.take()?;
        self.slots.change_shape(slot, [None, Some(collider.shape)]);
        self.slots.put(slot, &collider, appearance, placed);
        self.changed(slot);
        Ok(self.slots.id(slot as u32))
    }

    pub(crate) fn set(&mut self, id: ColliderId, collider: Collider) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        self.sweep_appearances();
        let present = self.slots.appearances[slot];
        // Usually the appearance stays the same, which saves the lookup.
        let shown = self.appearances.get(present);
        let shape = shown.shape;
        let shows_same = (shown.shape, shown.frame, shown.plane)
            == (collider.shape, collider.frame, collider.plane);
        let collider = if shows_same { collider } else { self.atlases.own(collider)? };
        // A scale that was accepted once stays so, under any later policy.
        let is_accepted =
            self.slots.scales[slot] == collider.scale && shown.shape == collider.shape;
        let policy = if is_accepted { ScalePolicy::Nearest } else { self.scale_policy };
        let (appearance, placed) = if *shown == Appearance::of(&collider) {
            (present, self.placed(&collider, present, policy, Some(slot))?)
        } else {
            self.resolve(&collider, Some(present), policy, Some(slot))?
        };
        let changes = appearance != present
            || placed != self.slots.placed(slot)
            || collider.owner != self.slots.owner(slot);
        // Marks the slot under the old appearance too, because the collider may have been fixed.
        if appearance != present {
            let shown = self.appearances.get(present).shape;
            self.slots.change_shape(slot, [Some(shown), Some(collider.shape)]);
            self.changed(slot);
        }
        self.note_owner(slot, collider.owner);
        self.slots.put(slot, &collider, appearance, placed);
        if shape != collider.shape {
            self.atlases.release(shape);
        }
        // A motion within a pixel changes neither the box nor the pairs.
        if changes {
            self.changed(slot);
        }
        Ok(())
    }

    /// Removes a collider and returns it; `None` if `id` is stale.
    pub(crate) fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        let slot = self.slots.find(id)?;
        let collider = self.slots.collider(&self.appearances, slot);
        self.changed(slot);
        self.note_owner(slot, 0);
        self.slots.change_shape(slot, [Some(collider.shape), None]);
        self.slots.free(slot);
        self.atlases.release(collider.shape);
        Some(collider)
    }

    /// Drops the appearances that no collider shows, if so many were added that it pays.
    #[inline(always)]
    fn sweep_appearances(&mut self) {
        if self.appearances.needs_sweep() {
            let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
            self.appearances.sweep(&mut self.slots.appearances, &context);
        }
    }

    /// Returns the number of a collider's appearance and its placed mask. The appearance `from` is
    /// a hint; `slot` is its slot in the world.
    pub(crate) fn resolve(
        &mut self,
        collider: &Collider,
        from: Option<u32>,
        policy: ScalePolicy,
        slot: Option<usize>,
    ) -> Result<(u32, PlacedMask), PlaceError> {
        let appearance = Appearance::of(collider);
        if let Some(number) = self.appearances.index_of(&appearance, from) {
            return Ok((number, self.placed(collider, number, policy, slot)?));
        }
        placement::check_upright(collider)?;
        let source = Appearances::mask_source_of(&self.atlas, &self.atlases, &appearance)?;
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        let pose = (collider.position, collider.angle, collider.scale);
        let placed = PlacedMask::find(&context, source, pose)?;
        placement::check_scale(&context, source, collider.scale, policy)?;
        let number = self.appearances.intern(appearance, source, &context)?;
        let placed = if placed.is_undrawn() { self.show(number, slot, pose)? } else { placed };
        Ok((number, placed))
    }

    /// Returns the placed mask of a collider of a known appearance, and draws it if need be.
    fn placed(
        &mut self,
        collider: &Collider,
        appearance: u32,
        policy: ScalePolicy,
        slot: Option<usize>,
    ) -> Result<PlacedMask, PlaceError> {
        placement::check_upright(collider)?;
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        let pose = (collider.position, collider.angle, collider.scale);
        let placed = self.appearances.placed(&context, appearance, pose)?;
        if policy != ScalePolicy::Nearest {
            let source = self.appearances.source(appearance);
            placement::check_scale(&context, source, collider.scale, policy)?;
        }
        if placed.is_undrawn() {
            return self.show(appearance, slot, pose);
        }
        Ok(placed)
    }

    /// Adds the collider in this slot to the dirty set, before or after a change.
    pub(crate) fn changed(&mut self, slot: usize) {
        self.dirty.add(slot, self.slots.len());
        let appearance = self.slots.appearances[slot];
        if appearance != NO_COLLIDER && self.appearances.get(appearance).fixed {
            self.dirty.add_fixed();
        }
    }

    /// Keeps the owner of the collider in this slot for the events of bodies, if `next` differs.
    #[inline(always)]
    fn note_owner(&mut self, slot: usize, next: u32) {
        let owner = self.slots.owner(slot);
        if owner != next && self.past_owners.are_noted() {
            self.past_owners.note(self.slots.id(slot as u32), owner);
        }
    }
}
