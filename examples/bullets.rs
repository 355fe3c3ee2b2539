//! Continuous collision detection: bullets that move 900 pixels per tick cannot tunnel through
//! rocks.
//!
//! `World::cast` moves each bullet along its path up to the first contact. The example prints, for
//! each bullet that hits, the position at the contact and the direction of the surface normal.
//!
//! `cargo run --example bullets`

use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, World, Zone};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (ball, _) = Mask::from_zone(&Zone::circle([20.0, 20.0], 20.0)?)?;
    let bake = AtlasBuilder::new().mask("bullet", "####\n####".parse()?).mask("rock", ball);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let bullet = atlas.sprite_id("bullet").ok_or("no bullet")?;
    let rock = atlas.sprite_id("rock").ok_or("no rock")?;
    let mut world = World::new(atlas);
    // Rocks with a radius of 20 pixels in a row, 100 pixels apart.
    for i in 0..10 {
        world.insert(Collider::new(rock).at([100.0 * i as f32 + 100.0, 0.0]))?;
    }
    world.update();

    let mut destroyed = Vec::new();
    for height in [-30.0, -21.0, -20.0, -10.0, 0.0, 10.0] {
        let bullet = world.insert(Collider::new(bullet).at([0.0, height]))?;
        if let Some(hit) = world.cast(bullet, [900.0, 0.0], Filter::SOLID)? {
            let [x, y] = hit.position;
            let turned = hit.impact.normal.degrees();
            println!(
                "at height {height}: hit at ({x}, {y}), the surface faces {turned:.0} degrees"
            );
            world.remove(hit.collider);
            destroyed.push(height);
        }
        world.remove(bullet);
    }
    // A bullet is 2 pixels high. At height -21 its lower row passes just above the rocks.
    assert_eq!(destroyed, [-20.0, -10.0, 0.0, 10.0]);
    assert_eq!(world.len(), 6);
    Ok(())
}
