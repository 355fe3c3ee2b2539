//! What hitmask does, row by row: everything that the classic collision systems did or were asked
//! for, what is expected today, and what nobody else offers. One test for each, named after it.

mod algebra;
mod classic;
mod nobody;
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

/// The rows of the table by their ids: a test that shows one has it in its name.
const ROWS: [&str; 64] = [
    "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk10", "sk11", "sk12", "sk13", "tg1",
    "tg2", "tg3", "tg4", "tg5", "tg6", "tg8", "mc1", "mc2", "mc3", "mc6", "mc7", "mc9", "mc10",
    "w1", "w2", "w5", "w6", "w7", "w8", "w9", "w10", "w11", "fx1", "fx2", "fx3", "fx4", "fx5",
    "fx6", "fx7", "ht1", "ht2", "ht3", "ht4", "ht5", "ht6", "tw1", "tw2", "tw3", "tw4", "tw5",
    "ck1", "ck2", "ck3", "ck4", "ck6", "ck7", "n1", "n3", "n4", "n5", "n6",
];

#[test]
fn every_row_has_a_test_named_after_it() {
    let files = [include_str!("algebra.rs"), include_str!("classic.rs"), include_str!("nobody.rs")];
    let tests: Vec<&str> = files
        .iter()
        .flat_map(|file| file.split("#[test]\nfn ").skip(1))
        .map(|test| test.split('(').next().unwrap())
        .collect();
    assert!(tests.len() > 40, "the tests were not found");
    for row in ROWS {
        let shown = tests.iter().any(|test| test.split('_').any(|word| word == row));
        assert!(shown, "no test shows {row}");
    }
}
