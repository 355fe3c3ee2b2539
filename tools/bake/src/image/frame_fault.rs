//! The fault of one frame in the description of a sheet.
//!
//! Made by the readers of descriptions and by `triangles`.

use crate::error::{BakeError, BakeFault};
use hitmask::MAX_SIDE;
use std::borrow::Cow;
use std::path::Path;

/// The fault of a frame: a predicate of the frame, and the remedy.
#[derive(Debug)]
pub(super) struct FrameFault {
    predicate: Cow<'static, str>,
    help: &'static str,
}

impl FrameFault {
    pub(super) fn new(predicate: impl Into<Cow<'static, str>>) -> Self {
        let help = "export the sheet and its description again, together";
        Self { predicate: predicate.into(), help }
    }

    pub(super) fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(super) fn too_large() -> Self {
        Self::new(format!("has a position or size above {MAX_SIDE}"))
    }

    pub(super) fn trim() -> Self {
        Self::new("exceeds the size that it had before trimming")
    }

    pub(super) fn outside_page([width, height]: [u32; 2]) -> Self {
        Self::new(format!("exceeds its page of {width} x {height} texels"))
    }

    /// Returns the error of the frame `name` in the file at `path`.
    pub(super) fn of(self, path: &Path, name: &str) -> BakeError {
        let rest = format_args!(": frame {name:?} {}", self.predicate);
        BakeError::of_file(BakeFault::Malformed, path, rest, self.help).in_frame(name)
    }
}
