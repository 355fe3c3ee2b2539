//! The events between two updates: compares two ordered lists of pairs and finds which began and
//! ended.
//!
//! ```text
//! merge the old and the new list by key:
//!   key only in the old list  -> ended
//!   key only in the new list  -> began
//!   key in both               -> stayed; ended and began if a slot holds another collider
//! ```
//!
//! Each worker compares a run of both lists. Usually it does so while writing the new list, bucket
//! by bucket. The new pairs are then still in the L1 cache, and a pair that stayed is copied from
//! the old list.

use crate::broad::ids_of;
use crate::memory::{parallel, prefetch, vec_growth};
use crate::scene::Pair;
use crate::scene::placed::Slots;
use crate::update::pair_lists::{PairLists, key, pair_of};
use std::ops::Range;

/// Pairs of both lists that repay one more worker.
const PAIRS_PER_WORKER: usize = 30_000;

/// New pairs whose ids are loaded together. Generations are scattered over memory, and new pairs
/// are unpredictable. Loaded one by one, each would cost a cache miss.
const NEW_BATCH: usize = 256;

#[derive(Clone, Debug, Default)]
pub(crate) struct Events(Vec<WorkerEvents>);

#[derive(Clone, Debug, Default)]
pub(crate) struct WorkerEvents {
    began: Vec<Pair>,
    ended: Vec<Pair>,
    /// Number of old pairs compared so far; `None` before the first run.
    compared: Option<usize>,
}

/// Pairs of the previous update and of this one: runs with the same range of keys.
#[derive(Clone, Copy)]
struct PairRuns<'p> {
    before: &'p [Pair],
    now: &'p [Pair],
}

impl Events {
    /// Finds the events between the touching pairs and those before. All lists are in order.
    pub(crate) fn compare(&mut self, lists: &mut PairLists) {
        let pairs = lists.before.len() + lists.touching.len();
        self.compare_on(parallel::threads_for(pairs, PAIRS_PER_WORKER), lists);
    }

    fn compare_on(&mut self, workers: usize, lists: &mut PairLists) {
        self.find(workers, lists, |found, before, now| {
            let runs = PairRuns { before, now };
            parallel::share(found, runs, &PairRuns::split, &|found, runs| found.compare(runs));
        });
    }

    /// Calls `run` with an empty list for each worker, the pairs before and the touching ones.
    /// Concatenates what the workers found.
    pub(crate) fn find(
        &mut self,
        workers: usize,
        lists: &mut PairLists,
        run: impl FnOnce(&mut [WorkerEvents], &[Pair], &mut Vec<Pair>),
    ) {
        if self.0.len() < workers {
            self.0.resize_with(workers, WorkerEvents::default);
        }
        let found = &mut self.0[..workers];
        let PairLists { before, touching, began, ended, .. } = lists;
        // The first worker writes directly to the output.
        std::mem::swap(&mut found[0].began, began);
        std::mem::swap(&mut found[0].ended, ended);
        for WorkerEvents { began, ended, compared } in &mut *found {
            began.clear();
            ended.clear();
            *compared = None;
        }
        run(found, before, touching);
        std::mem::swap(&mut found[0].began, began);
        std::mem::swap(&mut found[0].ended, ended);
        for WorkerEvents { began: more, ended: less, .. } in &mut found[1..] {
            began.extend_from_slice(more);
            ended.extend_from_slice(less);
            // Everything began at the first update: do not keep that much memory forever.
            vec_growth::trim(more);
            vec_growth::trim(less);
        }
    }
}

impl PairRuns<'_> {
    fn split(self, left: &[WorkerEvents], right: &[WorkerEvents]) -> (Self, Self) {
        let Self { before, now } = self;
        // Cut in the middle of the longer list: the other may be empty.
        let longer = if before.len() > now.len() { before } else { now };
        let cut = longer.len() * left.len() / (left.len() + right.len());
        let border = longer.get(cut).map_or(u64::MAX, key);
        let split = |list: &[Pair]| list.partition_point(|pair| key(pair) < border);
        let (before, later) = before.split_at(split(before));
        let (now, later_now) = now.split_at(split(now));
        (Self { before, now }, Self { before: later, now: later_now })
    }
}

trait CurrentPairs {
    fn len(&self) -> usize;
    fn key(&self, n: usize) -> u64;
    fn pair(&self, n: usize) -> Pair;
    /// Returns whether the pair at `n` has the colliders of a pair with the same slots in the old list.
    fn is(&self, n: usize, old: Pair) -> bool;
    fn prefetch(&self, n: usize);

    fn set(&mut self, n: usize, pair: Pair);
}

impl CurrentPairs for &[Pair] {
    fn len(&self) -> usize {
        <[Pair]>::len(self)
    }

    fn key(&self, n: usize) -> u64 {
        key(&self[n])
    }

    fn pair(&self, n: usize) -> Pair {
        self[n]
    }

    fn is(&self, n: usize, old: Pair) -> bool {
        self[n] == old
    }

    fn prefetch(&self, _: usize) {}

    fn set(&mut self, _: usize, _: Pair) {}
}

/// Pairs that are being written, given by their keys.
struct KeyedPairs<'w> {
    keys: &'w [u64],
    slots: &'w Slots,
    /// As long as the keys.
    to: &'w mut [Pair],
}

impl CurrentPairs for KeyedPairs<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline(always)]
    fn key(&self, n: usize) -> u64 {
        self.keys[n]
    }

    #[inline(always)]
    fn pair(&self, n: usize) -> Pair {
        pair_of(self.slots, ids_of(self.keys[n]))
    }

    #[inline(always)]
    fn is(&self, n: usize, old: Pair) -> bool {
        !self.slots.may_be_freed(ids_of(self.keys[n])) || self.pair(n) == old
    }

    #[inline(always)]
    fn prefetch(&self, n: usize) {
        // The lower slots ascend, and need no prefetch.
        let [_, greater] = ids_of(self.keys[n]);
        prefetch::item(&self.slots.generations, greater as usize);
    }

    #[inline(always)]
    fn set(&mut self, n: usize, pair: Pair) {
        self.to[n] = pair;
    }
}

impl WorkerEvents {
    fn compare(&mut self, PairRuns { before, mut now }: PairRuns<'_>) {
        self.merge::<false>(before, &mut now, u64::MAX);
    }

    /// Compares the pairs of this update with `before`, and writes them to `to`. `keys` are the
    /// pairs whose smaller slot is in `range`. Calls come in ascending order of slots.
    pub(crate) fn write(
        &mut self,
        before: &[Pair],
        (range, keys): (Range<u64>, &[u64]),
        to: &mut [Pair],
        slots: &Slots,
    ) {
        let slot = |pair: &Pair| u64::from(pair.a.index());
        let start = self
            .compared
            .unwrap_or_else(|| before.partition_point(|pair| slot(pair) < range.start));
        let rest = &before[start..];
        let now = &mut KeyedPairs { keys, slots, to: &mut to[..keys.len()] };
        // A const generic, not a test for each pair: 30 instructions instead of 43.
        let compared = if slots.no_slot_freed {
            self.merge::<true>(rest, now, range.end)
        } else {
            self.merge::<false>(rest, now, range.end)
        };
        self.compared = Some(start + compared);
    }

    /// Compares pairs with those of `before` whose smaller slot is below `end`. Returns how many
    /// these are. With `NO_SLOT_FREED`, pairs with equal keys are equal.
    #[inline(always)]
    fn merge<const NO_SLOT_FREED: bool>(
        &mut self,
        before: &[Pair],
        now: &mut impl CurrentPairs,
        end: u64,
    ) -> usize {
        let Self { began, ended, .. } = self;
        let (new, count) = ([0; NEW_BATCH], 0);
        let mut lists = ListMerge::<_, NO_SLOT_FREED> { before, now, began, ended, new, count };
        let compared = lists.merge(0, end);
        append_began(&lists.new[..lists.count], lists.now, lists.began);
        compared
    }
}

pub(super) trait PairMerge {
    fn old_key(&self, old: usize) -> Option<u64>;

    fn new_key(&self, new: usize) -> Option<u64>;

    fn end(&mut self, old: usize);

    fn begin(&mut self, new: usize);

    /// Notes a pair of both lists, or the end and begin of two if a slot was reused.
    fn keep(&mut self, old: usize, new: usize);

    /// Merges all new pairs with the old pairs from the position `old` on whose smaller slot is
    /// below `end`. Returns the position after these.
    #[inline(always)]
    fn merge(&mut self, mut old: usize, end: u64) -> usize {
        let mut new = 0;
        while let Some(new_key) = self.new_key(new) {
            match self.old_key(old) {
                Some(old_key) if old_key == new_key => {
                    self.keep(old, new);
                    (old, new) = (old + 1, new + 1);
                }
                Some(old_key) if old_key < new_key => {
                    self.end(old);
                    old += 1;
                }
                _ => {
                    self.begin(new);
                    new += 1;
                }
            }
        }
        while let Some(old_key) = self.old_key(old)
            && old_key >> 32 < end
        {
            self.end(old);
            old += 1;
        }
        old
    }
}

/// The merge of two whole lists. With `NO_SLOT_FREED`, pairs with equal keys are equal.
struct ListMerge<'m, P, const NO_SLOT_FREED: bool> {
    before: &'m [Pair],
    now: &'m mut P,
    began: &'m mut Vec<Pair>,
    ended: &'m mut Vec<Pair>,
    /// Positions of new pairs whose ids are loaded together, and their number.
    new: [usize; NEW_BATCH],
    count: usize,
}

impl<P: CurrentPairs, const NO_SLOT_FREED: bool> PairMerge for ListMerge<'_, P, NO_SLOT_FREED> {
    #[inline(always)]
    fn old_key(&self, old: usize) -> Option<u64> {
        self.before.get(old).map(key)
    }

    #[inline(always)]
    fn new_key(&self, new: usize) -> Option<u64> {
        (new < self.now.len()).then(|| self.now.key(new))
    }

    #[inline(always)]
    fn end(&mut self, old: usize) {
        vec_growth::push(self.ended, self.before[old]);
    }

    #[inline(always)]
    fn begin(&mut self, new: usize) {
        self.now.prefetch(new);
        self.new[self.count] = new;
        self.count += 1;
        if self.count == NEW_BATCH {
            append_began(&self.new, self.now, self.began);
            self.count = 0;
        }
    }

    #[inline(always)]
    fn keep(&mut self, old: usize, new: usize) {
        if NO_SLOT_FREED || self.now.is(new, self.before[old]) {
            self.now.set(new, self.before[old]);
        } else {
            self.end(old);
            self.begin(new);
        }
    }
}

/// Appends the pairs at these positions to `began`.
#[inline(always)]
fn append_began(new: &[usize], now: &mut impl CurrentPairs, began: &mut Vec<Pair>) {
    for &n in new {
        let pair = now.pair(n);
        now.set(n, pair);
        vec_growth::push(began, pair);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ColliderId;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn began_and_ended_are_the_differences_of_two_sets(
            before in prop::collection::btree_set((0_u32..20, 20_u32..60), 0..400),
            now in prop::collection::btree_set((0_u32..20, 20_u32..60), 0..400),
            // Whether each slot holds another collider than before.
            reused in prop::collection::vec(any::<bool>(), 60),
            any_reused: bool,
            knows_freed: bool,
            workers in 1_usize..6,
        ) {
            let generations: Vec<u32> =
                reused.into_iter().map(|reused| u32::from(reused && any_reused)).collect();
            let freed = generations.iter().rev().fold(0, |bits, &generation| bits << 1 | u64::from(generation));
            let freed = if knows_freed { vec![freed] } else { Vec::new() };
            let slots = Slots { generations, freed, no_slot_freed: !any_reused, ..Slots::default() };
            let pairs = |slots: &Slots, of: BTreeSet<(u32, u32)>| -> Vec<Pair> {
                of.into_iter().map(|(a, b)| pair_of(slots, [a, b])).collect()
            };
            let first = Slots { generations: vec![0; 60], ..Slots::default() };
            let (before, now) = (pairs(&first, before), pairs(&slots, now));
            let filler = Pair { a: ColliderId::new(7, 7), b: ColliderId::new(7, 7) };
            let without = |a: &[Pair], b: &[Pair]| -> Vec<Pair> {
                a.iter().filter(|pair| !b.contains(pair)).copied().collect()
            };
            let lists = || PairLists {
                before: before.clone(),
                began: vec![filler],
                ended: vec![filler],
                ..PairLists::default()
            };
            let mut compared = PairLists { touching: now.clone(), ..lists() };
            Events::default().compare_on(workers, &mut compared);
            let PairLists { before, began, ended, .. } = &compared;
            prop_assert_eq!(began, &without(&now, before));
            prop_assert_eq!(ended, &without(before, &now));
            let stayed: Vec<Pair> = compared.stayed().copied().collect();
            prop_assert_eq!(stayed, without(&now, began));
            // The same comparison while the pairs are written, bucket by bucket. If no slot was freed,
            // pairs that stayed are copied.
            let mut written = lists();
            Events::default().find(workers, &mut written, |found, before, touching| {
                for bucket in 0..10 {
                    let range = 2 * bucket..if bucket == 9 { u64::MAX } else { 2 * bucket + 2 };
                    let is_in = |pair: &&Pair| range.contains(&pair.a.index().into());
                    let keys: Vec<u64> = now.iter().filter(is_in).map(key).collect();
                    let mut to = vec![filler; keys.len()];
                    let worker = bucket as usize * workers / 10;
                    found[worker].write(before, (range, &keys), &mut to, &slots);
                    touching.extend(to);
                }
            });
            let lists = |lists: PairLists| [lists.touching, lists.began, lists.ended];
            prop_assert_eq!(lists(written), lists(compared));
        }
    }
}
