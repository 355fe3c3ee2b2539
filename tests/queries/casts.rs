//! Casts: the first collider hit, and the normal of its face.

use crate::{blocked, crowd, filters, in_moves};
use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, PixelPath, Point, World};
use hitmask_scenes::Random;

#[test]
fn a_cast_hits_the_collider_that_stepping_hits_first() {
    for seed in 20..24 {
        let world = crowd(seed);
        let mut random = Random::new(seed);
        for id in world.iter().map(|(id, _)| id) {
            let mut reach = || (random.unit() - 0.5) * 1200.0;
            for motion in [[reach(), reach()], [reach(), 0.0], [0.0, reach()], [0.0, 0.0]] {
                let [x, y] = world.get(id).unwrap().position;
                let snap = |v: f32| (f64::from(v) + 0.5).floor() as i32;
                let path =
                    PixelPath::new([snap(x + motion[0]) - snap(x), snap(y + motion[1]) - snap(y)]);
                let truth = path.pixels().position(|by| blocked(&world, id, by));
                let hit = world.cast(id, motion, Filter::SOLID).unwrap();
                assert_eq!(hit.map(|hit| hit.impact.step as usize), truth, "{motion:?}");
                if let Some(hit) = hit {
                    let free = path.at(hit.impact.step.saturating_sub(1));
                    assert_eq!(hit.position.map(snap), [snap(x) + free.x, snap(y) + free.y]);
                }
                let posed = world.posed(id).unwrap();
                if let Some(hit) = hit {
                    let met = world.posed(hit.collider).unwrap();
                    let offset = met.origin - posed.origin;
                    let alone = posed.mask.cast(met.mask, offset, path.motion());
                    assert_eq!(
                        alone,
                        Some(hit.impact),
                        "the same as a cast of the two masks alone"
                    );
                }
                // A mask without a collider, at the same position.
                let filter = Filter { except: Some(id), ..filters()[random.below(4) as usize] };
                let met = world.probe(posed.mask, posed.origin).cast(path.motion(), filter);
                let truth = path.pixels().find_map(|by| {
                    let met = world.probe(posed.mask, posed.origin + by).touching(filter);
                    met.first().copied()
                });
                assert_eq!(met.map(|(id, _)| id), truth, "by a mask {filter:?}");
            }
        }
    }
}

#[test]
fn a_hit_has_the_normal_of_the_face_hit() {
    let solid = |w, h| {
        let mut mask = Mask::new(w, h).unwrap();
        mask.fill();
        mask
    };
    let slope = {
        let mut mask = Mask::new(40, 40).unwrap();
        (0..40).for_each(|x| (39 - x..40).for_each(|y| mask.set(x, y, true)));
        mask
    };
    let bake = AtlasBuilder::new().mask("hero", solid(8, 8)).mask("wall", solid(40, 40));
    let atlas = Atlas::from_vec(bake.mask("slope", slope).to_bytes().unwrap()).unwrap();
    let [hero, wall, slope] = ["hero", "wall", "slope"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let hero = world.insert(Collider::new(hero)).unwrap();
    let wall = world.insert(Collider::new(wall).at([1000.0, 0.0])).unwrap();
    let slope = world.insert(Collider::new(slope).at([0.0, 1000.0])).unwrap();
    for ([x, y], normal) in [
        ([1.0, 0.0], [-1.0, 0.0]),
        ([-1.0, 0.0], [1.0, 0.0]),
        ([0.0, 1.0], [0.0, -1.0]),
        ([0.0, -1.0], [0.0, 1.0]),
    ] {
        // From outside on each side, and from an overlap of 2 px.
        for (away, step) in [(50.0, 27), (22.0, 0)] {
            let at = [1000.0 - away * x, -away * y];
            world.set(hero, world.get(hero).unwrap().at(at)).unwrap();
            let hit = world.cast(hero, [100.0 * x, 100.0 * y], Filter::SOLID).unwrap().unwrap();
            assert_eq!((hit.collider, hit.impact.step), (wall, step));
            assert_eq!(<[f32; 2]>::from(hit.impact.normal), normal, "{away} away");
        }
    }
    for (at, motion) in [([-30.0, 1000.0], [60.0, 0.0]), ([0.0, 970.0], [0.0, 60.0])] {
        world.set(hero, world.get(hero).unwrap().at(at)).unwrap();
        let hit = world.cast(hero, motion, Filter::SOLID).unwrap().unwrap();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert_eq!((hit.collider, <[f32; 2]>::from(hit.impact.normal)), (slope, [-half, -half]));
    }
}

/// Returns the pixels that two masks share, with their places.
fn shared(
    (a, a_at): (&Mask, Point),
    (b, b_at): (&Mask, Point),
) -> std::collections::BTreeSet<(i32, i32)> {
    let pixels = a.overlap_pixels(b, b_at - a_at);
    pixels.map(|p| (p.y + a_at.y, p.x + a_at.x)).collect()
}

#[test]
fn a_hit_names_the_shared_pixel_nearest_to_the_middle_of_the_contact() {
    let (mut hits, mut off_middle) = (0, 0);
    for seed in 120..123 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        for id in world.iter().map(|(id, _)| id).collect::<Vec<_>>() {
            let start = world.get(id).unwrap();
            let motion = [0; 2].map(|_| (random.unit() - 0.5) * 900.0);
            let first = world.cast(id, motion, Filter::SOLID).unwrap();
            assert_eq!(world.move_until_contact(id, motion, Filter::SOLID).unwrap(), first);
            world.set(id, start).unwrap();
            let all = world.cast_all(id, motion, Filter::ALL).unwrap();
            for hit in first.into_iter().chain(all) {
                let (mine, at) = in_moves(&world, id);
                let (theirs, there) = in_moves(&world, hit.collider);
                let at = at + hit.impact.contact_offset;
                let pixels = shared((&mine, at), (&theirs, there));
                let side = |all: &[i32]| all.iter().min().unwrap() + all.iter().max().unwrap();
                let [y2, x2] = [
                    side(&pixels.iter().map(|p| p.0).collect::<Vec<_>>()),
                    side(&pixels.iter().map(|p| p.1).collect::<Vec<_>>()),
                ];
                let far = |&(y, x): &(i32, i32)| (2 * x - x2).pow(2) + (2 * y - y2).pow(2);
                // The set is in order of rows, then of columns.
                let &(y, x) = pixels.iter().min_by_key(|p| far(p)).unwrap();
                assert_eq!(hit.point, [x as f32, y as f32], "{motion:?}");
                assert_eq!(in_moves(&world, id).1 + hit.impact.point, Point::new(x, y));
                off_middle += usize::from(far(&(y, x)) > 2);
                hits += 1;
            }
        }
    }
    assert!(hits > 300 && off_middle > 20, "{hits} hits, {off_middle} off the middle");
}

#[test]
fn a_hit_of_a_compound_and_at_another_resolution_names_its_pixel() {
    for factor in [0.5, 1.0, 4.0] {
        let bake = AtlasBuilder::new().resolution(factor).mask("box", Mask::solid(8, 8).unwrap());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let square = Collider::new(atlas.sprite_id("box").unwrap());
        let mut world = World::new(atlas);
        let hero = world.insert(square.at([0.0, 0.0]).owned_by(3)).unwrap();
        let wall = world.insert(square.at([40.0, 4.0])).unwrap();
        let pixel = 1.0 / factor;
        // The faces share the rows from 0 to 4; the left column of the wall is at 36.
        let middle = 2.0 - pixel;
        let hit = world.cast(hero, [100.0, 0.0], Filter::SOLID).unwrap().unwrap();
        assert_eq!((hit.collider, hit.point), (wall, [36.0, middle]), "{factor}");
        let owned = world.move_body(3, [100.0, 0.0], Filter::SOLID).unwrap().unwrap();
        assert_eq!(owned.hit, hit, "{factor}");
    }
}
