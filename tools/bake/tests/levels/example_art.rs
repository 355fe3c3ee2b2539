//! The tiles of the examples, drawn by code. `HITMASK_BLESS=1` writes them.

use hitmask::Mask;
use image::{Rgba, RgbaImage};
use std::path::Path;

/// Side of a tile in pixels.
const TILE: u32 = 16;

type Color = [u8; 3];

/// Draws tiles in columns and rows. `color` gives the colour at a column and row of pixels in a tile.
fn sheet(
    [columns, rows]: [u32; 2],
    color: impl Fn([u32; 2], [u32; 2]) -> Option<Color>,
) -> RgbaImage {
    RgbaImage::from_fn(columns * TILE, rows * TILE, |x, y| {
        let color = color([x / TILE, y / TILE], [x % TILE, y % TILE]);
        color.map_or(Rgba([0; 4]), |[r, g, b]| Rgba([r, g, b, 255]))
    })
}

/// Returns the right, the down and the whole distance of a pixel from the centre of its tile.
fn from_centre(place: [u32; 2]) -> [f64; 3] {
    let [right, down] = place.map(|at| f64::from(at) + 0.5 - f64::from(TILE) / 2.0);
    [right, down, right.hypot(down)]
}

fn coin(place: [u32; 2]) -> Option<Color> {
    let [right, down, radius] = from_centre(place);
    (radius < 5.3).then_some(match radius {
        4.2.. => [178, 120, 16],
        _ if right + down < -2.5 => [255, 240, 150],
        _ => [246, 196, 48],
    })
}

/// Returns the tiles from the side: ground with grass, two slopes, a ledge, spikes and a coin; soil in the second row.
fn from_the_side() -> RgbaImage {
    sheet([6, 2], |tile, [x, y]| {
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
        match tile {
            [0, 0] => Some(earth(y)),
            [1, 0] => (x + y + 1).checked_sub(TILE).map(earth),
            [2, 0] => y.checked_sub(x).map(earth),
            [3, 0] => (y < 4).then_some(match y {
                0 => [222, 172, 104],
                _ if x % 8 == 7 => [98, 62, 34],
                _ => [166, 112, 60],
            }),
            [4, 0] => (spike(4) || spike(12)).then_some(if x % 8 < 4 {
                [226, 232, 240]
            } else {
                [128, 140, 158]
            }),
            [5, 0] => coin([x, y]),
            [0, 1] => Some(earth(TILE)),
            _ => None,
        }
    })
}

/// Returns the tiles from above: the top and the front of a wall, water, grass, flowers and a coin; in the second row
/// the bank of a pond, a key, the hero, and the upper half of a door.
fn from_above() -> RgbaImage {
    let hero = Mask::disc(6).unwrap();
    sheet([6, 3], |tile, [x, y]| {
        let [right, down, radius] = from_centre([x, y]);
        // Bricks of 8 x 4 pixels, moved by half of one in every second row.
        let brick = |y: u32| (x + y / 4 % 2 * 4) % 8;
        let wall = |y: u32, colors: [Color; 3]| match (y % 4, brick(y)) {
            (3, _) | (_, 7) => colors[0],
            (0, _) | (_, 0) => colors[2],
            _ => colors[1],
        };
        let water = || match (x + 3 * (y / 5) * 5) % 16 {
            0..4 if y % 5 == 2 => [150, 206, 240],
            4..6 if y % 5 == 3 => [150, 206, 240],
            _ if (x * 5 + y * 11).is_multiple_of(23) => [58, 124, 196],
            _ => [70, 140, 212],
        };
        match tile {
            [0, 0] => Some(wall(y, [[112, 106, 124], [158, 152, 168], [188, 182, 196]])),
            [1, 0] if y < 5 => Some(wall(y, [[112, 106, 124], [158, 152, 168], [188, 182, 196]])),
            [1, 0] => Some(match y {
                5 => [70, 62, 80],
                _ => wall(y + 2, [[74, 66, 86], [112, 102, 124], [132, 120, 144]]),
            }),
            [2, 0] => Some(water()),
            // Blades of grass.
            [3, 0] => {
                let blade = |at: [u32; 2], reach: u32| {
                    y <= at[1] && y + reach > at[1] && x.abs_diff(at[0]) == (at[1] - y) / 2
                };
                let is_blade = blade([4, 7], 4) || blade([11, 13], 5) || blade([12, 4], 3);
                is_blade.then_some(if y % 2 == 0 { [60, 130, 56] } else { [74, 148, 62] })
            }
            // Flowers, red and white, with a yellow middle.
            [4, 0] => [([4, 5], [236, 92, 96]), ([11, 10], [244, 240, 250])].into_iter().find_map(
                |([left, top], petal): ([u32; 2], Color)| match (x.abs_diff(left), y.abs_diff(top))
                {
                    (0, 0) => Some([250, 210, 80]),
                    (0, 1) | (1, 0) => Some(petal),
                    (0, 2..4) if y > top => Some([60, 130, 56]),
                    _ => None,
                },
            ),
            [5, 0] => coin([x, y]),
            // The bank, with the pond at the lower right.
            [0, 1] => {
                let depth = (f64::from(TILE) - f64::from(x)).hypot(f64::from(TILE) - f64::from(y));
                match depth {
                    16.5.. => None,
                    14.5.. => Some([206, 182, 118]),
                    13.0.. => Some([172, 146, 88]),
                    12.0.. => Some([150, 206, 240]),
                    _ => Some(water()),
                }
            }
            // A ring, a shaft and two teeth.
            [1, 1] => {
                let ring = (right + 4.5).hypot(down + 0.5);
                let is_key = (1.3..3.4).contains(&ring)
                    || (right > -1.5 && right < 6.0 && (-1.5..1.0).contains(&down))
                    || (down > 0.0 && down < 4.0 && [2.5, 5.5].contains(&right))
                    || (down > 0.0 && down < 4.0 && [3.5, 4.5].contains(&right) && down < 2.0);
                is_key.then_some(if down < -0.5 { [240, 186, 120] } else { [186, 118, 58] })
            }
            // Of the very pixels that the hero of the example has: hair, two hands, and a shirt.
            [2, 1] => hero.get(x as i32 - 2, y as i32 - 2).then_some(match radius {
                ..3.6 if down < 1.0 => [110, 62, 36],
                ..3.6 => [244, 200, 160],
                _ if right.abs() > 4.0 && down > 1.0 && down < 4.0 => [244, 200, 160],
                5.2.. => [150, 34, 44],
                _ => [206, 56, 62],
            }),
            // A door of planks in an iron frame, two tiles high.
            [5, 1 | 2] => {
                let y = y + (tile[1] - 1) * TILE;
                let is_edge = x == 0 || x == TILE - 1 || y == 0 || y == 2 * TILE - 1;
                Some(match (x, y) {
                    _ if is_edge => [52, 40, 44],
                    (_, 6 | 7 | 24 | 25) => [96, 98, 112],
                    (11 | 12, 15 | 16) => [240, 186, 120],
                    _ if x % 5 == 0 => [96, 60, 34],
                    _ if (x * 3 + y * 5).is_multiple_of(17) => [128, 82, 46],
                    _ => [152, 100, 56],
                })
            }
            _ => None,
        }
    })
}

#[test]
fn the_tiles_of_the_examples_are_those_that_the_code_draws() {
    let sheets = [
        ("tiled_platformer/tiles.png", from_the_side()),
        ("ldtk_topdown/garden-tiles.png", from_above()),
    ];
    for (path, drawn) in sheets {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(path);
        if std::env::var_os("HITMASK_BLESS").is_some() {
            drawn.save(&path).unwrap();
        }
        let committed = image::open(&path).unwrap().into_rgba8();
        assert!(committed == drawn, "{} differs; run with HITMASK_BLESS=1", path.display());
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
