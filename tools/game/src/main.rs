//! Two ships, one of them turning, until they touch.

use hitmask::{Atlas, Collider, World};

hitmask::include_atlas!(sprites);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::from_static(sprites::BYTES)?;
    assert!(atlas.is_in_place(), "included atlases need no copy");
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
                "tick {tick}: they touch at {}, {}, {} pixels",
                hit.point.x, hit.point.y, hit.area
            );
            return Ok(());
        }
    }
    Err("they never met".into())
}
