//! The error of masks, polygons, colours and their text and byte forms.

use super::MAX_SIDE;
use crate::geom::MAX_POSITION;
use std::borrow::Cow;
use std::fmt;

/// The reason why a mask, a shape derived from one, or a rule for a mask cannot be made.
///
/// ```
/// use hitmask::{Mask, MaskError};
/// assert!(matches!(Mask::new(1 << 20, 1), Err(MaskError::TooLarge { width: 1_048_576, .. })));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum MaskError {
    /// A side is longer than [`MAX_SIDE`].
    TooLarge {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
    },
    /// The number of bytes does not match the size.
    WrongLength {
        /// Bytes required by width and height.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
    /// A text picture contains a character other than `.` and `#`.
    BadCharacter {
        /// The character.
        found: char,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A text picture has rows of different lengths.
    RaggedRow {
        /// Line, from 1, whose length differs from that of the first row.
        line: usize,
        /// Characters in the first row.
        expected: usize,
        /// Characters in this row.
        got: usize,
    },
    /// A text is neither a colour nor a range of colours.
    BadColor {
        /// The text.
        text: String,
    },
    /// A tolerance is not a number above 0.
    Tolerance(f32),
    /// A corner of a polygon is not finite, or is farther than
    /// [`MAX_POSITION`] pixels from the origin on one axis.
    Corner {
        /// Its distance to the right, in pixels.
        x: f32,
        /// Its distance down, in pixels.
        y: f32,
    },
}

debug_with_help!(MaskError);

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { width, height } => {
                write!(f, "mask size {width} x {height} exceeds {MAX_SIDE} pixels on a side")
            }
            Self::WrongLength { expected, got } => {
                write!(f, "got {got} bytes, but the size requires {expected}")
            }
            Self::BadCharacter { found, line, column } => {
                write!(f, "unexpected {found:?} at line {line}, column {column}")
            }
            Self::RaggedRow { line, expected, got } => {
                write!(f, "line {line} has {got} characters, but the first row has {expected}")
            }
            Self::BadColor { text } => {
                write!(f, "{text:?} is neither a colour nor a range of colours")
            }
            Self::Tolerance(tolerance) => {
                write!(f, "invalid tolerance {tolerance}: not above 0 pixels")
            }
            Self::Corner { x, y } => {
                write!(f, "corner ({x}, {y}) is not finite or out of range (limit {MAX_POSITION})")
            }
        }
    }
}

impl MaskError {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::TooLarge { .. } => {
                return format!(
                    "keep each side within {MAX_SIDE} pixels, or cut the art into pieces"
                )
                .into();
            }
            Self::WrongLength { .. } => "pass width * height pixels, row by row, without padding",
            Self::BadCharacter { .. } => "write '#' for a set pixel and '.' for a clear one",
            Self::RaggedRow { .. } => "make all rows equally long",
            Self::BadColor { .. } => {
                "write #ff00ff, #ff00ff80 with alpha, or a range #000000..#202020, lower bounds first"
            }
            Self::Tolerance(_) => "pass the largest allowed deviation in pixels, such as 1.0",
            Self::Corner { .. } => "give finite coordinates in pixels, near those of the sprite",
        }
        .into()
    }
}

impl std::error::Error for MaskError {}
