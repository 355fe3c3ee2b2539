//! What hitmask does, row by row: everything that the classic collision systems did or were asked
//! for, what is expected today, and what nobody else offers. One test for each, named after it.

mod algebra;
mod cost;
mod nobody;
mod objects;
mod overlap;
mod poses;
mod texels;
mod today;

use hitmask::{Atlas, Bake, Collider, ColliderId, Mask, World};

/// A solid mask.
fn solid(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    mask.fill();
    mask
}

fn mask(text: &str) -> Mask {
    text.parse().unwrap()
}

/// An atlas of these masks, at 16 angles, pivots in their middles.
fn atlas(masks: &[(&str, &Mask)]) -> Atlas {
    let bake = Bake::new().angles(16);
    let bake = masks.iter().fold(bake, |bake, &(name, mask)| bake.mask(name, mask.clone()));
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

/// A world of these sprites and a collider of each, upright, at these places.
fn world(placed: &[(&str, &Mask, [f32; 2])]) -> (World, Vec<ColliderId>) {
    let masks: Vec<(&str, &Mask)> = placed.iter().map(|&(name, mask, _)| (name, mask)).collect();
    let atlas = atlas(&masks);
    let mut world = World::new(atlas.clone());
    let collider = |name: &str| Collider::new(atlas.sprite(name).unwrap());
    let ids =
        placed.iter().map(|&(name, _, at)| world.insert(collider(name).at(at)).unwrap()).collect();
    world.update();
    (world, ids)
}

/// The rows of the table by their ids, each as often as there are tests of it: those that have it in
/// their names.
const ROWS: [&str; 85] = [
    "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk10", "sk11", "sk12", "sk13", "tg1",
    "tg2", "tg3", "tg4", "tg5", "tg6", "tg8", "mc1", "mc1", "mc2", "mc2", "mc3", "mc6", "mc6",
    "mc7", "mc9", "mc10", "w1", "w2", "w2", "w5", "w5", "w6", "w7", "w8", "w9", "w9", "w10", "w11",
    "fx1", "fx2", "fx2", "fx3", "fx3", "fx4", "fx5", "fx6", "fx7", "fx7", "ht1", "ht2", "ht3",
    "ht4", "ht5", "ht6", "tw1", "tw2", "tw3", "tw4", "tw5", "ck1", "ck2", "ck3", "ck4", "ck6",
    "ck7", "n1", "n2", "n2", "n3", "n4", "n5", "n5", "n6", "n6", "n7", "n7", "n7", "n8", "n8",
    "n8", "n9", "n10",
];

/// The rows that have no id: what is expected today, and the algebra of masks.
const NAMED: [&str; 28] = [
    "algebra_get_set_fill_clear_and_invert",
    "algebra_draw_erase_toggle_and_intersect_at_an_offset",
    "algebra_scale_crop_and_raw_bits",
    "algebra_count_centroid_and_angle",
    "algebra_components_and_their_rectangles",
    "algebra_outline_hull_and_polygons",
    "algebra_grow_shrink_and_convolve",
    "mask_algebra_on_an_owned_mask",
    "the_first_overlapping_point_by_a_chosen_order",
    "line_and_ray_with_first_hit_all_hits_and_normal",
    "circle_and_ellipse",
    "nearest_and_distance",
    "a_shape_cast_tells_the_time_of_impact",
    "the_topmost_is_picked",
    "layers_and_filters",
    "sensors_report_and_let_pass",
    "one_way_platforms",
    "begin_stay_and_end",
    "a_static_level",
    "a_level_of_tiles",
    "snapshot_and_state_hash",
    "the_same_bits_at_any_thread_count",
    "a_free_spot_is_found",
    "a_debug_picture",
    "a_debug_picture_of_a_scene_shows_what_touches_in_white",
    "masks_made_at_run_time_collide_like_any_other",
    "the_same_bits_with_every_instruction_set",
    "the_instruction_set_that_the_environment_names_is_taken",
];

#[test]
fn every_row_has_the_tests_named_after_it() {
    let files = [
        include_str!("algebra.rs"),
        include_str!("cost.rs"),
        include_str!("nobody.rs"),
        include_str!("objects.rs"),
        include_str!("overlap.rs"),
        include_str!("poses.rs"),
        include_str!("texels.rs"),
        include_str!("today.rs"),
        include_str!("../memory.rs"),
        include_str!("../../tools/cli/tests/cli/bake.rs"),
        include_str!("../../tools/cli/tests/cli/check.rs"),
        include_str!("../../tools/cli/tests/cli/demo.rs"),
    ];
    let tests: Vec<&str> = files
        .iter()
        .flat_map(|file| file.split("\n#[test]\nfn ").skip(1))
        .map(|test| test.split('(').next().unwrap())
        .collect();
    assert!(tests.len() > 60, "the tests were not found");
    for row in ROWS {
        let shown = tests.iter().filter(|test| test.split('_').any(|word| word == row)).count();
        let least = ROWS.iter().filter(|other| **other == row).count();
        assert!(shown >= least, "{shown} tests show {row}, where there were {least}");
    }
    for name in NAMED {
        assert!(tests.contains(&name), "there is no test {name}");
    }
}
