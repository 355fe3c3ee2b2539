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
    /// An option of [`Mask::shape`](crate::Mask::shape) is not a number, or is out of range. So is the
    /// frame of [`Sprite::shape`](crate::Sprite::shape).
    ShapeOption {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f32,
        /// The least value.
        least: f32,
        /// The greatest value.
        most: f32,
    },
    /// A mask whose shape is updated has another size than before.
    SizeChanged {
        /// The first width and height in pixels.
        expected: [u32; 2],
        /// The width and height now.
        got: [u32; 2],
    },
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
            Self::ShapeOption { name, value, least, most } => {
                write!(f, "invalid {name} {value}: ")?;
                match (value.is_nan(), value < least) {
                    (true, _) => write!(f, "not a number"),
                    (_, true) => write!(f, "below {least}"),
                    (_, false) => write!(f, "above {most}"),
                }
            }
            Self::SizeChanged { expected: [w, h], got: [width, height] } => {
                write!(f, "the mask is {width} x {height} pixels, but was {w} x {h}")
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
            Self::WrongLength { .. } => "pass all rows from the top; each row of bits begins with a new byte, and pixels have no padding",
            Self::BadCharacter { .. } => "write '#' for a set pixel and '.' for a clear one",
            Self::RaggedRow { .. } => "make all rows equally long",
            Self::BadColor { .. } => {
                "write #ff00ff, #ff00ff80 with alpha, or a range #000000..#202020, lower bounds first"
            }
            Self::ShapeOption { name, least, most, .. } => {
                let usual = match *name {
                    "max_error" => "1.0, the pixels that an outline may be off",
                    "max_corners" => "8, the corners that Box2D takes",
                    "min_width" => "0.02, the width below which Box2D refuses a piece",
                    "scale" => "0.03125, for 32 pixels a metre",
                    "cell side" => "64",
                    "frame" => "0, the first frame",
                    _ => "0.0",
                };
                let range = match *most {
                    f32::MAX => format!("{least} or more"),
                    most => format!("{least} to {most}"),
                };
                return format!("pass {range}, such as {usual}").into();
            }
            Self::SizeChanged { .. } => "pass the mask that the grid was made of, or make a new grid",
            Self::Corner { .. } => "give finite coordinates in pixels, near those of the sprite",
        }
        .into()
    }
}

impl std::error::Error for MaskError {}
