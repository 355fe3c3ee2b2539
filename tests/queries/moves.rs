//! Moves: where sliding, climbing and slipping end.

use crate::{blocked, crowd};
use hitmask::{Collider, ColliderId, Filter, MoveRules, PixelPath, Point, World};
use hitmask_scenes::Random;

#[test]
fn a_move_ends_free_and_flat_and_never_sticks() {
    let mut moved_far = 0;
    for seed in 30..33 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in &ids {
            for rules in [
                MoveRules::default(),
                MoveRules { climb: 0, slip: 0, ..MoveRules::default() },
                MoveRules { climb: 2, slip: 1, ..MoveRules::default() },
                MoveRules { climb: 0, slip: 1, one_way: 0b10, rise: 2 },
            ] {
                let free_before = !blocked(&world, id, Point::default());
                let motion = [(random.unit() - 0.5) * 60.0, (random.unit() - 0.5) * 60.0];
                let before = world.get(id).unwrap();
                let moved = world.move_by_rules(id, motion, rules, Filter::SOLID).unwrap();
                let after = world.get(id).unwrap();
                assert_eq!(after.position, moved.position);
                assert_eq!(Collider { position: before.position, ..after }, before);
                if free_before && rules.one_way == 0 {
                    assert!(!blocked(&world, id, Point::default()), "a free mover ends free");
                }
                let straight = [before.position[0] + motion[0], before.position[1] + motion[1]];
                if moved.contacts.is_empty() && free_before && rules.climb + rules.slip == 0 {
                    assert_eq!(moved.position, straight, "an unblocked motion is complete");
                }
                moved_far += usize::from(moved.translation != Point::default());
                // A collider at rest keeps its position to the bit.
                let rest = world.move_by_rules(id, [0.0, 0.0], rules, Filter::SOLID).unwrap();
                if free_before && rules.one_way == 0 {
                    assert_eq!((rest.position, rest.contacts.len()), (moved.position, 0));
                }
            }
        }
    }
    assert!(moved_far > 500);
}

/// Reference for a move without climbing or slipping. Moves pixel by pixel, and along one axis
/// while the other is blocked.
pub(crate) fn slide_pixel_by_pixel(world: &World, id: ColliderId, mut rest: Point) -> Point {
    let (none, mut by) = (Point::default(), Point::default());
    let free = |by: Point| !blocked(world, id, by);
    'way: while rest != none {
        let path = PixelPath::new(rest);
        let Some(step) = (1..=path.steps()).find(|&step| !free(by + path.at(step))) else {
            return by + rest;
        };
        let before = path.at(step - 1);
        (by, rest) = (by + before, rest - before);
        let Point { x, y } = path.at(step) - before;
        let parts = [(Point::new(x, 0), Point::new(0, y)), (Point::new(0, y), Point::new(x, 0))];
        let slants = x != 0 && y != 0;
        if let Some((part, other)) = parts.into_iter().find(|p| slants && free(by + p.0)) {
            loop {
                (by, rest) = (by + part, rest - part);
                let left = part.x * rest.x + part.y * rest.y;
                if left == 0 || free(by + other) || !free(by + part) {
                    continue 'way;
                }
            }
        }
        if y != 0 { rest.y = 0 } else { rest.x = 0 }
    }
    by
}

#[test]
fn a_slide_ends_where_pixel_by_pixel_steps_end() {
    let mut slid = 0;
    for seed in 50..54 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in &ids {
            if blocked(&world, id, Point::default()) {
                continue;
            }
            let before = world.get(id).unwrap();
            let motion = [random.within(-90, 91), random.within(-90, 91)].map(|v| v as f32);
            let snap = |v: f32| (f64::from(v) + 0.5).floor() as i32;
            let [x, y] = [0, 1].map(|axis| {
                let start = before.position[axis];
                snap(start + motion[axis]) - snap(start)
            });
            let truth = slide_pixel_by_pixel(&world, id, Point::new(x, y));
            let rules = MoveRules { climb: 0, slip: 0, ..MoveRules::default() };
            let moved = world.move_by_rules(id, motion, rules, Filter::SOLID).unwrap();
            assert_eq!(moved.translation, truth, "{motion:?} of {before:?}");
            slid += usize::from(
                moved.translation != Point::new(x, y)
                    && moved.translation.x != 0
                    && moved.translation.y != 0,
            );
            world.set(id, before).unwrap();
        }
    }
    assert!(slid > 20, "{slid}");
}
