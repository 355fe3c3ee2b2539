//! What the errors of a bake say: in one line what is wrong, and behind the last "; " what to do.

use super::{BakeError, FrameFault};
use crate::mask::MAX_SIDE;
use std::fmt;
use std::path::Path;

/// That an atlas would be larger than its format allows.
pub(super) const TOO_LARGE: &str =
    "the atlas would exceed 32 GiB of masks; bake fewer angles or scales, or several atlases";

/// That a file could not be written.
pub(super) fn not_written(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    cause: &impl fmt::Display,
) -> fmt::Result {
    write!(
        f,
        "cannot write {}: {cause}; what was there before is untouched: check that the folder exists and has room",
        path.display()
    )
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWhole => write!(f, "has a place or size that is no whole number"),
            Self::Negative => write!(f, "has a negative place or size"),
            Self::TooLarge => write!(f, "has a place or size beyond {MAX_SIDE}"),
            Self::Trim => write!(f, "reaches out of the size it had before it was trimmed"),
            Self::Pivot => write!(f, "has a pivot that is no number, or too far away"),
            Self::OutsidePage { page: [width, height] } => {
                write!(f, "reaches out of its page of {width} x {height} texels")
            }
        }
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSources => {
                write!(f, "there is nothing to bake; name an image or a folder of them")
            }
            Self::Pattern { pattern, cause } => {
                write!(
                    f,
                    "the pattern {pattern:?} cannot be read: {cause}; escape a literal [, * or ? as [[], [*] or [?]"
                )
            }
            Self::NoImages { path } => write!(
                f,
                "no image at {}; check the path, and that the images are PNG, GIF, WebP or Aseprite files",
                path.display()
            ),
            Self::Read { path, cause } => write!(
                f,
                "cannot read {}: {cause}; check the path and its permissions",
                path.display()
            ),
            Self::NotAnImage { path } => write!(
                f,
                "{} is no PNG, GIF, WebP or Aseprite image, whatever its name; convert it, or take it out of the folder",
                path.display()
            ),
            Self::Decode { path, cause } => {
                write!(f, "{} is damaged: {cause}; export it again", path.display())
            }
            Self::ImageTooLarge { path, width, height } => write!(
                f,
                "{} has {width} x {height} pixels; keep each side to {MAX_SIDE}, or cut it into pieces",
                path.display()
            ),
            Self::Text { path, line, column, cause } => write!(
                f,
                "{}, line {line}, column {column}: {}; correct it there, or export the file again",
                path.display(),
                cause.replace(';', ",")
            ),
            Self::Manifest { path, line, column, cause } => write!(
                f,
                "{}, line {line}, column {column}: {}; correct it there",
                path.display(),
                cause.replace(';', ",")
            ),
            Self::UnknownKey { path, line, column, key, nearest } => {
                let path = path.display();
                write!(f, "{path}, line {line}, column {column}: there is no key {key:?} here; ")?;
                match nearest {
                    Some(nearest) => write!(f, "did you mean {nearest:?}?"),
                    None => write!(f, "hitmask init writes a manifest with every key in it"),
                }
            }
            Self::NoFramesIn { path } => write!(
                f,
                "{} describes no frames; export it again, or take it out of the sources",
                path.display()
            ),
            Self::Frame { path, frame, fault } => write!(
                f,
                "{}: frame {frame:?} {fault}; export the sheet and its description again, together",
                path.display()
            ),
            Self::NoPage { path, named } => write!(
                f,
                "{} names the page {named:?}, which is not there; put it into the same folder",
                path.display()
            ),
            Self::PageOutside { path, named } => write!(
                f,
                "{} names the page {named:?}, outside its own folder; put it beside, and name it by its file name",
                path.display()
            ),
            Self::NoFrameNamed { path, animation, frame } => write!(
                f,
                "{}: animation {animation:?} names the frame {frame:?}, which is not there; export it again",
                path.display()
            ),
            Self::Tag { path, tag, frames: [from, to], count } => write!(
                f,
                "{}: tag {tag:?} takes frames {from} to {to} of {count}; correct the tag, or export it again",
                path.display()
            ),
            Self::NoLayer { path, layer, layers } => write!(
                f,
                "{} has no layer {layer:?}; its layers are {}",
                path.display(),
                layers.join(", ")
            ),
            Self::Tile { path, tile: [width, height] } => write!(
                f,
                "{} is to be cut into tiles of {width} x {height} texels; give a tile sides of at least 1",
                path.display()
            ),
            Self::Grid { path, size: [width, height], fit, count } => write!(
                f,
                "{} has {width} x {height} texels, on which {fit} frames of the grid lie whole, and {count} are to be taken; check tile, margin, spacing and count",
                path.display()
            ),
            Self::TooManyTexels { path } => write!(
                f,
                "the images of {} have more than 2^30 texels together; split it into several files",
                path.display()
            ),
            Self::NotUnicode { path } => {
                write!(f, "{} cannot name a sprite; rename the file in Unicode", path.display())
            }
            Self::EmptyName => write!(f, "a sprite has an empty name; give it one"),
            Self::ControlInName { name } => write!(
                f,
                "sprite {name:?} has a control character in its name; give it another, or rename its file"
            ),
            Self::NoFrames { name } => {
                write!(f, "sprite {name:?} has no frames; give it at least one mask")
            }
            Self::PlaneName { name, plane } => write!(
                f,
                "sprite {name:?} cannot have a plane named {plane:?}; give 1 to 255 different names of 1 to 255 bytes, without control characters"
            ),
            Self::PlaneMasks { name, frame, planes } => write!(
                f,
                "frame {frame} of sprite {name:?} does not fit its {planes} planes; give a mask for each, all of one size"
            ),
            Self::SameName { name, first, second } => match (first, second) {
                (Some(first), Some(second)) if first == second => write!(
                    f,
                    "{} gives a sprite named {name:?} twice; name the file once, or give one of the two another name",
                    first.display()
                ),
                (Some(first), Some(second)) => write!(
                    f,
                    "two sources give a sprite named {name:?}, {} and {}; rename one, or bake the folder above both",
                    first.display(),
                    second.display()
                ),
                (Some(file), None) | (None, Some(file)) => write!(
                    f,
                    "two sources give a sprite named {name:?}, {} and one that is no image; rename one",
                    file.display()
                ),
                (None, None) => {
                    write!(
                        f,
                        "two sources give a sprite named {name:?}, neither an image; rename one"
                    )
                }
            },
            Self::Settings(cause) => write!(f, "{cause}"),
            Self::MaxError(error) => write!(
                f,
                "an error of {error} pixels cannot be kept; give a positive number, such as 1"
            ),
            Self::OverBudget { bytes, limit } => write!(
                f,
                "the atlas may take {bytes} bytes at the fewest angle steps and should take {limit}; raise the limit, or bake fewer scales or sprites"
            ),
            Self::Pose { name, cause } => write!(f, "sprite {name:?} cannot be baked: {cause}"),
            Self::SwingPivot { name, frame } => write!(
                f,
                "the frames of sprite {name:?} cannot be put together to a swing: the pivot of frame {frame} lies half a texel off that of frame 0; give all frames one pivot, or bake it without a swing"
            ),
            Self::SwingSize { name } => write!(
                f,
                "the frames of sprite {name:?}, put together to a swing, are larger than {MAX_SIDE} pixels on a side; bring their pivots closer, or bake it without a swing"
            ),
            Self::NoSuchShard { shard, of } => write!(
                f,
                "there is no shard {shard} of {of}; number them from 1, up to 65536 at most"
            ),
            Self::ShardWithLimit => write!(
                f,
                "a shard cannot keep the atlas to a number of bytes, for which all sprites must be known; leave the limit out, or bake in one piece"
            ),
            Self::AtlasTooLarge => f.write_str(TOO_LARGE),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => not_written(f, path, cause),
            Self::SameIdentifier { identifier, first, second } => write!(
                f,
                "sprites {first:?} and {second:?} would both be called {identifier}; rename one"
            ),
            Self::NotAnIdentifier { name } => write!(
                f,
                "{name:?} cannot name a module; use letters, digits and _, and begin with a letter"
            ),
            Self::NoOutDir => write!(
                f,
                "this is no build script, for OUT_DIR is not set; use write() and give a path"
            ),
        }
    }
}
