//! The world against brute force over the naive truth, through random sequences of every
//! operation.

use hitmask::{
    Accuracy, AlphaRule, Angle, Atlas, Bake, Collider, ColliderId, Contact, Filter, MAX_POSITION,
    Mask, Pair, Pivot, Place, PlaceError, PlaceManyError, Point, Rect, Shape, SpriteId, World,
    naive,
};
use hitmask_sprites::{Random, all};
use std::collections::BTreeSet;

fn atlas() -> Atlas {
    let bake = all()
        .iter()
        .filter(|p| p.width < 200)
        .fold(Bake::new().angles(16), |bake, p| bake.mask(p.name, p.mask()));
    let still = hitmask::Settings { angles: 1, ..Default::default() };
    let frames = ["###\n..#\n", "#..\n#..\n###\n", ""].map(|text| text.parse().unwrap());
    Atlas::from_vec(bake.frames_with("walk", frames, still).to_bytes().unwrap()).unwrap()
}

fn random_collider(random: &mut Random, atlas: &Atlas, side: i32) -> Collider {
    let sprite = SpriteId::new(random.below(atlas.sprites().len() as u32));
    let mut coordinate = || random.within(-8 * side, 8 * side) as f32 / 8.0;
    let at = [coordinate(), coordinate()];
    let angle = match random.below(3) {
        0 => Angle::Turn(random.bits() as u16),
        _ => Angle::Radians(random.within(-900, 900) as f32 / 100.0),
    };
    Collider::new(sprite)
        .at(at)
        .turned(angle)
        .scaled(if random.below(4) == 0 { 0.7 } else { 1.0 })
        .flipped(random.below(3) == 0, random.below(3) == 0)
        .with_frame(random.below(atlas.get(sprite).unwrap().frame_count()))
}

/// The same with rules of its own, now and then.
fn with_rules(random: &mut Random, collider: Collider) -> Collider {
    let mut one_in = |n| random.below(n) == 0;
    Collider {
        layers: if one_in(3) { 1 << (u32::from(one_in(2)) + 1) } else { collider.layers },
        collides_with: if one_in(3) { 0b110 } else { u32::MAX },
        fixed: one_in(4),
        sensor: one_in(5),
        accuracy: if one_in(4) { Accuracy::Box } else { Accuracy::Exact },
        min_overlap: if one_in(4) { 40 } else { u32::from(one_in(2)) },
        ..collider
    }
}

/// Where a collider's posed mask lies, worked out from the atlas by hand.
fn placed<'a>(atlas: &'a Atlas, collider: &Collider) -> (hitmask::PosedRef<'a>, Point) {
    let sprite = atlas.get(collider.shape.sprite().unwrap()).unwrap();
    let pose = sprite.nearest(collider.angle, collider.scale).unwrap();
    let posed = sprite.posed(collider.frame, pose, collider.flip_x, collider.flip_y).unwrap();
    let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
    (posed, Point::new(x + posed.origin.x, y + posed.origin.y))
}

/// A collider as the rules of its accuracy see it: its mask, or its tight box, filled.
fn seen(atlas: &Atlas, collider: &Collider) -> (Mask, Point) {
    let (posed, at) = placed(atlas, collider);
    let (w, h) = (posed.mask.width(), posed.mask.height());
    let alpha = vec![255; (w * h) as usize];
    match collider.accuracy {
        Accuracy::Box => (Mask::from_alpha(w, h, &alpha, AlphaRule::default()).unwrap(), at),
        _ => (posed.mask.to_mask(), at),
    }
}

fn naive_contact(atlas: &Atlas, a: &Collider, b: &Collider) -> Option<Contact> {
    let ((a, at_a), (b, at_b)) = (seen(atlas, a), seen(atlas, b));
    let found = naive::contact(a.as_ref(), b.as_ref(), [at_b.x - at_a.x, at_b.y - at_a.y])?;
    let point = Point::new(found.point.x + at_a.x, found.point.y + at_a.y);
    Some(Contact { rect: found.rect.translated(at_a), point, ..found })
}

/// Whether two colliders of this contact count as touching.
fn counts(contact: Option<Contact>, a: &Collider, b: &Collider) -> bool {
    let agree = a.layers & b.collides_with != 0 && b.layers & a.collides_with != 0;
    let least = u64::from(a.min_overlap.max(b.min_overlap).max(1));
    agree && !(a.fixed && b.fixed) && contact.is_some_and(|contact| contact.area >= least)
}

/// Updates, and compares every pair with the truth, and every event with `before`.
fn hold_against_brute_force(world: &mut World, atlas: &Atlas) -> usize {
    let before: BTreeSet<Pair> = world.touching().iter().copied().collect();
    world.update();
    assert_eq!(world.validate(), Ok(()));
    let all: Vec<(ColliderId, Collider)> = world.iter().collect();
    assert_eq!(all.len(), world.len());
    let mut truth = Vec::new();
    for (i, &(a, first)) in all.iter().enumerate() {
        for &(b, second) in &all[i + 1..] {
            let contact = naive_contact(atlas, &first, &second);
            assert_eq!(world.contact(&Pair { a, b }), contact, "{first:?}\n{second:?}");
            truth.extend(counts(contact, &first, &second).then_some(Pair { a, b }));
        }
    }
    assert_eq!(world.touching(), truth);
    let in_order = |pairs: Vec<Pair>| {
        let mut pairs = pairs;
        pairs.sort_by_key(|pair| [pair.a.index(), pair.b.index()]);
        pairs
    };
    let now: BTreeSet<Pair> = truth.iter().copied().collect();
    assert_eq!(world.began(), in_order((&now - &before).into_iter().collect()));
    assert_eq!(world.ended(), in_order((&before - &now).into_iter().collect()));
    let stayed: Vec<Pair> = world.stayed().copied().collect();
    assert_eq!(stayed, in_order((&now & &before).into_iter().collect()));
    truth.len()
}

#[test]
fn random_operations_agree_with_brute_force() {
    let atlas = atlas();
    let mut touches = 0;
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut world = World::new(atlas.clone());
        assert!(world.is_empty());
        let mut live: Vec<(ColliderId, Collider)> = Vec::new();
        let mut dead: Vec<ColliderId> = Vec::new();
        for _ in 0..8 {
            for _ in 0..25 {
                let collider = random_collider(&mut random, &atlas, 200);
                // Every other world is of plain colliders alone, which go another way.
                let collider =
                    if seed % 2 == 0 { collider } else { with_rules(&mut random, collider) };
                let pick = |random: &mut Random, n: usize| random.below(n as u32) as usize;
                match random.below(10) {
                    0..5 => live.push((world.insert(collider).unwrap(), collider)),
                    5..8 if !live.is_empty() => {
                        let i = pick(&mut random, live.len());
                        world.set(live[i].0, collider).unwrap();
                        live[i].1 = collider;
                    }
                    _ if !live.is_empty() => {
                        let i = pick(&mut random, live.len());
                        let (id, collider) = live.swap_remove(i);
                        assert_eq!(world.remove(id), Some(collider));
                        dead.push(id);
                    }
                    _ => {}
                }
            }
            for (id, collider) in &live {
                assert_eq!(world.get(*id), Some(*collider));
            }
            assert_eq!(world.is_empty(), live.is_empty());
            for &id in &dead {
                assert_eq!(world.get(id), None, "a stale id names nobody");
                assert_eq!(world.remove(id), None);
                let collider = Collider::new(SpriteId::new(0));
                assert_eq!(world.set(id, collider), Err(PlaceError::Stale(id)));
            }
            touches += hold_against_brute_force(&mut world, &atlas);
        }
    }
    assert!(touches > 1000, "only {touches} touches: the scenes are too thin to prove anything");
}

#[test]
fn colliders_at_the_ends_of_the_range_still_meet_exactly() {
    let atlas = atlas();
    let hull = atlas.sprite("hull").unwrap();
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let mut world = World::new(atlas.clone());
        let corner = Collider::new(hull).at([x * MAX_POSITION, y * MAX_POSITION]);
        world.insert(corner).unwrap();
        world.insert(corner.turned(0.5)).unwrap();
        world.insert(Collider::new(hull).at([-x * MAX_POSITION, -y * MAX_POSITION])).unwrap();
        world.insert(Collider::new(hull)).unwrap();
        assert_eq!(hold_against_brute_force(&mut world, &atlas), 1);
    }
}

#[test]
fn what_cannot_be_placed_leaves_the_world_as_it_was() {
    let atlas = atlas();
    let hull = atlas.sprite("hull").unwrap();
    let good = Collider::new(hull).at([5.0, 5.0]);
    let mut world = World::new(atlas.clone());
    let id = world.insert(good).unwrap();
    world.insert(good).unwrap();
    world.update();
    let before = (world.len(), world.touching().to_vec());
    let nan = f32::NAN;
    for bad in [
        good.at([nan, 0.0]),
        good.at([0.0, f32::INFINITY]),
        good.at([0.0, -1.1e9]),
        good.turned(nan),
        good.turned(f32::NEG_INFINITY),
        good.scaled(0.0),
        good.scaled(-1.0),
        good.scaled(nan),
        good.with_frame(1),
        Collider { shape: Shape::Sprite(SpriteId::new(1000)), ..good },
    ] {
        let refused = world.insert(bad).unwrap_err();
        let expected = |e: &PlaceError| match *e {
            PlaceError::Position([x, y]) => !(x.is_finite() && y.is_finite()) || y.abs() > 1e9,
            PlaceError::Angle(_) => bad.angle != good.angle,
            PlaceError::Scale(_) => bad.scale != 1.0,
            PlaceError::UnknownFrame { frame: 1, frames: 1 } => bad.frame == 1,
            PlaceError::UnknownSprite { sprite, sprites } => {
                sprite.index() == 1000 && sprites as usize == atlas.sprites().len()
            }
            _ => false,
        };
        assert!(expected(&refused), "{bad:?}: {refused}");
        assert!(expected(&world.set(id, bad).unwrap_err()));
        assert_eq!(world.get(id), Some(good));
        world.update();
        assert_eq!((world.len(), world.touching().to_vec()), before);
    }
}

#[test]
fn a_sprite_without_pixels_touches_nothing_and_has_no_box() {
    let atlas = atlas();
    let mut world = World::new(atlas.clone());
    let empty = world.insert(Collider::new(atlas.sprite("empty").unwrap())).unwrap();
    let blank_frame = Collider::new(atlas.sprite("walk").unwrap()).with_frame(2);
    let blank = world.insert(blank_frame).unwrap();
    let hull = world.insert(Collider::new(atlas.sprite("hull").unwrap())).unwrap();
    world.update();
    assert_eq!(world.touching(), []);
    assert_eq!(world.rect(empty).or(world.rect(blank)), None);
    assert!(world.rect(hull).is_some());
    assert_eq!(world.contact(&Pair { a: empty, b: hull }), None);
}

#[test]
fn each_accuracy_reports_all_that_a_finer_one_does() {
    let atlas = atlas();
    let mut random = Random::new(77);
    let mut world = World::new(atlas.clone());
    for _ in 0..300 {
        world.insert(random_collider(&mut random, &atlas, 400)).unwrap();
    }
    let mut pairs = |accuracy| {
        world.set_accuracy(accuracy);
        world.update();
        for pair in world.touching() {
            assert!(world.contact(pair).is_some());
        }
        world.touching().to_vec()
    };
    let levels = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact].map(&mut pairs);
    for finer in levels.windows(2) {
        assert!(finer[0].len() > finer[1].len(), "there would be no need for a finer level");
        assert!(finer[1].iter().all(|pair| finer[0].binary_search(pair).is_ok()));
    }
}

#[test]
fn a_box_counts_as_solid_and_its_contact_is_the_shared_rectangle() {
    let atlas = atlas();
    let frame = Collider::new(atlas.sprite("frame").unwrap());
    let dot = Collider::new(atlas.sprite("dot").unwrap());
    let mut world = World::new(atlas);
    let (a, b) = (world.insert(frame).unwrap(), world.insert(dot.at([3.0, 4.0])).unwrap());
    world.update();
    assert_eq!(world.touching(), [], "the dot lies in the hole of the frame");
    world.set_accuracy(Accuracy::Box);
    world.update();
    assert_eq!(world.touching(), [Pair { a, b }]);
    let contact = world.contact(&Pair { a, b }).unwrap();
    assert_eq!((contact.rect, contact.area), (world.rect(b).unwrap(), 1));
}

#[test]
fn pairs_come_in_order_of_their_indices_even_where_ids_are_used_again() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..5).map(|_| world.insert(hull).unwrap()).collect();
    world.remove(ids[1]);
    world.remove(ids[3]);
    let again = world.insert(hull).unwrap();
    assert_eq!((again.index(), again.generation()), (3, 1), "the slot freed last is taken first");
    world.update();
    let order: Vec<[u32; 2]> =
        world.touching().iter().map(|p| [p.a.index(), p.b.index()]).collect();
    assert_eq!(order, [[0, 2], [0, 3], [0, 4], [2, 3], [2, 4], [3, 4]]);
    assert_eq!(world.len(), 4);
}

#[test]
fn answers_do_not_depend_on_threads() {
    // More than it takes for any part of an update to be spread over threads.
    const COUNT: usize = 40_000;
    let atlas = atlas();
    let mut random = Random::new(5);
    let colliders: Vec<Collider> =
        (0..COUNT).map(|_| random_collider(&mut random, &atlas, 5500)).collect();
    let touching = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new(atlas.clone());
            for &collider in &colliders {
                world.insert(collider).unwrap();
            }
            world.update();
            world.touching().to_vec()
        })
    };
    let one = touching(1);
    assert!(one.len() > 10_000, "{} touch", one.len());
    for threads in [2, 5, 16, 32] {
        assert!(touching(threads) == one, "{threads} threads");
    }
}

#[test]
fn an_update_in_parts_finds_what_an_update_finds() {
    let atlas = atlas();
    let mut random = Random::new(13);
    let mut world = World::new(atlas.clone());
    let mut ids = Vec::new();
    for _ in 0..500 {
        let collider = random_collider(&mut random, &atlas, 400);
        ids.push(world.insert(with_rules(&mut random, collider)).unwrap());
    }
    let mut in_parts = world.clone();
    for round in 0..3 {
        world.update();
        let parts = in_parts.update_measured();
        assert_eq!(in_parts.touching(), world.touching(), "{round}");
        assert_eq!(in_parts.began(), world.began(), "{round}");
        assert_eq!(in_parts.ended(), world.ended(), "{round}");
        assert_eq!(in_parts.validate(), Ok(()));
        // Whose boxes overlap, but for two that are fixed.
        let boxes: Vec<(Rect, bool)> = world
            .iter()
            .filter_map(|(id, collider)| Some((world.rect(id)?, collider.fixed)))
            .collect();
        let near = |(i, a): (usize, &(Rect, bool))| {
            let meets = |b: &&(Rect, bool)| a.0.intersection(b.0).is_some() && !(a.1 && b.1);
            boxes[i + 1..].iter().filter(meets).count()
        };
        assert_eq!(parts.pairs, boxes.iter().enumerate().map(near).sum::<usize>());
        assert!(world.touching().len() > 50 && (round == 0 || !world.ended().is_empty()));
        for &id in ids.iter().step_by(5) {
            let collider = random_collider(&mut random, &atlas, 400);
            world.set(id, collider).unwrap();
            in_parts.set(id, collider).unwrap();
        }
    }
}

#[test]
fn what_is_near_is_found_however_it_changed_since_the_update() {
    let atlas = atlas();
    for seed in 0..6 {
        let mut random = Random::new(100 + seed);
        let mut world = World::new(atlas.clone());
        for round in 0..12 {
            for _ in 0..30 {
                let collider = random_collider(&mut random, &atlas, 200);
                world.insert(with_rules(&mut random, collider)).unwrap();
            }
            if round % 3 == 1 {
                world.update();
            }
            let ids: Vec<ColliderId> = world.ids().collect();
            for _ in 0..10 {
                let id = ids[random.below(ids.len() as u32) as usize];
                let collider = random_collider(&mut random, &atlas, 200);
                let collider = with_rules(&mut random, collider);
                // It may have been removed a moment ago.
                if random.below(3) == 0 {
                    let _ = world.remove(id);
                } else {
                    let _ = world.set(id, collider);
                }
            }
            if round % 4 == 3 {
                let ids: Vec<ColliderId> = world.ids().collect();
                let places: Vec<Place> = ids
                    .iter()
                    .map(|&id| world.get(id).unwrap())
                    .map(|c| Place { position: c.position.map(|p| p + 9.0), angle: c.angle })
                    .collect();
                world.place_many(&ids, &places).unwrap();
            }
            for _ in 0..20 {
                let (x, y) = (random.within(-200, 200), random.within(-200, 200));
                let rect = Rect::new(x, y, x + random.within(1, 90), y + random.within(1, 90));
                let meets = |id: &ColliderId| {
                    world.rect(*id).is_some_and(|r| r.intersection(rect).is_some())
                };
                let truth: Vec<ColliderId> = world.ids().filter(meets).collect();
                let mut found = vec![ids[0]];
                world.near(rect, &mut found);
                assert_eq!(found, truth);
            }
        }
    }
}

#[test]
fn who_changes_again_and_again_is_found_each_time() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let place = |x: usize, y: usize| [200.0 * x as f32, 200.0 * y as f32];
    let ids: Vec<ColliderId> =
        (0..300).map(|i| world.insert(hull.at(place(i, 0))).unwrap()).collect();
    for round in 1..4 {
        world.update();
        for i in [0, 63, 64, 65, 127, 128, 199, 299] {
            world.set(ids[i], hull.at(place(i, round))).unwrap();
            assert_eq!(world.query_point(place(i, round), Filter::ALL).unwrap(), [ids[i]]);
            assert_eq!(world.query_point(place(i, round - 1), Filter::ALL).unwrap(), []);
        }
        // So few of many are no reason to look at all.
        let position = place(200, round);
        world.place_many(&[ids[200]], &[Place { position, angle: Angle::Turn(0) }]).unwrap();
        assert_eq!(world.query_point(position, Filter::ALL).unwrap(), [ids[200]]);
    }
}

#[test]
fn layers_alone_leave_out_the_pairs_that_may_not_meet_and_no_others() {
    let atlas = atlas();
    let mut random = Random::new(11);
    let (mut plain, mut layered) = (World::new(atlas.clone()), World::new(atlas.clone()));
    for i in 0..900 {
        let mut collider = random_collider(&mut random, &atlas, 250);
        collider.fixed = i % 9 == 0;
        plain.insert(collider).unwrap();
        let (layers, collides_with) = match random.below(3) {
            0 => (2, !2),
            1 => (4, 0b10),
            _ => (collider.layers, collider.collides_with),
        };
        layered.insert(Collider { layers, collides_with, ..collider }).unwrap();
    }
    plain.update();
    layered.update();
    let meets = |pair: &&Pair| {
        let [a, b] = [pair.a, pair.b].map(|id| layered.get(id).unwrap());
        a.layers & b.collides_with != 0 && b.layers & a.collides_with != 0
    };
    let truth: Vec<Pair> = plain.touching().iter().filter(meets).copied().collect();
    assert_eq!(layered.touching(), truth);
    assert!(truth.len() > 200 && plain.touching().len() > truth.len() + 200);
}

#[test]
fn who_may_not_meet_is_known_whoever_came_first() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let looks = [(1, u32::MAX), (2, 2), (2, u32::MAX)].map(|(l, c)| hull.on_layers(l, c));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        // One after the other, so that each is the last that came.
        let mut world = World::new(atlas.clone());
        for look in order.map(|i| looks[i]) {
            world.insert(look).unwrap();
            hold_against_brute_force(&mut world, &atlas);
        }
        assert_eq!(world.touching().len(), 2, "{order:?}");
    }
}

#[test]
fn placing_many_is_placing_each() {
    let atlas = atlas();
    // Moving sprites alone go together; with all kinds some are looked at one by one.
    for all_kinds in [true, false] {
        let mut random = Random::new(8);
        let mut one_by_one = World::new(atlas.clone());
        for _ in 0..700 {
            let collider = random_collider(&mut random, &atlas, 300);
            let ruled = with_rules(&mut random, collider);
            one_by_one.insert(if all_kinds { ruled } else { collider }).unwrap();
        }
        if all_kinds {
            let mask = one_by_one.insert_mask("##\n.#\n".parse().unwrap(), Pivot::Center).unwrap();
            one_by_one.insert(Collider::from_mask(mask)).unwrap();
        }
        let mut many = one_by_one.clone();
        let mut ids: Vec<ColliderId> = many.ids().collect();
        for round in 0..6 {
            if round % 2 == 1 {
                // In no order, and some of them twice.
                ids.reverse();
                ids.extend_from_within(..50);
            }
            let mut places: Vec<Place> = ids
                .iter()
                .map(|_| random_collider(&mut random, &atlas, 300))
                .map(|c| Place { position: c.position, angle: c.angle })
                .collect();
            if round == 0 || round == 2 {
                // So many turns are not worked out beside others.
                places[400].angle = Angle::Radians(-7e8);
            }
            for (&id, place) in ids.iter().zip(&mut places) {
                if many.get(id).unwrap().shape.sprite().is_none() {
                    place.angle = Angle::Turn(0);
                }
            }
            many.place_many(&ids, &places).unwrap();
            for (&id, place) in ids.iter().zip(&places) {
                let Place { position, angle } = *place;
                one_by_one
                    .set(id, Collider { position, angle, ..one_by_one.get(id).unwrap() })
                    .unwrap();
            }
            assert!(many.iter().eq(one_by_one.iter()));
            assert!(ids.iter().all(|&id| many.rect(id) == one_by_one.rect(id)));
            many.update();
            one_by_one.update();
            assert_eq!(many.touching(), one_by_one.touching());
            assert!(many.touching().len() > 100);
        }
    }
}

#[test]
fn placing_very_many_on_several_cores_is_placing_each() {
    let atlas = atlas();
    let sprites = ["hull", "dot", "fighter"].map(|name| atlas.sprite(name).unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> =
        (0..20_000).map(|i| world.insert(Collider::new(sprites[i % 3])).unwrap()).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let mut random = Random::new(6);
    let fixed = ids[7777];
    // All of them in a row, with gaps between, out of order in several ways, with one that is fixed.
    for round in 0..7 {
        let some = ids.iter().enumerate().filter(|(i, _)| round != 1 || i % 17 != 0);
        let mut some: Vec<ColliderId> = some.map(|(_, id)| *id).collect();
        match round {
            2 => some.rotate_left(10_000),
            3 => some[..512].rotate_left(256),
            4 => some.swap(100, 101),
            // Twice, where the part of one core ends.
            5 => some[10_000] = some[9_999],
            _ => {}
        }
        world.set(fixed, Collider { fixed: round == 6, ..world.get(fixed).unwrap() }).unwrap();
        let places = some.iter().map(|_| Place {
            position: [random.unit() * 9000.0, random.unit() * 9000.0],
            angle: Angle::Turn(random.bits() as u16),
        });
        let places: Vec<Place> = places.collect();
        let mut one_by_one = world.clone();
        pool.install(|| world.place_many(&some, &places)).unwrap();
        for (&id, &Place { position, angle }) in some.iter().zip(&places) {
            let collider = one_by_one.get(id).unwrap();
            one_by_one.set(id, Collider { position, angle, ..collider }).unwrap();
        }
        assert!(world.iter().eq(one_by_one.iter()));
        assert!(ids.iter().all(|&id| world.rect(id) == one_by_one.rect(id)));
        assert_eq!(world.validate(), Ok(()), "{round}");
    }
}

#[test]
fn a_collider_that_is_named_twice_stays_at_its_last_place() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..4).map(|_| world.insert(hull).unwrap()).collect();
    let at = |x: f32| Place { position: [x, 0.0], angle: Angle::Turn(0) };
    // From the first to the last as many slots as there are places.
    world.place_many(&[ids[1], ids[1], ids[3]], &[at(10.0), at(20.0), at(30.0)]).unwrap();
    let places = ids.iter().map(|&id| world.get(id).unwrap().position[0]);
    assert_eq!(places.collect::<Vec<_>>(), [0.0, 20.0, 0.0, 30.0]);
    assert_ne!(world.rect(ids[3]), world.rect(ids[2]));
}

#[test]
fn one_bad_place_among_very_many_is_found_and_nothing_moves() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..900).map(|_| world.insert(hull).unwrap()).collect();
    let good = Place { position: [5.0, 5.0], angle: Angle::Radians(2.0) };
    let before: Vec<_> = world.iter().collect();
    for index in [0, 255, 256, 700, 899] {
        for (bad, cause) in [
            ([f32::NAN, 0.0], None),
            ([0.0, -1.1e9], Some(PlaceError::Position([0.0, -1.1e9]))),
            ([f32::INFINITY, 0.0], Some(PlaceError::Position([f32::INFINITY, 0.0]))),
        ] {
            let mut places = vec![good; ids.len()];
            places[index].position = bad;
            let refused = world.place_many(&ids, &places).unwrap_err();
            assert_eq!(refused.index, index);
            assert!(cause.is_none_or(|cause| refused.cause == cause));
            assert!(world.iter().eq(before.iter().copied()));
        }
        let mut places = vec![good; ids.len()];
        places[index].angle = Angle::Radians(f32::NAN);
        assert_eq!(world.place_many(&ids, &places).unwrap_err().index, index);
        // An id of before, and another's.
        let mut others = ids.clone();
        let gone = world.insert(hull).unwrap();
        world.remove(gone);
        others[index] = gone;
        let refused = world.place_many(&others, &vec![good; ids.len()]).unwrap_err();
        assert_eq!(refused, PlaceManyError { index, cause: PlaceError::Stale(gone) });
        assert!(world.iter().eq(before.iter().copied()));
    }
    world.place_many(&ids, &vec![good; ids.len()]).unwrap();
    assert_eq!(world.get(ids[899]).unwrap().position, good.position);
    // A slot that is free is no one's, among those of all.
    world.remove(ids[300]).unwrap();
    let refused = world.place_many(&ids, &vec![good; ids.len()]).unwrap_err();
    assert_eq!(refused, PlaceManyError { index: 300, cause: PlaceError::Stale(ids[300]) });
}

#[test]
fn of_several_bad_places_the_first_is_told_on_any_number_of_threads() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..40_000).map(|_| world.insert(hull).unwrap()).collect();
    let good = Place { position: [5.0, 5.0], angle: Angle::Radians(2.0) };
    // Each with a fault of its own.
    let mut bad = vec![good; ids.len()];
    bad[100].position = [-2e9, 0.0];
    bad[20_000].angle = Angle::Radians(f32::INFINITY);
    bad[39_999].position = [0.0, 3e9];
    let faults = [
        (100, PlaceError::Position([-2e9, 0.0])),
        (20_000, PlaceError::Angle(Angle::Radians(f32::INFINITY))),
        (39_999, PlaceError::Position([0.0, 3e9])),
    ];
    for threads in [1, 2, 5, 32] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut places = bad.clone();
        for (index, cause) in faults.clone() {
            let refused = pool.install(|| world.place_many(&ids, &places));
            assert_eq!(refused, Err(PlaceManyError { index, cause }), "{threads} threads");
            assert!(world.iter().all(|(_, collider)| collider == hull), "nobody has moved");
            places[index] = good;
        }
        let mut moved = world.clone();
        pool.install(|| moved.place_many(&ids, &places)).unwrap();
        let there = hull.at(good.position).turned(good.angle);
        assert!(moved.iter().all(|(_, collider)| collider == there));
    }
}

#[test]
fn placing_many_is_refused_as_a_whole() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..9).map(|_| world.insert(hull).unwrap()).collect();
    let gone = world.insert(hull).unwrap();
    world.remove(gone);
    let ground = world.insert_mask("##".parse().unwrap(), Pivot::Center).unwrap();
    let ground_id = world.insert(Collider::from_mask(ground)).unwrap();
    let good = Place { position: [5.0, 5.0], angle: Angle::Turn(9) };
    let cases = [
        (gone, good, PlaceError::Stale(gone)),
        (ids[3], Place { position: [1e10, 0.0], ..good }, PlaceError::Position([1e10, 0.0])),
        (
            ids[3],
            Place { angle: Angle::Radians(f32::INFINITY), ..good },
            PlaceError::Angle(Angle::Radians(f32::INFINITY)),
        ),
        (ground_id, good, PlaceError::PosedMask(ground)),
    ];
    let before: Vec<_> = world.iter().collect();
    for (id, place, cause) in cases {
        let refused = world.place_many(&[ids[0], ids[1], id, ids[2]], &[good, good, place, good]);
        assert_eq!(refused, Err(PlaceManyError { index: 2, cause }));
        assert!(world.iter().eq(before.iter().copied()));
    }
    let unknown = hull.with_frame(7);
    let refused =
        world.set_many([(ids[0], hull.at([1.0, 1.0])), (ids[1], unknown), (ids[2], unknown)]);
    assert_eq!(refused.unwrap_err().index, 1);
    assert_eq!(world.get(ids[0]).unwrap().position, [1.0, 1.0]);
}

#[test]
fn setting_many_is_setting_each() {
    let atlas = atlas();
    let mut random = Random::new(12);
    let mut one_by_one = World::new(atlas.clone());
    for _ in 0..300 {
        one_by_one.insert(random_collider(&mut random, &atlas, 200)).unwrap();
    }
    let mut many = one_by_one.clone();
    let untouched = many.ids().next().unwrap();
    let before = many.get(untouched);
    // In no order, and some of them twice: the last holds.
    let mut ids: Vec<ColliderId> = many.ids().skip(1).collect();
    ids.reverse();
    ids.extend_from_within(1..41);
    let changes: Vec<(ColliderId, Collider)> = ids
        .iter()
        .map(|&id| {
            let collider = random_collider(&mut random, &atlas, 200);
            (id, with_rules(&mut random, collider))
        })
        .collect();
    many.set_many(changes.iter().copied()).unwrap();
    for (id, collider) in &changes {
        one_by_one.set(*id, *collider).unwrap();
    }
    assert!(many.iter().eq(one_by_one.iter()));
    let [first, twice] = [0, 299].map(|change| Some(changes[change].1));
    assert_eq!((many.get(ids[0]), many.get(ids[1])), (first, twice));
    assert_eq!(many.get(untouched), before);
    many.set_many([]).unwrap();
    assert!(hold_against_brute_force(&mut many, &atlas) > 50);
}

#[test]
fn a_world_tells_what_it_holds_and_how_closely_it_looks() {
    let atlas = atlas();
    let mut world = World::new(atlas.clone());
    assert_eq!((world.is_empty(), world.len(), world.accuracy()), (true, 0, Accuracy::Exact));
    let id = world.insert(Collider::new(atlas.sprite("hull").unwrap())).unwrap();
    assert_eq!((world.is_empty(), world.len()), (false, 1));
    world.remove(id);
    assert_eq!((world.is_empty(), world.len()), (true, 0));
    for accuracy in [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact] {
        world.set_accuracy(accuracy);
        assert_eq!(world.accuracy(), accuracy);
        assert_eq!(world.clone().accuracy(), accuracy);
    }
}

#[test]
fn an_update_that_is_measured_finds_what_any_other_finds() {
    let atlas = atlas();
    let mut random = Random::new(21);
    let mut world = World::new(atlas.clone());
    for _ in 0..400 {
        let collider = random_collider(&mut random, &atlas, 300);
        world.insert(with_rules(&mut random, collider)).unwrap();
    }
    let mut measured = world.clone();
    let ids: Vec<ColliderId> = world.ids().collect();
    for _ in 0..4 {
        world.update();
        let parts = measured.update_measured();
        assert_eq!(measured.touching(), world.touching());
        assert_eq!((measured.began(), measured.ended()), (world.began(), world.ended()));
        assert_eq!(measured.validate(), Ok(()));
        // Pairs whose boxes overlap, before layers are looked at; fixed ones do not meet.
        let all: Vec<(Collider, Option<Rect>)> =
            world.iter().map(|(id, collider)| (collider, world.rect(id))).collect();
        let meet = |(a, first): &(Collider, Option<Rect>), (b, second): &(Collider, _)| {
            let shared = first.zip(*second).and_then(|(a, b): (Rect, Rect)| a.intersection(b));
            !(a.fixed && b.fixed) && shared.is_some()
        };
        let boxes: usize = (0..all.len())
            .map(|i| all[i + 1..].iter().filter(|other| meet(&all[i], other)).count())
            .sum();
        assert_eq!(parts.pairs, boxes);
        assert!(boxes > world.touching().len() && !world.touching().is_empty());
        for &id in ids.iter().step_by(3) {
            let collider = random_collider(&mut random, &atlas, 300);
            world.set(id, collider).unwrap();
            measured.set(id, collider).unwrap();
        }
    }
}

#[test]
fn masks_made_at_run_time_collide_and_can_be_edited() {
    let atlas = atlas();
    let dot = Collider::new(atlas.sprite("dot").unwrap());
    let mut world = World::new(atlas);
    let filled = Mask::from_alpha(100, 50, &[255; 5000], AlphaRule::default()).unwrap();
    let ground = world.insert_mask(filled.clone(), Pivot::HalfTexels(0, 0)).unwrap();
    let here = world.insert(Collider::from_mask(ground).at([10.0, 20.0]).fixed()).unwrap();
    let there = world.insert(Collider::from_mask(ground).at([500.0, 20.0])).unwrap();
    let bullet = world.insert(dot.at([30.0, 40.0])).unwrap();
    assert_eq!(world.rect(here), Some(Rect::new(10, 20, 110, 70)));
    world.update();
    let pair = Pair { a: here, b: bullet };
    assert_eq!(world.touching(), [pair]);
    let hit = world.contact(&pair).unwrap();
    assert_eq!(hit.area, world.rect(bullet).unwrap().area());

    // Where the bullet went nothing is left, of either.
    let copy = world.clone();
    let rect = world.rect(bullet).unwrap();
    world
        .edit_mask(ground, |mask| {
            for (x, y) in (rect.x0..rect.x1).flat_map(|x| (rect.y0..rect.y1).map(move |y| (x, y))) {
                mask.set((x - 10) as u32, (y - 20) as u32, false);
            }
        })
        .unwrap();
    world.update();
    assert_eq!((world.touching(), world.ended()), (&[][..], &[pair][..]));
    assert_eq!(copy.mask(ground), Some(&filled), "a clone keeps its own");
    assert_eq!(copy.contact(&pair), Some(hit));

    // The box follows what is left, for all who show it.
    world.edit_mask(ground, |mask| *mask = "....\n..#.\n".parse().unwrap());
    assert_eq!(world.rect(here), Some(Rect::new(12, 21, 13, 22)));
    assert_eq!(world.rect(there), Some(Rect::new(502, 21, 503, 22)));
    world.set(bullet, dot.at([12.0, 21.0])).unwrap();
    world.update();
    assert_eq!(world.touching(), [pair]);
    world.edit_mask(ground, |mask| *mask = Mask::new(3, 3).unwrap());
    assert_eq!(world.rect(here), None);
    world.update();
    assert_eq!(world.touching(), []);
}

#[test]
fn masks_made_at_run_time_keep_to_the_least_overlap() {
    let mut world = World::new(atlas());
    let masks = ["####\n####", "#.\n.#", ".#\n#."].map(|text| text.parse::<Mask>().unwrap());
    let [block, falling, rising] =
        masks.map(|mask| world.insert_mask(mask, Pivot::HalfTexels(0, 0)).unwrap());
    let mut touch = |a, b, at: [f32; 2], min_overlap| {
        let [a, b] = [Collider::from_mask(a), Collider::from_mask(b).at(at)]
            .map(|collider| world.insert(Collider { min_overlap, ..collider }).unwrap());
        world.update();
        let (pair, touched) = (world.touching() == [Pair { a, b }], world.touched_by(a) == [b]);
        assert_eq!(pair, touched, "an update and a question agree");
        // The last that goes leaves the slot that is taken first.
        world.remove(b);
        world.remove(a);
        touched
    };
    // Four pixels in common.
    let met = [0, 1, 3, 4, 5].map(|least| touch(block, block, [2.0, 0.0], least));
    assert_eq!(met, [true, true, true, true, false]);
    // Boxes in common, and no pixel.
    let met = [0, 1, 2].map(|least| touch(falling, rising, [0.0, 0.0], least));
    assert_eq!(met, [false; 3]);
}

#[test]
fn a_mask_made_at_run_time_tells_whether_its_pivot_is_amid_a_pixel() {
    let mut world = World::new(atlas());
    for pivot in [-3, 0, 1, 4, 7] {
        let mask = world.insert_mask("##".parse().unwrap(), Pivot::HalfTexels(pivot, 2)).unwrap();
        let id = world.insert(Collider::from_mask(mask).at([50.0, 60.0])).unwrap();
        assert_eq!(world.posed(id).unwrap().pivot2, pivot.rem_euclid(2), "{pivot}");
    }
}

#[test]
fn masks_are_refused_where_they_cannot_be_shown_and_never_mistaken() {
    let atlas = atlas();
    let mut world = World::new(atlas);
    let dot = || "#".parse::<Mask>().unwrap();
    let far = world.insert_mask(dot(), Pivot::HalfTexels(1 << 20, 0));
    assert!(matches!(far, Err(PlaceError::Pose(_))));
    let mask = world.insert_mask(dot(), Pivot::Center).unwrap();
    let good = Collider::from_mask(mask);
    let id = world.insert(good).unwrap();
    for bad in [good.turned(0.1), good.scaled(2.0), good.flipped(true, false), good.with_frame(1)] {
        assert_eq!(world.insert(bad), Err(PlaceError::PosedMask(mask)));
        assert_eq!(world.set(id, bad), Err(PlaceError::PosedMask(mask)));
    }
    assert_eq!(world.remove_mask(mask), Err(PlaceError::MaskInUse(mask)));
    world.remove(id);
    assert_eq!(world.remove_mask(mask), Ok(dot()));
    assert_eq!(world.remove_mask(mask), Err(PlaceError::UnknownMask(mask)));
    let again = world.insert_mask(dot(), Pivot::Center).unwrap();
    assert_eq!((again.index(), again.generation()), (0, 1));
    assert_eq!(world.insert(good), Err(PlaceError::UnknownMask(mask)));
    assert_eq!(world.edit_mask(mask, |_| ()), None);
    assert_eq!(world.mask(mask), None);
    assert!(world.insert(Collider::from_mask(again)).is_ok());
}

#[test]
fn a_veto_takes_a_pair_out_of_touching_and_of_events() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> =
        (0..3).map(|i| world.insert(hull.on_layers(1 << i, !0)).unwrap()).collect();
    world.update();
    assert_eq!(world.touching().len(), 3);
    let mut asked = Vec::new();
    world.update_with(|pair, a, b| {
        asked.push((a.layers, b.layers));
        *pair != Pair { a: ids[0], b: ids[2] }
    });
    assert_eq!(asked, [(1, 2), (1, 4), (2, 4)]);
    assert_eq!(world.ended(), [Pair { a: ids[0], b: ids[2] }]);
    world.update();
    assert_eq!(world.began(), [Pair { a: ids[0], b: ids[2] }]);
}
