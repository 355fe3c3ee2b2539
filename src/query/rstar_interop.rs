//! Boxes of colliders as objects of an `rstar` tree, for users with an index of their own over
//! things that rarely change.
//!
//! Compiled only with the feature `rstar`; the world itself does not use it. Invariants: envelopes
//! are closed, so boxes that only share an edge do not intersect.

use crate::geom::Rect;
use crate::ids::ColliderId;
use crate::scene::Scene;
use rstar::{AABB, RTree, RTreeObject};

/// Box of a collider, as an object for [`rstar::RTree`].
///
/// The envelope is closed, as in rstar: it spans from the first pixel inside to the last. Its
/// coordinates are i64, because rstar multiplies side lengths.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
/// use rstar::{AABB, RTreeObject};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "####\n####".parse()?).to_bytes()?)?;
/// # let card = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// world.insert(card.at([2.0, 1.0]))?;
/// let envelopes: Vec<_> = world.to_rtree().iter().map(|of| of.envelope()).collect();
/// assert_eq!(envelopes, [AABB::from_corners([0, 0], [3, 1])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColliderBox {
    /// Id of the collider.
    pub id: ColliderId,
    /// Tight box of the collider, in mask pixels; never empty.
    pub rect: Rect,
}

impl RTreeObject for ColliderBox {
    type Envelope = AABB<[i64; 2]>;

    // Inlined: without it, loading and joining boxes in rstar took 2x the time.
    #[inline]
    fn envelope(&self) -> Self::Envelope {
        let Rect { x0, y0, x1, y1 } = self.rect;
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

/// Returns the present boxes of all enabled colliders with pixels.
pub(crate) fn to_rtree(scene: &Scene) -> RTree<ColliderBox> {
    let enabled = scene.placed.iter().filter(|(_, collider)| collider.enabled);
    let rect = |id| scene.placed.rect(id);
    let boxes = enabled.filter_map(|(id, _)| Some(ColliderBox { id, rect: rect(id)? }));
    RTree::bulk_load(boxes.collect())
}
