//! How a compact atlas lies in its file: the header, and all that follows it packed.
//!
//! Masks are mostly runs of equal bits, and strips are padded: packed they take about a tenth. Only
//! what is drawn at the start is packed; an atlas that is read in place cannot be.

use super::aligned_bytes::Bytes;
use super::error::{AtlasError, Section};
use super::format::{CHECKED_FROM, COMPACT, Header, OLDEST, VERSION};
use super::validate::{self, header};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// How hard the packer tries, of 10: the last step doubles its time for a hundredth.
const EFFORT: u8 = 9;

/// A compact atlas as it is written.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut head = Header::read(bytes, VERSION);
    let (start, pool) = (Header::len_of(VERSION), head.offsets.pool as usize);
    let packed = compress_to_vec(&bytes[start..], EFFORT);
    head.packed_crc = crc32fast::hash(&packed);
    head.file_bytes = (start + packed.len()) as u64;
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytemuck::bytes_of(&head)[CHECKED_FROM..]);
    checksum.update(&bytes[start..pool]);
    head.records_crc = checksum.finalize();
    [bytemuck::bytes_of(&head), &packed].concat()
}

/// An atlas whose sections lie where its header says: what was packed is unpacked, and anything
/// else is as it was.
pub(super) fn unpack(bytes: Bytes) -> Result<Bytes, AtlasError> {
    let file = bytes.as_slice();
    validate::preamble(file, file.len() as u64)?;
    let version = u32::from(file[8]);
    let mut head = Header::read(file, version);
    if version == OLDEST || head.kind != COMPACT {
        return Ok(bytes);
    }
    let start = Header::len_of(version);
    validate::checksum(Section::Packed, &file[start..], head.packed_crc)?;
    let (_, whole) = head.layout();
    let len = usize::try_from(whole).map_err(|_| header("counts"))?;
    let sections = decompress_to_vec_with_limit(&file[start..], len - start)
        .ok()
        .filter(|sections| sections.len() == len - start)
        .ok_or_else(|| header("counts"))?;
    head.file_bytes = whole;
    Ok(Bytes::filled_by(len, |bytes| {
        let (first, rest) = bytes.split_at_mut(start);
        first.copy_from_slice(bytemuck::bytes_of(&head));
        rest.copy_from_slice(&sections);
    }))
}
