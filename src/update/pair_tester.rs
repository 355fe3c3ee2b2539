//! Tests candidates: sorts them by the test that they need, and appends those that touch to the found
//! pairs. The sweep passes on about 1,000 candidates at a time, with the mask descriptors beside the
//! boxes. They are tested at once, so there is no list of candidates.
//!
//! Invariant: pairs keep their order within a list.

use crate::broad::{Leaves, PairBuckets, ids_of, keys_of_pairs};
use crate::mask::MaskDescriptor;
use crate::memory::object_pool::ObjectPool;
use crate::memory::vec_growth;
use crate::narrow::Certainty;
use crate::narrow::batch::{Columns, Engine, Positions};
use crate::scene::SceneView;
use crate::scene::placed::{PairBits, Slots};
use crate::simd::Simd;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The work of the tests of an update, summed over threads.
#[derive(Debug, Default)]
pub(super) struct TestTally {
    nanos: AtomicU64,
    pairs: AtomicUsize,
    pub(super) threads: AtomicUsize,
}

impl TestTally {
    pub(super) fn total(&self) -> (Duration, usize) {
        let threads = self.threads.load(Ordering::Relaxed).max(1) as u64;
        let nanos = self.nanos.load(Ordering::Relaxed) / threads;
        (Duration::from_nanos(nanos), self.pairs.load(Ordering::Relaxed))
    }
}

/// Pairs with overlapping boxes, as positions in the leaves of two trees.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'l> {
    pub(super) sides: [Leaves<'l, MaskDescriptor>; 2],
    pub(super) first: &'l [u32],
    pub(super) second: &'l [u32],
}

impl<'l> Candidates<'l> {
    /// Returns the candidates of a list, in the same trees.
    fn of<'k>(self, list: &'k PositionPairs) -> Candidates<'k>
    where
        'l: 'k,
    {
        let [first, second] = [&list.first, &list.second].map(|side| &side[..list.len]);
        Candidates { sides: self.sides, first, second }
    }

    fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Returns the pairs of slots.
    #[inline(always)]
    fn slots(self) -> impl Iterator<Item = (u32, u32, [u32; 2])> {
        let [leaves, others] = self.sides;
        let pairs = self.first.iter().zip(self.second);
        pairs.map(move |(&a, &b)| (a, b, [leaves.ids[a as usize], others.ids[b as usize]]))
    }

    #[inline(always)]
    fn keys(self) -> impl Iterator<Item = u64> {
        keys_of_pairs(self.sides, (self.first, self.second))
    }

    /// Returns the candidates in the form that the kernels read.
    #[inline(always)]
    fn positions(self) -> Positions<'l> {
        let Self { sides, first, second } = self;
        let columns =
            |leaves: Leaves<'l, _>| Columns { masks: leaves.payload, x: leaves.x0, y: leaves.y0 };
        Positions { first, second, sides: sides.map(columns) }
    }
}

/// Pairs of positions. Kept between batches for their memory.
#[derive(Default)]
struct PositionPairs {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl PositionPairs {
    /// Replaces the pairs by the candidates that `filter` does not drop.
    fn keep(&mut self, slots: &Slots, candidates: Candidates<'_>, filter: PairFilter) {
        // Room for one more, which is written but never kept.
        let mut kept = self.start_writing(candidates.first.len() + 1);
        for (a, b, slots_of_pair) in candidates.slots() {
            let [one, other] = slots_of_pair.map(|slot| slot as usize);
            let share_owner = filter.owners && slots.share_owner(one, other);
            // Both have a box, which is stored elsewhere for fixed colliders.
            let are_fixed =
                filter.fixed && slots.moving[one].is_empty() && slots.moving[other].is_empty();
            kept.push_if(a, b, !(share_owner | are_fixed));
        }
        kept.finish();
    }

    /// Clears the pairs and reserves `room` of them.
    fn start_writing(&mut self, room: usize) -> PairWriter<'_> {
        let Self { first, second, len } = self;
        let (first, second) =
            (vec_growth::resized_prefix(first, room), vec_growth::resized_prefix(second, room));
        PairWriter { first, second, len, count: 0 }
    }
}

/// Appends pairs to [`PositionPairs`], with the count in a register.
struct PairWriter<'k> {
    first: &'k mut [u32],
    second: &'k mut [u32],
    len: &'k mut usize,
    count: usize,
}

impl PairWriter<'_> {
    /// Writes a pair, and keeps it if `keep`. No branch depends on `keep`.
    #[inline(always)]
    fn push_if(&mut self, a: u32, b: u32, keep: bool) {
        self.first[self.count] = a;
        self.second[self.count] = b;
        self.count += usize::from(keep);
    }

    fn finish(self) {
        *self.len = self.count;
    }
}

/// The pairs to drop: those of one owner, and those of two fixed colliders.
#[derive(Clone, Copy)]
pub(super) struct PairFilter {
    pub(super) owners: bool,
    pub(super) fixed: bool,
}

/// Candidates by the test that they need. Kept between batches for their memory.
#[derive(Default)]
struct PairClasses {
    touch: PositionPairs,
    area: PositionPairs,
    coarse: PositionPairs,
    others: PositionPairs,
}

impl PairClasses {
    /// Distributes candidates to their tests. Drops those that may not collide.
    fn classify(&mut self, view: SceneView<'_>, candidates: Candidates<'_>) {
        // Room for one more, which is written but never kept.
        let room = candidates.first.len() + 1;
        let (mut touch, mut area, mut coarse, mut rest) = (
            self.touch.start_writing(room),
            self.area.start_writing(room),
            self.coarse.start_writing(room),
            self.others.start_writing(room),
        );
        let (rules, shown) =
            (&view.placed.appearances.bits[..], &view.placed.slots.appearances[..]);
        let enabled_kernels = PairBits::kernels_at(view.accuracy);
        let common_kernels = view.placed.appearances.common_kernels & enabled_kernels;
        let rules_of = |slots: [u32; 2]| slots.map(|slot| rules[shown[slot as usize] as usize]);
        if common_kernels & PairBits::TOUCH != 0 {
            // Only layers matter: the other lists stay empty.
            for (a, b, slots) in candidates.slots() {
                let [rule, other] = rules_of(slots);
                touch.push_if(a, b, rule.can_collide(other));
            }
        } else {
            for (a, b, slots) in candidates.slots() {
                let [rule, other] = rules_of(slots);
                let (can_collide, kernels) =
                    (rule.can_collide(other), rule.kernels & other.kernels & enabled_kernels);
                let (uses_touch, uses_area) =
                    (kernels & PairBits::TOUCH != 0, kernels & PairBits::AREA != 0);
                let uses_coarse = PairBits::is_coarse(kernels);
                touch.push_if(a, b, can_collide & uses_touch);
                area.push_if(a, b, can_collide & uses_area & !uses_touch);
                coarse.push_if(a, b, can_collide & uses_coarse);
                rest.push_if(a, b, can_collide & !uses_area & !uses_coarse);
            }
        }
        touch.finish();
        area.finish();
        coarse.finish();
        rest.finish();
    }
}

pub(super) type Engines = ObjectPool<EngineKit>;

/// A kernel engine and its buffers.
pub(super) struct EngineKit {
    engine: Engine,
    classes: PairClasses,
    answers: Vec<bool>,
    areas: Vec<u64>,
    certainties: Vec<Certainty>,
    kept: PositionPairs,
}

impl EngineKit {
    fn new() -> Self {
        Self {
            engine: Engine::new(Simd::preferred()),
            classes: PairClasses::default(),
            answers: Vec::new(),
            areas: Vec::new(),
            certainties: Vec::new(),
            kept: PositionPairs::default(),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct PairTester<'s> {
    pub(super) view: SceneView<'s>,
    pub(super) engines: &'s Engines,
    /// The pairs to drop, if any may be among the candidates.
    pub(super) filter: Option<PairFilter>,
    pub(super) tally: Option<&'s TestTally>,
}

impl PairTester<'_> {
    /// Tests candidates, and appends those that touch to `found` as keys of slots.
    pub(super) fn test(&self, found: &mut PairBuckets, candidates: Candidates<'_>) {
        let Some(tally) = self.tally else { return self.test_all(found, candidates) };
        let begin = Instant::now();
        self.test_all(found, candidates);
        let nanos = begin.elapsed().as_nanos() as u64;
        tally.nanos.fetch_add(nanos, Ordering::Relaxed);
        let count = match self.filter {
            Some(PairFilter { fixed: true, .. }) => {
                let mut kept = PositionPairs::default();
                let filter = PairFilter { owners: false, fixed: true };
                kept.keep(&self.view.placed.slots, candidates, filter);
                kept.len
            }
            _ => candidates.first.len(),
        };
        tally.pairs.fetch_add(count, Ordering::Relaxed);
    }

    fn test_all(&self, found: &mut PairBuckets, candidates: Candidates<'_>) {
        let appearances = &self.view.placed.appearances;
        let enabled_kernels = PairBits::kernels_at(self.view.accuracy);
        let common_kernels =
            if appearances.all_collide { appearances.common_kernels & enabled_kernels } else { 0 };
        // One coarse collider clears the common exact bit. Pairs of two exact colliders may remain.
        let any_exact = appearances.any_kernels & enabled_kernels & PairBits::EXACT != 0;
        let all_use_coarse_kernel = !any_exact && PairBits::is_coarse(common_kernels);
        // One loan for each batch of about 1,000 pairs.
        self.engines.with(EngineKit::new, |kit| {
            let EngineKit { engine, classes, answers, areas, certainties, kept } = kit;
            let candidates = match self.filter {
                None => candidates,
                Some(filter) => {
                    kept.keep(&self.view.placed.slots, candidates, filter);
                    candidates.of(kept)
                }
            };
            if common_kernels & PairBits::TOUCH != 0 {
                return self.test_touches((engine, answers), found, candidates);
            }
            if all_use_coarse_kernel {
                return self.test_coarse((engine, certainties), found, candidates);
            }
            classes.classify(self.view, candidates);
            self.test_touches((engine, answers), found, candidates.of(&classes.touch));
            self.test_areas((engine, areas), found, candidates.of(&classes.area));
            self.test_coarse((engine, certainties), found, candidates.of(&classes.coarse));
            for key in candidates.of(&classes.others).keys() {
                let [a, b] = ids_of(key).map(|slot| slot as usize);
                if self.view.touch(a, b) {
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
        candidates: Candidates<'_>,
    ) {
        if candidates.is_empty() {
            return;
        }
        let areas = vec_growth::resized_prefix(areas, candidates.first.len());
        engine.area(self.view.pool(), candidates.positions(), areas);
        found.extend(candidates.keys().zip(&*areas).map(|(key, &area)| {
            let [a, b] = ids_of(key).map(|slot| slot as usize);
            (key, area >= self.view.least_overlap(a, b).area)
        }));
    }

    /// Tests pairs of sprites by their coarse levels; every answer but a certain no counts.
    fn test_coarse(
        &self,
        (engine, certainties): (&mut Engine, &mut Vec<Certainty>),
        found: &mut PairBuckets,
        candidates: Candidates<'_>,
    ) {
        if candidates.is_empty() {
            return;
        }
        let count = candidates.first.len();
        let certainties = vec_growth::resized_prefix_with(certainties, count, Certainty::No);
        engine.coarse(self.view.pool(), candidates.positions(), certainties);
        let may_touch = certainties.iter().map(|&certainty| certainty != Certainty::No);
        found.extend(candidates.keys().zip(may_touch));
    }

    /// Tests pairs of sprites that must share one pixel, with the touch kernel.
    fn test_touches(
        &self,
        (engine, answers): (&mut Engine, &mut Vec<bool>),
        found: &mut PairBuckets,
        candidates: Candidates<'_>,
    ) {
        let answers = vec_growth::resized_prefix(answers, candidates.first.len());
        engine.touches(self.view.pool(), candidates.positions(), answers);
        found.extend(candidates.keys().zip(answers.iter().copied()));
    }
}
