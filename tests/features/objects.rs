//! Capabilities of classic systems: worlds of objects, their filters, events and motions.

use crate::{mask, solid, world};
use hitmask::{Accuracy, CallError, Collider, Filter, Line, Pair, Rect, Side, World, Zone};

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
        world.query(&Zone::rect(Rect::new(18, 18, 22, 22)), Filter::ALL).unwrap() == [ids[0]],
        "a query is exact by default"
    );
    let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    assert_eq!(
        world.query(&Zone::rect(Rect::new(18, 18, 22, 22)), boxes).unwrap(),
        ids,
        "a query of accuracy Box"
    );
}

#[test]
fn ht9_a_disabled_collider_keeps_its_id_and_takes_no_part() {
    let block = solid(8, 8);
    for fixed in [false, true] {
        let (mut world, ids) = world(&[("a", &block, [0.0, 0.0]), ("b", &block, [4.0, 0.0])]);
        let [a, b] = [ids[0], ids[1]];
        let off = Collider { fixed, ..world.get(b).unwrap() }.disabled();
        // Each question once with both enabled, then once with b disabled, before and after an
        // update: the index of an update may hold the box.
        let answers = |world: &World| {
            let pair = Pair { a, b };
            [
                world.touching_with(a) == [b],
                world.touching_with(b) == [a],
                world.touching_between(&[a], &[b]) == [pair],
                world.contact(pair).is_some(),
                world.pair(pair).and_then(|pair| pair.overlap()).is_some(),
                !world.pair(pair).map(|pair| pair.planes()).unwrap_or_default().is_empty(),
                world.pair([a, b]).and_then(|pair| pair.distance()).is_some(),
                world.pair(pair).and_then(|pair| pair.explain()).unwrap().touches,
                world.pair(pair).and_then(|pair| pair.explain()).unwrap().pixels.is_some(),
                world
                    .query(
                        &Zone::rect(Rect::new(6, 0, 7, 1)),
                        Filter { accuracy: Accuracy::Box, ..Filter::ALL },
                    )
                    .unwrap()
                    == [b],
                world.query(&Zone::rect(Rect::new(6, 0, 7, 1)), Filter::ALL).unwrap() == [b],
                Zone::point([6.5, 0.5]).and_then(|zone| world.query(&zone, Filter::ALL))
                    == Ok(vec![b]),
                world.probe(&block, [6, 0]).touching(Filter::ALL) == [b],
                Line::new([6.5, -9.0], [6.5, 9.0])
                    .map(Zone::line)
                    .and_then(|zone| world.query(&zone, Filter::ALL))
                    == Ok(vec![b]),
                world.nearest([90.0, 0.0], 1e3, Filter::ALL).unwrap().unwrap().0 == b,
                world.nearest_to(a, 1e3, Filter::ALL) == Ok(Some((b, 0.0))),
                world.nearest_to(b, 1e3, Filter::ALL) == Ok(Some((a, 0.0))),
                world.pick([7.5, 0.5], 0.0, Filter::ALL, |_| 0) == Ok(Some(b)),
                !world.graze(a, 2, Filter::ALL).is_empty(),
                !world.graze(b, 2, Filter::ALL).is_empty(),
                world.cast(a, [20.0, 0.0], Filter::SOLID).unwrap().is_some(),
                world.cast(b, [-20.0, 0.0], Filter::SOLID).unwrap().is_some(),
                world.probe(&block, [20, 0]).cast([-16, 0], Filter::ALL).is_some(),
                world.push_out(a, 20, Filter::SOLID) != Some(hitmask::Point::default()),
                world.push_out(b, 20, Filter::SOLID) != Some(hitmask::Point::default()),
            ]
        };
        assert_eq!(answers(&world), [true; 25]);
        world.set(b, off).unwrap();
        assert_eq!(answers(&world), [false; 25], "before the update");
        world.update();
        assert_eq!(answers(&world), [false; 25], "after the update");
        assert_eq!((world.touching(), world.ended()), (&[][..], &[Pair { a, b }][..]));
        assert_eq!(world.validate(), Ok(()));
        world.update_timed();
        assert_eq!(world.touching(), []);
        // The collider keeps its id, its slot and its place.
        assert_eq!((world.get(b), world.len()), (Some(off), 2));
        assert_eq!(world.rect(b), Some(Rect::new(0, -4, 8, 4)));
        let why = world.pair(Pair { a, b }).and_then(|pair| pair.explain()).unwrap();
        assert_eq!(why.decision, hitmask::DecidedBy::Disabled);
        assert!(why.to_string().contains("because one is disabled"), "{why}");
        assert!(why.to_scene().unwrap().contains("\"enabled\":false"));
        // Moves pass through it, and it moves through everything.
        let moved = world.move_and_slide(b, [-20.0, 0.0]).unwrap();
        assert_eq!(moved.position, [-16.0, 0.0]);
        world.move_to(b, [4.0, 0.0]).unwrap();
        assert_eq!(world.move_until_contact(a, [0.0, 0.0], Filter::SOLID).unwrap(), None);
        // A snapshot holds the flag, and the hash depends on it.
        let copy = World::from_snapshot([world.atlas().clone()], &world.snapshot()).unwrap();
        assert_eq!((copy.get(b), copy.state_hash()), (Some(off), world.state_hash()));
        world.set(b, Collider { enabled: true, ..off }).unwrap();
        assert_ne!(copy.state_hash(), world.state_hash());
        world.update();
        assert_eq!(world.began(), [Pair { a, b }]);
    }
}

#[test]
fn w12_colliders_of_one_owner_never_meet() {
    let block = solid(8, 8);
    // Two parts of one body and two of another, all over each other, and a loose block.
    let places = [("a", 0.0), ("b", 3.0), ("c", 5.0), ("d", 6.0), ("e", 7.0)];
    let placed = places.map(|(name, x)| (name, &block, [x, 0.0]));
    let (mut world, ids) = world(&placed);
    let owners = [1, 1, u32::MAX, u32::MAX, 0];
    for (&id, owner) in ids.iter().zip(owners) {
        world.set(id, world.get(id).unwrap().owned_by(owner)).unwrap();
    }
    let pairs = |apart: &[[usize; 2]]| -> Vec<Pair> {
        let all = (0..5).flat_map(|a| (a + 1..5).map(move |b| [a, b]));
        all.filter(|pair| !apart.contains(pair))
            .map(|[a, b]| Pair { a: ids[a], b: ids[b] })
            .collect()
    };
    let truth = pairs(&[[0, 1], [2, 3]]);
    world.update();
    assert_eq!(world.touching(), truth);
    world.update_timed();
    assert_eq!(world.touching(), truth);
    assert_eq!(world.touching_with(ids[0]), [ids[2], ids[3], ids[4]]);
    assert_eq!(world.touching_between(&ids[..2], &ids[..2]), []);
    // Other rules of a pair take other ways through an update.
    for change in [
        |part: Collider| part.with_min_overlap(2),
        |part: Collider| part.with_min_overlap([1, 2]),
        |part: Collider| Collider { accuracy: Accuracy::Box, ..part },
        |part: Collider| part.on_layers(2, 2),
        |part: Collider| Collider { sensor: true, ..part },
    ] {
        let mut other = world.clone();
        for &id in &ids {
            other.set(id, change(world.get(id).unwrap())).unwrap();
        }
        other.update();
        assert_eq!(other.touching(), truth);
    }
    // A fixed part does not meet a moving part of its owner either.
    let mut other = world.clone();
    other.set(ids[1], world.get(ids[1]).unwrap().fixed()).unwrap();
    other.update();
    assert_eq!(other.touching(), truth);
    // An explanation names the owner; queries and the pixels of a pair ignore it.
    let pair = Pair { a: ids[0], b: ids[1] };
    let why = world.pair(pair).and_then(|pair| pair.explain()).unwrap();
    assert_eq!((why.touches, why.decision), (false, hitmask::DecidedBy::Owner));
    assert!(why.to_string().contains("because they have one owner"), "{why}");
    assert!(why.to_scene().unwrap().contains("\"owner\":1"));
    assert!(world.contact(pair).is_some());
    assert_eq!(world.query(&Zone::point([3.0, 0.0]).unwrap(), Filter::ALL).unwrap(), ids);
    // Parts neither block nor push each other.
    for &id in &ids[2..] {
        world.set(id, Collider { enabled: false, ..world.get(id).unwrap() }).unwrap();
    }
    assert_eq!(world.cast(ids[0], [20.0, 0.0], Filter::SOLID).unwrap(), None);
    assert_eq!(world.push_out(ids[0], 20, Filter::SOLID), Some(hitmask::Point::default()));
    assert_eq!(world.move_and_slide(ids[0], [20.0, 0.0]).unwrap().position, [20.0, 0.0]);
    world.move_to(ids[0], [0.0, 0.0]).unwrap();
    // A snapshot holds the owner, and the hash depends on it.
    let copy = World::from_snapshot([world.atlas().clone()], &world.snapshot()).unwrap();
    assert!(ids.iter().zip(owners).all(|(&id, owner)| copy.get(id).unwrap().owner == owner));
    assert_eq!(copy.state_hash(), world.state_hash());
    world.set(ids[1], world.get(ids[1]).unwrap().owned_by(2)).unwrap();
    assert_ne!(copy.state_hash(), world.state_hash());
    world.update();
    assert_eq!(world.touching(), [pair]);
    // A removed collider leaves no owner behind in its slot.
    let part = world.remove(ids[1]).unwrap();
    assert_eq!(part.owner, 2);
    let again = world.insert(part.owned_by(0)).unwrap();
    assert_eq!((again.index(), world.get(again).unwrap().owner), (ids[1].index(), 0));
}

#[test]
fn mc1_mc2_a_mask_is_tested_against_a_point_a_rectangle_and_a_mask() {
    let wedge = mask("#..\n##.\n###");
    let (world, ids) = world(&[("wedge", &wedge, [1.0, 1.0])]);
    assert_eq!(world.query(&Zone::point([0.5, 0.5]).unwrap(), Filter::ALL).unwrap(), ids);
    assert_eq!(world.query(&Zone::point([2.5, 0.5]).unwrap(), Filter::ALL).unwrap(), []);
    assert_eq!(world.query(&Zone::rect(Rect::new(1, 0, 3, 1)), Filter::ALL).unwrap(), []);
    assert_eq!(world.query(&Zone::rect(Rect::new(1, 0, 3, 2)), Filter::ALL).unwrap(), ids);
    assert_eq!(world.probe(&mask(".#\n##"), [1, 0]).touching(Filter::ALL), ids);
    assert_eq!(world.probe(&mask(".#\n.#"), [1, 0]).touching(Filter::ALL), []);
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
        world.update_with(|touch| {
            let pair = &touch.pair();
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
    assert_eq!(world.contact(Pair { a: ids[0], b: ids[1] }), None, "no overlap");
    let again = world.move_and_slide(ids[0], [900.0, 0.0]).unwrap();
    assert_eq!(again.position, moved.position, "no bounce");
    let away = world.move_and_slide(ids[0], [-3.0, 0.0]).unwrap();
    assert_eq!(away.position, [47.0, 12.0], "no sticking");
    let hit = world.move_until_contact(ids[0], [900.0, 12.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!((hit.collider, world.get(ids[0]).unwrap().position[0]), (ids[1], 50.0));
}

#[test]
fn fx2_fx5_switches_a_veto_and_the_side_of_the_contact() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(30, 10), [0.0, 9.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    assert_eq!(
        world.pair(pair).and_then(|pair| pair.overlap()).unwrap().normal().side(),
        Side::Below
    );
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
    world.update_with(|touch| {
        let [_, b] = &touch.colliders();
        !b.sensor
    });
    assert_eq!(world.touching(), []);
    // The caller vetoes the blocking of motions. Without the veto the solid collider blocks.
    world.set(ids[1], Collider { sensor: false, ..world.get(ids[1]).unwrap() }).unwrap();
    world.set(ids[1], world.get(ids[1]).unwrap().at([0.0, 40.0])).unwrap();
    let down = [0.0, 90.0];
    assert_eq!(world.cast(ids[0], down, Filter::SOLID).unwrap().unwrap().collider, ids[1]);
    assert_eq!(
        world
            .cast(ids[0], down, Filter { keep: Some(&|other| other != ids[1]), ..Filter::SOLID })
            .unwrap(),
        None
    );
    let rules = hitmask::MoveRules::default();
    let through = world
        .move_by_rules(
            ids[0],
            down,
            rules,
            Filter { keep: Some(&|other| other != ids[1]), ..Filter::SOLID },
        )
        .unwrap();
    assert_eq!((through.position, through.contacts.len()), (down, 0));
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 0.0])).unwrap();
    assert_eq!(
        world.move_by_rules(ids[0], down, rules, Filter::SOLID).unwrap().contacts,
        [(ids[1], Side::Below)]
    );
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
    assert_eq!(world.set(ids[1], a), Err(CallError::Stale(ids[1])));
    assert!(world.touching_with(ids[1]).is_empty());
}
