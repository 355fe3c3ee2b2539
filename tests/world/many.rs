//! Bulk insert and bulk placement: the same as one by one, or refused as a whole.

use crate::atlas;
use hitmask::{
    Angle, AtlasBuilder, CallError, Collider, ColliderId, Flip, Mask, Pivot, Placement,
    ScalePolicy, Settings, World,
};
use hitmask_scenes::{Random, named, open, solid, world_of};

/// A pose without pixels at the origin looks like no change in the lists that bulk placement keeps.
#[test]
fn a_fixed_collider_that_loses_its_pixels_ends_its_pairs() {
    let dot: Mask = "#..\n...\n...".parse().unwrap();
    for is_compact in [false, true] {
        let bake = AtlasBuilder::new().angles(64).scales([0.5]).compact(is_compact);
        let atlas = open(&bake.mask("dot", dot.clone()));
        let dot = atlas.sprite_id("dot").unwrap();
        let turned = |step: u16| Angle::turn(step * 1024);
        let wall = |step| Collider::new(dot).scaled(0.5).turned(turned(step)).fixed();
        let mut world = World::new(atlas);
        let block = world.masks_mut().insert(solid(40, 40), Pivot::Center).unwrap();
        let wall = (0..64).map(|step| world.insert(wall(step)).unwrap());
        let walls: Vec<ColliderId> = wall.collect();
        world.insert(Collider::from_mask(block)).unwrap();
        world.update();
        let shown = walls.iter().filter(|&&id| world.rect(id).is_some()).count();
        assert!(shown > 0 && shown < walls.len());
        assert_eq!(world.touching().len(), shown);
        let empty = walls.iter().position(|&id| world.rect(id).is_none()).unwrap();
        let place = Placement { position: [0.0, 0.0], angle: turned(empty as u16) };
        world.set_placements(&walls, &vec![place; walls.len()]).unwrap();
        world.validate().unwrap();
        world.update();
        assert_eq!((world.touching().len(), world.ended().len()), (0, shown));
        world.validate().unwrap();
    }
}

#[test]
fn bulk_placement_on_several_threads_equals_single_placements() {
    let atlas = atlas();
    let sprites = ["hull", "dot", "fighter"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> =
        (0..20_000).map(|i| world.insert(Collider::new(sprites[i % 3])).unwrap()).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let mut random = Random::new(6);
    let fixed = ids[7777];
    // Ids in a row, with gaps, out of order in several ways, and with one fixed collider.
    for round in 0..11 {
        let some = ids.iter().enumerate().filter(|(i, _)| round != 1 || i % 17 != 0);
        let mut some: Vec<ColliderId> = some.map(|(_, id)| *id).collect();
        match round {
            2 => some.rotate_left(10_000),
            3 => some[..512].rotate_left(256),
            4 => some.swap(100, 101),
            // A duplicate at the border of two threads' ranges.
            5 => some[10_000] = some[9_999],
            // Out of order within a block whose first and last ids are in order.
            7 => some.swap(100, 15_100),
            // Scattered all over, some of them several times.
            8.. => some.iter_mut().for_each(|id| *id = ids[random.below(20_000) as usize]),
            _ => {}
        }
        world
            .set(fixed, Collider { fixed: round == 6 || round > 8, ..world.get(fixed).unwrap() })
            .unwrap();
        let places = some.iter().map(|_| Placement {
            position: [random.unit() * 9000.0, random.unit() * 9000.0],
            angle: Angle::turn(random.bits() as u16),
        });
        let places: Vec<Placement> = places.collect();
        let mut one_by_one = world.clone();
        pool.install(|| world.set_placements(&some, &places)).unwrap();
        for (&id, &Placement { position, angle }) in some.iter().zip(&places) {
            let collider = one_by_one.get(id).unwrap();
            one_by_one.set(id, Collider { position, angle, ..collider }).unwrap();
        }
        assert!(world.iter().eq(one_by_one.iter()));
        assert!(ids.iter().all(|&id| world.rect(id) == one_by_one.rect(id)));
        assert_eq!(world.validate(), Ok(()), "{round}");
        // Many threads index the same changes.
        pool.install(|| world.update());
        one_by_one.update();
        assert!(world.touching() == one_by_one.touching(), "{round}");
    }
}

#[test]
fn one_bad_placement_among_many_is_refused_with_the_error_of_set_and_nothing_moves() {
    for is_compact in [false, true] {
        let bake = AtlasBuilder::new().angles(16).compact(is_compact);
        let (mut world, hull) = world_of(open(&bake.mask("hull", named("hull").mask())), "hull");
        // One slot that another collider reuses, one that is free, and one that does not exist.
        let old = world.insert(hull).unwrap();
        world.remove(old);
        let ids: Vec<ColliderId> = (0..900).map(|_| world.insert(hull).unwrap()).collect();
        let mask = world.masks_mut().insert("##\n.#\n".parse().unwrap(), Pivot::Center).unwrap();
        let masked = world.insert(Collider::from_mask(mask)).unwrap();
        let gone = world.insert(hull).unwrap();
        world.remove(gone);
        let mut larger = world.clone();
        let foreign = (0..500).map(|_| larger.insert(hull).unwrap()).last().unwrap();

        let good = Placement { position: [5.0, 5.0], angle: Angle::radians(2.0) };
        let mut cases: Vec<_> = [old, gone, foreign].map(|id| (Some(id), good)).into();
        // Each fault alone, and two at once.
        for (y, radians) in [1.0, 2e9, -1.1e9, f32::INFINITY]
            .into_iter()
            .flat_map(|y| [0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY].map(|angle| (y, angle)))
        {
            let place = Placement { position: [5.0, y], angle: Angle::radians(radians) };
            cases.extend([(None, place), (Some(masked), place)]);
        }
        // NaNs of any bits, also of those that parts of a turn have.
        for bits in [f32::NAN.to_bits(), 0xffa5_0005, 0xffc0_1234, 0x7f80_0001] {
            let bad = f32::from_bits(bits);
            cases.push((None, Placement { position: [0.0, bad], ..good }));
            cases.push((None, Placement { angle: bad.into(), ..good }));
        }
        let before: Vec<_> = world.iter().collect();
        let mut refused = 0;
        for (id, place) in cases {
            for index in [0, 255, 256, 700, 899] {
                let (mut some, mut places) = (ids.clone(), vec![good; ids.len()]);
                some[index] = id.unwrap_or(ids[index]);
                places[index] = place;
                let Placement { position, angle } = place;
                let there = world.get(some[index]).unwrap_or(hull);
                let set = world.clone().set(some[index], Collider { position, angle, ..there });
                let mut many = world.clone();
                let answer = many.set_placements(&some, &places);
                let answer = answer.map_err(|error| error.to_string());
                assert_eq!(answer, set.map_err(|cause| cause.of_item(index).to_string()));
                if answer.is_err() {
                    assert!(many.iter().eq(before.iter().copied()));
                    refused += 1;
                }
            }
        }
        // Two placements of a sprite are valid, and one of a mask that cannot turn.
        assert_eq!(refused, 5 * (3 + 32 - 3 + 8));
        // A free slot is not a collider, even in a call for all slots.
        world.set_placements(&ids, &vec![good; ids.len()]).unwrap();
        world.remove(ids[300]).unwrap();
        let error = world.set_placements(&ids, &vec![good; ids.len()]).unwrap_err();
        assert_eq!(error.item(), Some(300));
    }
}

#[test]
fn the_first_of_several_bad_placements_is_reported_with_any_number_of_threads() {
    let (mut world, hull) = world_of(atlas(), "hull");
    let ids: Vec<ColliderId> = (0..40_000).map(|_| world.insert(hull).unwrap()).collect();
    let good = Placement { position: [5.0, 5.0], angle: Angle::radians(2.0) };
    // Each placement has a fault of its own.
    let mut bad = vec![good; ids.len()];
    bad[100].position = [-2e9, 0.0];
    bad[20_000].angle = Angle::radians(f32::INFINITY);
    bad[39_999].position = [0.0, 3e9];
    let faults = [
        (100, CallError::Position([-2e9, 0.0])),
        (
            20_000,
            CallError::Number {
                name: "angle",
                value: f32::INFINITY,
                least: f32::MIN,
                most: f32::MAX,
            },
        ),
        (39_999, CallError::Position([0.0, 3e9])),
    ];
    for threads in [1, 2, 5, 32] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut places = bad.clone();
        for (index, cause) in faults.clone() {
            let refused = pool.install(|| world.set_placements(&ids, &places));
            assert_eq!(refused, Err(cause.of_item(index)), "{threads} threads");
            assert!(world.iter().all(|(_, collider)| collider == hull), "no collider has moved");
            places[index] = good;
        }
        let mut moved = world.clone();
        pool.install(|| moved.set_placements(&ids, &places)).unwrap();
        let there = hull.at(good.position).turned(good.angle);
        assert!(moved.iter().all(|(_, collider)| collider == there));
    }
}

#[test]
fn sprites_of_several_scales_and_many_poses_are_placed_as_one_by_one() {
    let shapes: [Mask; 2] =
        ["##.\n.##\n..#\n", "..#\n...\n#..\n"].map(|text| text.parse().unwrap());
    let shape: [Mask; 1] = [shapes[0].clone()];
    let of = |angles, scales: &[f32]| Settings {
        angles,
        scales: scales.to_vec(),
        ..Settings::default()
    };
    // The pose cache holds 4,096 poses per sprite, but not 6,144.
    let bake = AtlasBuilder::new()
        .frames_with("one", shape.clone(), of(64, &[1.0]))
        .frames_with("scaled", shapes, of(12, &[0.5, 1.0, 2.5]))
        .frames_with("fine", shape.clone(), of(2048, &[1.0, 2.0]))
        .frames_with("finer", shape, of(2048, &[0.5, 1.0, 2.0]));
    let atlas = open(&bake);
    let mut random = Random::new(5);
    // Sprites of one scale, sprites of few poses, and all sprites.
    for names in [&["one"][..], &["one", "scaled", "fine"], &["one", "scaled", "fine", "finer"]] {
        let mut many = World::new(atlas.clone());
        many.set_scale_policy(ScalePolicy::Nearest).unwrap();
        for i in 0..900 {
            let name = names[i % names.len()];
            let scale = [0.3, 0.74, 0.76, 1.0, 1.4, 1.6, 1.8, 9.0][random.below(8) as usize];
            let collider = Collider::new(atlas.sprite_id(name).unwrap())
                .scaled(scale)
                .with_frame(if name == "scaled" { random.below(2) } else { 0 })
                .flipped(Flip { x: random.below(2) == 0, y: random.below(2) == 0 });
            many.insert(collider).unwrap();
        }
        let ids: Vec<ColliderId> = many.iter().map(|(id, _)| id).collect();
        let places: Vec<Placement> = ids
            .iter()
            .map(|_| {
                let position = [0; 2].map(|_: i32| random.within(-900, 900) as f32 / 8.0);
                Placement { position, angle: Angle::turn(random.bits() as u16) }
            })
            .collect();
        let mut each = many.clone();
        for (&id, &Placement { position, angle }) in ids.iter().zip(&places) {
            each.set(id, Collider { position, angle, ..each.get(id).unwrap() }).unwrap();
        }
        many.set_placements(&ids, &places).unwrap();
        many.validate().unwrap();
        assert!(ids.iter().all(|&id| many.rect(id) == each.rect(id)), "{names:?}");
        many.update();
        each.update();
        assert_eq!(many.touching(), each.touching());
        assert!(many.touching().len() > 100);
    }
}
