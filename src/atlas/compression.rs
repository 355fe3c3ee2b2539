//! Compression of compact atlases: a plain header, followed by all sections in one deflate stream.
//!
//! Compression shrinks a compact atlas to about 10%, because masks are mostly runs of equal bits
//! and their strips are padded. Full atlases are read in place, so they are not compressed.

#![deny(clippy::arithmetic_side_effects)]

use super::aligned_bytes::Bytes;
use super::error::{FileError, Section};
use super::format::{CHECKED_FROM, Header, KIND_COMPACT};
use super::options::DrawingCost;
use super::validate::{self, header, preamble};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// Deflate level, at most 10. Level 10 takes twice the time for 1% fewer bytes.
const DEFLATE_LEVEL: u8 = 9;

/// Upper bound on the bytes that one byte of a deflate stream stands for.
const MAX_RATIO: u64 = 1032;

pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut head = Header::read(bytes);
    let (start, pool) = (size_of::<Header>(), head.offsets.pool as usize);
    let packed = compress_to_vec(&bytes[start..], DEFLATE_LEVEL);
    head.packed_crc = crc32fast::hash(&packed);
    head.file_bytes = start.saturating_add(packed.len()) as u64;
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytemuck::bytes_of(&head)[CHECKED_FROM..]);
    checksum.update(&bytes[start..pool]);
    head.records_crc = checksum.finalize();
    [bytemuck::bytes_of(&head), &packed].concat()
}

/// Decompresses the sections of a compact atlas and places them where its header says. Returns any
/// other atlas unchanged. Fails without decompressing if they exceed `max_bytes`.
pub(super) fn unpack(bytes: Bytes, max_bytes: u64) -> Result<Bytes, FileError> {
    let file = bytes.as_slice();
    preamble(file, file.len() as u64)?;
    let mut head = Header::read(file);
    if head.kind != KIND_COMPACT {
        return Ok(bytes);
    }
    let start = size_of::<Header>();
    validate::checksum(Section::Packed, &file[start..], head.packed_crc)?;
    let (_, whole) = head.layout();
    if whole / MAX_RATIO > file.len() as u64 {
        return Err(header("counts"));
    }
    if whole > max_bytes {
        let (cost, needed, limit) = (DrawingCost::Bytes, whole, max_bytes);
        return Err(FileError::OverLimit { cost, needed, limit });
    }
    let len = usize::try_from(whole).map_err(|_| header("counts"))?;
    head.file_bytes = whole;
    let mut written = None;
    let unpacked = Bytes::filled_by(len, |bytes| {
        let (first, rest) = bytes.split_at_mut(start);
        first.copy_from_slice(bytemuck::bytes_of(&head));
        // In place: the system commits only the pages that the stream fills.
        let packed = std::iter::once(&file[start..]);
        written = decompress_slice_iter_to_slice(rest, packed, false, false).ok();
    });
    // The layout begins behind the header.
    if written == len.checked_sub(start) { Ok(unpacked) } else { Err(header("counts")) }
}
