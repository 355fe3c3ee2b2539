//! Colliders in a circle, on a ray, and nearest to a point.

use hitmask::{Atlas, Collider, Filter, Line, World, Zone};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let coin = Collider::new(atlas.sprite_id("coin").ok_or("no coin")?);
    let mut world = World::new(atlas);
    for i in 0..10 {
        world.insert(coin.at([20.0 * i as f32, 0.0]))?;
    }
    let blast = world.query(&Zone::circle([60.0, 0.0], 30.0)?, Filter::ALL)?;
    println!("{} coins in the blast", blast.len());
    if let Some((_, hit)) = world.ray(&Line::new([-50.0, 3.0], [300.0, 3.0])?, Filter::ALL)? {
        println!("the ray ends at {}, {}", hit.point.x, hit.point.y);
    }
    if let Some((_, distance)) = world.nearest([80.0, 50.0], 100.0, Filter::ALL)? {
        println!("the nearest pixel is {distance:.2} px away");
    }
    Ok(())
}
