//! Capabilities of current collision libraries.

use crate::{mask, solid, world};
use hitmask::{Filter, Point, ScanOrder, Simd, World};

#[test]
fn the_first_overlapping_pixel_by_a_scan_order() {
    let a = mask(".#.\n#.#\n.#.");
    let first = |order| a.as_ref().first_overlap(order, &a, [0, 0]).map(|p| [p.x, p.y]);
    assert_eq!(first(ScanOrder::Top), Some([1, 0]));
    assert_eq!(first(ScanOrder::Bottom), Some([1, 2]));
    assert_eq!(first(ScanOrder::Left), Some([0, 1]));
    assert_eq!(first(ScanOrder::Right), Some([2, 1]));
}

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
fn the_nearest_free_spot_is_found() {
    let (world, _) =
        world(&[("a", &solid(20, 20), [0.0, 0.0]), ("b", &solid(20, 20), [20.0, 0.0])]);
    let crate_ = solid(6, 6);
    let by = world.probe(&crate_, [-3, -3]).push_out(40, Filter::ALL).unwrap();
    assert_eq!(by, Point::new(0, -13));
    assert_eq!(
        world.probe(&crate_, [-3, -3]).push_out(12, Filter::ALL),
        None,
        "13 px is out of reach"
    );
}

#[test]
fn a_mask_prints_as_a_debug_picture() {
    let block = mask("##.\n##.");
    assert_eq!(block.to_string(), "##.\n##.\n");
    assert_eq!(block.as_ref().overlap_mask(&block, [1, 0]).to_string(), ".#.\n.#.\n");
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
