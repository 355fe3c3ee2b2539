//! Level files that are edited while a world has the level: the map brought up to date equals the new level
//! placed anew.

use super::ldtk::{self, Drawn};
use super::writer::{Layer, TiledMap, tileset};
use hitmask::{Atlas, World};
use hitmask_bake::Bake;
use hitmask_scenes::{Folder, Random, brought_up_to_date, cases};
use std::collections::{BTreeMap, BTreeSet};

/// Side of a cell in pixels, and the cells of a finite map. A piece of terrain has 16 x 16 cells.
const CELL: u32 = 32;
const CELLS: [u32; 2] = [40, 24];

/// Where the level is placed.
const AT: [f32; 2] = [0.5, -20.0];

/// A level as an editor has it.
#[derive(Clone, Debug, Default)]
struct Level {
    /// Layers from the lowest to the highest, each with the number of the tile in its cells.
    layers: Vec<BTreeMap<[i32; 2], u32>>,
    /// Objects by their ids: the number of the tile or 0, x, y, width, height, and rotation.
    objects: BTreeMap<u32, (u32, [f64; 5])>,
    is_reversed: bool,
    is_renamed: bool,
    is_infinite: bool,
    is_ldtk: bool,
}

impl Level {
    /// Adds, removes, moves, retiles, resizes, turns or reorders something.
    fn edit(&mut self, random: &mut Random) {
        let first = if self.is_infinite { -20 } else { 0 };
        let cell = CELLS.map(|cells| random.within(first, cells as i32));
        let place = CELLS.map(|cells| f64::from(random.below(cells * CELL)));
        let side = |random: &mut Random| f64::from(8 + random.below(24));
        let size = [side(random), side(random)];
        let degrees = [0.0, 0.0, 90.0, 180.0, 45.0, 30.0][random.below(6) as usize];
        let (id, gid, tile) = (1 + random.below(9), random.below(5), 1 + random.below(4));
        let layer = random.below(self.layers.len() as u32) as usize;
        let object = self.objects.get_mut(&id);
        match (random.below(12), object) {
            (0, _) if self.layers.len() < 4 => self.layers.insert(layer, [(cell, tile)].into()),
            (1, _) if self.layers.len() > 1 => _ = self.layers.remove(layer),
            (2, _) => self.layers.reverse(),
            (3, _) if random.below(2) == 0 => self.is_renamed = !self.is_renamed,
            (3, _) => self.is_reversed = !self.is_reversed,
            (4, Some(_)) => _ = self.objects.remove(&id),
            (5, Some((_, at))) => at[..2].copy_from_slice(&place),
            (6, Some((_, at))) => at[2..4].copy_from_slice(&size),
            (7, Some((_, at))) => at[4] = degrees,
            (8, Some((tile, _))) => *tile = gid,
            (4..=8, None) => {
                let at = [place[0], place[1], size[0], size[1], degrees];
                self.objects.insert(id, (gid, at));
            }
            (9, _) => {
                // A hole, or a whole piece.
                let side = 1 + random.below(2) as i32 * 15;
                let is_other = |at: &[i32; 2]| (0..2).any(|i| at[i] / side != cell[i] / side);
                self.layers.iter_mut().for_each(|tiles| tiles.retain(|at, _| is_other(at)));
            }
            _ => _ = self.layers[layer].insert(cell, tile),
        }
    }

    /// Writes the level, and returns its bake.
    fn bake(&self, folder: &Folder) -> Atlas {
        let path = match self.is_ldtk {
            true => self.ldtk(folder),
            false => folder.write("yard.tmx", self.tiled().xml()),
        };
        let bake = Bake::new().angles(4).sprites(path).unwrap();
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    }

    fn tiled(&self) -> TiledMap {
        let layer = |tiles: &BTreeMap<[i32; 2], u32>| {
            let block = |corner: [i32; 2], size: [u32; 2]| {
                let [width, height] = size.map(|side| side as i32);
                let at = |i: i32| [corner[0] + i % width, corner[1] + i / width];
                let gid = |i| tiles.get(&at(i)).copied().unwrap_or(0);
                (corner, size, (0..width * height).map(gid).collect())
            };
            let corners = tiles.keys().map(|at| at.map(|at| at.div_euclid(16) * 16));
            // An infinite map has a chunk at least, by which it is known.
            let corners: BTreeSet<[i32; 2]> = corners.chain([[0, 0]]).collect();
            let blocks = match self.is_infinite {
                true => corners.into_iter().map(|corner| block(corner, [16, 16])).collect(),
                false => vec![block([0, 0], CELLS)],
            };
            Layer { name: "ground".to_owned(), blocks, encoding: "csv", ..Layer::default() }
        };
        let mut layers: Vec<Layer> = self.layers.iter().map(layer).collect();
        let object = |(&id, &(gid, [x, y, w, h, turn])): (&u32, &(u32, [f64; 5]))| {
            (gid, [f64::from(id), x, y, w, h, turn])
        };
        let mut objects: Vec<_> = self.objects.iter().map(object).collect();
        if self.is_reversed {
            objects.reverse();
        }
        let name = if self.is_renamed { "things" } else { "objects" }.to_owned();
        layers.push(Layer { name, objects, ..Layer::default() });
        let tilesets = vec![(1, "set.tsx".to_owned())];
        let (size, tile, orientation) = (CELLS, [CELL; 2], "orthogonal");
        TiledMap { orientation, size, tile, stagger: None, tilesets, layers }
    }

    fn ldtk(&self, folder: &Folder) -> std::path::PathBuf {
        let tile = |(at, gid): (&[i32; 2], &u32)| (at.map(|at| at * CELL as i32), *gid, gid % 4);
        let tiles = self.layers.iter().flatten().map(tile).collect();
        let mut entities = Vec::new();
        for (id, (gid, [x, y, w, h, _])) in &self.objects {
            let side = ldtk::TILE;
            let tile = format!(
                "{{\"tilesetUid\":1,\"x\":{},\"y\":0,\"w\":{side},\"h\":{side}}}",
                gid % 4 * side
            );
            let tile = if *gid == 0 { "null" } else { &tile };
            entities.push(format!(
                ",{{\"__identifier\":\"Thing\",\"__pivot\":[0,0],\"__tags\":[],\"__tile\":{tile},\"iid\":\"{id}\",\
                 \"width\":{w},\"height\":{h},\"defUid\":20,\"px\":[{x},{y}],\"fieldInstances\":[]}}"
            ));
        }
        if self.is_reversed {
            entities.reverse();
        }
        let entities = entities.concat();
        ldtk::write(folder, &Drawn { tiles, entities, grid: CELL, ..Drawn::default() })
    }
}

#[test]
fn a_level_file_after_random_edits_brought_up_to_date_equals_the_level_placed_anew() {
    let (mut edits, mut kept) = (0, 0);
    for seed in 0.. {
        if edits >= cases(40, 300) {
            break;
        }
        let folder = Folder::new("level-edits");
        let mut random = Random::new(seed);
        tileset(&folder, &mut random, "set", ([CELL, CELL], 4), [0, 0]);
        let (is_infinite, is_ldtk) = (seed % 3 == 1, seed % 3 == 2);
        let layers = vec![BTreeMap::from([([1, 1], 1)])];
        let mut level = Level { layers, is_infinite, is_ldtk, ..Level::default() };
        (0..30).for_each(|_| level.edit(&mut random));
        let mut world = World::new(level.bake(&folder));
        let map = world.atlas().maps().remove(0);
        let mut placed = world.insert_map(&map, AT).unwrap();
        for _ in 0..8 {
            let count = 1 + random.below(3);
            (0..count).for_each(|_| level.edit(&mut random));
            edits += count;
            let atlas = level.bake(&folder);
            kept += brought_up_to_date(&mut world, &mut placed, AT, &atlas);
        }
    }
    assert!(kept > 2 * edits, "{kept} of {edits}");
}
