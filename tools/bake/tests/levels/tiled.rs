//! What maps of Tiled become: terrain by rules, objects, shapes and points.

use super::baked;
use crate::encode;
use hitmask::{Angle, Atlas, AtlasOptions, Collider, Filter, Map, MapItem, Mask, MoveRules, World};
use hitmask_bake::{Bake, BakeFault, BakeLimits, MapRule, SourceSettings, merge};
use hitmask_scenes::{Folder, map_pixels};
use std::fs;

/// A tileset of 4 tiles of 8 px: full, the slope up to the right, empty, and the upper half.
pub(super) fn write_tiles(folder: &Folder) {
    let image = encode::png::of_alpha([32, 8], |x, y| match (x / 8, x % 8, y) {
        (0, ..) => 255,
        (1, x, y) if x + y >= 7 => 255,
        (3, _, 0..4) => 255,
        _ => 0,
    });
    folder.write("tiles.png", image);
}

pub(super) const TILESET: &str = "<tileset firstgid=\"1\" name=\"tiles\" tilewidth=\"8\" tileheight=\"8\" \
     tilecount=\"4\" columns=\"4\"><image source=\"tiles.png\" width=\"32\" height=\"8\"/>\
     <tile id=\"0\" class=\"rock\"><properties><property name=\"damage\" value=\"3\"/></properties>\
     <objectgroup><object id=\"1\" x=\"2\" y=\"2\" width=\"4\" height=\"4\"/></objectgroup></tile>\
     <tile id=\"2\"><animation><frame tileid=\"2\" duration=\"9\"/><frame tileid=\"3\" duration=\"9\"/>\
     </animation></tile></tileset>";

pub(super) fn map(size: [u32; 2], content: &str) -> String {
    let [width, height] = size;
    format!(
        "<map orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" tilewidth=\"8\" \
         tileheight=\"8\"><properties><property name=\"music\" value=\"sea\"/></properties>\
         {TILESET}{content}</map>"
    )
}

pub(super) fn layer(name: &str, size: [u32; 2], tiles: &str) -> String {
    let [width, height] = size;
    format!(
        "<layer name=\"{name}\" width=\"{width}\" height=\"{height}\"><data encoding=\"csv\">{tiles}\
         </data></layer>"
    )
}

/// Returns a folder with the map `yard.tmx`.
pub(super) fn written(test: &str, size: [u32; 2], content: &str) -> Folder {
    let folder = Folder::new(test);
    write_tiles(&folder);
    folder.write("yard.tmx", map(size, content));
    folder
}

pub(super) fn rule(layer: Option<&str>, class: Option<&str>, property: Option<&str>) -> MapRule {
    let text = |text: Option<&str>| text.map(str::to_owned);
    MapRule {
        layer: text(layer),
        class: text(class),
        property: text(property),
        ..MapRule::default()
    }
}

pub(super) fn becomes(name: &str, rule: MapRule) -> MapRule {
    MapRule { becomes: Some(name.to_owned()), ..rule }
}

/// Returns name, frame and layers of each collider of a map.
fn colliders(map: &Map) -> Vec<(&str, u32, u32, bool)> {
    let shapes = map.items.iter().filter_map(|item| item.shape.as_ref());
    shapes.map(|shape| (&*shape.sprite, shape.frame, shape.layers, shape.sensor)).collect()
}

#[test]
fn rules_make_terrain_of_layers_classes_and_properties() {
    let content = layer("cave/ground", [3, 1], "1,4,0") + &layer("sky", [3, 1], "0,2,2");
    let folder = written("map-rules", [3, 1], &content);
    let path = folder.path("yard.tmx");
    let atlas = baked(&path, Vec::new());
    let plain = atlas.map("yard").unwrap();
    assert_eq!(colliders(&plain), [("yard/solid", 0, 1, false)]);
    assert_eq!((plain.size, &*plain.properties[0].0), ([24.0, 8.0], "music"));
    let drawn = map_pixels(&atlas, "yard", [24, 8], [0, 0]);
    assert_eq!(drawn.count(), 64 + 32 + 36 + 36 - 10, "the slope covers part of the upper half");
    let of = |rules: Vec<MapRule>| {
        let atlas = baked(&path, rules);
        let map = atlas.map("yard").unwrap();
        let found = colliders(&map).into_iter().map(|it| (it.0.to_owned(), it.1, it.2, it.3));
        (found.collect::<Vec<_>>(), map_pixels(&atlas, "yard", [24, 8], [0, 0]).count())
    };
    let name = |name: &str| name.to_owned();
    let hazard = MapRule {
        sensor: Some(true),
        layers: Some(6),
        ..becomes("hazard", rule(None, Some("rock"), None))
    };
    let both = vec![(name("yard/hazard"), 0, 6, true), (name("yard/solid"), 0, 1, false)];
    assert_eq!(of(vec![hazard.clone()]), (both, 64 + 32 + 36 + 36 - 10));
    let by_property = MapRule { class: None, property: Some(name("damage=3")), ..hazard.clone() };
    assert_eq!(of(vec![by_property.clone()]).0.len(), 2);
    let other_value = MapRule { property: Some(name("damage=4")), ..by_property };
    assert_eq!(of(vec![other_value]).0.len(), 1);
    let no_sky = becomes("", rule(Some("s*"), None, None));
    assert_eq!(of(vec![no_sky.clone()]), (vec![(name("yard/solid"), 0, 1, false)], 96));
    // A later rule overrides.
    let all = becomes("solid", rule(None, None, None));
    assert_eq!(of(vec![no_sky, all]).1, 96 + 72 - 10);
    let shapes = MapRule { shapes: Some(true), ..rule(None, Some("rock"), None) };
    assert_eq!(of(vec![shapes]).1, 16 + 32 + 72 - 10);
    // One terrain has one set of layers.
    let clash = MapRule { becomes: Some(name("solid")), ..hazard };
    let settings = SourceSettings { map: vec![clash], ..SourceSettings::default() };
    let error = Bake::new().sprites_with(&path, settings).map(|_| ()).unwrap_err();
    let said = "yard.tmx has tiles that become \"solid\" with different layers, or only some of them as sensors";
    assert!(error.to_string().ends_with(said), "{error}");
    assert_eq!(error.help(), "let the rules give them different names in becomes");
}

#[test]
fn objects_have_names_classes_properties_and_their_own_pixels() {
    let objects = "<objectgroup name=\"things\" offsetx=\"100\">\
        <object id=\"1\" name=\"start\" x=\"3.5\" y=\"4\"><point/></object>\
        <object id=\"2\" name=\"door\" type=\"gate\" x=\"8\" y=\"8\" width=\"16\" height=\"4\" rotation=\"90\">\
        <properties><property name=\"key\" type=\"class\"><properties><property name=\"red\" type=\"bool\" \
        value=\"true\"/></properties></property></properties></object>\
        <object id=\"3\" gid=\"1\" x=\"40\" y=\"20\" width=\"16\" height=\"8\" rotation=\"90\"/>\
        <object id=\"4\" gid=\"1\" x=\"60\" y=\"20\" width=\"16\" height=\"8\"/>\
        <object id=\"5\" gid=\"2147483650\" x=\"70\" y=\"20\" width=\"8\" height=\"8\"/>\
        <object id=\"6\" x=\"9\" y=\"9\" width=\"5\" height=\"5\" visible=\"0\"/>\
        <object id=\"7\" x=\"0\" y=\"40\" width=\"7\" height=\"7\"><ellipse/></object>\
        </objectgroup>";
    let folder = written("map-objects", [1, 1], objects);
    let atlas = baked(&folder.path("yard.tmx"), Vec::new());
    let map = atlas.map("yard").unwrap();
    let names: Vec<_> = map.items.iter().map(|item| (&*item.name, &*item.class)).collect();
    let none = ("", "");
    assert_eq!(names, [("start", ""), ("door", "gate"), ("", "rock"), ("", "rock"), none, none]);
    let item = |i: usize| &map.items[i];
    assert_eq!((item(0).position, item(0).shape.is_none()), ([103.5, 4.0], true));
    assert_eq!(item(1).properties, [("key.red".to_owned(), "true".to_owned())]);
    assert_eq!(item(2).properties, [("damage".to_owned(), "3".to_owned())]);
    assert_eq!(item(2).shape.as_ref().unwrap().angle, Angle::turn(16384));
    let expected = [
        ("yard/shapes", 0, 1, true),
        ("yard/objects", 0, 1, false),
        ("yard/objects", 0, 1, false),
        ("yard/objects", 1, 1, false),
        ("yard/shapes", 1, 1, true),
    ];
    assert_eq!(colliders(&map), expected);
    let mut world = World::new(atlas);
    let ids = world.insert_map(&map, [0.0; 2]).unwrap().ids;
    let rect = |i: usize| {
        let rect = world.rect(ids[i].unwrap()).unwrap();
        [rect.x0, rect.y0, rect.x1, rect.y1]
    };
    // The door turns about its top-left corner, and pictures about the bottom-left one.
    assert_eq!(rect(1), [104, 8, 108, 24]);
    assert_eq!(rect(2), [140, 20, 148, 36]);
    assert_eq!(rect(3), [160, 12, 176, 20]);
    assert_eq!(rect(4), [170, 12, 178, 20]);
    let flipped = world.posed(ids[4].unwrap()).unwrap().mask;
    assert!(flipped.get(0, 0) && !flipped.get(7, 0), "the slope is mirrored");
    assert_eq!(world.posed(ids[5].unwrap()).unwrap().mask.count(), 37, "a disc of 7 px");
    // A rule makes points of them.
    let points = vec![becomes("", rule(Some("things"), None, None))];
    let map = baked(&folder.path("yard.tmx"), points).map("yard").unwrap();
    assert_eq!((map.items.len(), colliders(&map).len()), (6, 0));
}

#[test]
fn a_walker_never_stops_at_the_edge_of_a_tile() {
    // Flat ground with a slope up and one down every 9 tiles: 10,000 tiles at two heights.
    const WIDTH: u32 = 5000;
    let tile = |x: u32, y: u32| match (x % 9, y) {
        (3, 0) => "2",
        (4 | 5, 0) => "1",
        // The slope down is the other one, mirrored.
        (6, 0) => "2147483650",
        (_, 0) => "0",
        _ => "1",
    };
    let rows = (0..2).flat_map(|y| (0..WIDTH).map(move |x| tile(x, y)));
    let tiles = rows.collect::<Vec<_>>().join(",");
    let folder = written("map-walk", [WIDTH, 2], &layer("ground", [WIDTH, 2], &tiles));
    let atlas = baked(&folder.path("yard.tmx"), Vec::new());
    let mut world = World::new(atlas);
    let map = world.atlas().map("yard").unwrap();
    assert!(map.items.len() < 90, "{} chunks", map.items.len());
    world.insert_map(&map, [0.0; 2]).unwrap();
    let hero = world.masks_mut().insert(Mask::solid(6, 12).unwrap(), hitmask::Pivot::Center);
    let hero = world.insert(Collider::from_mask(hero.unwrap()).at([10.0, -10.0])).unwrap();
    let rules = MoveRules::default();
    let mut heights = std::collections::BTreeSet::new();
    let (mut ticks, mut last) = (0, 0.0);
    while last < WIDTH as f32 * 8.0 - 40.0 {
        let moved = world.move_by_rules(hero, [2.5, 4.0], rules, Filter::SOLID).unwrap();
        let [x, y] = moved.position;
        if ticks > 8 {
            assert!(x - last > 1.0, "stopped at {x}, {y} in tick {ticks}: {:?}", moved.contacts);
            assert!((-6.0..=2.0).contains(&y), "left the ground at {x}, {y}");
            heights.insert(y as i32);
        }
        (ticks, last) = (ticks + 1, x);
    }
    assert!(heights.len() >= 8, "{heights:?}");
}

#[test]
fn a_map_is_merged_from_shards_and_kept_with_the_masks_of_a_file_that_cannot_be_read() {
    let content = layer("ground", [2, 1], "1,2")
        + "<objectgroup name=\"things\"><object id=\"3\" gid=\"1\" x=\"4\" y=\"8\" width=\"8\" \
           height=\"8\"/></objectgroup>";
    let folder = written("map-kept", [2, 1], &content);
    let bake = || Bake::new().angles(4).sprites(folder.path("yard.tmx")).unwrap();
    let whole = bake().to_bytes().unwrap();
    let parts: Vec<_> = (1..3).map(|i| folder.path(&format!("part{i}"))).collect();
    for (i, part) in (1..).zip(&parts) {
        bake().shard(i, 2).write(part).unwrap();
    }
    merge(folder.path("merged.hitmask"), &parts, AtlasOptions::DEFAULT).unwrap();
    assert!(fs::read(folder.path("merged.hitmask")).unwrap() == whole);
    // A second bake copies what has not changed.
    let (output, cache) = (folder.path("all.hitmask"), folder.path("all.cache"));
    let with_cache = || bake().cache(&cache).write(&output).unwrap();
    assert_eq!(with_cache().kept, 0);
    assert_eq!((with_cache().kept, fs::read(&output).unwrap() == whole), (2, true));
    let before = Atlas::open(&output).unwrap().map("yard").unwrap();
    folder.write("yard.tmx", "no map");
    let mut kept = Bake::new().angles(4).keep_going(true).mask("other", "#".parse().unwrap());
    kept = kept.sprites(folder.path("yard.tmx")).unwrap();
    let report = kept.cache(&cache).write(&output).unwrap();
    assert_eq!((report.failures.len(), report.stale.len()), (1, 2));
    let atlas = Atlas::open(&output).unwrap();
    let after = atlas.map("yard").unwrap();
    let items =
        |map: Map| map.items.into_iter().map(|item: MapItem| item.shape).collect::<Vec<_>>();
    assert_eq!(items(after), items(before));
}

#[test]
fn chunks_pictures_and_shapes_count_towards_the_frames() {
    let shape = "<object x=\"0\" y=\"0\" width=\"4\" height=\"4\"/>".repeat(3);
    let picture = "<object gid=\"1\" x=\"0\" y=\"8\"/>".repeat(2);
    let objects = format!("<objectgroup>{shape}{picture}</objectgroup>");
    let folder = written("level-frames", [2, 1], &(layer("ground", [2, 1], "1,1") + &objects));
    let within = |max_frames: u64| {
        let limits = BakeLimits { max_frames, ..BakeLimits::default() };
        Bake::new().limits(limits).sprites(folder.path("yard.tmx")).and_then(|bake| bake.to_bytes())
    };
    // A chunk, three shapes, and one picture of two objects. The sheet has four tiles.
    assert!(within(5).is_ok());
    let fault = within(4).unwrap_err().fault;
    assert!(matches!(fault, BakeFault::OverLimit { needed: 5, limit: 4, .. }), "{fault:?}");
}
