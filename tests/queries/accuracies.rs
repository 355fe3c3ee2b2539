//! Casts, moves and push-outs of colliders with accuracies, against steps of one pixel.

use crate::moves::slide_pixel_by_pixel;
use crate::{blocked, crowd, in_moves};
use hitmask::{Accuracy, Collider, ColliderId, Filter, MoveRules, PixelPath, Point, World};
use hitmask_scenes::Random;

/// Returns a crowd whose colliders have accuracies of all kinds, some changed after the update.
fn mixed_crowd(seed: u64, accuracy: Accuracy) -> World {
    let (mut world, mut random) = (crowd(seed), Random::new(seed + 1000));
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    for (i, &id) in ids.iter().enumerate() {
        if i == ids.len() / 2 {
            world.update();
        }
        let level = |n| [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact][n as usize];
        let own = random.below(4);
        let collider = Collider {
            accuracy: level(random.below(3)),
            move_accuracy: (own < 3).then(|| level(own)),
            ..world.get(id).unwrap()
        };
        world.set(id, collider).unwrap();
    }
    world.set_accuracy(accuracy);
    world
}

fn pixels_of(start: [f32; 2], motion: [f32; 2]) -> Point {
    let snap = |v: f32| (f64::from(v) + 0.5).floor() as i32;
    let [x, y] = [0, 1].map(|axis| snap(start[axis] + motion[axis]) - snap(start[axis]));
    Point::new(x, y)
}

#[test]
fn casts_and_moves_see_boxes_where_the_accuracy_for_moves_is_box() {
    let (mut hits, mut slides, mut boxed) = (0, 0, 0);
    let levels = [Accuracy::Exact, Accuracy::Exact, Accuracy::Coarse, Accuracy::Box];
    for (seed, accuracy) in (70..78).zip(levels.into_iter().cycle()) {
        let mut world = mixed_crowd(seed, accuracy);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in &ids {
            let before = world.get(id).unwrap();
            let mut reach = || (random.unit() - 0.5) * 400.0;
            let motion = [reach(), reach()];
            let path = PixelPath::new(pixels_of(before.position, motion));
            let truth = path.pixels().position(|by| blocked(&world, id, by));
            let hit = world.cast(id, motion, Filter::SOLID).unwrap();
            assert_eq!(hit.map(|hit| hit.impact.step as usize), truth, "{motion:?} of {before:?}");
            // A piercing cast sees the same shapes.
            let all = world.cast_all(id, motion, Filter::ALL).unwrap();
            let first = all.iter().find(|met| !world.get(met.collider).unwrap().sensor);
            assert_eq!(first.copied(), hit, "{motion:?} of {before:?}");
            hits += usize::from(truth.is_some_and(|step| step > 0));
            // The impact of the two shapes alone.
            if let Some(hit) = hit {
                let ((mine, at), (theirs, there)) =
                    (in_moves(&world, id), in_moves(&world, hit.collider));
                let alone = mine.cast(&theirs, there - at, path.motion());
                assert_eq!(alone, Some(hit.impact));
                boxed += usize::from(theirs != world.posed(hit.collider).unwrap().mask.to_mask());
            }
            assert_eq!(world.move_until_contact(id, motion, Filter::SOLID).unwrap(), hit);
            world.set(id, before).unwrap();
            if blocked(&world, id, Point::default()) {
                let out = world.push_out(id, 40, Filter::SOLID);
                assert!(out.is_none_or(|by| by != Point::default() && !blocked(&world, id, by)));
                continue;
            }
            assert_eq!(world.push_out(id, 40, Filter::SOLID), Some(Point::default()));
            let motion = motion.map(|v| v / 4.0);
            let truth = slide_pixel_by_pixel(&world, id, pixels_of(before.position, motion));
            let rules = MoveRules { climb: 0, slip: 0, ..MoveRules::default() };
            let moved = world.move_by_rules(id, motion, rules, Filter::SOLID).unwrap();
            assert_eq!(moved.translation, truth, "{motion:?} of {before:?}");
            slides += usize::from(!moved.contacts.is_empty());
            world.set(id, before).unwrap();
        }
    }
    assert!(hits > 60 && slides > 20 && boxed > 50, "{hits} {slides} {boxed}");
}
