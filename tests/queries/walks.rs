//! Many moves in one call: the results of single calls in the same order, at any number of threads.

use hitmask::{
    AtlasBuilder, CallError, Collider, ColliderId, Filter, Mask, MoveResult, MoveRules, Rect,
    World, Zone,
};
use hitmask_scenes::{Random, open, solid, world_of};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A crowd of walkers, some in each other, among slabs, ledges, sensors and colliders without pixels.
fn horde(count: usize, side: f32) -> (World, Vec<ColliderId>) {
    let bake = AtlasBuilder::new().angles(8).compact(true);
    let bake = bake.mask("walker", Mask::disc(7).unwrap());
    let bake = bake.mask("slab", solid(40, 9)).mask("none", "".parse().unwrap());
    let atlas = open(&bake);
    let [walker, slab, none] =
        ["walker", "slab", "none"].map(|name| atlas.sprite_id(name).unwrap());
    let (mut world, mut random) = (World::new(atlas), Random::new(9));
    let mut ids = Vec::new();
    for i in 0..count {
        let at = [random.unit() * side, random.unit() * side];
        let collider = match i % 8 {
            0 => Collider::new(slab).at(at).turned(i as f32).fixed(),
            1 => Collider { layers: 2, ..Collider::new(slab).at(at) },
            2 => Collider { sensor: true, ..Collider::new(walker).at(at) },
            3 if i % 5 == 0 => Collider::new(none).at(at),
            _ => Collider::new(walker).at(at),
        };
        ids.push(world.insert(collider).unwrap());
    }
    (world, ids)
}

fn motions(count: usize, far: f32, random: &mut Random) -> Vec<[f32; 2]> {
    (0..count).map(|_| [0, 1].map(|_| (random.unit() - 0.5) * far)).collect()
}

fn one_by_one(
    world: &mut World,
    ids: &[ColliderId],
    motions: &[[f32; 2]],
    rules: MoveRules,
) -> Vec<MoveResult> {
    let moves = ids.iter().zip(motions);
    moves
        .map(|(&id, &motion)| world.move_by_rules(id, motion, rules, Filter::SOLID).unwrap())
        .collect()
}

#[test]
fn many_moves_give_the_results_of_single_ones_at_any_number_of_threads() {
    let walker = MoveRules { one_way: 2, ..MoveRules::default() };
    let glider = MoveRules { climb: 0, slip: 1, ..MoveRules::default() };
    for (count, side, far) in [(1200, 900.0, 12.0), (700, 2000.0, 4.0), (600, 300.0, 70.0)] {
        let (world, mut ids) = horde(count, side);
        // Some move twice in one call.
        ids.extend_from_within(..count / 10);
        let mut alone = world.clone();
        let mut others = [1, 2, 3, 8].map(|threads| {
            (rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap(), world.clone())
        });
        let mut random = Random::new(3);
        for (tick, rules) in [walker, glider, walker].into_iter().enumerate() {
            let motions = motions(ids.len(), far, &mut random);
            let expected = one_by_one(&mut alone, &ids, &motions, rules);
            for (pool, world) in &mut others {
                let mut moves = Vec::new();
                let each = |_, moved| moves.push(moved);
                pool.install(|| world.move_all(&ids, &motions, rules, Filter::SOLID, each))
                    .unwrap();
                assert!(moves == expected, "{} threads", pool.current_num_threads());
                assert_eq!(world.state_hash(), alone.state_hash());
                if tick == 1 {
                    world.update();
                }
            }
            if tick == 1 {
                alone.update();
            }
        }
        assert!(alone.validate().is_ok());
    }
}

#[test]
fn a_refused_move_among_many_leaves_every_collider_where_it_was() {
    for count in [40, 1000] {
        let (mut world, ids) = horde(count, 600.0);
        let removed = world.insert(world.get(ids[2]).unwrap()).unwrap();
        world.remove(removed).unwrap();
        let before = world.state_hash();
        let mut steps = motions(count, 9.0, &mut Random::new(1));
        let bad = count - 3;
        let mut with_stale = ids.clone();
        with_stale[bad] = removed;
        let move_all = |world: &mut World, ids: &[ColliderId], steps: &[[f32; 2]]| {
            world.move_all(ids, steps, MoveRules::default(), Filter::SOLID, |_, _| ())
        };
        let error = move_all(&mut world, &with_stale, &steps).unwrap_err();
        assert_eq!(error, CallError::Stale(removed).of_item(bad));
        assert_eq!(world.state_hash(), before);
        steps[bad] = [f32::NAN, 0.0];
        let error = move_all(&mut world, &ids, &steps).unwrap_err();
        assert!(matches!(error.cause(), CallError::Position(_)), "{error}");
        assert!(error.to_string().starts_with(&format!("item {bad}: ")), "{error}");
        assert_eq!(world.state_hash(), before);
        assert!(world.validate().is_ok());
        assert_eq!(move_all(&mut world, &[], &[]), Ok(()));
    }
}

#[test]
fn a_receiver_of_results_that_panics_leaves_the_collider_of_its_result_moved_and_later_ones_not() {
    const LAST: usize = 700;
    let (world, ids) = horde(1000, 600.0);
    let motions = motions(1000, 9.0, &mut Random::new(1));
    let rules = MoveRules::default();
    let mut alone = world.clone();
    one_by_one(&mut alone, &ids[..=LAST], &motions[..=LAST], rules);
    for threads in [1, 2, 3] {
        let mut many = world.clone();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let each = |at: usize, _| assert!(at != LAST, "on purpose");
        let walks = || many.move_all(&ids, &motions, rules, Filter::SOLID, each);
        assert!(catch_unwind(AssertUnwindSafe(|| pool.install(walks))).is_err());
        assert_eq!(many.first_difference(&alone), None, "{threads} threads");
        assert!(many.validate().is_ok());
    }
}

#[test]
fn a_veto_that_panics_leaves_the_colliders_before_it_moved_and_the_others_not() {
    let (mut world, a) = world_of(open(&AtlasBuilder::new().mask("a", solid(10, 10))), "a");
    let mut insert = |x: f32, y: f32| world.insert(a.at([x, y])).unwrap();
    let walkers: Vec<ColliderId> = (0..100).map(|i| insert(0.0, 30.0 * i as f32)).collect();
    let walls: Vec<ColliderId> = (0..100).map(|i| insert(20.0, 30.0 * i as f32)).collect();
    let keep = |other: ColliderId| {
        assert!(other != walls[60], "on purpose");
        other != walls[7]
    };
    let rules = MoveRules::default();
    let walks = AssertUnwindSafe(|| {
        world
            .move_all(
                &walkers,
                &[[30.0, 0.0]; 100],
                rules,
                Filter { keep: Some(&keep), ..Filter::SOLID },
                |_, _| (),
            )
            .unwrap();
    });
    assert!(catch_unwind(walks).is_err());
    for (i, &walker) in walkers.iter().enumerate() {
        let x = match i {
            7 => 30.0,
            0..60 => 10.0,
            _ => 0.0,
        };
        assert_eq!(world.get(walker).unwrap().position, [x, 30.0 * i as f32]);
    }
    assert!(world.validate().is_ok());
}

#[test]
fn a_far_move_that_shortens_a_run_of_movers_is_found_once() {
    let (mut world, dot) = world_of(open(&AtlasBuilder::new().mask("dot", solid(1, 1))), "dot");
    let places = (0..400).map(|i| dot.at([100.0 * i as f32, 0.0]));
    let ids = places.map(|place| world.insert(place).unwrap()).collect::<Vec<_>>();
    world.update();
    let all = Zone::rect(Rect::new(-10, 0, 50_000, 1000));
    // Each query packs those that moved before it. Most of them are removed then.
    for (moved, removed) in [(0..60, 0..40), (100..160, 100..150)] {
        for at in moved {
            world.move_to(ids[at], [100.0 * at as f32, 90.0]).unwrap();
        }
        assert!(!world.query(&all, Filter::ALL).unwrap().is_empty());
        ids[removed].iter().for_each(|&id| _ = world.remove(id).unwrap());
    }
    for far in 1..4 {
        world.move_to(ids[50], [5000.0, 200.0 * far as f32]).unwrap();
        let found = world.query(&all, Filter::ALL).unwrap();
        assert_eq!(found.iter().filter(|&&id| id == ids[50]).count(), 1, "move {far}");
        assert_eq!(found.len(), world.len());
    }
}
