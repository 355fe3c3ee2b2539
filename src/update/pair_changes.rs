//! The changes of the touching pairs, found from the changed colliders alone.
//!
//! ```text
//! list     the old pairs of the changed colliders: those found by the last update where the same
//!            ones changed; of few others, look up their old boxes; of many, scan all pairs
//! merge    compare them with the found pairs, bucket by bucket:
//!            only old -> ended;  only found -> began;  both -> stays, unless a slot was reused
//! ```
//!
//! The result are [edits](PairEdits) of the old list. All other pairs stay as they are. Both stages are
//! spread over threads. An update of all pairs uses [`events`](super::events) instead.
//!
//! Invariant: the outputs equal those of a comparison of the whole lists.

use crate::broad::{PairOrder, ids_of, key_of};
use crate::memory::clone_fields::clone_fields;
use crate::memory::{parallel, vec_growth};
use crate::scene::Pair;
use crate::scene::changes::{DirtySet, SlotBits};
use crate::scene::placed::Slots;
use crate::simd::vectorized;
use crate::update::box_index::BoxIndex;
use crate::update::events::PairMerge;
use crate::update::pair_edits::PairEdits;
use crate::update::pair_lists::{PairLists, key, pair_of};
use std::ops::Range;

/// Pairs that repay one more thread to scan them.
const SCANNED_PAIRS_PER_THREAD: usize = 60_000;

/// Pairs scanned at a time: their positions stay in the L1 cache.
const SCAN_BLOCK: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct PairChanges {
    /// The positions of the old pairs of changed colliders, by thread.
    scanned: Vec<Vec<usize>>,
    old: Vec<usize>,
    /// True if `old` was found without a scan.
    is_looked_up: bool,
    /// True if the mergers hold the pairs of the colliders that the last update listed.
    has_last: bool,
    /// The changed colliders that the last update did not list.
    newcomers: Vec<u32>,
    looked_up: Vec<usize>,
    candidates: Vec<u64>,
    mergers: Vec<Merger>,
    /// Number of mergers that the last update used.
    used_mergers: usize,
    edits: PairEdits,
    /// The output of the sorting: found pairs are merged and not stored.
    no_output: Vec<()>,
}

clone_fields!(
    [] PairChanges { has_last, mergers, used_mergers } scratch {
        scanned, old, is_looked_up, newcomers, looked_up, candidates, edits, no_output
    }
);

impl PairChanges {
    /// Lists the old pairs of the changed colliders, unless a scan costs less.
    pub(crate) fn look_up(
        &mut self,
        before: &[Pair],
        index: &mut BoxIndex,
        (slots, dirty): (&Slots, &DirtySet),
    ) {
        self.is_looked_up = false;
        let has_last = std::mem::take(&mut self.has_last);
        let Some(changed) = dirty.few_slots(slots.len()) else { return };
        let Self { old, newcomers, .. } = self;
        old.clear();
        newcomers.clear();
        let per_look_up = dirty.limits.pairs_per_look_up;
        let max = before.len().checked_div(per_look_up).unwrap_or(usize::MAX);
        for &slot in changed.iter().filter(|&&slot| !has_last || !dirty.was_listed(slot)) {
            if newcomers.len() >= max {
                return;
            }
            vec_growth::push(newcomers, slot);
        }
        if has_last && let Some(listed) = dirty.listed() {
            let all_changed_again = dirty.last_len() + self.newcomers.len() == changed.len();
            self.list_last(before, Some(listed).filter(|_| !all_changed_again));
        }
        if !self.newcomers.is_empty() {
            self.look_up_newcomers(before, index, slots.len());
        }
        self.is_looked_up = true;
    }

    /// Lists the pairs that the last update found. Leaves out those without a collider in `changed`.
    fn list_last(&mut self, before: &[Pair], changed: Option<SlotBits<'_>>) {
        let Self { scanned, old, mergers, used_mergers, .. } = self;
        let workers = (*used_mergers).max(1);
        if scanned.len() < workers {
            scanned.resize_with(workers, Vec::new);
        }
        let scanned = &mut scanned[..workers];
        // The first thread writes directly to the output.
        std::mem::swap(&mut scanned[0], old);
        let split = |mergers, left: &[Vec<usize>], _: &[Vec<usize>]| {
            <[Merger]>::split_at(mergers, left.len())
        };
        parallel::share(scanned, &mergers[..*used_mergers], &split, &|listed, mergers| {
            listed.clear();
            for merger in mergers {
                vec_growth::reserve(listed, merger.found_at.len());
                let found = merger.found_at.iter().map(|at| at.wrapping_add(merger.shift));
                match changed {
                    None => listed.extend(found),
                    Some(changed) => listed.extend(found.filter(|&at| {
                        let Pair { a, b } = before[at];
                        changed.bit(a.index()) | changed.bit(b.index()) != 0
                    })),
                }
            }
        });
        std::mem::swap(&mut scanned[0], old);
        scanned[1..].iter().for_each(|listed| old.extend_from_slice(listed));
    }

    /// Adds the old pairs of the newcomers, among those whose boxes overlapped at the last update.
    fn look_up_newcomers(&mut self, before: &[Pair], index: &mut BoxIndex, count: usize) {
        let Self { old, candidates, newcomers, looked_up, .. } = self;
        candidates.clear();
        index.visit_old_neighbours(newcomers, count, |slot, other| {
            vec_growth::push(candidates, key_of(slot, other));
        });
        candidates.sort_unstable();
        candidates.dedup();
        looked_up.clear();
        let mut at = 0;
        for &wanted in &*candidates {
            at = first_from(before, at, wanted);
            if before.get(at).is_some_and(|pair| key(pair) == wanted) {
                vec_growth::push(looked_up, at);
            }
        }
        merge_from_the_end(old, looked_up);
        old.dedup();
    }

    /// Replaces the pairs of the colliders in `dirty` by those of `order`, and finds the events.
    pub(crate) fn apply(
        &mut self,
        lists: &mut PairLists,
        order: &mut PairOrder,
        (slots, dirty): (&Slots, &DirtySet),
    ) {
        let PairLists { touching: before, began, ended, .. } = &mut *lists;
        if !self.is_looked_up {
            self.scan(before, dirty.listed());
        }
        let Self { old, mergers, used_mergers, edits, no_output, .. } = self;
        *used_mergers = order.workers;
        if mergers.len() < order.workers {
            mergers.resize_with(order.workers, Merger::default);
        }
        let mergers = &mut mergers[..order.workers];
        mergers.iter_mut().for_each(Merger::clear);
        order.write_buckets(mergers, no_output, (), |merger, ids, keys, _| {
            merger.merge((before, old), (ids, keys), slots);
        });
        began.clear();
        ended.clear();
        edits.clear();
        for merger in mergers {
            merger.shift = began.len().wrapping_sub(ended.len());
            began.extend_from_slice(&merger.began);
            ended.extend(merger.ended_at.iter().map(|&at| before[at]));
            edits.extend(&merger.began_at, &merger.ended_at);
        }
        self.has_last = true;
        edits.apply(lists);
    }

    /// Lists the positions of the pairs with a changed collider.
    fn scan(&mut self, before: &[Pair], changed: Option<SlotBits<'_>>) {
        let Self { scanned, old, .. } = self;
        let Some(changed) = changed else { return old.clear() };
        let workers = parallel::threads_for(before.len(), SCANNED_PAIRS_PER_THREAD);
        if scanned.len() < workers {
            scanned.resize_with(workers, Vec::new);
        }
        let scanned = &mut scanned[..workers];
        let split = |all: Range<usize>, left: &[Vec<usize>], right: &[Vec<usize>]| {
            let middle = all.start + all.len() * left.len() / (left.len() + right.len());
            (all.start..middle, middle..all.end)
        };
        // The first thread writes directly to the output.
        std::mem::swap(&mut scanned[0], old);
        parallel::share(scanned, 0..before.len(), &split, &|found, range| {
            vectorized(
                #[inline(always)]
                || scan(before, range, changed, found),
            );
        });
        std::mem::swap(&mut scanned[0], old);
        scanned[1..].iter().for_each(|found| old.extend_from_slice(found));
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

#[derive(Debug, Default)]
struct Merger {
    began: Vec<Pair>,
    began_at: Vec<usize>,
    ended_at: Vec<usize>,
    /// The position of each found pair in the new list, less `shift`.
    found_at: Vec<usize>,
    /// The pairs that began in earlier buckets less those that ended, wrapping.
    shift: usize,
    /// The keys of the pairs that began in one bucket.
    new_keys: Vec<u64>,
    /// Old pairs merged so far, and the position reached; `None` before the first bucket.
    reached: Option<[usize; 2]>,
}

clone_fields!(
    [] Merger { found_at, shift } scratch { began, began_at, ended_at, new_keys, reached }
);

impl Merger {
    fn clear(&mut self) {
        self.began.clear();
        self.began_at.clear();
        self.ended_at.clear();
        self.found_at.clear();
        self.reached = None;
    }

    /// Compares the found pairs of one bucket with its `old` ones, by positions in `before`.
    fn merge(
        &mut self,
        (before, old): (&[Pair], &[usize]),
        (range, keys): (Range<u64>, &[u64]),
        slots: &Slots,
    ) {
        let [merged, reached] = self.reached.unwrap_or_else(|| {
            let first = before.partition_point(|pair| u64::from(pair.a.index()) < range.start);
            [old.partition_point(|&at| at < first), first]
        });
        self.new_keys.clear();
        let mut merge = EditMerge { merger: self, before, old, keys, slots, reached };
        let merged = merge.merge(merged, range.end);
        let reached = merge.reached;
        self.reached = Some([merged, reached]);
        // Loaded together: generations are scattered over memory.
        self.began.extend(self.new_keys.iter().map(|&key| pair_of(slots, ids_of(key))));
    }
}

/// The merge of the old pairs of changed colliders with the found pairs, as edits of the whole list.
struct EditMerge<'m> {
    merger: &'m mut Merger,
    before: &'m [Pair],
    /// Positions in `before`.
    old: &'m [usize],
    keys: &'m [u64],
    slots: &'m Slots,
    /// The position reached in `before`.
    reached: usize,
}

impl EditMerge<'_> {
    /// Notes that the found pair of this key has the position `at` among the old pairs.
    fn found(&mut self, at: usize) {
        let Merger { began_at, ended_at, found_at, .. } = &mut *self.merger;
        let shift = began_at.len().wrapping_sub(ended_at.len());
        found_at.push(at.wrapping_add(shift));
    }
}

impl PairMerge for EditMerge<'_> {
    fn old_key(&self, old: usize) -> Option<u64> {
        self.old.get(old).map(|&at| key(&self.before[at]))
    }

    fn new_key(&self, new: usize) -> Option<u64> {
        self.keys.get(new).copied()
    }

    fn end(&mut self, old: usize) {
        let at = self.old[old];
        self.merger.ended_at.push(at);
        self.reached = at + 1;
    }

    fn begin(&mut self, new: usize) {
        let key = self.keys[new];
        self.reached = first_from(self.before, self.reached, key);
        self.found(self.reached);
        self.merger.began_at.push(self.reached);
        self.merger.new_keys.push(key);
    }

    fn keep(&mut self, old: usize, new: usize) {
        let (at, key) = (self.old[old], self.keys[new]);
        self.found(at);
        self.reached = at + 1;
        let stays = self.slots.no_slot_freed
            || !self.slots.may_be_freed(ids_of(key))
            || pair_of(self.slots, ids_of(key)) == self.before[at];
        if !stays {
            self.merger.ended_at.push(at);
            self.merger.began_at.push(at);
            self.merger.new_keys.push(key);
        }
    }
}

/// Merges ascending positions into others, within their list.
fn merge_from_the_end(all: &mut Vec<usize>, more: &[usize]) {
    let (mut first, mut second) = (all.len(), more.len());
    vec_growth::resize(all, first + second, 0);
    for to in (0..all.len()).rev() {
        if second == 0 {
            break;
        }
        if first > 0 && all[first - 1] > more[second - 1] {
            first -= 1;
            all[to] = all[first];
        } else {
            second -= 1;
            all[to] = more[second];
        }
    }
}

/// Returns the first pair from `start` on with a key of `wanted` or more; fast if near.
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
