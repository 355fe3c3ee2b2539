//! Finds the touching pairs: streams candidates from the broad phase into the narrow phase.
//!
//! ```text
//! bring the index up to date
//! sweep one tree, join it with others:   candidates -> layers -> kernel -> found pairs
//! sort the found pairs by slots; merge the pairs of changed colliders with those of all others
//! ```
//!
//! The sweep passes on about 1,000 candidates at a time, with the mask descriptors beside the
//! boxes. They are tested at once, so there is no list of candidates; only touching pairs are
//! sorted.
//!
//! Invariant: the found pairs and their order depend only on boxes, appearances and masks.

use crate::broad::{Leaves, PairBuckets, PairOrder, ids_of, keys_of_pairs};
use crate::mask::MaskDescriptor;
use crate::memory::object_pool::ObjectPool;
use crate::memory::{parallel, vec_growth};
use crate::narrow::Certainty;
use crate::narrow::batch::{Columns, Engine, Positions};
use crate::scene::PairBits;
use crate::scene::SceneView;
use crate::scene::dirty_set::DirtySet;
use crate::scene::slots::Slots;
use crate::scene::{ColliderId, Pair};
use crate::simd::Simd;
use crate::update::box_index::BoxIndex;
use crate::update::events::{Events, SlotIds};
use crate::update::pair_changes::PairChanges;
use crate::update::pair_classes::{PairClasses, PairFilter, PositionPairs};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const BLANK_PAIR: Pair = Pair { a: ColliderId::new(0, 0), b: ColliderId::new(0, 0) };

#[derive(Clone, Debug, Default)]
pub(crate) struct PairFinder {
    pub(crate) index: BoxIndex,
    order: PairOrder,
    changes: PairChanges,
    engines: Engines,
}

/// The work of the tests of an update, summed over threads.
#[derive(Debug, Default)]
pub(super) struct TestTally {
    nanos: AtomicU64,
    pairs: AtomicUsize,
    threads: AtomicUsize,
}

impl TestTally {
    pub(super) fn total(&self) -> (Duration, usize) {
        let threads = self.threads.load(Ordering::Relaxed).max(1) as u64;
        let nanos = self.nanos.load(Ordering::Relaxed) / threads;
        (Duration::from_nanos(nanos), self.pairs.load(Ordering::Relaxed))
    }
}

type Engines = ObjectPool<EngineKit>;

struct EngineKit {
    engine: Engine,
    classes: PairClasses,
    answers: Vec<bool>,
    areas: Vec<u64>,
    certainties: Vec<Certainty>,
    kept: PositionPairs,
}

impl EngineKit {
    fn new() -> Self {
        let engine = Engine::new(Simd::preferred());
        Self {
            engine,
            classes: PairClasses::default(),
            answers: Vec::new(),
            areas: Vec::new(),
            certainties: Vec::new(),
            kept: PositionPairs::default(),
        }
    }
}

impl PairFinder {
    /// Brings the index up to date. `touching` are the pairs of the last update.
    pub(crate) fn pack(&mut self, slots: &Slots, dirty: &DirtySet, touching: &[Pair]) {
        let Self { index, changes, .. } = self;
        changes.look_up(touching, index, (slots, dirty));
        index.pack(slots, dirty);
    }

    /// Returns the number of lists that the threads write found pairs to.
    fn list_count(&mut self) -> usize {
        let (swept, _) = self.index.pair_trees();
        match swept.workers() {
            // Asking for the threads would start rayon's global pool.
            1 => 1,
            workers => workers.min(2 * parallel::threads()),
        }
    }

    /// Writes the found pairs to `touching` as ids, in order: the lower slot first, ascending.
    pub(crate) fn order(&mut self, slots: &Slots, touching: &mut Vec<Pair>) {
        self.order.write(touching, BLANK_PAIR, |pair| slots.pair(pair));
    }

    /// As [`order`](Self::order), and finds the pairs that began and ended since `before`.
    pub(crate) fn order_and_compare(
        &mut self,
        slots: &Slots,
        [before, touching, began, ended]: [&mut Vec<Pair>; 4],
        events: &mut Events,
    ) {
        events.with(self.order.workers, began, ended, |found| {
            self.order.write_buckets(found, touching, BLANK_PAIR, |found, ids, keys, to| {
                found.write(before, (ids, keys), to, slots);
            });
        });
    }

    /// Replaces the pairs of the changed colliders by the found ones, and writes the events.
    pub(crate) fn merge_changes(
        &mut self,
        (slots, dirty): (&Slots, &DirtySet),
        [spare, touching, began, ended]: [&mut Vec<Pair>; 4],
    ) {
        let Self { order, changes, .. } = self;
        changes.find(touching, order, (slots, dirty), [began, ended]);
        changes.edits.apply(touching, began, spare);
    }

    /// Finds the touching pairs: those of the changed colliders, or all. The index is up to date.
    pub(super) fn find_touching(&mut self, view: SceneView<'_>, tally: Option<&TestTally>) {
        let list_count = self.list_count();
        if let (Some(tally), 2..) = (tally, list_count) {
            tally.threads.store(list_count.min(parallel::threads()), Ordering::Relaxed);
        }
        let Self { index, order, engines, .. } = self;
        let tester = PairTester::new(view, engines, index, tally);
        let (swept, others) = index.pair_trees();
        let workers = order.begin(list_count, view.slots.len());
        swept.sweep_parts(workers, |found, leaves, first, second| {
            tester.test(found, [leaves, leaves], (first, second));
        });
        for other in others.into_iter().filter(|other| other.len() > 0) {
            swept.join_parts(other, workers, |found, leaves, others, first, second| {
                tester.test(found, [leaves, others], (first, second));
            });
        }
        order.end();
    }
}

#[derive(Clone, Copy)]
struct PairTester<'s> {
    view: SceneView<'s>,
    engines: &'s Engines,
    /// The pairs to drop, if any may be among the candidates.
    filter: Option<PairFilter>,
    tally: Option<&'s TestTally>,
}

impl<'s> PairTester<'s> {
    fn new(
        view: SceneView<'s>,
        engines: &'s Engines,
        index: &BoxIndex,
        tally: Option<&'s TestTally>,
    ) -> Self {
        let filter =
            PairFilter { owners: !view.slots.owners.is_empty(), fixed: index.has_moved_fixed };
        let filter = Some(filter).filter(|filter| filter.owners | filter.fixed);
        Self { view, engines, filter, tally }
    }

    /// Tests candidates, and appends those that touch to `found` as keys of slots.
    fn test(
        &self,
        found: &mut PairBuckets,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        pairs: (&[u32], &[u32]),
    ) {
        let Some(tally) = self.tally else { return self.test_all(found, sides, pairs) };
        let begin = Instant::now();
        self.test_all(found, sides, pairs);
        let nanos = begin.elapsed().as_nanos() as u64;
        tally.nanos.fetch_add(nanos, Ordering::Relaxed);
        let count = match self.filter {
            Some(PairFilter { fixed: true, .. }) => {
                let mut kept = PositionPairs::default();
                let filter = PairFilter { owners: false, fixed: true };
                kept.keep_apart(self.view.slots, sides, pairs, filter);
                kept.pairs().0.len()
            }
            _ => pairs.0.len(),
        };
        tally.pairs.fetch_add(count, Ordering::Relaxed);
    }

    fn test_all(
        &self,
        found: &mut PairBuckets,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        pairs: (&[u32], &[u32]),
    ) {
        let view = self.view;
        let enabled_kernels = PairBits::kernels_at(view.accuracy);
        let common_kernels = if view.appearances.all_collide() {
            view.appearances.common_kernels() & enabled_kernels
        } else {
            0
        };
        // One coarse collider clears the common exact bit. Pairs of two exact colliders may remain.
        let any_exact = view.appearances.any_kernels() & enabled_kernels & PairBits::EXACT != 0;
        let all_use_coarse_kernel = !any_exact && PairBits::is_coarse(common_kernels);
        // One loan for each batch of about 1,000 pairs.
        self.engines.with(EngineKit::new, |kit| {
            let EngineKit { engine, classes, answers, areas, certainties, kept } = kit;
            let pairs = match self.filter {
                None => pairs,
                Some(filter) => {
                    kept.keep_apart(view.slots, sides, pairs, filter);
                    kept.pairs()
                }
            };
            if common_kernels & PairBits::TOUCH != 0 {
                return self.test_touches((engine, answers), found, sides, pairs);
            }
            if all_use_coarse_kernel {
                return self.test_coarse((engine, certainties), found, sides, pairs);
            }
            classes.classify(view, sides, pairs);
            self.test_touches((engine, answers), found, sides, classes.touch.pairs());
            self.test_areas((engine, areas), found, sides, classes.area.pairs());
            self.test_coarse((engine, certainties), found, sides, classes.coarse.pairs());
            for key in keys_of_pairs(sides, classes.others.pairs()) {
                let [a, b] = ids_of(key).map(|slot| slot as usize);
                if view.touch(a, b) {
                    found.push(key);
                }
            }
        });
    }

    /// Tests pairs of sprites that must share several pixels, with the area kernel.
    fn test_areas(
        &self,
        (engine, areas): (&mut Engine, &mut Vec<u64>),
        found: &mut PairBuckets,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        pairs: (&[u32], &[u32]),
    ) {
        if pairs.0.is_empty() {
            return;
        }
        let view = self.view;
        let areas = vec_growth::resized_prefix(areas, pairs.0.len());
        engine.area(view.pool(), positions(sides, pairs), areas);
        found.extend(keys_of_pairs(sides, pairs).zip(&*areas).map(|(key, &area)| {
            let [a, b] = ids_of(key).map(|slot| slot as usize);
            (key, area >= view.least_overlap(a, b).area)
        }));
    }

    /// Tests pairs of sprites by their coarse levels; every answer but a certain no counts.
    fn test_coarse(
        &self,
        (engine, certainties): (&mut Engine, &mut Vec<Certainty>),
        found: &mut PairBuckets,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        pairs: (&[u32], &[u32]),
    ) {
        if pairs.0.is_empty() {
            return;
        }
        let certainties =
            vec_growth::resized_prefix_with(certainties, pairs.0.len(), Certainty::No);
        engine.coarse(self.view.pool(), positions(sides, pairs), certainties);
        let may_touch = certainties.iter().map(|&certainty| certainty != Certainty::No);
        found.extend(keys_of_pairs(sides, pairs).zip(may_touch));
    }

    /// Tests pairs of sprites that must share one pixel, with the touch kernel.
    fn test_touches(
        &self,
        (engine, answers): (&mut Engine, &mut Vec<bool>),
        found: &mut PairBuckets,
        sides: [Leaves<'_, MaskDescriptor>; 2],
        pairs: (&[u32], &[u32]),
    ) {
        let answers = vec_growth::resized_prefix(answers, pairs.0.len());
        engine.touches(self.view.pool(), positions(sides, pairs), answers);
        found.extend(keys_of_pairs(sides, pairs).zip(answers.iter().copied()));
    }
}

/// Returns candidates in the form that the kernels read.
#[inline(always)]
fn positions<'l>(
    sides: [Leaves<'l, MaskDescriptor>; 2],
    (first, second): (&'l [u32], &'l [u32]),
) -> Positions<'l> {
    let sides = sides.map(|leaves| Columns { masks: leaves.payload, x: leaves.x0, y: leaves.y0 });
    Positions { first, second, sides }
}
