//! Details between colliders: hits and grazes, and overlapping planes.
//!
//! Called by the world. Invariants: pixels decide, and answers are sorted, so they do
//! not depend on the order of candidates.

use crate::atlas::SpriteId;
use crate::narrow::Graze;
use crate::query::{Filter, PairRef, Search};
use crate::raster::{Posed, PosedRef};
use crate::scene::Appearances;
use crate::scene::SceneView;
use crate::scene::collider::Appearance;
use crate::scene::placement::snap;
use crate::scene::slots::Slots;
use crate::scene::{ColliderId, ColliderShape};

impl Search<'_> {
    /// Returns colliders with a pixel within `radius` mask pixels of one of another's.
    pub(crate) fn graze(
        &self,
        id: ColliderId,
        radius: u32,
        filter: Filter<'_>,
    ) -> Vec<(ColliderId, Graze)> {
        let Some(slot) = self.scene.enabled_slot(id) else { return Vec::new() };
        let rect = self.scene.slots.rect(slot);
        if rect.is_empty() {
            return Vec::new();
        }
        let view = self.scene.view();
        let own = view.pixels(slot);
        let mut found = Vec::new();
        self.visit_filtered(rect.grown(radius), filter, |other| {
            let met = view.collider_view(other.slot(), filter.accuracy);
            let (theirs, offset) = met.beside(own.origin);
            let graze = own.mask().graze(theirs, offset, radius);
            if other != id && graze != Graze::Clear {
                found.push((other, graze));
            }
        });
        found.sort_unstable_by_key(|(other, _)| *other);
        found
    }
}

impl PairRef<'_> {
    /// Returns the planes of the two that share pixels. Each entry is a plane of the first and a plane
    /// of the second; entries are sorted.
    ///
    /// Every plane of the shown frames is tested, at the shown pose and flip. A runtime mask has
    /// the single plane 0. The result is empty if no planes overlap, or if a collider is disabled.
    /// Accuracies are not used. Costs one test of two masks per pair of planes with overlapping boxes.
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
    /// assert_eq!(world.pair([a, b]).unwrap().planes(), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn planes(&self) -> Vec<[u32; 2]> {
        let Some([a, b]) = self.enabled() else { return Vec::new() };
        let view = self.scene().view();
        let (firsts, seconds) = (view.planes(a), view.planes(b));
        let mut met = Vec::new();
        for (i, first) in (0..).zip(firsts.iter().map(Plane::posed)) {
            for (j, second) in (0..).zip(seconds.iter().map(Plane::posed)) {
                if first.mask.touches(second.mask, second.origin - first.origin) {
                    met.push([i, j]);
                }
            }
        }
        met
    }
}

enum Plane<'w> {
    Stored(PosedRef<'w>),
    /// A pose that no collider shows, of an undrawn atlas.
    Drawn(Posed),
}

impl Plane<'_> {
    fn posed(&self) -> PosedRef<'_> {
        match self {
            Self::Stored(posed) => *posed,
            Self::Drawn(posed) => posed.as_ref(),
        }
    }
}

impl<'w> SceneView<'w> {
    /// Returns the planes of a collider in order, drawn if no collider shows them.
    fn planes(&self, slot: usize) -> Vec<Plane<'w>> {
        let shown = self.appearances.get(self.slots.appearances[slot]);
        let ColliderShape::Sprite(sprite) = shown.shape else {
            return vec![Plane::Stored(self.posed(slot))];
        };
        let plane = |plane| {
            let shown = Appearance { plane, ..*shown };
            let source = Appearances::mask_source_of(self.atlas, self.atlases, &shown).ok()?;
            let stored = self.posed_as(slot, source);
            stored.map(Plane::Stored).or_else(|| self.drawn_plane(slot, sprite, &shown))
        };
        (0..).map_while(plane).collect()
    }

    /// Draws a plane of the collider in this slot at its pose.
    fn drawn_plane(&self, slot: usize, sprite: SpriteId, shown: &Appearance) -> Option<Plane<'w>> {
        let Slots { positions, angles, scales, .. } = self.slots;
        let sprite = self.atlases.sprite(sprite)?.in_plane(shown.plane)?;
        let pose = sprite.nearest(angles[slot], scales[slot])?;
        let posed = sprite.draw(shown.frame, pose, shown.flip)?;
        let lattice = snap(positions[slot], self.records.resolution().value())?;
        Some(Plane::Drawn(Posed { origin: posed.origin + lattice, ..posed }))
    }
}
