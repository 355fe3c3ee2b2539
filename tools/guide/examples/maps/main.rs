//! A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let (old, yard) = (atlas.id(), atlas.map("yard").ok_or("no yard")?);
    let hero = Collider::new(atlas.sprite_id("hero").ok_or("no hero")?);
    let mut world = World::new(atlas);
    let mut placed = world.insert_map(&yard, [0.0, 0.0])?;
    println!("{} items, {} colliders", yard.items.len(), world.len());
    let start = yard.items.iter().find(|item| item.name == "start").ok_or("no start")?;
    let hero = world.insert(hero.at(start.position))?;
    world.move_and_slide(hero, [0.0, 100.0])?;
    let [x, y] = world.get(hero).ok_or("no hero")?.position;
    println!("the hero falls to {x}, {y}");
    // The level is saved anew: a boulder below the hero, and the hill farther away.
    world.atlases_mut().replace(old, Atlas::open("art-new.hitmask")?)?;
    let yard = world.atlas().map("yard").ok_or("no yard")?;
    let report = world.update_map(&mut placed, &yard)?;
    let [inserted, changed] = [&report.inserted, &report.changed].map(Vec::len);
    println!("{inserted} inserted, {} removed, {changed} changed", report.removed.len());
    Ok(())
}
