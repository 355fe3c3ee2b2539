//! Capabilities of moves: vetoes by the side of a contact, lifts, ramps and sensors on the way.

use crate::{solid, world};
use hitmask::{Collider, ColliderId, Filter, Mask, MoveRules, Pivot, Point, Side, World};

#[test]
fn fx9_moves_refuse_contacts_by_their_side_and_normal() {
    let scene = || {
        world(&[
            ("hero", &solid(10, 10), [0.0, 0.0]),
            ("ceiling", &solid(100, 10), [0.0, -40.0]),
            ("floor", &solid(100, 10), [0.0, 40.0]),
            ("wall", &solid(10, 200), [60.0, 0.0]),
        ])
    };
    let rules = MoveRules::default();
    let [up, down, right] = [[0.0, -200.0], [0.0, 200.0], [40.0, 0.0]];
    for refused in [None, Some(Side::Above), Some(Side::Below), Some(Side::Right)] {
        for (motion, side) in [(up, Side::Above), (down, Side::Below)] {
            let (mut world, ids) = scene();
            let keep = |contact: &hitmask::MoveContact| Some(contact.side) != refused;
            let moved = world
                .move_by_rules(
                    ids[0],
                    motion,
                    rules,
                    Filter { contacts: Some(&keep), ..Filter::SOLID },
                )
                .unwrap();
            let free = refused == Some(side);
            let end = if free { motion[1] } else { 30.0 * motion[1].signum() };
            assert_eq!((moved.position[1], moved.blocked_on(side)), (end, !free), "{side:?}");
        }
    }
    // A wall counts only if its normal is level.
    let (mut world, ids) = scene();
    let walls = |contact: &hitmask::MoveContact| contact.normal.x.abs() > 0.9;
    world.move_to(ids[0], [20.0, 0.0]).unwrap();
    let moved = world
        .move_by_rules(ids[0], right, rules, Filter { contacts: Some(&walls), ..Filter::SOLID })
        .unwrap();
    assert_eq!((moved.position[0], moved.contacts), (50.0, vec![(ids[3], Side::Right)]));
    let moved = world
        .move_by_rules(ids[0], down, rules, Filter { contacts: Some(&walls), ..Filter::SOLID })
        .unwrap();
    assert_eq!(moved.translation, Point::new(0, 200), "the floor is no wall");
}

/// Inserts a one-way slope of 45 degrees, 30 px high.
fn insert_slope(world: &mut World, at: [f32; 2], layer: u32) -> ColliderId {
    let mut slope = Mask::new(30, 30).unwrap();
    (0..30).for_each(|x| (29 - x..30).for_each(|y| slope.set(x, y, true)));
    let mask = world.masks_mut().insert(slope, Pivot::HalfTexels(0, 0)).unwrap();
    let slope = Collider::from_mask(mask).at(at).on_layers(layer, u32::MAX);
    world.insert(slope.fixed()).unwrap()
}

#[test]
fn a_one_way_ramp_is_climbed_and_a_rising_platform_lifts() {
    let (mut world, ids) =
        world(&[("hero", &solid(4, 8), [0.0, 0.0]), ("lift", &solid(60, 4), [0.0, 6.0])]);
    let open = 0b1000;
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(open, u32::MAX)).unwrap();
    let rules = MoveRules { one_way: open, ..MoveRules::default() };
    for tick in 1..=30 {
        world.move_to(ids[1], [0.0, 6.0 - tick as f32]).unwrap();
        let moved = world.move_by_rules(ids[0], [0.0, 2.0], rules, Filter::SOLID).unwrap();
        assert_eq!(moved.position, [0.0, -tick as f32]);
    }
    // From the lift at y = -26 onto a slope whose foot begins at its end.
    insert_slope(&mut world, [30.0, -56.0], open);
    for _ in 0..25 {
        world.move_by_rules(ids[0], [2.0, 1.0], rules, Filter::SOLID).unwrap();
    }
    assert_eq!(world.get(ids[0]).unwrap().position, [50.0, -52.0]);
}

#[test]
fn a_crushed_body_is_told_and_a_piercing_cast_lists_all() {
    let (mut world, ids) = world(&[
        ("body", &solid(10, 10), [0.0, 0.0]),
        ("press", &solid(300, 100), [0.0, 54.0]),
        ("roof", &solid(300, 100), [0.0, -55.0]),
        ("gate", &solid(2, 8), [60.0, 0.0]),
    ]);
    world.set(ids[3], world.get(ids[3]).unwrap().sensor()).unwrap();
    let moved = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
    assert_eq!(moved.stuck_in, [ids[1]]);
    world.move_to(ids[1], [0.0, 200.0]).unwrap();
    let moved = world.move_and_slide(ids[0], [100.0, 0.0]).unwrap();
    assert_eq!((moved.passed, moved.stuck_in), (vec![ids[3]], vec![]), "past the sensor");
    let hits = world.cast_all(ids[0], [-200.0, -10.0], Filter::ALL).unwrap();
    let order: Vec<ColliderId> = hits.iter().map(|hit| hit.collider).collect();
    assert_eq!(order, [ids[2], ids[3]]);
}
