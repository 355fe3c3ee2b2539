//! Target `atlas`: opens bytes as an atlas, queries all of it, and places it in a world.

use crate::seal;
use crate::tour::{self, Part};
use hitmask::Atlas;

/// Repair of the bytes before they are opened, chosen by the first byte of the input. The rest of that
/// byte chooses the part of the queries that are made, and the poses that they are about.
#[derive(Clone, Copy)]
pub enum Mend {
    /// Corrects the lengths and checksums of a whole atlas.
    Whole,
    /// Corrects those of a compact atlas, given its unpacked sections.
    Compact,
    /// Corrects those of a compact atlas, given its packed bytes.
    Stream,
    /// No repair.
    Nothing,
}

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&mend, bytes)) = data.split_first() else { return };
    let (part, from) = (Part::ALL[usize::from(mend / 4 % 4)], usize::from(mend / 16));
    let bytes = match mend % 4 {
        0 => seal::whole(bytes.to_vec()),
        1 => seal::compact(bytes.to_vec()),
        2 => seal::stream(bytes.to_vec()),
        _ => bytes.to_vec(),
    };
    if drawn_bytes(&bytes) > MAX_UNPACKED_BYTES {
        return;
    }
    let opened = Atlas::from_bytes(&bytes);
    let same = Atlas::from_vec(bytes);
    match (opened, same) {
        (Ok(atlas), Ok(same)) => {
            assert_eq!(atlas.as_bytes(), same.as_bytes());
            tour::settings(&atlas);
            if let Ok(drawn) = atlas.drawn() {
                tour::atlas(&drawn, part, from);
            }
        }
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            assert!(!error.to_string().is_empty());
        }
        (one, other) => panic!("{:?} and {:?}", one.err(), other.err()),
    }
}

/// Limit of the bytes that a compact atlas may unpack to. 1,000x its size is legitimate, but slow.
const MAX_UNPACKED_BYTES: u64 = 1 << 20;

fn drawn_bytes(bytes: &[u8]) -> u64 {
    bytes.get(136..144).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
        * u64::from(bytes.get(132) == Some(&1))
}
