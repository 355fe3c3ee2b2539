//! Planes: one sprite with several masks. A blade hits the body, the weak spot or the shield of an
//! ogre.
//!
//! Each plane of the ogre has a collider. The example prints which planes the blade touches at each
//! of four positions.
//!
//! `cargo run --example planes`

use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
use std::error::Error;

/// Layer of parts that can be hit.
const HURT: u32 = 0b01;
/// Layer of weapons.
const HIT: u32 = 0b10;

fn main() -> Result<(), Box<dyn Error>> {
    let body: Mask = "
        .####.
        ######
        ######
        .####.
    "
    .parse()?;
    let eye: Mask = "
        ......
        ....#.
        ......
        ......
    "
    .parse()?;
    let shield: Mask = "
        #.....
        #.....
        #.....
        #.....
    "
    .parse()?;
    let planes = ["body", "eye", "shield"];
    let bake = AtlasBuilder::new()
        .planes("ogre", planes, [vec![body, eye, shield]])?
        .mask("blade", "##".parse()?);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let ogre = atlas.sprite_id("ogre").ok_or("no ogre")?;
    let blade = atlas.sprite_id("blade").ok_or("no blade")?;
    let mut world = World::new(atlas);
    // One collider per plane, all at the same position. Their layers do not match each other.
    let mut parts = Vec::new();
    for (plane, name) in (0..).zip(planes) {
        let part = Collider::new(ogre).with_plane(plane).on_layers(HURT, HIT).at([50.0, 50.0]);
        parts.push((world.insert(part)?, name));
    }
    let blade = world.insert(Collider::new(blade).on_layers(HIT, HURT))?;

    let mut strike = |at: [f32; 2]| -> Result<Vec<&str>, Box<dyn Error>> {
        let collider = world.get(blade).ok_or("no blade collider")?;
        world.set(blade, collider.at(at))?;
        world.update();
        let touched = world.touching_with(blade);
        let name = |(id, name): &(_, &'static str)| touched.contains(id).then_some(*name);
        let hits: Vec<&str> = parts.iter().filter_map(name).collect();
        println!("blade at {at:?}: {hits:?}");
        Ok(hits)
    };
    assert_eq!(strike([40.0, 50.0])?, [""; 0], "too far away");
    assert_eq!(strike([47.0, 48.0])?, ["shield"], "the shield is in front of the body");
    assert_eq!(strike([50.0, 50.0])?, ["body"]);
    assert_eq!(strike([52.0, 49.0])?, ["body", "eye"], "the eye is a part of the body");
    Ok(())
}
