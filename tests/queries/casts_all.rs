//! Piercing casts against steps of one pixel, in scenes with every rule of a collider.

use crate::{SIDE, crowd};
use hitmask::{AtlasBuilder, CallError, ColliderId, Filter, Impact, Mask, PixelPath, Point, World};
use hitmask_scenes::{open, world_of};

/// Returns the first step at which each collider is touched, in order of the steps.
fn stepped(world: &World, (mask, at): (&Mask, Point), path: PixelPath) -> Vec<(usize, ColliderId)> {
    let mut met: Vec<(usize, ColliderId)> = world
        .iter()
        .map(|(id, _)| id)
        .filter_map(|id| {
            let there = world.posed(id).unwrap();
            let touches = |by| mask.touches(there.mask, there.origin - at - by);
            Some((path.pixels().position(touches)?, id))
        })
        .collect();
    met.sort_unstable();
    met
}

#[test]
fn a_sensor_that_a_fast_bullet_jumps_over_is_listed() {
    let (mut world, dot) =
        world_of(open(&AtlasBuilder::new().mask("dot", "##\n##".parse().unwrap())), "dot");
    let bullet = world.insert(dot).unwrap();
    let far = world.insert(dot.at([40_000.0, 30_000.0])).unwrap();
    let gate = world.insert(dot.at([4000.0, 3000.0]).sensor()).unwrap();
    let here = world.insert(dot.at([1.0, 1.0])).unwrap();
    world.insert(dot.at([4000.0, 2000.0])).unwrap();
    let listed = |world: &World| -> Vec<ColliderId> {
        let hits = world.cast_all(bullet, [80_000.0, 60_000.0], Filter::ALL).unwrap();
        hits.iter().map(|hit| hit.collider).collect()
    };
    assert_eq!(listed(&world), [here, gate, far], "before an update");
    world.update();
    assert_eq!(listed(&world), [here, gate, far]);
    assert_eq!(
        world.cast_all(bullet, [0.0, 0.0], Filter::ALL).unwrap().len(),
        1,
        "a motion of 0 px"
    );
    world.remove(bullet);
    assert_eq!(world.cast_all(bullet, [1.0, 0.0], Filter::ALL), Err(CallError::Stale(bullet)));
    let endless = [f32::INFINITY, 0.0];
    assert!(matches!(world.cast_all(far, endless, Filter::ALL), Err(CallError::Position(_))));
}

#[test]
fn the_longest_casts_list_all_and_do_not_overflow() {
    let world = crowd(75);
    let card = Mask::disc(20).unwrap();
    let far = 2_000_000_000;
    let middle = (SIDE / 2.0) as i32;
    let across = world.probe(&card, [-far, middle]).cast_all([i32::MAX, 0], Filter::ALL);
    let path = PixelPath::new([1400, 0]);
    let short = stepped(&world, (&card, Point::new(-300, middle)), path);
    let order = |hits: &[(ColliderId, Impact)]| -> Vec<ColliderId> {
        hits.iter().map(|hit| hit.0).collect()
    };
    assert_eq!(order(&across), short.iter().map(|met| met.1).collect::<Vec<_>>());
    assert!(across.len() > 5);
    for x in [i32::MIN, -1, 0, i32::MAX] {
        for y in [i32::MIN, 1, i32::MAX] {
            let _ = world.probe(&card, [x, y]).cast_all([y, x], Filter::ALL);
            let _ = world.probe(&card, [0, 0]).cast_all([x, y], Filter::ALL);
        }
    }
    let nothing = Mask::new(0, 5).unwrap();
    assert_eq!(world.probe(&nothing, [0, 0]).cast_all([700, 700], Filter::ALL), []);
}
