//! Which way a contact faces.

use super::push_out;
use crate::geom::Point;
use crate::mask::MaskRef;

/// The direction in which a mask leaves another most readily: out of the other one, towards this
/// one. A mask that stands on a floor has a normal that points up, (0, -1).
///
/// A unit vector. It follows the slope of the overlap: for each axis, the number of pixels that
/// both share if this mask moves by one pixel backwards, less that if it moves by one forwards.
/// Both numbers are whole, so the vector has the same bits on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Normal {
    /// To the right, from -1 to 1.
    pub x: f32,
    /// Down, from -1 to 1.
    pub y: f32,
}

/// Where the other mask lies, seen from this one: what a game asks of a contact before all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// Below: a floor.
    Below,
    /// Above: a ceiling.
    Above,
    /// To the left: a wall.
    Left,
    /// To the right: a wall.
    Right,
}

impl Normal {
    /// The unit vector along (x, y); `None` for (0, 0).
    pub(crate) fn along(x: i64, y: i64) -> Option<Self> {
        if (x, y) == (0, 0) {
            return None;
        }
        let (x, y) = (x as f64, y as f64);
        let length = (x * x + y * y).sqrt();
        Some(Self { x: (x / length) as f32, y: (y / length) as f32 })
    }

    /// Its angle in radians, clockwise on screen from the right: from -pi to pi; -pi / 2 is up.
    /// The last bit may differ from one platform to another.
    #[must_use]
    pub fn radians(self) -> f32 {
        self.y.atan2(self.x)
    }

    /// Its angle in degrees, clockwise on screen from the right: from -180 to 180.
    #[must_use]
    pub fn degrees(self) -> f32 {
        self.radians().to_degrees()
    }

    /// Where the other mask lies: opposite to where the normal points, by its longer part. Of equal
    /// parts the vertical one counts, so that a slope of 45 degrees is a floor or a ceiling.
    #[must_use]
    pub fn side(self) -> Side {
        match (self.y.abs() >= self.x.abs(), self.x < 0.0, self.y < 0.0) {
            (true, _, true) => Side::Below,
            (true, _, false) => Side::Above,
            (false, true, _) => Side::Right,
            (false, false, _) => Side::Left,
        }
    }
}

impl From<Normal> for [f32; 2] {
    fn from(normal: Normal) -> Self {
        [normal.x, normal.y]
    }
}

/// The slope of the overlap of `a`, at (0, 0), and `b`, at `offset`; `None` where it is level.
pub(super) fn slope(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Normal> {
    let area = |x: i32, y: i32| a.overlap_area(b, offset + Point::new(x, y)) as i64;
    // Moving the one mask forwards is moving the other backwards.
    Normal::along(area(1, 0) - area(-1, 0), area(0, 1) - area(0, -1))
}

/// The normal of two masks; `None` where they do not touch.
pub(super) fn normal(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Normal> {
    if !a.touches(b, offset) {
        return None;
    }
    slope(a, b, offset).or_else(|| {
        let Point { x, y } = push_out::out(a, b, offset)?;
        Normal::along(x.into(), y.into())
    })
}
