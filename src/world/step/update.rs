//! The update, and what it found.

use crate::memory::parallel;
use crate::world::step::events;
use crate::world::{Collider, ColliderId, Pair, World};
use std::time::{Duration, Instant};

/// Colliders for which another thread pays, in an update: at 5,000 two take as long as one, at 10,000 three
/// quarters (Sapphire Rapids).
const COLLIDERS_PER_THREAD: usize = 2_500;

/// What the parts of an update took: see [`World::update_timed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UpdateTimings {
    /// Packing the boxes.
    pub build: Duration,
    /// Finding the pairs whose boxes overlap.
    pub join: Duration,
    /// Settling them.
    pub narrow: Duration,
    /// Putting those that touch in order, and telling what began and ended.
    pub events: Duration,
    /// Number of pairs whose boxes overlap and of which one at least moves, before layers are looked
    /// at.
    pub pairs: usize,
}

impl World {
    /// Finds every touching pair. Call it once per tick, after moving.
    ///
    /// Costs about as much as sorting the boxes, and then a few nanoseconds for each pair whose
    /// boxes overlap. With the feature `rayon` it runs on a thread of the pool for every 2,500 colliders, up to
    /// 16 and as many as there are; where these are more than one, a second one is kept awake meanwhile.
    pub fn update(&mut self) {
        self.on_pool(|world| {
            world.find_touching();
            world.finish_update();
        });
    }

    /// As [`update`](Self::update), and asks `keep` of each touching pair, in order, whether it
    /// counts: what is refused does not touch, this time.
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
        self.on_pool(|world| {
            world.find_touching();
            world.finder.order(&world.slots, &mut world.touching);
        });
        let collider = |id: ColliderId| self.slots.collider(&self.appearances, id.slot());
        self.touching.retain(|pair| keep(pair, &collider(pair.a), &collider(pair.b)));
        let Self { before, touching, began, ended, .. } = self;
        self.events.compare(before, touching, began, ended);
        self.slots.no_slot_freed = true;
    }

    /// As [`update`](Self::update), part after part, to see what takes how long. The parts are
    /// those of an update, but nothing streams: together they take longer, and 8 bytes of memory for
    /// each pair whose boxes overlap.
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

    /// Runs `update`: all of it on one thread of the pool, and the others help, where there is enough
    /// to do.
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
    }

    /// The pairs that touched at the last [`update`](Self::update), each once: in each pair the
    /// collider of lower index first, the pairs in order of a's index, then b's. The order
    /// depends on nothing else, now and in later versions.
    #[must_use]
    pub fn touching(&self) -> &[Pair] {
        &self.touching
    }

    /// Those of [`touching`](Self::touching) that did not touch at the update before, in the same
    /// order.
    #[must_use]
    pub fn began(&self) -> &[Pair] {
        &self.began
    }

    /// The pairs that touched at the update before the last, and no longer: in the same order.
    /// Colliders that were removed meanwhile are among them, by their stale ids.
    #[must_use]
    pub fn ended(&self) -> &[Pair] {
        &self.ended
    }

    /// Those of [`touching`](Self::touching) that touched at the update before as well, in the
    /// same order.
    pub fn stayed(&self) -> impl Iterator<Item = &Pair> {
        events::stayed(&self.touching, &self.began)
    }
}
