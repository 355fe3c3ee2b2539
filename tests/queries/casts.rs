//! Casts: of compounds, and at any resolution.

use hitmask::{AtlasBuilder, Filter};
use hitmask_scenes::{open, solid, world_of};

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
