//! Bullets that hit a ship, or pass it within 10 px.

use hitmask::{Atlas, Collider, Filter, Graze, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let ship = Collider::new(atlas.sprite_id("ship").ok_or("no ship")?);
    let bullet = Collider::new(atlas.sprite_id("bullet").ok_or("no bullet")?);
    let mut world = World::new(atlas);
    let ship = world.insert(ship)?;
    let bullet = world.insert(bullet)?;
    for y in [0.0, 12.0, 40.0] {
        world.move_to(bullet, [0.0, y])?;
        let found = world.graze(ship, 10.0, Filter::ALL)?;
        let word = match found.first() {
            Some((_, Graze::Hit)) => "hit",
            Some(_) => "near miss",
            None => "clear",
        };
        println!("y = {y}: {word}");
    }
    Ok(())
}
