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
//! the old list. Called by the pair finder and by filtered updates.

use crate::broad::ids_of;
use crate::memory::{parallel, prefetch, vec_growth};
use crate::scene::Pair;
use crate::scene::slots::Slots;
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
type PairRuns<'p> = (&'p [Pair], &'p [Pair]);

impl Events {
    /// Writes the pairs of `now` that are not in `before` to `began`, and the reverse to `ended`.
    /// The inputs are ordered as [`World::touching`](crate::World::touching), and so are the
    /// outputs.
    pub(crate) fn compare(
        &mut self,
        before: &[Pair],
        now: &[Pair],
        began: &mut Vec<Pair>,
        ended: &mut Vec<Pair>,
    ) {
        let workers = parallel::threads_for(before.len() + now.len(), PAIRS_PER_WORKER);
        self.compare_on(workers, (before, now), began, ended);
    }

    fn compare_on(
        &mut self,
        workers: usize,
        runs: PairRuns<'_>,
        began: &mut Vec<Pair>,
        ended: &mut Vec<Pair>,
    ) {
        self.with(workers, began, ended, |found| {
            parallel::share(found, runs, &split, &|found, runs| found.compare(runs));
        });
    }

    /// Calls `run` with an empty list for each worker, and concatenates the results.
    pub(crate) fn with(
        &mut self,
        workers: usize,
        began: &mut Vec<Pair>,
        ended: &mut Vec<Pair>,
        run: impl FnOnce(&mut [WorkerEvents]),
    ) {
        if self.0.len() < workers {
            self.0.resize_with(workers, WorkerEvents::default);
        }
        let found = &mut self.0[..workers];
        // The first worker writes directly to the output.
        std::mem::swap(&mut found[0].began, began);
        std::mem::swap(&mut found[0].ended, ended);
        for WorkerEvents { began, ended, compared } in &mut *found {
            began.clear();
            ended.clear();
            *compared = None;
        }
        run(found);
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

fn split<'p>(
    (before, now): PairRuns<'p>,
    left: &[WorkerEvents],
    right: &[WorkerEvents],
) -> (PairRuns<'p>, PairRuns<'p>) {
    // Split by the longer list: the other may be empty.
    let (long, short) = if before.len() > now.len() { (before, now) } else { (now, before) };
    let (long, later) = long.split_at(long.len() * left.len() / (left.len() + right.len()));
    let border = later.first().map_or(u64::MAX, key);
    let (short, later_short) = short.split_at(short.partition_point(|pair| key(pair) < border));
    if before.len() > now.len() {
        ((long, short), (later, later_short))
    } else {
        ((short, long), (later_short, later))
    }
}

pub(crate) trait SlotIds {
    /// Returns true if every slot still holds the collider of the last update.
    fn no_slot_freed(&self) -> bool;

    fn pair(&self, slots: [u32; 2]) -> Pair;

    fn prefetch(&self, slot: u32);
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

trait CurrentPairs {
    fn len(&self) -> usize;
    fn key(&self, n: usize) -> u64;
    fn pair(&self, n: usize) -> Pair;
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

    fn prefetch(&self, _: usize) {}

    fn set(&mut self, _: usize, _: Pair) {}
}

/// Pairs that are being written, given by their keys.
struct KeyedPairs<'w, O> {
    keys: &'w [u64],
    slot_ids: &'w O,
    /// As long as the keys.
    to: &'w mut [Pair],
}

impl<O: SlotIds> CurrentPairs for KeyedPairs<'_, O> {
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
        self.slot_ids.pair(ids_of(self.keys[n]))
    }

    #[inline(always)]
    fn prefetch(&self, n: usize) {
        // The lower slots ascend, and need no prefetch.
        let [_, greater] = ids_of(self.keys[n]);
        self.slot_ids.prefetch(greater);
    }

    #[inline(always)]
    fn set(&mut self, n: usize, pair: Pair) {
        self.to[n] = pair;
    }
}

impl WorkerEvents {
    fn compare(&mut self, (before, mut now): PairRuns<'_>) {
        self.merge::<false>(before, &mut now, u64::MAX);
    }

    /// Compares the pairs of this update with `before`, and writes them to `to`. `keys` are the
    /// pairs whose smaller slot is in `slots`. Calls come in ascending order of slots.
    pub(crate) fn write(
        &mut self,
        before: &[Pair],
        (slots, keys): (Range<u64>, &[u64]),
        to: &mut [Pair],
        slot_ids: &impl SlotIds,
    ) {
        let slot = |pair: &Pair| u64::from(pair.a.index());
        let start = self
            .compared
            .unwrap_or_else(|| before.partition_point(|pair| slot(pair) < slots.start));
        let rest = &before[start..];
        let now = &mut KeyedPairs { keys, slot_ids, to: &mut to[..keys.len()] };
        // A const generic, not a test for each pair: 30 instructions instead of 43.
        let compared = if slot_ids.no_slot_freed() {
            self.merge::<true>(rest, now, slots.end)
        } else {
            self.merge::<false>(rest, now, slots.end)
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
        if NO_SLOT_FREED || self.now.pair(new) == self.before[old] {
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

/// Returns the pairs of `now` that did not begin; `began` has the same order.
pub(crate) fn stayed<'a>(now: &'a [Pair], began: &'a [Pair]) -> impl Iterator<Item = &'a Pair> {
    let mut began = began.iter().peekable();
    now.iter().filter(move |pair| began.next_if_eq(pair).is_none())
}

/// Returns the sort key of a pair. It is unique: two pairs never have the same slots at one time.
#[inline(always)]
pub(crate) fn key(pair: &Pair) -> u64 {
    u64::from(pair.a.index()) << 32 | u64::from(pair.b.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ColliderId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pairs(of: &BTreeMap<(u32, u32), (u32, u32)>) -> Vec<Pair> {
        of.iter()
            .map(|(&(a, b), &(first, second))| Pair {
                a: ColliderId::new(a, first),
                b: ColliderId::new(b, second),
            })
            .collect()
    }

    struct TestIds<'p> {
        pairs: &'p [Pair],
        no_slot_freed: bool,
    }

    impl SlotIds for TestIds<'_> {
        fn no_slot_freed(&self) -> bool {
            self.no_slot_freed
        }

        fn pair(&self, slots: [u32; 2]) -> Pair {
            let has_slots = |p: &&Pair| [p.a.index(), p.b.index()] == slots;
            *self.pairs.iter().find(has_slots).unwrap()
        }

        fn prefetch(&self, slot: u32) {
            assert!(self.pairs.iter().any(|pair| pair.b.index() == slot));
        }
    }

    proptest! {
        #[test]
        fn began_and_ended_are_the_differences_of_two_sets(
            before in prop::collection::btree_map((0_u32..20, 20_u32..60), (0_u32..2, 0_u32..2), 0..400),
            now in prop::collection::btree_map((0_u32..20, 20_u32..60), (0_u32..2, 0_u32..2), 0..400),
            workers in 1_usize..6,
            all_generations_0: bool,
        ) {
            let with_generation_0 = |(pair, _)| (pair, (0, 0));
            let (before, now) = if all_generations_0 {
                (before.into_iter().map(with_generation_0).collect(), now.into_iter().map(with_generation_0).collect())
            } else {
                (before, now)
            };
            let (before, now) = (pairs(&before), pairs(&now));
            let filler = Pair { a: ColliderId::new(7, 7), b: ColliderId::new(7, 7) };
            let without = |a: &[Pair], b: &[Pair]| -> Vec<Pair> {
                a.iter().filter(|pair| !b.contains(pair)).copied().collect()
            };
            let (mut began, mut ended) = (vec![now.first().copied(); 1].into_iter().flatten().collect(), Vec::new());
            Events::default().compare_on(workers, (&before, &now), &mut began, &mut ended);
            prop_assert_eq!(&began, &without(&now, &before));
            prop_assert_eq!(&ended, &without(&before, &now));
            // The same comparison while the pairs are written, bucket by bucket. With equal
            // generations, pairs that stayed are copied.
            let no_slot_freed = before.iter().chain(&now).all(|p| p.a.generation() + p.b.generation() == 0);
            let (mut events, mut written) = (Events::default(), Vec::new());
            let (mut young, mut old) = (vec![filler], vec![filler]);
            events.with(workers, &mut young, &mut old, |found| {
                for bucket in 0..10 {
                    let slots = 2 * bucket..if bucket == 9 { u64::MAX } else { 2 * bucket + 2 };
                    let these: Vec<Pair> =
                        now.iter().filter(|p| slots.contains(&p.a.index().into())).copied().collect();
                    let keys: Vec<u64> = these.iter().map(key).collect();
                    let mut to = vec![filler; these.len()];
                    let worker = bucket as usize * workers / 10;
                    let slot_ids = TestIds { pairs: &these, no_slot_freed };
                    found[worker].write(&before, (slots, &keys), &mut to, &slot_ids);
                    written.extend(to);
                }
            });
            prop_assert_eq!((&written, &young, &old), (&now, &began, &ended));
            let stayed_pairs: Vec<Pair> = stayed(&now, &began).copied().collect();
            prop_assert_eq!(stayed_pairs, without(&now, &began));
        }
    }
}
