//! Tests of the capabilities in `README.md` of this folder, through the public API.
//!
//! A test name starts with the ids of its rows. `rows.rs` compares the names with the tables.

mod algebra;
mod compounds;
mod expected;
mod objects;
mod overlap;
mod poses;
mod projection;
mod rows;
mod spaces;
mod switches;
mod texels;
mod thresholds;
mod unique;

use hitmask::{Atlas, AtlasBuilder, Collider, ColliderId, Mask, World};
use hitmask_scenes::{open, solid};

fn mask(text: &str) -> Mask {
    text.parse().unwrap()
}

/// Returns an atlas of these masks at 16 angles, with pivots at the centres.
fn atlas(masks: &[(&str, &Mask)]) -> Atlas {
    let bake = AtlasBuilder::new().angles(16);
    let bake = masks.iter().fold(bake, |bake, &(name, mask)| bake.mask(name, mask.clone()));
    open(&bake)
}

/// Returns an updated world with one upright collider of each mask at its position.
fn world(placed: &[(&str, &Mask, [f32; 2])]) -> (World, Vec<ColliderId>) {
    let masks: Vec<(&str, &Mask)> = placed.iter().map(|&(name, mask, _)| (name, mask)).collect();
    let atlas = atlas(&masks);
    let mut world = World::new(atlas.clone());
    let collider = |name: &str| Collider::new(atlas.sprite_id(name).unwrap());
    let ids =
        placed.iter().map(|&(name, _, at)| world.insert(collider(name).at(at)).unwrap()).collect();
    world.update();
    (world, ids)
}
