use super::AtlasError;
use super::check::{self, Preamble};
use bytemuck::{Pod, Zeroable};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that start on a cache line. `include_atlas!` wraps an atlas in it, so that the masks can
/// be read in place.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Aligned<T: ?Sized>(pub T);

/// One cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line([u8; 64]);

/// The bytes of an atlas, on a cache line.
#[derive(Debug)]
pub(crate) enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    Lines { lines: Vec<Line>, len: usize },
}

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
        let (mut lines, len) = (room_for(bytes.len()), bytes.len());
        bytemuck::cast_slice_mut(&mut lines)[..len].copy_from_slice(bytes);
        Self::Lines { lines, len }
    }

    /// As many bytes as `len`, zero until `fill` has been called.
    pub(crate) fn filled_by(len: usize, fill: impl FnOnce(&mut [u8])) -> Self {
        let mut lines = room_for(len);
        fill(&mut bytemuck::cast_slice_mut(&mut lines)[..len]);
        Self::Lines { lines, len }
    }

    /// Reads a file. Its first bytes are looked at before room is made for the rest, so that a
    /// film given by mistake is not loaded.
    pub(crate) fn read(path: &Path) -> Result<Self, AtlasError> {
        let failed = |e: io::Error| AtlasError::Io { path: path.to_owned(), kind: e.kind() };
        let mut file = File::open(path).map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        if meta.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let mut start = Vec::new();
        let head = size_of::<Preamble>() as u64;
        file.by_ref().take(head).read_to_end(&mut start).map_err(failed)?;
        let len = check::preamble(&start, meta.len())?;
        let mut lines = room_for(len);
        let bytes: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut lines)[..len];
        bytes[..start.len()].copy_from_slice(&start);
        file.read_exact(&mut bytes[start.len()..]).map_err(failed)?;
        Ok(Self::Lines { lines, len })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Lines { lines, len } => &bytemuck::cast_slice(lines)[..*len],
        }
    }

    /// True where no byte was copied to open the atlas.
    pub(crate) const fn is_in_place(&self) -> bool {
        !matches!(self, Self::Lines { .. })
    }
}

/// Words can be read in place at any multiple of 8. But elsewhere than at a multiple of 64 the rows
/// that a kernel loads lie across cache lines, which costs it a seventh of its speed at 64 pixels:
/// more, within a second of play, than the copy.
fn is_aligned(bytes: &[u8]) -> bool {
    bytes.as_ptr().addr().is_multiple_of(align_of::<Line>())
}

fn room_for(bytes: usize) -> Vec<Line> {
    // Pages that the system gives are zero: nothing is written until they are used.
    bytemuck::zeroed_vec(bytes.div_ceil(size_of::<Line>()))
}
