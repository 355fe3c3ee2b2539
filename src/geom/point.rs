//! Points and offsets in whole pixels.
//!
//! Every floor uses [`Point`]. Public calls take `impl Into<[i32; 2]>`, which a [`Point`] converts
//! into.
//!
//! Invariants: sums and differences saturate, so they never overflow.

use std::ops::{Add, Sub};

/// A pixel, or an offset in whole pixels: x to the right, y down.
///
/// ```
/// use hitmask::Point;
/// assert_eq!(Point::new(3, 4) - Point::from([1, 5]), Point::new(2, -1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl Point {
    /// Returns the point (x, y).
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

/// Returns twice the area of the triangle a, b, c: positive where it is clockwise on screen. Saturates
/// where coordinates exceed 2^30.
pub(crate) fn cross(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    let way = |to: [i32; 2]| [0, 1].map(|k| i64::from(to[k]) - i64::from(a[k]));
    let ([bx, by], [cx, cy]) = (way(b), way(c));
    (bx * cy).saturating_sub(by * cx)
}

/// Sums saturate at the limits of i32.
impl Add for Point {
    type Output = Self;

    fn add(self, by: Self) -> Self {
        Self { x: self.x.saturating_add(by.x), y: self.y.saturating_add(by.y) }
    }
}

/// Differences saturate at the limits of i32.
impl Sub for Point {
    type Output = Self;

    fn sub(self, by: Self) -> Self {
        Self { x: self.x.saturating_sub(by.x), y: self.y.saturating_sub(by.y) }
    }
}

impl From<[i32; 2]> for Point {
    fn from([x, y]: [i32; 2]) -> Self {
        Self { x, y }
    }
}

/// Lets calls take a [`Point`] as they take `glam::IVec2` and `mint::Vector2<i32>`.
impl From<Point> for [i32; 2] {
    fn from(p: Point) -> Self {
        [p.x, p.y]
    }
}
