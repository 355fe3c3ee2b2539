use super::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;

/// Why a mask or a shape of one could not be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MaskError {
    /// A side is longer than [`MAX_SIDE`].
    TooLarge {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// The number of bytes does not fit the size.
    WrongLength {
        /// Bytes that width and height call for.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
    /// A picture in text has a character other than `.` and `#`.
    BadCharacter {
        /// The character.
        found: char,
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// A picture in text has rows of different lengths.
    RaggedRow {
        /// The line, from 1, that is not as long as the first.
        line: usize,
        /// Characters in the first row.
        expected: usize,
        /// Characters in this one.
        got: usize,
    },
    /// A tolerance is not a number above 0.
    Tolerance(f32),
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { width, height } => {
                write!(f, "a mask of {width} x {height} pixels is too large")
            }
            Self::WrongLength { expected, got } => {
                write!(f, "{got} bytes given where the size calls for {expected}")
            }
            Self::BadCharacter { found, line, column } => {
                write!(f, "unexpected {found:?} at line {line}, column {column}")
            }
            Self::RaggedRow { line, expected, got } => {
                write!(f, "line {line} has {got} characters and the first row {expected}")
            }
            Self::Tolerance(tolerance) => {
                write!(f, "a tolerance of {tolerance} pixels is not above zero")
            }
        }
    }
}

impl MaskError {
    /// Returns how to fix the fault that `Display` tells of.
    ///
    /// ```
    /// let error = "#x".parse::<hitmask::Mask>().unwrap_err();
    /// assert_eq!(error.to_string(), "unexpected 'x' at line 1, column 2");
    /// assert_eq!(error.help(), "write '#' for a set pixel and '.' for a clear one");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::TooLarge { .. } => {
                return format!("keep each side to {MAX_SIDE}, or cut the art into pieces").into();
            }
            Self::WrongLength { .. } => "pass width * height pixels, row by row, without padding",
            Self::BadCharacter { .. } => "write '#' for a set pixel and '.' for a clear one",
            Self::RaggedRow { .. } => "make all rows equally long",
            Self::Tolerance(_) => "pass how far off the shape may be, such as 1.0",
        }
        .into()
    }
}

impl std::error::Error for MaskError {}
