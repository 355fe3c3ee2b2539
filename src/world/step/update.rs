//! The update: finds all touching pairs, and which of them began and ended.
//!
//! ```text
//! index the changes -> sweep and test them -> sort by slots -> compare with the last update
//! ```
//!
//! Called once per tick by users of [`World`].

use crate::memory::parallel;
use crate::world::step::events;
use crate::world::{Collider, ColliderId, Pair, World};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// Colliders that repay one more thread in an update. With two threads instead of one, 5,000
/// colliders take 1.0x the time and 10,000 take 0.75x (Sapphire Rapids).
const COLLIDERS_PER_THREAD: usize = 2_500;

/// Kept pairs that cost an update of changes as much as one changed collider.
const KEPT_PAIRS_PER_COLLIDER: usize = 32;

/// The time taken by each stage of an update: see [`World::update_timed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UpdateTimings {
    /// Bringing the index of boxes up to date.
    pub build: Duration,
    /// Finding the pairs with overlapping boxes.
    pub join: Duration,
    /// Testing those pairs.
    pub narrow: Duration,
    /// Sorting the touching pairs, and finding which began and ended.
    pub events: Duration,
    /// Number of pairs tested: with overlapping boxes, not both fixed, before layers are applied. If
    /// few colliders changed, only pairs with one of them are tested.
    pub pairs: usize,
}

impl World {
    /// Finds every touching pair. Call it once per tick, after moving colliders.
    ///
    /// The cost follows the colliders that changed since the last update. A collider placed on the
    /// same pixel at the same pose has not changed. An update without changes costs nothing. Up to
    /// 1/8 of the colliders are searched and tested apart from the others, whose pairs are kept. If
    /// more changed, an update costs about as much as sorting all boxes, plus a few nanoseconds for
    /// each pair with overlapping boxes. Now and then the index of all boxes is built again.
    ///
    /// With the feature `rayon` it uses one thread of the pool for every 2,500 colliders to process,
    /// up to 16. With more than one thread, a second thread is kept awake during the update. A world
    /// of fewer than 5,000 colliders is updated on the calling thread, and does not start rayon's
    /// global pool.
    pub fn update(&mut self) {
        if !self.begin_update() {
            return self.end_update();
        }
        self.on_pool(|world| {
            world.find_touching();
            world.finish_update();
        });
    }

    /// As [`update`](Self::update), with a filter. Calls `keep` for each touching pair, in order. A
    /// pair that is refused does not touch in this update. The update after a refusal tests all pairs.
    /// The filter of [`update_with_contacts`](Self::update_with_contacts) sees sides and normals too.
    ///
    /// If `keep` panics, the world keeps the touching pairs of the last update, without events. The
    /// next update is right, and its events tell what has changed since the last one that ended.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "##".parse()?).to_bytes()?)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// # world.insert(Collider::new(a))?;
    /// # world.insert(Collider::new(a))?;
    /// world.update_with(|_pair, a, b| a.shape != b.shape);
    /// assert!(world.touching().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_with(&mut self, mut keep: impl FnMut(&Pair, &Collider, &Collider) -> bool) {
        self.update_filtered(|world, pair| {
            let collider = |id: ColliderId| world.slots.collider(&world.appearances, id.slot());
            keep(pair, &collider(pair.a), &collider(pair.b))
        });
    }

    /// Updates, and keeps only the touching pairs for which `keep` returns true.
    pub(crate) fn update_filtered(&mut self, mut keep: impl FnMut(&Self, &Pair) -> bool) {
        if self.begin_update() {
            self.on_pool(|world| {
                world.find_touching();
                world.order_pairs();
            });
        } else {
            self.before.clone_from(&self.touching);
        }
        // `keep` reads the world, which holds no touching pairs meanwhile.
        let mut touching = std::mem::take(&mut self.touching);
        let count = touching.len();
        let kept = catch_unwind(AssertUnwindSafe(|| touching.retain(|pair| keep(self, pair))));
        if let Err(panic) = kept {
            self.take_back_update();
            resume_unwind(panic);
        }
        let is_filtered = touching.len() < count;
        self.touching = touching;
        let Self { before, touching, began, ended, .. } = self;
        self.events.compare(before, touching, began, ended);
        self.end_update();
        if is_filtered {
            // The refused pairs touch, but are in no list.
            self.dirty.add_all_pairs();
        }
    }

    /// Returns to the pairs of the last update, after one that ended early. The next one tests all.
    fn take_back_update(&mut self) {
        std::mem::swap(&mut self.touching, &mut self.before);
        self.began.clear();
        self.ended.clear();
        self.dirty.add_all();
        self.finder.index.mark_fixed_dirty();
    }

    /// As [`update`](Self::update), one stage after another, with the time of each. The result is
    /// the same. Candidates are listed instead of streamed, so the total takes longer, and 8 bytes
    /// of memory for each pair with overlapping boxes.
    pub fn update_timed(&mut self) -> UpdateTimings {
        if !self.begin_update() {
            self.end_update();
            return UpdateTimings::default();
        }
        self.on_pool(Self::update_in_stages)
    }

    fn update_in_stages(&mut self) -> UpdateTimings {
        let mut finder = std::mem::take(&mut self.finder);
        let begin = Instant::now();
        finder.pack(&self.slots, &self.dirty, &self.touching);
        let packed = Instant::now();
        let pairs = finder.list(&self.slots);
        let joined = Instant::now();
        finder.test_listed(self.view());
        let narrowed = Instant::now();
        self.finder = finder;
        self.finish_update();
        UpdateTimings {
            build: packed - begin,
            join: joined - packed,
            narrow: narrowed - joined,
            events: narrowed.elapsed(),
            pairs,
        }
    }

    /// Returns true if an update has work to do. Adds the colliders of edited masks to the dirty
    /// set.
    fn begin_update(&mut self) -> bool {
        if self.dirty.is_empty() {
            self.began.clear();
            self.ended.clear();
            return false;
        }
        if !self.dirty.edited_masks().is_empty() {
            self.add_edited_masks();
        }
        true
    }

    /// Runs `update` in the thread pool if there is enough work for more than one thread.
    fn on_pool<R: Send>(&mut self, update: impl FnOnce(&mut Self) -> R + Send) -> R {
        let count = self.slots.len();
        let work = match self.dirty.few_slots(count) {
            Some(changed) => changed.len() + self.touching.len() / KEPT_PAIRS_PER_COLLIDER,
            None => count,
        };
        parallel::within(parallel::threads_for(work, COLLIDERS_PER_THREAD), || update(self))
    }

    fn find_touching(&mut self) {
        let mut finder = std::mem::take(&mut self.finder);
        finder.pack(&self.slots, &self.dirty, &self.touching);
        finder.find_touching(self.view());
        self.finder = finder;
    }

    /// Writes the found pairs to `touching`, and the previous ones to `before`.
    fn order_pairs(&mut self) {
        let Self { slots, dirty, finder, before, touching, began, ended, .. } = self;
        if finder.index.is_delta() {
            before.clone_from(touching);
            // An exchange leaves the previous pairs in `before` too.
            finder.merge_changes((slots, dirty), [before, touching, began, ended]);
        } else {
            std::mem::swap(touching, before);
            finder.order(slots, touching);
        }
    }

    fn finish_update(&mut self) {
        let Self { slots, dirty, finder, before, touching, began, ended, events, .. } = self;
        if finder.index.is_delta() {
            finder.merge_changes((slots, dirty), [before, touching, began, ended]);
        } else {
            std::mem::swap(touching, before);
            finder.order_and_compare(slots, [before, touching, began, ended], events);
        }
        self.end_update();
    }

    fn end_update(&mut self) {
        self.dirty.clear();
        self.slots.no_slot_freed = true;
        self.is_updated = true;
        self.past_owners.update();
        self.poses.end_update();
    }

    /// Returns the pairs that touched at the last [`update`](Self::update), each once. In each pair
    /// the collider of lower index comes first. The pairs are in order of a's index, then b's. The
    /// order depends on nothing else, now and in later versions.
    ///
    /// # Panics
    /// In debug builds, if the world has colliders and was never updated. Release builds return no
    /// pairs. A clone or a restored snapshot counts as updated if its world was.
    #[must_use]
    #[track_caller]
    pub fn touching(&self) -> &[Pair] {
        debug_assert!(
            self.is_updated || self.is_empty(),
            "World::touching was called before World::update: no pair is known yet; call \
             World::update once per tick"
        );
        &self.touching
    }

    /// Tests whether the pairs are those of an update. A new world has none yet. A clone or a
    /// restored snapshot counts as updated if its world was.
    #[must_use]
    pub const fn is_updated(&self) -> bool {
        self.is_updated
    }

    /// Returns the pairs of [`touching`](Self::touching) that did not touch at the update before,
    /// in the same order. Empty before the first update.
    #[must_use]
    pub fn began(&self) -> &[Pair] {
        &self.began
    }

    /// Returns the pairs that touched at the update before the last, and no longer touch, in the
    /// same order. They include colliders that have been removed, by their stale ids. Empty before
    /// the first update.
    #[must_use]
    pub fn ended(&self) -> &[Pair] {
        &self.ended
    }

    /// Returns the pairs of [`touching`](Self::touching) that also touched at the update before, in
    /// the same order. Empty before the first update.
    pub fn stayed(&self) -> impl Iterator<Item = &Pair> {
        events::stayed(&self.touching, &self.began)
    }
}
