//! How two colliders meet: hit or graze, and which of their planes overlap.

use crate::atlas::Wanted;
use crate::narrow::Graze;
use crate::raster::PosedRef;
use crate::world::state::appearance::Appearance;
use crate::world::state::placement::MaskSource;
use crate::world::state::view::WorldView;
use crate::world::{ColliderId, Filter, Pair, Shape, World};

impl World {
    /// Whom a collider hits and whom it only grazes: everybody of the filter who has a set pixel
    /// within `radius` pixels of one of its own, from centre to centre, and which of the two it is.
    /// In order of ids' indices, as they are placed now. Nobody where `id` is no longer in the
    /// world or has no pixel; with a radius of 0 only those that are hit.
    ///
    /// Pixels decide, whatever accuracy the colliders ask for; the filter alone says whom it is
    /// about, and `id` itself is left out. One search of the index, then for each whose box is so
    /// near one [`MaskRef::graze`](crate::MaskRef::graze), which says what it costs.
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
        let Some(slot) = self.slots.find(id) else { return Vec::new() };
        let rect = self.slots.rect(slot);
        if rect.is_empty() {
            return Vec::new();
        }
        let view = self.view();
        let us = view.pixels(slot);
        let mut found = Vec::new();
        self.visit_filtered(rect.grown(radius), filter, |other| {
            let met = view.collider_view(other.slot(), filter.accuracy);
            let (theirs, offset) = met.beside(us.origin);
            let graze = us.mask().graze(theirs, offset, radius);
            if other != id && graze != Graze::Clear {
                found.push((other, graze));
            }
        });
        found.sort_unstable_by_key(|(other, _)| *other);
        found
    }
}

impl World {
    /// Which planes of two colliders share pixels as they are placed now: a plane of the first and
    /// one of the second, in order. All planes of their sprites' frames are looked at, at the poses
    /// and flips they show, whichever they show; a mask made at run time is its own plane 0. Empty
    /// where none meet, or where one of the two is no longer in the world.
    ///
    /// Layers, accuracies and least overlaps are not asked: the pair is yours, from
    /// [`touching`](Self::touching), [`touching_with`](Self::touching_with) or anywhere else. Costs one
    /// test of two masks for each pair of planes whose boxes overlap.
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
    /// // The edge meets the body and the shield; the hilt the body alone.
    /// assert_eq!(world.overlapping_planes(&Pair { a, b }), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn overlapping_planes(&self, pair: &Pair) -> Vec<[u32; 2]> {
        let (Some(a), Some(b)) = (self.slots.find(pair.a), self.slots.find(pair.b)) else {
            return Vec::new();
        };
        let view = self.view();
        let (firsts, seconds) = (view.planes(a), view.planes(b));
        let mut met = Vec::new();
        for (i, first) in (0..).zip(&firsts) {
            for (j, second) in (0..).zip(&seconds) {
                if first.mask.touches(second.mask, second.origin - first.origin) {
                    met.push([i, j]);
                }
            }
        }
        met
    }
}

impl<'w> WorldView<'w> {
    /// The planes of the collider in this slot, in order.
    fn planes(&self, slot: usize) -> Vec<PosedRef<'w>> {
        let Appearance { shape, frame, flip, .. } =
            *self.appearances.get(self.slots.appearances[slot]);
        let Shape::Sprite(sprite) = shape else { return vec![self.posed(slot)] };
        let plane = |plane| {
            let cast = self.records.cast(&Wanted { sprite, frame, plane, flip });
            Some(self.posed_as(slot, MaskSource::Atlas(cast.ok()?)))
        };
        (0..).map_while(plane).collect()
    }
}
