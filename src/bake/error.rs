use super::OutputFault;
use crate::mask::MAX_SIDE;
use crate::pose::PoseError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a bake failed. Nothing has been written.
///
/// Printed as a sentence with `{:?}` too: that is how a build script which returns it ends.
#[non_exhaustive]
pub enum BakeError {
    /// There is nothing to bake.
    NoSources,
    /// A pattern with wildcards cannot be read.
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        cause: &'static str,
    },
    /// A path or pattern names no image.
    NoImages {
        /// The path or pattern.
        path: PathBuf,
    },
    /// A file or folder cannot be read.
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A file is no image of a kind that is read, whatever its name says.
    NotAnImage {
        /// The file.
        path: PathBuf,
    },
    /// An image is damaged.
    Decode {
        /// The file.
        path: PathBuf,
        /// What the decoder said.
        cause: String,
    },
    /// An image is larger than a mask may be.
    ImageTooLarge {
        /// The file.
        path: PathBuf,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// The description of a sheet cannot be read as what it is.
    Text {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        cause: String,
    },
    /// A manifest cannot be read as one, or asks for what is not there.
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        cause: String,
    },
    /// A manifest has a key that means nothing.
    UnknownKey {
        /// The manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The key.
        key: String,
        /// The key that was perhaps meant.
        nearest: Option<String>,
    },
    /// The description of a sheet has no frames.
    NoFramesIn {
        /// The description.
        path: PathBuf,
    },
    /// A frame cannot be as the description of its sheet has it.
    Frame {
        /// The description.
        path: PathBuf,
        /// The frame's name or number.
        frame: String,
        /// What is wrong with it.
        fault: FrameFault,
    },
    /// The description of a sheet names a page that is not there.
    NoPage {
        /// The description.
        path: PathBuf,
        /// The page, as it is named.
        named: String,
    },
    /// The description of a sheet names a page outside its own folder.
    PageOutside {
        /// The description.
        path: PathBuf,
        /// The page, as it is named.
        named: String,
    },
    /// An animation in the description of a sheet names a frame that is not there.
    NoFrameNamed {
        /// The description.
        path: PathBuf,
        /// The animation.
        animation: String,
        /// The frame.
        frame: String,
    },
    /// A tag takes frames that a file does not have.
    Tag {
        /// The file.
        path: PathBuf,
        /// The tag.
        tag: String,
        /// Its first and last frame.
        frames: [usize; 2],
        /// Frames in the file.
        count: usize,
    },
    /// A plane is to be made of a layer that a file does not have.
    NoLayer {
        /// The file.
        path: PathBuf,
        /// The layer.
        layer: String,
        /// The layers that it has.
        layers: Vec<String>,
    },
    /// A grid has tiles without a texel.
    Tile {
        /// The file that it is to cut.
        path: PathBuf,
        /// Width and height of a tile in texels.
        tile: [u32; 2],
    },
    /// A grid takes no frame from a sheet, or more than lie on it.
    Grid {
        /// The file.
        path: PathBuf,
        /// Its width and height in texels.
        size: [u32; 2],
        /// Frames of the grid that lie whole on it.
        fit: u32,
        /// Frames to be taken.
        count: u32,
    },
    /// The images of one file have more texels together than a bake takes: 2 to the power of 30.
    TooManyTexels {
        /// The file.
        path: PathBuf,
    },
    /// A path cannot be a name, because it is not Unicode.
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// A sprite has an empty name.
    EmptyName,
    /// A sprite's name has a character in it that controls a terminal, such as a line break.
    ControlInName {
        /// The name.
        name: String,
    },
    /// A sprite has no frames.
    NoFrames {
        /// The sprite.
        name: String,
    },
    /// A sprite's planes cannot be named so.
    PlaneName {
        /// The sprite.
        name: String,
        /// The name that is empty, too long, has control characters, is there twice or one too many.
        plane: String,
    },
    /// A frame has not one mask for each plane, all of one size.
    PlaneMasks {
        /// The sprite.
        name: String,
        /// The frame, from 0.
        frame: usize,
        /// Number of planes.
        planes: usize,
    },
    /// Two sources give sprites of one name.
    SameName {
        /// The name.
        name: String,
        /// The image or sheet that one comes from; none where it was made of masks or shapes.
        first: Option<PathBuf>,
        /// What the other comes from: perhaps the same.
        second: Option<PathBuf>,
    },
    /// The settings cannot be baked at.
    Settings(PoseError),
    /// The largest error asked for is no positive number of pixels.
    MaxError(f32),
    /// Not even eight angle steps for each sprite fit the limit.
    OverBudget {
        /// Bytes that these may take.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A sprite cannot be posed as its settings ask.
    Pose {
        /// The sprite.
        name: String,
        /// Why.
        cause: PoseError,
    },
    /// There is no such shard.
    NoSuchShard {
        /// Its number, from 1.
        shard: u32,
        /// Number of shards.
        of: u32,
    },
    /// A shard of a bake cannot keep to a number of bytes, which all sprites share.
    ShardWithLimit,
    /// The atlas would exceed its format's limits: 4 billion poses or 32 GiB of masks.
    AtlasTooLarge,
    /// Nothing is written to a path, because of what is there.
    Output {
        /// The path.
        path: PathBuf,
        /// What is there.
        fault: OutputFault,
    },
    /// The atlas cannot be written.
    Write {
        /// The file to be written.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Two sprites' names give one identifier in Rust.
    SameIdentifier {
        /// The identifier.
        identifier: String,
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// The name of the output is no identifier in Rust.
    NotAnIdentifier {
        /// The name given.
        name: String,
    },
    /// The environment has no `OUT_DIR`: this is no build script.
    NoOutDir,
}

/// What is wrong with a frame, as the description of its sheet has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameFault {
    /// A place or size is no whole number.
    NotWhole,
    /// A place or size is negative.
    Negative,
    /// A place or size is beyond the longest side of a mask.
    TooLarge,
    /// What is left after trimming reaches out of the untrimmed frame.
    Trim,
    /// The pivot is no number, or too far away.
    Pivot,
    /// It reaches out of its page.
    OutsidePage {
        /// Width and height of the page in texels.
        page: [u32; 2],
    },
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
            Self::NoSuchShard { shard, of } => write!(
                f,
                "there is no shard {shard} of {of}; number them from 1, up to 65536 at most"
            ),
            Self::ShardWithLimit => write!(
                f,
                "a shard cannot keep the atlas to a number of bytes, for which all sprites must be known; leave the limit out, or bake in one piece"
            ),
            Self::AtlasTooLarge => write!(
                f,
                "the atlas would exceed 32 GiB of masks; bake fewer angles or scales, or several atlases"
            ),
            Self::Output { path, fault } => write!(f, "{} {fault}", path.display()),
            Self::Write { path, cause } => write!(
                f,
                "cannot write {}: {cause}; what was there before is untouched: check that the folder exists and has room",
                path.display()
            ),
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

impl fmt::Debug for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { cause, .. } | Self::Write { cause, .. } => Some(cause),
            Self::Settings(cause) | Self::Pose { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
