//! Poses of a compact atlas are drawn when they are first shown, or ahead.

use hitmask::{Atlas, Collider, World};
use std::f32::consts::TAU;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    world.insert(rock)?;
    println!("{} pose is drawn", world.pose_stats().poses);
    // One collider for each angle that will be shown. In a game: some of them in each frame.
    let wave: Vec<Collider> = (0..64).map(|i| rock.turned(TAU * i as f32 / 64.0)).collect();
    let drawn = world.atlases_mut().draw_ahead(&wave, |bytes| bytes < 1_000_000)?;
    println!("{drawn} of {} are ready", wave.len());
    println!("{} poses take {} bytes", world.pose_stats().poses, world.pose_stats().bytes);
    Ok(())
}
