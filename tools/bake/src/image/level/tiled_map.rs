//! Reads a map of Tiled, in XML (`.tmx`) or JSON (`.tmj`, `.json`), to a [`Level`].
//!
//! Called by `inputs`. Every orientation is read, finite and infinite, with tilesets and templates in the
//! file or beside it. A cell lies where Tiled draws it. Isometric cells of odd sides lie between pixels,
//! and are rounded to the lower right; Tiled itself rounds them by the size of each picture. Ignored,
//! because they change no shape: colours, opacity, tint and parallax. Image layers are left out.
//!
//! What cannot be placed is left out, with a finding: stale tiles, and single objects. A tileset that is not
//! there is an error of the tiles that are drawn of it.

use super::level::{
    Art, Cell, Finding, Form, Level, MAX_PLACE, Object, Tile, TileImage, TileLayer, TileRef,
    Tileset, Turn, rgb,
};
use super::tile_data;
use crate::error::{BakeError, BakeFault};
use crate::image::grid::Grid;
use crate::image::tiled::{
    self, Basis, Element, Templates, TileNumbers, cos_sin, inherit, read_file, tile_shapes,
};
use crate::limits::{BakeLimits, Cost};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Bits of a tile number that say how the tile is shown.
const FLIP_X: u32 = 1 << 31;
const FLIP_Y: u32 = 1 << 30;
const DIAGONAL: u32 = 1 << 29;
const TURN_120: u32 = 1 << 28;
/// The other bits.
const NUMBER: u32 = TURN_120 - 1;

/// Reads the map at `path`.
pub(crate) fn read(path: &Path, limits: &BakeLimits) -> Result<Level, BakeError> {
    let (source, root) = read_file(path)?;
    if root.name != "map" {
        let cause = format!("the file is a {:?}, not a map", root.name);
        return Err(source.refused(root.at, cause, "export the map from Tiled again"));
    }
    let layout = Layout::of(&source, &root)?;
    let side = |name| whole(&source, &root, name, 1, 1 << 16);
    let mut reader = Reader {
        layout,
        grid: [side("tilewidth")?, side("tileheight")?],
        limits,
        firsts: Vec::new(),
        sets: Vec::new(),
        set_files: BTreeMap::new(),
        templates: Templates::of_map(),
        cells: 0,
        stale: 0,
        first_stale: String::new(),
        level: Level {
            size: layout.size(),
            background: root.attribute("backgroundcolor").and_then(rgb),
            properties: root.properties(),
            files: vec![path.to_owned()],
            ..Level::default()
        },
    };
    for element in root.named("tileset") {
        reader.tileset(&source, element)?;
    }
    reader.group(&source, &root, &Place::default())?;
    let Reader { mut level, templates, stale, first_stale, .. } = reader;
    let (unread, first) = &templates.unread;
    for (count, cause, remedy) in [
        (
            stale,
            format!("{stale} tiles are left out: {first_stale}"),
            "remove them, or add the tileset that they are of to the map",
        ),
        (
            *unread,
            format!("{unread} objects have content that is not read: {first}"),
            "remove it, or save the file in the format of Tiled 1.12",
        ),
    ] {
        if count > 0 {
            let (path, remedy) = (path.to_owned(), remedy.to_owned());
            level.findings.push(Finding { path, cause, remedy });
        }
    }
    level.files.extend(templates.into_paths());
    let mut seen = BTreeSet::new();
    level.files.retain(|file| seen.insert(file.clone()));
    Ok(level)
}

/// Returns a whole number from `least` to `most`, exclusive.
fn whole(
    source: &Text,
    element: &Element,
    name: &str,
    least: u32,
    most: u32,
) -> Result<u32, BakeError> {
    let number = source.number(element, name)?.unwrap_or(f64::from(least));
    if number.fract() == 0.0 && (f64::from(least)..f64::from(most)).contains(&number) {
        return Ok(number as u32);
    }
    let cause = format!("{name} must be a whole number from {least} to below {most}, not {number}");
    Err(source.malformed(element.at, cause))
}

/// Returns true if a layer, a group or an object is hidden. XML has numbers, JSON words.
fn is_hidden(element: &Element) -> bool {
    ["0", "false"].contains(&element.attribute("visible").unwrap_or("1"))
}

/// Where the cells of a map lie.
#[derive(Clone, Copy, Debug)]
struct Layout {
    kind: Kind,
    /// Number of cells across and down.
    cells: [u32; 2],
    /// Width and height of a cell.
    tile: [f64; 2],
    /// Length of the side of a hexagon along the axis that is staggered.
    side: [f64; 2],
    staggers_x: bool,
    /// The steps to the right from row to row, and down from column to column, of an oblique map.
    skew: [f64; 2],
    /// The first row or column is moved, not the second.
    is_even: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Orthogonal,
    /// Orthogonal cells that are moved by a shear. Their pictures are upright.
    Oblique,
    Isometric,
    Staggered,
    Hexagonal,
}

impl Layout {
    fn of(source: &Text, map: &Element) -> Result<Self, BakeError> {
        let help = "make it orthogonal, isometric, staggered, hexagonal or oblique in Tiled";
        let kind = match map.attribute("orientation").unwrap_or_default() {
            "orthogonal" => Kind::Orthogonal,
            "oblique" => Kind::Oblique,
            "" => return Err(source.refused(map.at, "the map has no orientation", help)),
            "isometric" => Kind::Isometric,
            "staggered" => Kind::Staggered,
            "hexagonal" => Kind::Hexagonal,
            other => {
                let cause = format!("the map has the unknown orientation {other:?}");
                return Err(source.refused(map.at, cause, help));
            }
        };
        let side = |name| whole(source, map, name, 1, 1 << 16).map(f64::from);
        let mut tile = [side("tilewidth")?, side("tileheight")?];
        let cells = ["width", "height"].map(|name| whole(source, map, name, 0, 1 << 31));
        let [width, height] = cells;
        let staggers_x = map.attribute("staggeraxis") == Some("x");
        let mut sides = [0.0; 2];
        if matches!(kind, Kind::Staggered | Kind::Hexagonal) {
            // Tiled draws cells of odd sides as if they were one pixel smaller.
            tile = tile.map(|side| side - side % 2.0);
            if kind == Kind::Hexagonal {
                let side = whole(source, map, "hexsidelength", 0, 1 << 16)?;
                sides[usize::from(!staggers_x)] = f64::from(side);
            }
        }
        let is_even = map.attribute("staggerindex") == Some("even");
        let mut skew = [0.0; 2];
        if kind == Kind::Oblique {
            skew = source.pair(map, ["skewx", "skewy"])?;
        }
        Ok(Self { kind, cells: [width?, height?], tile, side: sides, staggers_x, skew, is_even })
    }

    /// Returns the steps from one column and row to the next of a staggered or hexagonal map.
    fn steps(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.tile[axis] - self.side[axis]) / 2.0 + self.side[axis])
    }

    /// Returns the bottom-left corner of the picture in a cell.
    fn cell(&self, [x, y]: [i64; 2]) -> [f64; 2] {
        let [width, height] = self.tile;
        let [step_x, step_y] = self.steps();
        let is_moved = |at: i64| (at.rem_euclid(2) == 1) != self.is_even;
        let (column, row) = (x as f64, y as f64);
        match self.kind {
            Kind::Orthogonal | Kind::Oblique => {
                let [right, down] = self.skew;
                [column * width + (row + 1.0) * right, (row + 1.0) * height + column * down]
            }
            Kind::Isometric => {
                let [left, top] = self.diamond([column, row]);
                [left - width / 2.0, top + height]
            }
            _ if self.staggers_x => {
                let down = if is_moved(x) { step_y } else { 0.0 };
                [column * step_x, row * (height + self.side[1]) + down + height]
            }
            _ => {
                let right = if is_moved(y) { step_x } else { 0.0 };
                [column * (width + self.side[0]) + right, row * step_y + height]
            }
        }
    }

    /// Returns the place of a corner of the cells of an isometric map.
    fn diamond(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [width, height] = self.tile;
        let left = f64::from(self.cells[1]) * width / 2.0;
        [(x - y) * width / 2.0 + left, (x + y) * height / 2.0]
    }

    /// Returns the coordinate system of objects.
    fn ground(&self) -> Basis {
        let [width, height] = self.tile;
        if self.kind != Kind::Isometric {
            let [right, down] = self.skew;
            return Basis { corner: [0.0; 2], x: [1.0, down / width], y: [right / height, 1.0] };
        }
        let along = width / height / 2.0;
        Basis { corner: self.diamond([0.0; 2]), x: [along, 0.5], y: [-along, 0.5] }
    }

    fn size(&self) -> [f64; 2] {
        let [columns, rows] = self.cells.map(f64::from);
        let [width, height] = self.tile;
        let [step_x, step_y] = self.steps();
        let more = |cells: f64, step: f64| if cells > 1.0 { step } else { 0.0 };
        match self.kind {
            Kind::Orthogonal | Kind::Oblique => {
                let [right, down] = self.skew;
                [columns * width + (rows * right).abs(), rows * height + (columns * down).abs()]
            }
            Kind::Isometric => [(columns + rows) * width / 2.0, (columns + rows) * height / 2.0],
            _ if self.staggers_x => [
                columns * step_x + (width - step_x),
                rows * (height + self.side[1]) + more(columns, step_y),
            ],
            _ => [
                columns * (width + self.side[0]) + more(rows, step_x),
                rows * step_y + (height - step_y),
            ],
        }
    }
}

/// What a layer takes from the groups around it.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The names of the groups, with a `/` behind each.
    name: String,
    offset: [f64; 2],
}

struct Reader<'l> {
    layout: Layout,
    /// Width and height of a cell, as the file has them.
    grid: [u32; 2],
    limits: &'l BakeLimits,
    /// The first number of each tileset of the map, and its index.
    firsts: Vec<(u32, u16)>,
    /// Of each tileset the offset at which it is drawn, and the point of a tile that lies at the position of
    /// an object.
    sets: Vec<([f64; 2], Option<[f64; 2]>)>,
    /// The index of each tileset that is a file.
    set_files: BTreeMap<PathBuf, u16>,
    templates: Templates,
    /// The number of cells so far.
    cells: u64,
    /// The number of tiles that no tileset has, and the first one.
    stale: u32,
    first_stale: String,
    level: Level,
}

impl Reader<'_> {
    /// Adds the tileset of an element of the map, which may name a file.
    fn tileset(&mut self, source: &Text, element: &Element) -> Result<(), BakeError> {
        let first = whole(source, element, "firstgid", 1, TURN_120)?;
        let named = element.attribute("source").filter(|named| !named.is_empty());
        let read = match named {
            Some(named) => self
                .beside(source, element, ("tileset", named))
                .and_then(|path| self.tileset_file(&path)),
            None => self.read_tileset(source, element),
        };
        let index = match read {
            Ok(index) => index,
            Err(error) if matches!(error.fault, BakeFault::OverLimit { .. }) => return Err(error),
            Err(error) => {
                let name = named.or_else(|| element.attribute("name")).unwrap_or_default();
                let set = Tileset::new(name, Art::Images(BTreeMap::new()), BTreeMap::new());
                let set = Tileset { fault: Some(error), ..set };
                self.add_set(source, element, set, Default::default())?
            }
        };
        if self.firsts.last().is_some_and(|&(last, _)| last >= first) {
            let cause = format!("tilesets must count upwards, but one begins at {first}");
            return Err(source.malformed(element.at, cause));
        }
        self.firsts.push((first, index));
        Ok(())
    }

    /// Returns the index of the tileset in a file, which is read once.
    fn tileset_file(&mut self, path: &Path) -> Result<u16, BakeError> {
        if let Some(&known) = self.set_files.get(path) {
            return Ok(known);
        }
        let (source, set) = read_file(path)?;
        let other = set.attribute("source");
        if set.name != "tileset" || other.is_some() {
            let cause = match other {
                Some(other) => {
                    format!("the file has no tiles, and only names another one: {other:?}")
                }
                None => format!("the file is a {:?}, not a tileset", set.name),
            };
            return Err(source.refused(set.at, cause, "name the file of a tileset"));
        }
        let index = self.read_tileset(&source, &set)?;
        self.set_files.insert(path.to_owned(), index);
        Ok(index)
    }

    /// Returns the path of a file that an element names, which is there. Adds it to the files.
    fn beside(
        &mut self,
        source: &Text,
        element: &Element,
        named: (&str, &str),
    ) -> Result<PathBuf, BakeError> {
        let help = "put the file at that path, relative to the file that names it";
        let path = source.beside(element, named, help)?;
        self.level.files.push(path.clone());
        Ok(path)
    }

    fn read_tileset(&mut self, source: &Text, set: &Element) -> Result<u16, BakeError> {
        let name = set.attribute("name").unwrap_or_default().to_owned();
        let number = |name, least| whole(source, set, name, least, 1 << 16);
        let size = [number("tilewidth", 0)?, number("tileheight", 0)?];
        let mut tiles = BTreeMap::new();
        let mut images = BTreeMap::new();
        for tile in set.named("tile") {
            let id = whole(source, tile, "id", 0, DIAGONAL)?;
            let mut height = size[1];
            if let Some(image) = source.child(tile, "image")? {
                let image = self.tile_image(source, tile, image)?;
                height = image.size[1];
                images.insert(id, image);
            }
            let frames = tile.named("animation").flat_map(|list| list.named("frame"));
            let frames = frames.map(|frame| whole(source, frame, "tileid", 0, DIAGONAL));
            tiles.insert(
                id,
                Tile {
                    class: tile.class().unwrap_or_default().to_owned(),
                    properties: tile.properties(),
                    shapes: tile_shapes(source, (set, tile), height, &mut self.templates)?,
                    animation: frames.collect::<Result<_, _>>()?,
                },
            );
        }
        let (mut art, mut fault) = (Art::Images(images), None);
        if let Some(image) = source.child(set, "image")? {
            let clear = clear_colour(source, set, image)?;
            let margin = [number("margin", 0)?; 2];
            let grid = Grid { margin, spacing: [number("spacing", 0)?; 2], ..Grid::of(size) };
            if size.contains(&0) {
                let cause = format!("the tileset {name:?} has tiles without an area");
                return Err(source.malformed(set.at, cause));
            }
            let found = self.image_path(source, image);
            fault = found.as_ref().err().cloned();
            art = Art::Sheet { image: found.unwrap_or_default(), grid, clear };
        }
        let offset = source.child(set, "tileoffset")?;
        let offset = offset.map(|offset| source.pair(offset, ["x", "y"]));
        let anchor = match set.attribute("objectalignment").unwrap_or("unspecified") {
            "unspecified" => None,
            named => {
                let part = |low, high| match named {
                    _ if named.contains(low) => 0.0,
                    _ if named.contains(high) => 1.0,
                    _ => 0.5,
                };
                Some([part("left", "right"), part("top", "bottom")])
            }
        };
        let cell = (set.attribute("tilerendersize") == Some("grid")).then_some(self.grid);
        let fits = set.attribute("fillmode") == Some("preserve-aspect-fit");
        let made = Tileset { name, art, tiles, cell, fits, fault };
        self.add_set(source, set, made, (offset.transpose()?.unwrap_or_default(), anchor))
    }

    fn add_set(
        &mut self,
        source: &Text,
        element: &Element,
        set: Tileset,
        places: ([f64; 2], Option<[f64; 2]>),
    ) -> Result<u16, BakeError> {
        let index = u16::try_from(self.level.tilesets.len());
        self.level.tilesets.push(set);
        self.sets.push(places);
        index.map_err(|_| source.malformed(element.at, "a map has at most 65,536 tilesets"))
    }

    fn tile_image(
        &mut self,
        source: &Text,
        tile: &Element,
        image: &Element,
    ) -> Result<TileImage, BakeError> {
        let number = |element, name| whole(source, element, name, 0, 1 << 17);
        let size = [number(image, "width")?, number(image, "height")?];
        let part = ["x", "y", "width", "height"].map(|name| number(tile, name));
        let [x, y, width, height] = part;
        let part = [x?, y?, width?, height?];
        let is_part = part[2] > 0 && part[3] > 0;
        let size = if is_part { [part[2], part[3]] } else { size };
        if size.contains(&0) {
            let cause = "the image of a tile has no width or height";
            let help = "save the tileset in Tiled again";
            return Err(source.refused(image.at, cause, help));
        }
        let clear = clear_colour(source, tile, image)?;
        let found = self.image_path(source, image);
        let fault = found.as_ref().err().cloned();
        let (path, part) = (found.unwrap_or_default(), is_part.then_some(part));
        Ok(TileImage { path, size, part, clear, fault })
    }

    fn image_path(&mut self, source: &Text, image: &Element) -> Result<PathBuf, BakeError> {
        match image.attribute("source").filter(|named| !named.is_empty()) {
            Some(named) => self.beside(source, image, ("image", named)),
            None => {
                let cause = "the image of a tileset is inside its file";
                let help = "save the image as a file of its own, and name it in the tileset";
                Err(source.refused(image.at, cause, help))
            }
        }
    }

    /// Reads the layers of the map or of a group.
    fn group(&mut self, source: &Text, group: &Element, at: &Place) -> Result<(), BakeError> {
        for child in &group.children {
            if is_hidden(child) {
                continue;
            }
            let name = format!("{}{}", at.name, child.attribute("name").unwrap_or_default());
            let mut place = Place { name, offset: at.offset };
            if ["group", "layer", "objectgroup"].contains(&child.name.as_str()) {
                let offset = source.pair(child, ["offsetx", "offsety"])?;
                place.offset = [0, 1].map(|axis| at.offset[axis] + offset[axis]);
            }
            match child.name.as_str() {
                "group" => {
                    place.name.push('/');
                    self.group(source, child, &place)?;
                }
                "layer" => self.layer(source, child, place)?,
                "objectgroup" => {
                    for object in child.named("object") {
                        match self.object(source, object, &place) {
                            Err(error) if !matches!(error.fault, BakeFault::OverLimit { .. }) => {
                                let outcome = format!(
                                    "object {}/{} is left out",
                                    place.name,
                                    object.attribute("id").unwrap_or_default()
                                );
                                self.level.findings.push(Finding::of(&error, &outcome));
                            }
                            read => read?,
                        }
                    }
                }
                "tileset" | "imagelayer" | "properties" | "editorsettings" | "export"
                | "propertytypes" => {}
                other => {
                    let cause = format!("the map has the unknown content {other:?}");
                    let help = "remove it, or save the map in the format of Tiled 1.12";
                    let error = source.refused(child.at, cause, help);
                    self.level.findings.push(Finding::of(&error, "it is left out"));
                }
            }
        }
        Ok(())
    }

    fn layer(&mut self, source: &Text, layer: &Element, place: Place) -> Result<(), BakeError> {
        let data = source.child(layer, "data")?.unwrap_or(layer);
        let mut cells = Vec::new();
        let mut chunks = data.named("chunk").peekable();
        if chunks.peek().is_some() {
            for chunk in chunks {
                self.chunk(source, (data, chunk), &place, &mut cells)?;
            }
        } else if data.attribute(tiled::TEXT).is_some() || data.named("tile").next().is_some() {
            self.tiles(source, (data, data), [0, 0], layer, &place, &mut cells)?;
        }
        let class = layer.class().filter(|class| *class != "tilelayer");
        self.level.layers.push(TileLayer {
            name: place.name,
            class: class.unwrap_or_default().to_owned(),
            properties: layer.properties(),
            cells,
        });
        Ok(())
    }

    fn chunk(
        &mut self,
        source: &Text,
        (data, chunk): (&Element, &Element),
        place: &Place,
        cells: &mut Vec<Cell>,
    ) -> Result<(), BakeError> {
        let corner = source.pair(chunk, ["x", "y"])?.map(|at| at as i64);
        self.tiles(source, (data, chunk), corner, chunk, place, cells)
    }

    /// Appends the tiles of a block of cells. `sized` has its width and height.
    fn tiles(
        &mut self,
        source: &Text,
        (data, block): (&Element, &Element),
        corner: [i64; 2],
        sized: &Element,
        place: &Place,
        cells: &mut Vec<Cell>,
    ) -> Result<(), BakeError> {
        let [width, height] =
            ["width", "height"].map(|name| whole(source, sized, name, 0, 1 << 31));
        let (width, height) = (u64::from(width?), u64::from(height?));
        let count = width.saturating_mul(height);
        self.cells = self.cells.saturating_add(count);
        let bytes = self.cells.saturating_mul(size_of::<Cell>() as u64);
        if let Err(error) = self.limits.check(Cost::DecodingBytes, bytes, &source.path) {
            let cell = size_of::<Cell>() as u64;
            let most = self.limits.max_decoding_bytes.checked_div(cell).unwrap_or(0);
            let cause = format!(
                "layer {:?} has {width} x {height} cells, and a map has at most {most} in all layers",
                place.name
            );
            let help =
                "correct the size of the layer, split the map, or raise --limit-decoding-bytes";
            return Err(source.error(error.fault, sized.at, cause, help));
        }
        let numbers = tile_data::numbers(source, data, block, count as usize)?;
        for (number, i) in numbers.into_iter().zip(0_u64..) {
            if number & NUMBER == 0 {
                continue;
            }
            // The width is above 0, because there is a tile.
            let column = i.checked_rem(width).unwrap_or_default() as i64;
            let row = i.checked_div(width).unwrap_or_default() as i64;
            let cell = [corner[0].saturating_add(column), corner[1].saturating_add(row)];
            let tile = match self.tile(number) {
                Ok(tile) => tile,
                Err(cause) => {
                    let [x, y] = cell;
                    self.stale(|| format!("layer {:?}, cell {x}, {y}: {cause}", place.name));
                    continue;
                }
            };
            let [left, bottom] = self.layout.cell(cell);
            let set = &self.level.tilesets[usize::from(tile.set)];
            let (mut offset, _) = self.sets[usize::from(tile.set)];
            if let Some((size, shown)) = set.size(tile.id).zip(set.cell) {
                let scale = set.scale(size.map(f64::from), shown.map(f64::from));
                offset = [0, 1].map(|axis| offset[axis] * scale[axis]);
            }
            let at = [left + place.offset[0] + offset[0], bottom + place.offset[1] + offset[1]];
            if at.iter().any(|at| at.abs() > MAX_PLACE) {
                let [x, y] = cell;
                let cause = format!(
                    "layer {:?}, cell {x}, {y} lies more than {MAX_PLACE} pixels from the corner of the map",
                    place.name
                );
                return Err(source.refused(block.at, cause, "split the map into several maps"));
            }
            cells.push(Cell { at: at.map(|at| (at + 0.5).floor() as i32), tile });
        }
        Ok(())
    }

    /// Counts a tile that no tileset has.
    fn stale(&mut self, first: impl FnOnce() -> String) {
        if self.stale == 0 {
            self.first_stale = first();
        }
        self.stale = self.stale.saturating_add(1);
    }

    /// Returns the tile of a global number.
    fn tile(&self, number: u32) -> Result<TileRef, String> {
        let gid = number & NUMBER;
        let after = self.firsts.partition_point(|&(first, _)| first <= gid);
        let Some(&(first, set)) = after.checked_sub(1).and_then(|at| self.firsts.get(at)) else {
            return Err(format!("no tileset has the tile {gid}"));
        };
        self.tile_of(set, gid.saturating_sub(first), number)
    }

    /// Returns the tile of a number in a tileset, with the flags of its global number.
    fn tile_of(&self, set: u16, id: u32, flags: u32) -> Result<TileRef, String> {
        let tileset = &self.level.tilesets[usize::from(set)];
        if tileset.size(id).is_none() && tileset.fault.is_none() {
            return Err(format!("the tileset {:?} has no tile {id}", tileset.name));
        }
        let has = |bit: u32| flags & bit != 0;
        let mut turn = Turn { diagonal: has(DIAGONAL), x: has(FLIP_X), y: has(FLIP_Y), sixths: 0 };
        if self.layout.kind == Kind::Hexagonal {
            turn.diagonal = false;
            turn.sixths = u8::from(has(DIAGONAL)) | u8::from(has(TURN_120)) << 1;
        }
        Ok(TileRef { id, set, turn })
    }

    fn object(&mut self, source: &Text, element: &Element, place: &Place) -> Result<(), BakeError> {
        if is_hidden(element) {
            return Ok(());
        }
        let object = self.templates.object(source, element)?;
        let corner = source.pair(element, ["x", "y"])?;
        let degrees = object.degrees.unwrap_or(0.0);
        let mut basis = self.layout.ground().moved(corner);
        basis.corner = [0, 1].map(|axis| basis.corner[axis] + place.offset[axis]);
        let position = basis.corner;
        let mut size = object.size.unwrap_or_default();
        let (mut class, mut properties) = (object.class, object.properties);
        let form = if let Some(tiled::Form::Tile { gid, set }) = &object.form {
            let tile = match set {
                TileNumbers::Map => self.tile(*gid),
                TileNumbers::Template(path, first) => {
                    if !path.is_file() {
                        let cause = format!("there is no tileset {}", path.display());
                        let help = "put the tileset at that path, or detach the object in Tiled";
                        return Err(source.error(BakeFault::NotFound, element.at, cause, help));
                    }
                    let set = self.tileset_file(path)?;
                    self.level.files.push(path.clone());
                    let id = (gid & NUMBER).checked_sub(*first);
                    let id = id.ok_or_else(|| format!("no tileset has the tile {gid}"));
                    id.and_then(|id| self.tile_of(set, id, *gid))
                }
            };
            match tile {
                Ok(tile) => {
                    let at = usize::from(tile.set);
                    let set = &self.level.tilesets[at];
                    let picture = set.size(tile.id).unwrap_or([1, 1]).map(f64::from);
                    size = object.size.filter(|size| !size.contains(&0.0)).unwrap_or(picture);
                    let (offset, anchor) = self.sets[at];
                    let is_isometric = self.layout.kind == Kind::Isometric;
                    let anchor = anchor.unwrap_or([if is_isometric { 0.5 } else { 0.0 }, 1.0]);
                    // The offset of the tileset is scaled with the picture.
                    let scale = set.scale(picture, size);
                    let part = |axis: usize| offset[axis] * scale[axis] / size[axis];
                    let anchor = [0, 1].map(|axis| anchor[axis] - part(axis));
                    if let Some(tile) = set.tiles.get(&tile.id) {
                        class = class.or_else(|| Some(tile.class.clone()));
                        inherit(&mut properties, &tile.properties);
                    }
                    let is_point = size.contains(&0.0);
                    if is_point { Form::Point } else { Form::Tile { tile, anchor, degrees } }
                }
                Err(cause) => {
                    let id = element.attribute("id").unwrap_or_default();
                    self.stale(|| format!("object {}/{id}: {cause}", place.name));
                    Form::Point
                }
            }
        } else {
            let basis = basis.turned(cos_sin(degrees));
            let shape = tiled::Form::shape(object.form.as_ref(), basis, size);
            let is_empty = !matches!(object.form, Some(tiled::Form::Polygon(_)))
                && size.iter().any(|&side| side <= 0.0);
            shape.filter(|_| !is_empty).map_or(Form::Point, Form::Shape)
        };
        self.level.objects.push(Object {
            id: element.attribute("id").unwrap_or_default().to_owned(),
            name: object.name.unwrap_or_default(),
            class: class.unwrap_or_default(),
            properties,
            layer: place.name.clone(),
            position,
            size,
            form,
        });
        Ok(())
    }
}

/// Returns the colour whose texels are clear.
fn clear_colour(
    source: &Text,
    set: &Element,
    image: &Element,
) -> Result<Option<[u8; 3]>, BakeError> {
    let named = image.attribute("trans").or_else(|| set.attribute("transparentcolor"));
    let Some(text) = named else { return Ok(None) };
    match rgb(text) {
        Some(color) => Ok(Some(color)),
        None => {
            let cause = format!("{text:?} is no colour such as ff00ff");
            Err(source.malformed(image.at, cause))
        }
    }
}
