//! Updates of a world, and the pairs of the last one.

use crate::query::{BodyPair, BodySearch, PairContact};
use crate::scene::Pair;
use crate::update::UpdateTimings;
use crate::world::World;

/// # Updates and their events
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
        self.updater.update(&mut self.scene, None);
    }

    /// As [`update`](Self::update), with a filter. Calls `keep` for each touching pair, in order. A
    /// pair that is refused does not touch in this update, so it neither begins nor stays. The update
    /// after a refusal tests all pairs.
    ///
    /// The filter sees the colliders and the contact of each pair: its side, normal, box and pixels.
    /// Questions that `keep` does not ask cost nothing. A side or a normal costs about 5 times an
    /// [`overlap_area`](crate::MaskRef::overlap_area).
    ///
    /// If `keep` panics, the world keeps the touching pairs of the last update, without events. The
    /// next update is right, and its events tell what has changed since the last one that ended.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", Mask::solid(8, 8)?).to_bytes()?)?;
    /// # let block = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// use hitmask::Side;
    /// let hero = world.insert(block)?;
    /// let wall = world.insert(block.at([7.0, 1.0]))?;
    /// let floor = world.insert(block.at([1.0, 7.0]))?;
    /// // Passes through walls.
    /// let is_wall = |side| matches!(side, Some(Side::Left | Side::Right));
    /// world.update_with(|touch| !is_wall(touch.side_of(hero)));
    /// assert_eq!(world.touching_with(hero), [wall, floor]);
    /// assert!(world.began().iter().all(|pair| (pair.a, pair.b) != (hero, wall)));
    /// // Sprites of one kind do not collide.
    /// world.update_with(|touch| {
    ///     let [a, b] = touch.colliders();
    ///     a.shape != b.shape
    /// });
    /// assert!(world.touching().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_with(&mut self, mut keep: impl FnMut(&PairContact<'_>) -> bool) {
        self.updater
            .update_filtered(&mut self.scene, |scene, pair| keep(&PairContact::new(scene, *pair)));
    }

    /// As [`update`](Self::update), with the time of each stage. The work is the same, but for two
    /// readings of the clock per 1,000 pairs with overlapping boxes.
    pub fn update_timed(&mut self) -> UpdateTimings {
        let mut timings = UpdateTimings::default();
        self.updater.update(&mut self.scene, Some(&mut timings));
        timings
    }

    /// Tests whether the pairs are those of an update. A new world has none yet. A clone or a
    /// restored snapshot counts as updated if its world was.
    #[must_use]
    pub const fn is_updated(&self) -> bool {
        self.updater.pairs.is_updated
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
            self.is_updated() || self.is_empty(),
            "World::touching was called before World::update: no pair is known yet; call \
             World::update once per tick"
        );
        &self.updater.pairs.touching
    }

    /// Returns the pairs of [`touching`](Self::touching) that did not touch at the update before,
    /// in the same order. Empty before the first update.
    ///
    /// The list borrows the world. A loop that changes the world takes a copy of it:
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let coin = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// # let _ = (world.insert(coin)?, world.insert(coin)?);
    /// world.update();
    /// for pair in world.began().to_vec() {
    ///     world.remove(pair.b);
    /// }
    /// # assert_eq!(world.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn began(&self) -> &[Pair] {
        &self.updater.pairs.began
    }

    /// Returns the pairs that touched at the update before the last, and no longer touch, in the
    /// same order. They include colliders that have been removed, by their stale ids. Empty before
    /// the first update.
    #[must_use]
    pub fn ended(&self) -> &[Pair] {
        &self.updater.pairs.ended
    }

    /// Returns the pairs of [`touching`](Self::touching) that also touched at the update before, in
    /// the same order. Empty before the first update.
    pub fn stayed(&self) -> impl Iterator<Item = &Pair> {
        self.updater.pairs.stayed()
    }

    /// Returns the pairs of bodies that touched at the last [`update`](Self::update), each once, in
    /// order of their bodies.
    ///
    /// Costs a sort of all touching pairs.
    #[must_use]
    pub fn touching_bodies(&self) -> Vec<BodyPair> {
        self.bodies().touching_bodies()
    }

    /// Returns the pairs of [`touching_bodies`](Self::touching_bodies) that did not touch at the
    /// update before: of each, the first pair of parts has begun to touch.
    ///
    /// A part that changes its owner belongs to another body from the next update on. Costs a sort
    /// and a hash table of all touching pairs.
    #[must_use]
    pub fn began_bodies(&self) -> Vec<BodyPair> {
        self.bodies().began_bodies()
    }

    /// Returns the pairs of bodies that touched at the update before the last, and no longer touch.
    /// The last pair of parts of each has ended. `parts` are those that touched then, and their ids
    /// may be stale.
    ///
    /// The cost is that of [`began_bodies`](Self::began_bodies).
    #[must_use]
    pub fn ended_bodies(&self) -> Vec<BodyPair> {
        self.bodies().ended_bodies()
    }

    const fn bodies(&self) -> BodySearch<'_> {
        BodySearch { scene: &self.scene, pairs: &self.updater.pairs }
    }
}
