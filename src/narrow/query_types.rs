//! Parameter and result types that single-pair, batch and world queries share.

use crate::geom::{Point, Rect};
use crate::mask::MAX_SIDE;

/// The precision of a pair test. Each level reports every pair that a finer level reports. A
/// coarser level compares as less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Accuracy {
    /// Tests whether the tight boxes of the posed masks overlap.
    Box,
    /// Tests the boxes, and then the 8 x 8 px cells of the coarse levels. Reported pairs may lie up
    /// to 14 px apart on an axis.
    ///
    /// Masks without levels are tested exactly, because that costs no more. Masks of an atlas have
    /// levels if a side is 240 px or more. Run-time masks have no levels.
    Coarse,
    /// Tests whether a pixel is set in both masks.
    #[default]
    Exact,
}

/// The answer of a test on the coarse levels alone. `No` and `Yes` are always right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certainty {
    /// No pixel is set in both masks.
    No,
    /// The coarse levels cannot decide.
    Maybe,
    /// A pixel is set in both masks.
    Yes,
}

/// The position and size of an overlap, in mask pixels. [`World::overlap`](crate::World::overlap)
/// and [`Mask::overlap`](crate::Mask::overlap) also give the normal, the depth and the shared
/// pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The tight box around the pixels set in both masks.
    pub rect: Rect,
    /// The number of pixels set in both masks.
    pub area: u64,
    /// The topmost pixel set in both masks; of several in that row the leftmost.
    pub point: Point,
}

impl Contact {
    /// Returns the centre of [`rect`](Self::rect). It lies at the centre of a pixel or on a pixel
    /// edge, and the pixel there may be clear.
    #[must_use]
    pub const fn center(&self) -> [f32; 2] {
        let Rect { x0, y0, x1, y1 } = self.rect;
        [((x0 as f64 + x1 as f64) / 2.0) as f32, ((y0 as f64 + y1 as f64) / 2.0) as f32]
    }

    /// Returns the contact of two solid boxes whose intersection is `rect`, which is not empty.
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

/// The order that decides which pixel of an overlap is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ScanOrder {
    /// The topmost pixel; ties go to the leftmost.
    #[default]
    Top,
    /// The bottommost pixel; ties go to the leftmost.
    Bottom,
    /// The leftmost pixel; ties go to the topmost.
    Left,
    /// The rightmost pixel; ties go to the topmost.
    Right,
}

impl ScanOrder {
    /// Returns the rank of pixel (x, y): lower for a pixel that comes earlier, and never
    /// `u32::MAX`.
    #[inline(always)]
    pub(crate) const fn rank(self, x: u32, y: u32) -> u32 {
        // Masked, because a damaged atlas may give coordinates of more bits than a mask side has.
        let (x, y) = (x & MAX_COORDINATE, y & MAX_COORDINATE);
        match self {
            Self::Top => y << 16 | x,
            Self::Bottom => (MAX_COORDINATE - y) << 16 | x,
            Self::Left => x << 16 | y,
            Self::Right => (MAX_COORDINATE - x) << 16 | y,
        }
    }

    /// Returns the pixel of a rank. `u32::MAX` stands for no pixel and gives arbitrary numbers.
    #[inline(always)]
    pub(crate) const fn pixel(self, rank: u32) -> (u32, u32) {
        let (major, minor) = (rank >> 16, rank & 0xffff);
        match self {
            Self::Top => (minor, major),
            Self::Bottom => (minor, MAX_COORDINATE.wrapping_sub(major)),
            Self::Left => (major, minor),
            Self::Right => (MAX_COORDINATE.wrapping_sub(major), minor),
        }
    }
}

/// The largest coordinate of 15 bits, the width of a mask side.
const MAX_COORDINATE: u32 = 0x7fff;

const _: () = assert!(MAX_SIDE <= MAX_COORDINATE);
