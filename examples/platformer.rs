//! Character movement: a hero walks up a slope, stops at a wall, and jumps through a platform.
//!
//! `World::move_by_rules` slides along pixels, climbs slopes and treats one layer as one-way
//! platforms. The example prints where the hero stands at the end.
//!
//! `cargo run --example platformer`

use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Mask, MoveRules, Pivot, Rect, Side, World};
use std::error::Error;

/// Layer of one-way platforms: they only block downward motion.
const PLATFORMS: u32 = 0b10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut body = Mask::new(12, 20)?;
    body.fill();
    let hero = AtlasBuilder::new().angles(1).mask("hero", body).to_bytes()?;
    let atlas = Atlas::from_vec(hero)?;
    let hero = atlas.sprite_id("hero").ok_or("no hero")?;
    let mut world = World::new(atlas);

    // Flat ground, a slope of 45 degrees from x = 100, flat from x = 150, and a wall at x = 260.
    let mut level = Mask::new(300, 200)?;
    for x in 0..300 {
        let top = match x {
            0..100 => 180,
            100..150 => 180 - (x - 100),
            150..260 => 130,
            _ => 20,
        };
        level.fill_rect(Rect::new(x, top, x + 1, 200), true);
    }
    let level = world.masks_mut().insert(level, Pivot::HalfTexels(0, 0))?;
    world.insert(Collider::from_mask(level).fixed())?;
    let mut plank = Mask::new(60, 4)?;
    plank.fill();
    let plank = world.masks_mut().insert(plank, Pivot::HalfTexels(0, 0))?;
    let plank = Collider::from_mask(plank).at([20.0, 140.0]).on_layers(PLATFORMS, u32::MAX);
    world.insert(plank.fixed())?;

    let hero = world.insert(Collider::new(hero).at([50.0, 100.0]))?;
    let rules = MoveRules { one_way: PLATFORMS, ..MoveRules::default() };
    let mut speed = [0.0, 0.0];
    let mut tick = |world: &mut World, run: f32, jump: bool| -> Result<bool, Box<dyn Error>> {
        speed = [run, speed[1] + 0.4];
        if jump {
            speed[1] = -7.0;
        }
        let moved = world.move_by_rules(hero, speed, rules, Filter::SOLID)?;
        let stands = moved.blocked_on(Side::Below);
        if stands || moved.blocked_on(Side::Above) {
            speed[1] = 0.0;
        }
        world.update();
        Ok(stands)
    };
    let feet = |world: &World| world.rect(hero).map_or(0, |rect| rect.y1);

    // The hero falls on the plank, walks off its right end, and lands on the ground.
    for _ in 0..60 {
        tick(&mut world, 0.0, false)?;
    }
    assert_eq!(feet(&world), 140, "on the plank");
    while world.rect(hero).is_some_and(|rect| rect.x0 < 84) {
        tick(&mut world, 1.5, false)?;
    }
    for _ in 0..60 {
        tick(&mut world, 0.0, false)?;
    }
    assert_eq!(feet(&world), 180, "on the ground");
    // The hero walks up the slope, along the flat part, and to the wall.
    for _ in 0..200 {
        tick(&mut world, 1.5, false)?;
    }
    assert_eq!(feet(&world), 130, "up the slope");
    assert_eq!(world.rect(hero).map(|rect| rect.x1), Some(260), "adjacent to the wall");
    // The hero walks back under the plank and jumps up through it.
    for _ in 0..150 {
        tick(&mut world, -1.5, false)?;
    }
    let mut landed = tick(&mut world, 0.0, true)?;
    while !landed {
        landed = tick(&mut world, 0.0, false)?;
    }
    assert_eq!(feet(&world), 140, "on the plank again, from below");
    println!("the hero stands at {:?}", world.get(hero).map(|hero| hero.position));
    Ok(())
}
