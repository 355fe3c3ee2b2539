//! What hitmask does, row by row. README.md has the table of rows, with the meaning of the ids in the
//! names of the tests.

mod algebra;
mod expected;
mod objects;
mod overlap;
mod poses;
mod rows;
mod texels;
mod unique;

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
    let collider = |name: &str| Collider::new(atlas.sprite_id(name).unwrap());
    let ids =
        placed.iter().map(|&(name, _, at)| world.insert(collider(name).at(at)).unwrap()).collect();
    world.update();
    (world, ids)
}
