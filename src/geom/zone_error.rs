//! The error of zones and lines, and the checks that return it.
//!
//! Used by `query_shape` and by the nearest-collider queries of `world`.
//!
//! Invariant: an error holds the offending value, and `help` states the limit that it exceeds.

use super::Point;
use std::borrow::Cow;
use std::fmt;

/// The reason why a zone or line is invalid.
///
/// ```
/// use hitmask::{Zone, ZoneError};
/// assert_eq!(Zone::circle([0.0, 0.0], -1.0), Err(ZoneError::Size(-1.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ZoneError {
    /// A coordinate is not finite, or beyond 2,000,000,000 pixels from the origin.
    Position([f32; 2]),
    /// A radius, length or distance is negative or not finite.
    Size(f32),
    /// A direction is zero or not finite.
    Direction([f32; 2]),
    /// The ends of a line are more than 2,147,483,647 pixels apart on one axis.
    Span {
        /// Requested start.
        from: [f32; 2],
        /// Requested end.
        to: [f32; 2],
    },
}

impl fmt::Display for ZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position([x, y]) => {
                write!(
                    f,
                    "position ({x}, {y}) is not finite or more than {MAX_COORDINATE} mask pixels \
                     from the origin"
                )
            }
            Self::Size(size) => {
                write!(f, "invalid radius or length {size}: negative or not finite")
            }
            Self::Direction([x, y]) => {
                write!(f, "invalid direction ({x}, {y}): zero or not finite")
            }
            Self::Span { from: [x0, y0], to: [x1, y1] } => {
                write!(f, "the line from ({x0}, {y0}) to ({x1}, {y1}) is too long")
            }
        }
    }
}

impl std::error::Error for ZoneError {}

impl ZoneError {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Position(_) => {
                format!("keep x and y finite and within {MAX_COORDINATE} mask pixels of the origin")
            }
            Self::Size(_) => return "pass a finite number that is not negative".into(),
            Self::Direction(_) => {
                return "pass finite numbers that are not both zero".into();
            }
            Self::Span { .. } => {
                format!("keep its ends within {} mask pixels of each other on each axis", i32::MAX)
            }
        }
        .into()
    }

    /// Converts from mask pixels to units of `resolution` mask pixels each.
    pub(crate) fn in_units(self, resolution: f32) -> Self {
        let units = |at: [f32; 2]| at.map(|v| v / resolution);
        match self {
            Self::Position(at) => Self::Position(units(at)),
            Self::Size(size) => Self::Size(size / resolution),
            Self::Span { from, to } => Self::Span { from: units(from), to: units(to) },
            Self::Direction(_) => self,
        }
    }
}

/// Upper bound on the distance of a position from the origin on either axis, in pixels.
const MAX_COORDINATE: f32 = 2e9;

/// Returns the pixel that contains a point, if the point is within [`MAX_COORDINATE`].
pub(super) fn checked_position(at: [f32; 2]) -> Result<Point, ZoneError> {
    if at.iter().all(|v| v.abs() <= MAX_COORDINATE) {
        let [x, y] = at.map(|v| f64::from(v).floor() as i32);
        Ok(Point::new(x, y))
    } else {
        Err(ZoneError::Position(at))
    }
}

/// Returns `size` if it is finite and not negative.
pub(crate) fn checked_size(size: f32) -> Result<f32, ZoneError> {
    if size.is_finite() && size >= 0.0 { Ok(size) } else { Err(ZoneError::Size(size)) }
}
