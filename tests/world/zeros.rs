//! Numbers that compare as equal give one state, and both sides of a pair opposite normals.

use hitmask::{
    Accuracy, Affine, Angle, AtlasBuilder, Collider, Mask, Pair, Placement, Settings, Side, World,
};
use hitmask_scenes::{Random, open, overlap, rebuilt, solid, world_of};

fn world() -> (World, Collider) {
    let bake = AtlasBuilder::new().mask("ship", "##.\n###".parse().unwrap());
    let atlas = open(&bake);
    let ship = Collider::new(atlas.sprite_id("ship").unwrap());
    (World::new(atlas), ship)
}

#[test]
fn a_zero_of_either_sign_and_unit_gives_one_state_however_it_is_set() {
    let zeros: [(f32, Angle); 5] = [
        (0.0, 0.0.into()),
        (-0.0, 0.0.into()),
        (0.0, (-0.0).into()),
        (-0.0, Angle::radians(-0.0)),
        (-0.0, Angle::turn(0)),
    ];
    let mut states = Vec::new();
    for (zero, angle) in zeros {
        assert_eq!(angle, Angle::default());
        let position = [zero, zero];
        let (empty, ship) = world();
        let there = ship.at([7.0, 8.0]).turned(1.0);
        let mut inserted = empty.clone();
        inserted.insert(ship.at(position).turned(angle)).unwrap();
        let mut placed = [(); 4].map(|()| empty.clone());
        let ids = placed.each_mut().map(|world| world.insert(there).unwrap());
        let [set, moved, bulk, posed] = &mut placed;
        set.set(ids[0], ship.at(position).turned(angle)).unwrap();
        moved.set(ids[1], there.turned(angle)).unwrap();
        moved.move_to(ids[1], position).unwrap();
        bulk.set_placements(&[ids[2]], &[Placement { position, angle }]).unwrap();
        posed.place(ids[3], position, angle, 1.0).unwrap();
        for world in placed.iter_mut().chain([&mut inserted]) {
            world.update();
            let restored = rebuilt(world);
            assert_eq!(restored.snapshot(), world.snapshot());
            let mut earlier = empty.clone();
            earlier.restore(&world.snapshot()).unwrap();
            states.extend([world, &restored, &earlier].map(|world| world.state_hash()));
        }
    }
    assert!(states.iter().all(|state| *state == states[0]), "{states:x?}");
}

#[test]
fn a_transform_with_a_zero_of_either_sign_gives_one_state() {
    let state = |zero: f64| {
        let (mut world, ship) = world();
        let transform = Affine { a: 2.0, b: zero, c: zero, d: 1.0, tx: zero, ty: zero };
        let raster = world.sprite(ship.shape.sprite().unwrap()).unwrap().raster(0).unwrap();
        world.masks_mut().insert_drawn(raster, transform).unwrap();
        world.state_hash()
    };
    assert_eq!(state(0.0), state(-0.0));
}

#[test]
fn both_colliders_of_a_pair_have_opposite_normals() {
    let mut random = Random::new(61);
    let (mut level, mut pairs) = (0, 0);
    for round in 0..60 {
        let mask = |random: &mut Random| {
            let mut mask = Mask::new(1 + random.below(5), 1 + random.below(5)).unwrap();
            if random.below(2) == 0 {
                mask.fill();
            }
            mask.set(0, 0, true);
            mask
        };
        let settings = Settings { angles: 4, ..Settings::default() };
        let mut bake = AtlasBuilder::new().settings(settings);
        for name in ["a", "b", "c"] {
            bake = bake.mask(name, mask(&mut random));
        }
        let atlas = open(&bake);
        let mut world = World::new(atlas.clone());
        for _ in 0..12 {
            let sprite = atlas.sprites().nth(random.below(3) as usize).unwrap().id();
            let at = [random.below(4) as f32, random.below(4) as f32];
            let accuracy = [Accuracy::Exact, Accuracy::Box][random.below(2) as usize];
            world.insert(Collider { accuracy, ..Collider::new(sprite).at(at) }).unwrap();
        }
        world.update();
        for &Pair { a, b } in world.touching() {
            pairs += 1;
            let opposite = |normal: [f32; 2]| normal.map(|part| -part);
            let sides = |side: Side| match side {
                Side::Below => Side::Above,
                Side::Above => Side::Below,
                Side::Left => Side::Right,
                Side::Right => Side::Left,
            };
            let forth = world.pair(Pair { a, b }).unwrap();
            let back = world.pair(Pair { a: b, b: a }).unwrap();
            let normals = [&forth, &back]
                .map(|touch| [a, b].map(|id| <[f32; 2]>::from(touch.normal_of(id).unwrap())));
            assert_eq!(normals[0], normals[1], "round {round}");
            assert_eq!(normals[0][0], opposite(normals[0][1]), "round {round}");
            assert_eq!(forth.side_of(a), forth.side_of(b).map(sides));
            // Both orders of the pixels too, with the ways out.
            let overlaps = [overlap(&world, Pair { a, b }), overlap(&world, Pair { a: b, b: a })];
            let [Some(one), Some(other)] = overlaps else { continue };
            assert_eq!(<[f32; 2]>::from(one.normal()), opposite(other.normal().into()));
            assert_eq!(one.push_out(), hitmask::Point::default() - other.push_out());
            level += usize::from(one.contact().rect == world.rect(a).unwrap());
        }
    }
    assert!(pairs > 1000 && level > 100, "{pairs} {level}");
}

#[test]
fn two_equal_sprites_at_one_place_are_below_and_above_each_other() {
    let (mut world, sprite) =
        world_of(open(&AtlasBuilder::new().mask("crate", solid(2, 2))), "crate");
    let [a, b] = [(); 2].map(|()| world.insert(sprite).unwrap());
    world.update();
    let touch = world.pair(world.touching()[0]).unwrap();
    let normal = |id| <[f32; 2]>::from(touch.normal_of(id).unwrap());
    assert_eq!([normal(a), normal(b)], [[0.0, -1.0], [0.0, 1.0]]);
    assert_eq!([a, b].map(|id| touch.side_of(id)), [Some(Side::Below), Some(Side::Above)]);
}
