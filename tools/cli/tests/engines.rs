//! Tests of `export` in the programs that its files are for: LuaJIT, Godot 3, Tiled, and LÖVE with Box2D.
//!
//! Needs Debian's packages luajit, godot3-server, tiled and love. A plain `cargo test` omits these tests. Run them
//! with `cargo test -p hitmask-cli --test engines`.

#[path = "cli/folder.rs"]
#[expect(dead_code, reason = "shared with the tests of the verbs")]
mod folder;
#[path = "cli/shape_check.rs"]
mod shape_check;

use folder::{Folder, texts};
use hitmask::{Affine, GrowShape, Mask, Pivot, Point, Raster, Rect, Sampling};
use hitmask_scenes::{Picture, Terrain};
use image::{Rgba, RgbaImage};
use serde_json::Value;
use shape_check::{assert_pieces, corners, filled, moved, write_sprites};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// Runs a program for at most 2 minutes and returns its standard output.
fn run(folder: &Folder, program: &str, package: &str, args: &[&str]) -> String {
    let mut command = Command::new("timeout");
    let output = command.args(["120", program]).args(args).current_dir(&folder.0).output();
    let output = output.expect("this test needs the command timeout");
    let (out, err) = texts(&output);
    assert!(
        output.status.success(),
        "{program} failed; this test needs it: apt-get install {package}\n{out}\n{err}"
    );
    out
}

/// Checks lines of a sprite's name, a bar, and the coordinates of a piece about the sprite's centre.
fn check_lines(text: &str, sprites: &[Picture], renamed: fn(&str) -> String) {
    let mut pieces: BTreeMap<&str, Vec<Vec<[f32; 2]>>> = BTreeMap::new();
    for line in text.lines() {
        let Some((name, numbers)) = line.split_once('|') else { continue };
        let numbers = numbers.split(',').map(|v| v.trim().parse().unwrap());
        pieces.entry(name).or_default().push(corners(&numbers.collect::<Vec<f32>>()));
    }
    let solid = || sprites.iter().filter(|picture| picture.name != "empty");
    assert_eq!(pieces.len(), solid().count(), "{text}");
    for Picture { name, width, height, .. } in solid() {
        let pivot = [*width as f32 / 2.0, *height as f32 / 2.0];
        let read = moved(&pieces[&*renamed(name)], pivot);
        assert_pieces(name, &read, &hitmask_scenes::named(name).mask());
    }
}

#[test]
fn luajit_loads_the_table_and_all_names() {
    let folder = Folder::new("engines-lua");
    let sprites = write_sprites(&folder.0.join("sprites"));
    folder.ok("export sprites -f lua -o shapes.lua");
    let script = "for name, sprite in pairs(dofile('shapes.lua').sprites) do \
                  for _, piece in ipairs(sprite.frames[1].pieces) do \
                  print(name .. '|' .. table.concat(piece, ',')) end end";
    check_lines(&run(&folder, "luajit", "luajit", &["-e", script]), &sprites, str::to_owned);
    let name = "a\"b' <c> & \\d]].e";
    folder.image(&format!("art/{name}.png"), ["##", "##"]);
    folder.ok("export art -f lua -o names.lua");
    let script = "for name in pairs(dofile('names.lua').sprites) do print(name) end";
    let names = run(&folder, "luajit", "luajit", &["-e", script]);
    assert!(names.lines().any(|line| line == name), "{names}");
    // As many pieces as no single function of Lua could hold.
    let alpha = |x, y| if x % 2 == 0 && y % 2 == 0 { 255 } else { 0 };
    let dots = RgbaImage::from_fn(512, 512, |x, y| Rgba([255, 0, 0, alpha(x, y)]));
    dots.save(folder.0.join("dots.png")).unwrap();
    folder.ok("export dots.png -f lua -o dots.lua");
    let script = "print(#dofile('dots.lua').sprites.dots.frames[1].pieces)";
    assert_eq!(run(&folder, "luajit", "luajit", &["-e", script]).trim(), "65536");
}

#[test]
fn godot_loads_the_scene_with_every_piece() {
    let folder = Folder::new("engines-godot");
    let sprites = write_sprites(&folder.0.join("sprites"));
    fs::rename(folder.0.join("sprites/ring.png"), folder.0.join("sprites/r.i:n@g %.png")).unwrap();
    folder.ok("export sprites -f godot -o shapes.tscn");
    fs::remove_dir_all(folder.0.join("sprites")).unwrap();
    folder.write("project.godot", "config_version=4\n");
    folder.write(
        "main.gd",
        "extends SceneTree\nfunc _init():\n\
         \tvar scene = load(\"res://shapes.tscn\").instance()\n\
         \tfor body in scene.get_children():\n\
         \t\tfor shape in body.get_children():\n\
         \t\t\tvar numbers = PoolStringArray()\n\
         \t\t\tfor corner in shape.polygon:\n\
         \t\t\t\tnumbers.append(str(corner.x))\n\
         \t\t\t\tnumbers.append(str(corner.y))\n\
         \t\t\tprint(body.name, \"|\", numbers.join(\",\"))\n\
         \tscene.free()\n\tquit()\n",
    );
    let home = folder.0.display().to_string();
    let args = [format!("HOME={home}"), "godot3-server".to_owned()];
    let args: Vec<&str> = args.iter().map(String::as_str).chain(["-s", "main.gd"]).collect();
    let read = run(&folder, "env", "godot3-server", &args);
    let renamed =
        |name: &str| if name == "ring" { "r_i_n_g _".to_owned() } else { name.to_owned() };
    check_lines(&read, &sprites, renamed);
}

#[test]
fn tiled_loads_the_tileset_with_every_polygon() {
    let folder = Folder::new("engines-tiled");
    let sprites = write_sprites(&folder.0.join("sprites"));
    folder.ok("export sprites -f tiled -o set.tsx");
    let args =
        ["QT_QPA_PLATFORM=offscreen", "tiled", "--export-tileset", "json", "set.tsx", "set.tsj"];
    run(&folder, "env", "tiled", &args);
    let text = fs::read_to_string(folder.0.join("set.tsj")).unwrap();
    let set: Value = serde_json::from_str(&text).unwrap();
    let number = |of: &Value, key: &str| of[key].as_f64().unwrap() as f32;
    let mut lines = String::new();
    let mut widths = 0;
    for tile in set["tiles"].as_array().unwrap() {
        let name = tile["properties"][0]["value"].as_str().unwrap();
        let [w, h] = ["imagewidth", "imageheight"].map(|key| number(tile, key));
        widths += w as u32;
        for object in tile["objectgroup"]["objects"].as_array().into_iter().flatten() {
            let at = ["x", "y"].map(|key| number(object, key));
            let corner = |corner: &Value| {
                let [x, y] = ["x", "y"].map(|key| number(corner, key));
                format!("{},{}", at[0] + x - w / 2.0, at[1] + y - h / 2.0)
            };
            let polygon = object["polygon"].as_array().unwrap().iter().map(corner);
            lines += &format!("{name}|{}\n", polygon.collect::<Vec<_>>().join(","));
        }
    }
    assert_eq!(widths, sprites.iter().map(|picture| picture.width).sum::<u32>());
    check_lines(&lines, &sprites, str::to_owned);
}

/// A terrain of hills with holes, craters along its surface, and walls at both sides.
fn terrain() -> Mask {
    let mut mask = Terrain::Hills.mask(1024);
    for x in (90..1000).step_by(130) {
        let top = (0..1024).find(|&y| mask.get(x, y)).unwrap_or_default();
        mask.erase(&Mask::disc(45).unwrap(), [x - 45, top - 65]);
    }
    mask.fill_rect(Rect::new(0, 0, 20, 1024), true);
    mask.fill_rect(Rect::new(1004, 0, 1024, 1024), true);
    mask
}

/// A mask as drawn at a place, and the position of its top-left pixel.
type Drawn = (Mask, Point);

/// Greatest distance in pixels of two masks whose bodies touch, and depth of two masks whose bodies do not.
/// Shapes differ from masks by 1 px each, Box2D adds skins of 0.01 m or 0.32 px, and a pixel stands for what
/// is up to 0.71 px from its centre, which snaps by up to 0.5 px: 5.1 px for two.
const BOUND: u32 = 6;

fn touches(a: &Drawn, b: &Drawn) -> bool {
    a.0.touches(&b.0, [b.1.x - a.1.x, b.1.y - a.1.y])
}

fn grown((mask, at): &Drawn) -> Drawn {
    let by = BOUND as i32;
    (mask.grown(BOUND, GrowShape::Disc).unwrap(), Point::new(at.x - by, at.y - by))
}

#[test]
fn sprites_that_fall_in_love_come_to_rest_and_touch_where_their_masks_do() {
    let folder = Folder::new("engines-love");
    let sprites = write_sprites(&folder.0.join("sprites"));
    let ground = terrain();
    let alpha = |x: u32, y: u32| if ground.get(x as i32, y as i32) { 255 } else { 0 };
    let picture = RgbaImage::from_fn(1024, 1024, |x, y| Rgba([90, 60, 30, alpha(x, y)]));
    picture.save(folder.0.join("terrain.png")).unwrap();
    folder.ok("export sprites -f lua -o sprites.lua");
    folder.ok("export terrain.png -f lua -o terrain.lua");
    let shape = ground.shape(1.0).unwrap();
    assert!(filled(&shape.pieces().pieces).0.count() > 0 && shape.polygons().len() < 30);
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/love");
    run(&folder, "love", "love", &[program, "sprites.lua", "terrain.lua", "samples.txt"]);
    let samples = fs::read_to_string(folder.0.join("samples.txt")).unwrap();

    // The centre of no pixel may be in a texel that is turned, but a quarter of a pixel is.
    let raster = |mask: &Mask| Raster::new(mask, Pivot::Center, Sampling::Coverage25).unwrap();
    let masks: BTreeMap<&str, Raster> = sprites
        .iter()
        .map(|picture| (picture.name, raster(&picture.mask())))
        .chain([("terrain", raster(&ground))])
        .collect();
    let mut bodies: Vec<(&str, &str)> = Vec::new();
    let mut ticks: Vec<(Vec<Drawn>, BTreeSet<[usize; 2]>)> = Vec::new();
    let (mut resting, mut terrain) = (0, None::<Drawn>);
    for line in samples.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let id = |i: usize| words[i].parse::<usize>().unwrap() - 1;
        let number = |i: usize| words[i].parse::<f32>().unwrap();
        match words[0] {
            "body" => bodies.push((words[2], words[3])),
            "tick" => ticks.push((Vec::new(), BTreeSet::new())),
            "at" => {
                let placed =
                    Affine::translation([number(2), number(3)]) * Affine::rotation(number(4));
                let (id, drawn) = (id(1), &mut ticks.last_mut().unwrap().0);
                drawn.push(match &terrain {
                    Some(terrain) if id == 0 => terrain.clone(),
                    _ => {
                        let posed = masks[bodies[id].0].transformed(placed).unwrap();
                        (posed.mask, posed.origin)
                    }
                });
                // The terrain does not move.
                terrain.get_or_insert_with(|| drawn[0].clone());
            }
            "touch" => {
                ticks.last_mut().unwrap().1.insert([id(1), id(2)]);
            }
            "rest" => {
                resting += 1;
                let is_slow = words[2] == "false" || number(3) < 2.0;
                assert!(is_slow, "{} does not rest: {line}", bodies[id(1)].0);
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!((resting, bodies.len()), (sprites.len() - 1, 2 * sprites.len() - 1));
    let shrunk = |(mask, at): &Drawn| (mask.shrunk(BOUND, GrowShape::Disc), *at);
    let deep_terrain = shrunk(&terrain.unwrap());
    let (mut contacts, mut deep) = (0, 0);
    for (tick, (drawn, touching)) in ticks.iter().enumerate() {
        let inner: Vec<Drawn> =
            std::iter::once(deep_terrain.clone()).chain(drawn[1..].iter().map(shrunk)).collect();
        for b in 1..drawn.len() {
            let outer = grown(&drawn[b]);
            for a in 0..b {
                let pair = format!("sample {tick}: {:?} and {:?}", bodies[a], bodies[b]);
                let is_deep = touches(&inner[a], &drawn[b]) || touches(&drawn[a], &inner[b]);
                if touching.contains(&[a, b]) {
                    contacts += 1;
                    assert!(touches(&drawn[a], &outer), "{pair} touch, but not their masks");
                } else {
                    assert!(!is_deep, "{pair} overlap, but do not touch");
                }
                deep += u32::from(is_deep);
                let is_solid = bodies[a].1 != "ghost" && bodies[b].1 != "ghost";
                let is_last = tick + 1 == ticks.len();
                assert!(!(is_solid && is_deep && is_last), "{pair} rest in each other");
            }
        }
        for ((_, at), (name, kind)) in drawn.iter().zip(&bodies) {
            let is_inside = (0..1024).contains(&at.x) && at.y < 1000;
            assert!(*kind == "ghost" || is_inside, "sample {tick}: {name} has left at {at:?}");
        }
    }
    println!("{} samples, {contacts} contacts, {deep} deep overlaps", ticks.len());
    assert!(ticks.len() == 60 && contacts > 500 && deep > 100, "{contacts} contacts, {deep} deep");
}
