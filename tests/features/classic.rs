//! The classic systems, without their flaws.

use crate::{atlas, mask, solid, world};
use hitmask::{
    Accuracy, Affine, AlphaRule, Angle, Atlas, Bake, BakeError, Certainty, Collider, ColorRange,
    Filter, First, Fit, Mask, Pair, Pivot, Place, PlaceError, Point, Pose, PoseError, PoseSet,
    Raster, Rect, Sampling, Side, World, naive,
};
use hitmask_sprites::{Random, named};

#[test]
fn sk1_the_overlap_rectangle_in_common_space() {
    let (world, ids) =
        world(&[("a", &solid(10, 10), [5.0, 5.0]), ("b", &solid(10, 10), [12.0, 8.0])]);
    let contact = world.contact(&Pair { a: ids[0], b: ids[1] }).unwrap();
    assert_eq!(contact.rect, Rect::new(7, 3, 10, 10));
}

#[test]
fn sk2_tg2_w7_w10_objects_in_parents_nested_to_any_depth() {
    let parents = [[20.0, 50.0], [400.0, -20.0], [-1309.0, 20.0]];
    let chain = parents.into_iter().fold(Affine::IDENTITY, |t, at| t * Affine::translation(at));
    assert_eq!(chain.apply([10.0, -280.0]), [-879.0, -230.0]);
    // As a collider: its box begins there.
    let shape = solid(30, 300);
    let (mut world, ids) = world(&[("shape", &shape, [0.0, 0.0])]);
    let middle = chain.apply([10.0 + 15.0, -280.0 + 150.0]);
    world.set(ids[0], world.get(ids[0]).unwrap().at(middle)).unwrap();
    assert_eq!(world.rect(ids[0]), Some(Rect::new(-879, -230, -849, 70)));
    // With turns and scales at every level, about any registration point.
    let nested = Affine::placed([100.0, 0.0], [5.0, 5.0], std::f32::consts::FRAC_PI_2, 2.0)
        * Affine::placed([5.0, 5.0], [0.0, 0.0], std::f32::consts::PI, 0.5);
    let parts = nested.similarity(0.001).unwrap();
    assert!(
        (parts.scale - 1.0).abs() < 1e-6
            && (parts.angle + std::f32::consts::FRAC_PI_2).abs() < 1e-5
    );
    assert_eq!(parts.position, [100.0, 0.0]);
    let back = nested.inverse().unwrap().apply(nested.apply([7.0, -3.0]));
    assert!((back[0] - 7.0).abs() < 1e-4 && (back[1] + 3.0).abs() < 1e-4);
}

#[test]
fn sk3_tg6_one_answer_for_no() {
    let (a, b) = (mask("#."), mask(".#"));
    assert_eq!(a.contact(&b, [0, 0]), None);
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), None);
    assert_eq!(Rect::new(0, 0, 4, 4).intersection(Rect::new(4, 0, 8, 4)), None);
}

#[test]
fn sk4_tg4_work_stays_within_the_intersection() {
    // A box of the union of these two could not even be told in 32 bits.
    let a = solid(16_000, 2);
    assert_eq!(a.overlap_area(&a, [i32::MAX, 0]), 0);
    assert_eq!(a.contact(&a, [15_999, 1]).unwrap().rect, Rect::new(15_999, 1, 16_000, 2));
}

#[test]
fn sk5_sk6_sk7_sk8_fx1_mc3_a_transparency_rule_for_each_object() {
    // Alpha of one, alpha of the other, tolerance.
    for (alpha_a, alpha_b, tolerance, hits) in [
        (255, 255, 0.5, true),
        (255, 0, 0.5, false),
        (0x87, 0xff, 0.0, true),
        (0x87, 0xff, 1.0, false),
    ] {
        let rule = AlphaRule::Bits((tolerance * 255.0_f32) as u8);
        let texel = |alpha| Mask::from_alpha(1, 1, &[alpha], rule).unwrap();
        assert_eq!(texel(alpha_a).touches(&texel(alpha_b), [0, 0]), hits, "{alpha_a} {alpha_b}");
    }
    // Each its own, both honoured.
    let soft = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let (loose, strict) = (soft(AlphaRule::AtLeast(100)), soft(AlphaRule::Above(100)));
    assert!(loose.touches(&loose, [0, 0]));
    assert!(!loose.touches(&strict, [0, 0]) && !strict.touches(&loose, [0, 0]));
}

#[test]
fn sk10_tg8_the_collision_point_really_overlaps() {
    // Overlap in two corners: the centre of its box is empty.
    let (a, b) = (mask("##..\n....\n...#"), mask("#...\n....\n..##"));
    let contact = a.contact(&b, [0, 0]).unwrap();
    assert!(a.get(contact.point.x, contact.point.y) && b.get(contact.point.x, contact.point.y));
    let [x, y] = contact.center();
    assert_eq!([x, y], [2.0, 1.5]);
    assert!(!a.get(x as i32, y as i32), "the middle, by contrast, may be empty");
}

#[test]
fn sk11_yes_or_no() {
    let corner = mask(".##\n.#.");
    assert!(corner.touches(&corner, [1, 0]) && !corner.touches(&corner, [1, 1]));
}

#[test]
fn sk12_mc7_w6_any_registration_point() {
    let shape = solid(8, 6);
    for (pivot, rect) in [
        (Pivot::HalfTexels(0, 0), Rect::new(0, 0, 8, 6)),
        (Pivot::Center, Rect::new(-4, -3, 4, 3)),
        (Pivot::HalfTexels(16, 12), Rect::new(-8, -6, 0, 0)),
        (Pivot::HalfTexels(1, 1), Rect::new(0, 0, 8, 6)),
        (Pivot::HalfTexels(-20, 40), Rect::new(10, -20, 18, -14)),
    ] {
        let bytes = Bake::new().pivot(pivot).mask("shape", shape.clone()).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        let sprite = atlas.sprite("shape").unwrap();
        let mut world = World::new(atlas);
        let id = world.insert(Collider::new(sprite)).unwrap();
        assert_eq!(world.rect(id), Some(rect), "{pivot:?}");
    }
}

#[test]
fn sk13_tg3_mc9_w8_tw4_tw5_turned_and_scaled_objects_of_any_size() {
    let bar = solid(40, 4);
    let bytes =
        Bake::new().angles(16).scales([1.0, 3.0]).mask("bar", bar.clone()).to_bytes().unwrap();
    let atlas = Atlas::from_vec(bytes).unwrap();
    let sprite = atlas.sprite("bar").unwrap();
    let mut world = World::new(atlas);
    let a = world.insert(Collider::new(sprite)).unwrap();
    let b = world.insert(Collider::new(sprite).at([0.0, 18.0])).unwrap();
    let touch = |world: &World| world.contact(&Pair { a, b }).is_some();
    assert!(!touch(&world));
    world.set(b, world.get(b).unwrap().turned(std::f32::consts::FRAC_PI_2)).unwrap();
    assert!(touch(&world), "upright, it reaches");
    world.set(b, world.get(b).unwrap().at([0.0, 55.0]).scaled(3.0)).unwrap();
    assert!(touch(&world), "and farther when it is larger");
    // What was not baked is drawn when it is needed: stretched, 200 times, slanting.
    let raster = Raster::new(&bar, Pivot::Center, Sampling::Nearest).unwrap();
    let drawn = raster.transformed(Affine::scale([0.5, 2000.0])).unwrap();
    assert_eq!((drawn.mask.width(), drawn.mask.height()), (20, 8000));
    let poses = PoseSet::new(16, [1.0]).unwrap();
    let is_baked = |t| matches!(raster.fit(&poses, t, 0.001).unwrap(), Fit::Baked { .. });
    assert!(is_baked(Affine::rotation(0.3)) && !is_baked(Affine::scale([1.0, 2.0])));
    // As the poses do it, where both can.
    for (t, step) in [(Affine::IDENTITY, 0), (Affine::rotation(std::f32::consts::FRAC_PI_2), 4)] {
        let pose = raster.pose(&poses, Pose { step, scale: 0 }).unwrap();
        let drawn = raster.transformed(Affine::translation([70.0, -9.0]) * t).unwrap();
        assert_eq!(drawn.mask, pose.mask);
        assert_eq!(drawn.origin, pose.origin + Point::new(70, -9));
    }
}

#[test]
fn tg1_fx2_boxes_or_pixels_for_each_query_and_object() {
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
    assert_eq!(world.touching().len(), 1, "this one counts as its box");
    assert!(
        world.query_rect(Rect::new(18, 18, 22, 22), Filter::ALL) == [ids[0]],
        "queries see pixels"
    );
    let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    assert_eq!(world.query_rect(Rect::new(18, 18, 22, 22), boxes), ids, "unless told otherwise");
}

#[test]
fn tg5_sub_pixel_phase_has_one_rule() {
    let (mut world, ids) = world(&[("dot", &solid(2, 2), [0.0, 0.0])]);
    let rule = [(0.0, -1), (0.499_999_97, -1), (0.5, 0), (-0.5, -1), (-0.500_000_06, -2)];
    // Both axes, each value with each.
    let phases = rule.map(|x| rule.map(|y| ([x.0, y.0], [x.1, y.1])));
    let phases = phases.as_flattened();
    let dot = world.get(ids[0]).unwrap();
    let corner = |world: &World, id| world.rect(id).map(|r| [r.x0, r.y0]);
    for &(at, expected) in phases {
        let id = world.insert(dot.at(at)).unwrap();
        assert_eq!(corner(&world, id), Some(expected), "inserted at {at:?}");
        world.set(ids[0], dot.at(at)).unwrap();
        assert_eq!(corner(&world, ids[0]), Some(expected), "set to {at:?}");
    }
    // Many at once: hundreds side by side, and a few in no order.
    let mut crowd = World::new(world.atlas().clone());
    let mut ids: Vec<_> = (0..1000).map(|_| crowd.insert(dot).unwrap()).collect();
    for few in [false, true] {
        if few {
            ids.truncate(30);
            ids.reverse();
        }
        let asked = || ids.iter().zip(phases.iter().cycle());
        let hold = |world: &World, way| {
            for (&id, (at, expected)) in asked() {
                assert_eq!(corner(world, id), Some(*expected), "{way} to {at:?}");
            }
        };
        let angle = Angle::Turn(0);
        let places: Vec<_> = asked().map(|(_, &(position, _))| Place { position, angle }).collect();
        let (mut placed, mut set) = (crowd.clone(), crowd.clone());
        placed.place_many(&ids, &places).unwrap();
        hold(&placed, "placed");
        set.set_many(asked().map(|(&id, (at, _))| (id, dot.at(*at)))).unwrap();
        hold(&set, "set, of many,");
    }
}

#[test]
fn mc1_mc2_against_a_point_a_rectangle_and_another_mask() {
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
fn mc1_mc2_each_side_has_its_own_threshold() {
    // The same picture, by two rules: a texel that one of them sees, and one that both see.
    let texels = [9, 9, 9, 100, 9, 9, 9, 255];
    let bake = Bake::new().pivot(Pivot::HalfTexels(0, 0));
    let bake = bake.alpha(AlphaRule::AtLeast(100)).rgba("loose", 2, 1, &texels).unwrap();
    let bake = bake.alpha(AlphaRule::Above(100)).rgba("strict", 2, 1, &texels).unwrap();
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let [loose, strict] = ["loose", "strict"].map(|name| atlas.sprite(name).unwrap());
    let mut world = World::new(atlas);
    let here = world.insert(Collider::new(loose)).unwrap();
    let there = world.insert(Collider::new(strict)).unwrap();
    let touching = |world: &mut World| {
        world.update();
        world.touching().to_vec()
    };
    assert_eq!(touching(&mut world), [Pair { a: here, b: there }]);
    assert_eq!(world.contact(&Pair { a: here, b: there }).unwrap().rect, Rect::new(1, 0, 2, 1));
    // Beside each other, what one rule alone sees meets what the other sees only on one side.
    for (x, meets) in [(1.0, false), (-1.0, true)] {
        world.set(there, Collider::new(strict).at([x, 0.0])).unwrap();
        assert_eq!(!touching(&mut world).is_empty(), meets, "{x}");
    }
    world.set(there, Collider::new(strict)).unwrap();
    // A mask by a third rule, against both.
    let third = |rule| Mask::from_alpha(1, 1, &[100], rule).unwrap();
    let asked = |rule, x| world.query_mask(&third(rule), [x, 0], Filter::ALL);
    let (seen, unseen) = (AlphaRule::Bits(0x60), AlphaRule::Bits(0x80));
    assert_eq!((asked(seen, 0), asked(seen, 1)), (vec![here], vec![here, there]));
    assert_eq!((asked(unseen, 0), asked(unseen, 1)), (vec![], vec![]));
}

#[test]
fn mc6_w2_nothing_is_drawn_again_for_a_test() {
    let (world, ids) = world(&[("a", &solid(9, 9), [0.0, 0.0])]);
    let atlas = world.atlas().clone();
    let sprite = atlas.get(atlas.sprite("a").unwrap()).unwrap();
    let pose = sprite.nearest(0.0, 1.0).unwrap();
    // What a collider shows is the atlas's own mask, at one place in memory for all.
    let (shown, baked) =
        (world.posed(ids[0]).unwrap(), sprite.posed(0, pose, false, false).unwrap());
    assert_eq!(shown.mask, baked.mask);
    assert!(std::ptr::eq(atlas.as_bytes(), world.atlas().as_bytes()));
}

#[test]
fn mc10_touching_begins_and_ends() {
    let (mut world, ids) =
        world(&[("a", &solid(4, 4), [0.0, 0.0]), ("b", &solid(4, 4), [9.0, 0.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    let mut seen = Vec::new();
    for x in [9.0, 3.0, 2.0, 9.0] {
        world.set(ids[1], world.get(ids[1]).unwrap().at([x, 0.0])).unwrap();
        world.update();
        seen.push([world.began() == [pair], world.ended() == [pair], world.touching() == [pair]]);
    }
    assert_eq!(seen, [[false; 3], [true, false, true], [false, false, true], [false, true, false]]);
}

#[test]
fn w1_ck7_the_angle_of_the_collision_in_radians_and_degrees() {
    let (ball, floor) = (solid(6, 6), solid(40, 6));
    let normal = ball.as_ref().overlap_normal(&floor, [-10, 4]).unwrap();
    assert_eq!((normal.degrees(), normal.radians()), (-90.0, -std::f32::consts::FRAC_PI_2));
    assert_eq!((normal.x, normal.y), (0.0, -1.0), "up, out of the floor");
}

#[test]
fn w5_the_speed_is_published_relative_to_the_naive_way() {
    // That the verbs give these figures is tested where the verbs are.
    let readme = include_str!("../../README.md");
    let rows = |head: &str| -> Vec<(&str, Vec<f64>)> {
        let table = readme.lines().skip_while(|line| !line.starts_with(head));
        let table: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
        let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim);
        let columns = cells(table[0]).count();
        let row = |line: &&'static str| {
            let label = cells(line).next().unwrap();
            let numbers: Vec<f64> = cells(line)
                .skip(1)
                .map(|cell| cell.replace(',', "").parse().unwrap_or_else(|_| panic!("{line}")))
                .collect();
            assert_eq!(numbers.len() + 1, columns, "{line}");
            (label, numbers)
        };
        table[2..].iter().map(row).collect()
    };
    let find = |rows: &[(&str, Vec<f64>)], label: &str| {
        let row = rows.iter().find(|(other, _)| *other == label);
        row.unwrap_or_else(|| panic!("no row {label}")).1.clone()
    };
    assert!(readme.contains("bench narrow --json") && readme.contains("`bench world`"));
    let pairs = rows("| size in pixels |");
    let times = find(&pairs, "naive / batch, AVX-512");
    let (naive, batch) = (find(&pairs, "naive raster"), find(&pairs, "a batch, AVX-512"));
    assert!(times.len() >= 6 && times.iter().all(|&times| times > 1.0), "{times:?}");
    for ((times, naive), batch) in times.iter().zip(naive).zip(batch) {
        // Each ratio is of one moment, and batches are rounded to a nanosecond.
        assert!((times * batch / naive - 1.0).abs() < 0.1, "{times} is not {naive} / {batch}");
    }
    let worlds = rows("| colliders | 1,000 | 10,000 |");
    let (ours, naive) = (find(&worlds, "hitmask, ms"), find(&worlds, "naive, ms"));
    assert!(ours.len() == 3 && ours.iter().zip(naive).all(|(ours, naive)| *ours < naive));
}

#[test]
fn w9_an_object_turned_in_space_is_tested_by_its_projection() {
    // Turned by 60 degrees about the vertical axis: half as wide.
    let (c, s) = (0.5, 0.866_025_4);
    let matrix = [c, 0.0, -s, 0.0, 0.0, 1.0, 0.0, 0.0, s, 0.0, c, 0.0, 100.0, 50.0, -7.0, 1.0];
    let flat = Affine::from_projected(matrix).unwrap();
    let card = Raster::new(&solid(40, 20), Pivot::Center, Sampling::Nearest).unwrap();
    let shown = card.transformed(flat).unwrap();
    assert_eq!(shown.as_ref().rect(), Rect::new(90, 40, 110, 60));
    assert!(
        shown.mask.touches(&solid(4, 4), [19, 0]) && !shown.mask.touches(&solid(4, 4), [20, 0])
    );
    // In perspective it is no affine transform, and on edge it has no pixel.
    let perspective = {
        let mut m = matrix;
        m[3] = 0.01;
        m
    };
    assert_eq!(Affine::from_projected(perspective), None);
    let edge = Affine::scale([0.0, 1.0]);
    assert_eq!(card.transformed(edge).unwrap().mask.count(), 0);
    assert_eq!(card.transformed(Affine::scale([f32::NAN, 1.0])), Err(PoseError::Transform));
}

#[test]
fn w9_depth_is_the_callers_second_test() {
    // Cards one above the other on the screen, at depths of their own, each so thick.
    let card = solid(20, 20);
    let (mut world, ids) =
        world(&[("a", &card, [0.0, 0.0]), ("b", &card, [5.0, 0.0]), ("c", &card, [9.0, 4.0])]);
    let pair = |a: usize, b: usize| Pair { a: ids[a], b: ids[b] };
    assert_eq!(world.touching().len(), 3, "on the screen");
    let mut meet = |depths: [f32; 3]| {
        world.update_with(|pair, _, _| {
            let [a, b] = [pair.a, pair.b].map(|id| depths[id.index() as usize]);
            (a - b).abs() <= 2.0
        });
        (world.touching().to_vec(), world.began().to_vec(), world.ended().to_vec())
    };
    let (touching, _, ended) = meet([0.0, 1.5, 9.0]);
    assert_eq!((touching, ended), (vec![pair(0, 1)], vec![pair(0, 2), pair(1, 2)]));
    let later = meet([6.0, 1.5, 7.0]);
    assert_eq!(later, (vec![pair(0, 2)], vec![pair(0, 2)], vec![pair(0, 1)]));
}

#[test]
fn w11_stop_flat_at_the_wall() {
    let (mut world, ids) =
        world(&[("ball", &solid(10, 10), [0.0, 0.0]), ("wall", &solid(10, 300), [60.0, 0.0])]);
    let moved = world.move_and_slide(ids[0], [900.0, 12.0]).unwrap();
    assert_eq!(moved.position, [50.0, 12.0], "at the wall, and on along it");
    assert_eq!(world.contact(&Pair { a: ids[0], b: ids[1] }), None, "no overlap");
    let again = world.move_and_slide(ids[0], [900.0, 0.0]).unwrap();
    assert_eq!(again.position, moved.position, "no bounce");
    let away = world.move_and_slide(ids[0], [-3.0, 0.0]).unwrap();
    assert_eq!(away.position, [47.0, 12.0], "no sticking");
    let hit = world.move_until_contact(ids[0], [900.0, 12.0]).unwrap().unwrap();
    assert_eq!((hit.other, world.get(ids[0]).unwrap().position[0]), (ids[1], 50.0));
}

#[test]
fn fx2_fx5_switches_a_veto_and_the_side_that_is_touched() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(30, 10), [0.0, 9.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    assert_eq!(world.touch(&pair).unwrap().side(), Side::Below);
    // Overlap is reported and not in the way.
    world.set(ids[1], Collider { sensor: true, ..world.get(ids[1]).unwrap() }).unwrap();
    world.update();
    assert_eq!(world.touching(), [pair]);
    assert_eq!(world.move_and_slide(ids[0], [0.0, 50.0]).unwrap().met, []);
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 0.0])).unwrap();
    // Neither.
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(0b10, 0b10)).unwrap();
    world.update();
    assert_eq!(world.touching(), []);
    // A veto.
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(1, 1)).unwrap();
    world.update_with(|_, _, b| !b.sensor);
    assert_eq!(world.touching(), []);
    // Of motions too: solid again, it is in the way of whom it does not know.
    world.set(ids[1], Collider { sensor: false, ..world.get(ids[1]).unwrap() }).unwrap();
    world.set(ids[1], world.get(ids[1]).unwrap().at([0.0, 40.0])).unwrap();
    let down = [0.0, 90.0];
    assert_eq!(world.cast(ids[0], down).unwrap().unwrap().other, ids[1]);
    assert_eq!(world.cast_with(ids[0], down, |other| other != ids[1]).unwrap(), None);
    let rules = hitmask::MoveRules::default();
    let through = world.move_by_rules_with(ids[0], down, rules, |other| other != ids[1]).unwrap();
    assert_eq!((through.position, through.met.len()), (down, 0));
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 0.0])).unwrap();
    assert_eq!(world.move_by_rules(ids[0], down, rules).unwrap().met, [(ids[1], Side::Below)]);
}

#[test]
fn fx3_fx7_it_does_not_matter_who_asks() {
    let (a, b) = (mask("#..#\n.##.\n#..#"), mask("##.\n..#"));
    for x in -4..=4 {
        for y in -4..=4 {
            assert_eq!(a.touches(&b, [x, y]), b.touches(&a, [-x, -y]));
            assert_eq!(a.overlap_area(&b, [x, y]), b.overlap_area(&a, [-x, -y]));
            assert_eq!(a.distance(&b, [x, y]), b.distance(&a, [-x, -y]));
        }
    }
}

#[test]
fn fx3_fx7_nor_of_masks_and_colliders_of_any_kind() {
    let masks = ["hull", "ring", "diagonal", "frame", "dot"].map(|name| named(name).mask());
    let mut random = Random::new(37);
    for _ in 0..400 {
        let mut pick = || masks[random.below(5) as usize].as_ref();
        let (a, b) = (pick(), pick());
        let (a, b) = if random.below(3) == 0 { (a.flip_y(), b) } else { (a, b) };
        let within = |a: u32, b: u32| (-(b as i32) - 9, a as i32 + 9);
        let (x, y) = (within(a.width(), b.width()), within(a.height(), b.height()));
        let at = Point::new(random.within(x.0, x.1), random.within(y.0, y.1));
        let back = Point::default() - at;
        assert_eq!(a.distance(b, at), b.distance(a, back), "{at:?}");
        assert_eq!(a.overlap_area(b, at), b.overlap_area(a, back));
        for radius in [0, 1, 7, 20] {
            assert_eq!(a.graze(b, at, radius), b.graze(a, back, radius), "{at:?} {radius}");
        }
        for least in [1, 5, 60] {
            assert_eq!(a.touches_by(least, b, at), b.touches_by(least, a, back));
        }
        let swapped = b.contact(a, back).map(|c| (c.area, c.rect.translated(at), c.point + at));
        assert_eq!(a.contact(b, at).map(|c| (c.area, c.rect, c.point)), swapped);
    }
    // The same colliders, inserted from the first to the last and from the last to the first.
    let pictures = ["hull", "ring", "diagonal", "frame", "dot"];
    let atlas = atlas(&pictures.iter().copied().zip(&masks).collect::<Vec<_>>());
    let accuracies = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact];
    let colliders: Vec<Collider> = (0..160)
        .map(|_| {
            let name = pictures[random.below(5) as usize];
            let at = [random.unit() * 500.0, random.unit() * 500.0];
            Collider {
                accuracy: accuracies[random.below(3) as usize],
                min_overlap: [1, 1, 9, 80][random.below(4) as usize],
                layers: 1 << random.below(2),
                collides_with: [u32::MAX, 0b10][random.below(2) as usize],
                ..Collider::new(atlas.sprite(name).unwrap()).at(at).turned(random.unit() * 6.0)
            }
        })
        .collect();
    for accuracy in accuracies {
        let insert = |order: &mut dyn Iterator<Item = usize>| {
            let mut world = World::new(atlas.clone());
            world.set_accuracy(accuracy);
            let mut ids = vec![None; colliders.len()];
            order.for_each(|i| ids[i] = Some(world.insert(colliders[i]).unwrap()));
            world.update();
            (world, ids.into_iter().map(Option::unwrap).collect::<Vec<_>>())
        };
        let (up, up_ids) = insert(&mut (0..160));
        let (down, down_ids) = insert(&mut (0..160).rev());
        let mut touching = 0;
        for i in 0..160 {
            for j in 0..i {
                let [a, b] = [i, j].map(|n| up_ids[n]);
                let asked = up.touched_by(a).contains(&b);
                assert_eq!(asked, up.touched_by(b).contains(&a), "{accuracy:?}");
                assert_eq!(asked, down.touched_by(down_ids[i]).contains(&down_ids[j]));
                let pairs = [(&up, [b, a]), (&down, [down_ids[i], down_ids[j]])];
                for (world, [a, b]) in pairs {
                    assert_eq!(asked, world.touching().contains(&Pair { a, b }), "{accuracy:?}");
                }
                let contacts = pairs.map(|(world, [a, b])| world.contact(&Pair { a, b }));
                assert_eq!(contacts[0], contacts[1]);
                touching += usize::from(asked);
            }
        }
        assert!(touching > 60, "{touching}");
    }
}

#[test]
fn fx4_fx6_only_the_frame_that_is_shown_collides() {
    let frames = [mask("#..."), mask("...#")];
    let atlas = Atlas::from_vec(Bake::new().frames("walk", frames).to_bytes().unwrap()).unwrap();
    let walk = atlas.sprite("walk").unwrap();
    let mut world = World::new(atlas);
    let id = world.insert(Collider::new(walk)).unwrap();
    let first = world.rect(id).unwrap();
    world.set(id, world.get(id).unwrap().with_frame(1)).unwrap();
    assert_eq!(world.rect(id), Some(first.translated([3, 0])));
    let none = world.set(id, world.get(id).unwrap().with_frame(2));
    assert!(matches!(none, Err(PlaceError::UnknownFrame { frame: 2, .. })));
}

#[test]
fn ht1_ht2_yes_box_and_pixel_rectangle() {
    let (a, b) = (mask("##.\n##.\n..#"), mask("..#\n.#.\n#.."));
    assert!(a.touches(&b, [0, 0]));
    let (rect_a, rect_b) = (a.bounds().unwrap(), b.bounds().unwrap());
    assert_eq!(rect_a.intersection(rect_b), Some(Rect::new(0, 0, 3, 3)));
    assert_eq!(a.as_ref().overlap_rect(&b, [0, 0]), Some(Rect::new(1, 1, 2, 2)));
}

#[test]
fn ht3_the_pixel_rectangle_by_an_accuracy_factor() {
    // The lower right of the one is empty, so that its pixels end before its box does.
    let (mut notched, square) = (solid(20, 20), solid(20, 20));
    notched.fill_rect(Rect::new(8, 16, 20, 20), false);
    let rects = |factor: f32| {
        let bake = Bake::new().resolution(factor).mask("a", notched.clone());
        let bytes = bake.mask("b", square.clone()).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        let [a, b] = ["a", "b"].map(|name| atlas.sprite(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(a)).unwrap();
        let b = world.insert(Collider::new(b).at([14.25, 14.5])).unwrap();
        let boxes = world.rect(a).unwrap().intersection(world.rect(b).unwrap()).unwrap();
        let pixels = world.contact(&Pair { a, b }).unwrap().rect;
        // In units of positions again.
        [boxes, pixels].map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / factor))
    };
    assert_eq!(rects(4.0), [[4.25, 4.5, 10.0, 10.0], [4.25, 4.5, 10.0, 6.0]], "exact to a quarter");
    assert_eq!(rects(2.0), [[4.5, 4.5, 10.0, 10.0], [4.5, 4.5, 10.0, 6.0]]);
    assert_eq!(rects(1.0), [[4.0, 5.0, 10.0, 10.0], [4.0, 5.0, 10.0, 6.0]]);
    assert_eq!(rects(0.5), [[4.0, 4.0, 10.0, 10.0], [4.0, 4.0, 10.0, 6.0]], "to two pixels");
}

#[test]
fn ht4_an_accuracy_of_zero_or_less_is_an_error() {
    for bad in [0.0, -1.0, f32::NAN, 3.0] {
        let refused = Bake::new().resolution(bad).mask("a", solid(4, 4)).to_bytes();
        let told = match refused.unwrap_err() {
            BakeError::Settings(PoseError::Resolution(told)) => told,
            other => panic!("{bad}: {other}"),
        };
        assert_eq!(told.to_bits(), bad.to_bits(), "what was given");
    }
}

#[test]
fn ht5_coarser_and_faster_or_finer_than_a_pixel() {
    let sprite = solid(32, 32);
    let rect = |resolution: f32| {
        let bake = Bake::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let a = atlas.sprite("a").unwrap();
        let mut world = World::new(atlas);
        let id = world.insert(Collider::new(a).at([100.25, 100.0])).unwrap();
        // In units of positions again.
        world.rect(id).map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / resolution))
    };
    assert_eq!(rect(1.0), Some([84.0, 84.0, 116.0, 116.0]));
    assert_eq!(rect(4.0), Some([84.25, 84.0, 116.25, 116.0]), "to a quarter of a pixel");
    assert_eq!(rect(0.5), Some([84.0, 84.0, 116.0, 116.0]));
    // Fewer pixels to read are what makes it faster: a quarter of them, and sixteen times as many.
    let area = |resolution: f32| {
        let bake = Bake::new().resolution(resolution).mask("a", sprite.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let upright = Pose { step: 0, scale: 0 };
        let sprite = atlas.sprites().next().unwrap();
        sprite.posed(0, upright, false, false).unwrap().mask.count()
    };
    assert_eq!([0.5, 1.0, 2.0, 4.0].map(area), [256, 1024, 4096, 16_384]);
}

#[test]
fn ht6_a_least_overlap_to_count() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(10, 10), [9.0, 8.0])]);
    assert_eq!(world.contact(&Pair { a: ids[0], b: ids[1] }).unwrap().area, 2);
    for (least, touches) in [(2, true), (3, false)] {
        world.set(ids[0], Collider { min_overlap: least, ..world.get(ids[0]).unwrap() }).unwrap();
        world.update();
        assert_eq!(!world.touching().is_empty(), touches);
        assert_eq!(solid(10, 10).as_ref().touches_by(least, &solid(10, 10), [9, 8]), touches);
    }
}

#[test]
fn tw1_tw2_tw3_small_pictures_first_and_never_wrong() {
    let mut frame = solid(200, 200);
    frame.fill_rect(Rect::new(20, 20, 180, 180), false);
    let atlas = atlas(&[("frame", &frame), ("slab", &solid(60, 60))]);
    let shown = |name: &str| {
        let sprite = atlas.get(atlas.sprite(name).unwrap()).unwrap();
        sprite.posed(0, Pose::default(), false, false).unwrap().mask
    };
    let (frame, slab) = (shown("frame"), shown("slab"));
    let mut seen = [0; 3];
    for x in (-60..200).step_by(3) {
        for y in (-60..200).step_by(3) {
            let truth = naive::contact(frame, slab, [x, y]).is_some();
            match frame.coarse(slab, [x, y]) {
                Certainty::No => {
                    seen[0] += 1;
                    assert!(!truth)
                }
                Certainty::Yes => {
                    seen[1] += 1;
                    assert!(truth)
                }
                Certainty::Maybe => seen[2] += 1,
            }
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] < seen[0] + seen[1], "{seen:?}");
}

#[test]
fn ck1_ck2_ck3_groups_one_against_many_and_misuse() {
    let dot = solid(4, 4);
    let (mut world, ids) =
        world(&[("a", &dot, [0.0, 0.0]), ("b", &dot, [3.0, 0.0]), ("c", &dot, [6.0, 0.0])]);
    let pair = |a: usize, b: usize| Pair { a: ids[a], b: ids[b] };
    assert_eq!(world.touching(), [pair(0, 1), pair(1, 2)], "all in a group");
    assert_eq!(world.touched_by(ids[1]), [ids[0], ids[2]], "one against many");
    assert_eq!(world.between(&ids[..1], &ids[1..]), [pair(0, 1)], "group against group");
    let (a, c) = (world.get(ids[0]).unwrap(), world.get(ids[2]).unwrap());
    world.set(ids[0], c).unwrap();
    world.set(ids[2], a).unwrap();
    assert_eq!(world.touched_by(ids[0]), [ids[1]], "places swapped");
    assert!(world.remove(ids[1]).is_some());
    assert_eq!(world.remove(ids[1]), None, "once");
    assert_eq!(world.set(ids[1], a), Err(PlaceError::Stale(ids[1])));
    assert!(world.touched_by(ids[1]).is_empty());
}

#[test]
fn ck4_every_overlapping_point() {
    let (a, b) = (mask("#.#\n.#."), mask("###\n.##"));
    let points: Vec<Point> = a.as_ref().touch(&b, [0, 0]).unwrap().pixels().collect();
    assert_eq!(points, [[0, 0], [2, 0], [1, 1]].map(Point::from));
    assert_eq!(a.as_ref().touch(&b, [0, 0]).unwrap().first(First::Right), Point::new(2, 0));
}

#[test]
fn ck6_colours_within_a_range_are_left_out() {
    let rgba = [255, 0, 255, 255, 250, 3, 250, 255, 90, 90, 90, 255];
    let bake = Bake::new().leave_out(ColorRange::near([255, 0, 255], 8));
    let atlas = Atlas::from_vec(bake.rgba("a", 3, 1, &rgba).unwrap().to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let shown = sprite.posed(0, Pose::default(), false, false).unwrap();
    assert_eq!(shown.mask.count(), 1);
}
