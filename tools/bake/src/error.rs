//! The error of a bake, [`BakeError`]. Its texts are in `error_display`.

use super::{BakeCost, BuildError, FrameFault, OutputRefused};
use hitmask::IoCause;
use std::path::PathBuf;

/// The reason why a bake failed. Nothing has been written.
///
/// `Display` states the fault and [`help`](Self::help) the remedy. `Debug` prints both on one line,
/// because a build script that returns the error from `main` prints it that way.
///
/// ```
/// use hitmask_bake::{Bake, BakeError};
/// assert!(matches!(Bake::new().to_bytes(), Err(BakeError::NoSources)));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum BakeError {
    /// The bake has no sources.
    NoSources,
    /// A pattern with wildcards is invalid.
    Pattern {
        /// The pattern.
        pattern: String,
        /// The fault in the pattern.
        cause: &'static str,
    },
    /// A path or pattern matches no image.
    NoImages {
        /// The path or pattern.
        path: PathBuf,
    },
    /// A file or folder cannot be read.
    Read {
        /// The path of the file or folder.
        path: PathBuf,
        /// The system's error.
        cause: IoCause,
    },
    /// A path to be read leads to a folder, a device, a pipe or a socket. It was not opened.
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file is not an image of a supported format, whatever its extension.
    NotAnImage {
        /// The path of the file.
        path: PathBuf,
    },
    /// An image is damaged.
    Decode {
        /// The path of the file.
        path: PathBuf,
        /// The decoder's message.
        cause: String,
    },
    /// An image uses a part of its format that is not supported, but could change pixels.
    Unsupported {
        /// The path of the file.
        path: PathBuf,
        /// The place in the file and what is not supported there.
        cause: String,
        /// How to change the file.
        remedy: String,
    },
    /// An image is a PNG that Xcode has optimised, which only Apple's systems read.
    XcodePng {
        /// The path of the file.
        path: PathBuf,
    },
    /// A side of an image is longer than [`MAX_FRAME_SIDE`](hitmask::MAX_FRAME_SIDE), or that of an
    /// Aseprite file longer than [`MAX_SIDE`](hitmask::MAX_SIDE).
    ImageTooLarge {
        /// The path of the file.
        path: PathBuf,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The limit for each side in pixels.
        limit: u32,
    },
    /// The description of a sheet is malformed.
    Text {
        /// The path of the file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The fault at that position.
        cause: String,
    },
    /// A description has content that cannot be drawn with certainty, so no pixel is guessed.
    Refused {
        /// The path of the file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The content at that position.
        cause: String,
        /// How to change the file, as [`help`](Self::help) returns it.
        remedy: &'static str,
    },
    /// An object in a Tiled file names a template that does not exist, or an absolute path.
    NoTemplate {
        /// The path of the file.
        path: PathBuf,
        /// The line of the object, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The template as named in the file.
        named: String,
    },
    /// A manifest is malformed, or its patterns match no files.
    Manifest {
        /// The path of the manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The fault at that position.
        cause: String,
    },
    /// A manifest has an unknown key.
    UnknownKey {
        /// The path of the manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The unknown key.
        key: String,
        /// The most similar known key, if one is similar.
        nearest: Option<String>,
    },
    /// The description of a sheet has no frames.
    NoFramesIn {
        /// The path of the description.
        path: PathBuf,
    },
    /// The description of a sheet has an invalid frame.
    Frame {
        /// The path of the description.
        path: PathBuf,
        /// The name or number of the frame.
        frame: String,
        /// The fault of the frame.
        fault: FrameFault,
    },
    /// The description of a sheet names a page that does not exist.
    NoPage {
        /// The path of the description.
        path: PathBuf,
        /// The page as named in the description.
        named: String,
    },
    /// The description of a sheet names a page outside its own folder.
    PageOutside {
        /// The path of the description.
        path: PathBuf,
        /// The page as named in the description.
        named: String,
    },
    /// An animation in the description of a sheet names a frame that does not exist.
    NoFrameNamed {
        /// The path of the description.
        path: PathBuf,
        /// The name of the animation.
        animation: String,
        /// The name of the frame.
        frame: String,
    },
    /// A frame in the description of a sheet has a key that may change its pixels.
    UnknownFrameKey {
        /// The path of the description.
        path: PathBuf,
        /// The name of the frame.
        frame: String,
        /// The unknown key.
        key: String,
    },
    /// The description of a sheet does not show which frames a tag or slice has.
    FramesUnclear {
        /// The path of the description.
        path: PathBuf,
        /// The name of the tag or slice.
        name: String,
        /// The reason.
        cause: String,
    },
    /// A tag has frames that its file does not have.
    Tag {
        /// The path of the file.
        path: PathBuf,
        /// The name of the tag.
        tag: String,
        /// The first and last frame of the tag.
        frames: [usize; 2],
        /// The number of frames in the file.
        count: usize,
    },
    /// A plane names a layer that the file does not have.
    NoLayer {
        /// The path of the file.
        path: PathBuf,
        /// The name of the layer.
        layer: String,
        /// The names of the layers in the file.
        layers: Vec<String>,
    },
    /// The tiles of a grid have no texel.
    Tile {
        /// The path of the sheet.
        path: PathBuf,
        /// Width and height of a tile in texels.
        tile: [u32; 2],
    },
    /// A grid gives no frame on a sheet, or fewer than requested.
    Grid {
        /// The path of the sheet.
        path: PathBuf,
        /// Width and height of the sheet in texels.
        size: [u32; 2],
        /// The number of whole frames of the grid on the sheet.
        fit: u32,
        /// The number of frames requested.
        count: u32,
    },
    /// A file exceeds a limit of `BakeLimits`. Nothing of it has been decoded.
    OverLimit {
        /// The path of the file.
        path: PathBuf,
        /// The limited quantity.
        cost: BakeCost,
        /// The quantity that the file takes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// A path is not Unicode, so it cannot name a sprite.
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// Two sources give sprites with the same name.
    SameName {
        /// The name of the sprites.
        name: String,
        /// The image or sheet of one source; `None` if it was made from masks or shapes.
        first: Option<PathBuf>,
        /// The image or sheet of the other source. May equal the first.
        second: Option<PathBuf>,
    },
    /// A sprite cannot be baked, or the atlas cannot hold the sprites.
    Build(BuildError),
    /// The shard number is out of range.
    NoSuchShard {
        /// The shard number, from 1.
        shard: u32,
        /// The number of shards.
        of: u32,
    },
    /// A shard cannot keep a size limit, because the limit depends on all sprites.
    ShardWithLimit,
    /// The output or cache path leads to something that must not be replaced.
    Output {
        /// The path.
        path: PathBuf,
        /// Why it must not be replaced.
        fault: OutputRefused,
    },
    /// A file cannot be written.
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        cause: IoCause,
    },
    /// The names of two sprites give the same Rust identifier.
    SameIdentifier {
        /// The identifier.
        identifier: String,
        /// The name of one sprite.
        first: String,
        /// The name of the other sprite.
        second: String,
    },
    /// The output name is not a Rust identifier.
    NotAnIdentifier {
        /// The output name.
        name: String,
    },
    /// The environment variable `OUT_DIR` is not set, so this is not a build script.
    NoOutDir,
}

impl std::error::Error for BakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { cause, .. } | Self::Write { cause, .. } => Some(cause),
            Self::Build(cause) => cause.source(),
            _ => None,
        }
    }
}

impl From<BuildError> for BakeError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}
