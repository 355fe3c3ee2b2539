//! Piercing casts against steps of one pixel, in scenes with every rule of a collider.

use crate::{SIDE, filters, mixed_crowd};
use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Filter, Impact, Mask, PixelPath, PlaceError, Point,
    World,
};
use hitmask_scenes::Random;

fn snap(v: f32) -> i32 {
    (f64::from(v) + 0.5).floor() as i32
}

/// Returns the first step at which each collider is touched, in order of the steps.
fn stepped(
    world: &World,
    (mask, at): (&Mask, Point),
    path: PixelPath,
    meets: impl Fn(ColliderId) -> bool,
) -> Vec<(usize, ColliderId)> {
    let mut met: Vec<(usize, ColliderId)> = world
        .iter()
        .map(|(id, _)| id)
        .filter(|&id| meets(id))
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
fn item15_a_cast_lists_every_collider_that_stepping_meets_in_the_order_of_the_steps() {
    let (mut found, mut sensors, mut at_start) = (0, 0, 0);
    for seed in 70..74 {
        let world = mixed_crowd(seed);
        let mut random = Random::new(seed);
        for (id, me) in world.iter() {
            let mut reach = || (random.unit() - 0.5) * 1400.0;
            let motion = [[reach(), reach()], [reach(), 0.0], [0.0, reach()]];
            let motion = motion[random.below(3) as usize];
            let [x, y] = me.position;
            let path =
                PixelPath::new([snap(x + motion[0]) - snap(x), snap(y + motion[1]) - snap(y)]);
            let posed = world.posed(id).unwrap();
            let mine = (&posed.mask.to_mask(), posed.origin);
            let meets = |other: ColliderId| {
                let met = world.get(other).unwrap();
                other != id
                    && (me.enabled && met.enabled)
                    && (me.owner == 0 || me.owner != met.owner)
                    && me.layers & met.collides_with != 0
                    && met.layers & me.collides_with != 0
            };
            let listed = |hits: &[hitmask::Hit]| -> Vec<(usize, ColliderId)> {
                hits.iter().map(|hit| (hit.impact.step as usize, hit.collider)).collect()
            };
            let truth = stepped(&world, mine, path, meets);
            let hits = world.cast_all(id, motion, Filter::ALL).unwrap();
            assert_eq!(listed(&hits), truth, "{motion:?} of {me:?}");
            for hit in &hits {
                let there = world.posed(hit.collider).unwrap();
                let alone = mine.0.cast(there.mask, there.origin - mine.1, path.motion());
                assert_eq!(Some(hit.impact), alone, "the same as a cast of the two masks alone");
                let free = path.at(hit.impact.step.saturating_sub(1));
                assert_eq!(hit.position.map(snap), [snap(x) + free.x, snap(y) + free.y]);
            }
            // The first that is no sensor is the hit of a cast.
            let first = hits.iter().find(|hit| !world.get(hit.collider).unwrap().sensor);
            assert_eq!(first.copied(), world.cast(id, motion, Filter::SOLID).unwrap());
            // A veto, and a mask without a collider.
            let odd = |other: ColliderId| other.index() % 2 == 1;
            let kept =
                world.cast_all(id, motion, Filter { keep: Some(&odd), ..Filter::ALL }).unwrap();
            let truth: Vec<_> = truth.into_iter().filter(|&(_, other)| odd(other)).collect();
            assert_eq!(listed(&kept), truth);
            let filter = Filter { except: Some(id), ..filters()[random.below(4) as usize] };
            let met = world.probe(mine.0, mine.1).cast_all(path.motion(), filter);
            let met: Vec<(usize, ColliderId)> = met
                .into_iter()
                .map(|(other, impact): (ColliderId, Impact)| (impact.step as usize, other))
                .collect();
            let wanted = |other: ColliderId| {
                let collider = world.get(other).unwrap();
                collider.enabled
                    && collider.layers & filter.layers != 0
                    && (filter.sensors || !collider.sensor)
                    && other != id
            };
            assert_eq!(met, stepped(&world, mine, path, wanted), "by a mask {filter:?}");
            found += hits.len();
            sensors += hits.iter().filter(|hit| world.get(hit.collider).unwrap().sensor).count();
            at_start += hits.iter().filter(|hit| hit.impact.step == 0).count();
        }
    }
    assert!(found > 1000 && sensors > 100 && at_start > 100, "{found} {sensors} {at_start}");
}

#[test]
fn item15_a_sensor_that_a_fast_bullet_jumps_over_is_listed() {
    let bytes = AtlasBuilder::new().mask("dot", "##\n##".parse().unwrap()).to_bytes().unwrap();
    let atlas = Atlas::from_vec(bytes).unwrap();
    let dot = Collider::new(atlas.sprite_id("dot").unwrap());
    let mut world = World::new(atlas);
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
    assert_eq!(world.cast_all(bullet, [1.0, 0.0], Filter::ALL), Err(PlaceError::Stale(bullet)));
    let endless = [f32::INFINITY, 0.0];
    assert!(matches!(world.cast_all(far, endless, Filter::ALL), Err(PlaceError::Position(_))));
}

#[test]
fn the_longest_casts_list_all_and_do_not_overflow() {
    let world = mixed_crowd(75);
    let card = Mask::disc(20).unwrap();
    let far = 2_000_000_000;
    let middle = (SIDE / 2.0) as i32;
    let across = world.probe(&card, [-far, middle]).cast_all([i32::MAX, 0], Filter::ALL);
    let path = PixelPath::new([1400, 0]);
    let short = stepped(&world, (&card, Point::new(-300, middle)), path, |id| {
        world.get(id).unwrap().enabled
    });
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
