//! Bytes as a snapshot of a world over a known atlas: what is restored holds together, and writes
//! the same bytes.

use crate::{art, seal, world};
use hitmask::World;

/// Bytes of all masks of a snapshot together, about, up to which it is restored: a mask that is
/// drawn may rightly be a thousand times as large as what it is drawn from.
const MOST: usize = 1 << 16;

pub fn run(body: &[u8]) {
    if body.len() > MOST {
        return;
    }
    let atlas = art::atlas();
    let bytes = seal::snapshot(body.to_vec(), atlas.checksum());
    let mut world = World::new(atlas.clone());
    match World::from_snapshot(atlas, &bytes) {
        Err(error) => {
            let before = world.state_hash();
            // By their words: what is not a number is not equal to itself.
            let again = world.restore(&bytes).expect_err("what gives no world restores none");
            assert_eq!(again.to_string(), error.to_string());
            assert_eq!(world.state_hash(), before);
            assert!(!error.to_string().is_empty());
        }
        Ok(restored) => {
            world.restore(&bytes).expect("what gives a world restores one");
            for world in [&world, &restored] {
                world.validate().expect("a restored world holds together");
                assert!(world.snapshot() == bytes, "a snapshot comes back as it went in");
            }
            world.update();
            world.validate().expect("and after an update");
            world::check_touching(&world);
            world::ask(&mut world);
            let saved = world.snapshot();
            world.restore(&saved).expect("its own snapshot");
            assert!(world.snapshot() == saved);
        }
    }
}
