//! The dirty set: the slots that changed since the last update, and so the work of the next one.
//!
//! Filled by every call that changes a collider, read by the update and by queries. Invariant: a
//! slot that is not in the set has the box, the rules and the pixels of the last update. The pixels
//! of an edited mask are the exception: its colliders join the set when the update begins.

use crate::memory::vec_growth;
use crate::world::MaskId;
use std::collections::HashSet;

/// Part of the slots above which all of them count as changed: one in 8. Beyond it, listed slots
/// are no faster to process than all slots.
const MAX_SHARE: usize = 8;

/// Slots that are listed in any world, however small.
const MIN_LISTED: usize = 64;

/// Changes from which the number of all changes is estimated.
const MIN_COMPARED: usize = 2048;

/// The slots that changed since the last update.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirtySet {
    slots: Vec<u32>,
    /// One bit for each slot in the list.
    bits: Vec<u64>,
    /// True if too many slots changed to list them: all slots count as changed.
    all: bool,
    /// True if every pair must be tested again, although its colliders have not changed.
    all_pairs: bool,
    /// Masks whose pixels changed within the same tight box.
    edited_masks: HashSet<MaskId>,
}

impl DirtySet {
    /// Adds one of `count` slots.
    pub(crate) fn add(&mut self, slot: usize, count: usize) {
        if self.all {
            return;
        }
        if self.bits.len() * 64 < count {
            vec_growth::resize(&mut self.bits, count.div_ceil(64), 0);
        }
        let (word, bit) = (slot / 64, 1 << (slot % 64));
        if self.bits[word] & bit != 0 {
            return;
        }
        if self.slots.len() >= count / MAX_SHARE + MIN_LISTED {
            return self.add_all();
        }
        self.bits[word] |= bit;
        self.slots.push(slot as u32);
    }

    /// Adds the slots of lists, which are among `count` slots.
    pub(crate) fn add_lists(&mut self, lists: &[ChangeList], count: usize) {
        let listed: usize = lists.iter().map(|list| list.slots.len()).sum();
        if listed > count / MAX_SHARE || lists.iter().any(|list| list.is_cut) {
            self.add_all();
        } else {
            let slots = lists.iter().flat_map(|list| &list.slots);
            slots.for_each(|&slot| self.add(slot as usize, count));
        }
    }

    /// Marks all slots as changed.
    pub(crate) fn add_all(&mut self) {
        self.clear_slots();
        self.all = true;
    }

    /// Makes the next update test every pair again. Boxes have not changed.
    pub(crate) fn add_all_pairs(&mut self) {
        self.all_pairs = true;
    }

    /// Adds a mask whose pixels changed within the same tight box.
    pub(crate) fn add_mask(&mut self, mask: MaskId) {
        self.edited_masks.insert(mask);
    }

    /// Returns the masks of [`add_mask`](Self::add_mask).
    pub(crate) const fn edited_masks(&self) -> &HashSet<MaskId> {
        &self.edited_masks
    }

    /// Returns true if `slot` changed.
    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        let word = self.bits.get(slot as usize / 64).copied().unwrap_or(0);
        self.all || word >> (slot % 64) & 1 == 1
    }

    /// Returns the listed slots as a bit set, for loops over very many slots; `None` if there are
    /// none.
    pub(crate) fn listed(&self) -> Option<SlotBits<'_>> {
        (!self.slots.is_empty()).then_some(SlotBits(&self.bits))
    }

    /// Returns the changed slots; `None` if all slots count as changed.
    pub(crate) fn slots(&self) -> Option<&[u32]> {
        (!self.all).then_some(&self.slots)
    }

    /// Returns the slots of `count` whose pairs the update must test; `None` if it must test all
    /// pairs.
    pub(crate) fn few_slots(&self, count: usize) -> Option<&[u32]> {
        let is_few = !self.all_pairs && self.slots.len() <= count / MAX_SHARE;
        self.slots().filter(|_| is_few)
    }

    /// Returns true if nothing changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty() && !self.all && !self.all_pairs && self.edited_masks.is_empty()
    }

    /// Clears the set, after an update.
    pub(crate) fn clear(&mut self) {
        self.clear_slots();
        self.all = false;
        self.all_pairs = false;
        self.edited_masks.clear();
    }

    fn clear_slots(&mut self) {
        for slot in self.slots.drain(..) {
            self.bits[slot as usize / 64] = 0;
        }
    }
}

/// The changed slots that one thread found. Kept between calls for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeList {
    slots: Vec<u32>,
    /// Number of slots from which no more are listed.
    limit: usize,
    /// True if slots were left out.
    is_cut: bool,
    /// Slots that show a pose which is not drawn yet.
    pub(crate) undrawn: Vec<u32>,
}

impl ChangeList {
    /// Clears the list, for one of `threads` that share `count` slots.
    pub(crate) fn begin(&mut self, count: usize, threads: usize) {
        self.slots.clear();
        // Twice the share of a thread, because changes may be spread unevenly.
        self.limit = count / MAX_SHARE * 2 / threads + MIN_LISTED;
        self.is_cut = false;
        self.undrawn.clear();
    }

    /// Returns true if the changes that follow are listed. Once false, it stays false. So far `seen`
    /// of `all` colliders were placed. If most of them moved, the rest is not compared.
    pub(crate) fn takes_more(&mut self, seen: usize, all: usize) -> bool {
        let len = self.slots.len();
        let expected = len.saturating_mul(all) / seen.max(1);
        self.is_cut |= len >= self.limit || len >= MIN_COMPARED && expected > 2 * self.limit;
        !self.is_cut
    }

    pub(crate) fn push(&mut self, slot: u32) {
        vec_growth::push(&mut self.slots, slot);
    }
}

/// A set of slots, one bit each.
#[derive(Clone, Copy)]
pub(crate) struct SlotBits<'s>(&'s [u64]);

impl SlotBits<'_> {
    /// Returns 1 if `slot` is in the set, else 0. There is a bit for each slot of the world.
    #[inline(always)]
    pub(crate) fn bit(self, slot: u32) -> u64 {
        self.0[slot as usize / 64] >> (slot % 64) & 1
    }
}
