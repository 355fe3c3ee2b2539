//! Maps: the placements of a level, by name, and their bytes in the atlas.
//!
//! Written by `finish`, checked by `validate`. FORMAT.md specifies the bytes. Invariant: a section is
//! decoded only to the values that encode to it.

use super::build_error::{BuildError, BuildFault};
use crate::geom::Flip;
use crate::ids::AtlasId;
use crate::pose::Angle;
use std::collections::BTreeMap;

/// A map of an atlas: the colliders and the named places of a level.
///
/// `hitmask-bake` makes maps of Tiled and LDtk files, and [`AtlasBuilder::map`](crate::AtlasBuilder::map)
/// takes one from memory. [`Atlas::map`](crate::Atlas::map) returns a map for reading, and
/// [`World::insert_map`](crate::World::insert_map) places its colliders.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map {
    /// The name, as that of a sprite: `levels/harbour`.
    pub name: String,
    /// The atlas that has the sprites. `None` if the map is not of an atlas: then the sprites are
    /// searched in all atlases of the world.
    pub atlas: Option<AtlasId>,
    /// Width and height in pixels.
    pub size: [f32; 2],
    /// The properties of the map, with their values as text.
    pub properties: Vec<(String, String)>,
    /// The colliders and the places, in the order of the file.
    pub items: Vec<MapItem>,
}

/// A part of a [`Map`]: a chunk of tiles, an object or a point.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapItem {
    /// What tells the item from all others, in this version of the level and in later ones. `solid/3,-1` is
    /// the chunk in column 3 and row -1, `things/17` is object 17 of a layer. Empty if the maker of
    /// the map gave none: then [`World::update_map`](crate::World::update_map) goes by the order.
    pub id: String,
    /// The name of the object, or the terrain of a chunk, such as `solid`.
    pub name: String,
    /// The class of the object; `chunk` for a chunk of tiles.
    pub class: String,
    /// Position in pixels from the top-left corner of the map: that of the collider, or the point.
    pub position: [f32; 2],
    /// Width and height of the object in pixels, before it is turned. 0 for a point.
    pub size: [f32; 2],
    /// The properties of the object, with their values as text.
    pub properties: Vec<(String, String)>,
    /// The shape of the collider. `None` for a point, which places none.
    pub shape: Option<MapShape>,
}

/// The collider of a [`MapItem`]. The fields are those of a [`Collider`](crate::Collider).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapShape {
    /// The name of the sprite.
    pub sprite: String,
    /// The frame of the sprite.
    pub frame: u32,
    /// What tells the frame from all others of the sprite, in later versions of the atlas too.
    /// [`AtlasesMut::replace`](crate::AtlasesMut::replace) finds the frame by it. Empty for a frame that is
    /// found by its number.
    pub picture: String,
    /// The plane of the sprite.
    pub plane: u32,
    /// Rotation about the pivot, clockwise. An atlas stores it in 1/65,536 of a turn, rounded.
    pub angle: Angle,
    /// Enlargement.
    pub scale: f32,
    /// Mirrored before it is rotated.
    pub flip: Flip,
    /// True for a sensor, which never blocks motion.
    pub sensor: bool,
    /// The layers that it is on.
    pub layers: u32,
    /// The layers that it collides with.
    pub collides_with: u32,
}

impl Default for MapShape {
    fn default() -> Self {
        Self {
            sprite: String::new(),
            frame: 0,
            picture: String::new(),
            plane: 0,
            angle: Angle::turn(0),
            scale: 1.0,
            flip: Flip::NONE,
            sensor: false,
            layers: 1,
            collides_with: u32::MAX,
        }
    }
}

/// Bits of the field `parts` of an item: what follows.
const SHAPE: u32 = 1;
const ID: u32 = 2;

/// Bits of the field `flags` of a shape. With the last one a picture follows.
const FLIP_X: u32 = 1;
const FLIP_Y: u32 = 2;
const SENSOR: u32 = 4;
const PICTURE: u32 = 8;

/// Returns the section of maps in any order: a multiple of 8 bytes, none without maps.
pub(super) fn encode(mut maps: Vec<Map>) -> Result<Vec<u8>, BuildError> {
    if maps.is_empty() {
        return Ok(Vec::new());
    }
    maps.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = maps.windows(2).find(|pair| pair[0].name == pair[1].name) {
        let cause = format!("two maps have the name {:?}", pair[0].name);
        return Err(BuildError::new(BuildFault::SameName, cause, "rename one of them"));
    }
    let mut writer = Writer::default();
    maps.iter().for_each(|map| each_text(map, &mut |text| _ = writer.texts.insert(text, 0)));
    writer.count(writer.texts.len());
    for (i, (text, number)) in writer.texts.iter_mut().enumerate() {
        *number = i;
        writer.bytes.extend((text.len() as u32).to_le_bytes());
        writer.bytes.extend(text.bytes());
    }
    writer.count(maps.len());
    maps.iter().for_each(|map| writer.map(map));
    writer.bytes.resize(writer.bytes.len().next_multiple_of(8), 0);
    match decode(&writer.bytes) {
        Ok(_) => Ok(writer.bytes),
        Err((i, field, _)) => {
            let name = maps.get(i).map_or("", |map| &map.name);
            let cause = format!("the map {name:?} has an invalid {field}");
            let help = match field {
                COPIES => "shorten the texts that many items have",
                _ => "give names, finite numbers, and scales above 0",
            };
            Err(BuildError::new(BuildFault::Map, cause, help))
        }
    }
}

fn each_text<'m>(map: &'m Map, take: &mut impl FnMut(&'m str)) {
    take(&map.name);
    let items = map.items.iter();
    let properties = items.clone().flat_map(|item| &item.properties).chain(&map.properties);
    properties.for_each(|(key, value)| [key, value].into_iter().for_each(|text| take(text)));
    for item in items {
        let of_shape = item.shape.iter().flat_map(|shape| [&shape.sprite, &shape.picture]);
        // An empty id and an empty picture are not written.
        let marks = [&item.id].into_iter().chain(of_shape).filter(|text| !text.is_empty());
        [&item.name, &item.class].into_iter().chain(marks).for_each(|text| take(text));
    }
}

#[derive(Default)]
struct Writer<'m> {
    /// The number of each text, in ascending order of the texts.
    texts: BTreeMap<&'m str, usize>,
    bytes: Vec<u8>,
}

impl<'m> Writer<'m> {
    fn number(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    /// Writes a number that memory limits: a map of 2^32 items does not fit.
    fn count(&mut self, number: usize) {
        self.number(u32::try_from(number).unwrap_or(u32::MAX));
    }

    fn text(&mut self, text: &'m str) {
        self.count(self.texts.get(text).copied().unwrap_or(usize::MAX));
    }

    fn pair(&mut self, pair: [f32; 2]) {
        pair.into_iter().for_each(|number| self.number(number.to_bits()));
    }

    fn properties(&mut self, properties: &'m [(String, String)]) {
        self.count(properties.len());
        for (key, value) in properties {
            self.text(key);
            self.text(value);
        }
    }

    fn map(&mut self, map: &'m Map) {
        self.text(&map.name);
        self.pair(map.size);
        self.properties(&map.properties);
        self.count(map.items.len());
        for item in &map.items {
            self.text(&item.name);
            self.text(&item.class);
            self.pair(item.position);
            self.pair(item.size);
            self.properties(&item.properties);
            let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
            self.number(bit(item.shape.is_some(), SHAPE) | bit(!item.id.is_empty(), ID));
            if !item.id.is_empty() {
                self.text(&item.id);
            }
            let Some(shape) = &item.shape else { continue };
            self.text(&shape.sprite);
            let Flip { x, y } = shape.flip;
            let flags = bit(x, FLIP_X) | bit(y, FLIP_Y) | bit(shape.sensor, SENSOR);
            let flags = flags | bit(!shape.picture.is_empty(), PICTURE);
            let turn = shape.angle.as_turn().unwrap_or_else(|| {
                // Another number than a finite one is refused when the bytes are decoded.
                let turns = f64::from(shape.angle.to_radians()) / std::f64::consts::TAU;
                (turns.rem_euclid(1.0) * 65536.0).round() as u32 as u16
            });
            let is_angle = shape.angle.to_radians().is_finite();
            let turn = if is_angle { turn.into() } else { u32::MAX };
            let fields = [shape.frame, shape.plane, turn, shape.scale.to_bits(), flags];
            fields.into_iter().for_each(|field| self.number(field));
            self.number(shape.layers);
            self.number(shape.collides_with);
            if !shape.picture.is_empty() {
                self.text(&shape.picture);
            }
        }
    }
}

/// The number of a map, the name of a field of it that is invalid, and the byte of the section behind it.
type Fault = (usize, &'static str, usize);

/// The field of a text that exceeds the bytes of [`max_copied_bytes`].
const COPIES: &str = "number of copies of a text";

/// Returns the limit of the bytes of all names, classes, keys and values of a section. Each is a copy of a text,
/// so a section could state many times its own length.
fn max_copied_bytes(section: usize) -> usize {
    section.saturating_mul(64).saturating_add(1 << 24)
}

/// Reads a section of maps. The memory follows the length of the section, whatever its counts are.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Map>, Fault> {
    let copies_left = max_copied_bytes(bytes.len());
    let mut reader = Reader { bytes, at: 0, texts: Vec::new(), copies_left };
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    reader.all().map_err(|(map, field)| (map, field, reader.at))
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    texts: Vec<&'b str>,
    /// The bytes that further copies of texts may take.
    copies_left: usize,
}

type Field<T> = Result<T, &'static str>;

impl<'b> Reader<'b> {
    fn take(&mut self, len: usize, field: &'static str) -> Field<&'b [u8]> {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..len)).ok_or(field)?;
        self.at += len;
        Ok(bytes)
    }

    fn number(&mut self, field: &'static str) -> Field<u32> {
        let bytes = self.take(4, field)?;
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| field)
    }

    fn text(&mut self, field: &'static str) -> Field<String> {
        let at = self.number(field)? as usize;
        let text = *self.texts.get(at).ok_or(field)?;
        self.copies_left = self.copies_left.checked_sub(text.len()).ok_or(COPIES)?;
        Ok(text.to_owned())
    }

    fn finite(&mut self, field: &'static str) -> Field<f32> {
        Some(f32::from_bits(self.number(field)?)).filter(|v| v.is_finite()).ok_or(field)
    }

    fn pair(&mut self, field: &'static str) -> Field<[f32; 2]> {
        Ok([self.finite(field)?, self.finite(field)?])
    }

    fn properties(&mut self) -> Field<Vec<(String, String)>> {
        let count = self.number("properties")?;
        let field = "property";
        (0..count).map(|_| Ok((self.text(field)?, self.text(field)?))).collect()
    }

    fn all(&mut self) -> Result<Vec<Map>, (usize, &'static str)> {
        let first = |field| (0, field);
        for _ in 0..self.number("texts").map_err(first)? {
            let len = self.number("text").map_err(first)?;
            let text = str::from_utf8(self.take(len as usize, "text").map_err(first)?);
            let text = text.ok().filter(|&text| self.texts.last().is_none_or(|last| *last < text));
            self.texts.push(text.ok_or((0, "text"))?);
        }
        let mut maps: Vec<Map> = Vec::new();
        for i in 0..self.number("maps").map_err(first)? as usize {
            let map = self.map().map_err(|field| (i, field))?;
            let ascends = maps.last().is_none_or(|last| last.name < map.name);
            if !ascends || map.name.is_empty() || map.name.contains(char::is_control) {
                return Err((i, "name"));
            }
            maps.push(map);
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_end = rest.len() < 8 && rest.iter().all(|&byte| byte == 0) && !maps.is_empty();
        if is_end { Ok(maps) } else { Err((maps.len(), "maps")) }
    }

    fn map(&mut self) -> Field<Map> {
        let (name, size) = (self.text("name")?, self.pair("size")?);
        let (properties, count) = (self.properties()?, self.number("items")?);
        let items = (0..count).map(|_| self.item()).collect::<Field<Vec<_>>>()?;
        Ok(Map { name, atlas: None, size, properties, items })
    }

    fn item(&mut self) -> Field<MapItem> {
        let (name, class) = (self.text("item")?, self.text("class")?);
        let (position, size) = (self.pair("position")?, self.pair("size")?);
        let (properties, parts) = (self.properties()?, self.number("shape")?);
        if parts > SHAPE | ID {
            return Err("shape");
        }
        let id = self.mark(parts & ID != 0, "id")?;
        let shape = (parts & SHAPE != 0).then(|| self.shape()).transpose()?;
        Ok(MapItem { id, name, class, position, size, properties, shape })
    }

    /// Reads a text if it is there, and has a character then.
    fn mark(&mut self, is_there: bool, field: &'static str) -> Field<String> {
        if !is_there {
            return Ok(String::new());
        }
        Some(self.text(field)?).filter(|text| !text.is_empty()).ok_or(field)
    }

    fn shape(&mut self) -> Field<MapShape> {
        let (sprite, frame, plane) =
            (self.text("sprite")?, self.number("frame")?, self.number("plane")?);
        let turn = u16::try_from(self.number("turn")?).map_err(|_| "turn")?;
        let scale = Some(self.finite("scale")?).filter(|&scale| scale > 0.0).ok_or("scale")?;
        let flags = self.number("flags")?;
        if flags > FLIP_X | FLIP_Y | SENSOR | PICTURE {
            return Err("flags");
        }
        let [x, y, sensor, has_picture] =
            [FLIP_X, FLIP_Y, SENSOR, PICTURE].map(|bit| flags & bit != 0);
        let (layers, collides_with) = (self.number("layers")?, self.number("collides_with")?);
        let picture = self.mark(has_picture, "picture")?;
        let (angle, flip) = (Angle::turn(turn), Flip { x, y });
        let rules = MapShape { sensor, layers, collides_with, ..MapShape::default() };
        Ok(MapShape { sprite, frame, picture, plane, angle, scale, flip, ..rules })
    }
}
