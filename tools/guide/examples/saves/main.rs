//! A world is saved, changed and restored.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    let id = world.insert(rock)?;
    world.update();
    let (saved, hash) = (world.snapshot(), world.state_hash());
    world.move_to(id, [50.0, 0.0])?;
    println!("moved: {}", world.state_hash() != hash);
    world.restore(&saved)?;
    println!("restored: {}", world.state_hash() == hash);
    Ok(())
}
