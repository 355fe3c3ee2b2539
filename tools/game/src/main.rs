//! The smallest game with an embedded atlas: a turning ship flies right until it touches a saucer.
//!
//! Prints the tick, the first touching pixel and the number of shared pixels. `build.rs` bakes the
//! atlas.

use hitmask::{Atlas, Collider, World};

hitmask::include_atlas!(sprites);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::from_static(sprites::BYTES)?;
    assert!(atlas.is_in_place(), "an included atlas is used without a copy");
    let mut world = World::new(atlas);
    let ship = world.insert(Collider::new(sprites::SHIP).at([0.0, 0.0]))?;
    world.insert(Collider::new(sprites::ENEMIES_SAUCER).at([55.0, 0.0]))?;
    for tick in 0..200 {
        world.set(
            ship,
            Collider::new(sprites::SHIP).at([0.1 * tick as f32, 0.0]).turned(0.05 * tick as f32),
        )?;
        world.update();
        if let Some(pair) = world.touching().first() {
            let hit = world.contact(pair).ok_or("a touching pair has a contact")?;
            println!(
                "tick {tick}: contact at {}, {}, {} shared pixels",
                hit.point.x, hit.point.y, hit.area
            );
            return Ok(());
        }
    }
    Err("the sprites did not touch in 200 ticks".into())
}
