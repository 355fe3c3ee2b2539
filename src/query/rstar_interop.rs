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

/// Returns the present boxes of all enabled colliders with pixels.
pub(crate) fn to_rtree(scene: &Scene) -> RTree<ColliderBox> {
    let enabled = scene.placed.iter().filter(|(_, collider)| collider.enabled);
    let rect = |id| scene.placed.rect(id);
    let boxes = enabled.filter_map(|(id, _)| Some(ColliderBox { id, rect: rect(id)? }));
    RTree::bulk_load(boxes.collect())
}
