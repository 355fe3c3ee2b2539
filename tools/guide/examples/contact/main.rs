//! Where two rocks overlap, and how they are pushed apart.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let rock = Collider::new(atlas.sprite_id("rock").ok_or("no rock")?);
    let mut world = World::new(atlas);
    let left = world.insert(rock)?;
    let right = world.insert(rock.at([36.0, 10.0]))?;
    let pair = world.pair([left, right]).ok_or("a collider is gone")?;
    let contact = pair.contact().ok_or("they do not touch")?;
    let overlap = pair.overlap().ok_or("they do not touch")?;
    println!("{} pixels, the first at {}, {}", contact.area, contact.point.x, contact.point.y);
    let (normal, way) = (overlap.normal(), overlap.push_out());
    println!("normal {:.2}, {:.2}", normal.x, normal.y);
    println!("push out by {}, {}", way.x, way.y);
    Ok(())
}
