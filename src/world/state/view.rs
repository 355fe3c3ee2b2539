//! What a slot shows, whether two slots touch, and where they overlap.
//!
//! The batch kernels settle pairs of plain sprites. All other pairs, contacts, queries and motions
//! come through here, one pair at a time.

use crate::atlas::{Atlas, Records};
use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskRef};
use crate::narrow::{Accuracy, Certainty, Contact};
use crate::raster::PosedRef;
use crate::world::World;
use crate::world::runtime_masks::mask_store::Masks;
use crate::world::state::appearance::Appearances;
use crate::world::state::placement::{MaskSource, snap};
use crate::world::state::slots::Slots;

/// A mask, and where its top-left pixel is, in mask pixels.
#[derive(Debug)]
pub(crate) struct ColliderView<'w> {
    mask: ColliderMask<'w>,
    pub(crate) origin: Point,
}

#[derive(Debug)]
enum ColliderMask<'w> {
    /// What the collider shows, without its boards.
    Pixels(MaskRef<'w>),
    /// Its box.
    Filled(Mask),
}

// Inlined into whoever asks: what is stored field by field and then moved in one is waited for.
impl ColliderView<'_> {
    #[inline(always)]
    pub(crate) fn mask(&self) -> MaskRef<'_> {
        match &self.mask {
            ColliderMask::Pixels(mask) => *mask,
            ColliderMask::Filled(mask) => mask.as_ref(),
        }
    }

    /// The mask, and where its top-left pixel lies from a point.
    #[inline(always)]
    pub(crate) fn beside(&self, at: Point) -> (MaskRef<'_>, Point) {
        (self.mask(), self.origin - at)
    }
}

impl<'w> WorldView<'w> {
    /// The collider in this slot as it is seen at this accuracy: its box, or else its pixels.
    pub(crate) fn collider_view(&self, slot: usize, accuracy: Accuracy) -> ColliderView<'w> {
        if accuracy != Accuracy::Box {
            return self.pixels(slot);
        }
        let rect = self.slots.rect(slot);
        // A tight box is no larger than its mask.
        let mask = Mask::full(rect.width(), rect.height());
        ColliderView { mask: ColliderMask::Filled(mask), origin: Point::new(rect.x0, rect.y0) }
    }

    /// The pixels of the collider in this slot. Sooner than by [`posed`](Self::posed), because its
    /// pose is not looked for anew.
    #[inline(always)]
    pub(crate) fn pixels(&self, slot: usize) -> ColliderView<'w> {
        let placed = self.slots.placed(slot);
        if let Some(mask) = placed.mask(&self.records) {
            return ColliderView { mask: ColliderMask::Pixels(mask), origin: placed.origin() };
        }
        let PosedRef { mask, origin, .. } = self.posed(slot);
        ColliderView { mask: ColliderMask::Pixels(mask), origin }
    }
}

/// All that tells what a slot shows, and where.
#[derive(Clone, Copy)]
pub(crate) struct WorldView<'w> {
    pub(crate) atlas: &'w Atlas,
    pub(crate) records: Records<'w>,
    pub(crate) slots: &'w Slots,
    pub(crate) appearances: &'w Appearances,
    pub(crate) masks: &'w Masks,
    pub(crate) accuracy: Accuracy,
}

impl World {
    pub(crate) fn view(&self) -> WorldView<'_> {
        WorldView {
            atlas: &self.atlas,
            records: self.atlas.records(),
            slots: &self.slots,
            appearances: &self.appearances,
            masks: &self.masks,
            accuracy: self.accuracy,
        }
    }

    /// Where two colliders overlap, in mask pixels, as they are placed now; `None` where they do
    /// not, or where one of them is no longer in the world. Layers are not looked at, and one
    /// pixel is enough.
    ///
    /// At [`Accuracy::Coarse`] sprites count as solid boxes unless the coarse boards tell that
    /// they do not touch, and at [`Accuracy::Box`] in any case: the answer of two of them is the
    /// rectangle that the boxes share, its area and its top-left pixel. [`DecidedBy`](crate::world::DecidedBy) says
    /// what two of different accuracies come to.
    #[must_use]
    pub fn contact(&self, pair: &crate::world::Pair) -> Option<Contact> {
        let (a, b) = (self.slots.find(pair.a)?, self.slots.find(pair.b)?);
        self.view().contact(a, b)
    }
}

impl<'w> WorldView<'w> {
    /// What the collider in this slot shows, with its origin in mask pixels.
    pub(crate) fn posed(&self, slot: usize) -> PosedRef<'w> {
        self.posed_as(slot, self.appearances.source(self.slots.appearances[slot]))
    }

    /// What it would show if its masks came from there.
    pub(crate) fn posed_as(&self, slot: usize, source: MaskSource) -> PosedRef<'w> {
        let Slots { positions, angles, scales, .. } = self.slots;
        let nothing = PosedRef { mask: MaskRef::empty(), origin: Point::default(), pivot2: 0 };
        let Some(lattice) = snap(positions[slot], self.records.resolution().value()) else {
            return nothing;
        };
        match source {
            MaskSource::Atlas(cast) => {
                let Some(located) =
                    self.records.poses().find(&cast, angles[slot].into(), scales[slot])
                else {
                    return nothing;
                };
                let mask = self.records.mask(located.pose.index());
                let mask = if located.pose.is_flipped() { mask.flip_y() } else { mask };
                let origin = Point::new(located.rect.x0, located.rect.y0) + lattice;
                PosedRef { mask, origin, pivot2: cast.pivot2 }
            }
            MaskSource::Mask(id) => {
                let Some(made) = self.masks.get(id) else { return nothing };
                let pivot2 = made.pivot[0] & 1;
                let origin = made.origin() + lattice;
                PosedRef { mask: (*made.mask).as_ref(), origin, pivot2 }
            }
        }
    }

    /// How closely the collider in this slot is looked at.
    pub(crate) fn accuracy(&self, slot: usize) -> Accuracy {
        self.appearances.get(self.slots.appearances[slot]).accuracy.min(self.accuracy)
    }

    /// Pixels that a pair of these slots has to share.
    pub(crate) fn min_overlap(&self, a: usize, b: usize) -> u64 {
        let [a, b] =
            [a, b].map(|slot| self.appearances.get(self.slots.appearances[slot]).min_overlap);
        a.max(b).max(1).into()
    }

    /// True where two colliders whose boxes overlap touch, by all their rules but the layers.
    pub(crate) fn touch(&self, a: usize, b: usize) -> bool {
        let least = self.min_overlap(a, b);
        let shared = || self.slots.rect(a).intersection(self.slots.rect(b));
        match (self.accuracy(a), self.accuracy(b)) {
            (Accuracy::Box, Accuracy::Box) => shared().is_some_and(|rect| rect.area() >= least),
            (Accuracy::Exact, Accuracy::Exact) => {
                let (a, b) = (self.pixels(a), self.pixels(b));
                let (other, offset) = b.beside(a.origin);
                if least == 1 {
                    a.mask().touches(other, offset)
                } else {
                    a.mask().overlap_area(other, offset) >= least
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
            _ => self.may_touch(a, b).then(|| Contact::of_boxes(shared)),
        }
    }

    fn may_touch(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.posed(a), self.posed(b));
        a.mask.coarse(b.mask, b.origin - a.origin) != Certainty::No
    }

    /// True where the collider in this slot has at least `least` pixels within `rect`.
    fn overlaps_rect(&self, slot: usize, rect: Option<Rect>, least: u64) -> bool {
        let contact = rect.and_then(|rect| self.contact_with_rect(slot, rect));
        contact.is_some_and(|contact| contact.area >= least)
    }

    /// The contact of the collider in this slot with `rect`, filled: a part of its box.
    fn contact_with_rect(&self, slot: usize, rect: Rect) -> Option<Contact> {
        let seen = self.pixels(slot);
        let filled = Mask::full(rect.width(), rect.height());
        let offset = Point::new(rect.x0, rect.y0) - seen.origin;
        Some(seen.mask().contact(&filled, offset)?.translated(seen.origin))
    }
}
