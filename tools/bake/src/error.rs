//! The error of a bake or a merge: [`BakeError`].
//!
//! Part of the public API. Texts are made where a fault is found. Those of faults that several files
//! find are here.

use hitmask::baking::alike;
use hitmask::{BuildError, FileError, IoCause};
use std::borrow::Cow;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The reason why a bake or a merge of shards failed. Nothing has been written.
///
/// `Display` states the fault and [`help`](Self::help) the remedy. `Debug` prints both,
/// because a build script that returns the error from `main` prints it that way.
///
/// ```
/// use hitmask_bake::{Bake, BakeFault};
/// let error = Bake::new().to_bytes().unwrap_err();
/// assert_eq!(error.fault, BakeFault::Nothing);
/// assert_eq!(error.to_string(), "there is nothing to bake");
/// assert_eq!(error.help(), "add an image or a folder of images");
/// ```
#[derive(Clone, PartialEq)]
pub struct BakeError {
    /// The kind of the fault.
    pub fault: BakeFault,
    /// The place of the fault.
    pub place: Box<Place>,
    cause: String,
    help: Cow<'static, str>,
}

/// The place of a [`BakeError`], as far as it is known.
///
/// ```
/// let error = hitmask_bake::Bake::new().sprites("no/art").unwrap_err();
/// assert_eq!(error.place.path.as_deref(), Some("no/art".as_ref()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The path of the file or folder. The first one if the fault is in several.
    pub path: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The name of the sprite.
    pub sprite: Option<String>,
    /// The name or the number of the frame.
    pub frame: Option<String>,
}

/// The kind of a [`BakeError`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BakeFault {
    /// The bake has no sources, or the merge no shards.
    Nothing,
    /// No image matches a path, or a file names a page, template, layer or frame that does not exist.
    NotFound,
    /// A file or folder cannot be read.
    Read(IoCause),
    /// A path to be read leads to a folder, a device, a pipe or a socket. It was not opened.
    NotAFile,
    /// A file is not an image of a supported format, whatever its extension. Or it is a pointer of Git LFS
    /// or git-annex, not the file itself.
    NotAnImage,
    /// An image or the head of a shard is damaged.
    Damaged,
    /// A file has content that could change pixels, but cannot be read with certainty. Or its path is
    /// not Unicode, so it cannot name a sprite.
    Unsupported,
    /// The description of a sheet or a manifest is malformed, or contradicts itself.
    Malformed,
    /// A file exceeds a limit of [`BakeLimits`](crate::BakeLimits), or the longest side of an image.
    /// Nothing of it has been decoded.
    OverLimit {
        /// The limited quantity and its unit, such as `texels in all images`.
        quantity: &'static str,
        /// The quantity that the file takes.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// An option of the bake is invalid: a pattern, a grid, a shard number or a module name. Or there
    /// is no `OUT_DIR`, because this is not a build script.
    Option,
    /// Two sprites have the same name, or names with the same Rust identifier.
    SameName,
    /// A file is not a shard, or another version wrote it. Or the shards do not form one bake: one is
    /// missing, repeated or of another bake.
    Shard,
    /// The sprites of a shard are damaged, or exceed a limit.
    Atlas(Box<FileError>),
    /// The output or cache path leads to something that must not be replaced.
    Output {
        /// The reason, as a predicate of the path.
        reason: &'static str,
    },
    /// A file cannot be written.
    Write(IoCause),
    /// A sprite cannot be baked, or the atlas cannot hold the sprites.
    Build(Box<BuildError>),
}

impl BakeError {
    pub(super) fn new(
        fault: BakeFault,
        cause: impl Into<String>,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { fault, place: Box::default(), cause: cause.into(), help: help.into() }
    }

    /// Returns the error of the file at `path`. Its text is the path and `rest`.
    pub(super) fn of_file(
        fault: BakeFault,
        path: &Path,
        rest: impl fmt::Display,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(fault, format!("{}{rest}", path.display()), help).of(path)
    }

    /// Returns the error at a line and column of the file at `path`.
    pub(super) fn at(
        fault: BakeFault,
        path: &Path,
        [line, column]: [usize; 2],
        cause: impl fmt::Display,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        let rest = format_args!(", line {line}, column {column}: {cause}");
        let mut error = Self::of_file(fault, path, rest, help);
        (error.place.line, error.place.column) = (Some(line), Some(column));
        error
    }

    /// Returns the error with another remedy.
    pub(super) fn with_help(self, help: impl Into<Cow<'static, str>>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// Returns the error with the path of its file.
    pub(super) fn of(mut self, path: &Path) -> Self {
        self.place.path = Some(path.to_owned());
        self
    }

    /// Returns the error with the name of its sprite.
    pub(super) fn in_sprite(mut self, sprite: &str) -> Self {
        self.place.sprite = Some(sprite.to_owned());
        self
    }

    /// Returns the error with the name of its frame.
    pub(super) fn in_frame(mut self, frame: &str) -> Self {
        self.place.frame = Some(frame.to_owned());
        self
    }

    pub(super) fn read(path: &Path, cause: impl Into<IoCause>) -> Self {
        let (path_text, cause) = (path.display(), cause.into());
        let text = format!("cannot read {path_text}: {cause}");
        let help: Cow<'static, str> = match cause.kind {
            ErrorKind::PermissionDenied => {
                "allow this user to read the file and to enter its folders, or leave it out".into()
            }
            ErrorKind::NotFound => missing(path).into(),
            _ => "check the path and its permissions".into(),
        };
        Self::new(BakeFault::Read(cause), text, help).of(path)
    }

    pub(super) fn write(path: &Path, cause: impl Into<IoCause>) -> Self {
        let (path_text, cause) = (path.display(), cause.into());
        let text = format!("cannot write {path_text}: {cause}; any file at that path is unchanged");
        let help = match cause.kind {
            ErrorKind::PermissionDenied => {
                "allow this user to write the file and its folder, or choose another path"
            }
            _ => "check that the folder exists and that the disk has room",
        };
        Self::new(BakeFault::Write(cause), text, help).of(path)
    }

    /// Returns the error of a path that must not be replaced. `reason` is a predicate of it.
    pub(super) fn output(path: &Path, reason: &'static str, help: &'static str) -> Self {
        Self::of_file(BakeFault::Output { reason }, path, format_args!(" {reason}"), help)
    }

    pub(super) fn not_a_file(path: &Path) -> Self {
        let rest = " is not a file, but a folder, a device, a pipe or a socket";
        let help = "save the contents to a regular file, and name that file";
        Self::of_file(BakeFault::NotAFile, path, rest, help)
    }

    /// Returns the error of a file that is no image. `found` states what the file is, if that is known.
    pub(super) fn not_an_image(path: &Path, found: &str) -> Self {
        let rest =
            format_args!(" is not a PNG, GIF, WebP, JPEG, BMP, TGA or Aseprite image{found}");
        let help = "convert the file, or remove it from the sources";
        Self::of_file(BakeFault::NotAnImage, path, rest, help)
    }

    /// Returns the error of a pointer in place of the file.
    pub(super) fn pointer(path: &Path) -> Self {
        let rest = " is a pointer of Git LFS or git-annex, and not the file that it stands for";
        let help = "fetch the file: git lfs install && git lfs pull, or git annex get; in CI check out with LFS, such as lfs: true of actions/checkout";
        Self::of_file(BakeFault::NotAnImage, path, rest, help)
    }

    pub(super) fn not_unicode(path: &Path) -> Self {
        let path_text = path.display();
        let text = format!("the path {path_text} is not Unicode, so it cannot name a sprite");
        Self::new(BakeFault::Unsupported, text, "rename the file to a Unicode name").of(path)
    }

    /// Returns the error of a damaged image.
    pub(super) fn damaged(path: &Path, cause: impl fmt::Display) -> Self {
        let rest = format_args!(" is damaged: {cause}");
        Self::of_file(BakeFault::Damaged, path, rest, "export the image again")
    }

    /// Returns the error of an image with a side above `limit`.
    pub(super) fn too_large(path: &Path, [width, height]: [u32; 2], limit: u32) -> Self {
        let (quantity, needed) = ("pixels a side", width.max(height).into());
        let fault = BakeFault::OverLimit { quantity, needed, limit: limit.into() };
        let rest = format_args!(" has {width} x {height} pixels, and the limit is {limit} a side");
        Self::of_file(fault, path, rest, "make the image smaller, or cut it into pieces")
    }

    /// Returns the error of a file with content that is not read with certainty.
    pub(super) fn unsupported(
        path: &Path,
        cause: impl fmt::Display,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::of_file(BakeFault::Unsupported, path, format_args!(": {cause}"), help)
    }

    /// Returns the error of malformed text in the description of a sheet.
    pub(super) fn malformed(path: &Path, position: [usize; 2], cause: impl fmt::Display) -> Self {
        let help = "correct the file at that position, or export it again";
        Self::at(BakeFault::Malformed, path, position, cause, help)
    }

    pub(super) fn no_frames(path: &Path) -> Self {
        let help = "export the file again, or remove it from the sources";
        Self::of_file(BakeFault::Malformed, path, " describes no frames", help)
    }

    /// Returns the error of a frame in a description, with a key that may change its pixels.
    pub(super) fn unknown_frame_key(path: &Path, frame: &str, key: &str) -> Self {
        let cause = format_args!(
            "frame {frame:?} has the unknown key {key:?}, which may change its pixels"
        );
        let help = "remove the key, or export without that feature";
        Self::unsupported(path, cause, help).in_frame(frame)
    }

    /// Returns the error of a description that does not show which frames the tag or slice `name` has.
    pub(super) fn unclear_frames(path: &Path, name: &str, cause: impl fmt::Display) -> Self {
        let cause = format_args!("the frames of {name:?} are unclear: {cause}");
        let help = "export the sheet again; from Aseprite one file per sheet, with --filename-format \"{title} ({layer}) {frame}.{extension}\" and --list-layers, without --ignore-empty, or turn tags off in the manifest";
        Self::unsupported(path, cause, help)
    }

    /// Returns the error of a slice that a file does not have. `names` are those that it has.
    pub(super) fn no_slice(path: &Path, slice: &str, names: &[&str]) -> Self {
        let help = if names.is_empty() {
            "remove the slice from the settings, or draw it in Aseprite".to_owned()
        } else {
            format!("choose one of its slices: {}", names.join(", "))
        };
        Self::of_file(BakeFault::NotFound, path, format_args!(" has no slice {slice:?}"), help)
    }

    /// Returns the error of a tag with frames that its file of `count` frames does not have.
    pub(super) fn tag(path: &Path, tag: &str, [from, to]: [usize; 2], count: usize) -> Self {
        let rest = format_args!(": tag {tag:?} has frames {from} to {to} of {count}");
        let help = "correct the tag, or export the file again";
        Self::of_file(BakeFault::Malformed, path, rest, help)
    }

    /// Returns the error of two tags of one name, with other frames.
    pub(super) fn same_tag(path: &Path, name: &str, frames: [[usize; 2]; 2]) -> Self {
        let [[a, b], [c, d]] = frames;
        let rest =
            format_args!(": two tags are named {name:?}, of frames {a} to {b} and {c} to {d}");
        let help = "rename one of the tags, or set tags = false in the manifest";
        Self::of_file(BakeFault::SameName, path, rest, help)
    }

    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        self.help.clone()
    }
}

/// Returns the remedy for a path that leads nowhere. It has the absolute path, because the folder that a
/// relative one starts from is not seen, and a name that is alike.
pub(super) fn missing(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let place = if path.is_relative() {
        format!("check the path: no file or folder is at {}", absolute.display())
    } else {
        "check the path and its permissions".to_owned()
    };
    let is_there = |part: &&Path| part.parent().is_some_and(Path::is_dir);
    let beside = absolute.ancestors().find(is_there).and_then(|part| {
        let names = std::fs::read_dir(part.parent()?).ok()?.flatten();
        let names: Vec<String> = names.filter_map(|it| it.file_name().into_string().ok()).collect();
        alike(part.file_name()?.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
    });
    beside.map_or(place.clone(), |name| format!("{place}; did you mean {name:?}?"))
}

impl From<BuildError> for BakeError {
    fn from(error: BuildError) -> Self {
        let (text, help, sprite) = (error.to_string(), error.help(), error.sprite.clone());
        let frame = error.frame.map(|frame| frame.to_string());
        let place = Box::new(Place { sprite, frame, ..Place::default() });
        Self { place, ..Self::new(BakeFault::Build(Box::new(error)), text, help) }
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

/// Prints fault and remedy, because a build script that returns the error from `main`
/// prints this.
impl fmt::Debug for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}; {}", self.help)
    }
}

impl std::error::Error for BakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            BakeFault::Read(cause) | BakeFault::Write(cause) => Some(cause),
            BakeFault::Atlas(cause) => Some(cause),
            BakeFault::Build(cause) => cause.source(),
            _ => None,
        }
    }
}
