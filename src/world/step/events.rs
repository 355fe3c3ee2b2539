//! What began and what ended between two updates: two ordered lists of pairs, held side by side,
//! a run of them by each worker.
//!
//! As a rule while the later list is being written, part by part: it is then in the nearest cache,
//! and a pair that stayed is copied from where it was before.

use crate::broad::ids_of;
use crate::memory::parallel;
use crate::memory::vec_growth;
use crate::world::Pair;
use std::ops::Range;

/// Pairs of both sides for which another worker pays.
const PAIRS_PER_WORKER: usize = 30_000;

/// Pairs that began whose colliders are looked up together: they lie anywhere in memory, and which pair began
/// cannot be foreseen. One by one, each would be waited for.
const NEW_BATCH: usize = 256;

/// What each worker but the first found. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events(Vec<WorkerEvents>);

#[derive(Clone, Debug, Default)]
pub(crate) struct WorkerEvents {
    began: Vec<Pair>,
    ended: Vec<Pair>,
    /// How many of the pairs before were held against others; `None` where it has not begun.
    compared: Option<usize>,
}

/// Pairs of the update before, and of this one: runs with the same keys.
type PairRuns<'p> = (&'p [Pair], &'p [Pair]);

impl Events {
    /// Writes down which pairs of `now` are not in `before`, and the other way round. Both are in
    /// order, as [`World::touching`](crate::world::World::touching) says, and so are the answers.
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

    /// Gives `run` what `workers` workers write to, nothing found yet, and then joins what they found.
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
        // The first writes where the answer goes.
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
            // At the first update everything began: that much is not kept for ever.
            vec_growth::trim(more);
            vec_growth::trim(less);
        }
    }
}

/// Two runs of both sides, all keys of the first below those of the second.
fn split<'p>(
    (before, now): PairRuns<'p>,
    left: &[WorkerEvents],
    right: &[WorkerEvents],
) -> (PairRuns<'p>, PairRuns<'p>) {
    // Cut by the longer side: the other may be empty.
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

/// Who the colliders in slots are.
pub(crate) trait SlotIds {
    /// True where each slot that was taken at the update before has the same collider.
    fn no_slot_freed(&self) -> bool;

    /// The pair of the colliders in these slots.
    fn pair(&self, slots: [u32; 2]) -> Pair;

    /// Prefetches who the collider in this slot is.
    fn prefetch(&self, slot: u32);
}

/// The pairs of an update, by their numbers in order.
trait CurrentPairs {
    fn len(&self) -> usize;
    fn key(&self, n: usize) -> u64;
    fn pair(&self, n: usize) -> Pair;
    fn prefetch(&self, n: usize);

    /// Pair `n` is this one: said once of each.
    fn set(&mut self, n: usize, pair: Pair);
}

/// There they are.
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

/// They are being written.
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
        // The lower slots are in order, and need no hint.
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
        let compared = self.merge::<false>(before, &mut now);
        before[compared..].iter().for_each(|&old| vec_growth::push(&mut self.ended, old));
    }

    /// Holds pairs of this update against those of `before`, and writes them to `to`: those of the
    /// colliders in the slots `slots`, by their keys; calls for other slots came before, or come
    /// after, in order.
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
        // Told the compiler, not asked for each pair: 30 instructions and not 43.
        let compared = if slot_ids.no_slot_freed() {
            self.merge::<true>(rest, now)
        } else {
            self.merge::<false>(rest, now)
        };
        let over = rest[compared..].iter().take_while(|&pair| slot(pair) < slots.end);
        let compared = compared + over.map(|&old| vec_growth::push(&mut self.ended, old)).count();
        self.compared = Some(start + compared);
    }

    /// Holds pairs against those of `before`, up to the last of them; gives how many of `before` come
    /// no later. Where `NO_SLOT_FREED`, pairs with the same key are the same.
    #[inline(always)]
    fn merge<const NO_SLOT_FREED: bool>(
        &mut self,
        before: &[Pair],
        now: &mut impl CurrentPairs,
    ) -> usize {
        let Self { began, ended, .. } = self;
        let (mut new, mut count) = ([0; NEW_BATCH], 0);
        let (mut b, mut n) = (0, 0);
        while n < now.len() {
            let wanted = now.key(n);
            let is_new = match before.get(b) {
                Some(old) if key(old) == wanted => {
                    b += 1;
                    // Equal slots may hold another collider by now: then one pair ended and another
                    // began.
                    let stays = NO_SLOT_FREED || now.pair(n) == *old;
                    if stays {
                        now.set(n, *old);
                    } else {
                        vec_growth::push(ended, *old);
                    }
                    !stays
                }
                Some(old) if key(old) < wanted => {
                    vec_growth::push(ended, *old);
                    b += 1;
                    continue;
                }
                _ => true,
            };
            if is_new {
                now.prefetch(n);
                new[count] = n;
                count += 1;
                if count == NEW_BATCH {
                    append_began(&new, now, began);
                    count = 0;
                }
            }
            n += 1;
        }
        append_began(&new[..count], now, began);
        b
    }
}

/// The pairs of these numbers began.
#[inline(always)]
fn append_began(new: &[usize], now: &mut impl CurrentPairs, began: &mut Vec<Pair>) {
    for &n in new {
        let pair = now.pair(n);
        now.set(n, pair);
        vec_growth::push(began, pair);
    }
}

/// Those of `now` that did not begin: `began` is in the same order.
pub(crate) fn stayed<'a>(now: &'a [Pair], began: &'a [Pair]) -> impl Iterator<Item = &'a Pair> {
    let mut began = began.iter().peekable();
    now.iter().filter(move |pair| began.next_if_eq(pair).is_none())
}

/// By which pairs are ordered: there is one pair of the same slots at a time.
#[inline(always)]
fn key(pair: &Pair) -> u64 {
    u64::from(pair.a.index()) << 32 | u64::from(pair.b.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ColliderId;
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

    struct Known<'p> {
        pairs: &'p [Pair],
        no_slot_freed: bool,
    }

    impl SlotIds for Known<'_> {
        fn no_slot_freed(&self) -> bool {
            self.no_slot_freed
        }

        fn pair(&self, slots: [u32; 2]) -> Pair {
            let wanted = |p: &&Pair| [p.a.index(), p.b.index()] == slots;
            *self.pairs.iter().find(wanted).unwrap()
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
            let nobody = Pair { a: ColliderId::new(7, 7), b: ColliderId::new(7, 7) };
            let without = |a: &[Pair], b: &[Pair]| -> Vec<Pair> {
                a.iter().filter(|pair| !b.contains(pair)).copied().collect()
            };
            let (mut began, mut ended) = (vec![now.first().copied(); 1].into_iter().flatten().collect(), Vec::new());
            Events::default().compare_on(workers, (&before, &now), &mut began, &mut ended);
            prop_assert_eq!(&began, &without(&now, &before));
            prop_assert_eq!(&ended, &without(&before, &now));
            // While they are being written, part by part. Where all generations are alike, what
            // stayed is copied.
            let no_slot_freed = before.iter().chain(&now).all(|p| p.a.generation() + p.b.generation() == 0);
            let (mut events, mut written) = (Events::default(), Vec::new());
            let (mut young, mut old) = (vec![nobody], vec![nobody]);
            events.with(workers, &mut young, &mut old, |found| {
                for part in 0..10 {
                    let slots = 2 * part..if part == 9 { u64::MAX } else { 2 * part + 2 };
                    let these: Vec<Pair> =
                        now.iter().filter(|p| slots.contains(&p.a.index().into())).copied().collect();
                    let keys: Vec<u64> = these.iter().map(key).collect();
                    let mut to = vec![nobody; these.len()];
                    let worker = part as usize * workers / 10;
                    let slot_ids = Known { pairs: &these, no_slot_freed };
                    found[worker].write(&before, (slots, &keys), &mut to, &slot_ids);
                    written.extend(to);
                }
            });
            prop_assert_eq!((&written, &young, &old), (&now, &began, &ended));
            let kept: Vec<Pair> = stayed(&now, &began).copied().collect();
            prop_assert_eq!(kept, without(&now, &began));
        }
    }
}
