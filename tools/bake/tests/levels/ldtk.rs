//! What levels of LDtk become, against pixels that the test draws itself.

use super::baked;
use crate::encode;
use hitmask::Mask;
use hitmask_bake::MapRule;
use hitmask_scenes::{Folder, Random, map_pixels};
use std::fmt::Write;
use std::path::PathBuf;

/// Side of a tile in pixels.
pub(super) const TILE: u32 = 6;
const SIZE: [u32; 2] = [17, 11];

/// Returns true if a texel of the sheet of 4 x 2 tiles is solid.
fn is_solid(x: u32, y: u32) -> bool {
    !(x * 7 + y * 5 + x * y).is_multiple_of(3)
}

/// A random level: tiles with flips, stacked and between the cells, values, and a player.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) tiles: Vec<([i32; 2], u32, u32)>,
    pub(super) values: Vec<u32>,
    /// Entities behind the player, each with a comma before it.
    pub(super) entities: String,
    /// Side of the cells of the tiles, and the pivot of the tiles in quarters.
    pub(super) grid: u32,
    pub(super) pivot: [u32; 2],
    /// The tiles are of rules, not set by hand.
    pub(super) is_of_rules: bool,
}

fn random_level(random: &mut Random) -> Drawn {
    let [width, height] = SIZE;
    let mut tiles = Vec::new();
    for i in 0..width * height {
        for _ in 0..random.below(3) {
            let cell = [i % width, i / width].map(|at| (at * TILE) as i32);
            let at = cell.map(|at| at + random.within(-2, 3));
            tiles.push((at, random.below(8), random.below(4)));
        }
    }
    let values = (0..width * height).map(|_| random.below(3)).collect();
    let (grid, pivot) = ([TILE, 4, 8][random.below(3) as usize], [0; 2].map(|_| random.below(5)));
    let (is_of_rules, entities) = (random.below(2) == 0, String::new());
    Drawn { tiles, values, entities, grid, pivot, is_of_rules }
}

/// Writes the project with one level, and returns its path.
pub(super) fn write(folder: &Folder, level: &Drawn) -> PathBuf {
    let alpha = |x, y| if is_solid(x, y) { 255 } else { 0 };
    folder.write("sheet.png", encode::png::of_alpha([4 * TILE, 2 * TILE], alpha));
    let mut tiles = String::new();
    for ([x, y], tile, flips) in &level.tiles {
        let [left, top] = [tile % 4 * TILE, tile / 4 * TILE];
        let comma = if tiles.is_empty() { "" } else { "," };
        let _ = write!(
            tiles,
            "{comma}{{\"px\":[{x},{y}],\"src\":[{left},{top}],\"f\":{flips},\"t\":{tile},\"a\":1}}"
        );
    }
    let [width, height] = SIZE;
    let layer = |name: &str, kind: &str, grid: u32, def: u32, set: &str, content: &str| {
        let empty = ["intGridCsv", "gridTiles", "autoLayerTiles", "entityInstances"]
            .iter()
            .filter(|key| !content.contains(**key))
            .map(|key| format!("\"{key}\":[],"))
            .collect::<String>();
        format!(
            "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":{width},\"__cHei\":{height},\
             \"__gridSize\":{grid},\"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\
             \"__tilesetDefUid\":{set},\"overrideTilesetUid\":null,\"layerDefUid\":{def},\
             \"visible\":true,{empty}{content}}}"
        )
    };
    let mut values = level.values.clone();
    values.resize((width * height) as usize, 0);
    let values = format!("\"intGridCsv\":{values:?}");
    let player = "\"entityInstances\":[{\"__identifier\":\"Player\",\"__pivot\":[0.5,1],\"__tags\":[\"hero\"],\
         \"__tile\":null,\"iid\":\"p\",\"width\":4,\"height\":8,\"defUid\":20,\"px\":[30,40],\
         \"fieldInstances\":[{\"__identifier\":\"lives\",\"__type\":\"Int\",\"__value\":3}]}";
    let player = format!("{player}{}]", level.entities);
    let (kind, key) =
        [("Tiles", "gridTiles"), ("AutoLayer", "autoLayerTiles")][usize::from(level.is_of_rules)];
    let [pivot_x, pivot_y] = level.pivot.map(|quarters| f64::from(quarters) / 4.0);
    let layers = [
        layer("Things", "Entities", TILE, 12, "null", &player),
        layer("Walls", "IntGrid", TILE, 11, "null", &values),
        layer("Picture", kind, level.grid, 10, "1", &format!("\"{key}\":[{tiles}]")),
    ];
    let project = format!(
        "{{\"jsonVersion\":\"1.5.3\",\"worldLayout\":\"Free\",\"worlds\":[],\"externalLevels\":false,\"defs\":{{\
         \"tilesets\":[{{\"identifier\":\"Sheet\",\"uid\":1,\"relPath\":\"sheet.png\",\"pxWid\":{},\"pxHei\":{},\
         \"tileGridSize\":{TILE},\"spacing\":0,\"padding\":0,\"__cWid\":4,\"customData\":[],\"enumTags\":[]}}],\
         \"layers\":[{{\"uid\":10,\"intGridValues\":[],\"tilePivotX\":{pivot_x},\"tilePivotY\":{pivot_y}}},{{\"uid\":12,\"intGridValues\":[]}},\
         {{\"uid\":11,\"intGridValues\":[{{\"value\":1,\"identifier\":\"rock\"}},{{\"value\":2,\"identifier\":null}}]}}],\
         \"entities\":[{{\"uid\":20,\"renderMode\":\"Rectangle\",\"tileRenderMode\":\"FitInside\"}}]}},\
         \"levels\":[{{\"identifier\":\"Cellar\",\"worldX\":-40,\"worldY\":96,\"worldDepth\":0,\"pxWid\":{},\
         \"pxHei\":{},\"externalRelPath\":null,\"fieldInstances\":[],\"layerInstances\":[{}]}}]}}",
        4 * TILE,
        2 * TILE,
        width * TILE,
        height * TILE,
        layers.join(",")
    );
    folder.write("game.ldtk", project)
}

fn picture(level: &Drawn) -> Mask {
    let mut drawn = Mask::new(SIZE[0] * TILE + 40, SIZE[1] * TILE + 40).unwrap();
    let [grid, side] = [level.grid, TILE].map(f64::from);
    let pivot = level.pivot.map(|quarters| f64::from(quarters) / 4.0);
    for (px, tile, flips) in &level.tiles {
        // The pivot of a tile lies at the pivot of its cell. A mirrored tile begins a cell further on, and lies
        // on the other side of the pivot. LDtk takes the pivot across for both axes of the cell, and places
        // tiles of rules by their corners.
        let corner = |i: usize| {
            let (in_cell, in_tile) =
                if level.is_of_rules { (pivot[i], 0.0) } else { (pivot[0], pivot[i] * side) };
            let at = f64::from(px[i]) + in_cell * grid;
            let is_mirrored = flips >> i & 1 > 0;
            let first = if is_mirrored { at + grid - (side - in_tile) } else { at - in_tile };
            (first - 0.5).ceil() as i32
        };
        let [x, y] = [0, 1].map(corner);
        for i in 0..TILE * TILE {
            let [column, row] = [i % TILE, i / TILE];
            let flipped = |at: u32, bit: u32| if flips & bit > 0 { TILE - 1 - at } else { at };
            let from = [flipped(column, 1) + tile % 4 * TILE, flipped(row, 2) + tile / 4 * TILE];
            if is_solid(from[0], from[1]) {
                drawn.set(x + column as i32 + 20, y + row as i32 + 20, true);
            }
        }
    }
    drawn
}

#[test]
fn random_levels_of_ldtk_equal_their_pixels() {
    for seed in 0..20 {
        let folder = Folder::new("ldtk-bake");
        let level = random_level(&mut Random::new(seed));
        let path = write(&folder, &level);
        let truth = picture(&level);
        let size = [truth.width(), truth.height()];
        let entities = MapRule {
            layer: Some("Things".to_owned()),
            becomes: Some(String::new()),
            ..MapRule::default()
        };
        let atlas = baked(&path, vec![entities.clone()]);
        assert_eq!(map_pixels(&atlas, "game/Cellar", size, [20, 20]), truth, "seed {seed}");
        // The values alone, by name and by number.
        let nothing = MapRule { layer: None, ..entities.clone() };
        let value = |class: &str| MapRule {
            class: Some(class.to_owned()),
            becomes: Some("wall".to_owned()),
            ..MapRule::default()
        };
        let atlas = baked(&path, vec![nothing, value("rock"), value("2")]);
        let walls = map_pixels(&atlas, "game/Cellar", size, [20, 20]);
        let count = level.values.iter().filter(|value| **value > 0).count() as u64;
        assert_eq!(walls.count(), count * u64::from(TILE * TILE), "seed {seed}");
    }
}
