//! The texts of [`BakeError`] and the types inside it: `Display` states the fault in one line, and
//! `help` the remedy.

use super::BakeError;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// Remedy if a file cannot be read.
pub(super) const NOT_READ: &str = "check the path and its permissions";

/// Remedy if a file cannot be written.
pub(super) const NOT_WRITTEN: &str = "check that the folder exists and that the disk has room";

/// Formats the fault of a failed write.
pub(super) fn not_written(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    cause: &impl fmt::Display,
) -> fmt::Result {
    write!(f, "cannot write {}: {cause}; any file at that path is unchanged", path.display())
}

/// Prints fault and remedy on one line, because a build script that returns the error from `main`
/// prints this.
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
                write!(f, "invalid pattern {pattern:?}: {cause}")
            }
            Self::NoImages { path } => write!(f, "no image at {}", path.display()),
            Self::Read { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            Self::NotAFile { path } => {
                let path = path.display();
                write!(f, "{path} is not a file, but a folder, a device, a pipe or a socket")
            }
            Self::NotAnImage { path } => write!(
                f,
                "{} is not a PNG, GIF, WebP, BMP, TGA or Aseprite image",
                path.display()
            ),
            Self::Decode { path, cause } => write!(f, "{} is damaged: {cause}", path.display()),
            Self::Unsupported { path, cause, .. } => write!(f, "{}: {cause}", path.display()),
            Self::XcodePng { path } => write!(
                f,
                "{} is optimised by Xcode (chunk CgBI), so it is not a standard PNG",
                path.display()
            ),
            Self::ImageTooLarge { path, width, height, limit } => {
                write!(
                    f,
                    "{} has {width} x {height} pixels, and the limit is {limit} a side",
                    path.display()
                )
            }
            Self::Text { path, line, column, cause }
            | Self::Manifest { path, line, column, cause }
            | Self::Refused { path, line, column, cause, .. } => {
                write!(f, "{}, line {line}, column {column}: {cause}", path.display())
            }
            Self::NoTemplate { path, line, column, named } => {
                let path = path.display();
                write!(f, "{path}, line {line}, column {column}: there is no template {named:?}")
            }
            Self::UnknownKey { path, line, column, key, .. } => {
                let path = path.display();
                write!(f, "{path}, line {line}, column {column}: unknown key {key:?}")
            }
            Self::NoFramesIn { path } => write!(f, "{} describes no frames", path.display()),
            Self::Frame { path, frame, fault } => {
                write!(f, "{}: frame {frame:?} {fault}", path.display())
            }
            Self::NoPage { path, named } => {
                write!(f, "{} names the file {named:?}, which does not exist", path.display())
            }
            Self::PageOutside { path, named } => {
                write!(f, "{} names the file {named:?} outside its own folder", path.display())
            }
            Self::NoFrameNamed { path, animation, frame } => write!(
                f,
                "{}: animation {animation:?} names the frame {frame:?}, which does not exist",
                path.display()
            ),
            Self::UnknownFrameKey { path, frame, key } => write!(
                f,
                "{}: frame {frame:?} has the unknown key {key:?}, which may change its pixels",
                path.display()
            ),
            Self::FramesUnclear { path, name, cause } => {
                write!(f, "{}: the frames of {name:?} are unclear: {cause}", path.display())
            }
            Self::Tag { path, tag, frames: [from, to], count } => {
                write!(f, "{}: tag {tag:?} has frames {from} to {to} of {count}", path.display())
            }
            Self::NoLayer { path, layer, .. } => {
                write!(f, "{} has no layer {layer:?}", path.display())
            }
            Self::Tile { path, tile: [width, height] } => write!(
                f,
                "the grid for {} has tiles of {width} x {height} texels",
                path.display()
            ),
            Self::Grid { path, size: [width, height], fit, count } => write!(
                f,
                "{} has {width} x {height} texels and {fit} whole frames of the grid, but {count} are requested",
                path.display()
            ),
            Self::OverLimit { path, cost, needed, limit } => {
                write!(f, "{} takes {needed} {cost}, but the limit is {limit}", path.display())
            }
            Self::NotUnicode { path } => {
                write!(f, "the path {} is not Unicode, so it cannot name a sprite", path.display())
            }
            Self::SameName { name, first, second } => match (first, second) {
                (Some(first), Some(second)) if first == second => {
                    write!(f, "{} gives a sprite named {name:?} twice", first.display())
                }
                (Some(first), Some(second)) => write!(
                    f,
                    "two sources give a sprite named {name:?}: {} and {}",
                    first.display(),
                    second.display()
                ),
                (Some(file), None) | (None, Some(file)) => write!(
                    f,
                    "two sources give a sprite named {name:?}: {} and one that is not an image",
                    file.display()
                ),
                (None, None) => {
                    write!(f, "two sources without images give a sprite named {name:?}")
                }
            },
            Self::Build(cause) => cause.fmt(f),
            Self::NoSuchShard { shard, of } => write!(f, "there is no shard {shard} of {of}"),
            Self::ShardWithLimit => f.write_str(
                "a shard cannot keep a limit on the atlas size, because the limit depends on all sprites",
            ),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => not_written(f, path, cause),
            Self::SameIdentifier { identifier, first, second } => {
                write!(f, "sprites {first:?} and {second:?} have the same identifier {identifier}")
            }
            Self::NotAnIdentifier { name } => write!(f, "{name:?} is not a valid module name"),
            Self::NoOutDir => {
                f.write_str("the variable OUT_DIR is not set, so this is not a build script")
            }
        }
    }
}

impl BakeError {
    /// Returns how to fix the fault that `Display` states.
    ///
    /// ```
    /// let error = hitmask_bake::Bake::new().to_bytes().unwrap_err();
    /// assert_eq!(error.to_string(), "there is nothing to bake");
    /// assert_eq!(error.help(), "add an image or a folder of images");
    /// ```
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Self::NoSources => "add an image or a folder of images",
            Self::Pattern { .. } => "escape a literal [, * or ? as [[], [*] or [?]",
            Self::NoImages { path } if path.to_string_lossy().contains('\\') => {
                "separate folders by / in patterns, and check the path"
            }
            Self::NoImages { .. } => {
                "check the path, and that the images are PNG, GIF, WebP, BMP, TGA or Aseprite files"
            }
            Self::Read { .. } => NOT_READ,
            Self::NotAFile { .. } => "save the contents to a regular file, and name that file",
            Self::NotAnImage { .. } => "convert the file, or remove it from the sources",
            Self::Decode { .. } => "export the image again",
            Self::Unsupported { remedy, .. } => return remedy.clone().into(),
            Self::XcodePng { .. } => {
                "take the image from before the build, or convert it with xcrun -sdk iphoneos pngcrush -revert-iphone-optimizations in.png out.png"
            }
            Self::ImageTooLarge { .. } => {
                "make the image smaller, or cut it into pieces"
            }
            Self::Text { .. } => "correct the file at that position, or export it again",
            Self::Refused { remedy, .. } => remedy,
            Self::NoTemplate { .. } => {
                "put the template at that path, relative to the file, or detach the object in Tiled"
            }
            Self::Manifest { .. } => "correct the manifest at that position",
            Self::UnknownKey { nearest: Some(nearest), .. } => {
                return format!("did you mean {nearest:?}?").into();
            }
            Self::UnknownKey { nearest: None, .. } => {
                "run hitmask init, which writes a manifest with every key"
            }
            Self::NoFramesIn { .. } => "export the file again, or remove it from the sources",
            Self::Frame { fault, .. } => return fault.help(),
            Self::NoPage { .. } => "put the named file into the folder of the description",
            Self::PageOutside { .. } => "move the named file to the folder of the description",
            Self::UnknownFrameKey { .. } => "remove the key, or export without that feature",
            Self::FramesUnclear { .. } => {
                "export the sheet again; from Aseprite one file per sheet, with --filename-format \"{title} ({layer}) {frame}.{extension}\" and --list-layers, or turn tags off in the manifest"
            }
            Self::NoFrameNamed { .. } => "export the file again",
            Self::Tag { .. } => "correct the tag, or export the file again",
            Self::NoLayer { layers, .. } => {
                return format!("choose one of its layers: {}", layers.join(", ")).into();
            }
            Self::Tile { .. } => "set both sides of the tile to at least 1 texel",
            Self::Grid { .. } => "check tile, margin, spacing and count",
            Self::OverLimit { cost, needed, .. } => {
                let ((setter, option, value), remedy) = (cost.raised(*needed), cost.remedy());
                return format!(
                    "if you trust the file, allow it with BakeLimits::{setter}({value}), or with \
                     {option} {value} of hitmask; or {remedy}"
                )
                .into();
            }
            Self::NotUnicode { .. } => "rename the file to a Unicode name",
            Self::SameName { first: Some(first), second: Some(second), .. } => {
                if first == second {
                    "name the file once, or give one of the sprites another name"
                } else {
                    "rename one of them, or bake their common parent folder"
                }
            }
            Self::SameName { .. } | Self::SameIdentifier { .. } => "rename one of them",
            Self::Build(cause) => return cause.help(),
            Self::NoSuchShard { .. } => "number the shards from 1, up to 65536",
            Self::ShardWithLimit => "remove the limit, or bake without shards",
            Self::Output { fault, .. } => return fault.help(),
            Self::Write { .. } => NOT_WRITTEN,
            Self::NotAnIdentifier { .. } => "use letters, digits and _, and begin with a letter",
            Self::NoOutDir => "call write() with a path instead",
        }
        .into()
    }
}
