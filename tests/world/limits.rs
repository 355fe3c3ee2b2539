//! Limits of snapshots and atlases hold in the calls that make worlds and atlases: what is accepted
//! can be saved and restored.

use hitmask::{
    Affine, Angle, Atlas, AtlasBuilder, Collider, Flip, MAX_PIVOT, MAX_POSITION, MAX_SIDE, Mask,
    Pivot, Raster, Sampling, Settings, SpriteId, World,
};
use hitmask_scenes::{Random, open, solid};

fn atlas() -> Atlas {
    open(&AtlasBuilder::new().angles(4).mask("dot", "#".parse().unwrap()))
}

/// Returns the atlas and saves and restores the world.
#[track_caller]
fn round_trip(world: &World, what: &dyn std::fmt::Debug) {
    let saved = world.snapshot();
    match World::from_snapshot([world.atlas().clone()], &saved) {
        Ok(restored) => assert!(restored.snapshot() == saved, "{what:?}"),
        Err(error) => panic!("{what:?}: {error}"),
    }
}

/// Returns numbers near 0 and near the limit `most`.
fn edges(most: i32) -> Vec<i32> {
    [0, most, -most].iter().flat_map(|at| (-3..=3).map(move |by| at + by)).collect()
}

#[test]
fn every_pivot_that_is_accepted_is_saved_restored_and_baked() {
    let mask: Mask = "#..\n.##".parse().unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for x in edges(MAX_PIVOT).into_iter().chain([i32::MAX, i32::MIN]) {
        for y in edges(MAX_PIVOT).into_iter().chain([i32::MAX, i32::MIN]) {
            let pivot = Pivot::HalfTexels(x, y);
            let mut world = World::new(atlas());
            let settings = Settings { angles: 4, pivot, ..Settings::default() };
            let bake = AtlasBuilder::new().frames_with("a", [mask.clone()], settings).to_bytes();
            match world.masks_mut().insert(mask.clone(), pivot) {
                Ok(id) => {
                    world.insert(Collider::from_mask(id)).unwrap();
                    round_trip(&world, &pivot);
                    Atlas::from_vec(bake.unwrap()).unwrap().verify().unwrap();
                    accepted += 1;
                }
                Err(_) => {
                    assert!(bake.is_err(), "{pivot:?}");
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_pose_that_is_baked_keeps_the_largest_side_of_a_mask() {
    // A box of 32,767.2 pixels covers the centres of 32,768 pixels at some pivots.
    let mask = solid(600, 1);
    let (mut accepted, mut refused) = (0, 0);
    for scale in [54.6, 54.61, 54.611, 54.6115, 54.6117, 54.612, 54.6125, 54.613, 54.62] {
        for pivot in [0, 1, 2, 3, 301] {
            for sampling in [Sampling::Nearest, Sampling::Coverage25] {
                let pivot = Pivot::HalfTexels(pivot, pivot);
                let scales = vec![scale];
                let settings =
                    Settings { angles: 1, scales, pivot, sampling, ..Settings::default() };
                match AtlasBuilder::new().frames_with("a", [mask.clone()], settings).to_bytes() {
                    Ok(bytes) => {
                        Atlas::from_vec(bytes).unwrap().verify().unwrap();
                        accepted += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(accepted > 10 && refused > 10, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_drawn_mask_that_is_accepted_is_saved_and_restored() {
    let mut random = Random::new(35);
    let ends = [0.0, 0.5, 1e-17, -1e-17, 1.0, 1e9, -1e9, 32_767.5, 32_768.0, -32_768.0, -32_768.5];
    let parts = [0.0, 1.0, -1.0, 1e-30, 0.3, 1e12, f64::MAX, f64::MIN_POSITIVE, 40.0, -3000.0];
    let sizes = [[0, 0], [1, 1], [3, 2], [64, 1], [1, 200]];
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..600 {
        let [w, h] = sizes[i % sizes.len()];
        let mut pick = |of: &[f64]| of[random.below(of.len() as u32) as usize];
        let [tx, ty] = [pick(&ends) + pick(&ends), pick(&ends) + pick(&ends)];
        let [a, b, c, d] = std::array::from_fn(|_| pick(&parts));
        let plain = i % 3 == 0;
        let transform = if plain {
            Affine { tx, ty, ..Affine::IDENTITY }
        } else {
            Affine { a, b, c, d, tx, ty }
        };
        let edges = edges(MAX_PIVOT);
        let mut pivot = || edges[random.below(edges.len() as u32) as usize];
        let pivot = Pivot::HalfTexels(pivot(), pivot());
        let mut mask = Mask::new(w + 20, h + 20).unwrap();
        mask.fill_rect(hitmask::Rect::new(17, 18, 17 + w as i32, 18 + h as i32), true);
        let sampling = if i % 2 == 0 { Sampling::Nearest } else { Sampling::Coverage25 };
        let Ok(raster) = Raster::new(&mask, pivot, sampling) else { continue };
        let mut world = World::new(atlas());
        // Masks of many pixels take long. Those above the limit are refused at once.
        let largest = [a, b, c, d].map(f64::abs).into_iter().fold(0.0, f64::max);
        if !plain && (60.0..40_000.0).contains(&(f64::from(w + h) * largest)) {
            continue;
        }
        match world.masks_mut().insert_drawn(raster, transform) {
            Ok(id) => {
                world.insert(Collider::from_mask(id)).unwrap();
                round_trip(&world, &(transform, pivot));
                for by in [1.0, -1.0, 65_536.0, -65_536.0, 0.25] {
                    let moved =
                        Affine { tx: transform.tx + by, ty: transform.ty - by, ..transform };
                    let _ = world.masks_mut().transform(id, moved);
                    round_trip(&world, &(moved, pivot));
                }
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_collider_and_edited_mask_that_is_accepted_is_saved_and_restored() {
    let mut random = Random::new(36);
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MIN_POSITIVE,
        1e-45,
        f32::MAX,
        MAX_POSITION,
        -MAX_POSITION,
        MAX_POSITION * 2.0,
        1e7,
    ];
    let mut world = World::new(atlas());
    let masks: Vec<_> = [[0, 0], [0, 7], [7, 0], [5, 3], [MAX_SIDE, 1]]
        .into_iter()
        .map(|[w, h]| world.masks_mut().insert(solid(w, h), Pivot::Center).unwrap())
        .collect();
    let mut ids = Vec::new();
    for i in 0..2000 {
        let mut float = || floats[random.below(floats.len() as u32) as usize];
        let (position, radians, scale) = ([float(), float()], float(), float());
        let mut number = || [0, 1, u32::MAX, 7][random.below(4) as usize];
        let shape = match i % 3 {
            0 => Collider::new(SpriteId::new(number())),
            _ => Collider::from_mask(masks[i % masks.len()]),
        };
        let angle = match i % 2 {
            0 => Angle::radians(radians),
            _ => Angle::turn(number() as u16),
        };
        let collider = Collider {
            position,
            angle,
            scale: if i % 4 == 0 { scale } else { 1.0 },
            flip: Flip { x: i % 5 == 0, y: i % 7 == 0 },
            layers: number(),
            min_overlap: hitmask::MinOverlap::Pixels(number()),
            frame: if i % 11 == 0 { number() } else { 0 },
            ..shape
        };
        match world.insert(collider) {
            Ok(id) => ids.push(id),
            Err(_) if ids.is_empty() => {}
            Err(_) => {
                let id = ids[random.below(ids.len() as u32) as usize];
                let mut float = || floats[random.below(floats.len() as u32) as usize];
                let _ = world.move_to(id, [float(), float()]);
            }
        }
        if i % 40 == 0 {
            world.masks_mut().edit(masks[i / 40 % masks.len()], |mask| {
                *mask = solid((i % 90) as u32, (i % 17) as u32);
            });
            world.update();
            round_trip(&world, &i);
        }
    }
    assert!(ids.len() > 100, "{} accepted", ids.len());
}
