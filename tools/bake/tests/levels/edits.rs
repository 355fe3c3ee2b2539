//! Level files that are edited while a world has the level: the map brought up to date equals the new level
//! placed anew.

use super::tiled::{TILESET, write_tiles};
use hitmask::{Atlas, ColliderId, Map, World};
use hitmask_bake::Bake;
use hitmask_scenes::{Folder, Random, cases};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Side of a cell in pixels, and the cells of a finite map. A chunk of terrain has 16 x 16 cells.
const CELL: i32 = 32;
const CELLS: [i32; 2] = [40, 24];

/// A level as an editor has it.
#[derive(Clone, Debug, Default)]
struct Level {
    /// Layers from the lowest to the highest, each with the number of the tile in its cells.
    layers: Vec<(String, BTreeMap<[i32; 2], u32>)>,
    /// Objects by their ids.
    objects: BTreeMap<u32, Object>,
    is_reversed: bool,
    is_infinite: bool,
    is_ldtk: bool,
}

#[derive(Clone, Debug)]
struct Object {
    name: String,
    /// The number of its tile, or 0.
    gid: u32,
    at: [i32; 2],
    size: [u32; 2],
    degrees: u32,
}

impl Level {
    fn edit(&mut self, random: &mut Random) {
        let [columns, rows] = CELLS;
        let first = if self.is_infinite { [-20, -18] } else { [0, 0] };
        let cell = [random.within(first[0], columns), random.within(first[1], rows)];
        let at = [random.within(0, columns * CELL), random.within(0, rows * CELL)];
        let id = 1 + random.below(9);
        let size = [0; 2].map(|_| 8 + random.below(24));
        let turns = [0, 0, 90, 180, 45, 30];
        let (degrees, gid) = (turns[random.below(6) as usize], random.below(5));
        let (tile, name) = (1 + random.below(4), format!("object{}", random.below(3)));
        let layer = random.below(self.layers.len().max(1) as u32) as usize;
        let object = self.objects.get_mut(&id);
        match (random.below(12), object) {
            (0, _) if self.layers.len() < 4 => {
                let name = format!("layer{}", random.below(99));
                self.layers.insert(layer, (name, BTreeMap::from([(cell, tile)])));
            }
            (1, _) if self.layers.len() > 1 => _ = self.layers.remove(layer),
            (2, _) => self.layers.reverse(),
            (3, _) => self.is_reversed = !self.is_reversed,
            (4, Some(_)) => _ = self.objects.remove(&id),
            (5, Some(object)) => object.at = at,
            (6, Some(object)) => object.size = size,
            (7, Some(object)) => object.degrees = degrees,
            (8, Some(object)) => (object.name, object.gid) = (name, gid),
            (4..=8, None) => {
                self.objects.insert(id, Object { name, gid, at, size, degrees });
            }
            (9, _) => {
                // A hole, or a whole chunk.
                let tiles = self.layers.iter_mut().map(|(_, tiles)| tiles);
                let side = 1 + random.below(2) as i32 * 15;
                tiles.for_each(|it| {
                    it.retain(|at, _| (0..2).any(|i| at[i] / side != cell[i] / side))
                });
            }
            _ => {
                if let Some((_, tiles)) = self.layers.get_mut(layer) {
                    tiles.insert(cell, tile);
                }
            }
        }
    }

    /// Writes the level, and returns its bake.
    fn bake(&self, folder: &Folder) -> Atlas {
        let (name, text) =
            if self.is_ldtk { ("yard.ldtk", self.ldtk()) } else { ("yard.tmx", self.tiled()) };
        let path = folder.write(name, text);
        let bake = Bake::new().angles(4).sprites(path).unwrap();
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    }

    fn objects(&self) -> Vec<(&u32, &Object)> {
        let mut objects: Vec<_> = self.objects.iter().collect();
        if self.is_reversed {
            objects.reverse();
        }
        objects
    }

    fn tiled(&self) -> String {
        let ([width, height], infinite) = (CELLS, u8::from(self.is_infinite));
        let mut text = format!(
            "<map orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" tilewidth=\"{CELL}\" \
             tileheight=\"{CELL}\" infinite=\"{infinite}\">{TILESET}"
        );
        let block = |tiles: &BTreeMap<[i32; 2], u32>, corner: [i32; 2], size: [i32; 2]| {
            let gid = |i: i32| [corner[0] + i % size[0], corner[1] + i / size[0]];
            let gids = (0..size[0] * size[1]).map(|i| tiles.get(&gid(i)).copied().unwrap_or(0));
            gids.map(|gid| gid.to_string()).collect::<Vec<_>>().join(",")
        };
        for (name, tiles) in &self.layers {
            let mut data = String::new();
            if self.is_infinite {
                let corner = |at: &[i32; 2]| at.map(|at| at.div_euclid(16) * 16);
                let corners: std::collections::BTreeSet<_> = tiles.keys().map(corner).collect();
                for at @ [x, y] in corners {
                    let _ = write!(
                        data,
                        "<chunk x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\">{}</chunk>",
                        block(tiles, at, [16, 16])
                    );
                }
            } else {
                data = block(tiles, [0, 0], CELLS);
            }
            let _ = write!(
                text,
                "<layer name=\"{name}\" width=\"{width}\" height=\"{height}\"><data encoding=\"csv\">{data}</data></layer>"
            );
        }
        text += "<objectgroup name=\"things\">";
        for (id, Object { name, gid, at: [x, y], size: [w, h], degrees }) in self.objects() {
            let gid = if *gid > 0 { format!("gid=\"{gid}\"") } else { String::new() };
            let _ = write!(
                text,
                "<object id=\"{id}\" name=\"{name}\" {gid} x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
                 rotation=\"{degrees}\"/>"
            );
        }
        text + "</objectgroup></map>"
    }

    fn ldtk(&self) -> String {
        let layer = |name: &str, kind: &str, content: &str| {
            let empty = ["intGridCsv", "gridTiles", "autoLayerTiles", "entityInstances"];
            let empty = empty.iter().filter(|key| !content.contains(**key));
            let empty: String = empty.map(|key| format!("\"{key}\":[],")).collect();
            format!(
                "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":40,\"__cHei\":24,\"__gridSize\":{CELL},\
                 \"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\"__tilesetDefUid\":1,\"overrideTilesetUid\":null,\
                 \"layerDefUid\":10,\"visible\":true,{empty}{content}}}"
            )
        };
        let entity = |(id, it): (&u32, &Object)| {
            let Object { name, gid, at: [x, y], size: [w, h], .. } = it;
            let tile = match gid {
                0 => "null".to_owned(),
                gid => {
                    format!("{{\"tilesetUid\":1,\"x\":{},\"y\":0,\"w\":8,\"h\":8}}", (gid - 1) * 8)
                }
            };
            format!(
                "{{\"__identifier\":\"{name}\",\"__pivot\":[0.5,1],\"__tags\":[],\"__tile\":{tile},\"iid\":\"{id}\",\
                 \"width\":{w},\"height\":{h},\"defUid\":20,\"px\":[{x},{y}],\"fieldInstances\":[]}}"
            )
        };
        let entities: Vec<_> = self.objects().into_iter().map(entity).collect();
        let entities = format!("\"entityInstances\":[{}]", entities.join(","));
        let mut layers = vec![layer("things", "Entities", &entities)];
        for (name, tiles) in &self.layers {
            let tile = |([x, y], gid): (&[i32; 2], &u32)| {
                let (x, y, id) = (x * CELL, y * CELL, gid - 1);
                format!(
                    "{{\"px\":[{x},{y}],\"src\":[{},0],\"f\":{},\"t\":{id},\"a\":1}}",
                    id * 8,
                    gid % 4
                )
            };
            let tiles: Vec<_> = tiles.iter().map(tile).collect();
            layers.push(layer(name, "Tiles", &format!("\"gridTiles\":[{}]", tiles.join(","))));
        }
        format!(
            "{{\"jsonVersion\":\"1.5.3\",\"worldLayout\":\"Free\",\"worlds\":[],\"defs\":{{\"tilesets\":[{{\
             \"identifier\":\"Sheet\",\"uid\":1,\"relPath\":\"tiles.png\",\"pxWid\":32,\"pxHei\":8,\"tileGridSize\":8,\
             \"spacing\":0,\"padding\":0,\"__cWid\":4,\"customData\":[],\"enumTags\":[]}}],\"layers\":[{{\"uid\":10,\
             \"intGridValues\":[]}}],\"entities\":[{{\"uid\":20,\"renderMode\":\"Rectangle\",\"tileRenderMode\":\
             \"Stretch\"}}]}},\"levels\":[{{\"identifier\":\"A\",\"worldX\":0,\"worldY\":0,\"worldDepth\":0,\
             \"pxWid\":1280,\"pxHei\":768,\"externalRelPath\":null,\"fieldInstances\":[],\"layerInstances\":[{}]}}]}}",
            layers.join(",")
        )
    }
}

/// Returns the only map of an atlas.
fn only_map(atlas: &Atlas) -> Map {
    atlas.maps().remove(0)
}

#[test]
fn p17_a_level_file_after_random_edits_brought_up_to_date_equals_the_level_placed_anew() {
    let (mut edits, mut kept) = (0, 0);
    for seed in 0.. {
        if edits >= cases(40, 300) {
            break;
        }
        let folder = Folder::new("level-edits");
        write_tiles(&folder);
        let mut random = Random::new(seed);
        let (is_infinite, is_ldtk) = (seed % 3 == 1, seed % 3 == 2);
        let layers = vec![("ground".to_owned(), BTreeMap::from([([1, 1], 1)]))];
        let mut level = Level { layers, is_infinite, is_ldtk, ..Level::default() };
        (0..30).for_each(|_| level.edit(&mut random));
        let mut world = World::new(level.bake(&folder));
        let mut placed = world.insert_map(&only_map(world.atlas()), [0.5, -20.0]).unwrap();
        for _ in 0..8 {
            let old_map = only_map(world.atlas());
            let old_ids = old_map.items.iter().map(|item| item.id.clone());
            let before: BTreeMap<String, Option<ColliderId>> =
                old_ids.zip(placed.ids.clone()).collect();
            let count = 1 + random.below(3);
            (0..count).for_each(|_| level.edit(&mut random));
            edits += count;
            let atlas = level.bake(&folder);
            let old = world.atlas().id();
            world.atlases_mut().replace(old, atlas.clone()).unwrap();
            let map = only_map(world.atlas());
            let report = world.update_map(&mut placed, &map).unwrap();
            world.validate().unwrap();
            assert!(report.kept.is_empty(), "seed {seed}: {report:?}");
            let mut anew = World::new(atlas);
            let fresh = anew.insert_map(&only_map(anew.atlas()), [0.5, -20.0]).unwrap();
            assert_eq!((world.len(), placed.ids.len()), (anew.len(), fresh.ids.len()));
            for ((item, &id), &other) in map.items.iter().zip(&placed.ids).zip(&fresh.ids) {
                let at = format!("seed {seed}, {}", item.id);
                let Some((id, other)) = id.zip(other) else {
                    assert_eq!((id, other), (None, None), "{at}");
                    continue;
                };
                assert_eq!(world.rect(id), anew.rect(other), "{at}");
                let [shown, truth] = [world.posed(id).unwrap(), anew.posed(other).unwrap()];
                assert_eq!((shown.origin, shown.mask), (truth.origin, truth.mask), "{at}");
                // An item of both versions keeps its id. A point that gets a shape gets one.
                let known = before.get(&item.id).copied().flatten();
                assert!(known.is_none_or(|known| known == id), "{at}");
                kept += u32::from(known.is_some());
            }
        }
    }
    assert!(kept > 2 * edits, "{kept} of {edits}");
}
