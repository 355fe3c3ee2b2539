//! Updates of a world, the pairs of the last one, and pairs at the current placements.

use crate::ids::ColliderId;
use crate::narrow::Contact;
use crate::query::{Bodies, PairRef};
use crate::save::validate_some;
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
        self.check_search();
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
    pub fn update_with(&mut self, mut keep: impl FnMut(&PairRef<'_>) -> bool) {
        self.check_search();
        self.updater
            .update_filtered(&mut self.scene, |scene, pair| keep(&PairRef::new(scene, *pair)));
    }

    /// As [`update`](Self::update), with the time of each stage. The work is the same, but for two
    /// readings of the clock per 1,000 pairs with overlapping boxes.
    pub fn update_timed(&mut self) -> UpdateTimings {
        self.check_search();
        let mut timings = UpdateTimings::default();
        self.updater.update(&mut self.scene, Some(&mut timings));
        timings
    }

    /// Checks in debug builds that the search of this tick finds its colliders.
    fn check_search(&self) {
        debug_assert_eq!(validate_some(self.search()), Ok(()), "a defect of hitmask");
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
    /// The list borrows the world. A loop that changes the world takes a copy: `world.began().to_vec()`.
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

    /// Returns the view of bodies: colliders of one [owner](crate::Collider::owner), and which of
    /// them touch.
    #[must_use]
    pub const fn bodies(&self) -> Bodies<'_> {
        Bodies { search: self.search(), pairs: &self.updater.pairs }
    }
}

/// # Pairs at the current placements
impl World {
    /// Returns the view of two colliders, for their contact, overlap, distance, sides and planes.
    /// Returns `None` if one of them has been removed. The pair may be one of
    /// [`touching`](Self::touching) or any two ids, `[a, b]`.
    #[must_use]
    pub fn pair(&self, pair: impl Into<Pair>) -> Option<PairRef<'_>> {
        PairRef::of(&self.scene, pair.into())
    }

    /// Returns the overlap of two colliders at their current placement, in mask pixels:
    /// [`PairRef::contact`]. Returns `None` if they do not overlap, or if one of them is disabled or
    /// has been removed. Ignores layers; one pixel is enough.
    #[must_use]
    pub fn contact(&self, pair: impl Into<Pair>) -> Option<Contact> {
        self.scene.contact(&pair.into())
    }

    /// Returns the colliders that touch `id` at the current placements, by the rules of
    /// [`update`](Self::update): layers, accuracies and `min_overlap` of both.
    ///
    /// Pairs of two fixed colliders count here. A stale or disabled `id` gives none.
    #[must_use]
    pub fn touching_with(&self, id: ColliderId) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.search().touching_with_into(id, &mut found);
        found
    }

    /// Returns the pairs of a collider of `group` and one of `others` that touch at the current
    /// placements, by the rules of [`touching_with`](Self::touching_with). Each pair is returned
    /// once, in order. Stale ids are in no pair.
    #[must_use]
    pub fn touching_between(&self, group: &[ColliderId], others: &[ColliderId]) -> Vec<Pair> {
        self.search().touching_between(group, others)
    }
}
