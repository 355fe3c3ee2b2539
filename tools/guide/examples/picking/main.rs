//! What a mouse or a finger points at.

use hitmask::{Atlas, Collider, Filter, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let ship = Collider::new(atlas.sprite_id("ship").ok_or("no ship")?);
    let coin = Collider::new(atlas.sprite_id("coin").ok_or("no coin")?);
    let mut world = World::new(atlas);
    let ship = world.insert(ship.at([100.0, 100.0]))?;
    let coin = world.insert(coin.at([104.0, 100.0]))?;
    for (at, radius) in
        [([104.0, 100.0], 0.0), ([92.0, 98.0], 0.0), ([110.0, 108.0], 0.0), ([110.0, 108.0], 5.0)]
    {
        // Later colliders are on top.
        let name = match world.pick(at, radius, Filter::ALL, |_| 0)? {
            Some(id) if id == ship => "the ship",
            Some(id) if id == coin => "the coin",
            _ => "nothing",
        };
        println!("{}, {} within {radius} px: {name}", at[0], at[1]);
    }
    Ok(())
}
