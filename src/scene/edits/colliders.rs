//! Single edits: inserts, replaces and removes one collider.
//!
//! Invariant: a failed call leaves the scene unchanged.

use crate::error::CallError;
use crate::geom::Point;
use crate::ids::ColliderId;
use crate::pose::ScalePolicy;
use crate::scene::changes::SlotState;
use crate::scene::collider::Appearance;
use crate::scene::placed::Placed;
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
        let id = self.placed.slots.id(slot as u32);
        self.set_slot_from(SlotState::free(id), Some((&collider, appearance, placed)));
        Ok(id)
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
        let mut looks = self.resolve_all(colliders)?;
        for (item, (appearance, placed)) in looks.iter_mut().enumerate() {
            if placed.is_undrawn() {
                // Drawn, but under another sprite or in another call.
                let Collider { position, angle, scale, .. } = colliders[item];
                let shown = self.show(*appearance, None, (position, angle, scale));
                *placed = shown.map_err(|cause| cause.of_item(item))?;
            }
        }
        let Self { placed: Placed { slots, .. }, changes, .. } = self;
        let taken = slots.take_all(colliders.len())?;
        let ids = taken.iter().map(|&slot| slots.id(slot)).collect();
        for ((&slot, collider), (appearance, placed)) in taken.iter().zip(colliders).zip(looks) {
            slots.put(slot as usize, collider, appearance, placed);
            slots.add_shown(slot as usize, collider.shape);
        }
        let any_fixed = colliders.iter().any(|collider| collider.fixed);
        let is_empty = |slot| slots.placed(slot as usize).is_empty();
        changes.record_inserts(taken, any_fixed, slots.len(), is_empty);
        Ok(ids)
    }

    /// Returns the appearance and the placed mask of each collider, which may be [`PlacedMask::UNDRAWN`].
    fn resolve_all(&mut self, colliders: &[Collider]) -> Result<Vec<(u32, PlacedMask)>, CallError> {
        let Self { stock, placed: Placed { appearances, slots }, scale_policy, .. } = self;
        let context = stock.context();
        let mut last = slots.appearances.last().copied();
        // The last scale of each appearance that the policy has accepted.
        let mut accepted: Vec<f32> = Vec::new();
        let mut resolve = |collider: &Collider| {
            let collider = stock.atlases.own(*collider)?;
            placement::check_upright(&collider)?;
            let look = Appearance::of(&collider);
            let pose = (collider.position, collider.angle, collider.scale);
            let known = appearances.index_of(&look, last);
            let source = if known.is_some() { None } else { Some(stock.source(&look)?) };
            // Placed before the look is added, which a refused collider does not do.
            let found = source.map(|source| context.find(source, pose)).transpose()?;
            let number = match (known, source) {
                (None, Some(source)) => appearances.intern(look, source, &context)?,
                (known, _) => known.unwrap_or_default(),
            };
            let placed = match found {
                Some(placed) => placed,
                None => appearances.placed(&context, number, pose)?,
            };
            if accepted.get(number as usize) != Some(&collider.scale) {
                let source = appearances.source(number);
                context.check_scale(source, collider.scale, *scale_policy)?;
                accepted.resize(accepted.len().max(number as usize + 1), f32::NAN);
                accepted[number as usize] = collider.scale;
            }
            last = Some(number);
            Ok((number, placed))
        };
        let items = colliders.iter().enumerate();
        items.map(|(at, it)| resolve(it).map_err(|cause: CallError| cause.of_item(at))).collect()
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
        let Some(slot) = self.placed.slots.find(id) else { return Err(CallError::Stale(id)) };
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

    /// Moves a collider. As [`set`](Self::set), but shifts the placed mask instead of finding it anew.
    pub(crate) fn move_to(&mut self, id: ColliderId, position: [f32; 2]) -> Result<(), CallError> {
        let Some(slot) = self.placed.slots.find(id) else { return Err(CallError::Stale(id)) };
        let (before, resolution) = (self.state(slot), self.stock.resolution());
        let from = placement::snap(self.placed.slots.positions[slot], resolution);
        let (Some(from), Some(_)) = (from, before.placed.words()) else {
            return self.set(id, self.placed.collider(slot).at(position));
        };
        let Some(to) = placement::snap(position, resolution) else {
            return Err(CallError::Position(position));
        };
        let Point { x, y } = to - from;
        self.placed.slots.positions[slot] = position;
        if (x, y) != (0, 0) {
            let placed = before.placed.moved([x, y]);
            self.placed.slots.put_placed(slot, before.fixed, placed);
            self.record(&before, &SlotState { placed, ..before });
        }
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
    pub(crate) fn place_known(
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
