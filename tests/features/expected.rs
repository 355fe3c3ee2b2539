//! Capabilities of current collision libraries.

use crate::{mask, solid, world};
use hitmask::{
    Collider, Connectivity, Filter, Flip, GrowShape, Line, MoveRules, Pair, Pivot, Point, Rect,
    ScanOrder, Side, Simd, World, Zone, reference,
};

#[test]
fn mask_algebra_on_an_owned_mask() {
    let mut ground = solid(20, 10);
    ground.erase(&solid(4, 4), [8, 3]);
    assert_eq!((ground.count(), ground.get(9, 4)), (184, false));
    ground.draw(&solid(2, 2), [9, 4]);
    assert_eq!(ground.components(Connectivity::Eight).iter().len(), 2);
    ground.invert();
    assert_eq!(ground.bounds(), Some(Rect::new(8, 3, 12, 7)));
    assert_eq!(ground.centroid(), Some([10.0, 5.0]));
    assert_eq!(ground.grown(1, GrowShape::Square).unwrap().count(), 36);
    assert!(ground.outline().count() > 4);
}

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
fn lines_and_rays_report_the_first_hit_all_hits_and_the_normal() {
    let (world, ids) =
        world(&[("a", &solid(10, 40), [50.0, 0.0]), ("b", &solid(10, 40), [90.0, 0.0])]);
    let ray = Line::ray([0.5, 0.5], [3.0, 0.0], 200.0).unwrap();
    let (id, hit) = world.ray(&ray, Filter::ALL).unwrap().unwrap();
    assert_eq!(
        (id, hit.point, [hit.normal.x, hit.normal.y]),
        (ids[0], Point::new(45, 0), [-1.0, 0.0])
    );
    let all: Vec<_> =
        world.ray_all(&ray, Filter::ALL).unwrap().iter().map(|(id, h)| (*id, h.step)).collect();
    assert_eq!(all, [(ids[0], 45), (ids[1], 85)]);
    assert_eq!(
        world
            .query(&Line::new([0.0, 0.0], [60.0, 0.0]).map(Zone::line).unwrap(), Filter::ALL)
            .unwrap(),
        [ids[0]]
    );
    assert!(Line::ray([0.0, 0.0], [0.0, 0.0], 5.0).is_err(), "no direction");
}

#[test]
fn circles_and_ellipses_are_queried() {
    let (world, ids) = world(&[("a", &solid(10, 10), [50.0, 0.0])]);
    let circle =
        |radius| world.query(&Zone::circle([20.0, 0.0], radius).unwrap(), Filter::ALL).unwrap();
    // The nearest pixel centre is (45.5, 0.5): sqrt(25.5^2 + 0.5^2) = 25.505 px from the centre.
    assert_eq!((circle(25.5), circle(25.6)), (vec![], ids.clone()));
    let ellipse =
        |radii| world.query(&Zone::ellipse([20.0, 0.0], radii).unwrap(), Filter::ALL).unwrap();
    assert_eq!((ellipse([26.0, 0.5]), ellipse([0.5, 26.0])), (vec![], vec![]));
    assert_eq!(ellipse([26.0, 5.0]), ids);
}

#[test]
fn the_nearest_collider_and_the_distance_of_two() {
    let (world, ids) =
        world(&[("a", &solid(10, 10), [50.0, 0.0]), ("b", &solid(2, 2), [0.0, 31.0])]);
    let nearest = |within| world.nearest([0.0, 0.0], within, Filter::ALL).unwrap();
    // From the exact position to the centre of pixel (0, 30).
    let far = (0.5_f64.powi(2) + 30.5_f64.powi(2)).sqrt();
    assert_eq!((nearest(100.0), nearest(30.5)), (Some((ids[1], far)), None));
    // From pixel (0, 30) to pixel (45, 4).
    let distance = (45.0_f64.powi(2) + 26.0_f64.powi(2)).sqrt();
    assert_eq!(world.distance(ids[0], ids[1]), Some(distance));
    assert_eq!(solid(2, 2).distance(&solid(2, 2), [2, 0]), Some(1.0));
}

#[test]
fn a_shape_cast_reports_the_time_of_impact() {
    let (world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(10, 10), [110.0, 0.0])]);
    let hit = world.cast(ids[0], [200.0, 0.0], |_| true).unwrap().unwrap();
    assert_eq!((hit.collider, hit.position, hit.impact.time()), (ids[1], [100.0, 0.0], 0.5));
    assert_eq!(world.cast(ids[0], [0.0, 200.0], |_| true).unwrap(), None);
}

#[test]
fn pick_returns_the_topmost_collider() {
    let card = solid(20, 20);
    let (world, ids) = world(&[("low", &card, [0.0, 0.0]), ("high", &card, [5.0, 0.0])]);
    let heights = [1, 2];
    let pick = |x: f32, radius| {
        world.pick([x, 0.0], radius, Filter::ALL, |id| heights[id.index() as usize]).unwrap()
    };
    assert_eq!(pick(2.0, 0.0), Some(ids[1]));
    assert_eq!(pick(-8.0, 0.0), Some(ids[0]));
    assert_eq!((pick(-13.0, 0.0), pick(-13.0, 4.0)), (None, Some(ids[0])));
}

#[test]
fn layers_and_filters_limit_pairs_and_queries() {
    let dot = solid(4, 4);
    let (mut world, ids) =
        world(&[("a", &dot, [0.0, 0.0]), ("b", &dot, [2.0, 0.0]), ("c", &dot, [1.0, 1.0])]);
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(0b10, u32::MAX)).unwrap();
    world.set(ids[2], world.get(ids[2]).unwrap().on_layers(0b100, 0b10)).unwrap();
    world.update();
    assert_eq!(world.touching(), [Pair { a: ids[0], b: ids[1] }, Pair { a: ids[1], b: ids[2] }]);
    let on = |layers| {
        world.query(&Zone::point([1.0, 1.0]).unwrap(), Filter { layers, ..Filter::ALL }).unwrap()
    };
    assert_eq!((on(0b1), on(0b110)), (vec![ids[0]], vec![ids[1], ids[2]]));
}

#[test]
fn sensors_report_contacts_and_do_not_block() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("gate", &solid(4, 40), [20.0, 0.0])]);
    world.set(ids[1], world.get(ids[1]).unwrap().sensor()).unwrap();
    assert_eq!(world.move_and_slide(ids[0], [20.0, 0.0]).unwrap().position, [20.0, 0.0]);
    world.update();
    assert_eq!(world.touching().len(), 1);
    assert_eq!(world.query(&Zone::point([20.0, 10.0]).unwrap(), Filter::SOLID).unwrap(), []);
}

#[test]
fn a_one_way_platform_blocks_only_from_above() {
    let (mut world, ids) =
        world(&[("hero", &solid(4, 8), [0.0, 20.0]), ("plank", &solid(60, 2), [0.0, 0.0])]);
    let plank = 0b1000;
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(plank, u32::MAX).fixed()).unwrap();
    let rules = MoveRules { one_way: plank, ..MoveRules::default() };
    let up = world.move_by_rules(ids[0], [0.0, -40.0], rules).unwrap();
    assert_eq!(up.position, [0.0, -20.0]);
    let down = world.move_by_rules(ids[0], [0.0, 40.0], rules).unwrap();
    assert_eq!((down.position, down.blocked_on(Side::Below)), ([0.0, -5.0], true));
}

#[test]
fn pairs_begin_stay_and_end() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("b", &solid(4, 4), [3.0, 0.0])]);
    assert_eq!(world.began().len(), 1);
    world.update();
    assert_eq!((world.began().len(), world.stayed().count(), world.ended().len()), (0, 1, 0));
    world.remove(ids[1]);
    world.update();
    assert_eq!((world.stayed().count(), world.ended().len()), (0, 1));
}

#[test]
fn fixed_colliders_do_not_pair_with_each_other() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("wall", &solid(4, 40), [3.0, 0.0])]);
    let wall = world.get(ids[1]).unwrap();
    world.set(ids[1], wall.fixed()).unwrap();
    let other = world.insert(wall.fixed().at([5.0, 0.0])).unwrap();
    world.update();
    assert_eq!(
        world.touching(),
        [Pair { a: ids[0], b: ids[1] }],
        "two fixed colliders are no pair"
    );
    assert_eq!(world.touching_with(other), [ids[1]], "a query returns fixed colliders");
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
fn a_snapshot_restores_the_state_and_its_hash() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("b", &solid(4, 4), [3.0, 0.0])]);
    let (saved, hash) = (world.snapshot(), world.state_hash());
    world.set(ids[1], world.get(ids[1]).unwrap().at([9.0, 0.0])).unwrap();
    world.update();
    assert_ne!(world.state_hash(), hash);
    assert_eq!(world.ended().len(), 1);
    world.restore(&saved).unwrap();
    assert_eq!((world.state_hash(), world.touching().len()), (hash, 1));
    let again = World::from_snapshot([world.atlas().clone()], &saved).unwrap();
    assert_eq!((again.state_hash(), again.snapshot()), (hash, saved));
}

#[test]
fn the_same_bits_at_any_thread_count() {
    let (hull, rod) = (solid(30, 18), solid(44, 3));
    let atlas = crate::atlas(&[("hull", &hull), ("rod", &rod)]);
    let hashes_with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new(atlas.clone());
            let sprites = ["hull", "rod"].map(|name| atlas.sprite_id(name).unwrap());
            // Enough colliders for every part of an update to use several threads.
            for i in 0..40_000 {
                let at = [(i * 37 % 5003) as f32 * 0.9, (i * 91 % 4999) as f32 * 0.9];
                let collider = Collider::new(sprites[i % 2]).at(at).turned(i as f32 * 0.1);
                world.insert(collider).unwrap();
            }
            let ids: Vec<_> = world.ids().collect();
            let hashes: Vec<u64> = (0..3)
                .map(|_| {
                    world.update();
                    for &id in ids.iter().step_by(400) {
                        world.move_and_slide(id, [3.5, 1.25]).unwrap();
                    }
                    world.state_hash()
                })
                .collect();
            // The pairs, too, are enough for several threads.
            assert!(world.touching().len() > 30_000);
            hashes
        })
    };
    let expected = hashes_with(1);
    assert!([2, 5, 16, 32].into_iter().all(|threads| hashes_with(threads) == expected));
}

#[test]
fn the_nearest_free_spot_is_found() {
    let (world, _) =
        world(&[("a", &solid(20, 20), [0.0, 0.0]), ("b", &solid(20, 20), [20.0, 0.0])]);
    let crate_ = solid(6, 6);
    let by = world.nearest_free_offset(&crate_, [-3, -3], 40, Filter::ALL).unwrap();
    assert_eq!(by, Point::new(0, -13));
    assert_eq!(
        world.nearest_free_offset(&crate_, [-3, -3], 12, Filter::ALL),
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
fn run_time_masks_collide_like_baked_masks() {
    let (mut world, ids) = world(&[("a", &solid(4, 4), [10.0, 10.0])]);
    let id = world.insert_mask(solid(30, 30), Pivot::HalfTexels(0, 0)).unwrap();
    let ground = world.insert(Collider::from_mask(id)).unwrap();
    assert_eq!(world.touching_with(ids[0]), [ground]);
    world.edit_mask(id, |mask| mask.erase(&solid(8, 8), [6, 6]));
    assert_eq!(world.touching_with(ids[0]), []);
}

#[test]
fn the_same_bits_with_every_instruction_set() {
    let (a, b) = (solid(70, 9), mask(&"#.#\n".repeat(50)));
    let atlas = crate::atlas(&[("a", &a), ("b", &b)]);
    let id = |name: &str| {
        let sprite = atlas.sprite(atlas.sprite_id(name).unwrap()).unwrap();
        sprite.pose_id(0, hitmask::Pose::default(), Flip::NONE).unwrap()
    };
    let pairs: Vec<_> = (-60..80)
        .map(|x| hitmask::PosePair { a: id("a"), b: id("b"), offset: Point::new(x, x / 3 - 20) })
        .collect();
    let truth: Vec<u64> = pairs
        .iter()
        .map(|p| reference::contact(a.as_ref(), b.as_ref(), p.offset).map_or(0, |c| c.area))
        .collect();
    for simd in Simd::available() {
        let mut areas = vec![0; pairs.len()];
        atlas.batch().with_simd(simd).overlap_area(&pairs, &mut areas);
        assert_eq!(areas, truth, "{}", simd.name());
    }
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
