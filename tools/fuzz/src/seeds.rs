//! What the fuzzer starts from: made by the library itself, so that nothing has to be kept.

use crate::{art, seal, text};
use arbitrary::{Arbitrary, Unstructured};
use hitmask::{Flip, Accuracy, Affine, Collider, Pivot, Raster, Sampling, World};
use hitmask_scenes::Random;

/// The inputs of one target by name.
pub type Seeds = Vec<(String, Vec<u8>)>;

/// Those of each target.
pub fn all() -> [(&'static str, Seeds); 4] {
    [("atlas", atlases()), ("snapshot", snapshots()), ("text", texts()), ("world", calls())]
}

fn atlases() -> Seeds {
    let mut seeds = Vec::new();
    for (name, bake) in art::bakes() {
        let whole = bake.to_bytes().expect("it bakes");
        let packed = bake.compact(true).to_bytes().expect("it bakes");
        for (mend, kind, bytes) in [
            (0, "whole", &whole),
            (1, "compact", &seal::unpacked(&packed)),
            (2, "stream", &packed),
            (3, "untouched", &whole),
        ] {
            seeds.push((format!("{name}-{kind}"), [&[mend], &bytes[..]].concat()));
        }
    }
    seeds
}

fn snapshots() -> Seeds {
    let mut seeds = Vec::new();
    let mut world = World::new(art::atlas());
    let mut save = |name: &str, world: &World| {
        let mut bytes = world.snapshot();
        bytes.truncate(bytes.len() - 4);
        seeds.push((name.to_owned(), bytes));
    };
    save("empty", &world);
    let sprites: Vec<_> = world.atlas().sprites().map(|sprite| sprite.id()).collect();
    let mut ids = Vec::new();
    for (i, &sprite) in sprites.iter().cycle().take(12).enumerate() {
        let at = [(i % 4) as f32 * 9.0, (i / 4) as f32 * 7.5];
        let collider = Collider { fixed: i % 5 == 4, sensor: i % 3 == 2, ..Collider::new(sprite) };
        let collider = collider.at(at).turned(i as f32).flipped(Flip { x: i % 2 == 1, y: i % 7 == 3 });
        ids.push(world.insert(collider).expect("a sprite of the atlas"));
    }
    save("placed", &world);
    world.update();
    save("updated", &world);
    world.set_accuracy(Accuracy::Coarse);
    for &id in ids.iter().step_by(3) {
        world.remove(id).expect("it was inserted");
    }
    world.update();
    save("removed", &world);
    let masks = [art::block(), art::arrow(), art::bar()].map(|mask| {
        let mask = world.insert_mask(mask, Pivot::HalfTexels(3, 1)).expect("a small mask");
        world.insert(Collider::from_mask(mask).at([5.0, 6.0])).expect("a mask that is there");
        mask
    });
    let raster = Raster::new(&art::arrow(), Pivot::Center, Sampling::Coverage25);
    let transform = Affine { a: 1.5, b: 0.25, c: -0.5, d: 1.0, tx: 3.25, ty: -7.5 };
    let raster = raster.expect("a small mask");
    let drawn = world.insert_transformed(raster, transform).expect("a small mask");
    world.insert(Collider::from_mask(drawn).at([1.0, 2.0])).expect("a mask that is there");
    world.update();
    save("masks", &world);
    world.edit_mask(masks[0], |mask| mask.invert());
    let spare = world.insert_mask(art::arrow(), Pivot::Center).expect("a small mask");
    world.remove_mask(spare).expect("a mask that nobody shows");
    save("edited", &world);
    seeds
}

const HASH: &str = r#"{"frames": {
 "upright.png": {"frame": {"x":0,"y":0,"w":2,"h":3}, "rotated": false, "trimmed": true,
  "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4},
  "pivot": {"x":0.5,"y":1.0}},
 "turned/a.png": {"frame": {"x":3,"y":0,"w":2,"h":3}, "rotated": true,
  "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4}}},
 "animations": {"walk": ["upright.png", "turned/a.png"]},
 "meta": {"app": "https://www.codeandweb.com/texturepacker", "image": "page.png", "scale": "1"}}"#;

const PAGES: &str = r#"{"textures": [{"image": "page.png", "frames": [
 {"filename": "l 1", "frame": {"x":0,"y":0,"w":2,"h":3}, "anchor": {"x":0,"y":-1}},
 {"filename": "l 2", "frame": {"x":3,"y":0,"w":3,"h":2}, "rotated": true}]}]}"#;

const ASEPRITE: &str = r#"{"frames": [
 {"filename": "hero 0.ase", "frame": {"x":0,"y":0,"w":2,"h":3}, "rotated": false,
  "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4}, "duration": 100},
 {"filename": "hero 1.ase", "frame": {"x":3,"y":0,"w":3,"h":1}, "duration": 100}],
 "meta": {"app": "https://www.aseprite.org/", "image": "page.png",
  "frameTags": [{"name": "run", "from": 0, "to": 1}, {"name": "hit", "from": 1, "to": 1}],
  "slices": [{"name": "s", "keys": [
   {"frame": 0, "bounds": {"x":1,"y":1,"w":1,"h":1}, "pivot": {"x":2,"y":2}}]}]}}"#;

const ATLAS: &str = "
page.png
size: 9, 6
format: RGBA8888
walk
  rotate: true
  xy: 3, 2
  size: 2, 3
  orig: 5, 4
  offset: 1, 0
  index: 2
walk
bounds: 0, 0, 2, 3
offsets: 1, 0, 5, 4
rotate: 270
index: 1

page.png
scale: 0.5
own: 1
bounds: 1, 1, 3, 2
";

const TILES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="4" tileheight="4" tilecount="5" columns="3">
 <tile id="1"><objectgroup draworder="index" id="2">
  <object id="1" x="0" y="2" width="4" height="2"/>
  <object id="2" x="1" y="1"><point/></object></objectgroup></tile>
 <tile id="2"><objectgroup>
  <object id="1" x="4" y="4"><polygon points="0,0 -4,0 0,-4"/></object>
  <object id="3" x="0" y="0"><polyline points="0,0 4,4"/></object></objectgroup></tile>
 <tile id="4"><image width="5" height="4"/><objectgroup>
  <object id="1" x="0" y="0" width="4" height="4"><ellipse/></object>
  <object id="2" x="1" y="0" width="4" height="1.5" rotation="90"/></objectgroup></tile>
</tileset>"#;

const MANIFEST: &str = r##"output = "out/sprites.hitmask"
max_mb = 1.5
resolution = 2
compact = true
[defaults]
angles = 8
scales = [2, 0.5]
[[source]]
files = "**/*"
except = ["old/*"]
alpha = { above = 3 }
[[source]]
files = ["page.png", "*.png"]
name = "page"
angles = 16
coverage = true
grid = { tile = [3, 3], count = 4 }
[[source]]
files = "page.png"
scales = 1
pivot = "bottom"
flip = "x"
numbered = true
exclude_color = ["#ff00ff"]
alpha = { bits = 0x80 }
"##;

fn texts() -> Seeds {
    let mut seeds: Seeds = Vec::new();
    for (kind, name, bytes) in [
        ("mask", "arrow", art::arrow().to_string().into_bytes()),
        ("mask", "indented", b"\n  .#.\n\n\t###\n".to_vec()),
        ("mask", "ragged", "#.\n##.\n#\u{e9}".into()),
        ("toml", "manifest", MANIFEST.into()),
        ("json", "hash", HASH.into()),
        ("json", "pages", PAGES.into()),
        ("json", "aseprite", ASEPRITE.into()),
        ("atlas", "gdx", ATLAS.into()),
        ("tsx", "tiles", TILES.into()),
        ("aseprite", "plain", aseprite(16)),
        ("aseprite", "colour", aseprite(32)),
        ("aseprite", "indexed", aseprite(8)),
    ] {
        let number = text::KINDS.iter().position(|known| *known == kind).unwrap_or(0) as u8;
        seeds.push((format!("{kind}-{name}"), [&[number], &bytes[..]].concat()));
    }
    seeds
}

/// A file of Aseprite's, 4 x 3 texels of so many bits: layers in a group, cels as they are, packed
/// and linked, tags, a palette and a slice.
fn aseprite(depth: u16) -> Vec<u8> {
    let chunk = |kind: u16, data: &[u8]| {
        [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
    };
    let named = |name: &str| [&(name.len() as u16).to_le_bytes()[..], name.as_bytes()].concat();
    let layer = |name: &str, group: u8, level: u8| {
        let head = [1, 0, group, 0, level, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0];
        chunk(0x2004, &[&head[..], &named(name)].concat())
    };
    let cel = |layer: u8, kind: u8, data: &[u8]| {
        let head = [layer, 0, 1, 0, 0xff, 0xff, 250, kind, 0, 0, 0, 0, 0, 0, 0, 0];
        chunk(0x2005, &[&head[..], data].concat())
    };
    let texels: Vec<u8> = (0..6 * depth / 8).map(|i| (37 * i) as u8).collect();
    let size = [2, 0, 3, 0];
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&texels, 1);
    let long = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let palette = [&long(&[3, 0, 2])[..], &[0; 8], &[0, 0, 1, 2, 3, 9].repeat(3)].concat();
    let tag = [&[0, 0, 1, 0, 0, 0, 0][..], &[0; 10], &named("run")].concat();
    let slice = [long(&[1, 2, 0]), named("grip"), long(&[0, 1, 1, 1, 1, 2, 2])].concat();
    let frames = [
        vec![
            chunk(0x2019, &palette),
            layer("body", 0, 0),
            layer("group", 1, 0),
            layer("inner", 0, 1),
            cel(0, 0, &[&size[..], &texels].concat()),
            cel(2, 2, &[&size[..], &packed].concat()),
            chunk(0x2018, &[&[1, 0][..], &[0; 8], &tag].concat()),
            chunk(0x2022, &slice),
        ],
        vec![cel(0, 1, &[0, 0])],
    ];
    let mut bytes = vec![0, 0, 0, 0, 0xe0, 0xa5, frames.len() as u8, 0, 4, 0, 3, 0];
    bytes.extend(depth.to_le_bytes());
    bytes.extend([1, 0, 0, 0]);
    bytes.resize(128, 0);
    for chunks in frames {
        let body = chunks.concat();
        bytes.extend((body.len() as u32 + 16).to_le_bytes());
        bytes.extend([0xfa, 0xf1, chunks.len() as u8, 0, 100, 0, 0, 0]);
        bytes.extend((chunks.len() as u32).to_le_bytes());
        bytes.extend(body);
    }
    let len = bytes.len() as u32;
    bytes[..4].copy_from_slice(&len.to_le_bytes());
    bytes
}

/// Calls are told from bytes in a way that is hard to write by hand: chance makes as good a start.
fn calls() -> Seeds {
    let mut random = Random::new(12);
    let stream = |i: usize| {
        let bytes: Vec<u8> = (0..200 + 40 * i).map(|_| random.bits() as u8).collect();
        (format!("chance-{i}"), bytes)
    };
    let mut seeds: Seeds = (0..24).map(stream).collect();
    // Not everything is as good: what is zero is upright, at the origin, of the first sprite.
    let zeros = Vec::<u8>::arbitrary(&mut Unstructured::new(&[0; 9])).unwrap_or_default();
    seeds.push(("nothing".to_owned(), zeros));
    seeds
}
