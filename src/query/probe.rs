//! Queries by a mask that is not in the world.

use crate::geom::{Point, Rect};
use crate::ids::ColliderId;
use crate::mask::MaskRef;
use crate::narrow::Accuracy;
use crate::narrow::motion::push_out;
use crate::query::filter::Filter;
use crate::query::search::Search;

/// A mask at a place of a world, without a collider. Made by [`World::probe`](crate::World::probe).
///
/// Offsets and radii are in mask pixels. The whole mask has to lie within the range of i32; pixels
/// beyond it meet nothing. The filter decides which colliders are met, and at which accuracy.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, Pivot, Point, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", Mask::solid(4, 4)?).to_bytes()?)?;
/// # let a = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let block = world.insert(a.at([2.0, 2.0]))?;
/// let mask = Mask::solid(2, 2)?;
/// let probe = world.probe(&mask, [3, 0]);
/// assert_eq!(probe.touching(Filter::ALL), [block]);
/// assert_eq!(probe.push_out(8, Filter::SOLID), Some(Point::new(1, 0)));
/// let (hit, _) = world.probe(&mask, [-9, 0]).cast([20, 0], Filter::SOLID).unwrap();
/// assert_eq!(hit, block);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Probe<'w> {
    pub(crate) search: Search<'w>,
    pub(crate) mask: MaskRef<'w>,
    /// The top-left pixel of the mask.
    pub(crate) at: Point,
}

impl Probe<'_> {
    /// Returns the colliders that share a pixel with the mask, in order of their indices.
    #[must_use]
    pub fn touching(&self, filter: Filter<'_>) -> Vec<ColliderId> {
        let Self { search, mask, at } = self;
        let bounds = mask.rect_at(*at);
        if filter.accuracy == Accuracy::Box {
            return search.all_near(bounds, filter, |id| {
                let Rect { x0, y0, x1, y1 } = search.scene.placed.slots.rect(id.slot());
                let side = |v: i32, at: i32| i64::from(v) - i64::from(at);
                mask.has_any([x0, x1].map(|x| side(x, at.x)), [y0, y1].map(|y| side(y, at.y)))
            });
        }
        let view = search.scene.view();
        search.all_near(bounds, filter, |id| {
            let seen = view.pixels(id.slot());
            seen.mask().touches(*mask, *at - seen.origin)
        })
    }

    /// Returns the shortest translation after which the mask touches no collider of the filter.
    /// Returns (0, 0) if it is free, and `None` if no free place lies within `radius`.
    ///
    /// Of equally short translations the one farthest up is returned, then the one farthest left.
    /// The result is exact: it leaves several overlaps at once and enters none. To place something
    /// new, ask with the mask at the preferred position.
    ///
    /// Costs time for every collider within `radius`, even if a free place is near. A longer search
    /// also tests each of those colliders on every row beside the mask. Use the smallest radius
    /// that will do.
    #[must_use]
    pub fn push_out(&self, radius: u32, filter: Filter<'_>) -> Option<Point> {
        // No collider can be farther away.
        let radius = radius.min(1 << 30);
        let around = self.mask.rect_at(self.at).grown(radius);
        let view = self.search.scene.view();
        let mut others = Vec::new();
        self.search.visit_filtered(around, filter, |id| {
            others.push(view.collider_view(id.slot(), filter.accuracy));
        });
        let others: Vec<_> = others.iter().map(|seen| seen.beside(self.at)).collect();
        push_out::out_of_all(self.mask, &others, radius)
    }
}
