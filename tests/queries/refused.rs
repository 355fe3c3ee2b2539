//! Invalid input, stale ids and the ends of the range.

use crate::crowd;
use hitmask::{Angle, CallError, Collider, Filter, Line, Pair, Rect, Zone};
use hitmask_scenes::overlap;

#[test]
fn invalid_input_is_refused_or_has_a_defined_answer() {
    let mut world = crowd(1);
    let id = world.iter().map(|(id, _)| id).next().unwrap();
    let gone = id;
    let collider = world.get(id).unwrap();
    for bad in [f32::NAN, f32::INFINITY, 3e9] {
        for zone in [Zone::point([bad, 0.0]), Line::new([bad, 0.0], [0.0; 2]).map(Zone::line)] {
            let refused = zone.and_then(|zone| world.query(&zone, Filter::ALL));
            assert!(matches!(refused, Err(CallError::Position(_))));
        }
        assert!(matches!(world.cast(id, [bad, 0.0], Filter::SOLID), Err(CallError::Position(_))));
        assert!(matches!(world.move_and_slide(id, [0.0, bad]), Err(CallError::Position(_))));
        assert_eq!(world.get(id), Some(collider), "the collider stays where it was");
    }
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(Zone::circle([0.0; 2], bad), Err(CallError::Number { .. })));
        let refusals = [
            world.nearest([0.0; 2], bad, Filter::ALL).err(),
            world.pick([0.0; 2], bad, Filter::ALL, |_| 0).err(),
            world.graze(id, bad, Filter::ALL).err(),
            world.push_out(id, bad, Filter::SOLID).err(),
        ];
        assert!(refusals.iter().all(|e| matches!(e, Some(CallError::Number { .. }))), "{bad}");
    }
    assert_eq!(world.query(&Zone::rect(Rect::new(5, 5, 5, 9)), Filter::ALL).unwrap(), []);
    world.remove(id);
    assert_eq!(world.touching_with(gone), []);
    assert_eq!(world.push_out(gone, 9.0, Filter::SOLID), Ok(None));
    assert_eq!(world.graze(gone, 9.0, Filter::ALL), Ok(Vec::new()));
    assert!(overlap(&world, Pair { a: gone, b: gone }).is_none());
    assert_eq!(world.pair([gone, gone]).and_then(|pair| pair.distance()), None);
    assert_eq!(world.nearest_to(gone, 9.0, Filter::ALL), Ok(None));
    assert!(matches!(world.cast(gone, [1.0, 0.0], Filter::SOLID), Err(CallError::Stale(_))));
    assert!(matches!(
        world.move_until_contact(gone, [1.0, 0.0], Filter::SOLID),
        Err(CallError::Stale(_))
    ));
    assert!(matches!(world.move_and_slide(gone, [1.0, 0.0]), Err(CallError::Stale(_))));
    // A collider without pixels is never blocked.
    let empty = world.atlas().sprite_id("empty").unwrap();
    let ghost = world.insert(Collider::new(empty).at([10.0, 10.0]).turned(Angle::turn(0))).unwrap();
    assert_eq!(world.move_and_slide(ghost, [500.0, 1.5]).unwrap().position, [510.0, 11.5]);
    assert_eq!(world.push_out(ghost, 5.0, Filter::SOLID), Ok(Some([0.0; 2])));
    assert_eq!(world.graze(ghost, 1000.0, Filter::ALL), Ok(Vec::new()));
    assert_eq!(world.nearest_to(ghost, 9.0, Filter::ALL), Ok(None));
    // The far ends of the range.
    let far = world.insert(collider.at([1e9, -1e9])).unwrap();
    assert!(world.cast(far, [-2e9, 2e9], Filter::SOLID).is_ok());
    let all = world
        .query(&Zone::rect(Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX)), Filter::ALL)
        .unwrap();
    let with_pixels = world.iter().map(|(id, _)| id).filter(|&id| world.rect(id).is_some());
    assert_eq!(all, with_pixels.collect::<Vec<_>>());
}
