//! Single edits: inserts, replaces and removes one collider.
//!
//! Invariant: a failed call leaves the scene unchanged.

use crate::error::CallError;
use crate::ids::ColliderId;
use crate::pose::ScalePolicy;
use crate::scene::collider::Appearance;
use crate::scene::placement;
use crate::scene::stock::MaskSource;
use crate::scene::{Collider, PlacedMask, Scene};

impl Scene {
    pub(crate) fn insert(&mut self, collider: Collider) -> Result<ColliderId, CallError> {
        let collider = self.stock.atlases.own(collider)?;
        self.placed.sweep_appearances(&self.stock);
        let last = self.placed.slots.appearances.last().copied();
        let (appearance, placed) = self.resolve(&collider, last, self.scale_policy, None)?;
        let slot = self.placed.slots.take()?;
        self.set_slot(slot, Some((&collider, appearance, placed)));
        Ok(self.placed.slots.id(slot as u32))
    }

    /// Inserts all colliders, or none.
    pub(crate) fn insert_all(
        &mut self,
        colliders: &[Collider],
    ) -> Result<Vec<ColliderId>, CallError> {
        self.placed.sweep_appearances(&self.stock);
        if self.stock.poses.are_drawn_on_demand() {
            // Drawn by one call, so that no pose is dropped for a later one.
            self.draw_ahead(colliders, &mut |_| true)?;
        }
        let mut last = self.placed.slots.appearances.last().copied();
        let mut resolved = Vec::with_capacity(colliders.len());
        for (item, collider) in colliders.iter().enumerate() {
            let of_item = |cause: CallError| cause.of_item(item);
            let collider = self.stock.atlases.own(*collider).map_err(of_item)?;
            let found = self.resolve(&collider, last, self.scale_policy, None);
            let (appearance, placed) = found.map_err(of_item)?;
            last = Some(appearance);
            resolved.push((collider, appearance, placed));
        }
        let room = self.placed.slots.room();
        if colliders.len() > room {
            return Err(CallError::Full.of_item(room));
        }
        let insert = |(collider, appearance, placed): (Collider, u32, PlacedMask)| {
            let slot = self.placed.slots.take()?;
            self.set_slot(slot, Some((&collider, appearance, placed)));
            Ok(self.placed.slots.id(slot as u32))
        };
        resolved.into_iter().map(insert).collect()
    }

    /// Returns the masks of a collider. Fails as [`insert`](Self::insert) does because of the collider alone.
    pub(super) fn check(&self, collider: &Collider) -> Result<MaskSource, CallError> {
        let collider = self.stock.atlases.own(*collider)?;
        self.locate(&collider, self.scale_policy).map(|(source, _)| source)
    }

    /// Returns the masks of a collider and its placed mask, which may be [`PlacedMask::UNDRAWN`].
    fn locate(
        &self,
        collider: &Collider,
        policy: ScalePolicy,
    ) -> Result<(MaskSource, PlacedMask), CallError> {
        placement::check_upright(collider)?;
        let (source, context) =
            (self.stock.source(&Appearance::of(collider))?, self.stock.context());
        let placed = context.find(source, (collider.position, collider.angle, collider.scale))?;
        context.check_scale(source, collider.scale, policy)?;
        Ok((source, placed))
    }

    pub(crate) fn set(&mut self, id: ColliderId, collider: Collider) -> Result<(), CallError> {
        let slot = self.placed.slots.find(id).ok_or(CallError::Stale(id))?;
        self.placed.sweep_appearances(&self.stock);
        let present = self.placed.slots.appearances[slot];
        // Usually the appearance stays the same, which saves the lookup.
        let shown = self.placed.appearances.get(present);
        let shape = shown.shape;
        let shows_same = (shown.shape, shown.frame, shown.plane)
            == (collider.shape, collider.frame, collider.plane);
        let collider = if shows_same { collider } else { self.stock.atlases.own(collider)? };
        // A scale that was accepted once stays so, under any later policy.
        let is_accepted =
            self.placed.slots.scales[slot] == collider.scale && shape == collider.shape;
        let policy = if is_accepted { ScalePolicy::Nearest } else { self.scale_policy };
        let (appearance, placed) = if *shown == Appearance::of(&collider) {
            (present, self.place_known(&collider, present, policy, Some(slot))?)
        } else {
            self.resolve(&collider, Some(present), policy, Some(slot))?
        };
        self.set_slot(slot, Some((&collider, appearance, placed)));
        Ok(())
    }

    pub(crate) fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        let slot = self.placed.slots.find(id)?;
        let collider = self.placed.collider(slot);
        self.set_slot(slot, None);
        Some(collider)
    }

    /// Returns the number of a collider's appearance and its placed mask. The appearance `from` is
    /// a hint; `slot` is its slot in the world.
    pub(crate) fn resolve(
        &mut self,
        collider: &Collider,
        from: Option<u32>,
        policy: ScalePolicy,
        slot: Option<usize>,
    ) -> Result<(u32, PlacedMask), CallError> {
        let appearance = Appearance::of(collider);
        if let Some(number) = self.placed.appearances.index_of(&appearance, from) {
            return Ok((number, self.place_known(collider, number, policy, slot)?));
        }
        let (source, placed) = self.locate(collider, policy)?;
        let number = self.placed.appearances.intern(appearance, source, &self.stock.context())?;
        let pose = (collider.position, collider.angle, collider.scale);
        let placed = if placed.is_undrawn() { self.show(number, slot, pose)? } else { placed };
        Ok((number, placed))
    }

    /// Returns the placed mask of a collider of a known appearance, and draws it if need be.
    fn place_known(
        &mut self,
        collider: &Collider,
        appearance: u32,
        policy: ScalePolicy,
        slot: Option<usize>,
    ) -> Result<PlacedMask, CallError> {
        placement::check_upright(collider)?;
        let context = self.stock.context();
        let pose = (collider.position, collider.angle, collider.scale);
        let placed = self.placed.appearances.placed(&context, appearance, pose)?;
        if policy != ScalePolicy::Nearest {
            let source = self.placed.appearances.source(appearance);
            context.check_scale(source, collider.scale, policy)?;
        }
        if placed.is_undrawn() {
            return self.show(appearance, slot, pose);
        }
        Ok(placed)
    }
}
