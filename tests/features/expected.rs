//! Capabilities of current collision libraries.

use crate::{solid, world};
use hitmask::{Simd, World};

#[test]
fn a_moving_object_slides_over_tile_seams() {
    // 40 tiles of 16 px with a gap of 2 tiles at x 152 to 184. The hero is 8 px wide.
    let (mut world, ids) =
        world(&[("hero", &solid(8, 8), [100.0, 0.0]), ("tile", &solid(16, 16), [0.0, 40.0])]);
    let tile = world.get(ids[1]).unwrap().fixed();
    world.set(ids[1], tile).unwrap();
    for i in (1..40).filter(|i| !(10..12).contains(i)) {
        world.insert(tile.at([16.0 * i as f32, 40.0])).unwrap();
    }
    world.update();
    let walk = |world: &mut World, by| world.move_and_slide(ids[0], by).unwrap();
    assert_eq!(walk(&mut world, [0.0, 99.0]).position, [100.0, 28.0], "stands on the tiles");
    let moved = walk(&mut world, [30.0, 0.0]);
    assert_eq!((moved.position, moved.contacts.len()), ([130.0, 28.0], 0), "passes a seam");
    walk(&mut world, [33.0, 0.0]);
    assert_eq!(walk(&mut world, [0.0, 99.0]).position, [163.0, 127.0], "falls through the gap");
}

#[test]
fn the_environment_selects_the_instruction_set() {
    // The test runs itself in a child process for each name, because a process reads the variable
    // once.
    let name = "expected::the_environment_selects_the_instruction_set";
    if let Ok(expected) = std::env::var("HITMASK_TEST_EXPECTS") {
        assert_eq!(Simd::preferred().name(), expected);
        return;
    }
    let available = Simd::available();
    let best = available[0].name();
    let named = available.iter().map(|simd| (simd.name(), simd.name()));
    // In a game, an unknown name falls back to the best set, as an empty one does everywhere.
    for (named, expected) in named.chain([("abacus", best), ("", best)]) {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env("HITMASK_SIMD", named)
            .env("HITMASK_TEST_EXPECTS", expected)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && output.contains("1 passed"), "{named:?}: {output}");
    }
}
