//! Maps of atlases as entities.

use crate::support::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{
    Angle, Atlas, Collider, Flip, Map, MapItem as Item, MapShape, World as HitmaskWorld,
};
use bevy_hitmask::{ColliderError, HitmaskPlugin, MapItem, PixelWorld};

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
    Atlas::from_vec(bake().map(map).to_bytes().unwrap()).unwrap()
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
        let posed = expected.posed(id).unwrap();
        let mut solid = Vec::new();
        for (x, y) in (0..posed.mask.width() as i32)
            .flat_map(|x| (0..posed.mask.height() as i32).map(move |y| (x, y)))
        {
            if posed.mask.get(x, y) {
                solid.push(IVec2::new(posed.origin.x + x, -(posed.origin.y + y) - 1));
            }
        }
        solid.sort_unstable_by_key(|at| (at.x, at.y));
        assert_eq!(pixels(&app, child), solid, "{item:?}");
    }
    let level = app.world().get::<MapItem>(root).unwrap();
    assert_eq!((level.class.as_str(), level.size), ("map", Vec2::new(320.0, 200.0)));
    assert_eq!(level.properties["music"], "waves");
    assert_eq!(app.world().get::<Name>(root).unwrap().as_str(), "levels/yard");
    app.world_mut().entity_mut(root).despawn();
    tick(&mut app);
    let pixels = app.world().resource::<PixelWorld>();
    assert!(pixels.world().unwrap().is_empty());
    assert_eq!(app.world_mut().query::<&MapItem>().iter(app.world()).count(), 0);
}

#[test]
fn a_map_that_is_not_there_or_lacks_a_sprite_spawns_nothing() {
    let bare = app_with(HitmaskPlugin::default());
    let empty = app();
    let mut broken = yard();
    broken.items[3].shape.as_mut().unwrap().sprite = "lettre".into();
    let broken = app_with(HitmaskPlugin::default().with_atlas(atlas_of(broken)));
    let other = app_with(
        HitmaskPlugin::default()
            .with_atlas(atlas_of(Map { name: "levels/pier".into(), ..Map::default() })),
    );
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
