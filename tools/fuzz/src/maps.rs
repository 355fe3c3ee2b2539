//! Target `maps`: a random map of Tiled or LDtk, in the text of its format.
//!
//! A whole map becomes a map of the atlas whose colliders show the same pixels as a plain reading, tile by
//! tile. A map with damaged bytes is refused with a typed error, or bakes.

use crate::files::{MAX_BYTES, bake, limited_level, page_alpha, write};
use hitmask::{AlphaRule, Mask, Settings};
use hitmask_bake::{MapRule, SourceSettings};
use hitmask_scenes::map_pixels;
use hitmask_scenes::naive::Source;

/// Lowest alpha of a solid texel.
const LEAST_ALPHA: u8 = 32;

/// The picture that colliders are compared on, and the place of the corner of a map on it.
const SIDE: u32 = 240;
const CORNER: i32 = 90;

/// Tilesets: first number, width and height of a tile, columns, tiles, and offset. Both cut `page.png`.
const OWN: Tileset = Tileset { first: 1, size: [3, 3], columns: 3, count: 6, offset: [1, -2] };
const SET: Tileset = Tileset { first: 10, size: [3, 2], columns: 3, count: 9, offset: [0, 0] };

struct Tileset {
    first: u32,
    size: [u32; 2],
    columns: u32,
    count: u32,
    offset: [i32; 2],
}

/// A tile as a map shows it: its number and flips as Tiled writes them.
#[derive(Clone, Copy)]
struct Tile(u32);

impl Tile {
    fn random(source: &mut Source<'_>) -> Self {
        let of = |set: &Tileset, source: &mut Source<'_>| set.first + source.below(set.count);
        match source.below(4) {
            0 => Self(0),
            1 => Self(of(&SET, source) | source.below(8) << 29),
            _ => Self(of(&OWN, source) | source.below(8) << 29),
        }
    }

    fn set(self) -> &'static Tileset {
        if self.0 << 3 >> 3 < SET.first { &OWN } else { &SET }
    }

    /// Returns the picture of the tile: mirrored along the diagonal, left to right, and top to bottom.
    fn picture(self) -> Mask {
        let [x, y, diagonal] = [31, 30, 29].map(|bit| self.0 >> bit & 1 == 1);
        let (set, id) = (self.set(), (self.0 << 3 >> 3) - self.set().first);
        let [width, height] = set.size;
        let [across, down] = if diagonal { [height, width] } else { [width, height] };
        let mut mask = Mask::new(across, down).expect("a small mask");
        for (row, column) in (0..down).flat_map(|row| (0..across).map(move |x| (row, x))) {
            let from = [
                if x { across - 1 - column } else { column },
                if y { down - 1 - row } else { row },
            ];
            let [from_x, from_y] = if diagonal { [from[1], from[0]] } else { from };
            let texel = [id % set.columns * width + from_x, id / set.columns * height + from_y];
            mask.set(column as i32, row as i32, page_alpha(texel) >= LEAST_ALPHA);
        }
        mask
    }
}

/// A tile layer or an object layer.
struct Layer {
    is_hidden: bool,
    /// The offset of the group that it is in, if it is in one.
    group: Option<[i32; 2]>,
    offset: [i32; 2],
    content: Content,
}

enum Content {
    /// Blocks of tiles: corner, width and height in cells, and tiles row by row.
    Tiles(Vec<([i32; 2], [u32; 2], Vec<Tile>)>),
    /// Tiles, or solid rectangles, with place and size. The place of a tile is its bottom-left corner.
    Objects(Vec<(Option<Tile>, [i32; 2], [u32; 2])>),
}

/// A map of Tiled.
struct TiledMap {
    is_isometric: bool,
    is_infinite: bool,
    size: [u32; 2],
    tile: [u32; 2],
    layers: Vec<Layer>,
}

impl TiledMap {
    fn random(source: &mut Source<'_>) -> Self {
        let is_isometric = source.one_in(3);
        let mut map = Self {
            is_isometric,
            is_infinite: source.one_in(4),
            size: [0; 2].map(|_| 1 + source.below(5)),
            tile: [0; 2].map(|_| 2 * (1 + source.below(3))),
            layers: Vec::new(),
        };
        for _ in 0..1 + source.below(3) {
            let content = if !is_isometric && source.one_in(3) {
                Content::Objects((0..source.below(4)).map(|_| object(source)).collect())
            } else {
                Content::Tiles(map.blocks(source))
            };
            let mut offset = || [0; 2].map(|_| source.within(-5, 6));
            let (offset, group) = (offset(), offset());
            map.layers.push(Layer {
                is_hidden: source.one_in(6),
                group: source.one_in(3).then_some(group),
                offset,
                content,
            });
        }
        map
    }

    fn blocks(&self, source: &mut Source<'_>) -> Vec<([i32; 2], [u32; 2], Vec<Tile>)> {
        let mut block = |corner: [i32; 2], size: [u32; 2]| {
            (corner, size, (0..size[0] * size[1]).map(|_| Tile::random(source)).collect())
        };
        match self.is_infinite {
            true => vec![block([-3, 0], [3, 2]), block([1, -2], [2, 2])],
            false => vec![block([0, 0], self.size)],
        }
    }

    /// Returns the pixels of the map.
    fn pixels(&self) -> Mask {
        let mut all = Mask::new(SIDE, SIDE).expect("a small mask");
        for layer in self.layers.iter().filter(|layer| !layer.is_hidden) {
            let moved = [0, 1].map(|axis| {
                CORNER + layer.offset[axis] + layer.group.map_or(0, |group| group[axis])
            });
            match &layer.content {
                Content::Tiles(blocks) => {
                    for (corner, size, tiles) in blocks {
                        for (i, tile) in (0..).zip(tiles).filter(|(_, tile)| tile.0 != 0) {
                            let cell =
                                [corner[0] + i % size[0] as i32, corner[1] + i / size[0] as i32];
                            let [left, bottom] = self.place(cell);
                            let (mask, by) = (tile.picture(), tile.set().offset);
                            let y = bottom - mask.height() as i32;
                            all.draw(&mask, [moved[0] + left + by[0], moved[1] + y + by[1]]);
                        }
                    }
                }
                Content::Objects(objects) => {
                    for &(tile, [x, y], [width, height]) in objects {
                        let [x, y] = [moved[0] + x, moved[1] + y];
                        match tile {
                            Some(tile) => {
                                let mask = resized(&tile.picture(), [width, height]);
                                let by = tile.set().offset;
                                all.draw(&mask, [x + by[0], y - height as i32 + by[1]]);
                            }
                            None => {
                                all.draw(&Mask::solid(width, height).expect("a small mask"), [x, y])
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// Returns the first column of a cell, and the row below its last one.
    fn place(&self, [x, y]: [i32; 2]) -> [i32; 2] {
        let [width, height] = self.tile.map(|side| side as i32);
        if self.is_isometric {
            let left = self.size[1] as i32 * width / 2 - width / 2;
            return [(x - y) * width / 2 + left, (x + y) * height / 2 + height];
        }
        [x * width, (y + 1) * height]
    }

    /// Returns the map as `.tmx`, with tiles in one of two encodings.
    fn xml(&self, is_csv: bool) -> String {
        let tiles = |tiles: &[Tile]| match is_csv {
            true => numbers(tiles),
            false => tiles.iter().map(|tile| format!("<tile gid=\"{}\"/>", tile.0)).collect(),
        };
        let head = if is_csv { "<data encoding=\"csv\">" } else { "<data>" };
        let layer = |layer: &Layer| {
            let place = format!(
                "offsetx=\"{}\" offsety=\"{}\" visible=\"{}\"",
                layer.offset[0],
                layer.offset[1],
                u8::from(!layer.is_hidden)
            );
            let text = match &layer.content {
                Content::Objects(objects) => {
                    let object = |(tile, [x, y], [w, h]): &(Option<Tile>, [i32; 2], [u32; 2])| {
                        let gid = tile.map_or(String::new(), |tile| format!(" gid=\"{}\"", tile.0));
                        format!("<object{gid} x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>")
                    };
                    let objects: String = objects.iter().map(object).collect();
                    format!("<objectgroup {place}>{objects}</objectgroup>")
                }
                Content::Tiles(blocks) => {
                    let block = |([x, y], [w, h], of): &([i32; 2], [u32; 2], Vec<Tile>)| match self
                        .is_infinite
                    {
                        true => format!(
                            "<chunk x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">{}</chunk>",
                            tiles(of)
                        ),
                        false => tiles(of),
                    };
                    let data: String = blocks.iter().map(block).collect();
                    let [width, height] = self.size;
                    format!(
                        "<layer name=\"l\" width=\"{width}\" height=\"{height}\" {place}>{head}{data}</data></layer>"
                    )
                }
            };
            match layer.group {
                Some([x, y]) => {
                    format!("<group name=\"g\" offsetx=\"{x}\" offsety=\"{y}\">{text}</group>")
                }
                None => text,
            }
        };
        let layers: String = self.layers.iter().map(layer).collect();
        let ([width, height], [across, down]) = (self.size, self.tile);
        let orientation = if self.is_isometric { "isometric" } else { "orthogonal" };
        let infinite = u8::from(self.is_infinite);
        let Tileset { first, size, columns, count, offset } = OWN;
        format!(
            "<map orientation=\"{orientation}\" width=\"{width}\" height=\"{height}\" tilewidth=\"{across}\" \
             tileheight=\"{down}\" infinite=\"{infinite}\"><tileset firstgid=\"{first}\" name=\"own\" \
             tilewidth=\"{}\" tileheight=\"{}\" tilecount=\"{count}\" columns=\"{columns}\"><tileoffset \
             x=\"{}\" y=\"{}\"/><image source=\"page.png\" width=\"9\" height=\"6\"/></tileset>\
             <tileset firstgid=\"{}\" source=\"set.tsx\"/>{layers}</map>",
            size[0], size[1], offset[0], offset[1], SET.first
        )
    }

    /// Returns the map as `.tmj`.
    fn json(&self) -> String {
        let layer = |layer: &Layer| {
            let place =
                |[x, y]: [i32; 2]| format!("\"name\":\"l\",\"offsetx\":{x},\"offsety\":{y}");
            let visible = !layer.is_hidden;
            let head = format!("{},\"visible\":{visible}", place(layer.offset));
            let text = match &layer.content {
                Content::Objects(objects) => {
                    let object = |(tile, [x, y], [w, h]): &(Option<Tile>, [i32; 2], [u32; 2])| {
                        let gid = tile.map_or(String::new(), |tile| format!("\"gid\":{},", tile.0));
                        format!("{{{gid}\"x\":{x},\"y\":{y},\"width\":{w},\"height\":{h}}}")
                    };
                    let objects: Vec<_> = objects.iter().map(object).collect();
                    format!(
                        "{{\"type\":\"objectgroup\",{head},\"objects\":[{}]}}",
                        objects.join(",")
                    )
                }
                Content::Tiles(blocks) => {
                    let block = |([x, y], [w, h], of): &([i32; 2], [u32; 2], Vec<Tile>)| match self
                        .is_infinite
                    {
                        true => format!(
                            "{{\"x\":{x},\"y\":{y},\"width\":{w},\"height\":{h},\"data\":[{}]}}",
                            numbers(of)
                        ),
                        false => numbers(of),
                    };
                    let data: Vec<_> = blocks.iter().map(block).collect();
                    let key = if self.is_infinite { "chunks" } else { "data" };
                    let [width, height] = self.size;
                    let head = format!("{head},\"width\":{width},\"height\":{height}");
                    format!("{{\"type\":\"tilelayer\",{head},\"{key}\":[{}]}}", data.join(","))
                }
            };
            match layer.group {
                Some(by) => format!("{{\"type\":\"group\",{},\"layers\":[{text}]}}", place(by)),
                None => text,
            }
        };
        let layers: Vec<_> = self.layers.iter().map(layer).collect();
        let ([width, height], [across, down]) = (self.size, self.tile);
        let orientation = if self.is_isometric { "isometric" } else { "orthogonal" };
        let Tileset { first, size, columns, count, offset } = OWN;
        format!(
            "{{\"type\":\"map\",\"orientation\":\"{orientation}\",\"width\":{width},\"height\":{height},\
             \"tilewidth\":{across},\"tileheight\":{down},\"infinite\":{},\"tilesets\":[{{\"firstgid\":{first},\
             \"name\":\"own\",\"tilewidth\":{},\"tileheight\":{},\"tilecount\":{count},\"columns\":{columns},\
             \"tileoffset\":{{\"x\":{},\"y\":{}}},\"image\":\"page.png\",\"imagewidth\":9,\"imageheight\":6}},\
             {{\"firstgid\":{},\"source\":\"set.tsx\"}}],\"layers\":[{}]}}",
            self.is_infinite,
            size[0],
            size[1],
            offset[0],
            offset[1],
            SET.first,
            layers.join(",")
        )
    }
}

fn numbers(tiles: &[Tile]) -> String {
    tiles.iter().map(|tile| tile.0.to_string()).collect::<Vec<_>>().join(",")
}

fn object(source: &mut Source<'_>) -> (Option<Tile>, [i32; 2], [u32; 2]) {
    let at = [0; 2].map(|_| source.within(-9, 40));
    let size = [0; 2].map(|_| 1 + source.below(9));
    let tile = Tile((SET.first + source.below(SET.count)) | (source.below(4) << 30));
    let own = Tile((OWN.first + source.below(OWN.count)) | (source.below(4) << 30));
    match source.below(3) {
        0 => (None, at, size),
        // A tile at its own size, because its offset is scaled with it.
        1 => (Some(own), at, OWN.size),
        _ => (Some(tile), at, size),
    }
}

/// Returns a mask at another size: each pixel is the one below its centre.
fn resized(mask: &Mask, [width, height]: [u32; 2]) -> Mask {
    let mut resized = Mask::new(width, height).expect("a small mask");
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let from = |at: u32, own: u32, side: u32| ((2 * at + 1) * own / (2 * side)) as i32;
        let is_set = mask.get(from(x, mask.width(), width), from(y, mask.height(), height));
        resized.set(x as i32, y as i32, is_set);
    }
    resized
}

/// Returns a project of LDtk with one level, and its pixels: tiles at any place with flips, and the value 1 of a
/// grid of values.
fn ldtk(source: &mut Source<'_>) -> (String, Mask) {
    let mut all = Mask::new(SIDE, SIDE).expect("a small mask");
    let side = 1 + source.below(4);
    let [width, height] = [0; 2].map(|_| 1 + source.below(6));
    let offset = [0; 2].map(|_| source.within(0, 4));
    let mut tiles = Vec::new();
    for _ in 0..source.below(8) {
        let (id, flips) = (source.below(OWN.count), source.below(4));
        let at = [0; 2].map(|_| source.within(-4, 30));
        let [left, top] = [id % OWN.columns * 3, id / OWN.columns * 3];
        tiles.push(format!(
            "{{\"px\":[{},{}],\"src\":[{left},{top}],\"f\":{flips},\"t\":{id}}}",
            at[0], at[1]
        ));
        let [flip_x, flip_y] = [flips & 1, flips >> 1];
        let tile = Tile((OWN.first + id) | (flip_x << 31) | (flip_y << 30));
        all.draw(&tile.picture(), [0, 1].map(|axis| CORNER + at[axis] + offset[axis]));
    }
    let values: Vec<u32> = (0..width * height).map(|_| source.below(3)).collect();
    for (i, _) in (0..).zip(&values).filter(|(_, value)| **value == 1) {
        let cell = [i % width, i / width].map(|at| CORNER + (at * side) as i32);
        all.draw(&Mask::solid(side, side).expect("a small mask"), cell);
    }
    let layer = |kind: &str, side: u32, [x, y]: [i32; 2], values: &str, tiles: &str| {
        format!(
            "{{\"__identifier\":\"{kind}\",\"__type\":\"{kind}\",\"__cWid\":{width},\"__cHei\":{height},\
             \"__gridSize\":{side},\"__pxTotalOffsetX\":{x},\"__pxTotalOffsetY\":{y},\"__tilesetDefUid\":1,\
             \"overrideTilesetUid\":null,\"layerDefUid\":10,\"visible\":true,\"intGridCsv\":[{values}],\
             \"autoLayerTiles\":[],\"gridTiles\":[{tiles}],\"entityInstances\":[]}}"
        )
    };
    let values: Vec<_> = values.iter().map(u32::to_string).collect();
    let layers = [
        layer("Tiles", 3, offset, "", &tiles.join(",")),
        layer("IntGrid", side, [0, 0], &values.join(","), ""),
    ];
    let text = format!(
        "{{\"jsonVersion\":\"1.5.3\",\"worldLayout\":\"Free\",\"worlds\":[],\"defs\":{{\"tilesets\":[\
         {{\"identifier\":\"Page\",\"uid\":1,\"relPath\":\"page.png\",\"pxWid\":9,\"pxHei\":6,\"tileGridSize\":3,\
         \"spacing\":0,\"padding\":0,\"__cWid\":3,\"customData\":[],\"enumTags\":[]}}],\"layers\":[{{\"uid\":10,\
         \"intGridValues\":[{{\"value\":1,\"identifier\":null}},{{\"value\":2,\"identifier\":\"air\"}}]}}],\
         \"entities\":[]}},\"levels\":[{{\"identifier\":\"A\",\"worldX\":0,\"worldY\":0,\"worldDepth\":0,\
         \"pxWid\":36,\"pxHei\":36,\"externalRelPath\":null,\"fieldInstances\":[],\"layerInstances\":[{}]}}]}}",
        layers.join(",")
    );
    (text, all)
}

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let mut source = Source::Bytes(data);
    let (kind, damages) = (source.below(5), source.below(8).saturating_sub(4));
    let (ending, text, truth) = match kind {
        0 => {
            let (text, truth) = ldtk(&mut source);
            ("ldtk", text, truth)
        }
        kind => {
            let map = TiledMap::random(&mut source);
            let (ending, text) = match kind {
                1 | 2 => ("tmx", map.xml(kind == 1)),
                _ => ("tmj", map.json()),
            };
            (ending, text, map.pixels())
        }
    };
    let mut bytes = text.into_bytes();
    for _ in 0..damages {
        if bytes.is_empty() {
            break;
        }
        let at = source.below(bytes.len().min(1 << 16) as u32) as usize;
        match source.below(4) {
            0 => bytes.truncate(at.max(1)),
            1 => _ = bytes.remove(at),
            2 => bytes.insert(at, source.below(256) as u8),
            _ => bytes[at] = source.below(256) as u8,
        }
    }
    if bytes.len() > MAX_BYTES {
        return;
    }
    let mut settings = SourceSettings::from(Settings { angles: 1, ..Settings::default() });
    settings.sprite.alpha = AlphaRule::AtLeast(LEAST_ALPHA);
    let some = |text: &str| Some(text.to_owned());
    settings.map = vec![MapRule { class: some("1"), becomes: some("wall"), ..MapRule::default() }];
    let path = write(&format!("map.{ending}"), &bytes);
    let atlas = bake(limited_level().sprites_with(path, settings));
    if damages > 0 {
        return;
    }
    let atlas = atlas.unwrap_or_else(|error| panic!("a whole map bakes: {error}"));
    let name = if ending == "ldtk" { "map/A" } else { "map" };
    let shown = map_pixels(&atlas, name, [SIDE; 2], [CORNER; 2]);
    let cut = |mask: &Mask| format!("{:?}\n{}", mask.bounds(), mask.trimmed().0);
    assert!(
        shown == truth,
        "{}\nshown: {}\ntruth: {}",
        String::from_utf8_lossy(&bytes),
        cut(&shown),
        cut(&truth)
    );
}
