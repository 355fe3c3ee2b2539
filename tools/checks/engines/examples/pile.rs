//! Drops sprites on terrain in Rapier, and draws the pile: `pile [PNG]`.

use hitmask::{Mask, Rect};
use hitmask_engines::rapier::Rapier;
use hitmask_engines::{Engine, Scene, art, draw};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).map_or("target/pile.png".into(), PathBuf::from);
    // A bowl between two walls.
    let mut terrain = Mask::new(640, 448)?;
    for x in 0..640 {
        let side = (x as f32 - 320.0) / 320.0;
        let top = 410.0 - 190.0 * side * side - 10.0 * (x as f32 / 23.0).sin();
        terrain.fill_rect(Rect::new(x, top as i32, x + 1, 448), true);
    }
    for x in [0, 632] {
        terrain.fill_rect(Rect::new(x, 0, x + 8, 448), true);
    }
    let mut sprites = art::own(100);
    sprites.extend(art::real(24, 90));
    let mut scene = Scene::<Rapier>::new(terrain);
    scene.drop_all(&sprites, [120, 520], 200);
    let (mut ticks, mut still) = (0, 0);
    while ticks < 1200 && still < 30 {
        scene.engine.step();
        ticks += 1;
        still = if scene.speed() < 0.2 { still + 1 } else { 0 };
    }
    let picture = draw::scene(&mut scene, Rect::new(0, 0, 640, 448), 2);
    hitmask_demo::headless::write_png(&path, &picture)?;
    println!(
        "{} sprites of {} convex pieces came to rest in {ticks} ticks: {}",
        sprites.len(),
        sprites.iter().map(|sprite| sprite.pieces.pieces.len()).sum::<usize>(),
        path.display()
    );
    Ok(())
}
