//! New art in a running game: a coin that has grown touches its neighbour.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let (old, coin) = (atlas.id(), Collider::new(atlas.sprite_id("coin").ok_or("no coin")?));
    let mut world = World::new(atlas);
    world.insert(coin)?;
    world.insert(coin.at([16.0, 0.0]))?;
    world.update();
    println!("before: {} pairs touch", world.touching().len());
    // Colliders keep their ids, places and pairs.
    world.atlases_mut().replace(old, Atlas::open("art-new.hitmask")?)?;
    world.update();
    println!("after: {} pairs touch", world.touching().len());
    Ok(())
}
