//! Details between colliders: hits and grazes, and overlapping planes.
//!
//! Called by users through `World`. Invariants: pixels decide, and answers are sorted, so they do
//! not depend on the order of candidates.

use crate::atlas::SpriteId;
use crate::narrow::Graze;
use crate::raster::{Posed, PosedRef};
use crate::world::state::appearance::{Appearance, Appearances};
use crate::world::state::placement::snap;
use crate::world::state::slots::Slots;
use crate::world::state::view::WorldView;
use crate::world::{ColliderId, Filter, Pair, Shape, World};

impl World {
    /// Returns the colliders that another one hits or grazes. These are the colliders of the filter
    /// with a set pixel within `radius` mask pixels of one of its own. Distances are from pixel
    /// centre to pixel centre.
    ///
    /// The result is in order of indices, for the current placements. It is empty if `id` is stale
    /// or disabled, or has no pixels. A radius of 0 finds only hits.
    ///
    /// The filter alone selects the candidates, and `id` itself is excluded. Costs one search of
    /// the index, plus one [`Mask::graze`](crate::Mask::graze) per collider whose box is near
    /// enough.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, Filter, Graze, Mask, World};
    /// # let bytes = Bake::new().mask("ship", "####\n####".parse()?).mask("shot", Mask::disc(0)?);
    /// # let atlas = Atlas::from_vec(bytes.to_bytes()?)?;
    /// # let [ship, shot] = ["ship", "shot"].map(|name| atlas.sprite_id(name).unwrap());
    /// # let mut world = World::new(atlas);
    /// let ship = world.insert(Collider::new(ship))?;
    /// let near = world.insert(Collider::new(shot).at([0.0, 4.0]))?;
    /// let far = world.insert(Collider::new(shot).at([0.0, 40.0]))?;
    /// assert_eq!(world.graze(ship, 8, Filter::ALL), [(near, Graze::Graze)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn graze(&self, id: ColliderId, radius: u32, filter: Filter) -> Vec<(ColliderId, Graze)> {
        let Some(slot) = self.enabled_slot(id) else { return Vec::new() };
        let rect = self.slots.rect(slot);
        if rect.is_empty() {
            return Vec::new();
        }
        let view = self.view();
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

impl World {
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
    /// # use hitmask::{Atlas, Bake, Collider, Mask, Pair, World};
    /// let [edge, hilt] = ["..##", "##.."].map(|art| art.parse::<Mask>().unwrap());
    /// let [body, shield] = [".##.", "...#"].map(|art| art.parse::<Mask>().unwrap());
    /// let bake = Bake::new()
    ///     .planes("sword", ["edge", "hilt"], [vec![edge, hilt]])?
    ///     .planes("ogre", ["body", "shield"], [vec![body, shield]])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let [sword, ogre] = ["sword", "ogre"].map(|name| atlas.sprite_id(name).unwrap());
    /// let mut world = World::new(atlas);
    /// let a = world.insert(Collider::new(sword))?;
    /// let b = world.insert(Collider::new(ogre))?;
    /// // The edge overlaps the body and the shield; the hilt overlaps only the body.
    /// assert_eq!(world.overlapping_planes(&Pair { a, b }), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn overlapping_planes(&self, pair: &Pair) -> Vec<[u32; 2]> {
        let (Some(a), Some(b)) = (self.enabled_slot(pair.a), self.enabled_slot(pair.b)) else {
            return Vec::new();
        };
        let view = self.view();
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

/// A plane of a collider.
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

impl<'w> WorldView<'w> {
    /// Returns the planes of the collider in this slot, in order. Draws those that no collider
    /// shows.
    fn planes(&self, slot: usize) -> Vec<Plane<'w>> {
        let shown = self.appearances.get(self.slots.appearances[slot]);
        let Shape::Sprite(sprite) = shown.shape else {
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
