//! Bytes as an atlas: what opens is walked from end to end, placed in a world, and asked about.

use crate::{seal, tour};
use hitmask::Atlas;

/// How the bytes are mended before they are opened: the first byte of the input.
#[derive(Clone, Copy)]
pub enum Mend {
    /// Lengths and checksums of a whole atlas.
    Whole,
    /// Those of a compact one, given unpacked.
    Compact,
    /// Those of a compact one, given packed.
    Stream,
    /// Nothing.
    Nothing,
}

pub fn run(data: &[u8]) {
    let Some((&mend, bytes)) = data.split_first() else { return };
    let bytes = match mend % 4 {
        0 => seal::whole(bytes.to_vec()),
        1 => seal::compact(bytes.to_vec()),
        2 => seal::stream(bytes.to_vec()),
        _ => bytes.to_vec(),
    };
    if drawn_bytes(&bytes) > MOST_DRAWN {
        return;
    }
    let opened = Atlas::from_bytes(&bytes);
    let same = Atlas::from_vec(bytes);
    match (opened, same) {
        (Ok(atlas), Ok(same)) => {
            assert_eq!(atlas.as_bytes(), same.as_bytes());
            tour::atlas(&atlas);
        }
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            assert!(!error.to_string().is_empty());
        }
        (one, other) => panic!("{:?} and {:?}", one.err(), other.err()),
    }
}

/// A compact atlas may rightly be a thousand times larger once it is drawn, which takes its time.
const MOST_DRAWN: u64 = 1 << 20;

fn drawn_bytes(bytes: &[u8]) -> u64 {
    bytes.get(136..144).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
        * u64::from(bytes.get(132) == Some(&1))
}
