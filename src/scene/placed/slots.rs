//! The state of all colliders, as a struct of arrays indexed by slot.
//!
//! Invariants: all arrays have one length. A slot without a collider has the appearance
//! [`NO_COLLIDER`] and an empty box. The placed mask of a collider is in `moving`, or in `fixed` if its
//! appearance is fixed.

use crate::broad::Item;
use crate::error::CallError;
use crate::geom::Rect;
use crate::ids::{ColliderId, MaskId};
use crate::ids::{MAX_COLLIDERS, next_generation};
use crate::memory::clone_fields::clone_fields;
use crate::memory::vec_growth;
use crate::pose::Angle;
use crate::scene::placement::PlacedMask;
use crate::scene::{Collider, ColliderShape};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) const NO_COLLIDER: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// How many times each slot was freed.
    pub(crate) generations: Vec<u32>,
    pub(crate) positions: Vec<[f32; 2]>,
    pub(crate) angles: Vec<Angle>,
    pub(crate) scales: Vec<f32>,
    /// The owner of each collider, 0 for none. Slots beyond the end have none, so a world without
    /// owners stores nothing. Apart from the appearances, because games may never reuse owners.
    pub(crate) owners: Vec<u32>,
    /// The [`Collider::user_data`] of each collider. Slots beyond the end have 0.
    pub(crate) user_data: Vec<u64>,
    /// The index of [`owners`](Self::owners): each owner that is not 0 with each of its slots.
    pub(crate) parts: BTreeSet<(u32, u32)>,
    pub(crate) appearances: Vec<u32>,
    /// Each run-time mask that is shown with each of its slots. An edit of a mask visits these alone.
    pub(crate) shown_masks: BTreeSet<(MaskId, u32)>,
    /// The placed masks of moving colliders. That of a fixed one has no pixels, but the number of its
    /// entry in [`fixed`](Self::fixed).
    pub(crate) moving: Vec<PlacedMask>,
    /// The placed masks of fixed colliders that have a pixel, each with its slot. Shared by clones of the
    /// world until one of them changes a fixed collider.
    pub(crate) fixed: Arc<Vec<(u32, PlacedMask)>>,
    /// Slots without a collider, the last freed on top.
    pub(crate) free: Vec<u32>,
    /// True if no slot was freed since the last update.
    pub(crate) no_slot_freed: bool,
    /// One bit per slot: whether it was freed since the last update. Slots beyond the end may have been.
    pub(crate) freed: Vec<u64>,
}

clone_fields!(
    [] Slots {
        generations, positions, angles, scales, owners, user_data, parts, appearances, shown_masks,
        moving, fixed, free, no_slot_freed, freed
    }
);

impl Slots {
    pub(crate) const fn len(&self) -> usize {
        self.appearances.len()
    }

    /// Returns the slot of a collider; `None` for a stale id.
    #[inline(always)]
    pub(crate) fn find(&self, id: ColliderId) -> Option<usize> {
        let slot = id.slot();
        let present = *self.generations.get(slot)? == id.generation()
            && self.appearances[slot] != NO_COLLIDER;
        present.then_some(slot)
    }

    #[inline]
    pub(crate) fn id(&self, slot: u32) -> ColliderId {
        ColliderId::new(slot, self.generations[slot as usize])
    }

    pub(crate) fn occupied(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.appearances)
            .filter(|(_, appearance)| **appearance != NO_COLLIDER)
            .map(|(slot, _)| slot)
    }

    /// Reserves a slot for a new collider; [`put`](Self::put) fills it.
    ///
    /// The lists grow by the crate's own policy: doubled ones would stay half empty for the life of the
    /// world. Tree positions, padding included, are 32 bits too, which limits the number of slots.
    pub(crate) fn take(&mut self) -> Result<usize, CallError> {
        if let Some(slot) = self.free.pop() {
            return Ok(slot as usize);
        }
        let slot = self.len();
        if slot == MAX_COLLIDERS {
            return Err(CallError::Full);
        }
        vec_growth::push(&mut self.generations, 0);
        vec_growth::push(&mut self.positions, [0.0; 2]);
        vec_growth::push(&mut self.angles, Angle::default());
        vec_growth::push(&mut self.scales, 1.0);
        vec_growth::push(&mut self.appearances, NO_COLLIDER);
        vec_growth::push(&mut self.moving, PlacedMask::default());
        Ok(slot)
    }

    /// Reserves slots as so many calls of [`take`](Self::take) do, or none. The error names the first
    /// collider for which there is no slot.
    pub(crate) fn take_all(&mut self, count: usize) -> Result<Vec<u32>, CallError> {
        let (free, len) = (self.free.len(), self.len());
        let more = count.saturating_sub(free);
        if more > MAX_COLLIDERS - len {
            return Err(CallError::Full.of_item(free + (MAX_COLLIDERS - len)));
        }
        vec_growth::resize(&mut self.generations, len + more, 0);
        vec_growth::resize(&mut self.positions, len + more, [0.0; 2]);
        vec_growth::resize(&mut self.angles, len + more, Angle::default());
        vec_growth::resize(&mut self.scales, len + more, 1.0);
        vec_growth::resize(&mut self.appearances, len + more, NO_COLLIDER);
        vec_growth::resize(&mut self.moving, len + more, PlacedMask::default());
        let mut slots = self.free.split_off(free - (count - more));
        slots.reverse();
        slots.extend(len as u32..(len + more) as u32);
        Ok(slots)
    }

    /// Notes that the collider in a slot shows a shape.
    pub(crate) fn add_shown(&mut self, slot: usize, shape: ColliderShape) {
        if let ColliderShape::Mask(mask) = shape {
            self.shown_masks.insert((mask, slot as u32));
        }
    }

    /// Notes that the collider in a slot no longer shows a shape.
    pub(crate) fn remove_shown(&mut self, slot: usize, shape: ColliderShape) {
        if let ColliderShape::Mask(mask) = shape {
            self.shown_masks.remove(&(mask, slot as u32));
        }
    }

    /// Returns the slots that show a run-time mask, in order.
    pub(crate) fn showing(&self, mask: MaskId) -> impl Iterator<Item = u32> + '_ {
        self.shown_masks.range((mask, 0)..=(mask, u32::MAX)).map(|&(_, slot)| slot)
    }

    pub(crate) fn put(
        &mut self,
        slot: usize,
        collider: &Collider,
        appearance: u32,
        placed: PlacedMask,
    ) {
        self.positions[slot] = collider.position;
        self.angles[slot] = collider.angle;
        self.scales[slot] = collider.scale;
        self.appearances[slot] = appearance;
        self.set_owner(slot, collider.owner);
        self.set_user_data(slot, collider.user_data);
        self.put_placed(slot, collider.fixed, placed);
    }

    #[inline(always)]
    fn set_owner(&mut self, slot: usize, owner: u32) {
        let present = self.owner(slot);
        if present != owner {
            self.change_owner(slot, present, owner);
        }
    }

    /// Writes another owner of a slot. Apart from the common case, which inlines.
    #[cold]
    fn change_owner(&mut self, slot: usize, present: u32, owner: u32) {
        if present != 0 {
            self.parts.remove(&(present, slot as u32));
        }
        if owner != 0 {
            self.parts.insert((owner, slot as u32));
        }
        if owner != 0 && self.owners.len() <= slot {
            vec_growth::reserve(&mut self.owners, slot + 1);
            self.owners.resize(slot + 1, 0);
        }
        if let Some(stored) = self.owners.get_mut(slot) {
            *stored = owner;
        }
    }

    /// Returns the owner of the collider in this slot; 0 for none.
    #[inline(always)]
    pub(crate) fn owner(&self, slot: usize) -> u32 {
        self.owners.get(slot).copied().unwrap_or(0)
    }

    fn set_user_data(&mut self, slot: usize, user_data: u64) {
        if user_data != 0 && self.user_data.len() <= slot {
            vec_growth::reserve(&mut self.user_data, slot + 1);
            self.user_data.resize(slot + 1, 0);
        }
        if let Some(stored) = self.user_data.get_mut(slot) {
            *stored = user_data;
        }
    }

    /// Returns the number that the game stored for the collider in this slot.
    pub(crate) fn user_data(&self, slot: usize) -> u64 {
        self.user_data.get(slot).copied().unwrap_or(0)
    }

    /// Returns the slots of an owner's colliders, in order. Owner 0 has none.
    pub(crate) fn parts_of(&self, owner: u32) -> impl Iterator<Item = u32> + '_ {
        self.parts.range((owner, 0)..=(owner, u32::MAX)).map(|&(_, slot)| slot)
    }

    #[inline(always)]
    pub(crate) fn share_owner(&self, a: usize, b: usize) -> bool {
        let owner = self.owner(a);
        owner != 0 && owner == self.owner(b)
    }

    #[inline(always)]
    pub(crate) fn put_placed(&mut self, slot: usize, fixed: bool, placed: PlacedMask) {
        if !fixed && self.fixed_number(slot).is_none() {
            self.moving[slot] = placed;
        } else {
            self.put_placed_fixed(slot, fixed, placed);
        }
    }

    /// As [`put_placed`](Self::put_placed), for a collider that is or was fixed.
    #[cold]
    fn put_placed_fixed(&mut self, slot: usize, fixed: bool, placed: PlacedMask) {
        self.take_fixed(slot);
        if fixed && !placed.is_empty() {
            self.put_fixed(slot, placed);
        } else {
            self.moving[slot] = if fixed { PlacedMask::default() } else { placed };
        }
    }

    /// Returns the number of a fixed collider's entry, if it has a pixel.
    #[inline(always)]
    fn fixed_number(&self, slot: usize) -> Option<usize> {
        let moving = &self.moving[slot];
        if !moving.is_empty() || self.fixed.is_empty() {
            return None;
        }
        let number = moving.number() as usize;
        let is_entry = |&(entry, _): &(u32, PlacedMask)| entry as usize == slot;
        self.fixed.get(number).is_some_and(is_entry).then_some(number)
    }

    /// Adds the placed mask of a fixed collider, which has none yet.
    pub(crate) fn put_fixed(&mut self, slot: usize, placed: PlacedMask) {
        self.moving[slot] = PlacedMask::with_number(self.fixed.len() as u32);
        vec_growth::push(Arc::make_mut(&mut self.fixed), (slot as u32, placed));
    }

    /// Removes the placed mask of a fixed collider.
    #[inline]
    pub(crate) fn take_fixed(&mut self, slot: usize) -> Option<PlacedMask> {
        let number = self.fixed_number(slot)?;
        let (_, placed) = Arc::make_mut(&mut self.fixed).swap_remove(number);
        if let Some(&(last, _)) = self.fixed.get(number) {
            self.moving[last as usize] = PlacedMask::with_number(number as u32);
        }
        self.moving[slot] = PlacedMask::default();
        Some(placed)
    }

    pub(crate) fn free(&mut self, slot: usize) {
        self.appearances[slot] = NO_COLLIDER;
        self.set_owner(slot, 0);
        self.set_user_data(slot, 0);
        self.put_placed(slot, false, PlacedMask::default());
        self.generations[slot] = next_generation(self.generations[slot]);
        self.free.push(slot as u32);
        self.no_slot_freed = false;
        if let Some(bits) = self.freed.get_mut(slot / 64) {
            *bits |= 1 << (slot % 64);
        }
    }

    /// Returns false if neither of two slots was freed since the last update. Reads one bit each, which are in the
    /// cache more often than the generations.
    #[inline(always)]
    pub(crate) fn may_be_freed(&self, slots: [u32; 2]) -> bool {
        let is_freed = |slot: u32| {
            self.freed.get(slot as usize / 64).is_none_or(|bits| bits >> (slot % 64) & 1 == 1)
        };
        is_freed(slots[0]) | is_freed(slots[1])
    }

    /// Forgets which slots were freed, at the end of an update.
    pub(crate) fn forget_freed(&mut self) {
        let words = self.len().div_ceil(64);
        if !self.no_slot_freed || self.freed.len() != words {
            self.freed.clear();
            vec_growth::resize(&mut self.freed, words, 0);
        }
        self.no_slot_freed = true;
    }

    pub(crate) fn rect(&self, slot: usize) -> Rect {
        self.placed(slot).rect()
    }

    #[inline]
    pub(crate) fn placed(&self, slot: usize) -> PlacedMask {
        match self.fixed_number(slot) {
            None => self.moving[slot],
            Some(number) => self.fixed[number].1,
        }
    }
}
