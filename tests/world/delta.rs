//! Updates of changes only: the same answers as a world that is rebuilt from nothing, after any
//! calls.

use crate::{atlas, random_collider};
use hitmask::{Accuracy, Collider, ColliderId, Pair, Placement, World};
use hitmask_scenes::Random;

#[test]
fn an_update_tests_the_pairs_of_changed_colliders_alone() {
    let atlas = atlas();
    let mut random = Random::new(3);
    let mut world = World::new(atlas.clone());
    let colliders = (0..400).map(|_| random_collider(&mut random, &atlas, 300));
    let ids: Vec<ColliderId> = colliders.map(|c| world.insert(c).unwrap()).collect();
    let all = world.update_timed().pairs;
    let touching = world.touching().to_vec();
    assert!(touching.len() > 100);
    // Nothing changed: nothing is tested, and nothing begins or ends.
    assert_eq!(world.update_timed(), hitmask::UpdateTimings::default());
    assert_eq!((world.touching(), world.began(), world.ended()), (&touching[..], &[][..], &[][..]));
    // One moved away and back.
    let here = world.get(ids[7]).unwrap();
    let own = |pair: &&Pair| [pair.a, pair.b].contains(&ids[7]);
    let with_it: Vec<Pair> = touching.iter().filter(own).copied().collect();
    for (position, tested) in [([1e6, 0.0], 0..1), (here.position, 1..40)] {
        world.move_to(ids[7], position).unwrap();
        let pairs = world.update_timed().pairs;
        assert!(tested.contains(&pairs) && pairs < all, "{pairs} of {all}");
    }
    assert_eq!((world.touching(), world.began()), (&touching[..], &with_it[..]));
    // Another accuracy changes pairs of colliders that have not changed.
    world.set_accuracy(Accuracy::Box);
    assert_eq!(world.update_timed().pairs, all);
    assert!(world.touching().len() > touching.len());
    world.set_accuracy(Accuracy::Exact);
    world.update();
    assert_eq!(world.touching(), touching);
}

#[test]
fn a_collider_placed_on_its_own_pixel_has_not_changed() {
    let atlas = atlas();
    let mut random = Random::new(3);
    let mut world = World::new(atlas.clone());
    let ids: Vec<ColliderId> = (0..16_000)
        .map(|i| {
            let collider = random_collider(&mut random, &atlas, 2900);
            let position = collider.position.map(f32::floor);
            let fixed = i % 1000 == 999;
            world.insert(Collider { position, fixed, ..collider }).unwrap()
        })
        .collect();
    world.update();
    let placements = |world: &World, right: f32| -> Vec<Placement> {
        let all = ids.iter().map(|&id| world.get(id).unwrap());
        all.map(|Collider { position: [x, y], angle, .. }| Placement {
            position: [x + right, y],
            angle,
        })
        .collect()
    };
    let moving: Vec<bool> = ids.iter().map(|&id| !world.get(id).unwrap().fixed).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world.clone();
            let touching = world.touching().to_vec();
            for (right, one_by_one) in [(0.0, false), (0.25, false), (0.125, true)] {
                let places = placements(&world, right);
                let rests = ids.iter().zip(&places).zip(&moving).filter(|(_, moving)| **moving);
                let (some, places): (Vec<ColliderId>, Vec<Placement>) =
                    rests.map(|((id, place), _)| (*id, *place)).unzip();
                if one_by_one {
                    for (&id, place) in some.iter().zip(&places) {
                        world.move_to(id, place.position).unwrap();
                    }
                } else {
                    world.set_placements(&some, &places).unwrap();
                }
                assert_eq!(world.get(some[7]).unwrap().position, places[7].position);
                assert_eq!(world.update_timed(), hitmask::UpdateTimings::default());
                assert_eq!(world.touching(), touching);
            }
            // A few of all placed colliders move, in order of ids or in any order.
            for step in [1, 7] {
                let mut places = placements(&world, 0.0);
                for at in [5, 7_000, 15_900] {
                    places[at].position[0] += 20.0;
                }
                let order = |i: usize| i * step % ids.len();
                let (some, places): (Vec<ColliderId>, Vec<Placement>) =
                    (0..ids.len()).map(|i| (ids[order(i)], places[order(i)])).unzip();
                world.set_placements(&some, &places).unwrap();
                let mut rebuilt = World::from_snapshot([atlas.clone()], &world.snapshot()).unwrap();
                let (few, all) = (world.update_timed().pairs, rebuilt.update_timed().pairs);
                assert!(few < all / 100, "{few} of {all}");
                assert_eq!(world.validate(), Ok(()));
                assert_eq!(world.state_hash(), rebuilt.state_hash());
            }
        });
    }
}
