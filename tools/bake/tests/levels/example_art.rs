//! The tiles of the examples, drawn by code. `HITMASK_BLESS=1` writes them.

use image::{Rgba, RgbaImage};
use std::path::Path;

/// Side of a tile in pixels.
const TILE: u32 = 16;

/// Returns the tiles: ground with grass, two slopes, a ledge, spikes and a coin; soil in the second row.
fn drawn() -> RgbaImage {
    RgbaImage::from_fn(6 * TILE, 2 * TILE, |column, row| {
        let (x, y) = (column % TILE, row % TILE);
        // Grass hangs into the soil, and the soil has stones.
        let earth = |depth: u32| match depth {
            0 => [158, 214, 82],
            1..3 => [104, 176, 62],
            3..6 if x * 7 % 5 + 2 > depth => [70, 138, 50],
            _ if (x * 13 + y * 29) % 31 < 3 => [112, 70, 42],
            _ => [140, 92, 54],
        };
        // Spikes grow by a pixel on both sides in every second row.
        let spike = |middle: u32| y >= 8 && x.abs_diff(middle) <= (y - 8) / 2;
        let from_centre = [x, y].map(|at| f64::from(at) + 0.5 - f64::from(TILE) / 2.0);
        let radius = from_centre[0].hypot(from_centre[1]);
        let solid = match (column / TILE, row / TILE) {
            (0, 0) => Some(earth(y)),
            (1, 0) => (x + y + 1).checked_sub(TILE).map(earth),
            (2, 0) => y.checked_sub(x).map(earth),
            (3, 0) => (y < 4).then_some(match y {
                0 => [222, 172, 104],
                _ if x % 8 == 7 => [98, 62, 34],
                _ => [166, 112, 60],
            }),
            (4, 0) => (spike(4) || spike(12)).then_some(if x % 8 < 4 {
                [226, 232, 240]
            } else {
                [128, 140, 158]
            }),
            (5, 0) => (radius < 5.3).then_some(match radius {
                4.2.. => [178, 120, 16],
                _ if from_centre[0] + from_centre[1] < -2.5 => [255, 240, 150],
                _ => [246, 196, 48],
            }),
            (0, 1) => Some(earth(TILE)),
            _ => None,
        };
        solid.map_or(Rgba([0; 4]), |[r, g, b]| Rgba([r, g, b, 255]))
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
