//! Bullets that fly 900 px per tick hit what lies between.

use hitmask::{Atlas, Collider, Filter, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let bullet = Collider::new(atlas.sprite_id("bullet").ok_or("no bullet")?);
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    world.insert(rock.at([500.0, 0.0]))?;
    for y in [0.0, -21.0, -23.0] {
        let id = world.insert(bullet.at([0.0, y]))?;
        // 900 px in one tick: every pixel of the way is tested.
        match world.cast(id, [900.0, 0.0], Filter::SOLID)? {
            Some(hit) => println!("y = {y}: stops at x = {}", hit.position[0]),
            None => println!("y = {y}: flies on"),
        }
        world.remove(id);
    }
    Ok(())
}
