//! Grazing: a bullet that passes within 8 pixels of the ship without a hit scores a point.
//!
//! `World::graze` sorts nearby colliders into hits and near misses. The example prints the number of
//! bullets that hit the ship, and of those that only grazed it.
//!
//! ```sh
//! cargo run --example graze_bullets
//! ```

use hitmask::{Atlas, AtlasBuilder, Collider, ColliderId, Filter, Graze, Mask, World};
use std::collections::BTreeSet;

/// Largest distance in pixels that counts as a graze.
const REACH: f32 = 8.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ship: Mask = "
        ......##......
        .....####.....
        .....####.....
        ....######....
        ....######....
        ..##########..
        .############.
        ##############
        ##..######..##
        ......##......
    "
    .parse()?;
    let bytes = AtlasBuilder::new().mask("ship", ship).mask("bullet", Mask::disc(3)?).to_bytes()?;
    let atlas = Atlas::from_vec(bytes)?;
    let sprite = |name| atlas.sprite_id(name).ok_or("a sprite is missing");
    let (ship, bullet) = (sprite("ship")?, sprite("bullet")?);

    let mut world = World::new(atlas);
    let ship = world.insert(Collider::new(ship).at([160.0, 200.0]))?;
    // A fan of bullets from the top. Those in the middle pass near the ship.
    let mut bullets: Vec<(ColliderId, [f32; 2])> = Vec::new();
    for i in 0..25 {
        let id = world.insert(Collider::new(bullet).at([160.0, 20.0]))?;
        bullets.push((id, [(i - 12) as f32 * 0.12, 2.0]));
    }

    let (mut grazed, mut hit) = (BTreeSet::new(), BTreeSet::new());
    for _tick in 0..120 {
        for &(id, [vx, vy]) in &bullets {
            let bullet = world.get(id).ok_or("a bullet is missing")?;
            let [x, y] = bullet.position;
            world.set(id, bullet.at([x + vx, y + vy]))?;
        }
        world.update();

        for (id, graze) in world.graze(ship, REACH, Filter::ALL)? {
            match graze {
                Graze::Hit => _ = hit.insert(id),
                Graze::Graze => _ = grazed.insert(id),
                Graze::Clear => {}
            }
        }
        assert!(world.touching().iter().all(|pair| {
            // Bullets also touch each other. Only contacts with the ship are hits.
            let other = if pair.a == ship { pair.b } else { pair.a };
            (pair.a != ship && pair.b != ship) || hit.contains(&other)
        }));
    }

    // A bullet grazes the ship before it hits.
    let only_grazed = grazed.difference(&hit).count();
    println!("{} of 25 bullets hit, {only_grazed} grazed", hit.len());
    assert!(hit.is_subset(&grazed));
    assert_eq!((hit.len(), only_grazed), (1, 2));
    Ok(())
}
