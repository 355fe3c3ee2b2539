//! The faults of an Aseprite file, its names, and the rows of its images.
//!
//! Called by `chunks` and `compose`. Invariant: memory grows with the bytes read, never with a size
//! that the file states.

use crate::binary::{Ended, Reader};
use crate::error::BakeError;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use std::path::Path;

/// A fault of a file whose path the caller adds.
#[derive(Debug)]
pub(super) enum Fault {
    /// The bytes contradict the format.
    Damaged(String),
    /// The file uses a part of the format that is not read.
    Unsupported { cause: String, remedy: &'static str },
    /// The file exceeds a limit of the bake.
    OverLimit(BakeError),
}

/// Remedy for parts of the format that are unknown.
pub(super) const FLATTEN: &str = "flatten the sprite in Aseprite, or export it as PNG or GIF";

impl Fault {
    pub(super) fn damaged(cause: impl Into<String>) -> Self {
        Self::Damaged(cause.into())
    }

    pub(super) fn unsupported(cause: impl Into<String>, remedy: &'static str) -> Self {
        Self::Unsupported { cause: cause.into(), remedy }
    }

    /// Adds the place of the fault in the file.
    pub(super) fn at(self, place: &str) -> Self {
        let within = |cause| format!("{place}: {cause}");
        match self {
            Self::Damaged(cause) => Self::Damaged(within(cause)),
            Self::Unsupported { cause, remedy } => {
                Self::Unsupported { cause: within(cause), remedy }
            }
            over => over,
        }
    }

    /// Adds the path of the file.
    pub(super) fn of(self, path: &Path) -> BakeError {
        match self {
            Self::Damaged(cause) => BakeError::damaged(path, cause),
            Self::Unsupported { cause, remedy } => BakeError::unsupported(path, cause, remedy),
            Self::OverLimit(error) => error,
        }
    }
}

impl From<Ended> for Fault {
    fn from(_: Ended) -> Self {
        Self::damaged("the data ends too early")
    }
}

/// Reads a length in 16 bits and so many bytes of UTF-8.
pub(super) fn text(bytes: &mut Reader<'_>) -> Result<String, Fault> {
    let len = bytes.u16()?;
    let text = bytes.take(len.into())?.to_vec();
    String::from_utf8(text).map_err(|_| Fault::damaged("a name is not UTF-8 text"))
}

/// The rows of an image, from the top. Holds one row at a time, because a small file can state a
/// huge image.
pub(super) struct Rows<'a> {
    rest: &'a [u8],
    /// `None` for an image that is not compressed.
    state: Option<Box<InflateState>>,
    row: Vec<u8>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(data: &'a [u8], is_compressed: bool, row_bytes: usize) -> Self {
        let state = is_compressed.then(|| InflateState::new_boxed(DataFormat::Zlib));
        Self { rest: data, state, row: vec![0; row_bytes] }
    }

    /// Reads the next row.
    pub(super) fn next(&mut self) -> Result<&[u8], Fault> {
        let Some(state) = &mut self.state else {
            let mut cursor = Reader(self.rest);
            let row = cursor.take(self.row.len())?;
            self.row.copy_from_slice(row);
            self.rest = cursor.0;
            return Ok(&self.row);
        };
        let mut filled = 0_usize;
        while filled < self.row.len() {
            let step = inflate(state, self.rest, &mut self.row[filled..], MZFlush::None);
            self.rest = &self.rest[step.bytes_consumed..];
            // At most the length of the row.
            filled = filled.saturating_add(step.bytes_written);
            let goes_on = match step.status {
                Ok(MZStatus::Ok) => step.bytes_consumed > 0 || step.bytes_written > 0,
                Ok(_) => filled == self.row.len(),
                Err(_) => false,
            };
            if !goes_on {
                return Err(Fault::damaged("the pixels cannot be decompressed"));
            }
        }
        Ok(&self.row)
    }
}
