//! Contact normals and sides.

use super::push_out;
use crate::geom::Point;
use crate::mask::MaskRef;

/// The direction of a contact: the unit vector along which the first mask leaves the second most
/// directly. A mask that stands on a floor has a normal that points up, (0, -1).
///
/// The normal follows the gradient of the overlap area. On each axis it is the overlap area after a
/// move of the first mask by -1 px, minus the area after +1 px. Both are integers, so the vector
/// has the same bits on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Normal {
    /// Horizontal part, from -1 to 1; positive to the right.
    pub x: f32,
    /// Vertical part, from -1 to 1; positive downwards.
    pub y: f32,
}

/// The side of this mask on which the other mask lies.
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
    /// Returns the unit vector along (x, y); `None` for (0, 0).
    pub(crate) fn along(x: i64, y: i64) -> Option<Self> {
        if (x, y) == (0, 0) {
            return None;
        }
        let (x, y) = (x as f64, y as f64);
        let length = (x * x + y * y).sqrt();
        Some(Self { x: (x / length) as f32, y: (y / length) as f32 })
    }

    /// Returns the angle in radians, from -pi to pi, clockwise on screen: 0 is right, -pi / 2 is
    /// up. The last bit may differ between platforms.
    #[must_use]
    pub fn radians(self) -> f32 {
        self.y.atan2(self.x)
    }

    /// Returns the angle in degrees, from -180 to 180, clockwise on screen: 0 is right, -90 is up.
    #[must_use]
    pub fn degrees(self) -> f32 {
        self.radians().to_degrees()
    }

    /// Returns the side on which the other mask lies: opposite to the longer part of the normal. If
    /// both parts are equal the vertical one counts, so a slope of 45 degrees is a floor or a
    /// ceiling.
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

/// Returns the normal from the gradient of the overlap area; `None` if that is zero.
pub(super) fn slope(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Normal> {
    let area = |x: i32, y: i32| a.overlap_area(b, offset + Point::new(x, y)) as i64;
    // A move of the first mask forwards is a move of the second backwards.
    Normal::along(area(1, 0) - area(-1, 0), area(0, 1) - area(0, -1))
}

/// Returns the normal of two touching masks: of the gradient, or else of the push-out.
pub(super) fn normal(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Normal> {
    if !a.touches(b, offset) {
        return None;
    }
    slope(a, b, offset).or_else(|| {
        let Point { x, y } = push_out::out(a, b, offset)?;
        Normal::along(x.into(), y.into())
    })
}
