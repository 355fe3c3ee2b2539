//! A hero walks over the ground and up a slope.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let sprite = |name| atlas.sprite_id(name).map(Collider::new).ok_or("a sprite is missing");
    let [hero, ground, slope] = [sprite("hero")?, sprite("ground")?, sprite("slope")?];
    let mut world = World::new(atlas);
    world.insert(ground.at([160.0, 108.0]).fixed())?;
    world.insert(slope.at([160.0, 84.0]).fixed())?;
    let hero = world.insert(hero.at([60.0, 50.0]))?;
    for _ in 0..40 {
        // 3 px to the right, and 8 px down for gravity.
        world.move_and_slide(hero, [3.0, 0.0])?;
        world.move_and_slide(hero, [0.0, 8.0])?;
    }
    let [x, y] = world.get(hero).ok_or("no hero")?.position;
    println!("the hero stands at {x}, {y}");
    Ok(())
}
