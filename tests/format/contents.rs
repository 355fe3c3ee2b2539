//! The contents of an atlas: sprites, frames, poses and flips.

use crate::{bake, baked, masks};
use hitmask::{
    AlphaRule, Atlas, AtlasBuilder, AtlasId, CallError, Collider, Flip, Mask, Pivot, Pose, PoseSet,
    Raster, Sampling, Settings, World,
};
use hitmask_scenes::{Random, open, solid};

#[test]
fn an_atlas_opens_verifies_and_has_the_baked_sprites() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    atlas.verify().unwrap();
    let names: Vec<_> = atlas.sprites().map(|s| s.name()).collect();
    assert_eq!(names, ["bar", "dot", "empty", "target", "thin", "walk"]);
    for (i, sprite) in atlas.sprites().enumerate() {
        assert_eq!(atlas.sprite_id(sprite.name()), Some(sprite.id()));
        assert_eq!(sprite.id().index() as usize, i);
    }
    assert_eq!(atlas.sprite_id("boat"), None);
    let walk = atlas.sprite(atlas.sprite_id("walk").unwrap()).unwrap();
    assert_eq!((walk.frame_count(), walk.angles(), walk.scales()), (3, 1, &[1.0][..]));
    assert_eq!(walk.frame_size(0), Some([64, 64]));
    assert_eq!(walk.frame_size(3), None);
    let thin = atlas.sprite(atlas.sprite_id("thin").unwrap()).unwrap();
    assert_eq!((thin.alpha_rule(), thin.sampling()), (AlphaRule::Bits(3), Sampling::Coverage25));
}

#[test]
fn mask_bytes_pose_count_and_id_follow_from_the_contents() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    // By FORMAT.md, a strip of 64 columns takes one word per row, at least 7 guard words, and a
    // multiple of 8 words in total. A sprite with one angle also stores the half turn.
    let words = |mask: hitmask::MaskRef<'_>| match mask.height() {
        0 => 0,
        height => mask.width().div_ceil(64) * (height + 7).next_multiple_of(8),
    };
    for sprite in atlas.sprites() {
        let mut bytes = 0;
        for plane in (0..sprite.plane_count()).map(|plane| sprite.in_plane(plane).unwrap()) {
            for frame in 0..sprite.frame_count() {
                for (step, scale) in (0..sprite.angles())
                    .flat_map(|step| (0..sprite.scales().len() as u32).map(move |s| (step, s)))
                {
                    let posed = plane.posed(frame, Pose { step, scale }, Flip::NONE).unwrap();
                    let times = if sprite.angles() == 1 { 2 } else { 1 };
                    bytes += 8 * times * u64::from(words(posed.mask));
                }
            }
        }
        assert_eq!(sprite.mask_bytes(), bytes, "{}", sprite.name());
        assert_eq!(bytes > 0, sprite.name() != "empty");
    }
    // Terms: dot, empty, two frames of walk, bar, thin, two planes of target. The third frame of
    // walk and two planes of target are duplicates.
    assert_eq!(atlas.pose_count(), 4 + 4 + 2 * 2 + 4 * 2 + 8 * 2 + 2 * 4);
    // Equal atlases have equal ids, however they were opened. Different ones have different ids.
    let again = Atlas::from_bytes(&bake().compact(true).to_bytes().unwrap()).unwrap();
    assert_eq!(again.id(), atlas.id());
    let others = [
        bake().mask("one more", "#".parse().unwrap()),
        bake().mask("one more", ".#".parse().unwrap()),
        bake().mask("one else", "#".parse().unwrap()),
        bake().resolution(2.0),
    ];
    let mut ids: Vec<AtlasId> =
        others.iter().map(|bake| open(bake).id()).chain([atlas.id()]).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}

/// Returns the drawn and the compact atlas of one mask.
fn forms(mask: &Mask, settings: &Settings, resolution: f32) -> [Atlas; 2] {
    [false, true].map(|compact| {
        let bake = AtlasBuilder::new().resolution(resolution).compact(compact);
        let bake = bake.frames_with("a", [mask.clone()], settings.clone());
        open(&bake)
    })
}

/// Returns all poses of the only sprite of a drawn atlas.
fn all_poses(atlas: &Atlas) -> Vec<(Mask, [i32; 2])> {
    let sprite = atlas.sprites().next().unwrap();
    let scales = 0..sprite.scales().len() as u32;
    let poses = scales.flat_map(|scale| (0..sprite.angles()).map(move |step| Pose { step, scale }));
    let posed = poses.map(|pose| sprite.posed(0, pose, Flip::NONE).unwrap());
    posed.map(|posed| (posed.mask.to_mask(), posed.origin.into())).collect()
}

#[test]
fn atlases_have_equal_ids_only_if_all_poses_are_equal() {
    let (mut random, mut equal, mut hidden) = (Random::new(2), 0, 0);
    for round in 0..1500 {
        let [w, h] = [6 + random.below(9), 6 + random.below(9)];
        let mut mask = solid(w, h);
        for _ in 0..random.below(w * h) {
            let at = [random.below(w) as i32, random.below(h) as i32];
            mask.set(at[0], at[1], random.below(2) == 0);
        }
        let mut other = mask.clone();
        let [x, y] = [random.below(w) as i32, random.below(h) as i32];
        other.set(x, y, !mask.get(x, y));
        let scale = [0.2, 0.35, 0.5, 0.9, 1.0, 1.3, 1.9, 2.0][random.below(8) as usize];
        let pivot = [random.within(-3, 20), random.within(-3, 20)];
        let settings = Settings {
            angles: [1, 4, 8, 12][random.below(4) as usize],
            scales: if random.below(2) == 0 { vec![scale] } else { vec![0.25, scale + 0.1] },
            sampling: [Sampling::Nearest, Sampling::Coverage25][random.below(2) as usize],
            pivot: Pivot::HalfTexels(pivot[0], pivot[1]),
            ..Settings::default()
        };
        let resolution = [0.5, 1.0, 1.0, 2.0][random.below(4) as usize];
        let [one, compact] = forms(&mask, &settings, resolution);
        let [another, other_compact] = forms(&other, &settings, resolution);
        assert_eq!(one.id(), compact.id(), "{round}: {settings:?}");
        assert_eq!(another.id(), other_compact.id(), "{round}: {settings:?}");
        let are_same = all_poses(&one) == all_poses(&another);
        let upright =
            |atlas: &Atlas| all_poses(atlas).into_iter().rev().nth(settings.angles as usize - 1);
        hidden += usize::from(!are_same && upright(&one) == upright(&another));
        equal += usize::from(are_same);
        let at = format!("{round}: {settings:?}, resolution {resolution}, texel {x} {y}");
        assert_eq!(one.id() == another.id(), are_same, "{at}");
    }
    assert!(equal > 20 && hidden > 20, "{equal} equal pairs, {hidden} with equal upright poses");
}

#[test]
fn every_stored_pose_and_flip_equals_the_rasteriser() {
    for angles in [1, 4, 12] {
        let poses = PoseSet::new(angles, [0.5, 1.0]).unwrap();
        let sampling = Sampling::Nearest;
        for pivot in [Pivot::Center, Pivot::HalfTexels(3, -5)] {
            let bake = masks()
                .into_iter()
                .fold(AtlasBuilder::new(), |bake, (name, mask)| bake.mask(name, mask));
            let bytes = bake.angles(angles).scales([0.5, 1.0]).pivot(pivot).to_bytes().unwrap();
            let atlas = Atlas::from_vec(bytes).unwrap();
            for (name, mask) in masks() {
                let sprite = atlas.sprite(atlas.sprite_id(name).unwrap()).unwrap();
                let raster = Raster::new(&mask, pivot, sampling).unwrap();
                for (step, scale) in (0..angles).flat_map(|k| [(k, 0), (k, 1)]) {
                    let back = (angles - step) % angles;
                    let posed = |step| raster.pose(&poses, Pose { step, scale }).unwrap();
                    let shown =
                        |x, y| sprite.posed(0, Pose { step, scale }, Flip { x, y }).unwrap();
                    let at = format!("{name}, step {step} of {angles}, {pivot:?}");
                    assert_eq!(shown(false, false), posed(step).as_ref(), "{at}");
                    // A flip followed by a turn by k equals the flipped image of a turn by -k.
                    assert_eq!(shown(true, false), posed(back).flip_x().as_ref(), "flip x of {at}");
                    assert_eq!(shown(false, true), posed(back).flip_y().as_ref(), "flip y of {at}");
                    let both = posed(step).flip_x().flip_y();
                    assert_eq!(shown(true, true), both.as_ref(), "both flips of {at}");
                }
            }
        }
    }
}

#[test]
fn the_resolution_applies_to_the_atlas_and_its_poses() {
    for resolution in [0.25_f32, 0.5, 2.0, 4.0] {
        let atlas = open(&bake().resolution(resolution));
        atlas.verify().unwrap();
        assert_eq!(atlas.resolution(), resolution);
        let poses = PoseSet::new(4, [1.0]).unwrap().at_resolution(resolution).unwrap();
        let ring = masks().into_iter().find(|(n, _)| *n == "ring").unwrap().1;
        let raster = Raster::new(&ring, Pivot::Center, Sampling::Nearest).unwrap();
        let target = atlas.sprite(atlas.sprite_id("target").unwrap()).unwrap();
        for step in 0..4 {
            let pose = Pose { step, scale: 0 };
            let posed = raster.pose(&poses, pose).unwrap();
            assert_eq!(target.posed(0, pose, Flip::NONE).unwrap(), posed.as_ref());
        }
        assert_eq!(target.frame_size(0), Some([64, 64]), "the frame size is in texels");
    }
}

#[test]
fn frames_and_poses_out_of_range_are_none() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    let bar = atlas.sprite(atlas.sprite_id("bar").unwrap()).unwrap();
    assert!(bar.posed(0, Pose { step: 3, scale: 1 }, Flip::NONE).is_some());
    for (frame, step, scale) in [(1, 0, 0), (0, 4, 0), (0, 0, 2), (u32::MAX, u32::MAX, u32::MAX)] {
        assert_eq!(bar.posed(frame, Pose { step, scale }, Flip::NONE), None);
    }
    assert!(atlas.sprite(hitmask::SpriteId::new(6)).is_none());
    assert!(atlas.sprite(hitmask::SpriteId::new(u32::MAX)).is_none());
}

#[test]
fn a_sprite_that_is_never_mirrored_has_one_pose_per_scale_and_refuses_flips() {
    let mut mask = solid(40, 30);
    mask.set(0, 0, false);
    let of = |angles: u32, mirrored: bool, compact: bool| {
        let scales = vec![0.5, 1.0, 2.0];
        let settings = Settings { angles, mirrored, scales, ..Settings::default() };
        let bake = AtlasBuilder::new().compact(compact).frames_with("a", [mask.clone()], settings);
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    };
    let (mirrored, never) = (of(1, true, false), of(1, false, false));
    never.verify().unwrap();
    assert_eq!((mirrored.pose_count(), never.pose_count()), (6, 3));
    let compact = of(1, false, true);
    assert_eq!(compact.drawn().unwrap().as_bytes(), never.as_bytes());
    assert_ne!(never.id(), mirrored.id());
    assert_eq!(of(8, false, false).as_bytes(), of(8, true, false).as_bytes());
    for atlas in [&never, &compact] {
        let sprites = [atlas, &mirrored].map(|atlas| atlas.sprites().next().unwrap());
        assert_eq!(sprites[0].angles(), 1);
        for scale in 0..3 {
            let pose = Pose { step: 0, scale };
            let [own, other] = sprites.map(|sprite| sprite.draw(0, pose, Flip::NONE).unwrap());
            assert_eq!(own, other, "scale {scale}");
            for flip in [Flip::X, Flip::Y, Flip::XY] {
                assert_eq!(sprites[0].draw(0, pose, flip), None);
                assert!(sprites[0].posed(0, pose, flip).is_none());
            }
        }
        assert!(sprites[0].draw(0, Pose { step: 1, scale: 0 }, Flip::NONE).is_none());
        let mut world = World::new(atlas.clone());
        let sprite = atlas.sprite_id("a").unwrap();
        let id = world.insert(Collider::new(sprite).scaled(2.0)).unwrap();
        let refused = Err(CallError::NeverMirrored { sprite });
        for flip in [Flip::X, Flip::Y, Flip::XY] {
            assert_eq!(world.insert(Collider::new(sprite).flipped(flip)).map(|_| ()), refused);
            assert_eq!(world.set(id, Collider::new(sprite).flipped(flip)), refused);
        }
        assert_eq!(world.rect(id).unwrap().width(), 80);
        world.validate().unwrap();
    }
    // A collider that is mirrored cannot show a version that never is.
    let mut world = World::new(mirrored.clone());
    let sprite = mirrored.sprite_id("a").unwrap();
    let id = world.insert(Collider::new(sprite).flipped(Flip::X)).unwrap();
    let error = world.atlases_mut().replace(mirrored.id(), never.clone()).unwrap_err();
    assert!(matches!(error.cause(), CallError::NeverMirrored { .. }), "{error}");
    assert_eq!(world.get(id).unwrap().flip, Flip::X);
    world.set(id, Collider::new(sprite)).unwrap();
    world.atlases_mut().replace(mirrored.id(), never).unwrap();
    world.validate().unwrap();
}
