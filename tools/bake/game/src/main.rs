//! The README's program: a ship flies right until it touches a saucer. Prints the contact.

use hitmask::{Atlas, Collider, World};

hitmask::include_atlas!(sprites);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Atlas::from_static(sprites::BYTES)?);
    let ship = world.insert(Collider::new(sprites::SHIP))?;
    world.insert(Collider::new(sprites::ENEMIES_SAUCER).at([55.0, 0.0]).turned(0.3))?;
    for tick in 0..200 {
        world.move_to(ship, [0.1 * tick as f32, 0.0])?;
        world.update(); // once per tick
        for pair in world.began() {
            println!("tick {tick}: {:?}", world.contact(pair)); // box, area, first pixel
        }
    }
    Ok(())
}
