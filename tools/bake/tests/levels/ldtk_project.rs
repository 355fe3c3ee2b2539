//! A committed project of LDtk with every kind of layer, entity, field and tileset, and its faults.
//!
//! `golden/ldtk/game.txt` has what the projects bake to.

use crate::encode;
use crate::sources::folder::assert_same_text;
use hitmask::{Atlas, World};
use hitmask_bake::{Bake, BakeError, BakeFault, BakeLimits, MapRule, SourceSettings};
use hitmask_scenes::Folder;
use serde_json::{Value, json};
use std::fmt::Write;

const GAME: &str = include_str!("../golden/ldtk/game.ldtk");
const LEVEL: &str = include_str!("../golden/ldtk/game/B.ldtkl");
const WORLDS: &str = include_str!("../golden/ldtk/worlds.ldtk");

/// Returns a folder with the files that the projects name.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let alpha = |x: u32, y: u32| if (x * 7 + y * 5 + x * y).is_multiple_of(3) { 0 } else { 255 };
    folder.write("tiles.png", encode::png::of_alpha([31, 21], alpha));
    folder.write("odd.png", encode::png::of_alpha([20, 16], alpha));
    folder.write("game/B.ldtkl", LEVEL);
    folder
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Bakes a project. Returns the atlas and the warnings.
fn baked(
    folder: &Folder,
    project: &str,
    limits: BakeLimits,
) -> Result<(Atlas, Vec<String>), BakeError> {
    let becomes = |class: Option<&str>, property: Option<&str>| MapRule {
        class: class.map(str::to_owned),
        property: property.map(str::to_owned),
        becomes: class.or(property).map(|name| format!("of {name}")),
        ..MapRule::default()
    };
    let values = ["water", "1", "9"].map(|class| becomes(Some(class), None));
    let tiles = ["Wall", "Ice", "data=slope"].map(|property| becomes(None, Some(property)));
    let map = [values, tiles].concat();
    let settings = SourceSettings { map, ..SourceSettings::default() };
    let path = folder.write("game.ldtk", project);
    let bake = Bake::new().angles(1).limits(limits).sprites_with(path, settings)?;
    let report = bake.write(folder.path("out.hitmask"))?;
    let warnings = report.warnings.iter().map(|it| format!("{it}; {}", it.help())).collect();
    Ok((Atlas::open(folder.path("out.hitmask")).unwrap(), warnings))
}

/// Returns the maps of an atlas as text, with the pixels of their colliders.
fn shown(atlas: &Atlas) -> String {
    let mut text = String::new();
    for map in atlas.maps() {
        let _ = writeln!(text, "= {} {:?} {:?}", map.name, map.size, map.properties);
        let mut world = World::new(atlas.clone());
        let placed = world.insert_map(&map, [0.0; 2]).unwrap();
        for (item, id) in map.items.iter().zip(placed.ids) {
            let hitmask::MapItem { id: named, name, class, position, size, properties, .. } = item;
            let _ = writeln!(text, "{named} {name} {class} {position:?} {size:?} {properties:?}");
            let Some(posed) = id.and_then(|id| world.posed(id)) else { continue };
            let sensor = item.shape.as_ref().is_some_and(|shape| shape.sensor);
            let _ = writeln!(text, "{:?}, sensor: {sensor}\n{}", posed.origin, posed.mask);
        }
    }
    text
}

#[test]
fn a_project_of_ldtk_has_the_committed_maps_in_every_layout() {
    let folder = folder("ldtk-golden");
    let mut text = String::new();
    let mut add = |project: &str| {
        let (atlas, warnings) = baked(&folder, project, BakeLimits::default()).unwrap();
        let root = folder.root().display().to_string();
        let said = warnings.iter().map(|said| format!("{}\n", said.replace(&root, "~")));
        text += &(shown(&atlas) + &said.collect::<String>());
    };
    add(GAME);
    for layout in ["null", "\"GridVania\"", "\"LinearHorizontal\"", "\"LinearVertical\""] {
        let mut places = parsed(GAME);
        places["worldLayout"] = parsed(layout);
        for level in places["levels"].as_array_mut().unwrap() {
            level["layerInstances"] = json!([]);
        }
        add(&places.to_string());
    }
    add(WORLDS);
    assert_same_text("golden/ldtk/game.txt", &text);
}

#[test]
fn faults_of_a_project_are_named_with_their_place() {
    let folder = folder("ldtk-faults");
    for line in include_str!("../golden/ldtk/faults.txt").lines().skip(1) {
        let (pointer, rest) = line.split_once(' ').unwrap();
        let (value, cause) = rest.split_once(" -> ").unwrap();
        let mut project = parsed(GAME);
        *project.pointer_mut(pointer).unwrap() = parsed(value);
        match baked(&folder, &project.to_string(), BakeLimits::default()) {
            Err(error) => {
                assert!(error.to_string().contains(cause), "{line}: {error:?}");
                let path = error.place.path.as_ref();
                assert!(path.is_some_and(|path| path.starts_with(folder.root())), "{line}");
            }
            // Left out.
            Ok((_, said)) => assert!(said.iter().any(|it| it.contains(cause)), "{line}: {said:?}"),
        }
    }
}

/// A text of the definitions that each level copies could take any multiple of the file. So could cells, and the
/// file of a level that many levels name.
#[test]
fn cells_and_copies_of_texts_count_towards_the_limit() {
    let folder = folder("ldtk-limit");
    let limits = BakeLimits { max_decoding_bytes: 500_000, ..BakeLimits::default() };
    let mut game = parsed(GAME);
    let level = |name: String| {
        let mut level = parsed(GAME)["levels"][0].take();
        level["identifier"] = json!(name);
        level["layerInstances"].as_array_mut().unwrap().truncate(2);
        level
    };
    game["levels"] = (0..100).map(|i| level(format!("L{i}"))).collect();
    let mut few = game.clone();
    few["levels"].as_array_mut().unwrap().truncate(20);
    baked(&folder, &few.to_string(), limits).unwrap();
    let layer = "/levels/0/layerInstances/1";
    let mut tiles = vec![game.pointer(&format!("{layer}/gridTiles/0")).unwrap().clone(); 20_000];
    tiles[0]["f"] = json!(0);
    let mut external = parsed(GAME);
    let own = external["levels"][1].clone();
    external["levels"] = (0..500).map(|_| own.clone()).collect();
    let mut cases = vec![external];
    for (pointer, value) in [
        ("/defs/tilesets/0/identifier", json!("x".repeat(10_000))),
        ("/defs/tilesets/0/customData/0/data", json!("x".repeat(10_000))),
        ("/defs/tilesets/0/enumTags/0/enumValueId", json!("x".repeat(10_000))),
        ("/levels/0/layerInstances/1/gridTiles", json!(tiles)),
    ] {
        let mut project = game.clone();
        *project.pointer_mut(pointer).unwrap() = value;
        cases.push(project);
    }
    for (i, project) in cases.iter().enumerate() {
        let error = baked(&folder, &project.to_string(), limits).unwrap_err();
        assert!(matches!(error.fault, BakeFault::OverLimit { .. }), "case {i}: {error:?}");
    }
}
