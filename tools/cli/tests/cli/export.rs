//! Tests of `export`: each format is read back by a parser. `tests/engines.rs` has the engines.

use crate::folder::{Folder, Words};
use crate::shape_check::{assert_pieces, corners, filled, moved, write_sprites};
use hitmask::{Atlas, Fit, Flip, Mask, Pose, ShapeOptions};
use roxmltree::Document;
use serde_json::{Value, json};
use std::fs;

fn export(folder: &Folder, format: &str, args: impl Words) -> String {
    let output = format!("out.{format}");
    let export = format!("export --format {format} --output {output}");
    folder.ok([(&export).words(), args.words()].concat());
    folder.text(&output)
}

fn exported(folder: &Folder, format: &str, args: impl Words) -> Value {
    serde_json::from_str(&export(folder, format, args)).unwrap()
}

fn numbers(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
}

fn lists(all: &Value) -> Vec<Vec<[f32; 2]>> {
    all.as_array().unwrap().iter().map(|list| corners(&numbers(list))).collect()
}

#[test]
fn json_has_polygons_pieces_and_mass_about_the_pivot() {
    let folder = Folder::new("export-json");
    let sprites = write_sprites(&folder.0.join("sprites"));
    folder.ok("bake sprites --output a.hitmask --pivot 3,-1.5");
    let atlas = Atlas::open(folder.0.join("a.hitmask")).unwrap();
    let outside = ShapeOptions { scale: 0.25, y_up: true, fit: Fit::Outside, ..1.0.into() };
    for (args, options) in [("", 1.0.into()), ("--scale 0.25 --y-up --fit outside", outside)] {
        let file = exported(&folder, "json", &format!("sprites --pivot 3,-1.5 {args}"));
        let head = [&file["version"], &file["scale"], &file["y_up"], &file["max_error"]];
        let ShapeOptions { scale, y_up, .. } = options;
        assert_eq!(head, [&json!(1), &json!(scale), &json!(y_up), &json!(1.0)]);
        assert_eq!(file["sprites"].as_object().unwrap().len(), sprites.len());
        for (sprite, picture) in atlas.sprites().zip(&sprites) {
            let (shape, name) = (sprite.shape(0, options).unwrap(), sprite.name());
            let frame = &file["sprites"][name]["frames"][0];
            assert_eq!(frame["size"], json!([picture.width, picture.height]));
            assert_eq!(frame["pivot"], json!([3.0, -1.5]));
            let polygons = frame["polygons"].as_array().unwrap().iter();
            let polygons = polygons.map(|read| hitmask::ShapePolygon {
                border: corners(&numbers(&read["border"])),
                holes: lists(&read["holes"]),
            });
            assert_eq!(polygons.collect::<Vec<_>>(), shape.polygons(), "{name}");
            assert_eq!(lists(&frame["pieces"]), shape.pieces().pieces, "{name}");
            let area = frame["mass"]["area"].as_f64().unwrap();
            assert!((area - shape.mass().area).abs() < 1e-6, "{name}: {area}");
            assert_eq!(frame["left_out"]["pieces"], 0);
            if args.is_empty() && name != "empty" {
                let pieces = moved(&lists(&frame["pieces"]), [3.0, -1.5]);
                assert_pieces(name, &pieces, &picture.mask());
            }
        }
    }
}

#[test]
fn options_change_units_axes_fit_and_limits() {
    let folder = Folder::new("export-options");
    folder.image("art/arrow.png", ["######", "######", "######", "######", "######", "#####."]);
    let frame =
        |args: &str| exported(&folder, "json", args)["sprites"]["arrow"]["frames"][0].clone();
    let base = "art --sprite arrow --max-error 0.1 --max-corners 3";
    let metres = frame(&format!("{base} --scale 0.5 --y-up"));
    let pieces = lists(&metres["pieces"]);
    assert!(pieces.len() >= 2 && pieces.iter().all(|piece| piece.len() == 3), "{pieces:?}");
    let all = || pieces.iter().flatten();
    assert!(all().all(|[x, y]| x.abs() <= 1.5 && y.abs() <= 1.5), "{pieces:?}");
    assert!(all().any(|corner| *corner == [1.5, 1.5]), "top right is solid: {pieces:?}");
    assert!(!all().any(|corner| *corner == [1.5, -1.5]), "bottom right is clear: {pieces:?}");
    assert_eq!(metres["mass"]["area"], 35.0 / 4.0);
    let area = |fit: &str| {
        let args = format!("art --sprite arrow --max-error 2px --fit {fit}");
        frame(&args)["mass"]["area"].as_f64().unwrap()
    };
    assert!(area("outside") >= 35.0 && area("inside") <= 35.0);
    // Islands below an area, and pieces below a width.
    folder.image("art/arrow.png", ["#####..", "#####.#", "#####.."]);
    let args = "art --sprite arrow --max-error 0.1";
    let left = |more: &str| frame(&format!("{args} {more}"))["left_out"].clone();
    assert_eq!(left("--min-area 2")["islands"], 1);
    assert_eq!(left("--min-width 2")["pieces"], 1);
    let said = folder.json(&format!("export -f svg -o a.svg --min-area 2 --json {args}"));
    assert_eq!((&said["sprites"], &said["left_out"]["islands"]), (&json!(1), &json!(1)));
}

#[test]
fn physics_editor_json_has_convex_fixtures_in_pixels_of_the_image() {
    let folder = Folder::new("export-physics-editor");
    let sprites = write_sprites(&folder.0.join("sprites"));
    let text = export(&folder, "physicseditor", "sprites --pivot 0,0");
    // Phaser takes the keys in the order of the file.
    assert!(text.starts_with("{\n\"generator_info\":"), "{text}");
    let file: Value = serde_json::from_str(&text).unwrap();
    // Phaser fails on a body without fixtures.
    assert_eq!(
        file.as_object().unwrap().len(),
        sprites.len(),
        "all but the empty one, and the info"
    );
    for picture in sprites.iter().filter(|picture| picture.name != "empty") {
        let shape = &file[picture.name];
        assert_eq!(
            (&shape["type"], &shape["label"]),
            (&json!("fromPhysicsEditor"), &json!(picture.name))
        );
        let corner =
            |corner: &Value| [&corner["x"], &corner["y"]].map(|v| v.as_f64().unwrap() as f32);
        let vertices = shape["fixtures"][0]["vertices"].as_array().unwrap().iter();
        let pieces = vertices.map(|piece| piece.as_array().unwrap().iter().map(corner).collect());
        assert_pieces(picture.name, &pieces.collect::<Vec<_>>(), &picture.mask());
    }
}

#[test]
fn svg_draws_every_polygon_and_piece() {
    let folder = Folder::new("export-svg");
    let sprites = write_sprites(&folder.0.join("sprites"));
    let text = export(&folder, "svg", "sprites");
    let svg = Document::parse(&text).unwrap();
    let pictures: Vec<_> =
        svg.root_element().children().filter(|node| node.has_tag_name("g")).collect();
    assert_eq!(pictures.len(), sprites.len());
    for (node, picture) in pictures.iter().zip(&sprites) {
        let of =
            |class| node.descendants().filter(move |node| node.attribute("class") == Some(class));
        assert!(node.descendants().any(|node| node.text() == Some(picture.name)));
        let read = |d: &str| -> Vec<[f32; 2]> {
            let points = d.trim_start_matches('M').trim_end_matches('z').split('L');
            let numbers = points.flat_map(|point| point.split(' ')).map(|v| v.parse().unwrap());
            corners(&numbers.collect::<Vec<f32>>())
        };
        let pieces: Vec<_> = of("piece").map(|node| read(node.attribute("d").unwrap())).collect();
        assert_eq!(of("ring").count(), picture.mask().shape(1.0).unwrap().polygons().len());
        if picture.name != "empty" {
            assert_pieces(picture.name, &pieces, &picture.mask());
        }
    }
}

/// Returns the mask of each frame of a sprite that is baked from `file`, and its corner in the image.
fn baked(folder: &Folder, file: &str) -> Vec<(Mask, [i32; 2])> {
    folder.ok(&format!("bake {file} -o tiled.hitmask --angles 1 --pivot 0,0 --no-cache"));
    let atlas = Atlas::open(folder.0.join("tiled.hitmask")).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    let frame = |frame| {
        let posed = sprite.posed(frame, Pose { step: 0, scale: 0 }, Flip::NONE).unwrap();
        (posed.mask.to_mask(), [posed.origin.x, posed.origin.y])
    };
    (0..sprite.frame_count()).map(frame).collect()
}

#[test]
fn a_tileset_of_images_is_read_back_by_the_loader_of_tiled_shapes() {
    let folder = Folder::new("export-tiled");
    let sprites = write_sprites(&folder.0.join("deep/sprites"));
    fs::create_dir(folder.0.join("maps")).unwrap();
    folder.ok("export deep/sprites -f tiled -o maps/set.tsx");
    let frames = baked(&folder, "maps/set.tsx");
    assert_eq!(frames.len(), sprites.len());
    for ((read, at), picture) in frames.iter().zip(&sprites) {
        let mask = picture.mask();
        let shape = mask.shape(1.0).unwrap();
        let expected = filled(&shape.pieces().pieces);
        assert_eq!(*read, expected.0, "{}", picture.name);
        assert!(picture.name == "empty" || *at == expected.1, "{}", picture.name);
    }
    let text = folder.text("maps/set.tsx");
    let set = Document::parse(&text).unwrap();
    let tiles: Vec<_> =
        set.root_element().children().filter(|node| node.has_tag_name("tile")).collect();
    for (tile, picture) in tiles.iter().zip(&sprites) {
        let image = tile.children().find(|node| node.has_tag_name("image")).unwrap();
        let source = image.attribute("source").unwrap();
        assert_eq!(source, format!("../deep/sprites/{}.png", picture.name));
        assert!(folder.0.join("maps").join(source).is_file());
        assert_eq!(image.attribute("width").unwrap(), picture.width.to_string());
        let name = tile.descendants().find(|node| node.has_tag_name("property")).unwrap();
        assert_eq!(name.attribute("value"), Some(picture.name));
    }
}

#[test]
fn a_tileset_of_a_sheet_has_the_grid_of_the_sheet() {
    let folder = Folder::new("export-sheet");
    // A margin of 1, a spacing of 1, and 2 x 2 tiles of 2 x 2 texels.
    let rows = ["........", ".##.##.#", ".##..#.#", "........", "....##..", ".#......"];
    folder.image("sheet.png", rows);
    let sheet = |grid: &str| {
        let format = "export sheet.png -f tiled -o s.tsx --max-error 0.1";
        folder.ok(&format!("{format} --grid {grid}"));
        folder.text("s.tsx")
    };
    let text = sheet("2x2,margin=1,spacing=1");
    let has =
        "tilewidth=\"2\" tileheight=\"2\" tilecount=\"4\" spacing=\"1\" margin=\"1\" columns=\"2\"";
    assert!(text.contains(has) && text.contains("source=\"sheet.png\""), "{text}");
    let masks = |text: &[(Mask, [i32; 2])]| -> Vec<u64> {
        text.iter().map(|(mask, _)| mask.count()).collect()
    };
    assert_eq!(masks(&baked(&folder, "s.tsx")), [4, 3, 1, 2], "row by row");
    // The tiles of Tiled are those of the whole sheet, row by row, whatever the order of the frames.
    sheet("2x2,margin=1,spacing=1,order=columns");
    assert_eq!(masks(&baked(&folder, "s.tsx")), [4, 3, 1, 2]);
    sheet("2x2,margin=1,spacing=1,count=1,columns=1");
    assert_eq!(masks(&baked(&folder, "s.tsx")), [4, 0, 0, 0]);
    // One tile has any spacing.
    let text = sheet("8x6,spacing=4294967295");
    assert!(text.contains("tilecount=\"1\"") && text.contains("columns=\"1\""), "{text}");
    sheet("columns=1,rows=1,spacing=4294967295");
    // A mask that has grown lies around its tile.
    folder.ok("export art/small/dot.png -f tiled -o grown.tsx --grow 2");
    let grown = folder.text("grown.tsx");
    assert!(grown.contains("width=\"1\" height=\"1\""), "{grown}");
}

#[test]
fn names_are_escaped_in_every_format() {
    let folder = Folder::new("export-names");
    let name = "a\"b' <c> & \\d]].e";
    folder.image(&format!("art/{name}.png"), ["##", "##"]);
    let args = ["art", "--sprite", name];
    let file = exported(&folder, "json", args);
    assert!(file["sprites"][name]["frames"][0].is_object(), "{file}");
    let file = exported(&folder, "physicseditor", args);
    assert_eq!(file[name]["label"], name);
    let text = export(&folder, "svg", args);
    let svg = Document::parse(&text).unwrap();
    assert!(svg.descendants().any(|node| node.has_tag_name("title") && node.text() == Some(name)));
    let text = export(&folder, "tiled", args);
    let set = Document::parse(&text).unwrap();
    let values: Vec<_> = set.descendants().filter_map(|node| node.attribute("value")).collect();
    assert_eq!(values, [name]);
    let source = set.descendants().find_map(|node| node.attribute("source")).unwrap();
    assert!(folder.0.join(source).is_file(), "{source}");
    let text = export(&folder, "godot", args);
    assert!(text.contains("[node name=\"a_b' <c> & _d]]_e\" type=\"StaticBody2D\""), "{text}");
    assert!(export(&folder, "lua", args).contains("[\"a\\\"b' <c> & \\\\d]].e\"]"));
}

#[test]
fn each_frame_has_a_shape_and_a_name() {
    let folder = Folder::new("export-frames");
    folder.image("walk.png", ["##..", "##.#"]);
    let grid = "walk.png --grid 2x2";
    let file = exported(&folder, "json", grid);
    assert_eq!(file["sprites"]["walk"]["frames"].as_array().unwrap().len(), 2);
    let file = exported(&folder, "physicseditor", grid);
    assert!(file["walk-0"].is_object() && file["walk-1"].is_object(), "{file}");
    let scene = export(&folder, "godot", grid);
    let (first, second) = scene.split_once("name=\"walk-1\"").unwrap();
    assert!(first.contains("name=\"walk-0\"") && !first.contains("disabled"), "{scene}");
    assert!(second.contains("visible = false") && second.contains("disabled = true"), "{scene}");
    // Another sprite has the name of a frame.
    folder.image("walk-1.png", ["#"]);
    folder.write(
        "hitmask.toml",
        "output = \"a\"\n[[source]]\nfiles = \"walk.png\"\ngrid = { tile = [2, 2] }\n\
         [[source]]\nfiles = \"walk-1.png\"\n",
    );
    let scene = export(&folder, "godot", "");
    assert!(scene.contains("name=\"walk-1_2\""), "{scene}");
}

#[test]
fn a_plane_is_exported_by_its_name() {
    let folder = Folder::new("export-plane");
    folder.ok("export art --sprite arrow -f json -o out --plane body");
}

/// Returns where matter.js in Phaser 3.90 puts the texture's origin of a body, in sizes of the frame, and the centre
/// of mass that must be there.
fn origin_in_phaser(shape: &Value, [w, h]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for piece in shape["fixtures"][0]["vertices"].as_array().unwrap() {
        let corner = |corner: &Value| ["x", "y"].map(|key| corner[key].as_f64().unwrap());
        let corners: Vec<[f64; 2]> = piece.as_array().unwrap().iter().map(corner).collect();
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let cross = a[0] * b[1] - b[0] * a[1];
            area += cross / 2.0;
            for axis in 0..2 {
                moment[axis] += (a[axis] + b[axis]) * cross / 6.0;
                (low[axis], high[axis]) = (low[axis].min(a[axis]), high[axis].max(a[axis]));
            }
        }
    }
    let centre = moment.map(|moment| moment / area);
    let offset = ["xOffset", "yOffset"].map(|key| shape["render"]["sprite"][key].as_f64().unwrap());
    let part = [0, 1].map(|axis| (centre[axis] - low[axis]) / (high[axis] - low[axis]));
    let is_middle = part.iter().all(|part| (part - 0.5).abs() < 0.0001);
    let size = [w, h];
    let of_centre = |axis: usize| if is_middle { 0.5 } else { centre[axis] / size[axis] };
    (
        [0, 1].map(|axis| offset[axis] + of_centre(axis)),
        [0, 1].map(|axis| centre[axis] / size[axis]),
    )
}

#[test]
fn a_body_of_physics_editor_lies_on_its_figure_in_phaser() {
    let folder = Folder::new("export-phaser");
    let solid = image::Rgba([200, 100, 50, 255]);
    let draw = |name: &str, [w, h]: [u32; 2], is_solid: &dyn Fn(i32, i32) -> bool| {
        let pixel = |x: u32, y: u32| {
            if is_solid(x as i32, y as i32) { solid } else { image::Rgba([0; 4]) }
        };
        image::RgbaImage::from_fn(w, h, pixel).save(folder.0.join(format!("{name}.png"))).unwrap();
    };
    let within = |r: i32, x: i32, y: i32| x * x + y * y <= r * r;
    draw("disc", [48, 48], &|x, y| within(24, 2 * x + 1 - 32, 2 * y + 1 - 60));
    draw("crate", [40, 30], &|x, y| (3..15).contains(&x) && (5..13).contains(&y));
    draw("centred", [20, 20], &|x, y| (4..16).contains(&x) && (4..16).contains(&y));
    draw("wedge", [32, 24], &|x, y| x > 2 && y > 4 && x < 2 * y - 6 && y < 20);
    draw("two", [30, 20], &|x, y| x < 5 && y < 5 || x > 20 && y > 3);
    for scale in ["1", "0.5"] {
        folder.ok(&format!("export *.png -f physicseditor -o out --scale {scale}"));
        let file: Value = serde_json::from_str(&folder.text("out")).unwrap();
        let factor: f64 = scale.parse().unwrap();
        for (name, size) in [
            ("disc", [48.0, 48.0]),
            ("crate", [40.0, 30.0]),
            ("centred", [20.0; 2]),
            ("wedge", [32.0, 24.0]),
            ("two", [30.0, 20.0]),
        ] {
            let (origin, centre) = origin_in_phaser(&file[name], size.map(|side| side * factor));
            for axis in 0..2 {
                assert!(
                    (origin[axis] - centre[axis]).abs() < 1e-5,
                    "{name}: {origin:?} {centre:?}"
                );
            }
            let offset = &file[name]["render"]["sprite"];
            let expected = match name {
                "disc" => json!([16.0 / 48.0 - 0.5, 30.0 / 48.0 - 0.5]),
                "crate" => json!([9.0 / 40.0 - 0.5, 9.0 / 30.0 - 0.5]),
                _ => json!([0.0, 0.0]),
            };
            for (key, expected) in ["xOffset", "yOffset"].iter().zip(expected.as_array().unwrap()) {
                let differ = offset[key].as_f64().unwrap() - expected.as_f64().unwrap();
                assert!(differ.abs() < 1e-5, "{name}: {offset}");
            }
        }
    }
}
