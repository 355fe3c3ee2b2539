//! The world against brute force over the naive truth, through random sequences of every
//! operation.

use hitmask::{
    Accuracy, Angle, Atlas, Bake, Collider, ColliderId, Contact, MAX_POSITION, Pair, PlaceError,
    Point, SpriteId, World, naive,
};
use hitmask_sprites::{Random, all};

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

/// Where a collider's posed mask lies, worked out from the atlas by hand.
fn placed<'a>(atlas: &'a Atlas, collider: &Collider) -> (hitmask::PosedRef<'a>, Point) {
    let sprite = atlas.get(collider.sprite).unwrap();
    let pose = sprite.nearest(collider.angle, collider.scale).unwrap();
    let posed = sprite.posed(collider.frame, pose, collider.flip_x, collider.flip_y).unwrap();
    let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
    (posed, Point::new(x + posed.origin.x, y + posed.origin.y))
}

fn naive_contact(atlas: &Atlas, a: &Collider, b: &Collider) -> Option<Contact> {
    let ((a, at_a), (b, at_b)) = (placed(atlas, a), placed(atlas, b));
    let found = naive::contact(a.mask, b.mask, [at_b.x - at_a.x, at_b.y - at_a.y])?;
    let point = Point::new(found.point.x + at_a.x, found.point.y + at_a.y);
    Some(Contact { rect: found.rect.translated(at_a), point, ..found })
}

/// Updates, and compares every pair with the truth.
fn hold_against_brute_force(world: &mut World, atlas: &Atlas) -> usize {
    world.update();
    let all: Vec<(ColliderId, Collider)> = world.iter().map(|(id, c)| (id, *c)).collect();
    assert_eq!(all.len(), world.len());
    let mut truth = Vec::new();
    for (i, &(a, first)) in all.iter().enumerate() {
        for &(b, second) in &all[i + 1..] {
            let contact = naive_contact(atlas, &first, &second);
            assert_eq!(world.contact(&Pair { a, b }), contact, "{first:?}\n{second:?}");
            truth.extend(contact.map(|_| Pair { a, b }));
        }
    }
    assert_eq!(world.touching(), truth);
    truth.len()
}

#[test]
fn random_operations_agree_with_brute_force() {
    let atlas = atlas();
    let mut touches = 0;
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut world = World::new(atlas.clone());
        let mut live: Vec<(ColliderId, Collider)> = Vec::new();
        let mut dead: Vec<ColliderId> = Vec::new();
        for _ in 0..8 {
            for _ in 0..25 {
                let collider = random_collider(&mut random, &atlas, 200);
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
                assert_eq!(world.get(*id), Some(collider));
            }
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
        Collider { sprite: SpriteId::new(1000), ..good },
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
        assert_eq!(world.get(id), Some(&good));
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
    let atlas = atlas();
    let mut random = Random::new(5);
    let colliders: Vec<Collider> =
        (0..3000).map(|_| random_collider(&mut random, &atlas, 1500)).collect();
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
    assert!(one.len() > 1000);
    for threads in [2, 3, 8, 16] {
        assert_eq!(touching(threads), one, "{threads} threads");
    }
}
