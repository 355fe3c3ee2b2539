use super::AtlasError;
use super::validate::{self, Preamble};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that start on a cache line. `include_atlas!` wraps an atlas in it, so that the masks can
/// be read in place.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Aligned<T: ?Sized>(pub T);

/// The bytes of an atlas, on a cache line.
#[derive(Debug)]
pub(crate) enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    Aligned(AlignedBytes),
}

/// Bytes on a cache line, with some before and after them. Memory that is asked for with an
/// alignment is written to make it zero; without one the system gives pages that are zero, and only
/// once they are used.
#[derive(Debug)]
pub(crate) struct AlignedBytes {
    room: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBytes {
    fn zero(len: usize) -> Self {
        let room = vec![0; len + LINE - 1];
        // The vector may move, but not what it points to.
        let start = room.as_ptr().addr().wrapping_neg() % LINE;
        Self { room, start, len }
    }

    fn as_slice(&self) -> &[u8] {
        &self.room[self.start..][..self.len]
    }

    fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.room[self.start..][..self.len]
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

impl Bytes {
    /// In place where the address allows it, and else one copy.
    pub(crate) fn from_static(bytes: &'static [u8]) -> Self {
        if is_aligned(bytes) { Self::Static(bytes) } else { Self::copied(bytes) }
    }

    /// In place where the address allows it, and else one copy.
    pub(crate) fn from_vec(bytes: Vec<u8>) -> Self {
        if is_aligned(&bytes) { Self::Owned(bytes) } else { Self::copied(&bytes) }
    }

    /// One copy.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        Self::filled_by(bytes.len(), |copy| copy.copy_from_slice(bytes))
    }

    /// As many bytes as `len`, zero until `fill` has been called.
    pub(crate) fn filled_by(len: usize, fill: impl FnOnce(&mut [u8])) -> Self {
        let mut bytes = AlignedBytes::zero(len);
        fill(bytes.as_mut_slice());
        Self::Aligned(bytes)
    }

    /// Reads a file. Its first bytes are looked at before room is made for the rest, so that a
    /// film given by mistake is not loaded.
    pub(crate) fn read(path: &Path) -> Result<Self, AtlasError> {
        let failed = |e: io::Error| AtlasError::Io { path: path.to_owned(), cause: e.into() };
        let mut file = File::open(path).map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        if meta.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let mut start = Vec::new();
        let head = size_of::<Preamble>() as u64;
        file.by_ref().take(head).read_to_end(&mut start).map_err(failed)?;
        let len = validate::preamble(&start, meta.len())?;
        let mut aligned = AlignedBytes::zero(len);
        let bytes = aligned.as_mut_slice();
        bytes[..start.len()].copy_from_slice(&start);
        file.read_exact(&mut bytes[start.len()..]).map_err(failed)?;
        Ok(Self::Aligned(aligned))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Aligned(bytes) => bytes.as_slice(),
        }
    }

    /// True where no byte was copied to open the atlas.
    pub(crate) const fn is_in_place(&self) -> bool {
        !matches!(self, Self::Aligned(_))
    }
}

/// Words can be read in place at any multiple of 8. But elsewhere than at a multiple of 64 the rows
/// that a kernel loads lie across cache lines, which costs it a seventh of its speed at 64 pixels:
/// more, within a second of play, than the copy.
fn is_aligned(bytes: &[u8]) -> bool {
    bytes.as_ptr().addr().is_multiple_of(LINE)
}
