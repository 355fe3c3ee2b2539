use crate::mask::MAX_SIDE;
use crate::pose::PoseError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a bake failed. Nothing has been written.
#[derive(Debug)]
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
    /// A file is not a PNG image, whatever its name says.
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
    /// A path cannot be a name, because it is not Unicode.
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// A sprite has an empty name.
    EmptyName,
    /// A sprite has no frames.
    NoFrames {
        /// The sprite.
        name: String,
    },
    /// Two sources give sprites of one name.
    SameName {
        /// The name.
        name: String,
        /// Where one comes from.
        first: PathBuf,
        /// Where the other comes from.
        second: PathBuf,
    },
    /// The settings cannot be baked at.
    Settings(PoseError),
    /// A sprite cannot be posed as its settings ask.
    Pose {
        /// The sprite.
        name: String,
        /// Why.
        cause: PoseError,
    },
    /// The atlas would exceed its format's limits: 4 billion poses or 32 GiB of masks.
    AtlasTooLarge,
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

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSources => {
                write!(f, "there is nothing to bake; name a PNG file or a folder of them")
            }
            Self::Pattern { pattern, cause } => {
                write!(
                    f,
                    "the pattern {pattern:?} cannot be read: {cause}; escape a literal [, * or ? as [[], [*] or [?]"
                )
            }
            Self::NoImages { path } => write!(
                f,
                "no PNG file at {}; check the path, and that the images end in .png",
                path.display()
            ),
            Self::Read { path, cause } => write!(
                f,
                "cannot read {}: {cause}; check the path and its permissions",
                path.display()
            ),
            Self::NotAnImage { path } => write!(
                f,
                "{} is not a PNG image, whatever its name; convert it, or take it out of the folder",
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
            Self::NotUnicode { path } => {
                write!(f, "{} cannot name a sprite; rename the file in Unicode", path.display())
            }
            Self::EmptyName => write!(f, "a sprite has an empty name; give it one"),
            Self::NoFrames { name } => {
                write!(f, "sprite {name:?} has no frames; give it at least one mask")
            }
            Self::SameName { name, first, second } => write!(
                f,
                "two sources give a sprite named {name:?}, {} and {}; rename one, or bake the folder above both",
                first.display(),
                second.display()
            ),
            Self::Settings(cause) => write!(f, "{cause}"),
            Self::Pose { name, cause } => write!(f, "sprite {name:?} cannot be baked: {cause}"),
            Self::AtlasTooLarge => write!(
                f,
                "the atlas would exceed 32 GiB of masks; bake fewer angles or scales, or several atlases"
            ),
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

impl std::error::Error for BakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { cause, .. } | Self::Write { cause, .. } => Some(cause),
            Self::Settings(cause) | Self::Pose { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
