//! Half-open rectangles of pixels.
//!
//! Every floor uses [`Rect`]: the atlas stores it, the broad phase sorts it, masks crop to it.
//!
//! Invariants: no method overflows; edges saturate at the limits of i32.

use super::Point;

/// A half-open rectangle of pixels: x0 <= x < x1 and y0 <= y < y1.
///
/// Rectangles that share only an edge do not overlap.
///
/// ```
/// use hitmask::Rect;
/// let a = Rect::new(0, 0, 4, 4);
/// assert_eq!(a.intersection(Rect::new(2, 1, 9, 9)), Some(Rect::new(2, 1, 4, 4)));
/// assert_eq!(a.intersection(Rect::new(4, 0, 8, 4)), None);
/// ```
///
/// The memory layout is four `i32` values in the order of the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// First column inside.
    pub x0: i32,
    /// First row inside.
    pub y0: i32,
    /// First column past the right edge.
    pub x1: i32,
    /// First row past the bottom edge.
    pub y1: i32,
}

impl Rect {
    /// Returns the rectangle from (x0, y0), included, to (x1, y1), excluded.
    #[must_use]
    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// Returns the width in pixels; 0 where x1 <= x0.
    #[must_use]
    pub const fn width(self) -> u32 {
        if self.x1 > self.x0 { self.x1.wrapping_sub(self.x0) as u32 } else { 0 }
    }

    /// Returns the height in pixels; 0 where y1 <= y0.
    #[must_use]
    pub const fn height(self) -> u32 {
        if self.y1 > self.y0 { self.y1.wrapping_sub(self.y0) as u32 } else { 0 }
    }

    /// Returns the number of pixels inside.
    #[must_use]
    pub const fn area(self) -> u64 {
        self.width() as u64 * self.height() as u64
    }

    /// Tests whether no pixel is inside.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.x1 <= self.x0 || self.y1 <= self.y0
    }

    /// Tests whether the pixel `p` is inside.
    #[must_use]
    pub fn contains(self, p: impl Into<[i32; 2]>) -> bool {
        let p = Point::from(p.into());
        self.x0 <= p.x && p.x < self.x1 && self.y0 <= p.y && p.y < self.y1
    }

    /// Returns the pixels inside both rectangles; `None`, never an empty rectangle, where there are
    /// none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let both = Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        };
        (!both.is_empty()).then_some(both)
    }

    /// Returns this rectangle moved by `by`; edges saturate at the limits of i32.
    #[must_use]
    pub fn translated(self, by: impl Into<[i32; 2]>) -> Self {
        let by = Point::from(by.into());
        Self {
            x0: self.x0.saturating_add(by.x),
            y0: self.y0.saturating_add(by.y),
            x1: self.x1.saturating_add(by.x),
            y1: self.y1.saturating_add(by.y),
        }
    }

    /// As [`translated`](Self::translated), without the cost of saturating, for edges that fit.
    #[inline(always)]
    pub(crate) const fn placed(self, at: Point) -> Self {
        Self {
            x0: self.x0.wrapping_add(at.x),
            y0: self.y0.wrapping_add(at.y),
            x1: self.x1.wrapping_add(at.x),
            y1: self.y1.wrapping_add(at.y),
        }
    }

    /// Returns the largest distance between an edge and the same edge of another rectangle.
    #[inline(always)]
    pub(crate) const fn edge_distance(&self, other: &Self) -> u32 {
        const fn max(a: u32, b: u32) -> u32 {
            if a > b { a } else { b }
        }
        let x = max(self.x0.abs_diff(other.x0), self.x1.abs_diff(other.x1));
        max(x, max(self.y0.abs_diff(other.y0), self.y1.abs_diff(other.y1)))
    }

    /// Returns this rectangle grown by `pixels` on every side; edges saturate at the limits of i32.
    pub(crate) fn grown(self, pixels: u32) -> Self {
        Self {
            x0: self.x0.saturating_sub_unsigned(pixels),
            y0: self.y0.saturating_sub_unsigned(pixels),
            x1: self.x1.saturating_add_unsigned(pixels),
            y1: self.y1.saturating_add_unsigned(pixels),
        }
    }
}
