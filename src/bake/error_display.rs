//! The texts of [`BakeError`] and of what it holds: `Display` says what is wrong, in one line, and `help` how to fix it.

use super::{BakeError, FrameFault, OutputRefused};
use crate::mask::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// The fault and the remedy where an atlas would be larger than its format allows.
pub(super) const TOO_LARGE: [&str; 2] = [
    "the atlas would exceed 32 GiB of masks",
    "bake fewer angles or scales, or split the sprites among several atlases",
];

/// The remedy where a file cannot be read.
pub(super) const NOT_READ: &str = "check the path and its permissions";

/// The remedy where a file cannot be written.
pub(super) const NOT_WRITTEN: &str = "check that the folder exists and that the disk has room";

/// Writes that a file could not be written.
pub(super) fn not_written(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    cause: &impl fmt::Display,
) -> fmt::Result {
    write!(f, "cannot write {}: {cause}; any file at that path is unchanged", path.display())
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWhole => write!(f, "has a position or size that is not a whole number"),
            Self::Negative => write!(f, "has a negative position or size"),
            Self::TooLarge => write!(f, "has a position or size beyond {MAX_SIDE}"),
            Self::Trim => write!(f, "reaches out of the size it had before it was trimmed"),
            Self::Pivot => write!(f, "has a pivot that is not a number, or too far away"),
            Self::OutsidePage { page: [width, height] } => {
                write!(f, "reaches out of its page of {width} x {height} texels")
            }
        }
    }
}

/// What is wrong, as a predicate of the path.
impl fmt::Display for OutputRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "is a folder, and a file is to be written",
            Self::Special => "is no file, but a device, a pipe or a socket",
            Self::Needed => "is one of the files that are read, and would be lost",
            Self::Written => "is the file to be written, and cannot hold its cache too",
            Self::Atlas => "is a whole atlas, and a shard is to be written",
            Self::Shard => "is a shard, and a whole atlas is to be written",
            Self::Foreign => "is there already, and is neither an atlas nor a shard",
        })
    }
}

impl OutputRefused {
    /// Returns how to fix the fault that `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::Folder => "name a file in that folder",
            Self::Special => "choose a file, or a path where nothing is",
            Self::Needed => "choose another path to write to",
            Self::Written => "choose another path for the cache",
            Self::Atlas | Self::Shard | Self::Foreign => "remove it, or choose another path",
        }
        .into()
    }
}

/// What is wrong, with the fault and the remedy on one line: a build script that returns the error
/// from `main` prints this.
impl fmt::Debug for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}; {}", self.help())
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSources => f.write_str("there is nothing to bake"),
            Self::Pattern { pattern, cause } => {
                write!(f, "the pattern {pattern:?} cannot be read: {cause}")
            }
            Self::NoImages { path } => write!(f, "no image at {}", path.display()),
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAnImage { path } => write!(
                f,
                "{} is no PNG, GIF, WebP or Aseprite image, whatever its name",
                path.display()
            ),
            Self::Decode { path, cause } => write!(f, "{} is damaged: {cause}", path.display()),
            Self::ImageTooLarge { path, width, height } => {
                write!(f, "{} has {width} x {height} pixels", path.display())
            }
            Self::Text { path, line, column, cause }
            | Self::Manifest { path, line, column, cause } => {
                write!(f, "{}, line {line}, column {column}: {cause}", path.display())
            }
            Self::UnknownKey { path, line, column, key, .. } => {
                let path = path.display();
                write!(f, "{path}, line {line}, column {column}: there is no key {key:?} here")
            }
            Self::NoFramesIn { path } => write!(f, "{} describes no frames", path.display()),
            Self::Frame { path, frame, fault } => {
                write!(f, "{}: frame {frame:?} {fault}", path.display())
            }
            Self::NoPage { path, named } => {
                write!(f, "{} names the page {named:?}, which is not there", path.display())
            }
            Self::PageOutside { path, named } => {
                write!(f, "{} names the page {named:?}, outside its own folder", path.display())
            }
            Self::NoFrameNamed { path, animation, frame } => write!(
                f,
                "{}: animation {animation:?} names the frame {frame:?}, which is not there",
                path.display()
            ),
            Self::Tag { path, tag, frames: [from, to], count } => {
                write!(f, "{}: tag {tag:?} takes frames {from} to {to} of {count}", path.display())
            }
            Self::NoLayer { path, layer, .. } => {
                write!(f, "{} has no layer {layer:?}", path.display())
            }
            Self::Tile { path, tile: [width, height] } => write!(
                f,
                "{} is to be cut into tiles of {width} x {height} texels",
                path.display()
            ),
            Self::Grid { path, size: [width, height], fit, count } => write!(
                f,
                "{} has {width} x {height} texels, on which {fit} frames of the grid lie whole, and {count} are to be taken",
                path.display()
            ),
            Self::TooManyTexels { path } => write!(
                f,
                "the images of {} have more than 2^30 texels together",
                path.display()
            ),
            Self::NotUnicode { path } => write!(f, "{} cannot name a sprite", path.display()),
            Self::EmptyName => f.write_str("a sprite has an empty name"),
            Self::ControlInName { name } => {
                write!(f, "sprite {name:?} has a control character in its name")
            }
            Self::NoFrames { name } => write!(f, "sprite {name:?} has no frames"),
            Self::PlaneName { name, plane } => {
                write!(f, "sprite {name:?} cannot have a plane named {plane:?}")
            }
            Self::PlaneMasks { name, frame, planes } => {
                write!(f, "frame {frame} of sprite {name:?} does not fit its {planes} planes")
            }
            Self::SameName { name, first, second } => match (first, second) {
                (Some(first), Some(second)) if first == second => {
                    write!(f, "{} gives a sprite named {name:?} twice", first.display())
                }
                (Some(first), Some(second)) => write!(
                    f,
                    "two sources give a sprite named {name:?}, {} and {}",
                    first.display(),
                    second.display()
                ),
                (Some(file), None) | (None, Some(file)) => write!(
                    f,
                    "two sources give a sprite named {name:?}, {} and one that is no image",
                    file.display()
                ),
                (None, None) => {
                    write!(f, "two sources give a sprite named {name:?}, neither an image")
                }
            },
            Self::Settings(cause) => cause.fmt(f),
            Self::MaxError(error) => {
                write!(f, "a largest error of {error} pixels is not a positive number")
            }
            Self::OverBudget { bytes, limit } => write!(
                f,
                "the atlas may take {bytes} bytes at the fewest angle steps, more than the limit of {limit}"
            ),
            Self::Pose { name, cause } => write!(f, "sprite {name:?} cannot be baked: {cause}"),
            Self::MotionFramePivot { name, frame } => write!(
                f,
                "the frames of sprite {name:?} cannot be put together to a swing: the pivot of frame {frame} lies half a texel off that of frame 0"
            ),
            Self::MotionFrameSize { name } => write!(
                f,
                "the frames of sprite {name:?}, put together to a swing, are larger than {MAX_SIDE} pixels on a side"
            ),
            Self::NoSuchShard { shard, of } => write!(f, "there is no shard {shard} of {of}"),
            Self::ShardWithLimit => f.write_str(
                "a shard cannot keep the atlas to a number of bytes, for which all sprites must be known",
            ),
            Self::AtlasTooLarge => f.write_str(TOO_LARGE[0]),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => not_written(f, path, cause),
            Self::SameIdentifier { identifier, first, second } => {
                write!(f, "sprites {first:?} and {second:?} would both be called {identifier}")
            }
            Self::NotAnIdentifier { name } => write!(f, "{name:?} cannot name a module"),
            Self::NoOutDir => f.write_str("the environment has no OUT_DIR, so this is not a build script"),
        }
    }
}

impl BakeError {
    /// Returns how to fix the fault that `Display` tells of.
    ///
    /// ```
    /// let error = hitmask::Bake::new().to_bytes().unwrap_err();
    /// assert_eq!(error.to_string(), "there is nothing to bake");
    /// assert_eq!(error.help(), "name an image or a folder of images");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NoSources => "name an image or a folder of images",
            Self::Pattern { .. } => "escape a literal [, * or ? as [[], [*] or [?]",
            Self::NoImages { .. } => {
                "check the path, and that the images are PNG, GIF, WebP or Aseprite files"
            }
            Self::Read { .. } => NOT_READ,
            Self::NotAnImage { .. } => "convert it, or take it out of the folder",
            Self::Decode { .. } => "export it again",
            Self::ImageTooLarge { .. } => {
                return format!("keep each side to {MAX_SIDE}, or cut it into pieces").into();
            }
            Self::Text { .. } => "correct it there, or export the file again",
            Self::Manifest { .. } => "correct it there",
            Self::UnknownKey { nearest: Some(nearest), .. } => {
                return format!("did you mean {nearest:?}?").into();
            }
            Self::UnknownKey { nearest: None, .. } => {
                "hitmask init writes a manifest with every key in it"
            }
            Self::NoFramesIn { .. } => "export it again, or take it out of the sources",
            Self::Frame { .. } => "export the sheet and its description again, together",
            Self::NoPage { .. } => "put it into the same folder",
            Self::PageOutside { .. } => "put it beside, and name it by its file name",
            Self::NoFrameNamed { .. } => "export it again",
            Self::Tag { .. } => "correct the tag, or export it again",
            Self::NoLayer { layers, .. } => {
                return format!("its layers are {}", layers.join(", ")).into();
            }
            Self::Tile { .. } => "give a tile sides of at least 1",
            Self::Grid { .. } => "check tile, margin, spacing and count",
            Self::TooManyTexels { .. } => "split it into several files",
            Self::NotUnicode { .. } => "rename the file in Unicode",
            Self::EmptyName => "give it a name",
            Self::ControlInName { .. } => "give it another name, or rename its file",
            Self::NoFrames { .. } => "give it at least one mask",
            Self::PlaneName { .. } => {
                "give 1 to 255 different names of 1 to 255 bytes, without control characters"
            }
            Self::PlaneMasks { .. } => "give a mask for each, all of one size",
            Self::SameName { first: Some(first), second: Some(second), .. } => {
                if first == second {
                    "name the file once, or give one of the two another name"
                } else {
                    "rename one, or bake the folder above both"
                }
            }
            Self::SameName { .. } | Self::SameIdentifier { .. } => "rename one",
            Self::Settings(cause) | Self::Pose { cause, .. } => return cause.help(),
            Self::MaxError(_) => "give a positive number, such as 1",
            Self::OverBudget { .. } => "raise the limit, or bake fewer scales or sprites",
            Self::MotionFramePivot { .. } => {
                "give all frames one pivot, or bake it without a swing"
            }
            Self::MotionFrameSize { .. } => "bring their pivots closer, or bake it without a swing",
            Self::NoSuchShard { .. } => "number shards from 1, up to 65536 at most",
            Self::ShardWithLimit => "leave the limit out, or bake in one piece",
            Self::AtlasTooLarge => TOO_LARGE[1],
            Self::Output { fault, .. } => return fault.help(),
            Self::Write { .. } => NOT_WRITTEN,
            Self::NotAnIdentifier { .. } => "use letters, digits and _, and begin with a letter",
            Self::NoOutDir => "use write() and give a path",
        }
        .into()
    }
}
