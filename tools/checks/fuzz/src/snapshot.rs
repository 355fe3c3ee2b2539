//! Target `snapshot`: restores bytes over a known atlas. A restored world is valid, and writes the
//! same bytes, but for zeros of another sign or unit.

use crate::{art, seal, world};
use hitmask::World;

/// Limit of the total mask bytes of a snapshot that is restored. A transformed mask may be 1,000x
/// as large as its source.
const MAX_BYTES: usize = 1 << 16;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(body: &[u8]) {
    if body.len() > MAX_BYTES {
        return;
    }
    let atlas = art::atlas();
    let bytes = seal::snapshot(body.to_vec(), atlas.id());
    let mut world = World::new(atlas.clone());
    match World::from_snapshot([atlas], &bytes) {
        Err(error) => {
            let before = world.state_hash();
            // Compares debug text, because NaN is not equal to itself.
            let again = world.restore(&bytes).expect_err("a second restore fails as well");
            assert_eq!(again.to_string(), error.to_string());
            assert_eq!(world.state_hash(), before);
            assert!(!error.to_string().is_empty());
        }
        Ok(restored) => {
            world.restore(&bytes).expect("a second restore succeeds as well");
            let written = restored.snapshot();
            assert_eq!(written.len(), bytes.len(), "a zero is as long as another");
            let again =
                World::from_snapshot([world.atlas().clone()], &written).expect("its own snapshot");
            for world in [&world, &restored, &again] {
                world.validate().expect("a restored world is valid");
                assert!(world.snapshot() == written, "a restored world writes the same bytes");
            }
            world.update();
            world.validate().expect("and after an update");
            world::check_touching(&world);
            // All queries take longer than all else, so some of the inputs are asked.
            if bytes.last().is_some_and(|last| last % 4 == 0) {
                world::check_answers(&world);
                crate::tour::queries(&mut world);
            }
            let saved = world.snapshot();
            world.restore(&saved).expect("its own snapshot");
            assert!(world.snapshot() == saved);
        }
    }
}
