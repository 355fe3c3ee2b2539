//! Moves farther than 2^24 mask pixels from the origin, where an f32 does not represent every pixel.

use crate::blocked;
use crate::rooms::room;
use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Filter, MAX_POSITION, MoveRules, Pivot, Point, Side,
    World,
};
use hitmask_scenes::{Random, solid};

/// Returns the pixel of a position at resolution 1.
fn snap(at: [f32; 2]) -> Point {
    let [x, y] = at.map(|v| (f64::from(v) + 0.5).floor() as i32);
    Point::new(x, y)
}

#[test]
fn a_slide_to_a_far_wall_ends_before_it() {
    let (start, wall) = (16_777_300.0, 16_777_402.0);
    let (mut world, ids) = room(&[(3, 4, [start, 0.0], 1), (10, 4, [wall, 0.0], 1)]);
    // 99 px are free, and 16,777,399 is no f32.
    for (by, motion) in [(98, 200.0), (0, 200.0), (0, 50.0)] {
        let moved = world.move_and_slide(ids[0], [motion, 0.0]).unwrap();
        assert_eq!(moved.translation, Point::new(by, 0));
        assert_eq!(moved.position, [16_777_398.0, 0.0]);
        assert_eq!(moved.contacts, [(ids[1], Side::Right)]);
        assert!(moved.stuck_in.is_empty() && !blocked(&world, ids[0], Point::default()));
    }
    world.move_to(ids[0], [start, 0.0]).unwrap();
    let hit = world.move_until_contact(ids[0], [200.0, 0.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!((hit.position, hit.impact.free_offset), ([16_777_398.0, 0.0], Point::new(99, 0)));
    assert!(!blocked(&world, ids[0], Point::default()));
    // At resolution 8, 2^24 mask pixels are 2.1 million pixels.
    let atlas = AtlasBuilder::new().resolution(8.0).mask("dot", solid(1, 1)).to_bytes().unwrap();
    let mut fine = World::new(Atlas::from_vec(atlas).unwrap());
    let mut insert = |(w, h, at): (u32, u32, f32)| {
        let mask = fine.masks_mut().insert(solid(w, h), Pivot::HalfTexels(0, 0)).unwrap();
        fine.insert(Collider::from_mask(mask).at([at / 8.0, 0.0]).owned_by(0)).unwrap()
    };
    let [hero, _] = [(3, 4, start), (10, 4, wall)].map(&mut insert);
    let moved = fine.move_and_slide(hero, [25.0, 0.0]).unwrap();
    assert_eq!((moved.translation.x, moved.position[0]), (98, 16_777_398.0 / 8.0));
}

#[test]
fn far_moves_end_free_and_move_by_their_translation() {
    let mut random = Random::new(24);
    let (mut rounded, mut moves) = (0, 0);
    for case in 0..1500 {
        let reach = [1.7e7, 4e7, 2e8, 9e8][case % 4];
        let corner = [0; 2].map(|_| (random.unit() - 0.5) * 2.0 * reach);
        let mut near = |size: i32| {
            let by = [0; 2].map(|_| random.within(-size, size + 1) as f32);
            [corner[0] + by[0], corner[1] + by[1]]
        };
        let mut parts = vec![(3, 4, near(0), 1), (5, 3, near(300), 1)];
        parts.extend((0..30).map(|i| (7 + i % 40, 90 - i, near(500), 1)));
        let (mut world, ids) = room(&parts);
        // Two parts of a compound.
        for &id in &ids[..2] {
            world.set(id, world.get(id).unwrap().owned_by(1)).unwrap();
        }
        let motion = [0; 2].map(|_| random.within(-600, 601) as f32);
        let free = |world: &World, id| !blocked(world, id, Point::default());
        let starts = [0, 1].map(|i| world.get(ids[i]).unwrap().position);
        let are_free = free(&world, ids[0]) && free(&world, ids[1]);
        for slip in [0, 1] {
            let rules = MoveRules { slip, ..MoveRules::default() };
            let moved = world.move_by_rules(ids[0], motion, rules, Filter::SOLID).unwrap();
            assert_eq!(snap(moved.position) - snap(starts[0]), moved.translation);
            assert_eq!(world.get(ids[0]).unwrap().position, moved.position);
            if are_free {
                assert!(free(&world, ids[0]), "case {case}: {motion:?}");
            }
            world.move_to(ids[0], starts[0]).unwrap();
            moves += 1;
        }
        if !are_free {
            continue;
        }
        if let Some(hit) = world.move_until_contact(ids[0], motion, Filter::SOLID).unwrap() {
            let by = snap(hit.position) - snap(starts[0]);
            rounded += usize::from(by != hit.impact.free_offset);
            assert!(free(&world, ids[0]), "case {case}: {motion:?}");
        }
        world.move_to(ids[0], starts[0]).unwrap();
        let hit = world.move_body(1, motion, Filter::SOLID).unwrap();
        let by = [0, 1].map(|i| snap(world.get(ids[i]).unwrap().position) - snap(starts[i]));
        if let Some(hit) = hit {
            assert_eq!(by[0], by[1], "the parts keep their distance");
            let part = world.get(hit.part).unwrap();
            assert_eq!(part.position, hit.hit.position);
        }
        assert!(ids[..2].iter().all(|&id| free(&world, id)), "case {case}: {motion:?}");
    }
    assert!(rounded > 50 && moves == 3000, "{rounded} rounded");
}

#[test]
fn the_nearest_of_two_far_colliders_at_one_distance_is_the_first() {
    let far = MAX_POSITION;
    for (a, b) in [([0.0, far], [0.0, -far]), ([-far, 0.0], [far, 0.0]), ([3e8, 4e8], [4e8, 3e8])] {
        let (mut world, ids) = room(&[(1, 1, [0.0, 0.0], 1), (1, 1, a, 1), (1, 1, b, 1)]);
        let middle =
            world.nearest([0.5, 0.5], f32::MAX, Filter { except: Some(ids[0]), ..Filter::ALL });
        assert_eq!(middle.unwrap().map(|(id, _)| id), Some(ids[1]), "{a:?} {b:?}");
        let from: ColliderId = ids[0];
        let (nearest, _) = world.nearest_to(from, f32::MAX, Filter::ALL).unwrap().unwrap();
        assert_eq!(nearest, ids[1], "{a:?} {b:?}");
        // The order of the colliders decides, not their places.
        world.move_to(ids[1], b).unwrap();
        world.move_to(ids[2], a).unwrap();
        let (nearest, _) = world.nearest_to(from, f32::MAX, Filter::ALL).unwrap().unwrap();
        assert_eq!(nearest, ids[1], "{a:?} {b:?}");
    }
}
