use crate::atlas::IoCause;
use crate::pose::PoseError;
use std::path::PathBuf;

/// Why a bake failed. Nothing has been written.
///
/// `Display` says what is wrong, [`help`](Self::help) how to fix it. `{:?}` prints both on one line:
/// that is how a build script ends that returns the error from `main`.
#[derive(Clone, PartialEq)]
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
        cause: IoCause,
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
    /// The frames of a sprite cannot be put together to a swing: their pivots lie half a texel apart.
    MotionFramePivot {
        /// The sprite.
        name: String,
        /// The first frame whose pivot does, from 0.
        frame: usize,
    },
    /// The frames of a sprite, put together to a swing, are larger than a mask may be.
    MotionFrameSize {
        /// The sprite.
        name: String,
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
        fault: OutputRefused,
    },
    /// The atlas cannot be written.
    Write {
        /// The file to be written.
        path: PathBuf,
        /// What the system said.
        cause: IoCause,
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

/// Why nothing is written to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputRefused {
    /// It leads to a folder.
    Folder,
    /// It leads to a device, a pipe or a socket.
    Special,
    /// It leads to one of the files that are read.
    Needed,
    /// It leads to the atlas that is written, and is to hold its cache.
    Written,
    /// There is an atlas, and a shard is to be written.
    Atlas,
    /// There is a shard, and an atlas is to be written.
    Shard,
    /// There is a file that is neither empty nor an atlas nor a shard.
    Foreign,
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
