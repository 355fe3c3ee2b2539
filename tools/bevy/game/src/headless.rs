//! The guide's program without a window: a ship flies until it hits a saucer.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_hitmask::{CollisionStart, HitmaskPlugin, PixelCollider};
use std::time::Duration;

hitmask::include_atlas!(sprites);

fn main() {
    let frames = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(1.0 / 60.0));
    let hitmask = HitmaskPlugin::default().with_static(sprites::BYTES);
    App::new()
        .add_plugins((MinimalPlugins.set(frames), hitmask))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, fly)
        .run();
}

fn setup(mut commands: Commands) {
    let saucer = PixelCollider::new(sprites::ENEMIES_SAUCER);
    commands.spawn((saucer, Transform::from_xyz(60.0, 0.0, 0.0)));
    commands.spawn((PixelCollider::new(sprites::SHIP), Name::new("ship"))).observe(hit);
}

fn fly(mut ship: Single<&mut Transform, With<Name>>) {
    ship.translation.x += 1.0; // in each tick of FixedUpdate
}

fn hit(hit: On<CollisionStart>, ships: Query<&Transform>, mut exit: MessageWriter<AppExit>) {
    if let Ok(ship) = ships.get(hit.entity) {
        println!("hit at x = {}", ship.translation.x);
    }
    exit.write(AppExit::Success);
}
