//! The changes of the touching pairs, found from the changed colliders alone.
//!
//! ```text
//! scan     list the old pairs of a changed collider; of few colliders, look up their old boxes
//! merge    compare them with the found pairs, bucket by bucket:
//!            only old -> ended;  only found -> began;  both -> stays, unless a slot was reused
//! ```
//!
//! The result are [edits](PairEdits) of the old list. All other pairs stay as they are. Both stages are
//! spread over threads. Called by the pair finder after an update of the changes; an update of all
//! pairs uses [`events`](super::events).
//!
//! Invariant: the outputs equal those of a comparison of the whole lists.

use crate::broad::{PairOrder, ids_of, key_of};
use crate::memory::{parallel, vec_growth};
use crate::simd::vectorized;
use crate::world::Pair;
use crate::world::state::dirty_set::{DirtySet, SlotBits};
use crate::world::state::slots::Slots;
use crate::world::step::box_index::BoxIndex;
use crate::world::step::events::{SlotIds, key};
use crate::world::step::pair_edits::PairEdits;
use std::ops::Range;

/// Pairs that repay one more thread to scan them.
const PAIRS_PER_THREAD: usize = 60_000;

/// Pairs that are scanned in the time of looking up one changed collider.
const PAIRS_PER_LOOK_UP: usize = 512;

/// Pairs scanned at a time: their positions stay in the L1 cache.
const SCAN_BLOCK: usize = 256;

/// The changes of the touching pairs. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairChanges {
    /// The positions of the old pairs of changed colliders, by thread.
    scanned: Vec<Vec<usize>>,
    /// The same in one list.
    old: Vec<usize>,
    /// True if `old` was found without a scan.
    is_looked_up: bool,
    /// The keys of the pairs to look up.
    candidates: Vec<u64>,
    mergers: Vec<Merger>,
    pub(crate) edits: PairEdits,
    /// The output of the sorting: found pairs are merged and not stored.
    no_output: Vec<()>,
}

impl PairChanges {
    /// Finds the old pairs of few changed colliders among those whose boxes overlapped at the last
    /// update. For many colliders, [`find`](Self::find) scans all old pairs instead.
    pub(crate) fn look_up(
        &mut self,
        before: &[Pair],
        index: &mut BoxIndex,
        (slots, dirty): (&Slots, &DirtySet),
    ) {
        let Self { old, candidates, is_looked_up, .. } = self;
        *is_looked_up = false;
        let Some(changed) = dirty.few_slots(slots.len()) else { return };
        if changed.len().saturating_mul(PAIRS_PER_LOOK_UP) > before.len() {
            return;
        }
        candidates.clear();
        index.visit_old_neighbours(changed, slots.len(), |slot, other| {
            vec_growth::push(candidates, key_of(slot, other));
        });
        candidates.sort_unstable();
        candidates.dedup();
        old.clear();
        let mut at = 0;
        for &wanted in &*candidates {
            at = first_from(before, at, wanted);
            if before.get(at).is_some_and(|pair| key(pair) == wanted) {
                vec_growth::push(old, at);
            }
        }
        *is_looked_up = true;
    }

    /// Finds the edits that turn `before` into the current pairs. `order` holds the touching pairs
    /// of the colliders in `dirty`. Writes the pairs that began and ended, in order.
    pub(crate) fn find(
        &mut self,
        before: &[Pair],
        order: &mut PairOrder,
        (slots, dirty): (&(impl SlotIds + Sync), &DirtySet),
        [began, ended]: [&mut Vec<Pair>; 2],
    ) {
        if !self.is_looked_up {
            self.scan(before, dirty.listed());
        }
        let Self { old, mergers, edits, no_output, .. } = self;
        if mergers.len() < order.workers() {
            mergers.resize_with(order.workers(), Merger::default);
        }
        let mergers = &mut mergers[..order.workers()];
        mergers.iter_mut().for_each(Merger::clear);
        order.write_buckets(mergers, no_output, (), |merger, ids, keys, _| {
            merger.merge((before, old), (ids, keys), slots);
        });
        began.clear();
        ended.clear();
        edits.clear();
        for merger in mergers {
            began.extend_from_slice(&merger.began);
            ended.extend(merger.ended_at.iter().map(|&at| before[at]));
            edits.extend(&merger.began_at, &merger.ended_at);
        }
    }

    /// Lists the positions of the pairs with a changed collider.
    fn scan(&mut self, before: &[Pair], changed: Option<SlotBits<'_>>) {
        let Self { scanned, old, .. } = self;
        old.clear();
        let Some(changed) = changed else { return };
        let workers = parallel::threads_for(before.len(), PAIRS_PER_THREAD);
        if scanned.len() < workers {
            scanned.resize_with(workers, Vec::new);
        }
        let scanned = &mut scanned[..workers];
        let split = |all: Range<usize>, left: &[Vec<usize>], right: &[Vec<usize>]| {
            let middle = all.start + all.len() * left.len() / (left.len() + right.len());
            (all.start..middle, middle..all.end)
        };
        parallel::share(scanned, 0..before.len(), &split, &|found, range| {
            vectorized(
                #[inline(always)]
                || scan(before, range, changed, found),
            );
        });
        scanned.iter().for_each(|found| old.extend_from_slice(found));
    }
}

/// Replaces the contents of `found` by the positions in `range` of pairs with a changed collider.
#[inline(always)]
fn scan(before: &[Pair], range: Range<usize>, changed: SlotBits<'_>, found: &mut Vec<usize>) {
    found.clear();
    let mut positions = [0; SCAN_BLOCK];
    for start in range.clone().step_by(SCAN_BLOCK) {
        let mut count = 0;
        let end = range.end.min(start + SCAN_BLOCK);
        for (at, pair) in before[start..end].iter().enumerate() {
            // Written unconditionally, because the outcome is unpredictable.
            positions[count & (SCAN_BLOCK - 1)] = start + at;
            count += (changed.bit(pair.a.index()) | changed.bit(pair.b.index())) as usize;
        }
        vec_growth::reserve(found, found.len() + count);
        found.extend_from_slice(&positions[..count]);
    }
}

/// The edits found by one thread.
#[derive(Clone, Debug, Default)]
struct Merger {
    began: Vec<Pair>,
    began_at: Vec<usize>,
    ended_at: Vec<usize>,
    /// The keys of the pairs that began in one bucket.
    new_keys: Vec<u64>,
    /// Number of old pairs merged so far, and the position reached in the list; `None` before the
    /// first bucket.
    reached: Option<[usize; 2]>,
}

impl Merger {
    fn clear(&mut self) {
        self.began.clear();
        self.began_at.clear();
        self.ended_at.clear();
        self.reached = None;
    }

    /// Compares the found pairs of one bucket with its old pairs. `old` are positions in `before`.
    /// Calls come in ascending order of slots.
    fn merge(
        &mut self,
        (before, old): (&[Pair], &[usize]),
        (slots, keys): (Range<u64>, &[u64]),
        slot_ids: &impl SlotIds,
    ) {
        let [mut merged, mut reached] = self.reached.unwrap_or_else(|| {
            let first = before.partition_point(|pair| u64::from(pair.a.index()) < slots.start);
            [old.partition_point(|&at| at < first), first]
        });
        self.new_keys.clear();
        for &new_key in keys {
            // Old pairs that come before this one have ended.
            let next = loop {
                let next = old.get(merged).map(|&at| (at, key(&before[at])));
                let Some((at, _)) = next.filter(|&(_, old_key)| old_key < new_key) else {
                    break next;
                };
                self.ended_at.push(at);
                (merged, reached) = (merged + 1, at + 1);
            };
            match next {
                Some((at, old_key)) if old_key == new_key => {
                    (merged, reached) = (merged + 1, at + 1);
                    // The same slots may hold other colliders now: one pair ended and another began.
                    let stays =
                        slot_ids.no_slot_freed() || slot_ids.pair(ids_of(new_key)) == before[at];
                    if !stays {
                        self.ended_at.push(at);
                        self.began_at.push(at);
                        self.new_keys.push(new_key);
                    }
                }
                _ => {
                    reached = first_from(before, reached, new_key);
                    self.began_at.push(reached);
                    self.new_keys.push(new_key);
                }
            }
        }
        while let Some(&at) = old.get(merged)
            && u64::from(before[at].a.index()) < slots.end
        {
            self.ended_at.push(at);
            (merged, reached) = (merged + 1, at + 1);
        }
        self.reached = Some([merged, reached]);
        // Loaded together: generations are scattered over memory.
        self.began.extend(self.new_keys.iter().map(|&key| slot_ids.pair(ids_of(key))));
    }
}

/// Returns the position of the first pair from `start` on whose key is no less than `wanted`. Costs
/// little if it is near.
fn first_from(pairs: &[Pair], start: usize, wanted: u64) -> usize {
    let (mut low, mut step) = (start, 1);
    while let Some(pair) = pairs.get(low + step - 1)
        && key(pair) < wanted
    {
        low += step;
        step *= 2;
    }
    let end = pairs.len().min(low + step - 1);
    low + pairs[low..end].partition_point(|pair| key(pair) < wanted)
}
