//! Corrects checksums, which would otherwise reject almost every mutated input. Corrects the version too: the
//! fuzzer has found the inputs in `packed` by earlier ones.

use hitmask::AtlasId;

/// Header length and field offsets; see src/atlas/FORMAT.md.
const HEADER: usize = 192;
const VERSION: usize = 8;
const CURRENT_VERSION: u32 = 2;
const FILE_BYTES: usize = 16;
const RECORDS_CRC: usize = 24;
const CHECKED_FROM: usize = 32;
const POOL_CRC: usize = 32;
const POOL_OFFSET: usize = 120;
const KIND: usize = 132;
const FULL_BYTES: usize = 136;
const PACKED_CRC: usize = 144;

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Corrects the checksums of records and pool. `bytes` is a header followed by unpacked
/// sections.
fn checksums(bytes: &mut [u8]) {
    put(bytes, VERSION, &CURRENT_VERSION.to_le_bytes());
    let pool = bytes[POOL_OFFSET..POOL_OFFSET + 8].try_into().map_or(0, u64::from_le_bytes);
    let pool = usize::try_from(pool).unwrap_or(usize::MAX).clamp(HEADER, bytes.len());
    let crc = crc32fast::hash(&bytes[pool..]);
    put(bytes, POOL_CRC, &crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[CHECKED_FROM..pool]);
    put(bytes, RECORDS_CRC, &crc.to_le_bytes());
}

/// Returns a whole atlas with correct lengths and checksums.
pub fn whole(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= HEADER {
        let len = (bytes.len() as u64).to_le_bytes();
        put(&mut bytes, FILE_BYTES, &len);
        put(&mut bytes, FULL_BYTES, &len);
        checksums(&mut bytes);
    }
    bytes
}

/// Returns a compact atlas of the given unpacked sections.
pub fn compact(mut unpacked: Vec<u8>) -> Vec<u8> {
    if unpacked.len() < HEADER {
        return unpacked;
    }
    unpacked[KIND] = 1;
    checksums(&mut unpacked);
    let packed = miniz_oxide::deflate::compress_to_vec(&unpacked[HEADER..], 1);
    unpacked.truncate(HEADER);
    unpacked.extend(packed);
    stream(unpacked)
}

/// Returns a compact atlas of packed bytes, which may be invalid.
pub fn stream(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= HEADER {
        put(&mut bytes, VERSION, &CURRENT_VERSION.to_le_bytes());
        let len = (bytes.len() as u64).to_le_bytes();
        put(&mut bytes, FILE_BYTES, &len);
        let crc = crc32fast::hash(&bytes[HEADER..]);
        put(&mut bytes, PACKED_CRC, &crc.to_le_bytes());
    }
    bytes
}

/// Returns the unpacked form of a compact atlas: the inverse of [`compact`].
pub fn unpacked(compact: &[u8]) -> Vec<u8> {
    let sections = miniz_oxide::inflate::decompress_to_vec(&compact[HEADER..]);
    [&compact[..HEADER], &sections.expect("baked sections unpack")].concat()
}

/// Corrects the id of the atlas in a snapshot, and the checksum at its end.
pub fn snapshot(mut body: Vec<u8>, atlas: AtlasId) -> Vec<u8> {
    if body.len() >= 16 {
        put(&mut body, 12, &atlas.bits().to_le_bytes());
    }
    let crc = crc32fast::hash(&body);
    body.extend(crc.to_le_bytes());
    body
}
