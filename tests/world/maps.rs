//! Maps in atlases and in worlds: P11 of the feature table. Those of level files are tested by the baker.

use hitmask::{
    Angle, Atlas, AtlasBuilder, BuildFault, CallError, Collider, FileError, Filter, Flip, Map,
    MapItem, MapShape, Section, World, Zone,
};
use hitmask_scenes::solid;

fn text(text: &str) -> String {
    text.to_owned()
}

/// A map with a value in each field.
fn yard() -> Map {
    let picture = text("0,0");
    let ground = MapShape { sprite: text("ground"), picture, layers: 2, ..MapShape::default() };
    let crate_ = MapShape {
        sprite: text("crate"),
        angle: Angle::turn(16384),
        flip: Flip::X,
        sensor: true,
        collides_with: 5,
        ..MapShape::default()
    };
    let properties = vec![(text("damage"), text("3")), (text("Zahl"), text("π"))];
    Map {
        name: text("levels/yard"),
        atlas: None,
        size: [320.0, 200.5],
        properties: vec![(text("music"), text(""))],
        items: vec![
            MapItem {
                id: text("solid/0,0"),
                name: text("solid"),
                shape: Some(ground),
                ..MapItem::default()
            },
            MapItem { name: text("start"), position: [7.5, -3.0], ..MapItem::default() },
            MapItem {
                id: text("things/4"),
                name: text("box"),
                class: text("crate"),
                position: [40.0, 8.0],
                size: [4.0, 4.0],
                properties,
                shape: Some(crate_),
            },
        ],
    }
}

fn builder() -> AtlasBuilder {
    AtlasBuilder::new().mask("ground", solid(64, 8)).mask("crate", solid(4, 4)).map(yard())
}

fn open(builder: &AtlasBuilder) -> Atlas {
    Atlas::from_vec(builder.to_bytes().unwrap()).unwrap()
}

#[test]
fn a_map_is_read_from_every_kind_of_atlas_as_it_was_given() {
    let other = Map { name: text("a"), ..Map::default() };
    let builder = builder().map(other.clone());
    let [full, compact] = [false, true].map(|compact| open(&builder.clone().compact(compact)));
    for atlas in [&full, &compact, &compact.drawn().unwrap()] {
        let of_atlas = |map: Map| Map { atlas: Some(atlas.id()), ..map };
        assert_eq!(atlas.maps(), [of_atlas(other.clone()), of_atlas(yard())]);
        assert_eq!(atlas.map("levels/yard"), Some(of_atlas(yard())));
        assert_eq!(atlas.map("levels"), None);
        atlas.verify().unwrap();
    }
    assert_eq!(compact.drawn().unwrap().as_bytes(), full.as_bytes());
    assert_eq!(open(&AtlasBuilder::new().mask("a", solid(1, 1))).maps(), []);
}

#[test]
fn the_colliders_of_a_map_lie_at_its_place_and_leave_as_they_came() {
    let mut world = World::new(open(&builder()));
    let map = world.atlas().map("levels/yard").unwrap();
    let ids = world.insert_map(&map, [1000.0, 0.5]).unwrap().ids;
    let [Some(ground), None, Some(box_)] = ids[..] else { panic!("{ids:?}") };
    let sprite = |name| world.atlas().sprite_id(name).unwrap();
    let expected = Collider::new(sprite("crate")).at([1040.0, 8.5]).turned(Angle::turn(16384));
    let expected = expected.flipped(Flip::X).on_layers(1, 5).sensor().fixed();
    assert_eq!(world.get(box_), Some(expected));
    let expected = Collider::new(sprite("ground")).at([1000.0, 0.5]).on_layers(2, u32::MAX);
    assert_eq!(world.get(ground), Some(expected.fixed()));
    let inside = Zone::point([1040.0, 8.5]).unwrap();
    assert_eq!(world.query(&inside, Filter::ALL).unwrap(), [box_]);
    ids.into_iter().flatten().for_each(|id| _ = world.remove(id));
    assert!(world.is_empty());
    world.validate().unwrap();
}

#[test]
fn a_map_shows_the_new_pixels_after_a_hot_reload_and_is_saved_with_the_world() {
    let mut world = World::new(open(&builder()));
    let map = world.atlas().map("levels/yard").unwrap();
    let ids = world.insert_map(&map, [0.0; 2]).unwrap().ids;
    let saved = World::from_snapshot([world.atlas().clone()], &world.snapshot()).unwrap();
    assert_eq!(saved.state_hash(), world.state_hash());
    let taller = AtlasBuilder::new().mask("ground", solid(64, 20)).mask("crate", solid(4, 4));
    let (old, new) = (world.atlas().id(), open(&taller.map(yard())));
    world.atlases_mut().replace(old, new).unwrap();
    assert_eq!(world.rect(ids[0].unwrap()).unwrap().height(), 20);
    // The map of before is of an atlas that has gone.
    assert_eq!(world.insert_map(&map, [0.0; 2]), Err(CallError::UnknownAtlas(old)));
    let map = world.atlas().map("levels/yard").unwrap();
    assert_eq!(world.insert_map(&map, [0.0; 2]).unwrap().ids.len(), 3);
}

#[test]
fn a_map_finds_its_sprites_in_its_own_atlas_or_else_in_any() {
    let tiles = open(&AtlasBuilder::new().mask("crate", solid(9, 9)));
    let mut world = World::new(tiles);
    let added = open(&builder());
    world.atlases_mut().add(added.clone()).unwrap();
    let map = added.map("levels/yard").unwrap();
    let ids = world.insert_map(&map, [0.0; 2]).unwrap().ids;
    assert_eq!(world.rect(ids[2].unwrap()).unwrap().width(), 4);
    let ids = world.insert_map(&Map { atlas: None, ..map }, [0.0; 2]).unwrap().ids;
    assert_eq!(world.rect(ids[2].unwrap()).unwrap().width(), 9);
}

#[test]
fn a_refused_map_leaves_the_world_as_it_was() {
    let mut world = World::new(open(&builder()));
    let before = world.state_hash();
    let map = world.atlas().map("levels/yard").unwrap();
    let mut refused = |change: &dyn Fn(&mut MapItem)| {
        let mut map = map.clone();
        change(&mut map.items[2]);
        let error = world.insert_map(&map, [0.0; 2]).unwrap_err();
        assert_eq!(error.item(), Some(2), "{error}");
        assert_eq!((world.state_hash(), world.len()), (before, 0), "{error}");
        error.cause().clone()
    };
    let shape = |item: &mut MapItem, change: &dyn Fn(&mut MapShape)| {
        change(item.shape.as_mut().unwrap());
    };
    let missing = refused(&|item| shape(item, &|shape| shape.sprite = text("tree")));
    assert_eq!(missing.to_string(), "no atlas of the world has the sprite \"tree\"");
    assert!(missing.help().starts_with("bake the sprite and the map into one atlas"));
    let frame = refused(&|item| shape(item, &|shape| shape.frame = 1));
    assert_eq!(frame, CallError::UnknownFrame { frame: 1, frames: 1 });
    let plane = refused(&|item| shape(item, &|shape| shape.plane = 1));
    assert_eq!(plane, CallError::UnknownPlane { plane: 1, planes: 1 });
    let scale = refused(&|item| shape(item, &|shape| shape.scale = 9.0));
    assert!(matches!(scale, CallError::UnbakedScale { .. }));
    let far = refused(&|item| item.position = [3e9, 0.0]);
    assert_eq!(far, CallError::Position([3e9, 0.0]));
    let nowhere = world.insert_map(&Map { items: Vec::new(), ..map }, [f32::NAN, 0.0]);
    assert!(matches!(nowhere, Err(CallError::Position(_))));
    // Poses beyond the budget are found when the second collider is drawn.
    let mut tight = World::new(open(&builder().compact(true)));
    tight.atlases_mut().set_pose_budget(Some(300)).unwrap();
    let map = tight.atlas().map("levels/yard").unwrap();
    let error = tight.insert_map(&map, [0.0; 2]).unwrap_err();
    assert!(matches!(error.cause(), CallError::PoseBudget { .. }), "{error}");
    assert!(tight.is_empty());
    tight.validate().unwrap();
}

#[test]
fn an_atlas_is_not_built_of_invalid_maps() {
    let fault = |change: &dyn Fn(&mut Map)| {
        let mut map = yard();
        change(&mut map);
        let error = AtlasBuilder::new().mask("a", solid(1, 1)).map(map).to_bytes().unwrap_err();
        (error.fault.clone(), error.to_string())
    };
    let of = |field: &str| format!("the map \"levels/yard\" has an invalid {field}");
    let invalid = |field| (BuildFault::Map, of(field));
    assert_eq!(fault(&|map| map.size[1] = f32::NAN), invalid("size"));
    assert_eq!(fault(&|map| map.items[0].position[0] = f32::INFINITY), invalid("position"));
    let shaped =
        |change: &dyn Fn(&mut MapShape)| fault(&|map| change(map.items[2].shape.as_mut().unwrap()));
    assert_eq!(shaped(&|shape| shape.scale = 0.0), invalid("scale"));
    assert_eq!(shaped(&|shape| shape.angle = Angle::radians(f32::NAN)), invalid("turn"));
    assert_eq!(fault(&|map| map.name.clear()).0, BuildFault::Map);
    let twice = builder().map(yard()).to_bytes().unwrap_err();
    assert_eq!(twice.to_string(), "two maps have the name \"levels/yard\"");
    assert_eq!(twice.fault, BuildFault::SameName);
}

/// Each item has a copy of its texts, so a small file could take any memory.
#[test]
fn a_map_has_limited_copies_of_one_text() {
    let copies = |count: usize| {
        let long = vec![(text("story"), "x".repeat(100_000))];
        let item = MapItem { properties: long, ..MapItem::default() };
        let map = Map { items: vec![item; count], ..yard() };
        AtlasBuilder::new().mask("a", solid(1, 1)).map(map).to_bytes()
    };
    let atlas = Atlas::from_vec(copies(200).unwrap()).unwrap();
    assert!(atlas.as_bytes().len() < 200_000);
    assert_eq!(atlas.maps()[0].items.len(), 200);
    let error = copies(300).unwrap_err();
    let cause = "the map \"levels/yard\" has an invalid number of copies of a text";
    assert_eq!((error.fault.clone(), &*error.to_string()), (BuildFault::Map, cause));
    assert_eq!(error.help(), "shorten the texts that many items have");
}

#[test]
fn a_forged_section_of_maps_is_refused_or_read_as_another_map() {
    let bytes = builder().to_bytes().unwrap();
    let number = |at: usize, len: usize| {
        bytes[at..at + len].iter().rev().fold(0, |all, &byte| all << 8 | usize::from(byte))
    };
    let (start, words) = (number(112, 8), number(56, 4));
    assert!(words > 20);
    let (mut refused, mut read) = (0, 0);
    for at in start..start + 8 * words {
        for value in [0, 1, 2, 3, 7, 0x41, 0x7f, 0x80, 0xff] {
            let mut forged = bytes.clone();
            forged[at] = value;
            let pool = number(120, 8);
            let crc = crc32fast::hash(&forged[32..pool]);
            forged[24..28].copy_from_slice(&crc.to_le_bytes());
            match Atlas::from_vec(forged) {
                Ok(atlas) => {
                    let maps = atlas.maps();
                    let again = maps.into_iter().fold(AtlasBuilder::new(), AtlasBuilder::map);
                    let again = open(&again.mask("a", solid(1, 1)));
                    assert_eq!(again.maps().len(), atlas.maps().len());
                    read += 1;
                }
                Err(FileError::Corrupt { section: Section::Maps, offset, .. }) => {
                    assert!((start as u64..=(start + 8 * words) as u64).contains(&offset));
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(refused > 500 && read > 500, "{refused} {read}");
}
