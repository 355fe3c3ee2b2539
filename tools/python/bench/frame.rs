//! The Rust frame of `bench/figures.py`: the same sprites, placed from the same numbers, without Python.
//!
//! `frame FOLDER` reads `star.hitmask` and `sprites.f32` (x, y, their velocities and the angle of each sprite).
//! It prints the milliseconds of a frame and the number of pairs of the last one.

use hitmask::{Atlas, Collider, ColliderId, Placement, World};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const ROUNDS: u32 = 40;

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder"));
    let atlas = Atlas::open(folder.join("star.hitmask")).expect("an atlas");
    let bytes = std::fs::read(folder.join("sprites.f32")).expect("sprites");
    let numbers: Vec<f32> = bytes
        .chunks_exact(4)
        .map(|bytes| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    let mut sprites: Vec<[f32; 5]> =
        numbers.chunks_exact(5).map(|row| [row[0], row[1], row[2], row[3], row[4]]).collect();
    let star = atlas.sprite_id("star").expect("a star");
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> =
        sprites.iter().map(|_| world.insert(Collider::new(star)).expect("a collider")).collect();
    let (mut spent, mut pairs) = (Duration::ZERO, Vec::new());
    for round in 0..ROUNDS + 5 {
        for [x, y, dx, dy, angle] in &mut sprites {
            (*x, *y, *angle) = (*x + *dx, *y + *dy, *angle + 0.02);
        }
        let start = Instant::now();
        let placements: Vec<Placement> = sprites
            .iter()
            .map(|&[x, y, .., angle]| Placement { position: [x, y], angle: angle.into() })
            .collect();
        world.set_placements(&ids, &placements).expect("placements");
        world.update();
        pairs = world.touching().to_vec();
        if round >= 5 {
            spent += start.elapsed();
        }
    }
    println!("{} {}", spent.as_secs_f64() * 1e3 / f64::from(ROUNDS), pairs.len());
}
