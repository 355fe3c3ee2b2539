//! The tiles of the examples, drawn by code. `HITMASK_BLESS=1` writes them.

use image::{Rgba, RgbaImage};
use std::path::Path;

/// Side of a tile in pixels.
const TILE: u32 = 16;

/// Returns the tiles in a row: ground, two slopes, a ledge, spikes and a coin.
fn drawn() -> RgbaImage {
    let [ground, wood, red, gold] =
        [[96, 112, 72, 255], [150, 104, 58, 255], [196, 60, 52, 255], [240, 190, 40, 255]];
    RgbaImage::from_fn(6 * TILE, TILE, |column, y| {
        let x = column % TILE;
        // Spikes grow by a pixel on both sides in every second row.
        let spike = |middle: u32| y >= 8 && x.abs_diff(middle) <= (y - 8) / 2;
        let from_centre = [x, y].map(|at| f64::from(at) + 0.5 - f64::from(TILE) / 2.0);
        let (is_solid, colour) = match column / TILE {
            0 => (true, ground),
            1 => (x + y >= TILE - 1, ground),
            2 => (x <= y, ground),
            3 => (y < 4, wood),
            4 => (spike(4) || spike(12), red),
            _ => (from_centre[0].hypot(from_centre[1]) < 5.3, gold),
        };
        Rgba(if is_solid { colour } else { [0; 4] })
    })
}

#[test]
fn the_tiles_of_the_examples_are_those_that_the_code_draws() {
    for example in ["tiled_platformer", "ldtk_topdown"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
        let path = folder.join("tiles.png");
        if std::env::var_os("HITMASK_BLESS").is_some() {
            drawn().save(&path).unwrap();
        }
        let committed = image::open(&path).unwrap().into_rgba8();
        assert!(committed == drawn(), "{} differs; run with HITMASK_BLESS=1", path.display());
    }
}

/// A copy of its folder bakes, as a new user makes one.
#[test]
fn each_example_bakes_by_itself() {
    for (example, map) in [("tiled_platformer", "yard"), ("ldtk_topdown", "garden/Pond")] {
        let folder = hitmask_scenes::Folder::new(example);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            folder.write(&name, std::fs::read(path).unwrap());
        }
        let bake = hitmask_bake::Bake::new().manifest(folder.path("hitmask.toml")).unwrap();
        let atlas = hitmask::Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        assert!(atlas.map(map).is_some(), "{example}");
    }
}
