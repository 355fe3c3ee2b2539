//! One update: boxes -> candidate pairs -> touching pairs in order -> began and ended.
//!
//! ```text
//! bring the index up to date
//! sweep one tree, join it with others:   candidates -> layers -> kernel -> found pairs
//! sort the found pairs by slots
//!   all pairs were tested:               compare the lists, while the new one is written
//!   those of changed colliders were:     edit the old list
//! ```
//!
//! Invariant: the pairs and their order depend only on boxes, appearances and masks.

use crate::broad::PairOrder;
use crate::ids::ColliderId;
use crate::memory::clone_fields::clone_fields;
use crate::memory::parallel;
use crate::scene::{Pair, Scene};
use crate::update::box_index::BoxIndex;
use crate::update::events::Events;
use crate::update::pair_changes::PairChanges;
use crate::update::pair_lists::{PairLists, pair_of};
use crate::update::pair_tester::{Candidates, Engines, PairFilter, PairTester, TestTally};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Colliders that repay one more thread in an update. With two threads instead of one, 5,000
/// colliders take 1.0x the time and 10,000 take 0.75x (Sapphire Rapids).
const COLLIDERS_PER_THREAD: usize = 2_500;

/// Kept pairs that cost an update of changes as much as one changed collider.
const KEPT_PAIRS_PER_COLLIDER: usize = 32;

const BLANK_PAIR: Pair = Pair { a: ColliderId::new(0, 0), b: ColliderId::new(0, 0) };

/// The time taken by each stage of an update: see [`World::update_timed`](crate::World::update_timed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UpdateTimings {
    /// Bringing the index of boxes up to date.
    pub build: Duration,
    /// Finding the pairs with overlapping boxes.
    pub join: Duration,
    /// Testing those pairs, which is done while they are found. With several threads it is their
    /// mean.
    pub narrow: Duration,
    /// Sorting the touching pairs, and finding which began and ended.
    pub events: Duration,
    /// Number of pairs tested: with overlapping boxes, not both fixed, before layers are applied. If
    /// few colliders changed, only pairs with one of them are tested.
    pub pairs: usize,
}

/// Finds the touching pairs of a scene, and holds the index that queries search.
#[derive(Debug, Default)]
pub(crate) struct Updater {
    pub(crate) index: BoxIndex,
    pub(crate) pairs: PairLists,
    /// The found pairs.
    order: PairOrder,
    changes: PairChanges,
    events: Events,
    engines: Engines,
}

clone_fields!([] Updater { index, pairs, changes } scratch { order, events, engines });

impl Updater {
    /// Creates an updater that continues after these pairs.
    pub(crate) fn after(pairs: PairLists) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// Finds every touching pair and the events, with the times of all stages if asked.
    pub(crate) fn update(&mut self, scene: &mut Scene, timings: Option<&mut UpdateTimings>) {
        if self.begin(scene) {
            self.on_pool(scene, |updater, scene| {
                let clock = timings.as_ref().map(|_| Instant::now());
                let tally = timings.as_ref().map(|_| TestTally::default());
                updater.pack(scene);
                let packed = clock.map(|clock| clock.elapsed());
                updater.find_touching(scene, tally.as_ref());
                let found = clock.map(|clock| clock.elapsed());
                updater.list(scene, true);
                if let (Some(to), Some(clock), Some(tally), Some(packed), Some(found)) =
                    (timings, clock, tally, packed, found)
                {
                    let (narrow, pairs) = tally.total();
                    let narrow = narrow.min(found - packed);
                    *to = UpdateTimings {
                        build: packed,
                        join: found - packed - narrow,
                        narrow,
                        events: clock.elapsed() - found,
                        pairs,
                    };
                }
            });
        }
        self.end(scene);
    }

    /// Updates, and keeps the pairs that `keep` accepts. A panic leaves those of the last update.
    pub(crate) fn update_filtered(
        &mut self,
        scene: &mut Scene,
        mut keep: impl FnMut(&Scene, &Pair) -> bool,
    ) {
        if self.begin(scene) {
            self.on_pool(scene, |updater, scene| {
                updater.pack(scene);
                updater.find_touching(scene, None);
                updater.list(scene, false);
            });
        } else {
            self.pairs.keep_before();
        }
        let PairLists { touching, .. } = &mut self.pairs;
        let count = touching.len();
        let kept = catch_unwind(AssertUnwindSafe(|| touching.retain(|pair| keep(scene, pair))));
        if let Err(panic) = kept {
            // The next update tests all pairs.
            self.pairs.take_back();
            scene.changes.past_owners.set_noting(!self.pairs.touching.is_empty());
            scene.changes.record_all();
            resume_unwind(panic);
        }
        let is_filtered = self.pairs.touching.len() < count;
        self.events.compare(&mut self.pairs);
        self.end(scene);
        if is_filtered {
            // The refused pairs touch, but are in no list.
            scene.changes.record_all_pairs();
        }
    }

    /// Returns true if an update has work to do, edited masks included.
    fn begin(&mut self, scene: &mut Scene) -> bool {
        if scene.changes.dirty.is_empty() {
            self.pairs.clear_events();
            return false;
        }
        scene.begin_update();
        true
    }

    /// Runs `update` in the thread pool if there is enough work for more than one thread.
    fn on_pool(&mut self, scene: &Scene, update: impl FnOnce(&mut Self, &Scene) + Send) {
        let count = scene.placed.slots.len();
        let work = match scene.changes.dirty.few_slots(count) {
            Some(changed) => changed.len() + self.pairs.touching.len() / KEPT_PAIRS_PER_COLLIDER,
            None => count,
        };
        let threads = parallel::threads_for(work, COLLIDERS_PER_THREAD);
        parallel::within(threads, || update(self, scene));
    }

    fn pack(&mut self, scene: &Scene) {
        let (slots, dirty) = (&scene.placed.slots, &scene.changes.dirty);
        self.changes.look_up(&self.pairs.touching, &mut self.index, (slots, dirty));
        self.index.pack(slots, dirty);
    }

    /// Finds the touching pairs: those of the changed colliders, or all. The index is up to date.
    fn find_touching(&mut self, scene: &Scene, tally: Option<&TestTally>) {
        let Self { index, order, engines, .. } = self;
        let slots = &scene.placed.slots;
        let filter = PairFilter { owners: !slots.owners.is_empty(), fixed: index.has_moved_fixed };
        let filter = Some(filter).filter(|filter| filter.owners | filter.fixed);
        let tester = PairTester { view: scene.view(), engines, filter, tally };
        let (swept, others) = index.pair_trees();
        // The lists that the threads write found pairs to.
        let list_count = match swept.workers() {
            // Asking for the threads would start rayon's global pool.
            1 => 1,
            workers => workers.min(2 * parallel::threads()),
        };
        if let (Some(tally), 2..) = (tally, list_count) {
            tally.threads.store(list_count.min(parallel::threads()), Ordering::Relaxed);
        }
        let workers = order.begin(list_count, slots.len());
        swept.sweep_parts(workers, |found, leaves, first, second| {
            tester.test(found, Candidates { sides: [leaves; 2], first, second });
        });
        for other in others.into_iter().filter(|other| other.len() > 0) {
            swept.join_parts(other, workers, |found, leaves, others, first, second| {
                tester.test(found, Candidates { sides: [leaves, others], first, second });
            });
        }
        order.end();
    }

    /// Brings the list of touching pairs up to date: the lower slot first, ascending. Finds the events
    /// if `compares`; an update of changes finds them in any case.
    fn list(&mut self, scene: &Scene, compares: bool) {
        let Self { index, pairs, order, changes, events, .. } = self;
        let slots = &scene.placed.slots;
        if index.is_delta {
            if !compares {
                pairs.keep_before();
            }
            return changes.apply(pairs, order, (slots, &scene.changes.dirty));
        }
        std::mem::swap(&mut pairs.touching, &mut pairs.before);
        if compares {
            events.find(order.workers, pairs, |found, before, touching| {
                order.write_buckets(found, touching, BLANK_PAIR, |found, ids, keys, to| {
                    found.write(before, (ids, keys), to, slots);
                });
            });
        } else {
            order.write(&mut pairs.touching, BLANK_PAIR, |ids| pair_of(slots, ids));
        }
    }

    fn end(&mut self, scene: &mut Scene) {
        self.pairs.is_updated = true;
        scene.end_update(self.pairs.has_pairs());
    }
}
