//! A world is saved to a file, and goes on in a new world, as in a fresh process.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    let id = world.insert(rock)?;
    world.update();
    std::fs::write("saved-by-rust.world", world.snapshot())?;
    let hash = world.state_hash();
    world.move_to(id, [50.0, 0.0])?;
    println!("moved: {}", world.state_hash() != hash);
    // A fresh process needs no more than the atlas and the file.
    let mut fresh = World::new(Atlas::open("art.hitmask")?);
    fresh.restore(&std::fs::read("saved-by-rust.world")?)?;
    println!("restored: {}", fresh.state_hash() == hash);
    Ok(())
}
