//! The changes of the touching pairs, found from the changed colliders alone.
//!
//! ```text
//! scan     list the old pairs of a changed collider
//! merge    compare them with the found pairs, bucket by bucket:
//!            only old -> ended;  only found -> began;  both -> stays, unless a slot was reused
//! apply    copy the old list with these edits: runs of pairs that stay move as a whole
//! ```
//!
//! All other pairs stay as they are. Without an edit the list is not copied. Each stage is spread
//! over threads. Called by the pair finder after an update of the changes; an update of all pairs
//! uses [`events`](super::events).
//!
//! Invariant: the outputs equal those of a comparison of the whole lists.

use crate::broad::{PairOrder, ids_of};
use crate::memory::{parallel, vec_growth};
use crate::simd::vectorized;
use crate::world::Pair;
use crate::world::state::dirty_set::{DirtySet, SlotBits};
use crate::world::step::events::{SlotIds, key};
use std::ops::Range;

/// Pairs that repay one more thread to scan or copy them.
const PAIRS_PER_THREAD: usize = 60_000;

/// Pairs scanned at a time: their positions stay in the L1 cache.
const SCAN_BLOCK: usize = 256;

/// The changes of the touching pairs. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairChanges {
    /// The positions of the old pairs of changed colliders, by thread.
    scanned: Vec<Vec<usize>>,
    /// The same in one list.
    old: Vec<usize>,
    mergers: Vec<Merger>,
    /// The positions in the old list before which the pairs that began are inserted.
    began_at: Vec<usize>,
    /// The positions in the old list of the pairs that ended.
    ended_at: Vec<usize>,
    /// The output of the sorting: found pairs are merged and not stored.
    no_output: Vec<()>,
}

impl PairChanges {
    /// Finds the edits that turn `before` into the current pairs. `order` holds the touching pairs
    /// of the colliders in `dirty`. Writes the pairs that began and ended, in order.
    pub(crate) fn find(
        &mut self,
        before: &[Pair],
        order: &mut PairOrder,
        (slots, dirty): (&(impl SlotIds + Sync), &DirtySet),
        [began, ended]: [&mut Vec<Pair>; 2],
    ) {
        self.scan(before, dirty.listed());
        let Self { old, mergers, began_at, ended_at, no_output, .. } = self;
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
        began_at.clear();
        ended_at.clear();
        for merger in mergers {
            began.extend_from_slice(&merger.began);
            ended.extend(merger.ended_at.iter().map(|&at| before[at]));
            began_at.extend_from_slice(&merger.began_at);
            ended_at.extend_from_slice(&merger.ended_at);
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

    /// Writes the pairs of `before`, with the edits that were found, to `to`. `began` are the pairs
    /// that began.
    pub(crate) fn apply(&self, before: &[Pair], began: &[Pair], to: &mut Vec<Pair>, blank: Pair) {
        let Self { began_at, ended_at, .. } = self;
        vec_growth::resize(to, before.len() + began.len() - ended_at.len(), blank);
        let workers = parallel::threads_for(before.len(), PAIRS_PER_THREAD);
        let whole = EditedRun { pairs: 0..before.len(), began_at, began, ended_at, to };
        parallel::share(
            &mut [(); parallel::MAX_THREADS][..workers],
            whole,
            &EditedRun::split,
            &|(), run| {
                run.write(before);
            },
        );
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

/// A run of the old list, its edits, and the output.
struct EditedRun<'e> {
    /// The positions of the run in the old list.
    pairs: Range<usize>,
    /// The positions before which pairs are inserted.
    began_at: &'e [usize],
    began: &'e [Pair],
    /// The positions of the pairs to leave out.
    ended_at: &'e [usize],
    to: &'e mut [Pair],
}

impl EditedRun<'_> {
    /// Splits the run in proportion to the workers.
    fn split(self, left: &[()], right: &[()]) -> (Self, Self) {
        let Self { pairs, began_at, began, ended_at, to } = self;
        let middle = pairs.start + pairs.len() * left.len() / (left.len() + right.len());
        let (began_at, began_later) =
            began_at.split_at(began_at.partition_point(|&at| at < middle));
        let (began, later) = began.split_at(began_at.len());
        let (ended_at, ended_later) =
            ended_at.split_at(ended_at.partition_point(|&at| at < middle));
        let len = middle - pairs.start + began.len() - ended_at.len();
        let (to, rest) = to.split_at_mut(len);
        (
            EditedRun { pairs: pairs.start..middle, began_at, began, ended_at, to },
            EditedRun {
                pairs: middle..pairs.end,
                began_at: began_later,
                began: later,
                ended_at: ended_later,
                to: rest,
            },
        )
    }

    /// Writes the edited run.
    fn write(self, before: &[Pair]) {
        let Self { pairs, began_at, began, mut ended_at, to } = self;
        let mut output = RunCopy { before, from: pairs.start, to };
        for (&at, &pair) in began_at.iter().zip(began) {
            while let [ended, later @ ..] = ended_at
                && *ended < at
            {
                output.copy_to(*ended);
                output.from += 1;
                ended_at = later;
            }
            output.copy_to(at);
            output.push(pair);
        }
        for &ended in ended_at {
            output.copy_to(ended);
            output.from += 1;
        }
        output.copy_to(pairs.end);
    }
}

/// Copies the old list, run by run.
struct RunCopy<'e> {
    before: &'e [Pair],
    /// Position of the next pair to copy.
    from: usize,
    /// The rest of the output.
    to: &'e mut [Pair],
}

impl RunCopy<'_> {
    /// Copies the pairs up to the position `end`.
    fn copy_to(&mut self, end: usize) {
        let (run, rest) = std::mem::take(&mut self.to).split_at_mut(end - self.from);
        run.copy_from_slice(&self.before[self.from..end]);
        (self.from, self.to) = (end, rest);
    }

    /// Writes a pair that is not in the old list.
    fn push(&mut self, pair: Pair) {
        if let [first, rest @ ..] = std::mem::take(&mut self.to) {
            *first = pair;
            self.to = rest;
        }
    }
}
