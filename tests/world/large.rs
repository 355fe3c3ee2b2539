//! Colliders with the largest masks: run-time masks, and poses of a compact atlas drawn on demand.

use crate::atlas;
use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, MAX_SIDE, Mask, Pair, Pivot, Point, Settings, World,
};
use hitmask_scenes::{LARGE_SIZES, Random, is_contact_of, pixels, rebuilt, shared_pixels, sparse};
use std::collections::HashSet;

/// Sizes of one strip only: the bake and the world draw them in a moment.
const THIN: [[u32; 2]; 4] = [[MAX_SIDE, 1], [1, MAX_SIDE], [MAX_SIDE, 9], [9, MAX_SIDE]];

/// Moves the colliders so that pixels of neighbours coincide, and compares each update with the lists
/// of pixels.
fn check(world: &mut World, colliders: &[(ColliderId, Collider, Mask)], random: &mut Random) {
    let lists: Vec<Vec<Point>> = colliders.iter().map(|(.., mask)| pixels(mask.as_ref())).collect();
    let sets: Vec<HashSet<Point>> =
        lists.iter().map(|list| list.iter().copied().collect()).collect();
    let mut hits = 0;
    for round in 0..4 {
        let mut at = Point::new(-70_000, 50_000);
        let mut corners = Vec::new();
        for (i, &(id, collider, _)) in colliders.iter().enumerate() {
            corners.push(at);
            world.set(id, collider.at([at.x as f32, at.y as f32])).unwrap();
            // The next collider has a pixel at a pixel of this one, or just beside it.
            let next = (i + 1) % colliders.len();
            let pick = |list: &[Point], random: &mut Random| {
                list[random.below(list.len() as u32) as usize]
            };
            at = at + pick(&lists[i], random) - pick(&lists[next], random);
            if round % 2 == 1 {
                at = at + Point::new(random.within(-1, 2), random.within(-1, 2));
            }
        }
        world.update();
        let mut expected = Vec::new();
        for (i, &(a, ..)) in colliders.iter().enumerate() {
            assert_eq!(world.rect(a).map(|r| (r.x0, r.y0)), Some((corners[i].x, corners[i].y)));
            for (j, &(b, ..)) in colliders.iter().enumerate().skip(i + 1) {
                let shared = shared_pixels(&lists[i], &sets[j], corners[j] - corners[i]);
                let pair = Pair { a, b };
                let found = world.contact(pair);
                let found = found.map(|found| found.translated(Point::default() - corners[i]));
                assert!(is_contact_of(found, &shared), "{pair:?}");
                if !shared.is_empty() {
                    expected.push(pair);
                }
            }
        }
        hits += expected.len();
        assert_eq!(world.touching(), expected, "round {round}");
    }
    assert!(hits > colliders.len(), "{hits}");
}

#[test]
fn runtime_masks_with_the_largest_sides_collide_and_are_saved() {
    let mut random = Random::new(5);
    let mut world = World::new(atlas());
    let sizes = LARGE_SIZES.into_iter().chain([[40, 40], [300, 250], [700, MAX_SIDE]]).chain(THIN);
    let colliders: Vec<_> = sizes
        .map(|[w, h]| {
            let mask = sparse(w, h, &mut random);
            let id = world.masks_mut().insert(mask.clone(), Pivot::HalfTexels(0, 0)).unwrap();
            let collider = Collider::from_mask(id);
            (world.insert(collider).unwrap(), collider, mask)
        })
        .collect();
    check(&mut world, &colliders, &mut random);
    let mut restored = rebuilt(&world);
    check(&mut restored, &colliders, &mut random);
}

#[test]
fn poses_with_the_largest_sides_are_drawn_on_demand_and_collide() {
    let mut random = Random::new(6);
    // Unoptimised, drawing takes long.
    let thin = if cfg!(hitmask_fallback) { &THIN[..2] } else { &THIN[..] };
    let masks: Vec<Mask> = thin.iter().map(|&[w, h]| sparse(w, h, &mut random)).collect();
    let settings = Settings { angles: 4, pivot: Pivot::HalfTexels(0, 0), ..Settings::default() };
    let bake = (masks.iter().enumerate())
        .fold(AtlasBuilder::new().compact(true), |bake, (i, mask)| {
            bake.frames_with(format!("{i}"), [mask.clone()], settings.clone())
        });
    let bytes = bake.to_bytes().unwrap();
    let compact = Atlas::from_vec(bytes.clone()).unwrap();
    let drawn = compact.drawn().unwrap();
    drawn.verify().unwrap();
    for atlas in [compact, drawn] {
        let mut world = World::new(atlas.clone());
        let colliders: Vec<_> = (masks.iter().enumerate())
            .map(|(i, mask)| {
                let collider = Collider::new(atlas.sprite_id(&format!("{i}")).unwrap());
                (world.insert(collider).unwrap(), collider, mask.clone())
            })
            .collect();
        check(&mut world, &colliders, &mut random);
    }
}
