//! Checked reading of the bytes of an Aseprite file, and the faults found in it.
//!
//! Called by `chunks` and `compose`. Invariant: memory grows with the bytes read, never with a size
//! that the file states.

use crate::BakeError;
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

/// The bytes that are not yet read. All numbers are little-endian.
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let too_short = || Fault::damaged("the data ends too early");
        let (taken, rest) = self.0.split_at_checked(len).ok_or_else(too_short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Fault> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn i16(&mut self) -> Result<i16, Fault> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn i32(&mut self) -> Result<i32, Fault> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// Reads a length in 16 bits and so many bytes of UTF-8.
    pub(super) fn text(&mut self) -> Result<String, Fault> {
        let len = self.u16()?;
        let bytes = self.take(len.into())?.to_vec();
        String::from_utf8(bytes).map_err(|_| Fault::damaged("a name is not UTF-8 text"))
    }
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
            let mut cursor = Cursor(self.rest);
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
