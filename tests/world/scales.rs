//! Scales that a sprite is not baked at, and the policy of a world for them.

use hitmask::{
    Affine, Angle, Atlas, AtlasBuilder, CallError, Collider, Pivot, Placement, Raster, Sampling,
    ScalePolicy, SpriteId, World,
};
use hitmask_scenes::{Random, open, solid};

/// Returns an atlas of a square, 8 px at scale 1, in two frames and at `scales`.
fn atlas(scales: &[f32]) -> (Atlas, SpriteId) {
    let frames = [solid(8, 8), solid(8, 8)];
    let bake = AtlasBuilder::new().scales(scales.to_vec()).frames("square", frames);
    let atlas = open(&bake);
    let sprite = atlas.sprite_id("square").unwrap();
    (atlas, sprite)
}

#[test]
fn a_scale_far_from_every_baked_one_is_refused() {
    let (atlas, sprite) = atlas(&[1.0]);
    let square = Collider::new(sprite);
    let mut world = World::new(atlas);
    let policy = ScalePolicy::Within(1.5);
    assert_eq!(world.scale_policy(), policy);
    let refused = |scale| Err(CallError::UnbakedScale { scale, nearest: 1.0, factor: 1.5 });
    for scale in [10.0, 2.0, 1.51, 0.66, 0.5, 1e-30, f32::MAX] {
        let hash = world.state_hash();
        assert_eq!(world.insert(square.scaled(scale)), refused(scale));
        // A frame that no collider has shown takes another way.
        assert_eq!(world.insert(square.with_frame(1).scaled(scale)), refused(scale));
        assert_eq!((world.len(), world.state_hash()), (0, hash));
    }
    let error = world.insert(square.scaled(10.0)).unwrap_err();
    assert!(error.to_string().contains("scale 10 is not baked"), "{error}");
    for word in ["add 10 to AtlasBuilder::scales", "World::set_scale_policy"] {
        assert!(error.help().contains(word), "{}", error.help());
    }
    for scale in [1.0, 1.5, 0.67, 1.2] {
        let id = world.insert(square.scaled(scale)).unwrap();
        assert_eq!(world.rect(id).unwrap().width(), 8, "{scale}");
        let hash = world.state_hash();
        assert_eq!(world.set(id, square.scaled(3.0)), refused(3.0).map(drop));
        assert_eq!(world.set(id, square.with_frame(1).scaled(3.0)), refused(3.0).map(drop));
        assert_eq!((world.get(id).unwrap().scale, world.state_hash()), (scale, hash));
    }
    // Numbers that are no scale keep their own error, and so do other faults.
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(world.insert(square.scaled(bad)), Err(CallError::Number { .. })));
    }
    let far = world.insert(square.scaled(10.0).at([f32::NAN, 0.0]));
    assert!(matches!(far, Err(CallError::Position(_))));
    let frame = world.insert(square.scaled(10.0).with_frame(7));
    assert!(matches!(frame, Err(CallError::UnknownFrame { frame: 7, .. })));
}

#[test]
fn the_caller_chooses_the_policy() {
    let (atlas, sprite) = atlas(&[1.0, 2.0]);
    let square = Collider::new(sprite);
    let mut world = World::new(atlas);
    world.set_scale_policy(ScalePolicy::Nearest).unwrap();
    let id = world.insert(square.scaled(10.0)).unwrap();
    assert_eq!(world.rect(id).unwrap().width(), 16, "the nearest baked scale is 2");
    world.set_scale_policy(ScalePolicy::Exact).unwrap();
    let error = world.insert(square.scaled(1.01)).unwrap_err();
    assert_eq!(error, CallError::UnbakedScale { scale: 1.01, nearest: 1.0, factor: 1.0 });
    assert!(error.to_string().contains("the nearest baked scale is 1"), "{error}");
    world.insert(square.scaled(2.0)).unwrap();
    world.set_scale_policy(ScalePolicy::Within(1.02)).unwrap();
    world.insert(square.scaled(1.01)).unwrap();
    assert!(world.insert(square.scaled(1.03)).is_err());
    for bad in [0.5, 0.0, -3.0, f32::NAN] {
        let error = world.set_scale_policy(ScalePolicy::Within(bad)).unwrap_err();
        assert!(matches!(error, CallError::Number { .. }), "{error}");
        assert_eq!(world.scale_policy(), ScalePolicy::Within(1.02));
    }
    // Factors that mean another policy are that policy.
    for (factor, policy) in [(1.0, ScalePolicy::Exact), (f32::INFINITY, ScalePolicy::Nearest)] {
        world.set_scale_policy(ScalePolicy::Within(factor)).unwrap();
        assert_eq!(world.scale_policy(), policy);
    }
}

#[test]
fn a_collider_that_was_placed_stays_movable_under_a_later_policy() {
    let (atlas, sprite) = atlas(&[1.0]);
    let square = Collider::new(sprite).scaled(10.0);
    let mut world = World::new(atlas.clone());
    world.set_scale_policy(ScalePolicy::Nearest).unwrap();
    let id = world.insert(square).unwrap();
    world.set_scale_policy(ScalePolicy::Exact).unwrap();
    world.move_to(id, [5.0, 0.0]).unwrap();
    world.set(id, world.get(id).unwrap().turned(0.5).with_frame(1).sensor()).unwrap();
    let place = Placement { position: [9.0, 9.0], angle: Angle::turn(0) };
    assert_eq!(world.set_placements(&[id], &[place]), Ok::<(), CallError>(()));
    assert!(world.set(id, square.scaled(9.0)).is_err(), "another scale is checked");
    assert!(world.insert(square).is_err());
    // A snapshot holds the policy, and colliders that it would refuse now.
    let saved = world.snapshot();
    let restored = World::from_snapshot([atlas.clone()], &saved).unwrap();
    assert_eq!(restored.scale_policy(), ScalePolicy::Exact);
    assert_eq!((restored.get(id), restored.snapshot()), (world.get(id), saved));
    let mut clone = world.clone();
    assert_eq!(clone.scale_policy(), ScalePolicy::Exact);
    clone.set_scale_policy(ScalePolicy::default()).unwrap();
    assert_ne!(clone.state_hash(), world.state_hash(), "the policy is part of the state");
    let plain = World::from_snapshot([atlas], &clone.snapshot()).unwrap();
    assert_eq!(plain.scale_policy(), ScalePolicy::default());
}

#[test]
fn a_scale_is_refused_exactly_where_its_ratio_exceeds_the_factor() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        let count = 1 + random.below(4);
        let scales: Vec<f32> = (0..count).map(|_| 0.25 + 4.0 * random.unit()).collect();
        let (atlas, sprite) = atlas(&scales);
        let baked = atlas.sprite(sprite).unwrap().scales().to_vec();
        let mut world = World::new(atlas);
        let factor = 1.0 + random.unit();
        world.set_scale_policy(ScalePolicy::Within(factor)).unwrap();
        for _ in 0..60 {
            let scale = 0.05 + 9.0 * random.unit();
            let distance = |s: &f32| (f64::from(*s) - f64::from(scale)).abs();
            let nearest = *baked.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            let ratio = f64::from(scale) / f64::from(nearest);
            let is_near = ratio.max(1.0 / ratio) <= f64::from(factor);
            let placed = world.insert(Collider::new(sprite).scaled(scale));
            assert_eq!(placed.is_ok(), is_near, "{scale} of {baked:?} within {factor}");
        }
    }
}

#[test]
fn a_transform_of_a_far_scale_is_refused_as_a_pose_and_drawn_instead() {
    let (atlas, sprite) = atlas(&[1.0]);
    let mut world = World::new(atlas);
    let transform = Affine::rotation(0.3) * Affine::scale([4.0, 4.0]);
    let parts = transform.similarity(0.001).unwrap();
    let placed = Collider::new(sprite).turned(parts.angle).scaled(parts.scale);
    assert!(matches!(world.insert(placed), Err(CallError::UnbakedScale { .. })));
    let source = solid(8, 8);
    let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest).unwrap();
    // The remedy that the error names.
    let drawn = world.masks_mut().insert_drawn(raster, transform).unwrap();
    let id = world.insert(Collider::from_mask(drawn)).unwrap();
    assert!(world.rect(id).unwrap().width() > 32);
}
