//! Hot reload: the game goes on with the new pixels as soon as the atlas file changes.
//!
//! `hitmask bake art --output assets/art.hitmask --watch` bakes after each change of the art. Bevy's feature
//! `file_watcher` reloads the file then. Headless, the example bakes and reloads by itself.
//!
//! `cargo run --example hot_reload`

use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{AtlasBuilder, Mask};
use bevy_hitmask::{AtlasReloaded, CollisionStart, HitmaskPlugin, PixelCollider};
use std::path::Path;

fn bake(folder: &Path, width: u32) {
    let bake = AtlasBuilder::new()
        .mask("ship", Mask::solid(width, 10).unwrap())
        .mask("rock", Mask::disc(10).unwrap());
    std::fs::write(folder.join("art.hitmask"), bake.to_bytes().unwrap()).unwrap();
}

fn game(app: &mut App, folder: &Path) {
    let file_path = folder.display().to_string();
    app.add_plugins((
        DefaultPlugins.set(AssetPlugin { file_path, ..default() }),
        HitmaskPlugin::new(PostUpdate).load("art.hitmask"),
    ))
    .add_systems(Startup, setup)
    .add_systems(Update, show)
    .add_observer(|hit: On<CollisionStart>| println!("{} touches {}", hit.entity, hit.other));
}

fn setup(mut commands: Commands) {
    // They wait until the atlas is loaded.
    commands.spawn(PixelCollider::named("ship"));
    commands.spawn((PixelCollider::named("rock"), Transform::from_xyz(40.0, 0.0, 0.0)));
}

fn show(mut reloads: MessageReader<AtlasReloaded>) {
    for reload in reloads.read() {
        reload.report.changed.iter().for_each(|change| println!("changed: {}", change.sprite));
    }
}

/// Bakes, loads, bakes again and reloads. Returns the number of touches.
fn demonstrate() -> usize {
    let folder = std::env::temp_dir().join(format!("bevy_hitmask-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    bake(&folder, 20);
    let mut app = App::new();
    game(&mut app, &folder);
    let mut touches = app.world().resource::<Messages<CollisionStart>>().get_cursor();
    let wait = |app: &mut App, done: &mut dyn FnMut(&App) -> bool| {
        for _ in 0..100_000 {
            app.update();
            if done(app) {
                return;
            }
            std::thread::yield_now();
        }
        panic!("the atlas is not loaded");
    };
    let colliders = |app: &App| {
        let pixels = app.world().resource::<bevy_hitmask::PixelWorld>();
        pixels.world().map_or(0, |world| world.len())
    };
    wait(&mut app, &mut |app| colliders(app) == 2);
    // The artist widens the ship.
    bake(&folder, 80);
    app.world().resource::<AssetServer>().reload("art.hitmask");
    let mut count = 0;
    wait(&mut app, &mut |app| {
        count += touches.read(app.world().resource::<Messages<CollisionStart>>()).count();
        count > 0
    });
    std::fs::remove_dir_all(&folder).unwrap();
    count
}

fn main() {
    println!("{} entities began to touch", demonstrate());
}

#[test]
fn the_wider_ship_of_a_reload_touches_the_rock() {
    assert_eq!(demonstrate(), 2);
}
