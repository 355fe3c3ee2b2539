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

use super::level::{Art, Finding, Form, Level, MAX_PLACE, TileRef};
use super::pictures::{Pictures, blank};
use super::role::Role;
use crate::binary::{Digest, digest};
use crate::error::{BakeError, BakeFault};
use crate::image::decode::Pages;
use crate::limits::{BakeLimits, Cost};
use crate::map_rule::MapRule;
use crate::settings::SourceSettings;
use hitmask::baking::Frame;
use hitmask::{Angle, MAX_SIDE, Map, MapItem, MapShape, Mask, Pivot, Rect};
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
    /// The angle steps of the objects.
    angles: u32,
    terrains: Vec<Terrain>,
    /// For each layer what its tiles become.
    roles: Vec<HashMap<(u16, u32), Drawn>>,
    pictures: Vec<Picture>,
    /// The shapes of objects with their boxes.
    shapes: Vec<(usize, Rect)>,
    /// The images that tiles are cut from.
    pub(crate) sheets: Vec<PathBuf>,
    pub(crate) map: Map,
}

/// The index of a terrain that a tile is part of, and the margin around the tile if its shapes draw it.
type Drawn = (usize, Option<u32>);

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
    /// The bits of the degrees by which the picture is turned, as no step of its sprite does.
    turned: u64,
}

impl Picture {
    /// Returns what tells the picture from others of the level, given the name of its tileset.
    fn name(&self, set: &str) -> String {
        let Self { tile: TileRef { id, turn, .. }, size: [width, height], pivot: [x, y], .. } =
            self;
        let letter = |is_set: bool, letter: &'static str| if is_set { letter } else { "" };
        let (d, h, v) = (letter(turn.diagonal, "d"), letter(turn.x, "h"), letter(turn.y, "v"));
        let name = format!("{set}/{id}{d}{h}{v}{} {width}x{height} {x},{y}", turn.sixths);
        match f64::from_bits(self.turned) {
            0.0 => name,
            degrees => format!("{name} {degrees}"),
        }
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
        (&self.map.name, &self.rules, self.unites_animations, self.angles, CHUNK).hash(state);
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
        angles: u32,
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
            angles,
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
        made.add_objects()?;
        made.add_unread();
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
                            false => {
                                let tileset = &self.level.tilesets[usize::from(set)];
                                let margin = role.shapes.then(|| tileset.shapes(id).1);
                                // Shapes need the size of the tile only.
                                if !role.shapes || tileset.size(id).is_none() {
                                    let all = self.unites_animations;
                                    check_pictures(&self.level, (set, id), all)?;
                                }
                                Some((terrain(&mut self.terrains, &role, path)?, margin))
                            }
                        };
                        roles.insert((set, id), found);
                        found
                    }
                };
                let Some((terrain, margin)) = found else { continue };
                let rect = self.level.rect(cell, margin.unwrap_or(0)).unwrap_or_default();
                drawn = drawn.saturating_add(rect.area());
                limits.check(Cost::TilePixels, drawn, path)?;
                for chunk in chunks_of(rect) {
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

    fn add_objects(&mut self) -> Result<(), BakeError> {
        let path = self.level.path().to_owned();
        let finding =
            |cause, remedy: &str| Finding { path: path.clone(), cause, remedy: remedy.to_owned() };
        let (mut known, mut turned) = (HashMap::new(), Vec::new());
        let mut names = Names::default();
        for (index, object) in self.level.objects.iter().enumerate() {
            let role = Role::new("object", matches!(object.form, Form::Shape(_))).by(
                &self.rules,
                &object.layer,
                &[&object.class],
                &[&object.properties],
            );
            let id = object.item_id();
            let mut position = object.position.map(|at| at as f32);
            let rect = match &object.form {
                _ if role.becomes.is_empty() => Ok(None),
                Form::Point => Ok(None),
                Form::Shape(shape) => {
                    let [low, high] = shape.bounds();
                    bounds(low, high).map(Some)
                }
                Form::Tile { .. } => {
                    let end = [0, 1].map(|axis| object.position[axis] + object.size[axis]);
                    bounds(object.position, end).map(Some)
                }
            };
            let rect = rect.unwrap_or_else(|cause| {
                let cause = format!("object {id:?} {cause}, so it is a point without a collider");
                let remedy = "move it into the level, make it smaller, or split it";
                self.level.findings.push(finding(cause, remedy));
                None
            });
            let shape = match (&object.form, rect) {
                (_, None) | (Form::Point, _) => None,
                (Form::Shape(_), Some(rect)) => {
                    position = [rect.x0, rect.y0].map(|at| at as f32);
                    let frame = self.shapes.len() as u32;
                    self.shapes.push((index, rect));
                    Some((Part::Shapes, frame, names.unique(id.clone()), 0.0))
                }
                (Form::Tile { tile, anchor, degrees }, Some(_)) => {
                    let all = self.unites_animations;
                    check_pictures(&self.level, (tile.set, tile.id), all)?;
                    let side = |axis: usize| object.size[axis].round().clamp(1.0, 65_536.0);
                    let [width, height] = [side(0), side(1)];
                    let half = |side: f64, anchor: f64| (2.0 * side * anchor).round() as i32;
                    let is_step = is_step(*degrees, self.angles);
                    let picture = Picture {
                        tile: *tile,
                        size: [width as u32, height as u32],
                        pivot: [half(width, anchor[0]), half(height, anchor[1])],
                        turned: if is_step { 0 } else { degrees.rem_euclid(360.0).to_bits() },
                    };
                    // A sprite of one step shows the picture at any angle.
                    let angle = if is_step || self.angles == 1 { *degrees } else { 0.0 };
                    if !is_step && self.angles > 1 {
                        turned.push((id.clone(), *degrees));
                    }
                    let (frame, name) = known.entry(picture).or_insert_with(|| {
                        self.pictures.push(picture);
                        let set = &self.level.tilesets[usize::from(tile.set)].name;
                        let frame = self.pictures.len().saturating_sub(1) as u32;
                        (frame, names.unique(picture.name(set)))
                    });
                    Some((Part::Objects, *frame, name.clone(), angle))
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
        if let Some((id, degrees)) = turned.first() {
            let (count, angles) = (turned.len(), self.angles);
            let cause = format!(
                "{count} tile objects are turned by no step of {angles} angles, such as {id:?} by {degrees} \
                 degrees: their frames are drawn turned, and their colliders have the angle 0"
            );
            let remedy = "if the game turns them further, bake with angles = N so that 360 / N divides \
                          their rotations";
            self.level.findings.push(finding(cause, remedy));
        }
        Ok(())
    }

    /// Adds the tilesets and images that are not there, which nothing shows.
    fn add_unread(&mut self) {
        for set in &self.level.tilesets {
            let images = match &set.art {
                Art::Images(images) => Some(images.values()),
                Art::Sheet { .. } | Art::Solid(_) => None,
            };
            let images = images.into_iter().flatten().filter_map(|image| image.fault.as_ref());
            let faults = set.fault.iter().chain(images);
            self.level.findings.extend(faults.map(|it| Finding::of(it, "no drawn tile needs it")));
        }
    }

    /// Returns true if a tile object is turned, so that its frame depends on the angle steps.
    fn has_turned(&self) -> bool {
        let is_turned = |form: &Form| matches!(form, Form::Tile { degrees, .. } if *degrees != 0.0);
        self.level.objects.iter().any(|object| is_turned(&object.form))
    }

    /// Returns the findings about the level, which warnings name.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.level.findings
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
        digest(&(&self.rules, self.unites_animations, self.angles, part, CHUNK))
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
            Part::Objects if self.has_turned() && self.angles != settings.sure_steps() => {
                let rest = ": the angle steps were set after the level was added";
                let help = "set the angles, or an error that chooses them, before the level";
                Err(BakeError::of_file(BakeFault::Option, path, rest, help))
            }
            Part::Objects => {
                let mut frames = Vec::with_capacity(self.pictures.len());
                for picture in &self.pictures {
                    let &Picture { tile, size, pivot, turned } = picture;
                    let (mask, pivot) =
                        pictures.of_object(tile, size, pivot, f64::from_bits(turned))?;
                    frames.push(at(mask, pivot));
                }
                self.warn_of_lost(part, &pictures, self.pictures.iter().map(|it| &it.tile));
                Ok(frames)
            }
            Part::Shapes if self.shapes.is_empty() => Ok(vec![at(blank(path, [1, 1])?, [0, 0])]),
            Part::Shapes => {
                let shape = |(index, rect): &(usize, Rect)| {
                    let mut mask = blank(path, [rect.width(), rect.height()])?;
                    if let Form::Shape(shape) = &self.level.objects[*index].form {
                        let corner = [rect.x0, rect.y0].map(f64::from);
                        shape.placed(corner.map(|at| -at), [1.0; 2]).draw(&mut mask);
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
                let Some(&(_, margin)) = role.filter(|(terrain, _)| *terrain == index) else {
                    continue;
                };
                let mask = pictures.shown(cell.tile, margin.is_some())?;
                let Some(rect) = self.level.rect(cell, margin.unwrap_or(0)) else { continue };
                for chunk in chunks_of(rect) {
                    let [row, column] = chunk.map(|at| at.saturating_mul(CHUNK));
                    let corner = [rect.x0.saturating_sub(column), rect.y0.saturating_sub(row)];
                    if let Some(&frame) = terrain.chunks.get(&chunk) {
                        masks[frame as usize].draw(mask, corner);
                    }
                }
            }
        }
        let shown = self.level.layers.iter().zip(&self.roles).flat_map(|(layer, roles)| {
            let role = |tile: &&TileRef| roles.get(&(tile.set, tile.id)) == Some(&(index, None));
            layer.cells.iter().map(|cell| &cell.tile).filter(role)
        });
        self.warn_of_lost(Part::Terrain(index), pictures, shown);
        Ok(masks)
    }

    /// Warns of shown tiles whose pictures their tilesets do not have.
    fn warn_of_lost<'t>(
        &self,
        part: Part,
        pictures: &Pictures<'_>,
        shown: impl Iterator<Item = &'t TileRef>,
    ) {
        if pictures.lost.is_empty() {
            return;
        }
        let mut lost = shown.filter(|tile| pictures.lost.contains(&(tile.set, tile.id)));
        let Some(&TileRef { id, set, .. }) = lost.next() else { return };
        let count = lost.count().saturating_add(1);
        let set = &self.level.tilesets[usize::from(set)].name;
        let cause = format!(
            "{count} tiles are left out, such as tile {id} of tileset {set:?}, whose image does not have it"
        );
        let remedy = "remove them from the level, or give the tileset its whole image again";
        let (path, remedy) = (self.level.path().to_owned(), remedy.to_owned());
        pictures.warn(Finding { path, cause, remedy }.warning(&self.sprite(part)));
    }
}

/// Returns true if a sprite of some angle steps shows a picture turned by these degrees as it is.
fn is_step(degrees: f64, angles: u32) -> bool {
    let steps = degrees.rem_euclid(360.0) / 360.0 * f64::from(angles);
    // An atlas stores an angle in 1/65,536 of a turn.
    (steps - steps.round()).abs() * 65_536.0 < 0.5 * f64::from(angles)
}

/// Returns the error of a tile whose pictures are not there: the first of its animation, or all of them.
fn check_pictures(level: &Level, (set, id): (u16, u32), all: bool) -> Result<(), BakeError> {
    let set = &level.tilesets[usize::from(set)];
    let frames = set.tiles.get(&id).map_or(&[][..], |tile| &tile.animation);
    let frames = if frames.is_empty() { std::slice::from_ref(&id) } else { frames };
    let faults = frames.iter().take(if all { frames.len() } else { 1 }).filter_map(|id| {
        let Art::Images(images) = &set.art else { return None };
        images.get(id)?.fault.as_ref()
    });
    set.fault.iter().chain(faults).next().map_or(Ok(()), |error| Err(error.clone()))
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

/// Returns the chunks that a rectangle lies in, by row and column.
fn chunks_of(rect: Rect) -> impl Iterator<Item = [i32; 2]> {
    let last = |end: i32| end.saturating_sub(1).div_euclid(CHUNK);
    let columns = rect.x0.div_euclid(CHUNK)..=last(rect.x1);
    let rows = rect.y0.div_euclid(CHUNK)..=last(rect.y1);
    rows.flat_map(move |row| columns.clone().map(move |column| [row, column]))
}

/// Returns the box of whole pixels around coordinates, or why it cannot be placed.
fn bounds(low: [f64; 2], high: [f64; 2]) -> Result<Rect, String> {
    if let Some(at) = low.into_iter().chain(high).find(|at| at.is_nan() || at.abs() > MAX_PLACE) {
        return Err(format!("lies at {at}, over {MAX_PLACE} pixels from the corner of the map"));
    }
    let [x0, y0] = low.map(|at| at.floor() as i32);
    let [x1, y1] = high.map(|at| at.ceil() as i32);
    let rect = Rect::new(x0, y0, x1.max(x0.saturating_add(1)), y1.max(y0.saturating_add(1)));
    match [rect.width(), rect.height()] {
        [width, height] if width.max(height) > MAX_SIDE => {
            Err(format!("has {width} x {height} pixels, over {MAX_SIDE} a side"))
        }
        _ => Ok(rect),
    }
}
