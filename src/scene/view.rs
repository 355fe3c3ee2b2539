//! A read-only view of the scene: one collider as the kernels take it.
//!
//! The batch kernels test most pairs of sprites. All other pairs, contacts, queries and motions use
//! this module, one collider at a time.

use crate::atlas::Records;
use crate::geom::Point;
use crate::ids::ColliderId;
use crate::mask::{Mask, MaskPool, MaskRef};
use crate::narrow::{Accuracy, Overlap};
use crate::pose;
use crate::raster::PosedRef;
use crate::scene::placed::{Placed, Slots};
use crate::scene::placement::snap;
use crate::scene::stock::{MaskSource, Stock};
use crate::scene::{Pair, Scene};

#[derive(Debug)]
pub(crate) struct ColliderView<'w> {
    mask: ColliderMask<'w>,
    pub(crate) origin: Point,
}

#[derive(Debug)]
enum ColliderMask<'w> {
    /// The collider's mask, without its coarse levels.
    Pixels(MaskRef<'w>),
    /// The collider's box, filled.
    Filled(Mask),
}

// Inlined: one wide load right after several narrow stores defeats store forwarding.
impl ColliderView<'_> {
    #[inline(always)]
    pub(crate) fn mask(&self) -> MaskRef<'_> {
        match &self.mask {
            ColliderMask::Pixels(mask) => *mask,
            ColliderMask::Filled(mask) => mask.as_ref(),
        }
    }

    /// Returns the mask, and its top-left pixel relative to a point.
    #[inline(always)]
    pub(crate) fn beside(&self, at: Point) -> (MaskRef<'_>, Point) {
        (self.mask(), self.origin - at)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SceneView<'w> {
    pub(crate) stock: &'w Stock,
    pub(crate) placed: &'w Placed,
    pub(crate) records: Records<'w>,
    /// The words of all poses.
    words: &'w [u64],
    /// The finest accuracy of pair tests.
    pub(crate) accuracy: Accuracy,
}

impl Scene {
    pub(crate) fn view(&self) -> SceneView<'_> {
        let Self { stock, placed, accuracy, .. } = self;
        let records = stock.atlas.records();
        let words = stock.poses.words(&records);
        SceneView { stock, placed, records, words, accuracy: *accuracy }
    }

    pub(crate) fn posed(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        self.placed.slots.find(id).map(|slot| self.view().posed(slot))
    }

    pub(crate) fn overlap(&self, pair: &Pair) -> Option<Overlap<'_>> {
        let [a, b] = [self.enabled_mask(pair.a)?, self.enabled_mask(pair.b)?];
        let is_reversed = pair.a.slot() > pair.b.slot();
        Some(Overlap::new((a.mask, a.origin), (b.mask, b.origin))?.reversed(is_reversed))
    }

    /// Returns the posed mask of an enabled collider; `None` for a stale id or a disabled collider.
    pub(crate) fn enabled_mask(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        self.placed.enabled_slot(id).map(|slot| self.view().posed(slot))
    }
}

impl<'w> SceneView<'w> {
    /// Returns the view at an accuracy: the box at [`Accuracy::Box`], else the pixels.
    pub(crate) fn collider_view(&self, slot: usize, accuracy: Accuracy) -> ColliderView<'w> {
        if accuracy != Accuracy::Box {
            return self.pixels(slot);
        }
        let rect = self.placed.slots.rect(slot);
        // A tight box is no larger than its mask.
        let mask = Mask::full(rect.width(), rect.height());
        ColliderView { mask: ColliderMask::Filled(mask), origin: Point::new(rect.x0, rect.y0) }
    }

    /// Returns the view of the collider in this slot for moves, as mover or as obstacle.
    pub(crate) fn move_view(&self, slot: usize) -> ColliderView<'w> {
        let accuracy = self.placed.appearance(slot).move_accuracy;
        self.collider_view(slot, accuracy.unwrap_or_else(|| self.accuracy(slot)))
    }

    /// Returns the view at an accuracy; without one, that for moves.
    pub(crate) fn view_in_motion(
        &self,
        slot: usize,
        accuracy: Option<Accuracy>,
    ) -> ColliderView<'w> {
        match accuracy {
            Some(accuracy) => self.collider_view(slot, accuracy),
            None => self.move_view(slot),
        }
    }

    /// Returns the pixels, faster than [`posed`](Self::posed), without a look-up of the pose.
    #[inline(always)]
    pub(crate) fn pixels(&self, slot: usize) -> ColliderView<'w> {
        let placed = self.placed.slots.placed(slot);
        if let Some(mask) = placed.mask(self.words) {
            return ColliderView { mask: ColliderMask::Pixels(mask), origin: placed.origin() };
        }
        let PosedRef { mask, origin, .. } = self.posed(slot);
        ColliderView { mask: ColliderMask::Pixels(mask), origin }
    }

    pub(crate) fn posed(&self, slot: usize) -> PosedRef<'w> {
        let nothing = PosedRef { mask: MaskRef::empty(), origin: Point::default(), pivot2: [0; 2] };
        let source = self.placed.appearances.source(self.placed.slots.appearances[slot]);
        // The pose of every collider is drawn.
        self.posed_as(slot, source).unwrap_or(nothing)
    }

    /// Returns the posed mask with masks from `source`; `None` if its pose is not drawn.
    pub(crate) fn posed_as(&self, slot: usize, source: MaskSource) -> Option<PosedRef<'w>> {
        let Slots { positions, angles, scales, .. } = &self.placed.slots;
        let lattice = snap(positions[slot], self.records.resolution().value())?;
        match source {
            MaskSource::Atlas(sprite_poses) => {
                let of_sprite = self.records.poses();
                let scales_of_sprite = of_sprite.scales(&sprite_poses);
                let (angle, scale) = (angles[slot], scales[slot]);
                let pose = pose::nearest(sprite_poses.angles(), scales_of_sprite, angle, scale)?;
                let located = self.stock.poses.locate(&self.records, &sprite_poses, pose)?;
                let mask = self.stock.poses.mask(&self.records, &located);
                let origin = Point::new(located.rect.x0, located.rect.y0) + lattice;
                Some(PosedRef { mask, origin, pivot2: sprite_poses.pivot2 })
            }
            MaskSource::Mask(id) => {
                let runtime_mask = self.stock.masks.get(id)?;
                let pivot2 = runtime_mask.pivot2(self.records.resolution());
                let origin = runtime_mask.origin() + lattice;
                Some(PosedRef { mask: (**runtime_mask.mask).as_ref(), origin, pivot2 })
            }
        }
    }

    pub(crate) fn pool(&self) -> MaskPool<'w> {
        self.stock.poses.pool(&self.stock.atlas)
    }
}
