use std::ops::{Add, Sub};

/// A pixel, or an offset in whole pixels: x to the right, y down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl Point {
    /// The point (x, y).
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

/// Sums saturate at the ends of i32.
impl Add for Point {
    type Output = Self;

    fn add(self, by: Self) -> Self {
        Self { x: self.x.saturating_add(by.x), y: self.y.saturating_add(by.y) }
    }
}

/// Differences saturate at the ends of i32.
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

impl From<(i32, i32)> for Point {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

/// Gives calls a [`Point`] wherever they take `impl Into<[i32; 2]>`, as they take `glam::IVec2` and
/// `mint::Vector2<i32>`.
impl From<Point> for [i32; 2] {
    fn from(p: Point) -> Self {
        [p.x, p.y]
    }
}
