//! Storage for the bytes of an atlas, aligned to a cache line.
//!
//! Invariant: [`Bytes::as_slice`] starts at a multiple of 64, so kernels read the masks in place.

#![deny(clippy::arithmetic_side_effects)]

use super::FileError;
use super::format::Header;
use super::validate::preamble;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes aligned to a cache line (64 bytes), so that an atlas in them is read in place.
/// [`include_atlas!`](crate::include_atlas) wraps its atlas in this type.
///
/// ```
/// use hitmask::Aligned;
/// static BYTES: &Aligned<[u8; 3]> = &Aligned([1, 2, 3]);
/// assert_eq!(BYTES.0.as_ptr().addr() % 64, 0);
/// ```
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Aligned<T: ?Sized>(pub T);

#[derive(Debug)]
pub(crate) enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    Aligned(AlignedBytes),
}

/// A heap buffer whose used part is aligned to a cache line. The buffer is oversized and sliced,
/// because an allocation with an explicit alignment is zeroed by writing to it. A plain zeroed
/// allocation gets zero pages from the system, which are mapped on first use.
#[derive(Debug)]
pub(crate) struct AlignedBytes {
    buffer: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBytes {
    fn zero(len: usize) -> Self {
        // An overflow would exceed the memory.
        let buffer = vec![0; len.saturating_add(CACHE_LINE - 1)];
        // Moving the vector does not move its heap memory, so `start` stays valid.
        let start = buffer.as_ptr().addr().wrapping_neg() % CACHE_LINE;
        Self { buffer, start, len }
    }

    fn as_slice(&self) -> &[u8] {
        &self.buffer[self.start..][..self.len]
    }

    fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.buffer[self.start..][..self.len]
    }
}

const CACHE_LINE: usize = 64;

impl Bytes {
    /// Wraps static bytes: in place if they are aligned, else in one copy.
    pub(crate) fn from_static(bytes: &'static [u8]) -> Self {
        if is_aligned(bytes) { Self::Static(bytes) } else { Self::copied(bytes) }
    }

    /// Wraps owned bytes: in place if they are aligned, else in one copy.
    pub(crate) fn from_vec(bytes: Vec<u8>) -> Self {
        if is_aligned(&bytes) { Self::Owned(bytes) } else { Self::copied(&bytes) }
    }

    /// Copies the bytes once.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        Self::filled_by(bytes.len(), |copy| copy.copy_from_slice(bytes))
    }

    /// Allocates `len` zero bytes and lets `fill` write them.
    pub(crate) fn filled_by(len: usize, fill: impl FnOnce(&mut [u8])) -> Self {
        let mut bytes = AlignedBytes::zero(len);
        fill(bytes.as_mut_slice());
        Self::Aligned(bytes)
    }

    /// Reads a file from byte `start`, after a check of the first bytes there, so that no huge other file is loaded.
    pub(crate) fn read(path: &Path, start: u64) -> Result<Self, FileError> {
        let failed = |e: io::Error| FileError::Io { path: path.to_owned(), cause: e.into() };
        // Queried before opening, because opening a pipe waits for a writer.
        let meta = std::fs::metadata(path).map_err(failed)?;
        if meta.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !meta.is_file() {
            return Err(FileError::NotAnAtlas { len: meta.len() });
        }
        let mut file = File::open(path).map_err(failed)?;
        // The length of the file that is open: a bake may have replaced the one at the path.
        let len = file.metadata().map_err(failed)?.len().saturating_sub(start);
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        let mut first = Vec::new();
        let head = size_of::<Header>() as u64;
        file.by_ref().take(head).read_to_end(&mut first).map_err(failed)?;
        let len = preamble(&first, len)?;
        let mut aligned = AlignedBytes::zero(len);
        let bytes = aligned.as_mut_slice();
        bytes[..first.len()].copy_from_slice(&first);
        file.read_exact(&mut bytes[first.len()..]).map_err(failed)?;
        Ok(Self::Aligned(aligned))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Aligned(bytes) => bytes.as_slice(),
        }
    }
}

/// Tests whether the bytes start on a cache line. Any multiple of 8 would be valid. Elsewhere than
/// at a multiple of 64, however, the rows that a kernel loads straddle cache lines. That makes 64
/// px masks about 14% slower, which costs more within a second of play than the copy.
fn is_aligned(bytes: &[u8]) -> bool {
    bytes.as_ptr().addr().is_multiple_of(CACHE_LINE)
}
