//! A coin falls onto terrain, which loses a crater each time.

use hitmask::{Atlas, Collider, Filter, Mask, Pivot, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Atlas::open("art.hitmask")?);
    let coin = Collider::new(world.atlas().sprite_id("coin").ok_or("no coin")?);
    // Terrain is a mask of the world, with its top left pixel at the position of its collider.
    let terrain = world.masks_mut().insert(Mask::solid(300, 100)?, Pivot::HalfTexels(0, 0))?;
    world.insert(Collider::from_mask(terrain).at([0.0, 200.0]))?;
    let coin = world.insert(coin.at([150.0, 100.0]))?;
    for _ in 0..3 {
        let hit = world.cast(coin, [0.0, 300.0], Filter::SOLID)?.ok_or("no ground")?;
        println!("the coin falls to y = {}", hit.position[1]);
        let [x, y] = hit.point.map(|v| v as i32);
        let crater = Mask::disc(20)?;
        world.masks_mut().edit(terrain, |mask| mask.erase(&crater, [x - 20, y - 200 - 20]));
    }
    Ok(())
}
