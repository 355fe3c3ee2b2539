//! A ship that turns and grows, and a coin near it.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let ship = Collider::new(atlas.sprite_id("ship").ok_or("no ship")?);
    let coin = Collider::new(atlas.sprite_id("coin").ok_or("no coin")?);
    let mut world = World::new(atlas);
    let turning = world.insert(ship)?;
    world.insert(coin.at([0.0, 18.0]))?;
    for degrees in [0.0_f32, 45.0, 90.0] {
        for scale in [1.0, 2.0] {
            world.place(turning, [0.0, 0.0], degrees.to_radians(), scale)?;
            world.update();
            println!("{degrees} degrees, scale {scale}: {} pairs", world.touching().len());
        }
    }
    Ok(())
}
