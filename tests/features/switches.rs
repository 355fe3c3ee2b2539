//! Capabilities of classic systems: switches for each collider and each call.

use crate::{solid, world};
use hitmask::{Accuracy, Collider, ColliderId, Pair, Point, Rect, Side, World};

/// Returns a world of a dot and of a frame 40 px wide with a rim of 2 px; the dot is at `at`.
fn dot_and_frame(at: [f32; 2]) -> (World, [ColliderId; 2]) {
    let mut frame = solid(40, 40);
    frame.fill_rect(Rect::new(2, 2, 38, 38), false);
    let (world, ids) = world(&[("dot", &solid(4, 4), at), ("frame", &frame, [50.0, 0.0])]);
    (world, [ids[0], ids[1]])
}

fn set(world: &mut World, id: ColliderId, change: impl FnOnce(Collider) -> Collider) {
    world.set(id, change(world.get(id).unwrap())).unwrap();
}

#[test]
fn fx8_boxes_for_touching_and_pixels_for_moves_or_the_reverse() {
    // In the hole of the frame: inside its box, apart from its pixels.
    let inside = [50.0, 0.0];
    for (touching, moves, touches, free) in [
        (Accuracy::Exact, None, false, true),
        (Accuracy::Exact, Some(Accuracy::Exact), false, true),
        (Accuracy::Exact, Some(Accuracy::Box), false, false),
        (Accuracy::Box, None, true, false),
        (Accuracy::Box, Some(Accuracy::Box), true, false),
        (Accuracy::Box, Some(Accuracy::Exact), true, true),
        // Moves have no coarse level: pixels decide.
        (Accuracy::Box, Some(Accuracy::Coarse), true, true),
    ] {
        for by_world in [false, true] {
            let (mut world, [dot, frame]) = dot_and_frame(inside);
            if by_world {
                world.set_accuracy(touching);
            } else {
                set(&mut world, frame, |c| Collider { accuracy: touching, ..c });
            }
            set(&mut world, frame, |c| Collider { move_accuracy: moves, ..c });
            // The dot is its own box.
            world.update();
            let pair = Pair { a: dot, b: frame };
            assert_eq!(!world.touching().is_empty(), touches, "{touching:?} {moves:?}");
            assert_eq!(world.touching_with(dot).is_empty(), !touches);
            assert_eq!(world.contact(&pair).is_some(), touches);
            let hit = world.cast(dot, [10.0, 0.0]).unwrap();
            assert_eq!(hit.is_none(), free, "{touching:?} {moves:?}");
            assert_eq!(world.push_out(dot, 30) == Some(Point::default()), free);
            // A snapshot holds both accuracies.
            let copy = World::from_snapshot(world.atlas().clone(), &world.snapshot()).unwrap();
            assert_eq!(copy.get(frame), world.get(frame));
            assert_eq!((copy.cast(dot, [10.0, 0.0]).unwrap(), copy.validate()), (hit, Ok(())));
        }
    }
}

#[test]
fn fx8_a_box_blocks_a_move_beside_its_pixels() {
    // A diagonal of single pixels: its box is 40 x 40 px, almost all of it clear.
    let mut diagonal = hitmask::Mask::new(40, 40).unwrap();
    (0..40).for_each(|i| diagonal.set(i, i, true));
    let (mut world, ids) =
        world(&[("dot", &solid(4, 4), [10.0, 15.0]), ("diagonal", &diagonal, [60.0, 0.0])]);
    let (dot, wall) = (ids[0], ids[1]);
    let start = world.get(dot).unwrap();
    let slide = |world: &mut World| {
        world.set(dot, start).unwrap();
        world.move_and_slide(dot, [60.0, 0.0]).unwrap()
    };
    // By its pixels the dot reaches the diagonal only beyond x = 73.
    let by_pixels = slide(&mut world);
    assert!(by_pixels.position[0] > 60.0, "{by_pixels:?}");
    set(&mut world, wall, |c| c.with_move_accuracy(Accuracy::Box));
    let by_box = slide(&mut world);
    assert_eq!((by_box.position, by_box.contacts), ([38.0, 15.0], vec![(wall, Side::Right)]));
    world.set(dot, start).unwrap();
    world.move_until_contact(dot, [60.0, 0.0]).unwrap().unwrap();
    assert_eq!(world.get(dot).unwrap().position, [38.0, 15.0]);
    // The mover counts as its box too.
    set(&mut world, wall, |c| c.with_move_accuracy(Accuracy::Exact));
    let ring = world.cast(wall, [-60.0, 0.0]).unwrap();
    set(&mut world, wall, |c| c.with_move_accuracy(Accuracy::Box));
    world.move_to(dot, [10.0, 15.0]).unwrap();
    let boxed = world.cast(wall, [-60.0, 0.0]).unwrap().unwrap();
    assert_eq!((boxed.collider, boxed.impact.step), (dot, 29));
    assert!(ring.is_none_or(|hit| hit.impact.step > 29));
}
