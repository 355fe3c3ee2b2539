//! The state of all colliders, as a struct of arrays indexed by slot, and the set of slots that
//! changed since the last update.
//!
//! Written by the world, read by the update and by queries. Invariants: all arrays have one length; a
//! slot without a collider has the look [`NO_COLLIDER`] and an empty box; a collider is placed either in
//! `moving` or, where its look is fixed, in `fixed`.

use crate::broad::Item;
use crate::geom::Rect;
use crate::memory::{prefetch, vec_growth};
use crate::world::state::appearance::Appearances;
use crate::world::state::packed_angle::PackedAngle;
use crate::world::state::placement::PlacedMask;
use crate::world::step::events::SlotIds;
use crate::world::{Collider, ColliderId, Pair, PlaceError};
use std::collections::BTreeMap;

/// The look of a slot without a collider.
pub(crate) const NO_COLLIDER: u32 = u32::MAX;

/// The state of all colliders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// How often each slot was freed.
    pub(crate) generations: Vec<u32>,
    pub(crate) positions: Vec<[f32; 2]>,
    pub(crate) angles: Vec<PackedAngle>,
    pub(crate) scales: Vec<f32>,
    /// The number of each one's look.
    pub(crate) appearances: Vec<u32>,
    /// Where those that move are, and what they show.
    pub(crate) moving: Vec<PlacedMask>,
    /// The same of fixed ones that have a pixel, by slot.
    pub(crate) fixed: BTreeMap<u32, PlacedMask>,
    /// Slots without a collider, the last freed on top.
    pub(crate) free: Vec<u32>,
    /// True where none was freed since the last update.
    pub(crate) no_slot_freed: bool,
}

impl SlotIds for Slots {
    fn no_slot_freed(&self) -> bool {
        self.no_slot_freed
    }

    #[inline(always)]
    fn pair(&self, [a, b]: [u32; 2]) -> Pair {
        Pair { a: self.id(a), b: self.id(b) }
    }

    #[inline(always)]
    fn prefetch(&self, slot: u32) {
        prefetch::item(&self.generations, slot as usize);
    }
}

impl Slots {
    /// Number of slots, free ones counted.
    pub(crate) const fn len(&self) -> usize {
        self.appearances.len()
    }

    /// The slot of a collider that is in the world.
    #[inline(always)]
    pub(crate) fn find(&self, id: ColliderId) -> Option<usize> {
        let slot = id.slot();
        let present = *self.generations.get(slot)? == id.generation()
            && self.appearances[slot] != NO_COLLIDER;
        present.then_some(slot)
    }

    /// The id of the collider in this slot.
    #[inline]
    pub(crate) fn id(&self, slot: u32) -> ColliderId {
        ColliderId::new(slot, self.generations[slot as usize])
    }

    /// The slots that have a collider.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.appearances)
            .filter(|(_, appearance)| **appearance != NO_COLLIDER)
            .map(|(slot, _)| slot)
    }

    /// A slot for a collider to come: [`put`](Self::put) it there.
    pub(crate) fn take(&mut self) -> Result<usize, PlaceError> {
        if let Some(slot) = self.free.pop() {
            return Ok(slot as usize);
        }
        let slot = self.len();
        // Positions in the index, padding included, are 32 bits too.
        if slot >= crate::world::MAX_COLLIDERS {
            return Err(PlaceError::Full);
        }
        // All of them as a list of `room` grows: doubled they would be half empty, for ever.
        vec_growth::make(&mut self.generations, slot + 1);
        vec_growth::make(&mut self.positions, slot + 1);
        vec_growth::make(&mut self.angles, slot + 1);
        vec_growth::make(&mut self.scales, slot + 1);
        vec_growth::make(&mut self.appearances, slot + 1);
        vec_growth::make(&mut self.moving, slot + 1);
        self.generations.push(0);
        self.positions.push([0.0; 2]);
        self.angles.push(PackedAngle::default());
        self.scales.push(1.0);
        self.appearances.push(NO_COLLIDER);
        self.moving.push(PlacedMask::default());
        Ok(slot)
    }

    /// Writes a collider into its slot.
    pub(crate) fn put(
        &mut self,
        slot: usize,
        collider: &Collider,
        appearance: u32,
        placed: PlacedMask,
    ) {
        self.positions[slot] = collider.position;
        self.angles[slot] = collider.angle.into();
        self.scales[slot] = collider.scale;
        self.appearances[slot] = appearance;
        self.put_placed(slot, collider.fixed, placed);
    }

    /// Writes where a collider is.
    pub(crate) fn put_placed(&mut self, slot: usize, fixed: bool, placed: PlacedMask) {
        let key = slot as u32;
        // One that moves has nothing to take back.
        if self.moving[slot].is_empty() {
            self.fixed.remove(&key);
        }
        self.moving[slot] = if fixed { PlacedMask::default() } else { placed };
        if fixed && !placed.is_empty() {
            self.fixed.insert(key, placed);
        }
    }

    /// Leaves a slot without a collider, for another.
    pub(crate) fn free(&mut self, slot: usize) {
        self.appearances[slot] = NO_COLLIDER;
        self.put_placed(slot, false, PlacedMask::default());
        self.generations[slot] = self.generations[slot].wrapping_add(1);
        self.free.push(slot as u32);
        self.no_slot_freed = false;
    }

    /// The box of the collider in this slot; empty where it has no pixel.
    pub(crate) fn rect(&self, slot: usize) -> Rect {
        self.placed(slot).rect()
    }

    /// Where the collider in this slot is, and what it shows.
    pub(crate) fn placed(&self, slot: usize) -> PlacedMask {
        let moving = self.moving[slot];
        if !moving.is_empty() || self.fixed.is_empty() {
            return moving;
        }
        self.fixed.get(&(slot as u32)).copied().unwrap_or(moving)
    }

    /// The collider in this slot, which has one.
    pub(crate) fn collider(&self, appearances: &Appearances, slot: usize) -> Collider {
        let appearance = appearances.get(self.appearances[slot]);
        Collider {
            shape: appearance.shape,
            frame: appearance.frame,
            plane: appearance.plane,
            position: self.positions[slot],
            angle: self.angles[slot].into(),
            scale: self.scales[slot],
            flip: appearance.flip,
            layers: appearance.layers,
            collides_with: appearance.collides_with,
            fixed: appearance.fixed,
            sensor: appearance.sensor,
            accuracy: appearance.accuracy,
            min_overlap: appearance.min_overlap,
        }
    }
}

/// Colliders that changed since the last update, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirtySet {
    slots: Vec<u32>,
    /// One bit for each slot that is in the list.
    bits: Vec<u64>,
    /// True where so many changed that they are not listed: all count as changed.
    all: bool,
}

impl DirtySet {
    /// `slot` changed.
    pub(crate) fn add(&mut self, slot: usize) {
        if self.all {
            return;
        }
        let word = slot / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        // More than one in eight: a list would be no shorter way than to look at all.
        if self.slots.len() > self.bits.len() * 8 + 64 {
            return self.add_all();
        }
        let bit = 1 << (slot % 64);
        if self.bits[word] & bit == 0 {
            self.bits[word] |= bit;
            self.slots.push(slot as u32);
        }
    }

    /// Very many changed.
    pub(crate) fn add_all(&mut self) {
        self.clear();
        self.all = true;
    }

    /// True where `slot` changed.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        let word = self.bits.get(slot as usize / 64).copied().unwrap_or(0);
        self.all || word >> (slot % 64) & 1 == 1
    }

    /// Those that changed; `None` where all count as changed.
    pub(crate) fn slots(&self) -> Option<&[u32]> {
        (!self.all).then_some(&self.slots)
    }

    /// Everything is where the index says.
    pub(crate) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.bits[slot as usize / 64] = 0;
        }
        self.all = false;
    }
}
