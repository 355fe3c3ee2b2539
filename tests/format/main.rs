//! The atlas as bytes: damaged files are rejected with a typed error, and no bytes cause a panic.

mod compact;
mod contents;
mod damaged;
mod forgeries;
mod golden;
mod limits;
mod opening;
mod planes;

use hitmask::{AlphaRule, AtlasBuilder, Mask, Sampling, Settings};
use hitmask_scenes::all;

/// Byte offsets from FORMAT.md: the record checksum, the first byte that it covers, and the field
/// with the start of the pool.
const RECORDS_CRC: usize = 24;
const CHECKED_FROM: usize = 32;
const POOL_OFFSET: usize = 120;

fn masks() -> Vec<(&'static str, Mask)> {
    all().iter().map(|picture| (picture.name, picture.mask())).collect()
}

/// Returns a bake of a few sprites of every kind: still, turning, scaled, with several frames, with
/// several planes, empty.
fn bake() -> AtlasBuilder {
    let masks = masks();
    let find = |name| masks.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let still = Settings { angles: 1, ..Settings::default() };
    let scaled = Settings { angles: 4, scales: vec![0.5, 1.0], ..Settings::default() };
    let covered = Settings {
        angles: 8,
        sampling: Sampling::Coverage25,
        alpha: AlphaRule::Bits(3),
        ..scaled.clone()
    };
    AtlasBuilder::new()
        .angles(4)
        .mask("dot", find("dot"))
        .mask("empty", find("empty"))
        .frames_with("walk", [find("hull"), find("ring"), find("hull")], still)
        .frames_with("bar", [find("bar")], scaled)
        .frames_with("thin", [find("diagonal")], covered)
        .planes(
            "target",
            ["rim", "bull"],
            [[find("ring"), find("hull")], [find("hull"), Mask::new(64, 64).unwrap()]],
        )
        .unwrap()
}

fn baked() -> Vec<u8> {
    bake().to_bytes().unwrap()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Returns the bytes with a correct record checksum.
fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    let pool = (u64_at(&bytes, POOL_OFFSET) as usize).min(bytes.len());
    if pool > CHECKED_FROM {
        let crc = crc32fast::hash(&bytes[CHECKED_FROM..pool]);
        bytes[RECORDS_CRC..RECORDS_CRC + 4].copy_from_slice(&crc.to_le_bytes());
    }
    bytes
}

/// FORMAT.md names the checksum.
#[test]
fn the_checksum_is_the_ieee_crc_32() {
    assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    // Computed bit by bit.
    let crc = !bytes[CHECKED_FROM..pool].iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    });
    assert_eq!(bytes[RECORDS_CRC..RECORDS_CRC + 4], crc.to_le_bytes());
}
