//! Levels that are edited while the game runs: P17 of the feature table. A map that is placed and brought
//! up to date equals the new map placed anew.

use super::Random;
use hitmask::{
    Angle, Atlas, AtlasBuilder, CallError, Collider, ColliderId, Flip, Map, MapItem, MapReport,
    MapShape, Mask, Pivot, PlacedMap, World,
};
use hitmask_scenes::{cases, open, solid};
use std::collections::BTreeMap;

/// A level as an editor has it: shapes and pictures by id, whose frames are numbered in order.
#[derive(Clone, Default)]
struct Level {
    /// Width and height of each shape, and its place.
    shapes: BTreeMap<u32, ([u32; 2], [i32; 2])>,
    /// Side of the picture of each object, its place, angle and layers.
    objects: BTreeMap<u32, (u32, [i32; 2], u16, u32)>,
    /// The order of the items of the map.
    is_reversed: bool,
}

impl Level {
    fn bake(&self) -> Atlas {
        let mut items = Vec::new();
        let item = |id: String, [x, y]: [i32; 2], shape: MapShape| MapItem {
            id,
            position: [x as f32, y as f32],
            shape: Some(shape),
            ..MapItem::default()
        };
        for (frame, (id, (_, at))) in (0..).zip(&self.shapes) {
            let (sprite, picture) = ("yard/shapes".into(), format!("{id}"));
            let shape = MapShape { sprite, frame, picture, ..MapShape::default() };
            items.push(item(format!("shapes/{id}"), *at, shape));
        }
        let sides: std::collections::BTreeSet<u32> = self.objects.values().map(|o| o.0).collect();
        for (id, &(side, at, turn, layers)) in &self.objects {
            let frame = sides.iter().position(|&known| known == side).unwrap() as u32;
            let (sprite, picture) = ("yard/objects".into(), format!("square {side}"));
            let angle = Angle::turn(turn);
            let shape = MapShape { sprite, frame, picture, angle, layers, ..MapShape::default() };
            items.push(item(format!("objects/{id}"), at, shape));
        }
        if self.is_reversed {
            items.reverse();
        }
        items.push(MapItem { id: "objects/start".into(), ..MapItem::default() });
        let map = Map { name: "yard".into(), items, ..Map::default() };
        // A sprite has a frame at least.
        let frames =
            |masks: Vec<Mask>| if masks.is_empty() { vec![Mask::default()] } else { masks };
        let shapes = frames(self.shapes.values().map(|&([w, h], _)| solid(w, h)).collect());
        let objects = frames(sides.into_iter().map(|side| solid(side, side + 1)).collect());
        let bake = AtlasBuilder::new().angles(4).frames("hero", [solid(3, 3)]).map(map);
        open(&bake.frames("yard/shapes", shapes).frames("yard/objects", objects))
    }

    fn edit(&mut self, random: &mut Random) {
        let mut place = || [random.within(-60, 60), random.within(-60, 60)];
        let (at, other) = (place(), place());
        let id = random.below(12);
        let (side, turn) = (1 + random.below(9), [0, 0, 0x4000, 0x8000][random.below(4) as usize]);
        match random.below(9) {
            0 | 1 => _ = self.shapes.insert(id, ([side, 1 + random.below(9)], at)),
            2 => _ = self.shapes.remove(&id),
            3 => _ = self.shapes.entry(id).and_modify(|shape| shape.1 = other),
            4 | 5 => _ = self.objects.insert(id, (side, at, turn, 1 + random.below(3))),
            6 => _ = self.objects.remove(&id),
            7 => _ = self.objects.entry(id).and_modify(|object| object.1 = other),
            _ => self.is_reversed = !self.is_reversed,
        }
    }
}

fn map(world: &World) -> Map {
    world.atlas().map("yard").unwrap()
}

/// Replaces the atlas of a world, and brings its map up to date.
fn reload(world: &mut World, placed: &mut PlacedMap, atlas: &Atlas) -> MapReport {
    let old = world.atlas().id();
    world.atlases_mut().replace(old, atlas.clone()).unwrap();
    let report = world.update_map(placed, &map(world)).unwrap();
    world.validate().unwrap();
    report
}

#[test]
fn a_placed_map_after_random_edits_of_its_level_equals_the_level_placed_anew() {
    for seed in 0..cases(60, 300) {
        let mut random = Random::new(seed.into());
        let mut level = Level::default();
        (0..12).for_each(|_| level.edit(&mut random));
        let mut world = World::new(level.bake());
        let hero = world.insert(Collider::new(world.atlas().sprite_id("hero").unwrap())).unwrap();
        let mut placed = world.insert_map(&map(&world), [0.5, -20.0]).unwrap();
        for _ in 0..4 {
            let before: BTreeMap<String, Option<ColliderId>> = map(&world)
                .items
                .iter()
                .map(|item| item.id.clone())
                .zip(placed.ids.clone())
                .collect();
            (0..random.below(6)).for_each(|_| level.edit(&mut random));
            let atlas = level.bake();
            let report = reload(&mut world, &mut placed, &atlas);
            assert!(report.kept.is_empty(), "{report:?}");
            let mut anew = World::new(atlas);
            let fresh = anew.insert_map(&map(&anew), [0.5, -20.0]).unwrap();
            assert_eq!(world.len(), anew.len() + 1);
            assert_eq!(placed.ids.len(), fresh.ids.len());
            for ((item, &id), &other) in map(&world).items.iter().zip(&placed.ids).zip(&fresh.ids) {
                let Some((id, other)) = id.zip(other) else {
                    assert_eq!((id, other), (None, None));
                    continue;
                };
                assert_eq!(world.get(id), anew.get(other), "{}", item.id);
                assert_eq!(world.rect(id), anew.rect(other), "{}", item.id);
                assert_eq!(world.posed(id).unwrap().mask, anew.posed(other).unwrap().mask);
                // Items of both versions keep their ids.
                assert!(before.get(&item.id).is_none_or(|&old| old == Some(id)), "{}", item.id);
            }
            // Nothing is left to do.
            assert_eq!(world.update_map(&mut placed, &map(&world)), Ok(MapReport::default()));
            assert!(world.get(hero).is_some());
        }
    }
}

#[test]
fn a_shape_that_is_put_before_another_one_does_not_change_what_that_shows() {
    let door = Level { shapes: [(7, ([20, 30], [10, 10]))].into(), ..Level::default() };
    let mut with_pit = door.clone();
    with_pit.shapes.insert(3, ([7, 9], [50, 60]));
    let mut world = World::new(door.bake());
    let id = world.insert_map(&map(&world), [0.0; 2]).unwrap().ids[0].unwrap();
    let rect = world.rect(id);
    let old = world.atlas().id();
    let report = world.atlases_mut().replace(old, with_pit.bake()).unwrap();
    assert_eq!((world.rect(id), report.outdated), (rect, vec![]));
    assert!(report.changed.iter().all(|change| change.resized.is_empty()), "{:?}", report.changed);
    // Without its shape the collider keeps that of the earlier version, and is reported.
    with_pit.shapes.remove(&7);
    let old = world.atlas().id();
    let report = world.atlases_mut().replace(old, with_pit.bake()).unwrap();
    assert_eq!((world.rect(id), report.outdated), (rect, vec![id]));
    // Back again it shows the new pixels, and ids of the first version name the present frame.
    with_pit.shapes.insert(7, ([21, 31], [10, 10]));
    let collider = world.get(id).unwrap();
    let old = world.atlas().id();
    assert_eq!(world.atlases_mut().replace(old, with_pit.bake()).unwrap().outdated, []);
    assert_eq!(world.rect(id).unwrap().width(), 21);
    let again = world.insert(collider).unwrap();
    assert_eq!(world.rect(again).unwrap().width(), 21);
}

#[test]
fn what_the_game_has_changed_of_a_map_stays_and_is_reported() {
    let mut level = Level::default();
    for id in 0..5 {
        level.objects.insert(id, (4, [20 * id as i32, 0], 0, 1));
    }
    level.shapes.insert(0, ([30, 8], [0, 50]));
    let mut world = World::new(level.bake());
    let mut placed = world.insert_map(&map(&world), [0.0; 2]).unwrap();
    let [ground, pushed, taken, opened, still, turned] =
        [0, 1, 2, 3, 4, 5].map(|i| placed.ids[i].unwrap());
    // The game carves the ground, pushes a crate, takes a coin, opens a door and names an owner.
    let carved = world.masks_mut().insert(solid(30, 4), Pivot::HalfTexels(0, 0)).unwrap();
    let own = world.get(ground).unwrap();
    world
        .set(ground, Collider { shape: Collider::from_mask(carved).shape, frame: 0, ..own })
        .unwrap();
    world.move_to(pushed, [3.0, 3.0]).unwrap();
    world.remove(taken).unwrap();
    world.set(opened, Collider { enabled: false, owner: 9, ..world.get(opened).unwrap() }).unwrap();
    world.set(turned, world.get(turned).unwrap().flipped(Flip::X)).unwrap();
    // The editor moves all of them, and gives them another layer.
    for object in level.objects.values_mut() {
        (object.1[1], object.3) = (7, 2);
    }
    level.shapes.insert(0, ([31, 9], [0, 51]));
    let report = reload(&mut world, &mut placed, &level.bake());
    assert_eq!(report.kept, [0, 1, 2, 5]);
    assert_eq!(report.changed, [0, 1, 3, 4, 5]);
    assert_eq!((report.inserted, report.removed), (vec![], vec![]));
    let get = |id| world.get(id).unwrap();
    assert_eq!(
        (get(ground).shape, get(ground).position),
        (Collider::from_mask(carved).shape, [0.0, 51.0])
    );
    assert_eq!((get(pushed).position, get(pushed).layers), ([3.0, 3.0], 2));
    assert_eq!((get(opened).position, get(opened).layers), ([40.0, 7.0], 2));
    assert_eq!((get(opened).enabled, get(opened).owner), (false, 9));
    assert_eq!((get(still).position, get(still).layers), ([60.0, 7.0], 2));
    assert_eq!((get(turned).position, get(turned).flip), ([80.0, 7.0], Flip::X));
    assert_eq!(placed.ids[2], None);
    // What was removed does not come back, and is not reported for ever.
    let report = world.update_map(&mut placed, &map(&world)).unwrap();
    assert_eq!((report.kept, report.changed), (vec![0, 1, 2, 5], vec![]));
    // An item that leaves takes its collider along, carved or not.
    level.shapes.clear();
    let report = reload(&mut world, &mut placed, &level.bake());
    assert_eq!(report.removed, [("shapes/0".to_owned(), ground)]);
    assert_eq!(world.get(ground), None);
}

#[test]
fn a_picture_that_vanished_twice_over_is_not_taken_for_a_change_of_the_game() {
    let level =
        |side: u32| Level { objects: [(1, (side, [0, 0], 0, 1))].into(), ..Level::default() };
    let mut world = World::new(level(4).bake());
    let mut placed = world.insert_map(&map(&world), [0.0; 2]).unwrap();
    // Only the second version is brought up to date, and has another picture.
    let both = Level {
        objects: [(1, (4, [0, 0], 0, 1)), (2, (5, [9, 0], 0, 1))].into(),
        ..Level::default()
    };
    for next in [both, level(7)] {
        let old = world.atlas().id();
        world.atlases_mut().replace(old, next.bake()).unwrap();
    }
    assert_eq!(world.rect(placed.ids[0].unwrap()).unwrap().width(), 4);
    let report = world.update_map(&mut placed, &map(&world)).unwrap();
    assert_eq!((report.changed, report.kept), (vec![0], vec![]));
    assert_eq!(world.rect(placed.ids[0].unwrap()).unwrap().width(), 7);
    assert_eq!(world.atlases().count(), 1);
}

#[test]
fn items_without_ids_go_by_their_order() {
    let item = |x: f32| MapItem {
        position: [x, 0.0],
        shape: Some(MapShape { sprite: "hero".into(), ..MapShape::default() }),
        ..MapItem::default()
    };
    let with =
        |items: &[f32]| Map { items: items.iter().map(|&x| item(x)).collect(), ..Map::default() };
    let mut world = World::new(Level::default().bake());
    let mut placed = world.insert_map(&with(&[1.0, 2.0, 3.0]), [0.0; 2]).unwrap();
    let ids = placed.ids.clone();
    let report = world.update_map(&mut placed, &with(&[1.0, 5.0])).unwrap();
    assert_eq!((report.changed, placed.ids.clone()), (vec![1], ids[..2].to_vec()));
    assert_eq!(report.removed, [(String::new(), ids[2].unwrap())]);
}

#[test]
fn a_refused_update_of_a_map_leaves_the_world_and_the_map() {
    let mut level = Level::default();
    level.objects.insert(1, (30, [0, 0], 0, 1));
    level.objects.insert(2, (31, [40, 0], 0, 1));
    let bake = |level: &Level| {
        let drawn = level.bake();
        (drawn.map("yard").unwrap(), drawn)
    };
    let (old_map, atlas) = bake(&level);
    let mut world = World::new(atlas);
    let mut placed = world.insert_map(&old_map, [0.0; 2]).unwrap();
    let (hash, before) = (world.state_hash(), placed.clone());
    let mut refused = |change: &dyn Fn(&mut Map)| {
        let mut map = old_map.clone();
        map.items[0].position = [9.0; 2];
        map.items.remove(1);
        change(&mut map);
        let error = world.update_map(&mut placed, &map).unwrap_err();
        assert_eq!((world.state_hash(), &placed), (hash, &before), "{error}");
        world.validate().unwrap();
        error
    };
    let new = |change: &dyn Fn(&mut MapShape)| {
        let mut item = old_map.items[1].clone();
        item.id = "new".into();
        change(item.shape.as_mut().unwrap());
        item
    };
    let error = refused(&|map| map.items.push(new(&|shape| shape.sprite = "tree".into())));
    assert_eq!(error, CallError::NoSprite("tree".into()).of_item(2));
    let error = refused(&|map| map.items.push(new(&|shape| shape.frame = 9)));
    assert_eq!(error.item(), Some(2), "{error}");
    let error = refused(&|map| map.items[0].position = [3e9, 0.0]);
    assert_eq!(error, CallError::Position([3e9, 0.0]).of_item(0));
    let error = refused(&|map| map.items[0].shape.as_mut().unwrap().scale = 7.0);
    assert_eq!(error.item(), Some(0), "{error}");
}
