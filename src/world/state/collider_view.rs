//! What is looked at of a collider: its pixels, or its box with all pixels set.
//!
//! Used by whoever settles pairs one by one, and by queries and motions.

use crate::geom::Point;
use crate::mask::{Mask, MaskRef};
use crate::narrow::Accuracy;
use crate::raster::PosedRef;
use crate::world::step::pair_test::View;

/// A mask, and where its top-left pixel is, in mask pixels.
#[derive(Debug)]
pub(crate) struct Seen<'w> {
    solid: Solid<'w>,
    pub(crate) origin: Point,
}

#[derive(Debug)]
enum Solid<'w> {
    /// What the collider shows, without its boards.
    Shown(MaskRef<'w>),
    /// Its box.
    Filled(Mask),
}

// Inlined into whoever asks: what is stored field by field and then moved in one is waited for.
impl Seen<'_> {
    #[inline(always)]
    pub(crate) fn mask(&self) -> MaskRef<'_> {
        match &self.solid {
            Solid::Shown(mask) => *mask,
            Solid::Filled(mask) => mask.as_ref(),
        }
    }

    /// The mask, and where its top-left pixel lies from a point.
    #[inline(always)]
    pub(crate) fn beside(&self, at: Point) -> (MaskRef<'_>, Point) {
        (self.mask(), self.origin - at)
    }
}

impl<'w> View<'w> {
    /// The collider in this slot as it is seen at this accuracy: its box, or else its pixels.
    pub(crate) fn seen(&self, slot: usize, accuracy: Accuracy) -> Seen<'w> {
        if accuracy != Accuracy::Box {
            return self.pixels(slot);
        }
        let rect = self.slots.rect(slot);
        // A tight box is no larger than its mask.
        let mask = Mask::full(rect.width(), rect.height());
        Seen { solid: Solid::Filled(mask), origin: Point::new(rect.x0, rect.y0) }
    }

    /// The pixels of the collider in this slot. Sooner than by [`posed`](Self::posed), because its
    /// pose is not looked for anew.
    #[inline(always)]
    pub(crate) fn pixels(&self, slot: usize) -> Seen<'w> {
        let placed = self.slots.placed(slot);
        if let Some(mask) = placed.mask(&self.records) {
            return Seen { solid: Solid::Shown(mask), origin: placed.origin() };
        }
        let PosedRef { mask, origin, .. } = self.posed(slot);
        Seen { solid: Solid::Shown(mask), origin }
    }
}
