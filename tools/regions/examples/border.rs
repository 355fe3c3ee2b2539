//! A shot flies from the region of one process into that of another, where it hits a wall.
//!
//! `cargo run -p hitmask-regions --example border` starts both processes and prints what each of them reports.

use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Rect, World};
use hitmask_regions::{Options, Plane, Question, Shape, launch, local_hosts};
use std::error::Error;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [process, hosts @ ..] = &args[..] {
        return play(process.parse()?, hosts);
    }
    let (program, hosts) = (std::env::current_exe()?, local_hosts(2)?);
    let start = |process: usize| {
        let mut command = Command::new(&program);
        command.arg(process.to_string()).args(&hosts);
        command
    };
    for output in launch(start, 2)? {
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

/// Both processes run this. Each holds the colliders of its half of the plane.
fn play(process: usize, hosts: &[String]) -> Result<(), Box<dyn Error>> {
    let bake = AtlasBuilder::new().mask("shot", Mask::disc(3)?).mask("wall", Mask::solid(8, 60)?);
    let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    let [shot, wall] = ["shot", "wall"].map(|name| atlas.sprite_id(name).map(Collider::new));
    let (Some(shot), Some(wall)) = (shot, wall) else {
        return Err("the atlas has both sprites".into());
    };

    let mut options = Options::new(Rect::new(0, 0, 200, 100));
    options.regions = 1;
    // The number that a collider carries is its velocity, in pixels per tick.
    let mut plane = Plane::<f32>::join(hosts, process, World::new(atlas), options)?;
    if plane.is_here([60.0, 50.0]) {
        plane.insert(shot.at([60.0, 50.0]), 9.0)?;
    } else {
        plane.insert(wall.at([150.0, 50.0]), 0.0)?;
    }
    for _ in 0..15 {
        plane.drive(|_, place, velocity| place.position[0] += *velocity)?;
        plane.tick()?;
        for pair in plane.began() {
            println!("process {process}, tick {}: {} touches {}", plane.ticks(), pair.a, pair.b);
        }
    }
    // Both ask, and the answer is that of the whole plane.
    let answers = plane.ask(&[Question::new(Shape::Circle([150.0, 50.0], 80.0))])?;
    println!(
        "process {process} holds {} colliders; near the wall: {answers:?}",
        plane.stats().colliders
    );
    Ok(())
}
