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
fn info_describes_a_map_with_its_items_classes_and_properties() {
    let folder = Folder::new("maps-info-items");
    folder.level();
    folder.ok("bake");
    let text = folder.ok("info a levels/yard");
    let parts = [
        "map levels/yard: 640x32, 5 items",
        "solid/0,0: \"solid\", class \"chunk\", 512x512 at 0,0; levels/yard/solid, frame 0\n",
        "things/<spawn>: \"<spawn>\", class \"start\", 0x0 at 20.5,16; hp = \"3\"\n",
        "levels/yard/hazard, frame 0, sensor\n",
    ];
    assert_parts(&text, &parts);
    let json = folder.json("info a levels/yard --json");
    assert_eq!(json["items"][3]["properties"], json!([["hp", "3"]]));
    folder.refuses("info a levels/yards", "no sprite \"levels/yards\"", "");
}

/// Returns the page of a report over the map of [`Folder::level`].
fn page(folder: &Folder) -> String {
    folder.ok("bake");
    assert_eq!(folder.json("report a -o page.html --json")["maps"], 1);
    folder.text("page.html")
}

/// Decodes the picture of the first map of a page.
fn picture(page: &str) -> image::RgbaImage {
    let after = page.split_once("<image class=\"colliders").unwrap().1;
    let after = after.split_once("href=\"data:image/png;base64,").unwrap().1;
    let text = after.split_once('"').unwrap().0;
    let png = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap();
    image::load_from_memory(&png).unwrap().into_rgba8()
}

#[test]
fn a_report_draws_the_colliders_of_a_map_and_lists_its_objects() {
    let folder = Folder::new("maps-report");
    folder.level();
    let text = page(&folder);
    let parts = [
        "<h2>Map levels/yard</h2>",
        "640 x 32 px, 5 items",
        "<div class=\"labels\" style=\"width:640px\"><svg viewBox=\"0 0 640 32\"",
        "<path class=\"point\" d=\"M20.5 16h0\"/>",
        "<span style=\"left:3.20%;top:50.00%\">&lt;spawn&gt;</span>",
        "<span class=\"above\" style=\"left:95.00%;top:0.00%\">exit</span>",
        "<tr><td>&lt;spawn&gt;</td><td>start</td><td>20.5, 16</td><td>hp = 3</td></tr>",
        "<tr><td>exit</td><td></td><td>600, 0</td><td></td></tr>",
    ];
    assert_parts(&text, &parts);
    // In narrow windows only sprites are cards: the table of objects keeps its header in one row.
    let narrow = text.split_once("@media (max-width: 63.99rem) {").unwrap().1;
    let narrow = narrow.split_once("\n}").unwrap().0;
    let is_of_sprites = |rule: &str| !rule.contains("tbody t") || rule.contains(".sprites tbody t");
    assert!(
        narrow.contains(".sprites, .sprites thead,") && narrow.lines().all(is_of_sprites),
        "{narrow}"
    );
    let picture = picture(&text);
    assert_eq!(picture.dimensions(), (640, 32));
    let count = |color: [u8; 4]| picture.pixels().filter(|pixel| pixel.0 == color).count();
    let at = |x, y| picture.get_pixel(x, y).0;
    // The terrain across two chunks, the spikes, the object, and nothing.
    let colors = [at(511, 30), at(244, 22), at(605, 5), at(100, 10)];
    assert_eq!((at(512, 30), colors[3]), (colors[0], [0; 4]));
    assert_eq!(colors.map(count), [640 * 8 + 36, 8 * 4, 16 * 24, 640 * 32 - 5156 - 32 - 384]);
}

#[test]
fn a_report_draws_a_map_over_the_tiles_of_its_level() {
    let folder = Folder::new("maps-report-art");
    folder.level();
    folder.ok("bake");
    let level = "levels/yard.tmx";
    let text = folder.text(level);
    // An object shows the slope at twice its size.
    let object = r#"<object gid="2" x="300" y="32" width="16" height="16"/></objectgroup>"#;
    let text = text.replace("</objectgroup>", object);
    folder.write(level, &text.replace("<map ", "<map backgroundcolor=\"#80204060\" "));
    folder.ok("bake");
    folder.ok("report a --art . -o page.html");
    let page = folder.text("page.html");
    assert_parts(&page, &["<image class=\"colliders over\""]);
    let after = page.split_once("<image href=\"data:image/png;base64,").unwrap().1;
    let png = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        after.split_once('"').unwrap().0,
    );
    let tiles = image::load_from_memory(&png.unwrap()).unwrap().into_rgba8();
    let source = image::open(folder.0.join("levels/tiles.png")).unwrap().into_rgba8();
    assert_eq!(tiles.dimensions(), (640, 32));
    for (x, y, of) in [(3, 30, (3, 6)), (247, 22, (23, 6)), (315, 31, (15, 7))] {
        assert_eq!(tiles.get_pixel(x, y), source.get_pixel(of.0, of.1), "{x}, {y}");
    }
    assert_eq!(tiles.get_pixel(100, 10).0, [0x20, 0x40, 0x60, 255], "the background");
    // A folder without the level is still refused.
    std::fs::create_dir(folder.0.join("other")).unwrap();
    folder.refuses("report a --art other -o page.html", "no level of a map", "omit --art");
    folder.ok("report a -o page.html");
    assert!(!folder.text("page.html").contains("colliders over"));
}

#[test]
fn a_map_without_its_sprites_gives_a_warning_in_the_report() {
    let folder = Folder::new("maps-report-broken");
    let shape = hitmask::MapShape { sprite: "gone".to_owned(), ..Default::default() };
    let item = hitmask::MapItem { shape: Some(shape), ..Default::default() };
    let map = hitmask::Map { name: "yard".to_owned(), items: vec![item], ..Default::default() };
    let atlas = hitmask::AtlasBuilder::new().mask("dot", "#".parse().unwrap()).map(map);
    std::fs::write(folder.0.join("a"), atlas.to_bytes().unwrap()).unwrap();
    let said = folder.json("report a -o page.html --json");
    let warning = said["warnings"][0]["warning"].as_str().unwrap();
    assert!(warning.starts_with("map \"yard\": ") && warning.contains("gone"), "{said}");
    assert!(!folder.text("page.html").contains("<section"));
}

#[test]
fn a_large_map_is_shown_smaller_with_its_thin_parts() {
    let folder = Folder::new("maps-report-large");
    folder.level();
    let level = folder.text("levels/yard.tmx");
    // At a resolution of 2, 2 mask pixels are one of the picture and one of the map.
    let manifest = folder.text("hitmask.toml");
    folder.write("hitmask.toml", &format!("resolution = 2\n{manifest}"));
    let text = page(&folder);
    let half = picture(&text);
    assert_eq!((half.dimensions(), half.get_pixel(244, 22).0[3]), ((640, 32), 255));
    assert_parts(&text, &["style=\"width:640px\"><svg viewBox=\"0 0 640 32\"", "M20.5 16h0"]);
    folder.write("hitmask.toml", &manifest);
    // The same tiles in another shape: 2,560 px wide and 8 px high, with empty ground below its slope.
    let tall = level.replace("width=\"80\" height=\"4\"", "width=\"320\" height=\"1\"");
    folder.write("levels/yard.tmx", &tall);
    let picture = picture(&page(&folder));
    // The object below the map counts for the size, and a pixel is 3 px.
    assert_eq!(picture.dimensions(), (854, 8));
    assert_eq!([506, 507].map(|x| picture.get_pixel(x, 2).0[3]), [255, 255], "the spikes");
    assert_eq!(picture.get_pixel(505, 2).0[3], 0);
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

#[test]
fn a_map_is_shown_as_a_picture_of_its_colliders() {
    let folder = Folder::new("maps-show");
    folder.level();
    folder.ok("bake");
    folder.ok("show a levels/yard --png yard.png --zoom 2");
    let shown = image::open(folder.0.join("yard.png")).unwrap().into_rgb8();
    assert_eq!(shown.dimensions(), (1280, 64));
    let drawn = picture(&page(&folder));
    for (x, y, pixel) in drawn.enumerate_pixels() {
        let [r, g, b, _] = pixel.0;
        assert_eq!(shown.get_pixel(2 * x + 1, 2 * y).0, [r, g, b], "{x}, {y}");
    }
    folder.refuses("show a levels/yard", "\"levels/yard\" is a map", "give --png OUT");
    folder.refuses(
        "show a levels/yard --png b.png --art none",
        "no level of the map",
        "omit --art",
    );
}
