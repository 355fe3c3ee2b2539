//! Tests of maps in `export`, `info` and `report`.

use crate::folder::{Folder, assert_parts};
use roxmltree::Document;
use serde_json::{Value, json};

#[test]
fn the_terrain_of_a_map_is_exported_without_a_seam_in_pixels_of_the_map() {
    let folder = Folder::new("maps-export");
    folder.level();
    let said = folder.json("export --map levels/yard -o yard.json --max-error 0.1 --json");
    assert_eq!((&said["sprites"], &said["frames"]), (&json!(2), &json!(2)));
    let file: Value = serde_json::from_str(&folder.text("yard.json")).unwrap();
    let frame = |name: &str| file["sprites"][format!("levels/yard/{name}")]["frames"][0].clone();
    let solid = frame("solid");
    assert_eq!((&solid["size"], &solid["pivot"]), (&json!([640, 32]), &json!([0.0, 0.0])));
    assert_eq!(solid["polygons"].as_array().unwrap().len(), 1);
    assert_eq!(solid["polygons"][0]["holes"], json!([]));
    let border = solid["polygons"][0]["border"].as_array().unwrap();
    let mut corners: Vec<[f64; 2]> =
        border.chunks(2).map(|xy| [&xy[0], &xy[1]].map(|v| v.as_f64().unwrap())).collect();
    assert!(corners.iter().all(|[x, _]| *x < 1.0 || *x > 631.0), "none at 512: {corners:?}");
    corners.retain(|[x, y]| *x == 0.0 || [*x, *y] == [640.0, 32.0]);
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(corners, [[0.0, 24.0], [0.0, 32.0], [640.0, 32.0]]);
    let mut area = solid["mass"]["area"].as_f64().unwrap();
    // The slope has 36 pixels.
    assert_eq!(area, 640.0 * 8.0 + 36.0);
    let hazard = frame("hazard");
    area = hazard["mass"]["area"].as_f64().unwrap();
    assert_eq!((area, &hazard["mass"]["centroid"]), (32.0, &json!([244.0, 22.0])));
    // Without the map, each chunk has a shape of its own.
    let said = folder.json("export --sprite levels/yard/solid -o chunks.json --json");
    assert_eq!(said["frames"], 2);
}

#[test]
fn every_format_of_pieces_takes_a_map() {
    let folder = Folder::new("maps-formats");
    folder.level();
    let export = |name: &str, more: &str| {
        folder
            .ok(&format!("export --map levels/yard --sprite levels/yard/hazard -o {name} {more}"));
        folder.text(name)
    };
    let corners = ["240", "248", "20", "24"];
    assert_parts(&export("a.lua", ""), &["[\"levels/yard/hazard\"]={frames={", "240.0,20.0"]);
    let scene = export("a.tscn", "");
    assert_parts(&scene, &["[node name=\"levels_yard_hazard\"", "PoolVector2Array( 2"]);
    assert_parts(&scene, &corners);
    assert_parts(&export("a.json", "-f physicseditor"), &["\"x\":240.0", "\"y\":20.0"]);
    let svg = export("a.svg", "");
    let svg = Document::parse(&svg).unwrap();
    let piece = svg.descendants().find(|node| node.attribute("class") == Some("piece")).unwrap();
    assert_parts(piece.attribute("d").unwrap(), &corners);
    assert!(export("b.json", "--scale 0.5 --y-up").contains("120.0,-10.0"));
    folder.refuses(
        "export --map levels/yard -o a.tsx",
        "\"levels/yard/hazard\" is a part of a level",
        "",
    );
}

#[test]
fn a_map_that_is_not_there_names_those_that_are() {
    let folder = Folder::new("maps-refused");
    folder.level();
    let (cause, help) = folder.fails("export --map levels/yrd -o a.json");
    assert_eq!(cause, "the art has no map \"levels/yrd\"");
    assert_eq!(help, "did you mean \"levels/yard\"? the maps are: levels/yard");
    folder.refuses("export art --map yard -o a.json", "no map \"yard\"", ".tmx, .tmj or .ldtk");
    let other = "export --map levels/yard --sprite levels/yard/solids -o a.json";
    folder.refuses(
        other,
        "no sprite \"levels/yard/solids\"",
        "did you mean \"levels/yard/solid\"?",
    );
    let plane = "export --map levels/yard --plane eye -o a.json";
    folder.refuses(plane, "has no plane \"eye\"", "");
    let rules = folder.text("hitmask.toml");
    folder.write(
        "hitmask.toml",
        &rules.replace("\"hazard\", sensor = true", "\"\" }, { becomes = \"\""),
    );
    folder.refuses("export --map levels/yard -o b.json", "has no terrain", "becomes = \"solid\"");
    assert!(!folder.0.join("b.json").exists());
}

#[test]
fn info_lists_maps_with_their_size_items_and_terrains() {
    let folder = Folder::new("maps-info");
    folder.level();
    folder.ok("bake");
    let terrains = json!(["hazard", "solid"]);
    let map =
        json!({ "name": "levels/yard", "size": [640.0, 32.0], "items": 5, "terrains": terrains });
    assert_eq!(folder.json("info a --json")["maps"], json!([map]));
    let table = folder.ok("info a");
    assert!(table.ends_with("levels/yard       640x32       5  hazard, solid\n"), "{table}");
    folder.ok("bake art -o b");
    assert_eq!(folder.json("info b --json")["maps"], json!([]));
    assert!(!folder.ok("info b").contains("terrains"));
}
