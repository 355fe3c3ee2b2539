//! Questions and answers that queries of one pair, batches and worlds share.

use crate::geom::{Point, Rect};
use crate::mask::MAX_SIDE;

/// How closely a pair is tested. Each level reports every pair that a finer one does. A coarser level
/// compares as less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Accuracy {
    /// The tight boxes of the posed masks overlap.
    Box,
    /// The boxes overlap, and cells of 8 x 8 pixels of the coarse boards meet. Reported pairs may lie
    /// up to 14 pixels apart on an axis. Masks without boards count as boxes: those of at most 16
    /// pixels a side, and those made at run time, of any size.
    Coarse,
    /// A pixel is set in both.
    #[default]
    Exact,
}

/// An answer of the coarse boards. A yes or a no is never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certainty {
    /// No pixel is set in both.
    No,
    /// The boards cannot tell.
    Maybe,
    /// A pixel is set in both.
    Yes,
}

/// Where two sprites overlap, in mask pixels. [`World::touch`](crate::World::overlap) also gives the normal,
/// the depth and the shared pixels; [`MaskRef::touch`](crate::MaskRef::overlap) gives those of two masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The tight box round the pixels set in both.
    pub rect: Rect,
    /// Number of pixels set in both.
    pub area: u64,
    /// A pixel set in both: the topmost, and of those the leftmost.
    pub point: Point,
}

impl Contact {
    /// Returns the middle of the box, which lies on a pixel's edge or at its centre. The pixel there may
    /// be clear.
    #[must_use]
    pub const fn center(&self) -> [f32; 2] {
        let Rect { x0, y0, x1, y1 } = self.rect;
        [((x0 as f64 + x1 as f64) / 2.0) as f32, ((y0 as f64 + y1 as f64) / 2.0) as f32]
    }

    /// Returns the contact of two solid boxes that share `rect`, which is not empty.
    pub(crate) fn of_boxes(rect: Rect) -> Self {
        Self { rect, area: rect.area(), point: Point::new(rect.x0, rect.y0) }
    }

    /// Returns the contact moved by `by`, for an answer in another space.
    #[must_use]
    pub fn translated(self, by: impl Into<[i32; 2]>) -> Self {
        let by = Point::from(by.into());
        Self { rect: self.rect.translated(by), area: self.area, point: self.point + by }
    }
}

/// Which pixel of an overlap counts as the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScanOrder {
    /// The topmost, and of those the leftmost.
    #[default]
    Top,
    /// The bottommost, and of those the leftmost.
    Bottom,
    /// The leftmost, and of those the topmost.
    Left,
    /// The rightmost, and of those the topmost.
    Right,
}

impl ScanOrder {
    /// Returns a number that is lower the earlier the pixel (x, y) comes, and never `u32::MAX`.
    #[inline(always)]
    pub(crate) const fn rank(self, x: u32, y: u32) -> u32 {
        // Only a damaged atlas has more bits than a side takes.
        let (x, y) = (x & END, y & END);
        match self {
            Self::Top => y << 16 | x,
            Self::Bottom => (END - y) << 16 | x,
            Self::Left => x << 16 | y,
            Self::Right => (END - x) << 16 | y,
        }
    }

    /// Returns the pixel of a rank; of `u32::MAX`, which stands for no pixel, any numbers.
    #[inline(always)]
    pub(crate) const fn pixel(self, rank: u32) -> (u32, u32) {
        let (major, minor) = (rank >> 16, rank & 0xffff);
        match self {
            Self::Top => (minor, major),
            Self::Bottom => (minor, END.wrapping_sub(major)),
            Self::Left => (major, minor),
            Self::Right => (END.wrapping_sub(major), minor),
        }
    }
}

/// The bits that a side of a mask takes.
const END: u32 = 0x7fff;

const _: () = assert!(MAX_SIDE <= END);
