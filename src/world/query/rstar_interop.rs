//! Boxes of colliders as objects of an `rstar` tree, for users with an index of their own over
//! things that rarely change.
//!
//! Compiled only with the feature `rstar`; the world itself does not use it. Invariants: envelopes
//! are closed, so boxes that only share an edge do not intersect.

use crate::geom::Rect;
use crate::world::{ColliderId, World};
use rstar::{AABB, RTree, RTreeObject};

/// Box of a collider, as an object for [`rstar::RTree`].
///
/// The envelope is closed, as in rstar: it spans from the first pixel inside to the last. Its
/// coordinates are i64, because rstar multiplies side lengths.
///
/// ```
/// use hitmask::{ColliderBox, Rect};
///
/// let envelope = ColliderBox::envelope_of(Rect::new(0, 0, 4, 2));
/// assert_eq!(envelope, rstar::AABB::from_corners([0, 0], [3, 1]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColliderBox {
    /// Id of the collider.
    pub id: ColliderId,
    /// Tight box of the collider, in mask pixels; never empty.
    pub rect: Rect,
}

impl ColliderBox {
    /// Returns the closed envelope of the pixels of `rect`, which must not be empty.
    #[must_use]
    #[inline]
    pub fn envelope_of(rect: Rect) -> AABB<[i64; 2]> {
        let Rect { x0, y0, x1, y1 } = rect;
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

impl RTreeObject for ColliderBox {
    type Envelope = AABB<[i64; 2]>;

    // Inlined: without it, loading and joining boxes in rstar took 2x the time.
    #[inline]
    fn envelope(&self) -> Self::Envelope {
        Self::envelope_of(self.rect)
    }
}

impl World {
    /// Returns an index of the boxes of all enabled colliders with pixels, at their current placements. The
    /// index does not follow later moves.
    #[must_use]
    pub fn to_rtree(&self) -> RTree<ColliderBox> {
        let enabled = self.iter().filter(|(_, collider)| collider.enabled);
        let boxes = enabled.filter_map(|(id, _)| Some(ColliderBox { id, rect: self.rect(id)? }));
        RTree::bulk_load(boxes.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atlas, AtlasBuilder, Collider, Mask};

    #[test]
    fn the_index_holds_the_box_of_every_collider_that_has_a_pixel() {
        let dot: Mask = "##\n##\n".parse().unwrap();
        let bake = AtlasBuilder::new().mask("dot", dot).mask("empty", "".parse().unwrap());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let [dot, empty] = ["dot", "empty"].map(|name| atlas.sprite_id(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(dot).at([4.0, 4.0])).unwrap();
        world.insert(Collider::new(empty).at([4.0, 4.0])).unwrap();
        let b = world.insert(Collider::new(dot).at([9.0, 4.0])).unwrap();
        let tree = world.to_rtree();
        assert_eq!(tree.size(), 2);
        let edge = world.rect(a).unwrap();
        // Boxes that share an edge do not overlap; closed envelopes must preserve that.
        let beside = Rect::new(edge.x1, edge.y0, edge.x1 + 3, edge.y1);
        let near = |rect| {
            let found = tree.locate_in_envelope_intersecting(ColliderBox::envelope_of(rect));
            found.map(|found| found.id).collect::<Vec<_>>()
        };
        assert_eq!((near(edge), near(beside)), (vec![a], vec![]));
        assert_eq!(near(world.rect(b).unwrap()), [b]);
    }
}
