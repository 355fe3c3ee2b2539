//! Casts: the first collider hit, and the normal of its face.

use hitmask::{AtlasBuilder, Collider, Filter, Mask, World};
use hitmask_scenes::{open, solid, world_of};

#[test]
fn a_hit_has_the_normal_of_the_face_hit() {
    let slope = {
        let mut mask = Mask::new(40, 40).unwrap();
        (0..40).for_each(|x| (39 - x..40).for_each(|y| mask.set(x, y, true)));
        mask
    };
    let bake = AtlasBuilder::new().mask("hero", solid(8, 8)).mask("wall", solid(40, 40));
    let atlas = open(&bake.mask("slope", slope));
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

#[test]
fn a_hit_of_a_compound_and_at_another_resolution_names_its_pixel() {
    for factor in [0.5, 1.0, 4.0] {
        let (mut world, square) =
            world_of(open(&AtlasBuilder::new().resolution(factor).mask("box", solid(8, 8))), "box");
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
