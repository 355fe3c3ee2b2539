//! Parameter and result types that single-pair, batch and world queries share.
//!
//! Invariant: every accuracy factor above 0 has a level.

use crate::error::CallError;
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

/// The position and size of an overlap, in mask pixels. [`PairRef::overlap`](crate::PairRef::overlap)
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
    /// Returns the rank of a pixel, lower if it comes earlier, and never `u32::MAX`.
    #[inline(always)]
    pub(crate) const fn rank(self, x: u32, y: u32) -> u32 {
        // Masked, because a damaged atlas may give coordinates of more bits than a mask side has.
        let (x, y) = (x & MAX_PIXEL, y & MAX_PIXEL);
        match self {
            Self::Top => y << 16 | x,
            Self::Bottom => (MAX_PIXEL - y) << 16 | x,
            Self::Left => x << 16 | y,
            Self::Right => (MAX_PIXEL - x) << 16 | y,
        }
    }

    /// Returns the pixel of a rank. `u32::MAX` stands for no pixel and gives arbitrary numbers.
    #[inline(always)]
    pub(crate) const fn pixel(self, rank: u32) -> (u32, u32) {
        let (major, minor) = (rank >> 16, rank & 0xffff);
        match self {
            Self::Top => (minor, major),
            Self::Bottom => (minor, MAX_PIXEL.wrapping_sub(major)),
            Self::Left => (major, minor),
            Self::Right => (MAX_PIXEL.wrapping_sub(major), minor),
        }
    }
}

/// The largest coordinate of 15 bits, the width of a mask side.
const MAX_PIXEL: u32 = 0x7fff;

const _: () = assert!(MAX_SIDE <= MAX_PIXEL);

impl Accuracy {
    /// Returns the level nearest to an accuracy factor. At factor f a test looks at cells of 1 / f
    /// pixels: 1 is exact, below 1 is coarser.
    ///
    /// | Factor | Level | Its cells |
    /// |---|---|---|
    /// | 0.354 (1 / sqrt 8) and above | [`Exact`](Self::Exact) | 1 px |
    /// | 0.0442 (1 / sqrt 512) to 0.354 | [`Coarse`](Self::Coarse) | 8 px |
    /// | above 0, below 0.0442 | [`Box`](Self::Box) | counted as 64 px |
    ///
    /// The nearest level is the one with the least ratio of cell sizes. Above 1 the answer is
    /// [`Exact`](Self::Exact), because an atlas holds no finer pixels. Bake it at a
    /// [resolution](crate::AtlasBuilder::resolution) of 2, 4 or 8 for those.
    ///
    /// # Errors
    /// Returns [`CallError`] if the factor is not above 0.
    pub fn from_factor(factor: f32) -> Result<Self, CallError> {
        // Squared in f64, so that the borders are exact: 1 / 8 and 1 / 512.
        let square = f64::from(factor) * f64::from(factor);
        match factor {
            _ if factor.is_nan() || factor <= 0.0 => Err(CallError::Number {
                name: "accuracy factor",
                value: factor,
                least: 0.0,
                most: f32::MAX,
            }),
            _ if square >= 1.0 / 8.0 => Ok(Self::Exact),
            _ if square >= 1.0 / 512.0 => Ok(Self::Coarse),
            _ => Ok(Self::Box),
        }
    }
}
