use super::super::level::{Art, Form, Level, Object, TileLayer, Turn};
use super::read;
use crate::error::{BakeError, BakeFault};
use crate::image::tiled::Shape;
use crate::limits::BakeLimits;
use hitmask::Mask;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A folder with the images of a project, and the project. Removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = format!("hitmask-ldtk-{name}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(folder));
        folder.write("tiles.png", "");
        folder.write("odd.png", "");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, project: &Value) -> Result<Vec<(String, Level)>, BakeError> {
        self.read_within(project, &BakeLimits::default())
    }

    fn read_within(
        &self,
        project: &Value,
        limits: &BakeLimits,
    ) -> Result<Vec<(String, Level)>, BakeError> {
        self.write("game.ldtk", &project.to_string());
        read(&self.0.join("game.ldtk"), limits)
    }

    /// Returns the paths of a level's files, relative to the folder.
    fn files(&self, level: &Level) -> Vec<String> {
        let relative = |path: &PathBuf| {
            path.strip_prefix(&self.0).unwrap().to_str().unwrap().replace('\\', "/")
        };
        level.files.iter().map(relative).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns a layer without content.
fn layer(name: &str, kind: &str) -> Value {
    json!({
        "__identifier": name, "__type": kind, "__cWid": 3, "__cHei": 2, "__gridSize": 8,
        "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": null,
        "overrideTilesetUid": null, "layerDefUid": 10, "visible": true, "intGridCsv": [],
        "autoLayerTiles": [], "gridTiles": [], "entityInstances": [], "__opacity": 1,
    })
}

/// Returns a tile at a place. Its tileset has 3 columns of 8 pixels, a margin of 1 and gaps of 2.
fn tile(px: [i32; 2], id: i32, flips: u32) -> Value {
    json!({ "px": px, "src": [1 + id % 3 * 10, 1 + id / 3 * 10], "f": flips, "t": id, "a": 1 })
}

fn entity(name: &str, uid: u32, pivot: [f64; 2], [width, height]: [u32; 2]) -> Value {
    json!({
        "__identifier": name, "__pivot": pivot, "__tags": [], "__tile": null, "iid": "i",
        "width": width, "height": height, "defUid": uid, "px": [40, 20], "fieldInstances": [],
    })
}

fn level(name: &str, [x, y]: [i32; 2], layers: Value) -> Value {
    json!({
        "identifier": name, "worldX": x, "worldY": y, "worldDepth": 1, "pxWid": 24, "pxHei": 16,
        "externalRelPath": null, "fieldInstances": [], "layerInstances": layers,
    })
}

fn tileset(uid: u32, image: Value, [width, height]: [u32; 2], columns: u32) -> Value {
    json!({
        "identifier": format!("Set{uid}"), "uid": uid, "relPath": image, "pxWid": width,
        "pxHei": height, "tileGridSize": 8, "spacing": 0, "padding": 0, "__cWid": columns,
        "customData": [], "enumTags": [],
    })
}

/// Returns a project: tileset 1 has gaps, 2 has no image, and 3 has a column that lies on its image in part.
fn project(levels: Value) -> Value {
    let mut gaps = tileset(1, json!("tiles.png"), [31, 21], 3);
    gaps["padding"] = json!(1);
    gaps["spacing"] = json!(2);
    gaps["enumTags"] = json!([
        { "enumValueId": "Wall", "tileIds": [1, 2] }, { "enumValueId": "Ice", "tileIds": [2] },
    ]);
    gaps["customData"] = json!([{ "tileId": 2, "data": "slope" }]);
    let sets = json!([
        gaps,
        tileset(2, json!(null), [16, 16], 2),
        tileset(3, json!("odd.png"), [20, 16], 3)
    ]);
    let entity = |uid: u32, mode: &str, tile_mode: &str| json!({ "uid": uid, "renderMode": mode, "tileRenderMode": tile_mode });
    json!({
        "jsonVersion": "1.5.3", "worldLayout": "Free", "worlds": [], "levels": levels,
        "defs": {
            "tilesets": sets,
            "layers": [
                { "uid": 10, "intGridValues": [] },
                { "uid": 11, "intGridValues": [
                    { "value": 4, "identifier": "water" }, { "value": 1, "identifier": null },
                ] },
            ],
            "entities": [
                entity(20, "Rectangle", "FitInside"), entity(21, "Ellipse", "Stretch"),
                entity(22, "Cross", "FullSizeUncropped"), entity(23, "Tile", "Repeat"),
            ],
        },
    })
}

fn with_layers(layers: Value) -> Value {
    project(json!([level("A", [0, 0], layers)]))
}

/// Returns a project with a layer of tiles, an IntGrid with tiles of its rules, and an entity.
fn sample() -> Value {
    let mut tiles = layer("Front", "Tiles");
    tiles["__tilesetDefUid"] = json!(1);
    tiles["gridTiles"] = json!([tile([8, 0], 2, 1), tile([8, 0], 4, 2), tile([16, 8], 0, 3)]);
    tiles["__pxTotalOffsetX"] = json!(-3);
    tiles["__pxTotalOffsetY"] = json!(100);
    let mut values = layer("Ground", "IntGrid");
    values["layerDefUid"] = json!(11);
    values["intGridCsv"] = json!([0, 4, 0, 1, 0, 9]);
    values["__tilesetDefUid"] = json!(3);
    values["overrideTilesetUid"] = json!(1);
    values["autoLayerTiles"] = json!([tile([-5, 3], 5, 0)]);
    values["__pxTotalOffsetY"] = json!(7);
    let mut entities = layer("Things", "Entities");
    entities["entityInstances"] = json!([entity("Box", 20, [0.0, 0.0], [8, 8])]);
    let mut hidden = layer("Hidden", "AutoLayer");
    hidden["visible"] = json!(false);
    with_layers(json!([entities, tiles, hidden, layer("Sky", "AutoLayer"), values]))
}

/// Returns each cell of a layer: place, number, tileset, and the flips in x and y.
fn cells(layer: &TileLayer) -> Vec<([i32; 2], u32, u16, [bool; 2])> {
    let cell = |cell: &super::Cell| {
        let turn = cell.tile.turn;
        assert_eq!(Turn { x: false, y: false, ..turn }, Turn::default());
        (cell.at, cell.tile.id, cell.tile.set, [turn.x, turn.y])
    };
    layer.cells.iter().map(cell).collect()
}

#[test]
fn layers_are_read_from_the_lowest() {
    let folder = Folder::new("layers");
    let levels = folder.read(&sample()).unwrap();
    let [(name, level)] = &levels[..] else { panic!("{levels:?}") };
    assert_eq!((name.as_str(), level.size), ("A", [24.0, 16.0]));
    assert_eq!(folder.files(level), ["game.ldtk", "tiles.png"]);
    let names: Vec<_> = level.layers.iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(names, ["Ground", "Ground", "Sky", "Front"]);
    let kept = [false, false];
    let [values, rules, sky, front] = &level.layers[..] else { panic!("{:?}", level.layers) };
    let expected = [([8, 15], 4, 0, kept), ([0, 23], 1, 0, kept), ([16, 23], 9, 0, kept)];
    assert_eq!(cells(values), expected);
    // The tileset of the layer overrides that of its definition.
    assert_eq!(cells(rules), [([-5, 18], 5, 1, kept)]);
    assert_eq!(cells(sky), []);
    let expected = [
        ([5, 108], 2, 1, [true, false]),
        ([5, 108], 4, 1, [false, true]),
        ([13, 116], 0, 1, [true, true]),
    ];
    assert_eq!(cells(front), expected);
}

#[test]
fn tilesets_have_classes_and_properties() {
    let folder = Folder::new("tilesets");
    let (_, level) = folder.read(&sample()).unwrap().remove(0);
    let [values, sheet] = &level.tilesets[..] else { panic!("{:?}", level.tilesets) };
    assert!(matches!(values.art, Art::Solid([8, 8])));
    let class = |id: u32| values.tiles[&id].class.as_str();
    assert_eq!(values.tiles.keys().copied().collect::<Vec<_>>(), [1, 4, 9]);
    assert_eq!([class(1), class(4), class(9)], ["1", "water", "9"]);
    let Art::Sheet { image, grid, clear: None } = &sheet.art else { panic!("{:?}", sheet.art) };
    assert_eq!((image, grid.tile), (&folder.0.join("tiles.png"), [8, 8]));
    assert_eq!((grid.margin, grid.spacing, grid.columns), ([1, 1], [2, 2], Some(3)));
    let properties = |id: u32| {
        let properties = sheet.tiles[&id].properties.iter();
        properties.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(properties(1), ["Wall=true"]);
    assert_eq!(properties(2), ["Wall=true", "Ice=true", "data=slope"]);
}

/// LDtk counts 3 columns of 8 pixels on 20. A grid has 2.
#[test]
fn tiles_keep_their_numbers_where_a_column_is_on_the_image_in_part() {
    let folder = Folder::new("odd");
    let mut tiles = layer("Front", "Tiles");
    tiles["__tilesetDefUid"] = json!(3);
    let at = |id: u32, src: [u32; 2]| json!({ "px": [0, 0], "src": src, "f": 0, "t": id });
    tiles["gridTiles"] = json!([at(4, [8, 8]), at(0, [0, 0]), at(4, [8, 8])]);
    let (_, level) = folder.read(&with_layers(json!([tiles]))).unwrap().remove(0);
    let [set] = &level.tilesets[..] else { panic!("{:?}", level.tilesets) };
    let Art::Images(images) = &set.art else { panic!("{:?}", set.art) };
    let parts: Vec<_> = images.iter().map(|(&id, image)| (id, image.part.unwrap())).collect();
    assert_eq!(parts, [(0, [0, 0, 8, 8]), (4, [8, 8, 8, 8])]);
    assert_eq!((images[&4].size, &images[&4].path), ([8, 8], &folder.0.join("odd.png")));
    let ids: Vec<_> = level.layers[0].cells.iter().map(|cell| cell.tile.id).collect();
    assert_eq!(ids, [4, 0, 4]);
    tiles["gridTiles"] = json!([at(2, [16, 0])]);
    let (_, level) = folder.read(&with_layers(json!([tiles]))).unwrap().remove(0);
    let cause = &level.findings[0].cause;
    assert!(cause.contains("tile 0: the rectangle [16, 0, 8, 8]"), "{cause}");
    // A number of a place beyond the columns is that of another tile.
    tiles["gridTiles"] = json!([at(1, [8, 0])]);
    let mut project = with_layers(json!([tiles]));
    assert!(folder.read(&project).is_ok());
    project["defs"]["tilesets"][2]["__cWid"] = json!(1);
    let error = folder.read(&project).unwrap_err();
    assert!(error.to_string().contains("tile 0: tile 1 is not at [8, 0]"), "{error:?}");
}

fn objects(folder: &Folder, entities: Value) -> Level {
    let mut things = layer("Things", "Entities");
    things["entityInstances"] = entities;
    things["__pxTotalOffsetX"] = json!(100);
    things["__pxTotalOffsetY"] = json!(-10);
    folder.read(&with_layers(json!([things]))).unwrap().remove(0).1
}

/// Returns the box of the pixels of a shape.
fn bounds(object: &Object) -> [i32; 4] {
    let Form::Shape(shape) = &object.form else { panic!("{object:?}") };
    let mut mask = Mask::new(200, 100).unwrap();
    shape.draw(&mut mask);
    let solid = mask.bounds().unwrap();
    [solid.x0, solid.y0, solid.x1, solid.y1]
}

#[test]
fn entities_have_the_shape_of_their_bounds_about_their_pivot() {
    let folder = Folder::new("entities");
    let mut icon = entity("Icon", 20, [1.0, 1.0], [6, 4]);
    icon["__tile"] = json!({ "tilesetUid": 2, "x": 0, "y": 0, "w": 8, "h": 8 });
    let level = objects(
        &folder,
        json!([
            entity("Box", 20, [0.5, 1.0], [20, 10]),
            entity("Ball", 21, [0.0, 0.5], [16, 8]),
            entity("Mark", 22, [0.0, 0.0], [16, 8]),
            entity("Dot", 20, [0.0, 0.0], [0, 8]),
            icon,
        ]),
    );
    let [area, ball, mark, dot, icon] = &level.objects[..] else { panic!("{:?}", level.objects) };
    assert_eq!(
        (area.position, area.size, bounds(area)),
        ([140.0, 10.0], [20.0, 10.0], [130, 0, 150, 10])
    );
    assert!(matches!(ball.form, Form::Shape(Shape::Ellipse { size: [16.0, 8.0], .. })));
    assert_eq!(bounds(ball), [140, 6, 156, 14]);
    assert!(matches!((&mark.form, &dot.form), (Form::Point, Form::Point)));
    assert_eq!((mark.size, dot.layer.as_str()), ([16.0, 8.0], "Things"));
    assert_eq!(bounds(icon), [134, 6, 140, 10]);
    assert_eq!(folder.files(&level), ["game.ldtk"]);
}

#[test]
fn entities_show_their_tile_as_their_definition_draws_it() {
    let folder = Folder::new("pictures");
    let shown = |uid: u32, size: [u32; 2], [x, y, w, h]: [u32; 4]| {
        let mut shown = entity("Shown", uid, [0.5, 1.0], size);
        shown["__tile"] = json!({ "tilesetUid": 1, "x": x, "y": y, "w": w, "h": h });
        shown
    };
    let level = objects(
        &folder,
        json!([
            shown(20, [12, 24], [11, 1, 8, 8]),
            shown(21, [12, 24], [1, 11, 8, 8]),
            shown(22, [12, 24], [1, 1, 18, 8]),
            shown(23, [18, 8], [1, 1, 18, 8]),
            shown(23, [18, 9], [1, 1, 18, 8]),
            shown(20, [8, 8], [2, 1, 8, 8]),
        ]),
    );
    let form = |object: &Object| match object.form {
        Form::Tile { tile, anchor: [0.5, 1.0], degrees: 0.0 } => {
            Some((tile.set, tile.id, object.size))
        }
        _ => None,
    };
    let forms: Vec<_> = level.objects.iter().map(form).collect();
    let expected = [
        Some((0, 1, [12.0, 12.0])),
        Some((0, 3, [12.0, 24.0])),
        Some((1, 0, [18.0, 8.0])),
        Some((1, 0, [18.0, 8.0])),
        None,
        Some((2, 0, [8.0, 8.0])),
    ];
    assert_eq!(forms, expected);
    assert_eq!(bounds(&level.objects[4]), [131, 1, 149, 10]);
    let part = |set: usize| match &level.tilesets[set].art {
        Art::Images(images) => (images.len(), images[&0].size, images[&0].part),
        art => panic!("{art:?}"),
    };
    assert_eq!(part(1), (1, [18, 8], Some([1, 1, 18, 8])));
    assert_eq!(part(2), (1, [8, 8], Some([2, 1, 8, 8])));
    assert_eq!(level.tilesets.len(), 3);
}

#[test]
fn fields_are_properties() {
    let folder = Folder::new("fields");
    let mut chest = entity("Chest", 20, [0.0, 0.0], [8, 8]);
    chest["__tags"] = json!(["loot", "wood"]);
    let field = |name: &str, value: Value| json!({ "__identifier": name, "__value": value });
    chest["fieldInstances"] = json!([
        field("open", json!(true)),
        field("count", json!(3)),
        field("speed", json!(1.5)),
        field("note", json!("a \"b\"\n{ }")),
        field("none", json!(null)),
        field("path", json!([{ "cx": 1, "text": "a \" b" }, null])),
    ]);
    let mut things = layer("Things", "Entities");
    things["entityInstances"] = json!([chest]);
    let mut project = with_layers(json!([things]));
    project["levels"][0]["fieldInstances"] = json!([field("music", json!("cave"))]);
    // LDtk puts blanks into the values.
    let text = serde_json::to_string_pretty(&project).unwrap();
    folder.write("game.ldtk", &text);
    let limits = BakeLimits::default();
    let (_, level) = read(&folder.0.join("game.ldtk"), &limits).unwrap().remove(0);
    let object = &level.objects[0];
    assert_eq!((object.name.as_str(), object.class.as_str()), ("Chest", "loot"));
    let pairs = |properties: &[(String, String)]| {
        properties.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    };
    let expected = [
        "iid=i",
        "open=true",
        "count=3",
        "speed=1.5",
        "note=a \"b\"\n{ }",
        r#"path=[{"cx":1,"text":"a \" b"},null]"#,
    ];
    assert_eq!(pairs(&object.properties), expected);
    let expected = ["worldX=0", "worldY=0", "worldDepth=1", "music=cave"];
    assert_eq!(pairs(&level.properties), expected);
}

/// Returns the name, the place and the world of each level.
fn places(levels: &[(String, Level)]) -> Vec<String> {
    let place = |(name, level): &(String, Level)| {
        let value = |key: &str| {
            let found = level.properties.iter().find(|(name, _)| name == key);
            found.map_or("none", |(_, value)| value).to_owned()
        };
        [name, &value("worldX"), &value("worldY"), &value("world")].map(String::as_str).join(" ")
    };
    levels.iter().map(place).collect()
}

#[test]
fn levels_have_their_place_in_each_layout_and_world() {
    let folder = Folder::new("worlds");
    let levels = json!([level("A", [-8, 4], json!([])), level("B", [16, -4], json!([]))]);
    let mut project = project(levels.clone());
    for (layout, places_of) in [
        (json!("Free"), ["A -8 4 none", "B 16 -4 none"]),
        (json!("GridVania"), ["A -8 4 none", "B 16 -4 none"]),
        (json!(null), ["A -8 4 none", "B 16 -4 none"]),
        (json!("LinearHorizontal"), ["A 0 0 none", "B 24 0 none"]),
        (json!("LinearVertical"), ["A 0 0 none", "B 0 16 none"]),
    ] {
        project["worldLayout"] = layout;
        assert_eq!(places(&folder.read(&project).unwrap()), places_of);
    }
    project["worldLayout"] = json!(null);
    project["levels"] = json!([]);
    project["worlds"] = json!([
        { "identifier": "Up", "worldLayout": "LinearVertical", "levels": levels },
        { "identifier": "Down", "worldLayout": "Free", "levels": [level("C", [1, 2], json!([]))] },
    ]);
    let expected = ["A 0 0 Up", "B 0 16 Up", "C 1 2 Down"];
    assert_eq!(places(&folder.read(&project).unwrap()), expected);
}

#[test]
fn levels_may_have_files_of_their_own() {
    let folder = Folder::new("external");
    let mut project = sample();
    let own = project["levels"][0].take();
    folder.write("game/A.ldtkl", &own.to_string());
    let mut entry = level("A", [0, 0], json!(null));
    entry["externalRelPath"] = json!("game\\A.ldtkl");
    project["levels"] = json!([entry.clone(), level("B", [0, 0], json!([]))]);
    let levels = folder.read(&project).unwrap();
    assert_eq!(folder.files(&levels[0].1), ["game.ldtk", "game/A.ldtkl", "tiles.png"]);
    assert_eq!((levels[0].1.layers.len(), levels[0].1.objects.len()), (4, 1));
    assert_eq!(folder.files(&levels[1].1), ["game.ldtk"]);
    // An error names the file of the level.
    let mut damaged = own.clone();
    damaged["layerInstances"][1]["gridTiles"][1]["t"] = json!(3);
    folder.write("game/A.ldtkl", &damaged.to_string());
    let error = folder.read(&project).unwrap_err();
    assert_eq!(error.place.path, Some(folder.0.join("game/A.ldtkl")));
    assert!(error.to_string().contains(r#"layer "Front", tile 1: tile 3 is not at"#), "{error:?}");
    for (text, cause) in [
        ("{", "line 1, column 1: EOF"),
        (&*level("B", [0, 0], json!([])).to_string(), "the project has level \"A\" here"),
        (&*level("A", [0, 0], json!(null)).to_string(), "has neither layers nor a file"),
    ] {
        folder.write("game/A.ldtkl", text);
        let error = folder.read(&project).unwrap_err();
        assert_eq!(error.fault, BakeFault::Malformed, "{error:?}");
        assert!(error.to_string().contains(cause), "{error:?}");
    }
    let absolute = folder.0.join("game/A.ldtkl");
    let absolute = absolute.to_str().unwrap();
    for named in [absolute, "game/B.ldtkl", "/A.ldtkl", "\\A.ldtkl", "game/A.ldtkl\0", "game", ""] {
        project["levels"][0]["externalRelPath"] = json!(named);
        let error = folder.read(&project).unwrap_err();
        assert_eq!(error.fault, BakeFault::NotFound, "{error:?}");
        assert!(error.to_string().contains(&format!("no level file {named:?}")), "{error:?}");
    }
    // The text counts each time that it is read, because each time its objects are new.
    folder.write("game/A.ldtkl", &own.to_string());
    project["levels"] = json!(vec![entry; 100]);
    for level in project["levels"].as_array_mut().unwrap() {
        level["externalRelPath"] = json!("game/A.ldtkl");
    }
    let limits = BakeLimits {
        max_decoding_bytes: own.to_string().len() as u64 * 90,
        ..BakeLimits::default()
    };
    let error = folder.read_within(&project, &limits).unwrap_err();
    assert!(matches!(error.fault, BakeFault::OverLimit { .. }), "{error:?}");
}

/// Where a value of the sample is, what it is replaced by, and a part of the error.
fn refusals() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("/jsonVersion", json!("2.0.0"), "version \"2.0.0\" of the format"),
        ("/jsonVersion", json!("0.9.3"), "version \"0.9.3\" of the format"),
        ("/jsonVersion", json!("10.0"), "version \"10.0\" of the format"),
        ("/jsonVersion", json!(1.5), "invalid type: floating point `1.5`"),
        ("/worldLayout", json!("Spiral"), "unknown variant `Spiral`"),
        ("/levels/0/pxWid", json!(-1), "invalid value: integer `-1`"),
        ("/levels/0/layerInstances", json!(null), "level \"A\": the level has neither layers"),
        ("/levels/0/layerInstances/1/__type", json!("Mesh"), "unknown variant `Mesh`"),
        (
            "/levels/0/layerInstances/4/intGridCsv",
            json!([1, 0, 0, 0, 0]),
            "level \"A\", layer \"Ground\": 5 values for 3 x 2 cells",
        ),
        (
            "/levels/0/layerInstances/4/__cWid",
            json!(1_000_000_000),
            "6 values for 1000000000 x 2 cells",
        ),
        ("/levels/0/layerInstances/4/intGridCsv/0", json!(-1), "invalid value: integer `-1`"),
        (
            "/levels/0/layerInstances/4/__gridSize",
            json!(0),
            "layer \"Ground\", cell 1: it is no place on a grid of 0 pixels",
        ),
        (
            "/levels/0/layerInstances/4/__gridSize",
            json!(2_147_483_648_u32),
            "cell 1: it is no place on a grid of 2147483648 pixels",
        ),
        ("/levels/0/layerInstances/4/layerDefUid", json!(9), "no layer is defined with uid 9"),
        (
            "/levels/0/layerInstances/1/gridTiles/1/t",
            json!(4_000_000_000_u32),
            "layer \"Front\", tile 1: tile 4000000000 is not at [11, 11] in tileset \"Set1\"",
        ),
        ("/levels/0/layerInstances/1/gridTiles/1/t", json!(-1), "invalid value: integer `-1`"),
        (
            "/levels/0/layerInstances/1/gridTiles/1/src",
            json!([-1, -1]),
            "tile 1: tile 4 is not at [-1, -1] in tileset",
        ),
        (
            "/levels/0/layerInstances/1/gridTiles/1/src",
            json!([12, 11]),
            "tile 1: tile 4 is not at [12, 11] in tileset",
        ),
        (
            "/levels/0/layerInstances/1/gridTiles/2/f",
            json!(4),
            "tile 2: a tile at [16, 8] with the flips 4 is not possible",
        ),
        (
            "/levels/0/layerInstances/1/gridTiles/2/px/1",
            json!(i32::MAX),
            "tile 2: a tile at [16, 2147483647] with the flips 3 is not possible",
        ),
        (
            "/levels/0/layerInstances/1/__tilesetDefUid",
            json!(null),
            "layer \"Front\", tile 0: the layer has no tileset",
        ),
        ("/levels/0/layerInstances/1/__tilesetDefUid", json!(7), "no tileset has uid 7"),
        ("/defs/tilesets/0/relPath", json!(null), "tileset \"Set1\" has no image"),
        ("/defs/tilesets/0/relPath", json!("none.png"), "there is no image \"none.png\""),
        ("/defs/tilesets/0/relPath", json!("/tiles.png"), "there is no image \"/tiles.png\""),
        ("/defs/tilesets/0/pxHei", json!(18), "the rectangle [21, 11, 8, 8] is not within"),
        ("/defs/tilesets/0/tileGridSize", json!(0), "tile 0: tile 5 is not at [21, 11]"),
        ("/defs/tilesets/0/__cWid", json!(0), "tile 0: tile 5 is not at [21, 11]"),
        ("/defs/tilesets/0/padding", json!(u32::MAX), "tile 0: tile 5 is not at [21, 11]"),
        ("/defs/tilesets/0/spacing", json!(u32::MAX), "tile 0: tile 5 is not at [21, 11]"),
        (
            "/levels/0/layerInstances/0/entityInstances/0/__pivot",
            json!([0.0, 1.5]),
            "layer \"Things\", entity 0: the pivot [0.0, 1.5] is not in 0 to 1",
        ),
        (
            "/levels/0/layerInstances/0/entityInstances/0/defUid",
            json!(5),
            "entity 0: no entity is defined with uid 5",
        ),
        (
            "/levels/0/layerInstances/0/entityInstances/0/__tile",
            json!({ "tilesetUid": 1, "x": 0, "y": 0, "w": 32, "h": 8 }),
            "entity 0: the rectangle [0, 0, 32, 8] is not within tileset \"Set1\" of 31 x 21 pixels",
        ),
        (
            "/levels/0/layerInstances/0/entityInstances/0/__tile",
            json!({ "tilesetUid": 1, "x": 0, "y": 0, "w": 0, "h": 0 }),
            "entity 0: the rectangle [0, 0, 0, 0] is not within",
        ),
        (
            "/levels/0/layerInstances/0/entityInstances/0/__tile",
            json!({ "tilesetUid": 8, "x": 0, "y": 0, "w": 8, "h": 8 }),
            "entity 0: no tileset has uid 8",
        ),
    ]
}

#[test]
fn bad_values_are_refused_with_their_place() {
    let folder = Folder::new("refusals");
    for (pointer, value, cause) in refusals() {
        let mut project = sample();
        *project.pointer_mut(pointer).unwrap() = value.clone();
        let error = match folder.read(&project) {
            Err(error) => error,
            // Left out, or refused if it is drawn.
            Ok(levels) => {
                let (_, Level { findings, tilesets, .. }) = &levels[0];
                let found = findings.iter().map(|finding| finding.cause.clone());
                let faults = tilesets.iter().filter_map(|set| set.fault.as_ref());
                let mut said = found.chain(faults.map(|fault| fault.to_string()));
                assert!(said.any(|said| said.contains(cause)), "{pointer} {value}");
                continue;
            }
        };
        assert!(error.to_string().contains(cause), "{pointer} {value}: {error:?}");
        assert!(error.to_string().contains("game.ldtk"), "{error:?}");
        assert_eq!(error.place.path, Some(folder.0.join("game.ldtk")), "{pointer}");
        assert!(!error.help().is_empty());
    }
}

/// Calls `visit` with the pointer of each value below another one.
fn visit(value: &Value, pointer: &str, visitor: &mut impl FnMut(&str)) {
    visitor(pointer);
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, it)| visit(it, &format!("{pointer}/{key}"), visitor));
        }
        Value::Array(list) => {
            let list = list.iter().enumerate();
            list.for_each(|(i, it)| visit(it, &format!("{pointer}/{i}"), visitor));
        }
        _ => {}
    }
}

#[test]
fn values_of_other_types_and_cut_files_never_panic() {
    let folder = Folder::new("types");
    let project = sample();
    let mut pointers = Vec::new();
    visit(&project, "", &mut |pointer| pointers.push(pointer.to_owned()));
    assert!(pointers.len() > 200);
    let others = [json!(null), json!(u64::MAX), json!(i64::MIN), json!(0.5), json!("x"), json!([])];
    let mut refused = 0;
    for pointer in &pointers {
        for other in &others {
            let mut project = project.clone();
            *project.pointer_mut(pointer).unwrap() = other.clone();
            refused += usize::from(folder.read(&project).is_err());
        }
    }
    assert!(refused > pointers.len() * 4, "{refused} of {}", pointers.len() * others.len());
    let text = project.to_string();
    for len in (0..text.len()).step_by(7) {
        folder.write("game.ldtk", &text[..len]);
        let error = read(&folder.0.join("game.ldtk"), &BakeLimits::default()).unwrap_err();
        assert_eq!(error.fault, BakeFault::Malformed, "{len}");
    }
}

#[test]
fn cells_count_towards_the_limit() {
    let folder = Folder::new("limit");
    let mut tiles = layer("Front", "Tiles");
    tiles["__tilesetDefUid"] = json!(1);
    tiles["gridTiles"] = json!(vec![tile([0, 0], 0, 0); 1000]);
    let mut values = layer("Ground", "IntGrid");
    values["__cHei"] = json!(1000);
    values["intGridCsv"] = json!(vec![[0, 1, 0]; 1000].concat());
    let project = with_layers(json!([tiles, values]));
    let limited = |max_decoding_bytes: u64| {
        let limits = BakeLimits { max_decoding_bytes, ..BakeLimits::default() };
        folder.read_within(&project, &limits)
    };
    // 1000 cells in each layer, and the rest for the tilesets.
    let cells = 1000 * size_of::<super::Cell>() as u64;
    assert!(limited(2 * cells + 1000).is_ok());
    let needed = |limit: u64| match limited(limit).unwrap_err().fault {
        BakeFault::OverLimit { needed, .. } => needed,
        fault => panic!("{fault:?}"),
    };
    assert_eq!(needed(cells - 1), cells);
    assert_eq!(needed(2 * cells - 1), 2 * cells);
}

/// A text of the definitions that each level copies could take any multiple of the file.
#[test]
fn copies_of_texts_count_towards_the_limit() {
    let folder = Folder::new("copies");
    let mut project = sample();
    project["levels"] = json!(vec![project["levels"][0].clone(); 100]);
    project["worlds"] = json!([{
        "identifier": "Up", "worldLayout": "Free",
        "levels": vec![level("B", [0, 0], json!([])); 100],
    }]);
    let mut many = layer("Things", "Entities");
    many["entityInstances"] = json!(vec![entity("Box", 20, [0.0, 0.0], [8, 8]); 100]);
    project["levels"][0]["layerInstances"][0] = many;
    let limits = BakeLimits { max_decoding_bytes: 500_000, ..BakeLimits::default() };
    assert!(folder.read_within(&project, &limits).is_ok());
    for pointer in [
        "/defs/tilesets/0/identifier",
        "/defs/tilesets/0/customData/0/data",
        "/defs/tilesets/0/enumTags/0/enumValueId",
        "/defs/layers/1/intGridValues/0/identifier",
        "/levels/0/layerInstances/0/__identifier",
        "/worlds/0/identifier",
    ] {
        let mut project = project.clone();
        *project.pointer_mut(pointer).unwrap() = json!("x".repeat(10_000));
        let error = folder.read_within(&project, &limits).unwrap_err();
        assert!(matches!(error.fault, BakeFault::OverLimit { .. }), "{pointer}: {error:?}");
    }
}
