//! The narrow phase: two masks at an offset, decided to the pixel.
//!
//! A query takes the first mask at (0, 0) and the second at an offset in whole pixels. The answer
//! is in the first mask's pixels. Every offset is legal; masks whose boxes are apart share no
//! pixel.
//!
//! The per-pixel truth is in `reference.rs`; tests compare every kernel with it.

pub(crate) mod batch;
mod coarse;
pub(crate) mod graze;
pub(crate) mod motion;
mod overlap_pixels;
mod query_types;
pub(crate) mod reference;
mod single_pair;

pub use graze::Graze;
pub use motion::{Impact, LineHit, LocalContact, LocalOverlap, Normal, Overlap, Side};
pub(crate) use overlap_pixels::OverlapPixels;
pub use query_types::{Accuracy, Certainty, Contact, ScanOrder};

use crate::geom::Point;
use crate::mask::{Mask, MaskRef};
use single_pair::PairGeometry;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Tests whether a pixel is set in both this mask and `other`, the latter at `offset`.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let corner: Mask = "
    ///     .##
    ///     .#.
    /// ".parse()?;
    /// assert!(corner.touches(&corner, [1, 0]));
    /// assert!(!corner.touches(&corner, [1, 1]));
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn touches<'b>(&self, other: impl Into<MaskRef<'b>>, offset: impl Into<[i32; 2]>) -> bool {
        let offset = Point::from(offset.into());
        single_pair::touches(&self.as_ref(), &other.into().as_ref(), offset)
    }

    /// Returns what the coarse levels alone say of [`touches`](Self::touches): a certain no, a
    /// certain yes, or maybe.
    ///
    /// [`Accuracy::Coarse`] says which masks have levels. Without them the pair is tested exactly, so
    /// the answer is certain.
    #[must_use]
    pub fn coarse<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Certainty {
        let mask = self.as_ref();
        let (other, offset) = (other.into(), Point::from(offset.into()));
        match PairGeometry::new(&mask, &other, offset.x, offset.y) {
            None => Certainty::No,
            Some(_) => coarse::certainty(mask, other, offset),
        }
    }

    /// Returns the number of pixels set in both masks.
    #[must_use]
    #[inline]
    pub fn overlap_area<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> u64 {
        single_pair::area(&self.as_ref(), &other.into().as_ref(), Point::from(offset.into()))
    }

    /// Returns the first pixel set in both masks, by `order`; `None` if they share no pixel.
    #[must_use]
    #[inline]
    pub fn first_overlap<'b>(
        &self,
        order: ScanOrder,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        let offset = Point::from(offset.into());
        single_pair::first_point(order, &self.as_ref(), &other.into().as_ref(), offset)
    }

    /// Returns the pixels set in both masks as a mask of this one's size.
    ///
    /// For masks of 64 px the allocation takes half of the time.
    #[must_use]
    pub fn overlap_mask<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Mask {
        overlap_pixels::overlap_mask(self.as_ref(), other.into(), Point::from(offset.into()))
    }

    /// Returns the box, the area and the first pixel of the overlap; `None` if no pixel is set in
    /// both.
    ///
    /// One pass over the pair, as fast as [`overlap_area`](Self::overlap_area) alone.
    /// [`overlap`](Self::overlap) also gives the normal and the depth.
    #[must_use]
    #[inline]
    pub fn contact<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Contact> {
        single_pair::contact(&self.as_ref(), &other.into().as_ref(), Point::from(offset.into()))
    }
}
