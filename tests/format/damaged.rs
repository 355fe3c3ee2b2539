//! Damaged files: truncated, changed, of another version, or not an atlas.

use crate::{POOL_OFFSET, baked, forged, u64_at};
use hitmask::{Atlas, FileError, Section};
use hitmask_scenes::Random;

#[test]
fn a_truncated_atlas_is_rejected() {
    let bytes = baked();
    for len in 0..bytes.len() {
        let error = Atlas::from_bytes(&bytes[..len]).unwrap_err();
        match len {
            0..8 => assert_eq!(error, FileError::NotAnAtlas { len: len as u64 }),
            8..192 => assert_eq!(error, FileError::Length { expected: 192, got: len as u64 }),
            _ => {
                let expected = bytes.len() as u64;
                assert_eq!(error, FileError::Length { expected, got: len as u64 });
            }
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Atlas::from_bytes(&longer), Err(FileError::Length { .. })));
}

#[test]
fn any_changed_byte_of_the_records_is_rejected_when_opening() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    for at in 0..pool {
        for flip in [0x01, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            let error = Atlas::from_bytes(&changed).expect_err("a changed byte");
            match at {
                0..8 => assert!(matches!(error, FileError::NotAnAtlas { .. }), "{at}: {error}"),
                8..12 => assert!(matches!(error, FileError::Version { .. }), "{at}: {error}"),
                16..24 => assert!(matches!(error, FileError::Length { .. }), "{at}: {error}"),
                _ => {}
            }
        }
    }
}

#[test]
fn any_changed_byte_of_the_masks_is_found_by_verify() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    for at in (pool..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let atlas = Atlas::from_vec(changed).expect("opening does not read the masks");
        let error = atlas.verify().unwrap_err();
        assert!(
            matches!(error, FileError::Checksum { section: Section::Pool, .. }),
            "{at}: {error}"
        );
    }
}

#[test]
fn another_version_is_rejected_with_its_number_and_the_remedy() {
    for version in [0_u32, 1, 3, 99] {
        let mut bytes = baked();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let error = Atlas::from_bytes(&forged(bytes)).unwrap_err();
        assert_eq!(
            error,
            FileError::Version { section: Section::Header, found: version, supported: 2 }
        );
        assert!(error.to_string().contains(&format!("version {version}")), "{error}");
        assert!(error.help().contains("bake the atlas again"), "{}", error.help());
    }
}

#[test]
fn random_bytes_are_rejected() {
    let mut random = Random::new(4);
    for len in [0, 1, 8, 24, 127, 128, 129, 1000, 4096] {
        for _ in 0..20 {
            let mut bytes: Vec<u8> = (0..len).map(|_| random.bits() as u8).collect();
            assert!(Atlas::from_bytes(&bytes).is_err());
            // Correct first bytes make no difference.
            let start = &baked()[..len.min(16)];
            bytes[..start.len()].copy_from_slice(start);
            assert!(Atlas::from_bytes(&forged_if_long(bytes)).is_err());
        }
    }
}

fn forged_if_long(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 128 { forged(bytes) } else { bytes }
}
