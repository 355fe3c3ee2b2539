//! Picking: finds the topmost sprite under a mouse, or near a finger.
//!
//! `World::pick` tests pixels, not boxes, and takes a radius and an order. The example prints which
//! of three overlapping cards each position picks.
//!
//! `cargo run --example picking`

use hitmask::{Atlas, AtlasBuilder, Collider, ColliderId, Filter, Mask, World, Zone};
use std::collections::HashMap;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut card = Mask::new(40, 60)?;
    card.fill();
    let (coin, _) = Mask::from_zone(&Zone::circle([10.0, 10.0], 10.0)?)?;
    let bake = AtlasBuilder::new().mask("card", card).mask("coin", coin);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let [card, coin] = [atlas.sprite_id("card"), atlas.sprite_id("coin")];
    let (card, coin) = (card.ok_or("no card")?, coin.ok_or("no coin")?);
    let mut world = World::new(atlas);

    // The game decides the order of sprites. Here, later sprites are above earlier ones.
    let mut heights: HashMap<ColliderId, usize> = HashMap::new();
    let mut names: HashMap<ColliderId, &str> = HashMap::new();
    for (height, (name, sprite, at)) in [
        ("ace", card, [100.0, 100.0]),
        ("coin", coin, [115.0, 100.0]),
        ("king", card, [130.0, 110.0]),
    ]
    .into_iter()
    .enumerate()
    {
        let id = world.insert(Collider::new(sprite).at(at))?;
        heights.insert(id, height);
        names.insert(id, name);
    }
    world.update();
    let pick = |at: [f32; 2], radius: f32| -> Result<Option<&str>, Box<dyn Error>> {
        let found = world.pick(at, radius, Filter::ALL, |id| heights.get(&id).copied())?;
        let name = found.and_then(|id| names.get(&id).copied());
        println!("at {at:?} within {radius} pixels: {}", name.unwrap_or("nothing"));
        Ok(name)
    };
    assert_eq!(pick([90.0, 100.0], 0.0)?, Some("ace"));
    assert_eq!(pick([107.5, 97.5], 0.0)?, Some("coin"), "the coin is above the ace");
    assert_eq!(pick([112.0, 100.0], 0.0)?, Some("king"), "the king is above both");
    assert_eq!(
        pick([106.0, 90.5], 0.0)?,
        Some("ace"),
        "inside the box of the coin, but outside of its pixels"
    );
    assert_eq!(pick([75.0, 100.0], 0.0)?, None, "a mouse has radius 0");
    assert_eq!(pick([75.0, 100.0], 8.0)?, Some("ace"), "a finger has a radius of 8 pixels");
    Ok(())
}
