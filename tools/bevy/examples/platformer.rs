//! A character that walks on pixels: it runs up a hill, jumps onto a platform from below, and stops at a wall.
//!
//! `cargo run --example platformer`

use bevy::prelude::*;
use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, Mask, MoveRules, Side};
use bevy_hitmask::{
    CollisionLayers, FixedCollider, HitmaskPlugin, MoveAndSlide, MoveOutcome, PixelCollider,
};

/// Layers, one bit each.
const SOLID: u32 = 1;
const PLATFORM: u32 = 2;

#[derive(Component, Default)]
struct Hero {
    /// Speed upwards, in pixels per tick.
    rise: f32,
    jump: bool,
}

fn atlas() -> Atlas {
    let mut hill = Mask::new(400, 120).unwrap();
    for x in 0..400 {
        // A slope of 45 degrees in the middle.
        let top = 110 - (x - 150).clamp(0, 100);
        (top..120).for_each(|y| hill.set(x, y, true));
    }
    let bake = AtlasBuilder::new()
        .mask("hero", Mask::solid(12, 20).unwrap())
        .mask("hill", hill)
        .mask("wall", Mask::solid(10, 300).unwrap())
        .mask("platform", Mask::solid(80, 6).unwrap());
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

fn game(app: &mut App) {
    app.add_plugins(HitmaskPlugin::default().with_atlas(atlas()))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, run);
}

fn setup(mut commands: Commands) {
    let level = |name| (PixelCollider::named(name), FixedCollider);
    commands.spawn((level("hill"), Transform::from_xyz(200.0, 60.0, 0.0)));
    commands.spawn((level("wall"), Transform::from_xyz(395.0, 100.0, 0.0)));
    let layers = CollisionLayers::new(PLATFORM, u32::MAX);
    commands.spawn((level("platform"), layers, Transform::from_xyz(60.0, 53.0, 0.0)));
    let rules = MoveRules { one_way: PLATFORM, ..default() };
    commands.spawn((
        Hero::default(),
        PixelCollider::named("hero"),
        CollisionLayers::new(SOLID, u32::MAX),
        MoveAndSlide { rules, ..default() },
        Transform::from_xyz(60.0, 60.0, 0.0),
    ));
}

/// Runs to the right, falls, and jumps if asked.
fn run(mut heroes: Query<(&mut Hero, &mut MoveAndSlide, &MoveOutcome)>) {
    for (mut hero, mut mover, moved) in &mut heroes {
        let is_on_ground = moved.blocked_on(Side::Below);
        hero.rise = match is_on_ground {
            true if hero.jump => 8.0,
            true => -1.0,
            false => (hero.rise - 0.5).max(-10.0),
        };
        let speed = if hero.jump { 0.0 } else { 2.0 };
        hero.jump &= !is_on_ground;
        mover.motion = Vec2::new(speed, hero.rise);
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    app.run();
}

/// Returns the game after its first frame. Each frame is one tick.
#[cfg(test)]
fn started() -> App {
    use bevy::time::TimeUpdateStrategy;
    use std::time::Duration;
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    let tick = Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.update();
    app
}

#[test]
fn the_hero_climbs_the_hill_and_stops_at_the_wall() {
    let mut app = started();
    let hero = |app: &mut App| {
        let world = app.world_mut();
        let (transform, moved) =
            world.query_filtered::<(&Transform, &MoveOutcome), With<Hero>>().single(world).unwrap();
        (transform.translation.truncate(), moved.clone())
    };
    (0..300).for_each(|_| app.update());
    let (at, moved) = hero(&mut app);
    // The top of the hill is at 110, the wall begins at 390.
    assert_eq!(at, Vec2::new(384.0, 120.0));
    assert!(moved.blocked_on(Side::Right) && moved.blocked_on(Side::Below));
}

#[test]
fn the_hero_jumps_through_the_platform_and_lands_on_it() {
    let mut app = started();
    let world = app.world_mut();
    let mut heroes = world.query::<(&mut Hero, &mut Transform)>();
    let (mut hero, mut transform) = heroes.single_mut(world).unwrap();
    // On the ground below the platform.
    hero.jump = true;
    transform.translation = Vec3::new(60.0, 22.0, 0.0);
    let mut highest = f32::MIN;
    for _ in 0..60 {
        let world = app.world_mut();
        let (mut hero, transform) = heroes.single_mut(world).unwrap();
        highest = highest.max(transform.translation.y);
        // Stays where it is after the jump.
        hero.jump |= highest > 60.0;
        app.update();
        let (mut hero, transform) = heroes.single_mut(app.world_mut()).unwrap();
        if highest > 70.0 && transform.translation.y == 66.0 {
            hero.jump = false;
            return;
        }
    }
    panic!("never on the platform; highest {highest}");
}
