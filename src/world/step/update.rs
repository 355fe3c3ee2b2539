//! The update: finds all touching pairs, and which of them began and ended.
//!
//! ```text
//! rebuild the trees -> sweep and test -> sort by slots -> compare with the last update
//! ```
//!
//! Called once per tick by users of [`World`].

use crate::memory::parallel;
use crate::world::step::events;
use crate::world::{Collider, ColliderId, Pair, World};
use std::time::{Duration, Instant};

/// Colliders that repay one more thread in an update. With two threads instead of one, 5,000
/// colliders take 1.0x the time and 10,000 take 0.75x (Sapphire Rapids).
const COLLIDERS_PER_THREAD: usize = 2_500;

/// The time taken by each stage of an update: see [`World::update_timed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UpdateTimings {
    /// Building the trees.
    pub build: Duration,
    /// Finding the pairs with overlapping boxes.
    pub join: Duration,
    /// Testing those pairs.
    pub narrow: Duration,
    /// Sorting the touching pairs, and finding which began and ended.
    pub events: Duration,
    /// Number of pairs with overlapping boxes, at least one of them moving, before layers are
    /// applied.
    pub pairs: usize,
}

impl World {
    /// Finds every touching pair. Call it once per tick, after moving colliders.
    ///
    /// Costs about as much as sorting the boxes, plus a few nanoseconds for each pair with
    /// overlapping boxes. With the feature `rayon` it uses one thread of the pool for every 2,500
    /// colliders, up to 16. With more than one thread, a second thread is kept awake during the
    /// update. A world of fewer than 5,000 colliders is updated on the calling thread, and does not
    /// start rayon's global pool.
    pub fn update(&mut self) {
        self.on_pool(|world| {
            world.find_touching();
            world.finish_update();
        });
    }

    /// As [`update`](Self::update), with a filter. Calls `keep` for each touching pair, in order. A
    /// pair that is refused does not touch in this update. The filter of
    /// [`update_with_contacts`](Self::update_with_contacts) sees sides and normals too.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", "##".parse()?).to_bytes()?)?;
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
        self.on_pool(|world| {
            world.find_touching();
            world.finder.order(&world.slots, &mut world.touching);
        });
        // `keep` reads the world, which holds no touching pairs meanwhile.
        let mut touching = std::mem::take(&mut self.touching);
        touching.retain(|pair| keep(self, pair));
        self.touching = touching;
        let Self { before, touching, began, ended, .. } = self;
        self.events.compare(before, touching, began, ended);
        self.slots.no_slot_freed = true;
        self.is_updated = true;
        self.past_owners.update();
    }

    /// As [`update`](Self::update), one stage after another, with the time of each. The result is
    /// the same. Candidates are listed instead of streamed, so the total takes longer, and 8 bytes
    /// of memory for each pair with overlapping boxes.
    pub fn update_timed(&mut self) -> UpdateTimings {
        self.on_pool(Self::update_in_stages)
    }

    fn update_in_stages(&mut self) -> UpdateTimings {
        std::mem::swap(&mut self.touching, &mut self.before);
        let mut finder = std::mem::take(&mut self.finder);
        let begin = Instant::now();
        finder.pack(self.view());
        let packed = Instant::now();
        let pairs = finder.list();
        let joined = Instant::now();
        finder.test_listed(self.view());
        let narrowed = Instant::now();
        self.finder = finder;
        self.dirty.clear();
        self.finish_update();
        UpdateTimings {
            build: packed - begin,
            join: joined - packed,
            narrow: narrowed - joined,
            events: narrowed.elapsed(),
            pairs,
        }
    }

    /// Runs `update` in the thread pool if there is enough work for more than one thread.
    fn on_pool<R: Send>(&mut self, update: impl FnOnce(&mut Self) -> R + Send) -> R {
        parallel::within(parallel::threads_for(self.slots.len(), COLLIDERS_PER_THREAD), || {
            update(self)
        })
    }

    fn find_touching(&mut self) {
        std::mem::swap(&mut self.touching, &mut self.before);
        let mut finder = std::mem::take(&mut self.finder);
        finder.pack(self.view());
        finder.find_touching(self.view());
        self.finder = finder;
        self.dirty.clear();
    }

    fn finish_update(&mut self) {
        let Self { slots, finder, before, touching, began, ended, events, .. } = self;
        finder.order_and_compare(slots, [before, touching, began, ended], events);
        slots.no_slot_freed = true;
        self.is_updated = true;
        self.past_owners.update();
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
