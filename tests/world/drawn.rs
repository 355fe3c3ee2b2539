//! Runtime masks that are drawn from a sprite under a transform.

use hitmask::{
    Affine, Angle, AtlasBuilder, CallError, Collider, Flip, Mask, Pivot, Raster, Rect, Sampling,
    World,
};
use hitmask_scenes::{Random, named, open, solid};

fn world() -> World {
    world_at(1.0)
}

fn world_at(resolution: f32) -> World {
    let bake = AtlasBuilder::new().resolution(resolution).mask("dot", "#".parse().unwrap());
    World::new(open(&bake))
}

fn raster(sampling: Sampling) -> Raster {
    let ship = named("fighter");
    Raster::new(&ship.mask(), Pivot::Center, sampling).unwrap()
}

fn random_transform(random: &mut Random) -> Affine {
    let mut number = |least: i32, most: i32| random.within(least * 64, most * 64) as f32 / 64.0;
    Affine::translation([number(-40, 40), number(-40, 40)])
        * Affine::rotation(number(-4, 4))
        * Affine::scale([number(-2, 3), number(-2, 3)])
        * Affine::rotation(number(-4, 4))
}

#[test]
fn a_drawn_sprite_lies_where_its_baked_pose_does() {
    for (width, height) in [(5, 5), (6, 6), (5, 6), (6, 5), (1, 2)] {
        let solid = solid(width, height);
        for (resolution, flip) in
            [(0.5, Flip::NONE), (1.0, Flip::X), (2.0, Flip::Y), (4.0, Flip::XY)]
        {
            let bake =
                AtlasBuilder::new().resolution(resolution).angles(4).mask("card", solid.clone());
            let atlas = open(&bake);
            let card = Collider::new(atlas.sprite_id("card").unwrap()).at([7.0, -4.0]);
            let mut world = World::new(atlas);
            for quarters in 0..4_u16 {
                let turned = card.turned(Angle::turn(quarters << 14)).flipped(flip);
                let baked = world.insert(turned).unwrap();
                let raster = Raster::new(&solid, Pivot::Center, Sampling::Nearest).unwrap();
                let mirror =
                    [flip.x, flip.y].map(|is_mirrored| if is_mirrored { -1.0 } else { 1.0 });
                let turn = Affine::rotation(f32::from(quarters) * std::f32::consts::FRAC_PI_2);
                let mask =
                    world.masks_mut().insert_drawn(raster, turn * Affine::scale(mirror)).unwrap();
                let drawn = world.insert(Collider::from_mask(mask).at([7.0, -4.0])).unwrap();
                let at = format!("{width}x{height} at {resolution}, {quarters} turns, {flip:?}");
                assert_eq!(world.posed(drawn), world.posed(baked), "{at}");
            }
        }
    }
}

#[test]
fn a_redrawn_mask_keeps_its_transform() {
    let mut random = Random::new(11);
    let mut hull = named("fighter").mask();
    let drawn = |hull: &Mask| Raster::new(hull, Pivot::Center, Sampling::Nearest).unwrap();
    for resolution in [1.0, 2.0] {
        let mut world = world_at(resolution);
        let mut transform = random_transform(&mut random);
        let mask = world.masks_mut().insert_drawn(drawn(&hull), transform).unwrap();
        let ids = [[0.0; 2], [30.0, 7.0]]
            .map(|at| world.insert(Collider::from_mask(mask).at(at)).unwrap());
        for turn in 0..12 {
            let (x, y) = (random.within(0, 40), random.within(0, 40));
            hull.fill_rect(Rect::new(x, y, x + 6, y + 6), false);
            world.masks_mut().redraw(mask, drawn(&hull)).unwrap();
            if turn % 3 == 2 {
                transform = random_transform(&mut random);
                world.masks_mut().transform(mask, transform).unwrap();
            }
            // A mask that is drawn anew.
            let fresh = world.masks_mut().insert_drawn(drawn(&hull), transform).unwrap();
            for id in ids {
                let shown = world.get(id).unwrap();
                let truth = Collider { shape: Collider::from_mask(fresh).shape, ..shown };
                let truth = world.insert(truth).unwrap();
                assert_eq!(world.posed(id), world.posed(truth));
                world.remove(truth).unwrap();
            }
            world.masks_mut().remove(fresh).unwrap();
            world.validate().unwrap();
            world.update();
        }
        // A refused raster changes nothing.
        let before = world.snapshot();
        let mut long = Mask::new(16_000, 1).unwrap();
        long.fill();
        let long = drawn(&long);
        let wide = Affine::scale([9.0, 1.0]);
        world.masks_mut().transform(mask, wide).unwrap();
        let kept = world.snapshot();
        assert_ne!(before, kept);
        assert!(matches!(
            world.masks_mut().redraw(mask, long),
            Err(CallError::Pivot { .. } | CallError::Transform | CallError::TooLarge { .. })
        ));
        assert_eq!(world.snapshot(), kept);
        let bare = world.masks_mut().insert(hull.clone(), Pivot::Center).unwrap();
        let undrawn = world.masks_mut().redraw(bare, drawn(&hull));
        assert_eq!(undrawn, Err(CallError::UndrawnMask(bare)));
        world.masks_mut().remove(bare).unwrap();
        assert_eq!(world.masks_mut().redraw(bare, drawn(&hull)), Err(CallError::UnknownMask(bare)));
    }
}

#[test]
fn a_refused_drawing_leaves_the_world_as_it_was() {
    let mut world = world();
    let mask = world.masks_mut().insert_drawn(raster(Sampling::Nearest), Affine::IDENTITY).unwrap();
    world.insert(Collider::from_mask(mask)).unwrap();
    let before = world.snapshot();
    for transform in [
        Affine::scale([f32::NAN, 1.0]),
        Affine::translation([f32::INFINITY, 1.0]),
        Affine::translation([2e9, 1.0]),
        Affine::scale([1e5, 1.0]),
        Affine::translation([40_000.0, 1.0]),
    ] {
        let refused = world.masks_mut().transform(mask, transform);
        assert!(
            matches!(
                refused,
                Err(CallError::Pivot { .. } | CallError::Transform | CallError::TooLarge { .. })
            ),
            "{refused:?}"
        );
        assert!(world.masks_mut().insert_drawn(raster(Sampling::Nearest), transform).is_err());
        assert_eq!(world.snapshot(), before);
    }
    let far = world.masks_mut().transform(mask, Affine::translation([0.0, -40_000.0]));
    assert!(matches!(far, Err(CallError::Pivot { .. })));
    // A flattened mask has no pixels, and can be unfolded again.
    assert_eq!(world.masks_mut().transform(mask, Affine::scale([0.0, 1.0])), Ok(true));
    world.update();
    assert_eq!(world.masks_mut().transform(mask, Affine::IDENTITY), Ok(true));
    assert_eq!(world.snapshot().len(), before.len());
}

#[test]
fn a_snapshot_holds_the_raster_and_the_transform() {
    let mut random = Random::new(3);
    for sampling in [Sampling::Nearest, Sampling::Coverage25] {
        let mut world = world();
        let mask = world.masks_mut().insert_drawn(raster(sampling), random_transform(&mut random));
        let mask = mask.unwrap();
        let id = world.insert(Collider::from_mask(mask).at([3.0, 4.0])).unwrap();
        world.masks_mut().edit(mask, |mask| mask.set(1, 1, true)).unwrap();
        let saved = world.snapshot();
        let mut restored = World::from_snapshot([world.atlas().clone()], &saved).unwrap();
        assert_eq!(restored.snapshot(), saved);
        for _ in 0..9 {
            let transform = random_transform(&mut random);
            assert_eq!(
                world.masks_mut().transform(mask, transform),
                restored.masks_mut().transform(mask, transform)
            );
            assert_eq!(world.rect(id), restored.rect(id));
            assert_eq!(world.state_hash(), restored.state_hash());
        }
        // A change of any byte is detected, and no change causes a panic.
        for at in 0..saved.len() {
            let mut other = saved.clone();
            other[at] ^= 1 << random.below(8);
            assert!(World::from_snapshot([world.atlas().clone()], &other).is_err());
            let length = other.len() - 4;
            let crc = crc32fast::hash(&other[..length]);
            other[length..].copy_from_slice(&crc.to_le_bytes());
            if let Ok(mut world) = World::from_snapshot([world.atlas().clone()], &other) {
                world.update();
                let _ = world.masks_mut().transform(mask, random_transform(&mut random));
            }
        }
    }
}
