//! A level as sprites and a map: [`LevelMap`].
//!
//! Made by `frame_source` when a level is opened, and drawn when the bake is written.
//!
//! ```text
//! cells of all layers --rules--> terrains: chunks of one mask each     sprite NAME/TERRAIN
//! objects with a picture ----->  one frame per picture and size        sprite NAME/objects
//! other objects with an area --> one frame each                        sprite NAME/shapes
//! ```
//!
//! Tiles are merged to chunks of [`CHUNK`] pixels a side, so a walker meets no edge between two tiles. The
//! items of the map follow from the level without its pixels.

use super::level::{Art, Cell, Form, Level, TileRef};
use super::pictures::{Pictures, blank, resized};
use super::role::Role;
use crate::binary::{Digest, digest};
use crate::error::{BakeError, BakeFault};
use crate::image::decode::Pages;
use crate::image::tiled::Shape;
use crate::limits::{BakeLimits, Cost};
use crate::map_rule::MapRule;
use crate::settings::SourceSettings;
use hitmask::baking::Frame;
use hitmask::{Angle, Map, MapItem, MapShape, Mask, Pivot, Rect};
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Side of a chunk of terrain in pixels.
pub(crate) const CHUNK: i32 = 512;
const CHUNK_TEXELS: u64 = (CHUNK as u64).pow(2);

/// A level with the sprites that it becomes.
#[derive(Debug)]
pub(crate) struct LevelMap {
    level: Level,
    rules: Vec<MapRule>,
    /// Shows all pictures of an animated tile, not the first.
    unites_animations: bool,
    terrains: Vec<Terrain>,
    /// For each layer what its tiles become: the index of the terrain, and whether shapes draw the tile.
    roles: Vec<HashMap<(u16, u32), (usize, bool)>>,
    pictures: Vec<Picture>,
    /// The shapes of objects with their boxes.
    shapes: Vec<(usize, Rect)>,
    /// The images that tiles are cut from.
    pub(crate) sheets: Vec<PathBuf>,
    pub(crate) map: Map,
}

#[derive(Debug)]
struct Terrain {
    role: Role,
    /// The frame of each chunk, by row and column.
    chunks: BTreeMap<[i32; 2], u32>,
}

/// The picture of an object: a tile at a size, with its pivot in half-texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Picture {
    tile: TileRef,
    size: [u32; 2],
    pivot: [i32; 2],
}

impl Picture {
    /// Returns what tells the picture from others of the level, given the name of its tileset.
    fn name(&self, set: &str) -> String {
        let Self { tile: TileRef { id, turn, .. }, size: [width, height], pivot: [x, y] } = self;
        let letter = |is_set: bool, letter: &'static str| if is_set { letter } else { "" };
        let (d, h, v) = (letter(turn.diagonal, "d"), letter(turn.x, "h"), letter(turn.y, "v"));
        format!("{set}/{id}{d}{h}{v}{} {width}x{height} {x},{y}", turn.sixths)
    }
}

/// The names of the pictures so far. Two tilesets may have one name, and two objects one id.
#[derive(Default)]
struct Names(HashMap<String, u32>);

impl Names {
    /// Returns the name, with a number behind it if it is not new.
    fn unique(&mut self, name: String) -> String {
        let count = self.0.entry(name.clone()).or_insert(0);
        *count = count.saturating_add(1);
        if *count == 1 { name } else { format!("{name}~{count}") }
    }
}

impl Hash for LevelMap {
    /// Hashes what is taken of the files, of which the caller compares the bytes.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.map.name, &self.rules, self.unites_animations, CHUNK).hash(state);
    }
}

/// One of the sprites of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The chunks of a terrain, by its index.
    Terrain(usize),
    /// The pictures of objects.
    Objects,
    /// The shapes of objects.
    Shapes,
}

impl LevelMap {
    /// Returns the sprites and the map of a level. Fails if the masks exceed a limit, or if the tiles of one
    /// terrain have several settings.
    pub(crate) fn new(
        name: &str,
        level: Level,
        rules: &[MapRule],
        unites_animations: bool,
        limits: &BakeLimits,
    ) -> Result<Self, BakeError> {
        let path = level.path().to_owned();
        let sheets = level.tilesets.iter().filter_map(|set| match &set.art {
            Art::Sheet { image, .. } => Some(image.clone()),
            Art::Images(_) | Art::Solid(_) => None,
        });
        let mut made = Self {
            sheets: sheets.collect(),
            rules: rules.to_vec(),
            unites_animations,
            terrains: Vec::new(),
            roles: Vec::new(),
            pictures: Vec::new(),
            shapes: Vec::new(),
            map: Map {
                name: name.to_owned(),
                size: level.size.map(|side| side as f32),
                properties: level.properties.clone(),
                ..Map::default()
            },
            level,
        };
        let chunks = made.add_terrain(&path, limits)?;
        made.add_objects(&path)?;
        let boxes = made.shapes.iter().map(|(_, rect)| rect.area());
        let pictures = made
            .pictures
            .iter()
            .map(|picture| u64::from(picture.size[0]).saturating_mul(picture.size[1].into()));
        let chunk_texels = chunks.saturating_mul(CHUNK_TEXELS);
        let texels = boxes.chain(pictures).fold(chunk_texels, u64::saturating_add);
        limits.check(Cost::Texels, texels, &path)?;
        let objects = made.shapes.len().saturating_add(made.pictures.len());
        limits.check(Cost::Frames, chunks.saturating_add(objects as u64), &path)?;
        Ok(made)
    }

    /// Returns the frames of a part that share an area, and this area in texels, for all frames.
    pub(crate) fn areas(&self, part: Part) -> Vec<(u64, f64)> {
        match part {
            Part::Terrain(index) => {
                vec![(self.terrains[index].chunks.len() as u64, CHUNK_TEXELS as f64)]
            }
            Part::Objects => {
                let area = |[width, height]: [u32; 2]| f64::from(width) * f64::from(height);
                self.pictures.iter().map(|picture| (1, area(picture.size))).collect()
            }
            Part::Shapes => self.shapes.iter().map(|(_, rect)| (1, rect.area() as f64)).collect(),
        }
    }

    /// Finds the terrain of each tile and the chunks of each terrain, and adds them to the map. Returns the
    /// number of chunks. The limits are checked at each tile, because one may lie in thousands of chunks.
    fn add_terrain(&mut self, path: &Path, limits: &BakeLimits) -> Result<u64, BakeError> {
        let (mut chunks, mut drawn) = (0_u64, 0_u64);
        for layer in &self.level.layers {
            let mut roles = HashMap::new();
            for cell in &layer.cells {
                let TileRef { id, set, .. } = cell.tile;
                let found = match roles.get(&(set, id)) {
                    Some(&found) => found,
                    None => {
                        let role = role_of(&self.level, layer, (set, id), &self.rules);
                        let found = match role.becomes.is_empty() {
                            true => None,
                            false => Some((terrain(&mut self.terrains, &role, path)?, role.shapes)),
                        };
                        roles.insert((set, id), found);
                        found
                    }
                };
                let Some((terrain, _)) = found else { continue };
                let area = self.level.rect(cell).unwrap_or_default().area();
                drawn = drawn.saturating_add(area);
                limits.check(Cost::TilePixels, drawn, path)?;
                for chunk in chunks_of(&self.level, cell) {
                    let is_new = self.terrains[terrain].chunks.insert(chunk, 0).is_none();
                    chunks = chunks.saturating_add(is_new.into());
                    limits.check(Cost::Texels, chunks.saturating_mul(CHUNK_TEXELS), path)?;
                    limits.check(Cost::Frames, chunks, path)?;
                }
            }
            let used = roles.into_iter().filter_map(|(tile, found)| Some((tile, found?)));
            self.roles.push(used.collect());
        }
        for index in 0..self.terrains.len() {
            let sprite = self.sprite(Part::Terrain(index));
            let terrain = &mut self.terrains[index];
            let Role { becomes, sensor, layers, collides_with, .. } = &terrain.role;
            for (frame, ([row, column], place)) in (0_u32..).zip(&mut terrain.chunks) {
                *place = frame;
                let picture = format!("{column},{row}");
                let id = format!("{becomes}/{picture}");
                let shape = MapShape {
                    sprite: sprite.clone(),
                    frame,
                    picture,
                    sensor: *sensor,
                    layers: *layers,
                    collides_with: *collides_with,
                    ..MapShape::default()
                };
                self.map.items.push(MapItem {
                    id,
                    name: becomes.clone(),
                    class: "chunk".to_owned(),
                    position: [column, row].map(|&at| (f64::from(at) * f64::from(CHUNK)) as f32),
                    size: [CHUNK as f32; 2],
                    properties: Vec::new(),
                    shape: Some(shape),
                });
            }
        }
        Ok(chunks)
    }

    fn add_objects(&mut self, path: &Path) -> Result<(), BakeError> {
        let mut known = HashMap::new();
        let mut names = Names::default();
        for (index, object) in self.level.objects.iter().enumerate() {
            let role = Role::new("object", matches!(object.form, Form::Shape(_))).by(
                &self.rules,
                &object.layer,
                &[&object.class],
                &[&object.properties],
            );
            let mark = if object.id.is_empty() { &object.name } else { &object.id };
            let id = format!("{}/{mark}", object.layer);
            let mut position = object.position.map(|at| at as f32);
            let shape = match &object.form {
                _ if role.becomes.is_empty() => None,
                Form::Point => None,
                Form::Shape(shape) => {
                    let rect = bounds(shape).filter(|rect| !rect.is_empty());
                    let rect = rect.ok_or_else(|| {
                        let cause = format!("the object {:?} is too large", object.name);
                        BakeError::unsupported(path, cause, "make it smaller, or split it")
                    })?;
                    position = [rect.x0, rect.y0].map(|at| at as f32);
                    let frame = self.shapes.len() as u32;
                    self.shapes.push((index, rect));
                    Some((Part::Shapes, frame, names.unique(id.clone()), 0.0))
                }
                Form::Tile { tile, anchor, degrees } => {
                    let side = |axis: usize| object.size[axis].round().clamp(1.0, 65_536.0);
                    let [width, height] = [side(0), side(1)];
                    let half = |side: f64, anchor: f64| (2.0 * side * anchor).round() as i32;
                    let picture = Picture {
                        tile: *tile,
                        size: [width as u32, height as u32],
                        pivot: [half(width, anchor[0]), half(height, anchor[1])],
                    };
                    let (frame, name) = known.entry(picture).or_insert_with(|| {
                        self.pictures.push(picture);
                        let set = &self.level.tilesets[usize::from(tile.set)].name;
                        let frame = self.pictures.len().saturating_sub(1) as u32;
                        (frame, names.unique(picture.name(set)))
                    });
                    Some((Part::Objects, *frame, name.clone(), *degrees))
                }
            };
            let shape = shape.map(|(part, frame, picture, degrees)| MapShape {
                sprite: self.sprite(part),
                frame,
                picture,
                angle: Angle::turn(
                    (degrees.rem_euclid(360.0) / 360.0 * 65_536.0).round() as u32 as u16
                ),
                sensor: role.sensor,
                layers: role.layers,
                collides_with: role.collides_with,
                ..MapShape::default()
            });
            self.map.items.push(MapItem {
                id,
                name: object.name.clone(),
                class: object.class.clone(),
                position,
                size: object.size.map(|side| side as f32),
                properties: object.properties.clone(),
                shape,
            });
        }
        Ok(())
    }

    /// Returns the name of the sprite of a part.
    fn sprite(&self, part: Part) -> String {
        let last = match part {
            Part::Terrain(index) => self.terrains.get(index).map_or("", |it| &it.role.becomes),
            Part::Objects => "objects",
            Part::Shapes => "shapes",
        };
        format!("{}/{last}", self.map.name)
    }

    /// Returns the parts with the names of their sprites. There is at least one.
    pub(crate) fn parts(&self) -> Vec<(String, Part)> {
        let mut parts: Vec<Part> = (0..self.terrains.len()).map(Part::Terrain).collect();
        parts.extend((!self.pictures.is_empty()).then_some(Part::Objects));
        // A map of points alone has a sprite too, because a bake keeps nothing else.
        parts.extend((!self.shapes.is_empty() || parts.is_empty()).then_some(Part::Shapes));
        parts.into_iter().map(|part| (self.sprite(part), part)).collect()
    }

    /// Returns the files that the level reads.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.level.files
    }

    /// Returns a digest of what the level takes of its files for a part.
    pub(crate) fn cut(&self, part: Part) -> Digest {
        digest(&(&self.rules, self.unites_animations, part, CHUNK))
    }

    /// Draws the frames of a part.
    pub(crate) fn frames(
        &self,
        part: Part,
        settings: &SourceSettings,
        pages: &Pages,
    ) -> Result<Vec<Frame>, BakeError> {
        let path = self.level.path();
        let mut pictures = Pictures::new(&self.level, self.unites_animations, settings, pages);
        let at = |mask: Mask, [x, y]: [i32; 2]| Frame {
            pivot: Some(Pivot::HalfTexels(x, y)),
            ..Frame::from(mask)
        };
        match part {
            Part::Terrain(index) => {
                let masks = self.chunks(index, path, &mut pictures)?;
                Ok(masks.into_iter().map(|mask| at(mask, [0, 0])).collect())
            }
            Part::Objects => {
                let picture = |picture: &Picture| {
                    let mask = pictures.shown(picture.tile, false)?;
                    Ok(at(resized(path, mask, picture.size)?, picture.pivot))
                };
                self.pictures.iter().map(picture).collect()
            }
            Part::Shapes if self.shapes.is_empty() => Ok(vec![at(blank(path, [1, 1])?, [0, 0])]),
            Part::Shapes => {
                let shape = |(index, rect): &(usize, Rect)| {
                    let mut mask = blank(path, [rect.width(), rect.height()])?;
                    if let Form::Shape(shape) = &self.level.objects[*index].form {
                        let corner = [rect.x0, rect.y0].map(f64::from);
                        shape.moved(corner.map(|at| -at)).draw(&mut mask);
                    }
                    Ok(at(mask, [0, 0]))
                };
                self.shapes.iter().map(shape).collect()
            }
        }
    }

    /// Draws the chunks of a terrain.
    fn chunks(
        &self,
        index: usize,
        path: &Path,
        pictures: &mut Pictures<'_>,
    ) -> Result<Vec<Mask>, BakeError> {
        let terrain = &self.terrains[index];
        let masks = terrain.chunks.iter().map(|_| blank(path, [CHUNK as u32; 2]));
        let mut masks = masks.collect::<Result<Vec<_>, _>>()?;
        for (layer, roles) in self.level.layers.iter().zip(&self.roles) {
            for cell in &layer.cells {
                let role = roles.get(&(cell.tile.set, cell.tile.id));
                let Some(&(_, by_shapes)) = role.filter(|(terrain, _)| *terrain == index) else {
                    continue;
                };
                let mask = pictures.shown(cell.tile, by_shapes)?;
                let Some(rect) = self.level.rect(cell) else { continue };
                for chunk in chunks_of(&self.level, cell) {
                    let [row, column] = chunk.map(|at| at.saturating_mul(CHUNK));
                    let corner = [rect.x0.saturating_sub(column), rect.y0.saturating_sub(row)];
                    if let Some(&frame) = terrain.chunks.get(&chunk) {
                        masks[frame as usize].draw(mask, corner);
                    }
                }
            }
        }
        Ok(masks)
    }
}

/// Returns what a tile of a layer becomes.
fn role_of(
    level: &Level,
    layer: &super::level::TileLayer,
    (set, id): (u16, u32),
    rules: &[MapRule],
) -> Role {
    let tileset = &level.tilesets[usize::from(set)];
    let default = if matches!(tileset.art, Art::Solid(_)) { "" } else { "solid" };
    let (none, number) = (Vec::new(), id.to_string());
    let tile = tileset.tiles.get(&id);
    let class = tile.map_or("", |tile| &tile.class);
    // A value of an IntGrid is named by its number, too.
    let number = if default.is_empty() { number.as_str() } else { class };
    let classes = [class, &layer.class, number];
    let properties = [tile.map_or(&none, |tile| &tile.properties), &layer.properties];
    Role::new(default, false).by(rules, &layer.name, &classes, &properties)
}

/// Returns the index of the terrain of a role.
fn terrain(terrains: &mut Vec<Terrain>, role: &Role, path: &Path) -> Result<usize, BakeError> {
    let is_same = |known: &Terrain| known.role.becomes == role.becomes;
    let Some(index) = terrains.iter().position(is_same) else {
        terrains.push(Terrain { role: role.clone(), chunks: BTreeMap::new() });
        return Ok(terrains.len().saturating_sub(1));
    };
    let known = &terrains[index].role;
    if (Role { shapes: role.shapes, ..known.clone() }) == *role {
        return Ok(index);
    }
    let rest = format_args!(
        " has tiles that become {:?} with different layers, or only some of them as sensors",
        role.becomes
    );
    let help = "let the rules give them different names in becomes";
    Err(BakeError::of_file(BakeFault::Option, path, rest, help))
}

/// Returns the chunks that a cell lies in, by row and column.
fn chunks_of(level: &Level, cell: &Cell) -> impl Iterator<Item = [i32; 2]> + use<> {
    let rect = level.rect(cell).unwrap_or_default();
    let last = |end: i32| end.saturating_sub(1).div_euclid(CHUNK);
    let columns = rect.x0.div_euclid(CHUNK)..=last(rect.x1);
    let rows = rect.y0.div_euclid(CHUNK)..=last(rect.y1);
    rows.flat_map(move |row| columns.clone().map(move |column| [row, column]))
}

/// Returns the box of whole pixels around a shape. `None` if it is too far away or too large.
fn bounds(shape: &Shape) -> Option<Rect> {
    let [low, high] = shape.bounds();
    let is_near = |at: f64| at.abs() <= f64::from(1 << 24);
    let is_near = low.iter().chain(&high).all(|&at| is_near(at));
    let [x0, y0] = low.map(|at| at.floor() as i32);
    let [x1, y1] = high.map(|at| at.ceil() as i32);
    let rect = Rect::new(x0, y0, x1.max(x0.saturating_add(1)), y1.max(y0.saturating_add(1)));
    (is_near && rect.width() <= 65_536 && rect.height() <= 65_536).then_some(rect)
}
