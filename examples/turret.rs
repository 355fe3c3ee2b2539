//! Nested transforms: a barrel on a turret on a tank, shown with the nearest baked pose.
//!
//! `Affine` composes the transforms, and `similarity` extracts position and angle. The example
//! prints the bounds of the barrel for four orientations.
//!
//! `cargo run --example turret`

use hitmask::{Affine, Atlas, AtlasBuilder, Collider, Mask, Pivot, World};
use std::error::Error;
use std::f32::consts::{FRAC_PI_2, PI};

fn main() -> Result<(), Box<dyn Error>> {
    let mut barrel = Mask::new(30, 4)?;
    barrel.fill();
    // The pivot of the barrel is the centre of its left end.
    let bake = AtlasBuilder::new().angles(64).pivot(Pivot::HalfTexels(0, 4)).mask("barrel", barrel);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let sprite = atlas.sprite_id("barrel").ok_or("no barrel")?;
    let mut world = World::new(atlas);
    let barrel = world.insert(Collider::new(sprite))?;

    let mut ends = Vec::new();
    for (tank, turret) in [(0.0, 0.0), (FRAC_PI_2, 0.0), (FRAC_PI_2, FRAC_PI_2), (PI, -FRAC_PI_2)] {
        // The tank is at (200, 100). The turret is 16 pixels behind its centre. The barrel starts
        // 5 pixels in front of the turret's centre.
        let transform = Affine::placed([200.0, 100.0], [0.0, 0.0], tank, 1.0)
            * Affine::placed([-16.0, 0.0], [0.0, 0.0], turret, 1.0)
            * Affine::translation([5.0, 0.0]);
        let shown = transform.similarity(0.001).ok_or("the transform is not a similarity")?;
        let collider = world.get(barrel).ok_or("no barrel collider")?;
        world.set(barrel, collider.at(shown.position.map(f32::round)).turned(shown.angle))?;
        let rect = world.rect(barrel).ok_or("the barrel has pixels")?;
        ends.push([rect.x0, rect.y0, rect.x1, rect.y1]);
    }
    // The barrel points right, down, left, and down again, each time from another position.
    assert_eq!(ends[0], [189, 98, 219, 102]);
    assert_eq!(ends[1], [198, 89, 202, 119]);
    assert_eq!(ends[2], [165, 82, 195, 86]);
    assert_eq!(ends[3], [214, 105, 218, 135]);
    println!("bounds of the barrel, as [x0, y0, x1, y1]: {ends:?}");
    Ok(())
}
