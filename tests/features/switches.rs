//! Capabilities of classic systems: switches for each collider and each call.

use crate::{mask, solid, world};
use hitmask::{
    Accuracy, AtlasBuilder, Collider, ColliderId, DecidedBy, Filter, MinOverlap, Pair, Rect, Side,
    World, Zone,
};
use hitmask_scenes::naive::Naive;
use hitmask_scenes::{Random, explain, open, rebuilt};

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
fn a_box_blocks_a_move_beside_its_pixels() {
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
    world.move_until_contact(dot, [60.0, 0.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!(world.get(dot).unwrap().position, [38.0, 15.0]);
    // The mover counts as its box too.
    set(&mut world, wall, |c| c.with_move_accuracy(Accuracy::Exact));
    let ring = world.cast(wall, [-60.0, 0.0], Filter::SOLID).unwrap();
    set(&mut world, wall, |c| c.with_move_accuracy(Accuracy::Box));
    world.move_to(dot, [10.0, 15.0]).unwrap();
    let boxed = world.cast(wall, [-60.0, 0.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!((boxed.collider, boxed.impact.step), (dot, 29));
    assert!(ring.is_none_or(|hit| hit.impact.step > 29));
}

#[test]
fn least_overlap_by_width_and_height_in_pixels_at_any_resolution() {
    let mut random = Random::new(8);
    let rules: [MinOverlap; 7] =
        [0.into(), 1.into(), 6.into(), 40.into(), [3, 2].into(), [1, 7].into(), [0, 0].into()];
    let (mut reached, mut missed) = (0, 0);
    for resolution in [0.5, 1.0, 2.0, 4.0] {
        let bake = AtlasBuilder::new().resolution(resolution).angles(1);
        let bake = bake.mask("corner", mask("########\n########\n##......\n##......\n##......"));
        let atlas = open(&bake.mask("block", solid(10, 8)));
        let [corner, block] =
            ["corner", "block"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
        let mut world = World::new(atlas.clone());
        let a = world.insert(corner).unwrap();
        let pair = Pair { a, b: world.insert(block).unwrap() };
        for _ in 0..400 {
            let [first, second] = [0, 1].map(|_| rules[random.below(7) as usize]);
            let level = |n| [Accuracy::Box, Accuracy::Exact][n as usize];
            let at = [random.within(-44, 45) as f32 / 4.0, random.within(-36, 37) as f32 / 4.0];
            let one =
                Collider { accuracy: level(random.below(2)), ..corner.with_min_overlap(first) };
            let two = Collider { accuracy: level(random.below(2)), ..block.at(at) };
            world.set(pair.a, one).unwrap();
            world.set(pair.b, two.with_min_overlap(second)).unwrap();
            // A pair must meet the rules of both.
            let truth = Naive::of(&world).touching() == [pair];
            world.update();
            let context = format!("{one:?} {two:?} {second:?} at resolution {resolution}");
            assert_eq!(world.touching() == [pair], truth, "{context}");
            world.update_timed();
            assert_eq!(world.touching() == [pair], truth, "{context}");
            assert_eq!(!world.touching_with(a).is_empty(), truth, "{context}");
            let why = explain(&world, pair).unwrap();
            assert_eq!(why.touches, truth, "{context}: {why}");
            if world.contact(pair).is_some() && !truth {
                assert_eq!(why.decision, DecidedBy::MinOverlap, "{context}");
                missed += 1;
            }
            reached += usize::from(truth);
        }
        // Motions are blocked by any shared pixel.
        world.set(pair.a, corner.with_min_overlap([99, 99])).unwrap();
        world.set(pair.b, block.at([30.0, 0.0])).unwrap();
        assert!(world.cast(a, [30.0, 0.0], Filter::SOLID).unwrap().is_some());
    }
    assert!(reached > 100 && missed > 100, "{reached} {missed}");
}

#[test]
fn a_size_is_held_by_snapshots_and_runtime_masks() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(10, 10), [8.0, 7.0])]);
    let pair = Pair { a: ids[0], b: ids[1] };
    // The boxes share 2 x 3 px.
    for (least, touches) in [([2, 3], true), ([3, 2], false), ([1, 4], false), ([2, 0], true)] {
        set(&mut world, ids[1], |c| c.with_min_overlap(least));
        let copy = rebuilt(&world);
        assert_eq!((copy.get(ids[1]), copy.validate()), (world.get(ids[1]), Ok(())));
        assert_eq!(copy.state_hash(), world.state_hash());
        let swapped = world.get(ids[1]).unwrap().with_min_overlap([least[1], least[0]]);
        let mut other = world.clone();
        other.set(ids[1], swapped).unwrap();
        assert_ne!(copy.state_hash(), other.state_hash());
        world.update();
        assert_eq!(world.touching() == [pair], touches, "{least:?}");
        let mask = world.masks_mut().insert(solid(10, 10), hitmask::Pivot::Center).unwrap();
        let drawn = world.insert(Collider::from_mask(mask).at([0.0, 0.0])).unwrap();
        assert_eq!(world.touching_with(drawn).contains(&ids[1]), touches, "{least:?}");
        world.remove(drawn);
    }
}

#[test]
fn an_update_refuses_pairs_by_the_side_of_the_contact() {
    let block = solid(10, 10);
    let around = [[0.0, 9.0], [0.0, -9.0], [-9.0, 0.0], [9.0, 0.0]];
    let sides = [Side::Below, Side::Above, Side::Left, Side::Right];
    // The hero comes first, then last, in the order of indices.
    for hero_at in [0, 4] {
        let mut places = around.to_vec();
        places.insert(hero_at, [0.0, 0.0]);
        let names = ["a", "b", "c", "d", "e"];
        let placed: Vec<_> =
            names.iter().zip(places).map(|(&name, at)| (name, &block, at)).collect();
        let (mut world, mut ids) = world(&placed);
        let hero = ids.remove(hero_at);
        let pair = |other: ColliderId| Pair { a: hero.min(other), b: hero.max(other) };
        let of_hero = |world: &World| -> Vec<ColliderId> {
            let pairs = world.touching().iter();
            let others = pairs.filter_map(|pair| match pair {
                _ if pair.a == hero => Some(pair.b),
                _ if pair.b == hero => Some(pair.a),
                _ => None,
            });
            others.collect()
        };
        assert_eq!(of_hero(&world), ids, "all four touch");
        for (&refused, &side) in ids.iter().zip(&sides) {
            let mut seen = Vec::new();
            world.update_with(|touch| {
                seen.push(touch.pair());
                assert_eq!(touch.contact().unwrap().area, touch.overlap().unwrap().contact().area);
                assert_eq!(touch.colliders()[0].position, places_of(touch.pair().a, &placed));
                touch.side_of(hero) != Some(side)
            });
            let kept: Vec<ColliderId> = ids.iter().copied().filter(|&id| id != refused).collect();
            assert_eq!(of_hero(&world), kept, "{side:?} is refused");
            assert_eq!(world.ended(), [pair(refused)], "the events follow the veto");
            assert!(seen.is_sorted() && seen.contains(&pair(refused)));
            world.update();
            assert_eq!(world.began(), [pair(refused)]);
            // Both sides of the pair, and its normal.
            let touch = world.pair(pair(refused)).unwrap();
            assert_eq!((touch.other(hero), touch.other(refused)), (Some(refused), Some(hero)));
            let [x, y] = <[f32; 2]>::from(touch.normal_of(hero).unwrap());
            assert_eq!(<[f32; 2]>::from(touch.normal_of(refused).unwrap()), [0.0 - x, 0.0 - y]);
            assert_eq!(touch.normal_of(hero).unwrap().side(), side);
            let stranger = *ids.iter().find(|&&id| id != refused).unwrap();
            assert_eq!((touch.side_of(stranger), touch.other(stranger)), (None, None));
        }
        world.remove(ids[0]);
        assert!(world.pair(pair(ids[0])).filter(|pair| pair.contact().is_some()).is_none());
    }
}

fn places_of(id: ColliderId, placed: &[(&str, &hitmask::Mask, [f32; 2])]) -> [f32; 2] {
    placed[id.index() as usize].2
}

#[test]
fn a_filter_sees_sides_at_every_accuracy() {
    // The dot in the hole is nearest to the right rim. By pixels it touches nothing.
    let (mut world, [dot, frame]) = dot_and_frame([60.0, 0.0]);
    for (accuracy, of_frame, touches) in [
        (Accuracy::Exact, Accuracy::Exact, false),
        (Accuracy::Exact, Accuracy::Box, true),
        // Masks of this size have no coarse levels, so pixels decide.
        (Accuracy::Coarse, Accuracy::Exact, false),
        (Accuracy::Box, Accuracy::Exact, true),
    ] {
        world.set_accuracy(accuracy);
        set(&mut world, frame, |c| Collider { accuracy: of_frame, ..c });
        let mut sides = Vec::new();
        world.update_with(|touch| {
            assert!(touch.overlap().is_none() && touch.contact().is_some());
            sides.push([dot, frame].map(|id| touch.side_of(id).unwrap()));
            true
        });
        // The box of the frame lies to the left of the dot: that way out of it is the farthest.
        let expected = if touches { vec![[Side::Left, Side::Right]] } else { vec![] };
        assert_eq!(sides, expected, "{accuracy:?} {of_frame:?}");
        assert_eq!(world.touching().len(), usize::from(touches));
    }
}

#[test]
fn any_factor_above_0_has_a_nearest_level_and_the_answer_names_it() {
    for (factor, level) in [
        (f32::MIN_POSITIVE, Accuracy::Box),
        (1e-45, Accuracy::Box),
        (1.0 / 64.0, Accuracy::Box),
        (0.044, Accuracy::Box),
        (0.0443, Accuracy::Coarse),
        (1.0 / 8.0, Accuracy::Coarse),
        (0.353, Accuracy::Coarse),
        (0.354, Accuracy::Exact),
        (1.0, Accuracy::Exact),
        (2.5, Accuracy::Exact),
        (f32::MAX, Accuracy::Exact),
        (f32::INFINITY, Accuracy::Exact),
    ] {
        assert_eq!(Accuracy::from_factor(factor), Ok(level), "{factor}");
    }
    for factor in [0.0, -0.0, -1.0, f32::NEG_INFINITY, f32::NAN] {
        let error = Accuracy::from_factor(factor).unwrap_err();
        assert!(error.to_string().contains(&factor.to_string()), "{error}");
        assert!(error.help().contains("above 0"));
    }
    // A block of 256 px in a frame of 480 px with a rim of 80 px: both have coarse levels.
    let mut frame = solid(480, 480);
    frame.fill_rect(Rect::new(80, 80, 400, 400), false);
    let (mut world, ids) = world(&[
        ("frame", &frame, [0.0, 0.0]),
        ("block", &solid(256, 256), [0.0, 0.0]),
        ("dot", &solid(4, 4), [0.0, 0.0]),
    ]);
    let at = |world: &World, a: usize, b: usize, factor: f32| {
        let accuracy = Accuracy::from_factor(factor).unwrap();
        let answer = world
            .pair(Pair { a: ids[a], b: ids[b] })
            .and_then(|pair| pair.contact_at(accuracy))
            .unwrap();
        (answer.contact.is_some(), answer.accuracy)
    };
    // In the middle of the hole: cells of 8 px tell that the block is free.
    assert_eq!(at(&world, 0, 1, 1.0), (false, Accuracy::Exact));
    assert_eq!(at(&world, 0, 1, 0.1), (false, Accuracy::Coarse));
    assert_eq!(at(&world, 0, 1, 0.01), (true, Accuracy::Box));
    // Beside the rim only pixels tell.
    set(&mut world, ids[1], |c| c.at([32.0, 0.0]));
    let truths = [1.0, 0.1, 0.01].map(|factor| at(&world, 0, 1, factor).0);
    assert_eq!(truths, [false, true, true]);
    // A small mask has no coarse level: the answer says that the pixels decided.
    assert_eq!(at(&world, 0, 2, 0.1), (false, Accuracy::Exact));
    // The accuracies of the colliders and the world do not count, and a finer level is a subset.
    for accuracy in [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact] {
        world.set_accuracy(accuracy);
        set(&mut world, ids[0], |c| Collider { accuracy, ..c });
        assert_eq!([1.0, 0.1, 0.01].map(|factor| at(&world, 0, 1, factor).0), truths);
    }
    // Apart, nothing overlaps at any level. A stale or disabled collider has no answer.
    set(&mut world, ids[1], |c| c.at([900.0, 0.0]));
    assert_eq!([1.0, 0.1, 0.01].map(|factor| at(&world, 0, 1, factor).0), [false; 3]);
    set(&mut world, ids[2], Collider::disabled);
    world.remove(ids[1]);
    for gone in [ids[1], ids[2]] {
        assert_eq!(
            world.pair(Pair { a: ids[0], b: gone }).and_then(|pair| pair.contact_at(Accuracy::Box)),
            None
        );
    }
    // A query takes a factor through its filter.
    for (factor, level) in [
        (0.01, Accuracy::Box),
        (0.1, Accuracy::Exact),
        (1.0, Accuracy::Exact),
        (9.0, Accuracy::Exact),
    ] {
        let accuracy = Accuracy::from_factor(factor).unwrap();
        let filter = Filter { accuracy, ..Filter::ALL };
        let in_the_hole = world.query(&Zone::rect(Rect::new(-5, -5, 5, 5)), filter).unwrap();
        assert_eq!(in_the_hole.contains(&ids[0]), level == Accuracy::Box, "{factor}");
    }
}
