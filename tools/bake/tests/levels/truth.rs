//! Random maps against the program that Tiled draws maps with.

use super::super::encode;
use super::writer::{Layer, TiledMap, tileset};
use hitmask::{AlphaRule, Atlas, Mask};
use hitmask_bake::{Bake, SourceSettings};
use hitmask_scenes::{Folder, Random, map_pixels};
use std::path::Path;
use std::process::Command;

/// Returns the solid pixels that `tmxrasterizer` draws of a map.
fn rasterized(map: &Path, picture: &Path) -> Mask {
    let mut command = Command::new("tmxrasterizer");
    command.args(["--no-smoothing"]).arg(map).arg(picture).env("QT_QPA_PLATFORM", "offscreen");
    let output = command.output().expect("install the Debian package tiled");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", map.display());
    let image = image::open(picture).unwrap().to_rgba8();
    Mask::from_rgba(image.width(), image.height(), image.as_raw(), AlphaRule::AtLeast(1)).unwrap()
}

/// Cells at each edge that stay empty, so that no tile leaves the picture.
const EDGE: u32 = 6;

fn random_map(folder: &Folder, random: &mut Random, seed: u64) -> TiledMap {
    let orientation = ["orthogonal", "isometric", "staggered", "hexagonal"][seed as usize % 4];
    let is_hexagonal = orientation == "hexagonal";
    // Isometric cells of odd sides lie between pixels.
    let step = 1 + u32::from(orientation == "isometric");
    let tile = [4 + step * random.below(7), 4 + step * random.below(7)];
    let axis = ["x", "y"][random.below(2) as usize];
    let index = ["odd", "even"][random.below(2) as usize];
    let longest = tile[usize::from(axis == "y")] / 2;
    let side = if is_hexagonal { 2 * random.below(longest / 2 + 1) } else { 0 };
    let size = [2 * EDGE + 1 + random.below(9), 2 * EDGE + 1 + random.below(9)];
    // The corners of infinite maps show a tile that does not leave the picture.
    folder.write("dot.png", encode::png::of_alpha([1, 1], |_, _| 255));
    let dot = "<tileset name=\"dot\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"1\" columns=\"1\">\
               <image source=\"dot.png\" width=\"1\" height=\"1\"/></tileset>";
    folder.write("dot.tsx", dot);
    let mut first = 2;
    let mut tilesets = vec![(1, "dot.tsx".to_owned())];
    for i in 0..1 + random.below(2) {
        let (count, name) = (1 + random.below(9), format!("set{i}"));
        // At most twice as large as a cell, also with its sides swapped.
        let own = [0, 1].map(|_| 1 + random.below(2 * tile[0].min(tile[1])));
        let offset = [random.within(-3, 4), random.within(-3, 4)];
        tileset(folder, random, &name, (own, count), offset);
        tilesets.push((first, format!("{name}.tsx")));
        first += count;
    }
    let is_infinite = random.below(3) == 0;
    let mut layers = Vec::new();
    for i in 0..1 + random.below(3) {
        let mut gid = || {
            if random.below(3) == 0 {
                return 0;
            }
            // Turns by 60 degrees are smoothed, and so differ.
            let flags = random.below(if is_hexagonal { 4 } else { 8 })
                << if is_hexagonal { 30 } else { 29 };
            flags | (2 + random.below(first - 2))
        };
        let blocks = if is_infinite {
            let mut blocks = vec![([-9, -7], [1, 1], vec![1]), ([29, 23], [1, 1], vec![1])];
            blocks.push(([-4, 3], [5, 4], (0..20).map(|_| gid()).collect()));
            blocks.push(([2, -2], [4, 4], (0..16).map(|_| gid()).collect()));
            blocks
        } else {
            let is_inside = |at: u32, side: u32| (EDGE..side - EDGE).contains(&at);
            let mut tiles = Vec::new();
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let gid = gid();
                    tiles.push(if is_inside(x, size[0]) && is_inside(y, size[1]) {
                        gid
                    } else {
                        0
                    });
                }
            }
            vec![([0, 0], size, tiles)]
        };
        let forms = [
            ("csv", ""),
            ("base64", ""),
            ("base64", "zlib"),
            ("base64", "gzip"),
            ("base64", "zstd"),
            ("", ""),
        ];
        let (encoding, compression) = forms[random.below(6) as usize];
        layers.push(Layer {
            name: format!("layer{i}"),
            groups: random.below(3) as usize,
            offset: [random.within(-5, 6), random.within(-5, 6)],
            hidden: random.below(4) == 0,
            blocks,
            encoding,
            compression,
            objects: Vec::new(),
        });
    }
    // Far from the edges, and at whole pixels.
    if !is_infinite && orientation == "orthogonal" && random.below(2) == 0 {
        let mut object = || {
            let at = [0, 1].map(|axis| f64::from(size[axis] * tile[axis] / 2 + random.below(6)));
            let turn = f64::from(90 * random.below(4));
            let gid = random.below(4) << 30 | (2 + random.below(first - 2));
            (gid, [1.0, at[0], at[1], 0.0, 0.0, turn])
        };
        let objects = (0..4).map(|_| object()).collect();
        layers.push(Layer { name: "things".to_owned(), objects, ..Layer::default() });
    }
    let stagger = (axis, index, side);
    let is_staggered = ["staggered", "hexagonal"].contains(&orientation);
    TiledMap { orientation, size, tile, stagger: is_staggered.then_some(stagger), tilesets, layers }
}

#[test]
#[ignore = "needs the Debian package tiled; .ci/run installs it and runs this"]
fn random_maps_equal_the_drawings_of_tiled() {
    let mut pixels = 0;
    for seed in 0..200 {
        let folder = Folder::new("tmxrasterizer");
        let mut random = Random::new(seed);
        let map = random_map(&folder, &mut random, seed);
        let path = match random.below(2) {
            0 => folder.write("map.tmx", map.xml()),
            _ => folder.write("map.tmj", map.json()),
        };
        let truth = rasterized(&path, &folder.path("picture.png"));
        // Quarter turns need no angle steps.
        let bake = Bake::new().angles([64, 1, 4][seed as usize / 4 % 3]).sprites(&path).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        // Far enough for all tiles of an infinite map.
        let ([width, height], far) = ([truth.width() + 2048, truth.height() + 2048], [1024; 2]);
        let ours = map_pixels(&atlas, "map", [width, height], far);
        let (ours_box, truth_box) = (ours.bounds(), truth.bounds());
        let at = format!("seed {seed}: {map:?}\nours {ours_box:?}, tiled {truth_box:?}");
        let (Some(ours_box), Some(truth_box)) = (ours_box, truth_box) else {
            assert_eq!(ours_box, truth_box, "{at}");
            continue;
        };
        let moved = [truth_box.x0 - ours_box.x0, truth_box.y0 - ours_box.y0];
        let mut over = truth.clone();
        over.toggle(&ours, moved);
        assert_eq!(over.count(), 0, "{at}\n{truth}\n{ours}");
        assert_eq!(ours.count(), truth.count(), "{at}");
        if !map.layers.iter().any(|layer| layer.blocks.len() > 1) {
            // The picture of a finite map begins at its corner, or as much before as layers are moved.
            let offsets = |axis: usize| {
                let of = |layer: &Layer| layer.offset[axis] * (layer.groups as i32 + 1);
                map.layers.iter().map(of).map(|by| -by).fold(0, i32::max)
            };
            assert_eq!(moved.map(|by| by + 1024), [offsets(0), offsets(1)], "{at}");
        }
        pixels += truth.count();
    }
    assert!(pixels > 100_000, "{pixels}");
}

#[test]
#[ignore = "needs the Debian package tiled; .ci/run installs it and runs this"]
fn the_sample_maps_of_tiled_equal_its_drawings() {
    let folder = Folder::new("tiled-samples");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus");
    let samples = corpus.join("usr/share/doc/tiled/examples");
    for name in [
        "desert",
        "hexagonal-mini",
        "isometric_grass_and_water",
        "perspective_walls",
        "rpg/island",
        "sewers",
        "test_hexagonal_tile_60x60x30",
    ] {
        let path = samples.join(format!("{name}.tmx"));
        let truth = rasterized(&path, &folder.path("picture.png"));
        let mut settings = SourceSettings::default();
        settings.sprite.alpha = AlphaRule::AtLeast(1);
        let bake = Bake::new().sprites_with(&path, settings).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let name = &atlas.maps()[0].name;
        let ours = map_pixels(&atlas, name, [truth.width(), truth.height()], [0, 0]);
        let mut over = truth.clone();
        over.toggle(&ours, [0, 0]);
        // Tiles that a hexagonal map turns by 60 degrees differ in single pixels at their edges.
        let most = if name.ends_with("60x60x30") { 4 } else { 0 };
        assert!(over.count() <= most, "{name}: {} of {}", over.count(), truth.count());
        assert!(truth.count() > 10_000, "{name}");
    }
}
