//! Faults that errors refer to: of a frame in a sheet, and of an output path.
//!
//! Part of the public API, within `BakeError` and `MergeError`.

use hitmask::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;

/// The fault of a frame in the description of a sheet. `Display` is a predicate of the frame.
///
/// ```
/// use hitmask_bake::FrameFault;
/// assert_eq!(FrameFault::Negative.to_string(), "has a negative position or size");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameFault {
    /// A position or size is not a whole number.
    NotWhole,
    /// A position or size is negative.
    Negative,
    /// A position or size is larger than the longest side of a mask.
    TooLarge,
    /// The trimmed image exceeds the untrimmed frame.
    Trim,
    /// The pivot is not a number or is too far away.
    Pivot,
    /// The frame exceeds its page.
    OutsidePage {
        /// Width and height of the page in texels.
        page: [u32; 2],
    },
    /// Another frame has the same name.
    Twice,
    /// The frame has a pivot and an anchor with different values.
    TwoPivots,
    /// The frame is trimmed, but its place or its size before trimming is missing.
    NoSourceSize,
    /// The size on the page differs from the trimmed size.
    SizeMismatch,
    /// The triangles are malformed, or differ between page and frame.
    Triangles,
}

/// The reason why a path is not written to. `Display` is a predicate of the path.
///
/// ```
/// use hitmask_bake::OutputRefused;
/// assert_eq!(OutputRefused::Folder.help(), "name a file in that folder");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputRefused {
    /// The path leads to a folder.
    Folder,
    /// The path leads to a device, a pipe or a socket.
    Special,
    /// The path leads to a file that is needed as input.
    Needed,
    /// The cache path leads to the output file.
    Written,
    /// The output is a shard, but the path leads to a whole atlas.
    Atlas,
    /// The output is a whole atlas, but the path leads to a shard.
    Shard,
    /// The path leads to a file that is neither empty nor an atlas nor a shard.
    Foreign,
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWhole => write!(f, "has a position or size that is not a whole number"),
            Self::Negative => write!(f, "has a negative position or size"),
            Self::TooLarge => write!(f, "has a position or size above {MAX_SIDE}"),
            Self::Trim => write!(f, "exceeds the size that it had before trimming"),
            Self::Pivot => write!(f, "has a pivot that is not a number or is too far away"),
            Self::OutsidePage { page: [width, height] } => {
                write!(f, "exceeds its page of {width} x {height} texels")
            }
            Self::Twice => write!(f, "is described twice"),
            Self::TwoPivots => write!(f, "has a pivot and an anchor that differ"),
            Self::NoSourceSize => {
                write!(f, "is trimmed, but spriteSourceSize or sourceSize is missing")
            }
            Self::SizeMismatch => {
                write!(f, "has a size on the page that differs from its trimmed size")
            }
            Self::Triangles => {
                write!(f, "has triangles that are malformed or do not match its rectangle")
            }
        }
    }
}

impl FrameFault {
    /// Returns how to fix the fault that `Display` states.
    ///
    /// ```
    /// use hitmask_bake::FrameFault;
    /// assert_eq!(FrameFault::TwoPivots.help(), "remove one of the two, or make them equal");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Twice => "give each frame a name of its own, and export the sheet again",
            Self::TwoPivots => "remove one of the two, or make them equal",
            Self::SizeMismatch => "export the sheet again without inner padding",
            Self::Triangles => "export the sheet again, or pack it by rectangles",
            _ => "export the sheet and its description again, together",
        }
        .into()
    }
}

/// The fault as a predicate, to be printed after the path.
impl fmt::Display for OutputRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "is a folder, not a file",
            Self::Special => "is not a file, but a device, a pipe or a socket",
            Self::Needed => "is one of the files that are read, and would be lost",
            Self::Written => "is the output file, so it cannot be the cache too",
            Self::Atlas => "is a whole atlas, but the output is a shard",
            Self::Shard => "is a shard, but the output is a whole atlas",
            Self::Foreign => "exists and is neither an atlas nor a shard",
        })
    }
}

impl OutputRefused {
    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Folder => "name a file in that folder",
            Self::Special => "choose the path of a regular file",
            Self::Needed => "choose another path to write to",
            Self::Written => "choose another path for the cache",
            Self::Atlas | Self::Shard | Self::Foreign => "remove it, or choose another path",
        }
        .into()
    }
}
