//! Sensors that a move passes on its way, against steps of one pixel.

use crate::rooms::room;
use hitmask::{Collider, Pivot, Point};
use hitmask_scenes::solid;

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
