//! Two sprites, one of which moves: the tick and the pixel of the first contact.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let ship = Collider::new(atlas.sprite_id("ship").ok_or("no ship")?);
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    let ship = world.insert(ship.at([0.0, 40.0]))?;
    world.insert(rock.at([90.0, 52.0]))?;
    for tick in 0..100 {
        world.move_to(ship, [tick as f32, 40.0])?;
        world.update();
        for pair in world.began() {
            let hit = world.contact(pair).ok_or("no contact")?;
            println!("tick {tick}: hit at {}, {}", hit.point.x, hit.point.y);
        }
    }
    Ok(())
}
