//! Limits of snapshots and atlases hold in the calls that make worlds and atlases: what is accepted
//! can be saved and restored.

use hitmask::{
    Affine, Angle, Atlas, AtlasBuilder, Collider, Flip, InUse, MAX_PIVOT, MAX_POSITION, MAX_SIDE,
    Mask, Pivot, Raster, Sampling, ScalePolicy, Settings, SpriteId, World,
};
use hitmask_scenes::Random;

fn atlas() -> Atlas {
    Atlas::from_vec(
        AtlasBuilder::new().angles(4).mask("dot", "#".parse().unwrap()).to_bytes().unwrap(),
    )
    .unwrap()
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
    let mask = Mask::solid(600, 1).unwrap();
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
        .map(|[w, h]| world.masks_mut().insert(Mask::solid(w, h).unwrap(), Pivot::Center).unwrap())
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
                *mask = Mask::solid((i % 90) as u32, (i % 17) as u32).unwrap();
            });
            world.update();
            round_trip(&world, &i);
        }
    }
    assert!(ids.len() > 100, "{} accepted", ids.len());
}

/// Returns version `version` of atlas `name`: each one lacks sprites, frames or planes of another.
fn version(name: &str, version: usize, compact: bool) -> Atlas {
    let mask = |side: usize| Mask::solid(side as u32 + 2, 3).unwrap();
    let frames = (0..1 + version % 3).map(mask);
    let mut bake =
        AtlasBuilder::new().angles(4).scales([0.5, 1.0]).frames(format!("{name}/walk"), frames);
    if version.is_multiple_of(2) {
        bake = bake.mask(format!("{name}/gone"), mask(version));
    }
    if version % 4 < 2 {
        let planes = [[mask(version), mask(version)]];
        bake = bake.planes(format!("{name}/hurt"), ["body", "eye"], planes).unwrap();
    }
    Atlas::from_vec(bake.compact(compact).to_bytes().unwrap()).unwrap()
}

#[test]
fn every_world_of_changing_atlases_is_saved_and_restored() {
    let names = ["a", "b", "c"];
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let compact = seed % 2 == 0;
        let mut world = World::new(version("a", 0, compact));
        let (mut ids, mut versions) = (Vec::new(), 1);
        let (mut placed, mut changed) = (0, 0);
        for step in 0..300 {
            let atlases: Vec<_> = world.atlases().cloned().collect();
            let atlas = &atlases[random.below(atlases.len() as u32) as usize];
            versions += 1;
            match random.below(10) {
                0 => {
                    let name = names[random.below(3) as usize];
                    let added = version(name, versions, compact).labelled(random.below(3));
                    changed += usize::from(world.atlases_mut().add(added).is_ok());
                }
                1 | 2 => {
                    let name = atlas.sprites().next().unwrap().name()[..1].to_owned();
                    let new = version(&name, versions, compact);
                    changed += usize::from(world.atlases_mut().replace(atlas.id(), new).is_ok());
                }
                3 => drop(world.atlases_mut().drop(atlas.id(), InUse::Refuse)),
                4 => {
                    let policy =
                        [ScalePolicy::Nearest, ScalePolicy::Exact, ScalePolicy::Within(3.0)];
                    world.set_scale_policy(policy[random.below(3) as usize]).unwrap();
                    let _ = world
                        .atlases_mut()
                        .set_pose_budget([None, Some(4000)][random.below(2) as usize]);
                }
                5 if !ids.is_empty() => {
                    world.remove(ids.swap_remove(random.below(ids.len() as u32) as usize));
                }
                _ => {
                    let sprites: Vec<_> = atlas.sprites().collect();
                    let sprite = sprites[random.below(sprites.len() as u32) as usize];
                    let collider = Collider {
                        frame: random.below(sprite.frame_count()),
                        plane: random.below(sprite.plane_count()),
                        scale: [0.5, 1.0, 1.4][random.below(3) as usize],
                        owner: random.below(3),
                        ..Collider::new(sprite.id()).turned(random.below(7) as f32)
                    };
                    let near = random.below(9) as f32;
                    let placing = world.insert(collider.at([near, 1.0]));
                    placed += usize::from(placing.is_ok());
                    ids.extend(placing);
                }
            }
            if step % 5 == 0 {
                world.update();
            }
            let saved = world.snapshot();
            let atlases: Vec<_> = world.atlases().cloned().collect();
            match World::from_snapshot(atlases, &saved) {
                Ok(restored) => assert!(restored.snapshot() == saved, "seed {seed}, step {step}"),
                Err(error) => panic!("seed {seed}, step {step}: {error}"),
            }
            world.restore(&saved).unwrap();
            assert!(world.snapshot() == saved, "seed {seed}, step {step}");
        }
        assert!(placed > 50 && changed > 20, "{placed} placed, {changed} changed");
    }
}
