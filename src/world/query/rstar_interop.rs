//! Boxes of colliders as rstar takes them, for those who keep an index of their own over things
//! that rarely change. Only with the feature `rstar`; the world itself does not use it.

use crate::geom::Rect;
use crate::world::{ColliderId, World};
use rstar::{AABB, RTree, RTreeObject};

/// A collider's box, for an [`rstar::RTree`].
///
/// The envelope is closed, as rstar's are: from the first pixel inside to the last. In i64, because
/// rstar multiplies sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColliderBox {
    /// Whose box it is.
    pub id: ColliderId,
    /// Its box in mask pixels; never empty.
    pub rect: Rect,
}

impl ColliderBox {
    /// The closed envelope of the pixels of `rect`, which is not empty.
    #[must_use]
    #[inline]
    pub fn envelope_of(rect: Rect) -> AABB<[i64; 2]> {
        let Rect { x0, y0, x1, y1 } = rect;
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

impl RTreeObject for ColliderBox {
    type Envelope = AABB<[i64; 2]>;

    // In rstar's loops a call took as long as all the rest: boxes twice as long to load and join.
    #[inline]
    fn envelope(&self) -> Self::Envelope {
        Self::envelope_of(self.rect)
    }
}

impl World {
    /// An index of the boxes of all colliders that have a pixel, as they are placed now. It does
    /// not follow them when they move.
    #[must_use]
    pub fn to_rtree(&self) -> RTree<ColliderBox> {
        let boxes =
            self.iter().filter_map(|(id, _)| Some(ColliderBox { id, rect: self.rect(id)? }));
        RTree::bulk_load(boxes.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atlas, Bake, Collider, Mask};

    #[test]
    fn the_index_holds_the_box_of_every_collider_that_has_a_pixel() {
        let dot: Mask = "##\n##\n".parse().unwrap();
        let bake = Bake::new().mask("dot", dot).mask("empty", "".parse().unwrap());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let [dot, empty] = ["dot", "empty"].map(|name| atlas.sprite_id(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(dot).at([4.0, 4.0])).unwrap();
        world.insert(Collider::new(empty).at([4.0, 4.0])).unwrap();
        let b = world.insert(Collider::new(dot).at([9.0, 4.0])).unwrap();
        let tree = world.to_rtree();
        assert_eq!(tree.size(), 2);
        let edge = world.rect(a).unwrap();
        // Touching is not overlapping, which closed envelopes must not forget.
        let beside = Rect::new(edge.x1, edge.y0, edge.x1 + 3, edge.y1);
        let near = |rect| {
            let found = tree.locate_in_envelope_intersecting(ColliderBox::envelope_of(rect));
            found.map(|found| found.id).collect::<Vec<_>>()
        };
        assert_eq!((near(edge), near(beside)), (vec![a], vec![]));
        assert_eq!(near(world.rect(b).unwrap()), [b]);
    }
}
