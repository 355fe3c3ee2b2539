//! Atlases as assets: loading, hot reload, several atlases, dropping.

use crate::support::*;
use bevy::asset::{AssetPlugin, LoadState};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{AtlasBuilder, Map, MapItem as Item, MapShape, Mask};
use bevy_hitmask::{AtlasReloaded, HitmaskPlugin, PixelAtlas, PixelCollider, PixelWorld};
use std::path::PathBuf;

/// A folder of assets that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("bevy_hitmask-{name}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    fn write(&self, file: &str, sprites: &[(&str, u32)]) {
        let mut bake = AtlasBuilder::new();
        for &(name, side) in sprites {
            bake = bake.mask(name, Mask::solid(side, side).unwrap());
        }
        std::fs::write(self.0.join(file), bake.to_bytes().unwrap()).unwrap();
    }

    fn app(&self, plugin: HitmaskPlugin) -> App {
        let mut app = App::new();
        let file_path = self.0.display().to_string();
        app.add_plugins((DefaultPlugins.set(AssetPlugin { file_path, ..default() }), plugin));
        one_tick_each(&mut app);
        on_this_thread(&mut app);
        app
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Updates until `done`, as long as an asset takes to load.
fn update_until(app: &mut App, what: &str, mut done: impl FnMut(&mut App) -> bool) {
    for _ in 0..100_000 {
        app.update();
        if done(app) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("waited in vain: {what}");
}

fn load(app: &App, path: &'static str) -> Handle<PixelAtlas> {
    app.world().resource::<AssetServer>().load(path)
}

/// Replaces a file by damaged bytes, and updates until its reload has failed, and once more.
fn damage(app: &mut App, folder: &Folder, file: &'static str) {
    std::fs::write(folder.0.join(file), "not an atlas").unwrap();
    let assets = app.world().resource::<AssetServer>().clone();
    assets.reload(file);
    let id = assets.get_handle::<PixelAtlas>(file).unwrap();
    update_until(app, "failure", |_| matches!(assets.load_state(id.id()), LoadState::Failed(_)));
    app.update();
}

fn side(app: &App, entity: Entity) -> Option<usize> {
    app.world().resource::<PixelWorld>().id(entity)?;
    Some(pixels(app, entity).len().isqrt())
}

#[test]
fn an_atlas_is_loaded_and_reloaded_while_colliders_wait_for_it() {
    let folder = Folder::new("reload");
    folder.write("art.hitmask", &[("coin", 4), ("ship", 10)]);
    let mut app = folder.app(HitmaskPlugin::default().load("art.hitmask"));
    let ship = app.world_mut().spawn(PixelCollider::named("ship")).id();
    app.update();
    assert_eq!(app.world().resource::<PixelWorld>().fault(ship), None, "it waits");
    update_until(&mut app, "load", |app| side(app, ship) == Some(10));

    // A sprite before the others: every index changes.
    folder.write("art.hitmask", &[("anchor", 3), ("coin", 4), ("ship", 16)]);
    app.world().resource::<AssetServer>().reload("art.hitmask");
    update_until(&mut app, "reload", |app| side(app, ship) == Some(16));
    let reloads = app.world().resource::<Messages<AtlasReloaded>>();
    let mut cursor = reloads.get_cursor();
    let reload = cursor.read(reloads).next().unwrap();
    assert_eq!(reload.report.added, ["anchor"]);
    assert_eq!(reload.report.changed[0].sprite, "ship");

    // A damaged file changes nothing, and the game goes on.
    damage(&mut app, &folder, "art.hitmask");
    assert_eq!(side(&app, ship), Some(16));

    // Only pixels differ.
    std::fs::remove_file(folder.0.join("art.hitmask")).unwrap();
    let mut dented = Mask::solid(16, 16).unwrap();
    dented.set(0, 0, false);
    let bake = AtlasBuilder::new().mask("anchor", Mask::solid(3, 3).unwrap());
    let bake = bake.mask("coin", Mask::solid(4, 4).unwrap()).mask("ship", dented);
    std::fs::write(folder.0.join("art.hitmask"), bake.to_bytes().unwrap()).unwrap();
    app.world().resource::<AssetServer>().reload("art.hitmask");
    update_until(&mut app, "dent", |app| pixels(app, ship).len() == 255);
}

#[test]
fn several_atlases_have_sprites_of_one_name() {
    let folder = Folder::new("several");
    folder.write("a.hitmask", &[("door", 4)]);
    folder.write("b.hitmask", &[("door", 8), ("key", 2)]);
    // The same contents as `a`: the same id, if it had no label.
    folder.write("c.hitmask", &[("door", 4)]);
    let mut app = folder.app(HitmaskPlugin::default());
    app.update();
    let handles = ["a.hitmask", "b.hitmask", "c.hitmask"].map(|path| load(&app, path));
    let doors = handles
        .clone()
        .map(|handle| app.world_mut().spawn(PixelCollider::named("door").in_atlas(handle)).id());
    update_until(&mut app, "all three", |app| {
        doors.iter().map(|&door| side(app, door)).eq([Some(4), Some(8), Some(4)])
    });
    let world = hitmask_world(&app);
    assert_eq!((world.atlases().len(), world.len()), (3, 3));
    // A name without an atlas is found in any of them.
    let key = app.world_mut().spawn(PixelCollider::named("key")).id();
    app.update();
    assert_eq!(side(&app, key), Some(2));

    // The level is over: its handle is dropped, and its colliders leave the world.
    let [a, b, c] = handles;
    drop(b);
    app.world_mut().entity_mut(doors[1]).despawn();
    update_until(&mut app, "drop", |app| hitmask_world(app).atlases().len() == 2);
    app.update();
    assert_eq!((side(&app, key), side(&app, doors[0])), (None, Some(4)));
    assert!(app.world().resource::<PixelWorld>().fault(key).is_some());
    // It comes back with the atlas.
    let b = load(&app, "b.hitmask");
    update_until(&mut app, "again", |app| side(app, key) == Some(2));
    drop((a, b, c));
}

#[test]
fn the_atlas_of_the_next_level_takes_the_place_of_the_only_one() {
    let folder = Folder::new("levels");
    folder.write("first.hitmask", &[("door", 4)]);
    folder.write("second.hitmask", &[("door", 8)]);
    let mut app = folder.app(HitmaskPlugin::default());
    app.update();
    let first = load(&app, "first.hitmask");
    let door = app.world_mut().spawn(PixelCollider::named("door")).id();
    update_until(&mut app, "first", |app| side(app, door) == Some(4));
    drop(first);
    (0..4).for_each(|_| app.update());
    let second = load(&app, "second.hitmask");
    update_until(&mut app, "second", |app| side(app, door) == Some(8));
    let world = hitmask_world(&app);
    assert_eq!(world.atlases().len(), 1);
    drop(second);
}

#[test]
fn an_asset_that_is_added_by_code_is_an_atlas_too() {
    let mut app = app_with(HitmaskPlugin::default());
    let atlas = PixelAtlas(crate::support::atlas());
    let handle = app.world_mut().resource_mut::<Assets<PixelAtlas>>().add(atlas);
    let square = PixelCollider::named("square").in_atlas(handle);
    let a = app.world_mut().spawn(square.clone()).id();
    let b = app.world_mut().spawn(square).id();
    let mut started = Vec::new();
    (0..4).for_each(|_| started.extend(tick(&mut app).0));
    assert_eq!(started, both(a, b));
}

#[test]
fn the_plugin_may_be_added_before_the_asset_plugin() {
    let mut app = App::new();
    app.add_plugins((HitmaskPlugin::new(PostUpdate), DefaultPlugins));
    app.finish();
    app.cleanup();
    assert!(app.world().contains_resource::<Assets<PixelAtlas>>());
    app.update();
}

#[test]
fn a_level_that_is_edited_on_disk_is_updated_where_it_is_placed() {
    let folder = Folder::new("level");
    let write = |items: &[(&str, f32)]| {
        let items = items.iter().map(|&(id, x)| Item {
            id: id.to_owned(),
            position: [x, 0.0],
            shape: Some(MapShape { sprite: "tile".into(), ..MapShape::default() }),
            ..Item::default()
        });
        let map = Map { name: "yard".into(), items: items.collect(), ..Map::default() };
        let bake = AtlasBuilder::new().mask("tile", Mask::solid(8, 8).unwrap()).map(map);
        std::fs::write(folder.0.join("yard.hitmask"), bake.to_bytes().unwrap()).unwrap();
    };
    write(&[("step", 0.0), ("door", 20.0)]);
    let mut app = folder.app(HitmaskPlugin::default().load("yard.hitmask"));
    update_until(&mut app, "load", |app| app.world().resource::<PixelWorld>().world().is_some());
    app.world_mut()
        .run_system_once(|mut commands: Commands, pixels: Res<PixelWorld>| {
            pixels.spawn_map(&mut commands, "yard", Transform::IDENTITY).map(|_| ())
        })
        .unwrap()
        .unwrap();
    let xs = |app: &mut App| {
        let world = hitmask_world(app);
        let mut xs: Vec<f32> = world.iter().map(|(_, collider)| collider.position[0]).collect();
        xs.sort_by(f32::total_cmp);
        xs
    };
    update_until(&mut app, "spawn", |app| xs(app) == [0.0, 20.0]);
    write(&[("lamp", 50.0), ("door", 30.0)]);
    app.world().resource::<AssetServer>().reload("yard.hitmask");
    update_until(&mut app, "edit", |app| xs(app) == [30.0, 50.0]);
    // A damaged file leaves the level as it is.
    damage(&mut app, &folder, "yard.hitmask");
    assert_eq!(xs(&mut app), [30.0, 50.0]);
}
