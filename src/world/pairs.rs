//! Questions about single pairs and bodies of a world, at the current placements.

use crate::narrow::{Accuracy, Contact, Overlap};
use crate::query::{ContactAt, PairContact, distance, overlapping_planes};
use crate::scene::{ColliderId, Pair};
use crate::world::World;

/// # Two colliders: contacts, overlaps and distances
impl World {
    /// Returns the overlap of two colliders at their current placement, in mask pixels. Returns
    /// `None` if they do not overlap, or if one of them is disabled or has been removed. Ignores
    /// layers; one pixel is enough. The pair may be one of [`touching`](Self::touching) or any two
    /// ids, `[a, b]`.
    ///
    /// At [`Accuracy::Coarse`] two sprites with coarse levels count as filled boxes, unless the levels
    /// prove that they do not touch. At [`Accuracy::Box`] they always count as filled boxes. The
    /// contact of two such sprites is the intersection of their boxes, with its area and its top-left
    /// pixel. [`DecidedBy`](crate::DecidedBy) describes pairs of different accuracies.
    #[must_use]
    pub fn contact(&self, pair: impl Into<Pair>) -> Option<Contact> {
        self.scene.contact(&pair.into())
    }

    /// Returns the contact of two colliders at an accuracy chosen for this call, and the level that
    /// was used. Returns `None` if an id is stale or a collider is disabled.
    ///
    /// For a factor, give [`Accuracy::from_factor`]. The accuracies of the colliders and the world
    /// are not used. Ignores layers; one pixel is enough.
    #[must_use]
    pub fn contact_at(&self, pair: impl Into<Pair>, accuracy: Accuracy) -> Option<ContactAt> {
        ContactAt::of(&self.scene, &pair.into(), accuracy)
    }

    /// Returns the contact of two colliders at their present placements, such as a pair of
    /// [`began`](Self::began). Returns `None` if they do not overlap by their accuracies, as in
    /// [`contact`](Self::contact).
    #[must_use]
    pub fn pair_contact(&self, pair: impl Into<Pair>) -> Option<PairContact<'_>> {
        PairContact::of(&self.scene, &pair.into())
    }

    /// Returns the details of the overlap of two colliders' pixels at their current placements, in
    /// mask pixels. Returns `None` if they share no pixel, if one is disabled, or if an id is stale.
    /// Accuracies are not used.
    #[must_use]
    pub fn overlap(&self, pair: impl Into<Pair>) -> Option<Overlap<'_>> {
        self.scene.overlap(&pair.into())
    }

    /// Returns the planes of two colliders that share pixels at their current placements. Each
    /// entry is a plane of the first and a plane of the second; entries are sorted.
    ///
    /// Every plane of the shown frames is tested, at the shown pose and flip. A runtime mask has
    /// the single plane 0. The result is empty if no planes overlap, or if an id is stale or
    /// disabled.
    ///
    /// Layers, accuracies and `min_overlap` are ignored, so the pair may come from any source.
    /// Costs one test of two masks per pair of planes with overlapping boxes.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
    /// let [edge, hilt] = ["..##", "##.."].map(|art| art.parse::<Mask>().unwrap());
    /// let [body, shield] = [".##.", "...#"].map(|art| art.parse::<Mask>().unwrap());
    /// let bake = AtlasBuilder::new()
    ///     .planes("sword", ["edge", "hilt"], [vec![edge, hilt]])?
    ///     .planes("ogre", ["body", "shield"], [vec![body, shield]])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let [sword, ogre] = ["sword", "ogre"].map(|name| atlas.sprite_id(name).unwrap());
    /// let mut world = World::new(atlas);
    /// let a = world.insert(Collider::new(sword))?;
    /// let b = world.insert(Collider::new(ogre))?;
    /// // The edge overlaps the body and the shield; the hilt overlaps only the body.
    /// assert_eq!(world.overlapping_planes([a, b]), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn overlapping_planes(&self, pair: impl Into<Pair>) -> Vec<[u32; 2]> {
        overlapping_planes(&self.scene, &pair.into())
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

    /// Returns the distance between the nearest pixels of two colliders, from centre to centre, in
    /// units of positions. Returns `None` if an id is stale, or a collider is disabled or has no
    /// pixels.
    #[must_use]
    pub fn distance(&self, a: ColliderId, b: ColliderId) -> Option<f64> {
        distance(&self.scene, a, b)
    }

    /// Returns the colliders of an [owner](crate::Collider::owner), in order of their indices, disabled
    /// ones included. Owner 0 has none.
    ///
    /// Costs one search of an index of the owned colliders, whatever the size of the world. The
    /// index takes about 12 bytes for each of them.
    #[must_use]
    pub fn parts_of(&self, owner: u32) -> Vec<ColliderId> {
        self.scene.placed.parts_of(owner).collect()
    }
}
