//! One update: boxes -> candidate pairs -> touching pairs in order -> began and ended.
//!
//! ```text
//! box_index      the trees of all boxes; the changed ones are packed anew
//! pair_finder    sweep and join of the trees -> pair_classes: the test of each pair -> kernels
//! events         all pairs were tested: compare the lists, while the new one is written
//! pair_changes   pairs of changed colliders were tested: find the edits of the old list
//! pair_edits     apply these edits
//! ```
//!
//! Called once per tick by the world. Queries search the index of the last update. Invariant: the
//! pairs and their order depend only on boxes, appearances and masks.

pub(crate) mod box_index;
pub(crate) mod events;
mod pair_changes;
mod pair_classes;
mod pair_edits;
pub(crate) mod pair_finder;

use crate::memory::parallel;
use crate::scene::{Pair, Scene};
use events::Events;
use pair_finder::{PairFinder, TestTally};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// Colliders that repay one more thread in an update. With two threads instead of one, 5,000
/// colliders take 1.0x the time and 10,000 take 0.75x (Sapphire Rapids).
const COLLIDERS_PER_THREAD: usize = 2_500;

/// Kept pairs that cost an update of changes as much as one changed collider.
const KEPT_PAIRS_PER_COLLIDER: usize = 32;

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

/// The pairs of the last update. Each list is in order of slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairLists {
    pub(crate) touching: Vec<Pair>,
    before: Vec<Pair>,
    pub(crate) began: Vec<Pair>,
    pub(crate) ended: Vec<Pair>,
    pub(crate) is_updated: bool,
}

impl PairLists {
    /// Returns pairs of an earlier update: those that touch, began and ended.
    pub(crate) fn of_update([touching, began, ended]: [Vec<Pair>; 3], is_updated: bool) -> Self {
        Self { touching, before: Vec::new(), began, ended, is_updated }
    }

    /// Returns the pairs that touched at both of the last two updates, in order.
    pub(crate) fn stayed(&self) -> impl Iterator<Item = &Pair> {
        events::stayed(&self.touching, &self.began)
    }

    /// Returns true if pairs touch, or ended at the last update.
    pub(crate) const fn has_pairs(&self) -> bool {
        !(self.touching.is_empty() && self.ended.is_empty())
    }
}

/// Finds the touching pairs of a scene, and holds the index that queries search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Updater {
    pub(crate) finder: PairFinder,
    pub(crate) pairs: PairLists,
    events: Events,
}

impl Updater {
    /// Creates an updater that continues after these pairs.
    pub(crate) fn after(pairs: PairLists) -> Self {
        Self { pairs, ..Self::default() }
    }

    /// Finds every touching pair and the events, with the times of all stages if asked.
    pub(crate) fn update(&mut self, scene: &mut Scene, timings: Option<&mut UpdateTimings>) {
        if self.begin(scene) {
            on_pool(scene, self, |scene, updater| {
                let clock = timings.as_ref().map(|_| Instant::now());
                let tally = timings.as_ref().map(|_| TestTally::default());
                updater.pack(scene);
                let packed = clock.map(|clock| clock.elapsed());
                updater.finder.find_touching(scene.view(), tally.as_ref());
                let found = clock.map(|clock| clock.elapsed());
                updater.compare(scene);
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
            on_pool(scene, self, |scene, updater| {
                updater.pack(scene);
                updater.finder.find_touching(scene.view(), None);
                updater.order(scene);
            });
        } else {
            self.pairs.before.clone_from(&self.pairs.touching);
        }
        let count = self.pairs.touching.len();
        let touching = &mut self.pairs.touching;
        let kept = catch_unwind(AssertUnwindSafe(|| touching.retain(|pair| keep(scene, pair))));
        if let Err(panic) = kept {
            self.take_back(scene);
            resume_unwind(panic);
        }
        let is_filtered = self.pairs.touching.len() < count;
        let PairLists { before, touching, began, ended, .. } = &mut self.pairs;
        self.events.compare(before, touching, began, ended);
        self.end(scene);
        if is_filtered {
            // The refused pairs touch, but are in no list.
            scene.dirty.add_all_pairs();
        }
    }

    /// Returns to the pairs of the last update, after one that ended early. The next one tests all.
    fn take_back(&mut self, scene: &mut Scene) {
        let PairLists { before, touching, began, ended, .. } = &mut self.pairs;
        std::mem::swap(touching, before);
        began.clear();
        ended.clear();
        scene.past_owners.set_noting(!touching.is_empty());
        scene.dirty.add_all();
        scene.dirty.add_fixed();
    }

    /// Returns true if an update has work to do, edited masks included.
    fn begin(&mut self, scene: &mut Scene) -> bool {
        if scene.dirty.is_empty() {
            self.pairs.began.clear();
            self.pairs.ended.clear();
            return false;
        }
        if !scene.dirty.edited_masks.is_empty() {
            scene.add_edited_masks();
        }
        true
    }

    fn pack(&mut self, scene: &Scene) {
        let Self { finder, pairs, .. } = self;
        finder.pack(&scene.slots, &scene.dirty, &pairs.touching);
    }

    fn order(&mut self, scene: &Scene) {
        let Self { finder, pairs: PairLists { before, touching, began, ended, .. }, .. } = self;
        if finder.index.is_delta {
            before.clone_from(touching);
            // An exchange leaves the previous pairs in `before` too.
            finder.merge_changes((&scene.slots, &scene.dirty), [before, touching, began, ended]);
        } else {
            std::mem::swap(touching, before);
            finder.order(&scene.slots, touching);
        }
    }

    fn compare(&mut self, scene: &Scene) {
        let Self { finder, events, pairs } = self;
        let PairLists { before, touching, began, ended, .. } = pairs;
        if finder.index.is_delta {
            finder.merge_changes((&scene.slots, &scene.dirty), [before, touching, began, ended]);
        } else {
            std::mem::swap(touching, before);
            finder.order_and_compare(&scene.slots, [before, touching, began, ended], events);
        }
    }

    fn end(&mut self, scene: &mut Scene) {
        self.pairs.is_updated = true;
        scene.end_update(self.pairs.has_pairs());
    }
}

/// Runs `update` in the thread pool if there is enough work for more than one thread.
fn on_pool<R: Send>(
    scene: &Scene,
    updater: &mut Updater,
    update: impl FnOnce(&Scene, &mut Updater) -> R + Send,
) -> R {
    let count = scene.slots.len();
    let work = match scene.dirty.few_slots(count) {
        Some(changed) => changed.len() + updater.pairs.touching.len() / KEPT_PAIRS_PER_COLLIDER,
        None => count,
    };
    parallel::within(parallel::threads_for(work, COLLIDERS_PER_THREAD), || update(scene, updater))
}
