//! The error of an atlas that is built: [`BuildError`].
//!
//! Part of the public API. Made by `assembler` and by all files of `builder`.

use super::error::IoCause;
use super::pool_writer::WriteError;
use crate::error::CallError;
use crate::mask::MAX_SIDE;
use std::borrow::Cow;
use std::fmt;

/// The reason why an atlas cannot be built.
///
/// `Display` states the fault and [`help`](Self::help) the remedy. `Debug` prints both on one line,
/// because a build script that returns the error from `main` prints it that way.
///
/// ```
/// use hitmask::{AtlasBuilder, BuildFault};
/// let error = AtlasBuilder::new().to_bytes().unwrap_err();
/// assert_eq!(error.fault, BuildFault::NoSprites);
/// assert_eq!(error.help(), "add a sprite");
/// ```
#[derive(Clone, PartialEq)]
pub struct BuildError {
    /// The kind of the fault.
    pub fault: BuildFault,
    /// The name of the sprite, if the fault is in one.
    pub sprite: Option<String>,
    /// The index of the frame, from 0, if the fault is in one.
    pub frame: Option<u32>,
    cause: String,
    help: Cow<'static, str>,
}

/// The kind of a [`BuildError`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildFault {
    /// The atlas has no sprites.
    NoSprites,
    /// A sprite has an empty name, or one with a control character.
    Name,
    /// Two sprites have the same name.
    SameName,
    /// A sprite has no frames.
    NoFrames,
    /// The name of a plane is empty, too long, repeated or has control characters. Or there are too many
    /// planes or none, or a frame does not have one mask per plane, all of one size.
    Planes,
    /// A threshold is 0 or repeated, or the planes of the thresholds do not fit beside the others.
    Thresholds,
    /// The angles, scales, resolution, maximum error or pivot are invalid, or a pose is too large.
    Settings(Option<CallError>),
    /// The solid part of a frame is larger than a mask may be.
    FrameTooLarge,
    /// The frames have no motion frame: their pivots differ by half a texel, or it is too large.
    MotionFrame,
    /// A map has no name, a number that is not finite, or a scale that is not above 0. Or its items repeat
    /// long texts too often.
    Map,
    /// The atlas exceeds the size limit even with 8 angle steps per sprite.
    OverBudget {
        /// An upper bound for the bytes at 8 steps.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The atlas would exceed the limits of its format: 4 billion poses or 32 GiB of masks.
    AtlasTooLarge,
    /// The file in which a large atlas grows cannot be read or written.
    Scratch(IoCause),
}

impl BuildError {
    pub(crate) fn new(
        fault: BuildFault,
        cause: impl Into<String>,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { fault, sprite: None, frame: None, cause: cause.into(), help: help.into() }
    }

    pub(crate) fn of(self, sprite: &str) -> Self {
        Self { sprite: Some(sprite.to_owned()), ..self }
    }

    pub(crate) fn at(self, frame: usize) -> Self {
        Self { frame: Some(frame as u32), ..self }
    }

    /// Returns the error of settings that no sprite can have.
    pub(crate) fn settings(cause: CallError) -> Self {
        let (text, help) = (cause.to_string(), cause.help());
        Self::new(BuildFault::Settings(Some(cause)), text, help)
    }

    pub(crate) fn pose(sprite: &str, cause: CallError) -> Self {
        let (text, help) = (format!("sprite {sprite:?} cannot be baked: {cause}"), cause.help());
        Self::new(BuildFault::Settings(Some(cause)), text, help).of(sprite)
    }

    /// Returns the error of a frame that does not have one mask for each of the planes.
    pub(crate) fn planes(sprite: &str, frame: usize, planes: usize) -> Self {
        let cause = format!(
            "frame {frame} of sprite {sprite:?} needs {planes} masks of equal size, one for each plane"
        );
        let help = "give one mask for each plane, all of the same size";
        Self::new(BuildFault::Planes, cause, help).of(sprite).at(frame)
    }

    pub(crate) fn too_large(sprite: &str, frame: usize, [width, height]: [u32; 2]) -> Self {
        let cause = format!(
            "sprite {sprite:?}, frame {frame}: the solid part has {width} x {height} texels, and the limit is {MAX_SIDE} a side"
        );
        let help = "make the image smaller, or cut it into pieces";
        Self::new(BuildFault::FrameTooLarge, cause, help).of(sprite).at(frame)
    }

    /// Returns how to fix the fault that `Display` states.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        self.help.clone()
    }
}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Full => Self::new(
                BuildFault::AtlasTooLarge,
                "the atlas would exceed 32 GiB of masks",
                "bake fewer angles or scales, or split the sprites among several atlases",
            ),
            WriteError::Scratch(cause) => Self::new(
                BuildFault::Scratch(cause),
                format!("cannot write the atlas: {cause}"),
                "check that the folder exists and that the disk has room",
            ),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

debug_with_help!(BuildError);

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            BuildFault::Settings(Some(cause)) => Some(cause),
            BuildFault::Scratch(cause) => Some(cause),
            _ => None,
        }
    }
}
