//! Capabilities of classic systems: worlds of objects, their filters, events and motions.

use crate::{mask, solid, world};
use hitmask::{Accuracy, Collider, Filter, Pair, PlaceError, Rect, Side};

#[test]
fn tg1_fx2_each_query_and_object_chooses_boxes_or_pixels() {
    let ring = {
        let mut ring = solid(40, 40);
        ring.fill_rect(Rect::new(4, 4, 36, 36), false);
        ring
    };
    let (mut world, ids) =
        world(&[("dot", &solid(4, 4), [20.0, 20.0]), ("ring", &ring, [20.0, 20.0])]);
    assert_eq!(world.touching(), []);
    world.set_accuracy(Accuracy::Box);
    world.update();
    assert_eq!(world.touching(), [Pair { a: ids[0], b: ids[1] }]);
    world.set_accuracy(Accuracy::Exact);
    world.set(ids[1], Collider { accuracy: Accuracy::Box, ..world.get(ids[1]).unwrap() }).unwrap();
    world.update();
    assert_eq!(world.touching().len(), 1, "accuracy Box of one collider");
    assert!(
        world.query_rect(Rect::new(18, 18, 22, 22), Filter::ALL) == [ids[0]],
        "a query is exact by default"
    );
    let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    assert_eq!(world.query_rect(Rect::new(18, 18, 22, 22), boxes), ids, "a query of accuracy Box");
}

#[test]
fn mc1_mc2_a_mask_is_tested_against_a_point_a_rectangle_and_a_mask() {
    let wedge = mask("#..\n##.\n###");
    let (world, ids) = world(&[("wedge", &wedge, [1.0, 1.0])]);
    assert_eq!(world.query_point([0.5, 0.5], Filter::ALL).unwrap(), ids);
    assert_eq!(world.query_point([2.5, 0.5], Filter::ALL).unwrap(), []);
    assert_eq!(world.query_rect(Rect::new(1, 0, 3, 1), Filter::ALL), []);
    assert_eq!(world.query_rect(Rect::new(1, 0, 3, 2), Filter::ALL), ids);
    assert_eq!(world.query_mask(&mask(".#\n##"), [1, 0], Filter::ALL), ids);
    assert_eq!(world.query_mask(&mask(".#\n.#"), [1, 0], Filter::ALL), []);
}

#[test]
fn mc10_events_report_when_touching_begins_and_ends() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("b", &solid(4, 4), [9.0, 0.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    let mut events = Vec::new();
    for x in [9.0, 3.0, 2.0, 9.0] {
        world.set(ids[1], world.get(ids[1]).unwrap().at([x, 0.0])).unwrap();
        world.update();
        events.push([world.began() == [pair], world.ended() == [pair], world.touching() == [pair]]);
    }
    assert_eq!(
        events,
        [[false; 3], [true, false, true], [false, false, true], [false, true, false]]
    );
}

#[test]
fn w9_the_caller_vetoes_pairs_by_depth() {
    // Three cards overlap on the screen. Two of them touch if their depths differ by at most 2.
    let card = solid(20, 20);
    let (mut world, ids) =
        world(&[("a", &card, [0.0, 0.0]), ("b", &card, [5.0, 0.0]), ("c", &card, [9.0, 4.0])]);
    let pair = |a: usize, b: usize| Pair { a: ids[a], b: ids[b] };
    assert_eq!(world.touching().len(), 3, "on the screen");
    let mut update = |depths: [f32; 3]| {
        world.update_with(|pair, _, _| {
            let [a, b] = [pair.a, pair.b].map(|id| depths[id.index() as usize]);
            (a - b).abs() <= 2.0
        });
        (world.touching().to_vec(), world.began().to_vec(), world.ended().to_vec())
    };
    let (touching, _, ended) = update([0.0, 1.5, 9.0]);
    assert_eq!((touching, ended), (vec![pair(0, 1)], vec![pair(0, 2), pair(1, 2)]));
    let later = update([6.0, 1.5, 7.0]);
    assert_eq!(later, (vec![pair(0, 2)], vec![pair(0, 2)], vec![pair(0, 1)]));
}

#[test]
fn w11_a_moving_object_stops_flush_with_a_wall() {
    let (mut world, ids) =
        world(&[("ball", &solid(10, 10), [0.0, 0.0]), ("wall", &solid(10, 300), [60.0, 0.0])]);
    let moved = world.move_and_slide(ids[0], [900.0, 12.0]).unwrap();
    assert_eq!(moved.position, [50.0, 12.0], "stops at the wall and slides along it");
    assert_eq!(world.contact(&Pair { a: ids[0], b: ids[1] }), None, "no overlap");
    let again = world.move_and_slide(ids[0], [900.0, 0.0]).unwrap();
    assert_eq!(again.position, moved.position, "no bounce");
    let away = world.move_and_slide(ids[0], [-3.0, 0.0]).unwrap();
    assert_eq!(away.position, [47.0, 12.0], "no sticking");
    let hit = world.move_until_contact(ids[0], [900.0, 12.0]).unwrap().unwrap();
    assert_eq!((hit.collider, world.get(ids[0]).unwrap().position[0]), (ids[1], 50.0));
}

#[test]
fn fx2_fx5_switches_a_veto_and_the_side_of_the_contact() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(30, 10), [0.0, 9.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    assert_eq!(world.overlap(&pair).unwrap().side(), Side::Below);
    // A sensor reports the overlap and does not block.
    world.set(ids[1], Collider { sensor: true, ..world.get(ids[1]).unwrap() }).unwrap();
    world.update();
    assert_eq!(world.touching(), [pair]);
    assert_eq!(world.move_and_slide(ids[0], [0.0, 50.0]).unwrap().contacts, []);
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 0.0])).unwrap();
    // Separate layers switch off the overlap, too.
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(0b10, 0b10)).unwrap();
    world.update();
    assert_eq!(world.touching(), []);
    // The caller vetoes the pair.
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(1, 1)).unwrap();
    world.update_with(|_, _, b| !b.sensor);
    assert_eq!(world.touching(), []);
    // The caller vetoes the blocking of motions. Without the veto the solid collider blocks.
    world.set(ids[1], Collider { sensor: false, ..world.get(ids[1]).unwrap() }).unwrap();
    world.set(ids[1], world.get(ids[1]).unwrap().at([0.0, 40.0])).unwrap();
    let down = [0.0, 90.0];
    assert_eq!(world.cast(ids[0], down).unwrap().unwrap().collider, ids[1]);
    assert_eq!(world.cast_with(ids[0], down, |other| other != ids[1]).unwrap(), None);
    let rules = hitmask::MoveRules::default();
    let through = world.move_by_rules_with(ids[0], down, rules, |other| other != ids[1]).unwrap();
    assert_eq!((through.position, through.contacts.len()), (down, 0));
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 0.0])).unwrap();
    assert_eq!(world.move_by_rules(ids[0], down, rules).unwrap().contacts, [(ids[1], Side::Below)]);
}

#[test]
fn ck1_ck2_ck3_groups_one_against_many_and_errors_on_misuse() {
    let dot = solid(4, 4);
    let (mut world, ids) =
        world(&[("a", &dot, [0.0, 0.0]), ("b", &dot, [3.0, 0.0]), ("c", &dot, [6.0, 0.0])]);
    let pair = |a: usize, b: usize| Pair { a: ids[a], b: ids[b] };
    assert_eq!(world.touching(), [pair(0, 1), pair(1, 2)], "all pairs of the group");
    assert_eq!(world.touching_with(ids[1]), [ids[0], ids[2]], "one against many");
    assert_eq!(world.touching_between(&ids[..1], &ids[1..]), [pair(0, 1)], "group against group");
    let (a, c) = (world.get(ids[0]).unwrap(), world.get(ids[2]).unwrap());
    world.set(ids[0], c).unwrap();
    world.set(ids[2], a).unwrap();
    assert_eq!(world.touching_with(ids[0]), [ids[1]], "swapped positions");
    assert!(world.remove(ids[1]).is_some());
    assert_eq!(world.remove(ids[1]), None, "already removed");
    assert_eq!(world.set(ids[1], a), Err(PlaceError::Stale(ids[1])));
    assert!(world.touching_with(ids[1]).is_empty());
}
