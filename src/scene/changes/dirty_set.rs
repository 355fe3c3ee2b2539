//! The dirty set: the slots that changed since the last update, and so the work of the next one.
//!
//! Filled by `changes` alone, read by the update and by queries. Invariant: a
//! slot that is not in the set has the box, the rules and the pixels of the last update. The pixels
//! of an edited mask are the exception: its colliders join the set when the update begins.

use crate::ids::MaskId;
use crate::memory::clone_fields::clone_fields;
use crate::memory::vec_growth;
use std::collections::HashSet;

/// Thresholds of updates of changes. No answer depends on them, so tests set others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeltaLimits {
    /// Part of the slots above which all of them count as changed: one in so many. Beyond it, listed
    /// slots are no faster to process than all slots.
    pub(crate) max_share: usize,
    /// Pairs that are scanned in the time of looking up one changed collider.
    pub(crate) pairs_per_look_up: usize,
    /// Boxes per slot that are packed again until building the base again costs less.
    pub(crate) packed_per_slot: usize,
}

impl Default for DeltaLimits {
    fn default() -> Self {
        Self { max_share: 8, pairs_per_look_up: 512, packed_per_slot: 1 }
    }
}

/// Slots that are listed in any world, however small.
const MIN_LISTED: usize = 64;

/// Changes from which the number of all changes is estimated.
const MIN_COMPARED: usize = 2048;

/// Words of the bit set per listed slot up to which the whole set is cleared.
const WORDS_PER_SLOT: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct DirtySet {
    slots: Vec<u32>,
    /// One bit for each slot in the list.
    bits: Vec<u64>,
    /// The slots that the last update listed, and their bits.
    last_slots: Vec<u32>,
    last_bits: Vec<u64>,
    /// True if too many slots changed to list them: all slots count as changed.
    all: bool,
    /// True if every pair must be tested again, although its colliders have not changed.
    all_pairs: bool,
    /// Masks whose pixels changed.
    pub(crate) edited_masks: HashSet<MaskId>,
    /// True if a fixed collider was added, removed or changed.
    pub(crate) any_fixed: bool,
    pub(crate) limits: DeltaLimits,
}

clone_fields!(
    [] DirtySet {
        slots, bits, last_slots, last_bits, all, all_pairs, edited_masks, any_fixed, limits
    }
);

impl DirtySet {
    pub(super) fn add(&mut self, slot: usize, count: usize) {
        if self.all {
            return;
        }
        self.reserve(count);
        let (word, bit) = (slot / 64, 1 << (slot % 64));
        if self.bits[word] & bit != 0 {
            return;
        }
        if self.slots.len() >= count / self.limits.max_share + MIN_LISTED {
            return self.add_all();
        }
        self.bits[word] |= bit;
        self.slots.push(slot as u32);
    }

    pub(super) fn add_lists(&mut self, lists: &[ChangeList], count: usize) {
        let listed: usize = lists.iter().map(|list| list.slots.len()).sum();
        let max = count / self.limits.max_share;
        if listed > max || !ChangeList::are_whole(lists) {
            return self.add_all();
        }
        let slots = lists.iter().flat_map(|list| &list.slots);
        if self.all || self.slots.len() + listed > max {
            return slots.for_each(|&slot| self.add(slot as usize, count));
        }
        self.reserve(count);
        let Self { slots: to, bits, .. } = self;
        vec_growth::reserve(to, to.len() + listed);
        for &slot in slots {
            let (word, bit) = (&mut bits[slot as usize / 64], 1 << (slot % 64));
            if *word & bit == 0 {
                *word |= bit;
                to.push(slot);
            }
        }
    }

    fn reserve(&mut self, count: usize) {
        if self.bits.len() * 64 < count {
            vec_growth::resize(&mut self.bits, count.div_ceil(64), 0);
        }
    }

    pub(super) fn add_all(&mut self) {
        self.clear_slots();
        self.all = true;
    }

    pub(super) fn add_all_pairs(&mut self) {
        self.all_pairs = true;
    }

    /// Notes that a fixed collider was added, removed or changed. Its slot is added apart.
    pub(super) const fn add_fixed(&mut self) {
        self.any_fixed = true;
    }

    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        let word = self.bits.get(slot as usize / 64).copied().unwrap_or(0);
        self.all || word >> (slot % 64) & 1 == 1
    }

    /// Returns the listed slots as a bit set; `None` if there are none.
    pub(crate) fn listed(&self) -> Option<SlotBits<'_>> {
        (!self.slots.is_empty()).then_some(SlotBits(&self.bits))
    }

    #[inline(always)]
    pub(crate) fn was_listed(&self, slot: u32) -> bool {
        self.last_bits.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    pub(crate) const fn last_len(&self) -> usize {
        self.last_slots.len()
    }

    /// Returns the changed slots; `None` if all slots count as changed.
    pub(crate) fn slots(&self) -> Option<&[u32]> {
        (!self.all).then_some(&self.slots)
    }

    /// Returns the slots of `count` to test; `None` if all pairs must be tested.
    pub(crate) fn few_slots(&self, count: usize) -> Option<&[u32]> {
        let is_few = !self.all_pairs && self.slots.len() <= count / self.limits.max_share;
        self.slots().filter(|_| is_few)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty() && !self.all && !self.all_pairs && self.edited_masks.is_empty()
    }

    /// Clears the set after an update, and keeps its slots, if any, as the last ones.
    pub(super) fn clear(&mut self) {
        if self.is_empty() {
            return;
        }
        std::mem::swap(&mut self.slots, &mut self.last_slots);
        std::mem::swap(&mut self.bits, &mut self.last_bits);
        self.clear_slots();
        self.all = false;
        self.all_pairs = false;
        self.any_fixed = false;
        self.edited_masks.clear();
    }

    fn clear_slots(&mut self) {
        let Self { slots, bits, .. } = self;
        if slots.len() > bits.len() / WORDS_PER_SLOT {
            bits.fill(0);
            slots.clear();
        }
        for slot in slots.drain(..) {
            bits[slot as usize / 64] = 0;
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
    /// Returns the list of these slots, each of them once.
    pub(super) const fn whole(slots: Vec<u32>) -> Self {
        Self { slots, limit: usize::MAX, is_cut: false, undrawn: Vec::new() }
    }

    /// Clears the list, for one of `threads` that share `count` slots.
    pub(crate) fn begin(&mut self, count: usize, threads: usize, limits: DeltaLimits) {
        self.slots.clear();
        // Twice the share of a thread, because changes may be spread unevenly.
        self.limit = count / limits.max_share * 2 / threads + MIN_LISTED;
        self.is_cut = false;
        self.undrawn.clear();
    }

    /// Returns true if changes are still listed: not many of the `seen` of `all` moved.
    pub(crate) fn takes_more(&mut self, seen: usize, all: usize) -> bool {
        let len = self.slots.len();
        let expected = len.saturating_mul(all) / seen.max(1);
        self.is_cut |= len >= self.limit || len >= MIN_COMPARED && expected > 2 * self.limit;
        !self.is_cut
    }

    pub(crate) fn push(&mut self, slot: u32) {
        vec_growth::push(&mut self.slots, slot);
    }

    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Drops the slots that `keep` refuses.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.slots.retain(|&slot| keep(slot));
    }

    /// Returns true if no slot was left out of any list.
    pub(crate) fn are_whole(lists: &[Self]) -> bool {
        lists.iter().all(|list| !list.is_cut)
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
