//! Maps of atlases as entities.

use crate::support::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{
    Angle, Atlas, Collider, Flip, Map, MapItem as Item, MapShape, World as HitmaskWorld,
};
use bevy_hitmask::{
    ColliderError, CollisionLayers, HitmaskPlugin, MapItem, MapUpdate, PixelCollider, PixelWorld,
    Sensor,
};
use std::collections::BTreeSet;

fn item(name: &str, position: [f32; 2], shape: MapShape) -> Item {
    let (name, class) = (name.to_owned(), format!("a {name}"));
    let properties = vec![("damage".to_owned(), "3".to_owned())];
    let (size, shape) = ([12.0, 16.5], Some(shape));
    Item { name, class, position, size, properties, shape, ..Item::default() }
}

/// A map of sprites of even and odd sizes, turned and mirrored, and of a point.
fn yard() -> Map {
    let mut items = vec![Item { name: "start".into(), position: [7.0, 3.0], ..Item::default() }];
    for (at, sprite) in ["letter", "odd"].into_iter().enumerate() {
        for turn in [0, 16384, 32768, 5000] {
            for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
                let shape = MapShape {
                    sprite: sprite.to_owned(),
                    angle: Angle::turn(turn),
                    flip: Flip { x, y },
                    ..MapShape::default()
                };
                let index = items.len() as f32;
                items.push(item(sprite, [40.0 * index + 0.75, 100.0 * at as f32 + 0.75], shape));
            }
        }
    }
    let frame = MapShape { sprite: "walk".into(), frame: 1, sensor: true, ..MapShape::default() };
    items.push(item("walk", [-90.0, 33.75], MapShape { layers: 6, collides_with: 9, ..frame }));
    let plane = MapShape { sprite: "knight".into(), plane: 1, ..MapShape::default() };
    items.push(item("knight", [-200.0, 0.0], plane));
    let properties = vec![("music".to_owned(), "waves".to_owned())];
    Map { name: "levels/yard".into(), atlas: None, size: [320.0, 200.0], properties, items }
}

fn atlas_of(map: Map) -> Atlas {
    open(bake().map(map))
}

fn spawn_map(app: &mut App, name: &'static str, at: Transform) -> Result<Entity, ColliderError> {
    let system = move |mut commands: Commands, pixels: Res<PixelWorld>| {
        pixels.spawn_map(&mut commands, name, at)
    };
    app.world_mut().run_system_once(system).unwrap()
}

#[test]
fn a_map_lies_where_the_library_places_it_and_leaves_with_its_root() {
    let atlas = atlas_of(yard());
    let mut app = app_with(HitmaskPlugin::default().with_atlas(atlas.clone()));
    let root = spawn_map(&mut app, "levels/yard", Transform::from_xyz(100.0, 50.0, 2.0)).unwrap();
    tick(&mut app);
    let mut expected = HitmaskWorld::new(atlas);
    let map = expected.atlas().map("levels/yard").unwrap();
    let ids = expected.insert_map(&map, [100.0, -50.0]).unwrap().ids;
    let children = app.world().get::<Children>(root).unwrap().to_vec();
    assert_eq!(children.len(), ids.len());
    for ((child, id), item) in children.into_iter().zip(ids).zip(&map.items) {
        assert_eq!(app.world().get::<Name>(child).unwrap().as_str(), item.name);
        let part = app.world().get::<MapItem>(child).unwrap();
        assert_eq!((&part.class, part.size), (&item.class, Vec2::from(item.size)));
        assert_eq!(part.properties.len(), item.properties.len());
        let pixels_of = app.world().resource::<PixelWorld>();
        assert_eq!(pixels_of.fault(child), None);
        let at = app.world().get::<GlobalTransform>(child).unwrap().translation();
        let Some(id) = id else {
            assert_eq!((at, pixels_of.id(child)), (Vec3::new(107.0, 47.0, 2.0), None));
            continue;
        };
        let found = pixels_of.world().unwrap().get(pixels_of.id(child).unwrap()).unwrap();
        let wanted = expected.get(id).unwrap();
        let rest = |collider: Collider| {
            let Collider { frame, plane, layers, collides_with, sensor, fixed, .. } = collider;
            (frame, plane, layers, collides_with, sensor, fixed)
        };
        assert_eq!(rest(found), rest(wanted));
        assert_eq!(pixels(&app, child), solid(&expected, id), "{item:?}");
    }
    let level = app.world().get::<MapItem>(root).unwrap();
    assert_eq!((level.class.as_str(), level.size), ("map", Vec2::new(320.0, 200.0)));
    assert_eq!(level.properties["music"], "waves");
    assert_eq!(app.world().get::<Name>(root).unwrap().as_str(), "levels/yard");
    app.world_mut().entity_mut(root).despawn();
    tick(&mut app);
    let pixels = app.world().resource::<PixelWorld>();
    assert_eq!(pixels.world().unwrap().len(), 0);
    assert_eq!(app.world_mut().query::<&MapItem>().iter(app.world()).count(), 0);
}

#[test]
fn a_map_that_is_not_there_or_lacks_a_sprite_spawns_nothing() {
    let bare = app_with(HitmaskPlugin::default());
    let empty = app();
    let mut broken = yard();
    broken.items[3].shape.as_mut().unwrap().sprite = "lettre".into();
    let broken = app_with(HitmaskPlugin::default().with_atlas(atlas_of(broken)));
    let other = atlas_of(Map { name: "levels/pier".into(), ..Map::default() });
    let other = app_with(HitmaskPlugin::default().with_atlas(other));
    let refused = |mut app: App| {
        let error = spawn_map(&mut app, "levels/yard", Transform::IDENTITY).unwrap_err();
        tick(&mut app);
        assert_eq!(app.world_mut().query::<&MapItem>().iter(app.world()).count(), 0);
        error
    };
    assert_eq!(refused(bare), ColliderError::NoAtlas);
    let missing = refused(empty);
    assert_eq!(missing.to_string(), "no atlas has a map named \"levels/yard\"");
    assert_eq!(missing.help(), "bake a level file; they have no maps");
    assert_eq!(refused(other).help(), "their maps: \"levels/pier\"");
    let sprite = "lettre".to_owned();
    let alike = Some("letter".to_owned());
    assert_eq!(refused(broken), ColliderError::UnknownName { sprite, alike });
}

/// Replaces the atlas by one with this map, and updates the map of `root`.
fn edit(app: &mut App, root: Entity, map: Map) -> Result<MapUpdate, ColliderError> {
    let mut pixels = app.world_mut().resource_mut::<PixelWorld>();
    let old = pixels.world().unwrap().atlas().id();
    let new = open(bake().mask("new", letter(5, 9)).map(map));
    pixels.replace_atlas(old, new).unwrap();
    let update = PixelWorld::update_map(app.world_mut(), root);
    tick(app);
    update
}

/// Returns an app after a tick with the map, and its root.
fn placed(map: Map, at: Transform) -> (App, Entity) {
    let mut app = app_with(HitmaskPlugin::default().with_atlas(atlas_of(map)));
    let root = spawn_map(&mut app, "levels/yard", at).unwrap();
    tick(&mut app);
    (app, root)
}

fn with_ids(mut map: Map) -> Map {
    map.items.iter_mut().enumerate().for_each(|(at, item)| item.id = format!("things/{at}"));
    map
}

/// Returns all solid pixels of the items of a map.
fn ground(app: &App, root: Entity) -> BTreeSet<(i32, i32)> {
    let children = app.world().get::<Children>(root).unwrap().iter();
    let is_placed = |child: &Entity| app.world().get::<PixelCollider>(*child).is_some();
    let placed = children.filter(is_placed).flat_map(|child| pixels(app, child));
    placed.map(|at| (at.x, at.y)).collect()
}

fn fresh(map: Map, at: Transform) -> BTreeSet<(i32, i32)> {
    let (app, root) = placed(map, at);
    ground(&app, root)
}

#[test]
fn an_edited_map_lies_where_the_new_version_places_it() {
    let at = Transform::from_xyz(100.0, 50.0, 2.0);
    let (mut app, root) = placed(with_ids(yard()), at);
    let children = app.world().get::<Children>(root).unwrap().to_vec();
    let ids = children.iter().map(|child| app.world().resource::<PixelWorld>().id(*child));
    let ids: Vec<_> = ids.collect();
    // Twice, so that later edits are of entities that an edit has changed or spawned.
    for step in 1..3_usize {
        let mut map = with_ids(yard());
        let shape = |map: &mut Map, at: usize, change: fn(&mut MapShape)| {
            change(map.items[at].shape.as_mut().unwrap());
        };
        map.properties.push(("night".into(), "yes".into()));
        map.items[1].position = [step as f32 * 13.75, 200.5];
        shape(&mut map, 2, |shape| shape.angle = Angle::turn(9000));
        shape(&mut map, 3, |shape| shape.sprite = "walk".into());
        map.items[3].properties[0].1 = step.to_string();
        map.items[4].name = "renamed".into();
        shape(&mut map, 5, |shape| shape.flip = Flip { x: true, y: true });
        shape(&mut map, 6, |shape| (shape.sensor, shape.layers) = (true, 5));
        shape(&mut map, 33, |shape| shape.frame = 0);
        map.items[7].shape = None;
        map.items.swap(8, 9);
        map.items.remove(10);
        let lamp = item("lamp", [-50.0, -80.0], MapShape { sprite: "odd".into(), ..default() });
        map.items.insert(0, Item { id: "lamp".into(), ..lamp });
        let update = edit(&mut app, root, map.clone()).unwrap();
        assert_eq!(ground(&app, root), fresh(map, at));
        let changed = [1, 2, 3, 4, 5, 6, 33].map(|at| children[at]);
        let of_step = if step == 1 { &changed[..] } else { &[changed[0], changed[2]] };
        assert_eq!((&update.changed[..], update.kept), (of_step, vec![]));
        assert_eq!(update.inserted.len(), if step == 1 { 2 } else { 0 });
        let gone = if step == 1 { vec![children[7], children[10]] } else { vec![] };
        assert_eq!(update.removed, gone);
        let pixels = app.world().resource::<PixelWorld>();
        for at in [1, 2, 3, 4, 5, 6, 8, 9, 11] {
            assert_eq!(pixels.id(children[at]), ids[at], "item {at}");
        }
        let world = app.world();
        assert!(world.get::<Sensor>(children[6]).is_some());
        assert_eq!(world.get::<Name>(children[4]).unwrap().as_str(), "renamed");
        let part = world.get::<MapItem>(children[3]).unwrap();
        assert_eq!(part.properties["damage"], step.to_string());
        assert_eq!(world.get::<MapItem>(root).unwrap().properties["night"], "yes");
    }
    // And back.
    let update = edit(&mut app, root, with_ids(yard())).unwrap();
    assert_eq!((update.inserted.len(), update.removed.len()), (2, 2));
    assert_eq!(ground(&app, root), fresh(yard(), at));
    assert!(app.world().get::<Sensor>(children[6]).is_none());
}

#[test]
fn an_edit_that_changes_nothing_changes_no_component() {
    let (mut app, root) = placed(with_ids(yard()), Transform::IDENTITY);
    let before = app.world().resource::<PixelWorld>().clone();
    let same = PixelWorld::update_map(app.world_mut(), root).unwrap();
    assert_eq!(same, MapUpdate::default());
    app.world_mut().clear_trackers();
    // Other sprites come, the map stays.
    assert_eq!(edit(&mut app, root, with_ids(yard())).unwrap(), MapUpdate::default());
    let mut moved = app.world_mut().query_filtered::<Entity, (With<MapItem>, Changed<Transform>)>();
    assert_eq!(moved.iter(app.world()).count(), 0);
    let after = app.world().resource::<PixelWorld>();
    let ids = |pixels: &PixelWorld| {
        pixels.world().unwrap().iter().map(|(id, it)| (id, it.position)).collect::<Vec<_>>()
    };
    assert_eq!(ids(after), ids(&before));
}

#[test]
fn what_the_game_has_changed_stays_through_an_edit() {
    let (mut app, root) = placed(with_ids(yard()), Transform::IDENTITY);
    let children = app.world().get::<Children>(root).unwrap().to_vec();
    let pushed = Vec3::new(7.0, 9.0, 3.0);
    let world = app.world_mut();
    world.get_mut::<Transform>(children[1]).unwrap().translation = pushed;
    world.entity_mut(children[2]).insert((Sensor, PixelCollider::named("square")));
    world.get_mut::<CollisionLayers>(children[3]).unwrap().layers = 64;
    world.despawn(children[4]);
    tick(&mut app);
    let mut map = with_ids(yard());
    for item in &mut map.items[1..5] {
        item.position = [-300.0, -7.0];
        let shape = item.shape.as_mut().unwrap();
        (shape.sprite, shape.layers, shape.collides_with) = ("odd".into(), 5, 6);
        shape.angle = Angle::turn(100);
    }
    let update = edit(&mut app, root, map).unwrap();
    assert_eq!((update.kept, update.inserted), (children[1..5].to_vec(), vec![]));
    let world = app.world();
    let transform = world.get::<Transform>(children[1]).unwrap();
    assert_eq!(transform.translation, pushed);
    assert!(transform.rotation != Quat::IDENTITY);
    assert_eq!(*world.get::<PixelCollider>(children[2]).unwrap(), PixelCollider::named("square"));
    assert!(world.get::<Sensor>(children[2]).is_some());
    assert_eq!(*world.get::<CollisionLayers>(children[3]).unwrap(), CollisionLayers::new(64, 6));
    assert!(world.get_entity(children[4]).is_err());
}

#[test]
fn a_refused_edit_leaves_the_old_level() {
    let (mut app, root) = placed(with_ids(yard()), Transform::IDENTITY);
    let before = ground(&app, root);
    let mut broken = with_ids(yard());
    broken.items[2].position = [900.0, 900.0];
    broken.items[3].shape.as_mut().unwrap().sprite = "lettre".into();
    let (sprite, alike) = ("lettre".to_owned(), Some("letter".to_owned()));
    let refused = edit(&mut app, root, broken);
    assert_eq!(refused, Err(ColliderError::UnknownName { sprite, alike }));
    assert_eq!(ground(&app, root), before);
    let gone = edit(&mut app, root, Map { name: "levels/pier".into(), ..Map::default() });
    assert!(matches!(gone, Err(ColliderError::UnknownMap { .. })));
    assert_eq!(ground(&app, root), before);
    let other = app.world_mut().spawn_empty().id();
    let refused = PixelWorld::update_map(app.world_mut(), other).unwrap_err();
    assert_eq!(refused, ColliderError::NoMap(other));
    assert_eq!(refused.help(), "give the entity that PixelWorld::spawn_map returned");
    // A later version that is whole is taken.
    let mut moved = with_ids(yard());
    moved.items[2].position = [900.0, 900.0];
    assert_eq!(edit(&mut app, root, moved).unwrap().changed.len(), 1);
}
