//! A bullet hits the body of an ogre, or its eye.

use hitmask::{Atlas, Collider, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let sprite = atlas.sprite_id("ogre").ok_or("no ogre")?;
    let eye = atlas.sprite(sprite).and_then(|ogre| ogre.plane("eye")).ok_or("no eye")?;
    let bullet = Collider::new(atlas.sprite_id("bullet").ok_or("no bullet")?);
    let mut world = World::new(atlas);
    // The parts of one body have an owner, so they never meet each other.
    let body = world.insert(Collider::new(sprite).owned_by(1))?;
    let eye = world.insert(Collider::new(sprite).with_plane(eye).owned_by(1))?;
    let bullet = world.insert(bullet)?;
    for at in [[0.0, 0.0], [8.0, -13.0], [30.0, 0.0]] {
        world.move_to(bullet, at)?;
        world.update();
        let hit = world.touching_with(bullet);
        let what = if hit.contains(&eye) {
            "the eye"
        } else if hit.contains(&body) {
            "the body"
        } else {
            "nothing"
        };
        println!("{}, {}: {what}", at[0], at[1]);
    }
    Ok(())
}
