//! A read-only view of the world: the mask in a slot, whether two slots touch, and where they
//! overlap.
//!
//! The batch kernels test most pairs of sprites. All other pairs, contacts, queries and motions use
//! this module, one pair at a time.

use crate::atlas::{Atlas, Records};
use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskPool, MaskRef};
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::pose;
use crate::raster::PosedRef;
use crate::world::World;
use crate::world::atlases::atlas_list::AtlasList;
use crate::world::min_overlap::LeastOverlap;
use crate::world::poses::shown_poses::ShownPoses;
use crate::world::runtime_masks::mask_store::MaskStore;
use crate::world::state::appearance::Appearances;
use crate::world::state::placement::{MaskSource, snap};
use crate::world::state::slots::Slots;

/// The mask of a collider at some accuracy, and its top-left pixel in mask pixels.
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

impl<'w> WorldView<'w> {
    /// Returns the view of the collider in this slot at an accuracy: its box at [`Accuracy::Box`],
    /// else its pixels.
    pub(crate) fn collider_view(&self, slot: usize, accuracy: Accuracy) -> ColliderView<'w> {
        if accuracy != Accuracy::Box {
            return self.pixels(slot);
        }
        let rect = self.slots.rect(slot);
        // A tight box is no larger than its mask.
        let mask = Mask::full(rect.width(), rect.height());
        ColliderView { mask: ColliderMask::Filled(mask), origin: Point::new(rect.x0, rect.y0) }
    }

    /// Returns the view of the collider in this slot for moves, as mover or as obstacle.
    pub(crate) fn move_view(&self, slot: usize) -> ColliderView<'w> {
        let accuracy = self.appearances.get(self.slots.appearances[slot]).move_accuracy;
        self.collider_view(slot, accuracy.unwrap_or_else(|| self.accuracy(slot)))
    }

    /// Returns the view of the collider in this slot at an accuracy, or the one for moves if there
    /// is none.
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

    /// Returns the pixels of the collider in this slot. Faster than [`posed`](Self::posed), because
    /// it does not look the pose up again.
    #[inline(always)]
    pub(crate) fn pixels(&self, slot: usize) -> ColliderView<'w> {
        let placed = self.slots.placed(slot);
        if let Some(mask) = placed.mask(self.words) {
            return ColliderView { mask: ColliderMask::Pixels(mask), origin: placed.origin() };
        }
        let PosedRef { mask, origin, .. } = self.posed(slot);
        ColliderView { mask: ColliderMask::Pixels(mask), origin }
    }
}

/// The parts of the world that determine the mask in a slot.
#[derive(Clone, Copy)]
pub(crate) struct WorldView<'w> {
    pub(crate) atlas: &'w Atlas,
    pub(crate) atlases: &'w AtlasList,
    pub(crate) records: Records<'w>,
    pub(crate) poses: &'w ShownPoses,
    /// The words of all poses.
    pub(crate) words: &'w [u64],
    pub(crate) slots: &'w Slots,
    pub(crate) appearances: &'w Appearances,
    pub(crate) masks: &'w MaskStore,
    pub(crate) accuracy: Accuracy,
}

impl World {
    pub(crate) fn view(&self) -> WorldView<'_> {
        let records = self.atlas.records();
        WorldView {
            atlas: &self.atlas,
            atlases: &self.atlases,
            records,
            poses: &self.poses,
            words: self.poses.words(&records),
            slots: &self.slots,
            appearances: &self.appearances,
            masks: &self.masks,
            accuracy: self.accuracy,
        }
    }

    /// Returns the slot of an enabled collider; `None` for a stale id or a disabled collider.
    pub(crate) fn enabled_slot(&self, id: crate::world::ColliderId) -> Option<usize> {
        self.slots.find_enabled(&self.appearances, id)
    }

    /// Returns the posed mask of an enabled collider; `None` for a stale id or a disabled collider.
    pub(crate) fn enabled_mask(&self, id: crate::world::ColliderId) -> Option<PosedRef<'_>> {
        self.enabled_slot(id).map(|slot| self.view().posed(slot))
    }

    /// Returns the overlap of two colliders at their current placement, in mask pixels. Returns
    /// `None` if they do not overlap, or if one of them is disabled or has been removed. Ignores
    /// layers; one pixel is enough.
    ///
    /// At [`Accuracy::Coarse`] two sprites with coarse levels count as filled boxes, unless the levels
    /// prove that they do not touch. At [`Accuracy::Box`] they always count as filled boxes. The
    /// contact of two such sprites is the intersection of their boxes, with its area and its top-left
    /// pixel. [`DecidedBy`](crate::world::DecidedBy) describes pairs of different accuracies.
    #[must_use]
    pub fn contact(&self, pair: &crate::world::Pair) -> Option<Contact> {
        let [a, b] = [self.enabled_slot(pair.a)?, self.enabled_slot(pair.b)?];
        self.view().contact(a, b)
    }
}

impl<'w> WorldView<'w> {
    /// Returns the posed mask in this slot, with its origin in mask pixels.
    pub(crate) fn posed(&self, slot: usize) -> PosedRef<'w> {
        let nothing = PosedRef { mask: MaskRef::empty(), origin: Point::default(), pivot2: [0; 2] };
        let source = self.appearances.source(self.slots.appearances[slot]);
        // The pose of every collider is drawn.
        self.posed_as(slot, source).unwrap_or(nothing)
    }

    /// Returns the posed mask that this slot would show with masks from `source`; `None` if its
    /// pose is not drawn.
    pub(crate) fn posed_as(&self, slot: usize, source: MaskSource) -> Option<PosedRef<'w>> {
        let Slots { positions, angles, scales, .. } = self.slots;
        let lattice = snap(positions[slot], self.records.resolution().value())?;
        match source {
            MaskSource::Atlas(sprite_poses) => {
                let of_sprite = self.records.poses();
                let scales_of_sprite = of_sprite.scales(&sprite_poses);
                let (angle, scale) = (angles[slot].into(), scales[slot]);
                let pose = pose::nearest(sprite_poses.angles(), scales_of_sprite, angle, scale)?;
                let located = self.poses.locate(&self.records, &sprite_poses, pose)?;
                let mask = self.poses.mask(&self.records, &located);
                let origin = Point::new(located.rect.x0, located.rect.y0) + lattice;
                Some(PosedRef { mask, origin, pivot2: sprite_poses.pivot2 })
            }
            MaskSource::Mask(id) => {
                let runtime_mask = self.masks.get(id)?;
                let pivot2 = runtime_mask.pivot2(self.records.resolution());
                let origin = runtime_mask.origin() + lattice;
                Some(PosedRef { mask: (*runtime_mask.mask).as_ref(), origin, pivot2 })
            }
        }
    }

    /// Returns all poses as kernels take them.
    pub(crate) fn pool(&self) -> MaskPool<'w> {
        self.poses.pool(self.atlas)
    }

    /// Returns the accuracy of the collider in this slot.
    pub(crate) fn accuracy(&self, slot: usize) -> Accuracy {
        self.appearances.get(self.slots.appearances[slot]).accuracy.min(self.accuracy)
    }

    /// Returns the least overlap of a pair of these slots, in mask pixels.
    pub(crate) fn least_overlap(&self, a: usize, b: usize) -> LeastOverlap {
        let [a, b] =
            [a, b].map(|slot| self.appearances.least_overlap(self.slots.appearances[slot]));
        a.max(b)
    }

    /// Tests whether two colliders with overlapping boxes touch. Applies all their rules but the
    /// layers.
    pub(crate) fn touch(&self, a: usize, b: usize) -> bool {
        let least = self.least_overlap(a, b);
        let shared = || self.slots.rect(a).intersection(self.slots.rect(b));
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) => {
                shared().is_some_and(|rect| least.is_met_by(&Contact::of_boxes(rect)))
            }
            (Accuracy::Exact, Accuracy::Exact) => {
                let (a, b) = (self.pixels(a), self.pixels(b));
                let (other, offset) = b.beside(a.origin);
                if least.is_any() {
                    a.mask().touches(other, offset)
                } else if least.is_by_area() {
                    a.mask().overlap_area(other, offset) >= least.area
                } else {
                    let contact = a.mask().contact(other, offset);
                    contact.is_some_and(|contact| least.is_met_by(&contact))
                }
            }
            (Accuracy::Box, _) => self.overlaps_rect(b, shared(), least),
            (_, Accuracy::Box) => self.overlaps_rect(a, shared(), least),
            _ => self.may_touch(a, b),
        }
    }

    pub(crate) fn contact(&self, a: usize, b: usize) -> Option<Contact> {
        let shared = self.slots.rect(a).intersection(self.slots.rect(b))?;
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) => Some(Contact::of_boxes(shared)),
            (Accuracy::Exact, Accuracy::Exact) => {
                let (a, b) = (self.pixels(a), self.pixels(b));
                let (other, offset) = b.beside(a.origin);
                Some(a.mask().contact(other, offset)?.translated(a.origin))
            }
            (Accuracy::Box, _) => self.contact_with_rect(b, shared),
            (_, Accuracy::Box) => self.contact_with_rect(a, shared),
            _ => {
                let (a, b) = (self.posed(a), self.posed(b));
                let offset = b.origin - a.origin;
                if a.mask.levels().is_none() || b.mask.levels().is_none() {
                    return Some(a.mask.contact(b.mask, offset)?.translated(a.origin));
                }
                let certainty = a.mask.coarse(b.mask, offset);
                (certainty != Certainty::No).then(|| Contact::of_boxes(shared))
            }
        }
    }

    fn may_touch(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.coarse(b.mask, b.origin - a.origin) != Certainty::No
    }

    /// Returns true if the collider in this slot overlaps `rect` by at least `least`.
    fn overlaps_rect(&self, slot: usize, rect: Option<Rect>, least: LeastOverlap) -> bool {
        let contact = rect.and_then(|rect| self.contact_with_rect(slot, rect));
        contact.is_some_and(|contact| least.is_met_by(&contact))
    }

    /// Returns the contact of the collider in this slot with the filled `rect`, a part of its box.
    fn contact_with_rect(&self, slot: usize, rect: Rect) -> Option<Contact> {
        let pixels = self.pixels(slot);
        let filled = Mask::full(rect.width(), rect.height());
        let offset = Point::new(rect.x0, rect.y0) - pixels.origin;
        Some(pixels.mask().contact(&filled, offset)?.translated(pixels.origin))
    }
}
