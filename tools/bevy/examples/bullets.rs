//! 10,000 bullets against a few rocks: each bullet that touches a rock is despawned, and the rock counts it.
//!
//! `cargo run --example bullets`

use bevy::prelude::*;
use bevy_hitmask::hitmask::{Atlas, AtlasBuilder, Mask};
use bevy_hitmask::{CollisionLayers, CollisionStart, FixedCollider, HitmaskPlugin, PixelCollider};

const BULLETS: usize = 10_000;
const ROCKS: usize = 50;
/// Layers, one bit each. Bullets do not touch bullets.
const BULLET: u32 = 1;
const ROCK: u32 = 2;

#[derive(Component)]
struct Bullet {
    velocity: Vec2,
}

#[derive(Component, Default)]
struct Rock {
    hits: usize,
}

fn atlas() -> Atlas {
    // A game bakes image files in a build script.
    let bake = AtlasBuilder::new()
        .mask("bullet", Mask::disc(2).unwrap())
        .mask("rock", Mask::disc(40).unwrap());
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

fn game(app: &mut App) {
    app.add_plugins(HitmaskPlugin::default().with_atlas(atlas()))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, fly)
        .add_observer(hit);
}

fn setup(mut commands: Commands) {
    for i in 0..ROCKS {
        let angle = i as f32 / ROCKS as f32 * std::f32::consts::TAU;
        let at = Vec2::from_angle(angle) * 900.0;
        commands.spawn((
            Rock::default(),
            PixelCollider::named("rock"),
            CollisionLayers::new(ROCK, BULLET),
            FixedCollider,
            Transform::from_translation(at.extend(0.0)),
        ));
    }
    for i in 0..BULLETS {
        let angle = i as f32 / BULLETS as f32 * std::f32::consts::TAU;
        commands.spawn((
            Bullet { velocity: Vec2::from_angle(angle) * 600.0 },
            PixelCollider::named("bullet"),
            CollisionLayers::new(BULLET, ROCK),
        ));
    }
}

fn fly(mut bullets: Query<(&mut Transform, &Bullet)>, time: Res<Time>) {
    for (mut transform, bullet) in &mut bullets {
        transform.translation += (bullet.velocity * time.delta_secs()).extend(0.0);
    }
}

fn hit(hit: On<CollisionStart>, mut rocks: Query<&mut Rock>, mut commands: Commands) {
    // The event is raised for both; the rock's one is taken.
    if let Ok(mut rock) = rocks.get_mut(hit.entity) {
        rock.hits += 1;
        commands.entity(hit.other).try_despawn();
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    app.run();
}

#[test]
fn every_bullet_hits_a_rock_or_flies_between_two() {
    use bevy::time::TimeUpdateStrategy;
    use std::time::Duration;
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    game(&mut app);
    let tick = Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    for _ in 0..64 * 2 {
        app.update();
    }
    let world = app.world_mut();
    let hits: Vec<usize> = world.query::<&Rock>().iter(world).map(|rock| rock.hits).collect();
    let left = world.query::<&Bullet>().iter(world).count();
    assert_eq!(hits.iter().sum::<usize>() + left, BULLETS);
    // Each rock covers the same angle.
    let share = hits[0];
    assert!(share > 120 && hits.iter().all(|hits| hits.abs_diff(share) <= 4), "{hits:?}");
}
