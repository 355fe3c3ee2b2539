//! Reads the levels of LDtk projects (`.ldtk`), of version 1.x of the format.
//!
//! Called by `inputs`. Invariant: memory follows the length of the files. Cells, and what levels copy from
//! definitions, count towards the limit on decoding.
//!
//! - A level has the properties `worldX`, `worldY` and `worldDepth`, `world` in one of several worlds, and
//!   its fields. The levels of a linear layout lie edge to edge.
//! - The values of an IntGrid are tiles, with the identifier of the value as class, or its number. The
//!   tiles of its rules are a second layer of the same name.
//! - A tile has its enum tags as properties with the value `true`, and its custom data as `data`. It lies
//!   where LDtk draws it, also if it is larger than a cell.
//! - An entity is an object named by its identifier. Its class is its first tag, or else the identifier. Its
//!   properties are `iid` and its fields. It shows its tile, unless that is an icon of LDtk, or drawn
//!   cropped, repeated or in nine slices. It then has the shape of its bounds.
//! - Fields without a value are left out. Arrays, points and references are JSON without blanks.

mod format;
mod tilesets;

use super::level::{
    Art, Cell, Finding, Form, Level, Object, Properties, Tile, TileLayer, TileRef, Tileset, Turn,
    rgb,
};
use crate::error::{BakeError, BakeFault};
use crate::image::tiled::{Basis, Shape};
use crate::limits::{BakeLimits, Cost};
use crate::read_file::beside;
use crate::text::Text;
use format::{Layout, RenderMode, TileRenderMode};
use std::collections::BTreeMap;
use std::fmt::{Arguments, Display};
use std::mem::{replace, take};
use std::path::{Path, PathBuf};

/// Definitions by their uid.
struct Definitions {
    sheets: BTreeMap<i64, format::Tileset>,
    layers: BTreeMap<i64, format::LayerDefinition>,
    entities: BTreeMap<i64, format::EntityDefinition>,
}

/// Reads the levels of a project, each with its name: the identifier of the level.
pub(crate) fn read(path: &Path, limits: &BakeLimits) -> Result<Vec<(String, Level)>, BakeError> {
    let source = Text::read(path)?;
    let format::Header { jsonVersion: version } = source.json(&source.text)?;
    if version.split('.').next() != Some("1") {
        let cause = format!("the project has version {version:?} of the format, and not 1.x");
        let help = "open the project in LDtk 1.0 to 1.5 and save it: that converts it";
        return Err(BakeError::unsupported(path, cause, help));
    }
    let project: format::Project = source.json(&source.text)?;
    let format::Definitions { tilesets, layers, entities } = project.defs;
    let definitions = Definitions {
        sheets: tilesets.into_iter().map(|it| (it.uid, it)).collect(),
        layers: layers.into_iter().map(|it| (it.uid, it)).collect(),
        entities: entities.into_iter().map(|it| (it.uid, it)).collect(),
    };
    let world = format::World {
        identifier: String::new(),
        worldLayout: project.worldLayout,
        levels: project.levels,
    };
    let (mut levels, mut bytes) = (Vec::new(), 0);
    for world in [world].into_iter().chain(project.worlds) {
        let mut edge = [0_i64; 2];
        for level in world.levels {
            let size = [level.pxWid, level.pxHei].map(i64::from);
            let next = [0, 1].map(|axis| edge[axis].saturating_add(size[axis]));
            let place = match world.worldLayout {
                Some(Layout::LinearHorizontal) => replace(&mut edge, [next[0], 0]),
                Some(Layout::LinearVertical) => replace(&mut edge, [0, next[1]]),
                Some(Layout::Free | Layout::GridVania) | None => [level.worldX, level.worldY],
            };
            let mut reader = Reader {
                project: path,
                limits,
                definitions: &definitions,
                bytes: &mut bytes,
                file: path.to_owned(),
                level: Level { files: vec![path.to_owned()], ..Level::default() },
                sets: BTreeMap::new(),
                stale: 0,
                first_stale: String::new(),
            };
            let name = level.identifier.clone();
            reader.level(level, place, &world.identifier)?;
            if reader.stale > 0 {
                let cause = format!("{} tiles are left out: {}", reader.stale, reader.first_stale);
                let help =
                    "remove them, or enlarge the image to whole tiles and load it again in LDtk";
                let (path, remedy) = (reader.file.clone(), help.to_owned());
                reader.level.findings.push(Finding { path, cause, remedy });
            }
            levels.push((name, reader.level));
        }
    }
    Ok(levels)
}

/// Reads one level.
struct Reader<'r> {
    project: &'r Path,
    limits: &'r BakeLimits,
    definitions: &'r Definitions,
    /// The bytes of all levels so far.
    bytes: &'r mut u64,
    /// The file of the level, for errors.
    file: PathBuf,
    level: Level,
    /// The tilesets of the level by their uid. A rectangle that is no tile of the grid has one of its own.
    sets: BTreeMap<(i64, Option<[u32; 4]>), u16>,
    /// The number of tiles that are not on their images, and the first one.
    stale: u32,
    first_stale: String,
}

impl<'r> Reader<'r> {
    fn level(
        &mut self,
        mut level: format::Level,
        [x, y]: [i64; 2],
        world: &str,
    ) -> Result<(), BakeError> {
        if let (None, Some(named)) = (&level.layerInstances, &level.externalRelPath) {
            self.file = file(self.project, named, "level file")?;
            self.level.files.push(self.file.clone());
            let source = Text::read(&self.file)?;
            // Several levels may name one file.
            self.spend(source.text.len())?;
            let own: format::Level = source.json(&source.text)?;
            if own.identifier != level.identifier {
                let cause = format!("the project has level {:?} here", level.identifier);
                return Err(self.malformed(format_args!("level {:?}", own.identifier), cause));
            }
            level = own;
        }
        let name = &level.identifier;
        let at = format_args!("level {name:?}");
        let Some(layers) = level.layerInstances else {
            return Err(self.malformed(at, "the level has neither layers nor a file of its own"));
        };
        self.spend(world.len())?;
        self.level.size = [level.pxWid, level.pxHei].map(f64::from);
        self.level.background = level.__bgColor.as_deref().and_then(rgb);
        let place = [("worldX", x), ("worldY", y), ("worldDepth", level.worldDepth)];
        let place = place.into_iter().map(|(key, value)| (key.to_owned(), value.to_string()));
        let world = Some(("world".to_owned(), world.to_owned())).filter(|(_, it)| !it.is_empty());
        self.level.properties = place.chain(world).collect();
        self.level.properties.extend(self.properties(at, level.fieldInstances)?);
        // The lowest layer first.
        for layer in layers.into_iter().rev().filter(|layer| layer.visible) {
            match layer.__type {
                format::LayerType::IntGrid => {
                    self.values(name, &layer)?;
                    if !layer.autoLayerTiles.is_empty() {
                        self.tiles(name, &layer, &layer.autoLayerTiles, true)?;
                    }
                }
                format::LayerType::AutoLayer => {
                    self.tiles(name, &layer, &layer.autoLayerTiles, true)?;
                }
                format::LayerType::Tiles => self.tiles(name, &layer, &layer.gridTiles, false)?,
                format::LayerType::Entities => self.objects(name, layer)?,
            }
        }
        Ok(())
    }

    /// Reads the values of an IntGrid.
    fn values(&mut self, level: &str, layer: &format::Layer) -> Result<(), BakeError> {
        let (name, csv) = (&layer.__identifier, &layer.intGridCsv);
        let [columns, rows, grid] = [layer.__cWid, layer.__cHei, layer.__gridSize].map(u64::from);
        let at = format_args!("level {level:?}, layer {name:?}");
        if csv.len() as u64 != columns.saturating_mul(rows) {
            let cause = format!("{} values for {columns} x {rows} cells", csv.len());
            return Err(self.malformed(at, cause));
        }
        let Some(definition) = self.definitions.layers.get(&layer.layerDefUid) else {
            let cause = format!("no layer is defined with uid {}", layer.layerDefUid);
            return Err(self.malformed(at, cause));
        };
        let count = csv.iter().filter(|&&value| value != 0).count();
        self.spend(count.saturating_mul(size_of::<Cell>()))?;
        let mut tiles = BTreeMap::new();
        for it in &definition.intGridValues {
            let class = it.identifier.clone().unwrap_or_else(|| it.value.to_string());
            self.spend(class.len().saturating_add(size_of::<Tile>()))?;
            tiles.insert(it.value, Tile { class, ..Tile::default() });
        }
        let mut cells = Vec::with_capacity(count);
        let set = self.next_set(at)?;
        for (index, &id) in csv.iter().enumerate().filter(|&(_, &value)| value != 0) {
            let cell = [(index as u64).checked_rem(columns), (index as u64).checked_div(columns)];
            let px = cell.map(|at| i64::try_from(at?.checked_mul(grid)?).ok());
            let corner =
                px[0].zip(px[1]).and_then(|(x, y)| corner(layer, [x, y], layer.__gridSize));
            let Some(at) = corner.filter(|_| grid > 0) else {
                let at = format_args!("level {level:?}, layer {name:?}, cell {index}");
                let cause = format!("it is no place on a grid of {grid} pixels");
                return Err(self.malformed(at, cause));
            };
            tiles.entry(id).or_insert_with(|| Tile { class: id.to_string(), ..Tile::default() });
            cells.push(Cell { at, tile: TileRef { id, set, turn: Turn::default() } });
        }
        let art = Art::Solid([layer.__gridSize; 2]);
        self.level.tilesets.push(Tileset::new(name, art, tiles));
        self.push_layer(name, cells);
        Ok(())
    }

    /// Reads tiles of a layer, by hand or of its rules.
    fn tiles(
        &mut self,
        level: &str,
        layer: &format::Layer,
        tiles: &[format::Tile],
        is_of_rules: bool,
    ) -> Result<(), BakeError> {
        self.spend(tiles.len().saturating_mul(size_of::<Cell>()))?;
        let name = &layer.__identifier;
        let definitions = self.definitions;
        let Some(definition) = definitions.layers.get(&layer.layerDefUid) else {
            let at = format_args!("level {level:?}, layer {name:?}");
            let cause = format!("no layer is defined with uid {}", layer.layerDefUid);
            return Err(self.malformed(at, cause));
        };
        let mut cells = Vec::with_capacity(tiles.len());
        for (index, tile) in tiles.iter().enumerate() {
            let &format::Tile { px, src, f: flips, t: id } = tile;
            let at = format_args!("level {level:?}, layer {name:?}, tile {index}");
            let Some(uid) = layer.overrideTilesetUid.or(layer.__tilesetDefUid) else {
                return Err(self.malformed(at, "the layer has no tileset"));
            };
            let sheet = self.sheet(at, uid)?;
            let side = sheet.tileGridSize;
            let rect = [src[0], src[1]].map(|at| u32::try_from(at).ok());
            let rect = rect[0].zip(rect[1]).map(|(x, y)| [x, y, side, side]);
            let Some(rect) = rect.filter(|&rect| sheet.number(rect) == Some(id)) else {
                let cause =
                    format!("tile {id} is not at {src:?} in tileset {:?}", sheet.identifier);
                return Err(self.malformed(at, cause));
            };
            if !self.is_on_image(at, sheet, rect) {
                continue;
            }
            let place = layer.corner(definition, tile, side, is_of_rules);
            // The first pixel whose centre is on the tile.
            let place = place.map(|at| (at - 0.5).ceil() as i64);
            let Some(place) = corner(layer, place, side).filter(|_| flips < 4) else {
                let cause = format!("a tile at {px:?} with the flips {flips} is not possible");
                return Err(self.malformed(at, cause));
            };
            let turn = Turn { x: flips & 1 != 0, y: flips & 2 != 0, ..Turn::default() };
            let tile = TileRef { turn, ..self.tile(at, uid, rect)? };
            cells.push(Cell { at: place, tile });
        }
        self.push_layer(name, cells);
        Ok(())
    }

    fn push_layer(&mut self, name: &str, cells: Vec<Cell>) {
        let (name, class, properties) = (name.to_owned(), String::new(), Vec::new());
        self.level.layers.push(TileLayer { name, class, properties, cells });
    }

    fn objects(&mut self, level: &str, mut layer: format::Layer) -> Result<(), BakeError> {
        let name = layer.__identifier.clone();
        for (index, entity) in take(&mut layer.entityInstances).into_iter().enumerate() {
            let at = format_args!("level {level:?}, layer {name:?}, entity {index}");
            self.spend(name.len())?;
            let object = self.object(at, &layer, entity)?;
            self.level.objects.push(object);
        }
        Ok(())
    }

    fn object(
        &mut self,
        at: Arguments<'_>,
        layer: &format::Layer,
        entity: format::Entity,
    ) -> Result<Object, BakeError> {
        let anchor = entity.__pivot;
        if anchor.iter().any(|fraction| !(0.0..=1.0).contains(fraction)) {
            return Err(self.malformed(at, format_args!("the pivot {anchor:?} is not in 0 to 1")));
        }
        let Some(definition) = self.definitions.entities.get(&entity.defUid) else {
            let cause = format!("no entity is defined with uid {}", entity.defUid);
            return Err(self.malformed(at, cause));
        };
        let offset = [layer.__pxTotalOffsetX, layer.__pxTotalOffsetY];
        let position = [0, 1].map(|axis| f64::from(entity.px[axis]) + f64::from(offset[axis]));
        let size = [entity.width, entity.height].map(f64::from);
        let corner = [0, 1].map(|axis| position[axis] - anchor[axis] * size[axis]);
        let basis = Basis { corner, x: [1.0, 0.0], y: [0.0, 1.0] };
        let sheet = entity.__tile.as_ref().map(|tile| self.sheet(at, tile.tilesetUid));
        let sheet = sheet.transpose()?.filter(|sheet| sheet.relPath.is_some());
        let picture = match entity.__tile.zip(sheet) {
            Some((tile, sheet))
                if self.is_on_image(at, sheet, [tile.x, tile.y, tile.w, tile.h]) =>
            {
                let own = [tile.w, tile.h].map(f64::from);
                let scale = (size[0] / own[0]).min(size[1] / own[1]);
                let shown = match definition.tileRenderMode {
                    TileRenderMode::Stretch => Some(size),
                    TileRenderMode::FitInside => Some(own.map(|side| side * scale)),
                    TileRenderMode::FullSizeUncropped => Some(own),
                    TileRenderMode::Cut => Some(own).filter(|&own| own == size),
                };
                shown.map(|shown| (tile, shown))
            }
            _ => None,
        };
        let (form, size) = match (picture, definition.renderMode) {
            _ if size.contains(&0.0) => (Form::Point, size),
            (Some((tile, shown)), _) => {
                let rect = [tile.x, tile.y, tile.w, tile.h];
                let tile = self.tile(at, tile.tilesetUid, rect)?;
                (Form::Tile { tile, anchor, degrees: 0.0 }, shown)
            }
            (None, RenderMode::Cross) => (Form::Point, size),
            (None, RenderMode::Ellipse) => (Form::Shape(Shape::Ellipse { basis, size }), size),
            (None, RenderMode::Rectangle) => {
                (Form::Shape(Shape::rectangle(&basis, [0.0, 0.0], size)), size)
            }
        };
        let id = entity.iid.clone();
        let mut properties = vec![("iid".to_owned(), entity.iid)];
        properties.extend(self.properties(at, entity.fieldInstances)?);
        let name = entity.__identifier;
        let class = entity.__tags.into_iter().next().unwrap_or_else(|| name.clone());
        let layer = layer.__identifier.clone();
        Ok(Object { id, name, class, properties, layer, position, size, form })
    }

    fn properties(
        &self,
        at: Arguments<'_>,
        fields: Vec<format::Field>,
    ) -> Result<Properties, BakeError> {
        let property = |field: format::Field| match field.text() {
            Ok(text) => text.map(|text| Ok((field.__identifier, text))),
            Err(e) => {
                let cause = format!("field {:?}: {e}", field.__identifier);
                Some(Err(self.malformed(at, cause)))
            }
        };
        fields.into_iter().filter_map(property).collect()
    }

    /// Counts bytes that the level takes.
    fn spend(&mut self, bytes: usize) -> Result<(), BakeError> {
        *self.bytes = self.bytes.saturating_add(bytes as u64);
        self.limits.check(Cost::DecodingBytes, *self.bytes, self.project)
    }

    fn malformed(&self, at: Arguments<'_>, cause: impl Display) -> BakeError {
        let help = "save the project again in LDtk, or correct the file";
        let rest = format_args!(": {at}: {cause}");
        BakeError::of_file(BakeFault::Malformed, &self.file, rest, help)
    }
}

/// Returns the bottom-left corner of a tile of this height at a place of its layer.
fn corner(layer: &format::Layer, [x, y]: [i64; 2], height: u32) -> Option<[i32; 2]> {
    let x = x.checked_add(layer.__pxTotalOffsetX.into())?;
    let y = y.checked_add(layer.__pxTotalOffsetY.into())?.checked_add(height.into())?;
    Some([i32::try_from(x).ok()?, i32::try_from(y).ok()?])
}

/// Returns the path of a file, relative to the project.
fn path(project: &Path, named: &str) -> PathBuf {
    project.with_file_name("").join(named.replace('\\', "/"))
}

/// Returns the path of a file that the project names.
fn file(project: &Path, named: &str, what: &str) -> Result<PathBuf, BakeError> {
    beside(project, named).ok_or_else(|| {
        let rest = format_args!(": there is no {what} {named:?}");
        let help = "put the file at that path, relative to the project, or choose it again in LDtk";
        BakeError::of_file(BakeFault::NotFound, project, rest, help)
    })
}
