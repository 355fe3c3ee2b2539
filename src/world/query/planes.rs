//! Which plane of one collider meets which of another.

use crate::atlas::Wanted;
use crate::raster::PosedRef;
use crate::world::state::appearance::Look;
use crate::world::state::placement::Model;
use crate::world::step::pair_test::View;
use crate::world::{Pair, Shape, World};

impl World {
    /// Which planes of two colliders share pixels as they are placed now: a plane of the first and
    /// one of the second, in order. All planes of their sprites' frames are looked at, at the poses
    /// and flips they show, whichever they show; a mask made at run time is its own plane 0. Empty
    /// where none meet, or where one of the two is no longer in the world.
    ///
    /// Layers, accuracies and least overlaps are not asked: the pair is yours, from
    /// [`touching`](Self::touching), [`touched_by`](Self::touched_by) or anywhere else. Costs one
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
    /// let [sword, ogre] = ["sword", "ogre"].map(|name| atlas.sprite(name).unwrap());
    /// let mut world = World::new(atlas);
    /// let a = world.insert(Collider::new(sword))?;
    /// let b = world.insert(Collider::new(ogre))?;
    /// // The edge meets the body and the shield; the hilt the body alone.
    /// assert_eq!(world.planes_met(&Pair { a, b }), [[0, 0], [0, 1], [1, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn planes_met(&self, pair: &Pair) -> Vec<[u32; 2]> {
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

impl<'w> View<'w> {
    /// The planes of the collider in this slot, in order.
    fn planes(&self, slot: usize) -> Vec<PosedRef<'w>> {
        let Look { shape, frame, flip_x, flip_y, .. } = *self.looks.get(self.slots.looks[slot]);
        let Shape::Sprite(sprite) = shape else { return vec![self.posed(slot)] };
        let plane = |plane| {
            let cast = self.records.cast(&Wanted { sprite, frame, plane, flip_x, flip_y });
            Some(self.posed_as(slot, Model::Baked(cast.ok()?)))
        };
        (0..).map_while(plane).collect()
    }
}
