//! Sensors that a move passes on its way, against steps of one pixel.

use crate::rooms::{room, solid};
use crate::{blocked, mixed_crowd};
use hitmask::{Collider, ColliderId, Filter, MoveRules, Pivot, PixelPath, Point};
use hitmask_scenes::Random;

#[test]
fn a_move_lists_the_sensors_that_stepping_meets() {
    let (mut listed, mut several) = (0, 0);
    for seed in 80..88 {
        let world = mixed_crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in &ids {
            let me = world.get(id).unwrap();
            if !me.enabled || blocked(&world, id, Point::default()) {
                continue;
            }
            let motion = [random.within(-300, 301), random.within(-300, 301)].map(|v| v as f32);
            let posed = world.posed(id).unwrap();
            let (mask, origin) = (posed.mask.to_mask(), posed.origin);
            let rules = MoveRules { climb: 0, slip: 0, ..MoveRules::default() };
            // No obstacle blocks, so the way is one straight path.
            let moved = world
                .clone()
                .move_by_rules(
                    id,
                    motion,
                    rules,
                    Filter { keep: Some(&|_| false), ..Filter::SOLID },
                )
                .unwrap();
            let path = PixelPath::new(moved.translation);
            let mut truth: Vec<(usize, ColliderId)> = ids
                .iter()
                .filter(|&&other| {
                    let met = world.get(other).unwrap();
                    let apart = me.owner != 0 && me.owner == met.owner;
                    other != id
                        && (met.sensor && met.enabled && !apart)
                        && me.layers & met.collides_with != 0
                        && met.layers & me.collides_with != 0
                })
                .filter_map(|&other| {
                    let there = world.posed(other).unwrap();
                    let touches = |by| mask.touches(there.mask, there.origin - origin - by);
                    Some((path.pixels().position(touches)?, other))
                })
                .collect();
            truth.sort_unstable();
            let truth: Vec<ColliderId> = truth.into_iter().map(|(_, other)| other).collect();
            assert_eq!(moved.passed, truth, "{motion:?} of {me:?}");
            listed += truth.len();
            several += usize::from(truth.len() > 1);
            // With obstacles, the move passes all that a cast meets before its first hit.
            let hits = world.cast_all(id, motion, Filter::ALL).unwrap();
            let sensor = |id: ColliderId| world.get(id).unwrap().sensor;
            let first = hits.iter().find(|hit| !sensor(hit.collider));
            let last = first.map_or(u32::MAX, |hit| hit.impact.step);
            let before = hits.iter().take_while(|hit| hit.impact.step < last);
            let before: Vec<ColliderId> = before.map(|hit| hit.collider).collect();
            let moved = world.clone().move_by_rules(id, motion, rules, Filter::SOLID).unwrap();
            assert!(moved.passed.starts_with(&before));
            assert!(moved.passed.iter().all(|&id| sensor(id)));
        }
    }
    assert!(listed > 100 && several > 20, "{listed} {several}");
}

#[test]
fn sensors_along_slides_climbs_and_falls_are_listed_in_order() {
    let (mut world, ids) = room(&[
        (10, 10, [0.0, 0.0], 1),
        (400, 10, [-100.0, 30.0], 1),
        (200, 1, [60.0, 29.0], 1),
        (10, 400, [150.0, -200.0], 1),
    ]);
    let mut sensor = |at: [f32; 2], layers: u32| {
        let mask = world.masks_mut().insert(solid(2, 2), Pivot::HalfTexels(0, 0)).unwrap();
        let collider = Collider::from_mask(mask).at(at).on_layers(layers, layers).sensor();
        world.insert(collider).unwrap()
    };
    let last = sensor([148.0, 20.0], 1);
    let step = sensor([90.0, 19.0], 1);
    let floor = sensor([50.0, 27.0], 1);
    let start = sensor([9.0, 9.0], 1);
    let twin = sensor([50.0, 25.0], 1);
    // Out of the way, on another layer, behind the wall.
    sensor([60.0, 0.0], 1);
    sensor([40.0, 25.0], 2);
    sensor([155.0, 25.0], 1);
    let moved = world.move_and_slide(ids[0], [900.0, 900.0]).unwrap();
    assert_eq!(moved.translation, Point::new(140, 19));
    assert_eq!(moved.passed, [start, floor, twin, step, last]);
    let rest = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
    assert_eq!(rest.passed, [last], "a resting body lists the sensors that it touches");
    let none = world.move_and_slide(ids[0], [0.0, -500.0]).unwrap();
    assert_eq!(none.passed, [last]);
    let none = world.move_and_slide(ids[0], [0.0, -50.0]).unwrap();
    assert_eq!((none.passed.len(), none.passed.capacity()), (0, 0));
}
