//! The first bytes of an atlas file: magic, version and length.
//!
//! Used before the rest of a file is read, and by `validate`. Invariant: untrusted numbers are only
//! compared.

#![deny(clippy::arithmetic_side_effects)]

use super::error::{AtlasError, Section};
use super::format::*;
use bytemuck::{Pod, Zeroable};

/// The first bytes of the header, which distinguish an atlas of a supported version from other
/// files.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Preamble {
    magic: [u8; 8],
    version: u32,
    header_bytes: u32,
    file_bytes: u64,
}

/// Checks the first bytes of a file of `len` bytes and returns that length.
pub(crate) fn preamble(start: &[u8], len: u64) -> Result<usize, AtlasError> {
    let given = start.len().min(size_of::<Preamble>());
    let mut preamble = Preamble::zeroed();
    bytemuck::bytes_of_mut(&mut preamble)[..given].copy_from_slice(&start[..given]);
    if preamble.magic == SHARD_MAGIC {
        return Err(AtlasError::Shard);
    }
    if preamble.magic != MAGIC {
        return Err(AtlasError::NotAnAtlas { len });
    }
    if given >= 12 && !(OLDEST_VERSION..=VERSION).contains(&preamble.version) {
        return Err(AtlasError::Version { found: preamble.version, supported: VERSION });
    }
    // If the version is missing too, the file is shorter than any header.
    let header_bytes = Header::len_of(preamble.version);
    if len < header_bytes as u64 {
        return Err(AtlasError::Length { expected: header_bytes as u64, got: len });
    }
    if preamble.header_bytes as usize != header_bytes {
        return Err(header("header_bytes"));
    }
    match usize::try_from(len) {
        Ok(bytes) if preamble.file_bytes == len => Ok(bytes),
        _ => Err(AtlasError::Length { expected: preamble.file_bytes, got: len }),
    }
}

/// Returns the error for a field of the header.
pub(super) fn header(field: &'static str) -> AtlasError {
    AtlasError::Corrupt { section: Section::Header, index: 0, field, offset: 0 }
}
