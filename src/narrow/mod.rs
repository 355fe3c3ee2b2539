//! The narrow phase: two masks at an offset, settled to the pixel.
//!
//! Every query takes the first mask at (0, 0) and the second at an offset in whole pixels, and
//! answers in the first one's pixels. Any offset is legal; where the boxes do not meet the answer
//! is no. [`naive`] is the truth, pixel by pixel; the kernels equal it.

pub(crate) mod batch;
mod coarse;
mod graze;
pub(crate) mod motion;
mod one_pair;
mod overlap_masks;
mod overlap_pixels;
mod pair_geometry;
mod query_types;
pub(crate) mod reference;
mod touches_single;

pub use graze::Graze;
pub use motion::{Impact, LineHit, Normal, Overlap, Side};
pub use overlap_masks::OverlapMasks;
pub use overlap_pixels::OverlapPixels;
pub use query_types::{Accuracy, Certainty, Contact, ScanOrder};

use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskRef};
use pair_geometry::PairGeometry;

impl<'a> MaskRef<'a> {
    /// True where a pixel is set in both this mask and `other`, the latter at `offset`.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let corner: Mask = "
    ///     .##
    ///     .#.
    /// ".parse()?;
    /// assert!(corner.touches(&corner, [1, 0]));
    /// assert!(!corner.touches(&corner, [1, 1]));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn touches<'b>(self, other: impl Into<MaskRef<'b>>, offset: impl Into<[i32; 2]>) -> bool {
        touches_single::touches(&self.copied(), &other.into().copied(), Point::from(offset.into()))
    }

    /// What the coarse boards alone say of `touches`: a certain no, a certain yes, or maybe.
    /// Masks of an atlas carry boards of 8 x 8 pixel cells if a side exceeds 16 pixels; without
    /// them the answer is no where the boxes do not meet, and else maybe.
    #[must_use]
    pub fn coarse<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Certainty {
        let (other, offset) = (other.into(), Point::from(offset.into()));
        match PairGeometry::new(&self, &other, offset.x, offset.y) {
            None => Certainty::No,
            Some(_) => coarse::certainty(self, other, offset),
        }
    }

    /// Number of pixels set in both.
    #[must_use]
    #[inline]
    pub fn overlap_area<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> u64 {
        one_pair::area(&self.copied(), &other.into().copied(), Point::from(offset.into()))
    }

    /// The tight box round the pixels set in both; `None` where there are none.
    #[must_use]
    #[inline]
    pub fn overlap_rect<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Rect> {
        one_pair::rect(&self.copied(), &other.into().copied(), Point::from(offset.into()))
    }

    /// The first pixel set in both, by `order`; `None` where there is none.
    #[must_use]
    #[inline]
    pub fn first_overlap<'b>(
        self,
        order: ScanOrder,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        one_pair::first_point(
            order,
            &self.copied(),
            &other.into().copied(),
            Point::from(offset.into()),
        )
    }

    /// True where at least `pixels` pixels are set in both; 0 counts as 1.
    #[must_use]
    #[inline]
    pub fn overlap_at_least<'b>(
        self,
        pixels: u32,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> bool {
        self.overlap_area(other, offset) >= u64::from(pixels.max(1))
    }

    /// The pixels set in both, in this mask's pixels, row by row.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let corner: Mask = "
    ///     .##
    ///     .#.
    /// ".parse()?;
    /// let shared: Vec<Point> = corner.as_ref().overlap_pixels(corner.as_ref(), [0, 0]).collect();
    /// assert_eq!(shared, [[1, 0], [2, 0], [1, 1]].map(Point::from));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn overlap_pixels(self, other: Self, offset: impl Into<[i32; 2]>) -> OverlapPixels<'a> {
        OverlapPixels::new(self, other, Point::from(offset.into()))
    }

    /// The pixels set in both this mask and `other`, the latter at `offset`: a mask of this one's
    /// size, in its pixels.
    ///
    /// Of masks of 64 pixels half the time goes into the memory of the new one:
    /// [`overlap_mask_into`](Self::overlap_mask_into) uses that of one there is. Of many pairs of
    /// an atlas [`Batch::overlap_mask`](crate::Batch::overlap_mask) takes a third as long.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let corner: Mask = "
    ///     .##
    ///     .#.
    /// ".parse()?;
    /// let both = corner.overlap_mask(&corner, [1, 0]);
    /// assert_eq!(both.to_string(), "..#\n...\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn overlap_mask<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Mask {
        overlap_pixels::overlap_mask(self, other.into(), Point::from(offset.into()))
    }

    /// As [`overlap_mask`](Self::overlap_mask), into a mask that there is, whatever its size and
    /// pixels: its memory is used again where it suffices.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let corner: Mask = "
    ///     .##
    ///     .#.
    /// ".parse()?;
    /// let mut both = Mask::new(0, 0)?;
    /// for x in -1..=1 {
    ///     corner.overlap_mask_into(&corner, [x, 0], &mut both);
    ///     assert_eq!(both, corner.overlap_mask(&corner, [x, 0]));
    /// }
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    pub fn overlap_mask_into<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        both: &mut Mask,
    ) {
        overlap_pixels::overlap_mask_into(self, other.into(), Point::from(offset.into()), both);
    }

    /// Box, area and first pixel of the overlap; `None` where no pixel is set in both.
    #[must_use]
    #[inline]
    pub fn contact<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Contact> {
        one_pair::contact(&self.copied(), &other.into().copied(), Point::from(offset.into()))
    }
}

/// The queries of [`MaskRef`], on an owned mask.
impl Mask {
    /// As [`MaskRef::touches`].
    #[must_use]
    #[inline]
    pub fn touches<'b>(&self, other: impl Into<MaskRef<'b>>, offset: impl Into<[i32; 2]>) -> bool {
        self.as_ref().touches(other, offset)
    }

    /// As [`MaskRef::overlap_area`].
    #[must_use]
    #[inline]
    pub fn overlap_area<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> u64 {
        self.as_ref().overlap_area(other, offset)
    }

    /// As [`MaskRef::overlap_mask`].
    #[must_use]
    pub fn overlap_mask<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Self {
        self.as_ref().overlap_mask(other, offset)
    }

    /// As [`MaskRef::overlap_mask_into`].
    pub fn overlap_mask_into<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        both: &mut Self,
    ) {
        self.as_ref().overlap_mask_into(other, offset, both);
    }

    /// As [`MaskRef::contact`].
    #[must_use]
    #[inline]
    pub fn contact<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Contact> {
        self.as_ref().contact(other, offset)
    }
}
