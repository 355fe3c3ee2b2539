//! The parts of an LDtk file that are read. Fields have the names of the format, and those of its
//! documentation say what they are.
//!
//! Used by `ldtk`.

#![expect(non_snake_case, reason = "the names of the format")]

use serde::Deserialize;
use serde_json::value::RawValue;

/// What every version of the format has.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) jsonVersion: String,
}

#[derive(Deserialize)]
pub(super) struct Project {
    pub(super) defs: Definitions,
    pub(super) levels: Vec<Level>,
    pub(super) worldLayout: Option<Layout>,
    #[serde(default)]
    pub(super) worlds: Vec<World>,
}

#[derive(Deserialize)]
pub(super) struct World {
    pub(super) identifier: String,
    pub(super) worldLayout: Option<Layout>,
    pub(super) levels: Vec<Level>,
}

#[derive(Deserialize)]
pub(super) enum Layout {
    Free,
    GridVania,
    LinearHorizontal,
    LinearVertical,
}

#[derive(Deserialize)]
pub(super) struct Definitions {
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<LayerDefinition>,
    pub(super) entities: Vec<EntityDefinition>,
}

#[derive(Deserialize)]
pub(super) struct Tileset {
    pub(super) identifier: String,
    pub(super) uid: i64,
    /// `None` for the icons of LDtk, and before an image is chosen.
    pub(super) relPath: Option<String>,
    pub(super) pxWid: u32,
    pub(super) pxHei: u32,
    pub(super) tileGridSize: u32,
    pub(super) spacing: u32,
    pub(super) padding: u32,
    pub(super) __cWid: u32,
    pub(super) customData: Vec<CustomData>,
    pub(super) enumTags: Vec<EnumTag>,
}

#[derive(Deserialize)]
pub(super) struct CustomData {
    pub(super) tileId: u32,
    pub(super) data: String,
}

#[derive(Deserialize)]
pub(super) struct EnumTag {
    pub(super) enumValueId: String,
    pub(super) tileIds: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct LayerDefinition {
    pub(super) uid: i64,
    pub(super) intGridValues: Vec<IntGridValue>,
    #[serde(default)]
    pub(super) tilePivotX: f64,
    #[serde(default)]
    pub(super) tilePivotY: f64,
}

#[derive(Deserialize)]
pub(super) struct IntGridValue {
    pub(super) value: u32,
    pub(super) identifier: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct EntityDefinition {
    pub(super) uid: i64,
    pub(super) renderMode: RenderMode,
    pub(super) tileRenderMode: TileRenderMode,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum RenderMode {
    Ellipse,
    Cross,
    #[serde(other)]
    Rectangle,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum TileRenderMode {
    FitInside,
    Stretch,
    FullSizeUncropped,
    /// Cropped, repeated or cut in nine.
    #[serde(other)]
    Cut,
}

/// A level, in a project or in a file of its own.
#[derive(Deserialize)]
pub(super) struct Level {
    pub(super) identifier: String,
    pub(super) worldX: i64,
    pub(super) worldY: i64,
    pub(super) worldDepth: i64,
    pub(super) pxWid: u32,
    pub(super) pxHei: u32,
    pub(super) __bgColor: Option<String>,
    pub(super) externalRelPath: Option<String>,
    pub(super) fieldInstances: Vec<Field>,
    /// From the highest to the lowest. `None` if the level has a file of its own.
    pub(super) layerInstances: Option<Vec<Layer>>,
}

#[derive(Deserialize)]
pub(super) struct Field {
    pub(super) __identifier: String,
    pub(super) __value: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct Layer {
    pub(super) __identifier: String,
    pub(super) __type: LayerType,
    pub(super) __cWid: u32,
    pub(super) __cHei: u32,
    pub(super) __gridSize: u32,
    pub(super) __pxTotalOffsetX: i32,
    pub(super) __pxTotalOffsetY: i32,
    pub(super) __tilesetDefUid: Option<i64>,
    pub(super) overrideTilesetUid: Option<i64>,
    pub(super) layerDefUid: i64,
    pub(super) visible: bool,
    pub(super) intGridCsv: Vec<u32>,
    pub(super) autoLayerTiles: Vec<Tile>,
    pub(super) gridTiles: Vec<Tile>,
    pub(super) entityInstances: Vec<Entity>,
}

impl Layer {
    /// Returns the top-left corner of a tile as LDtk draws it. It lies at its pivot in its cell, and is mirrored
    /// about the far side of the cell. Tiles of rules lie at their top-left corners, whatever the pivot, and
    /// others take the pivot across also for their place down.
    pub(super) fn corner(
        &self,
        definition: &LayerDefinition,
        tile: &Tile,
        side: u32,
        is_of_rule: bool,
    ) -> [f64; 2] {
        let [side, grid] = [side, self.__gridSize].map(f64::from);
        let pivot = [definition.tilePivotX, definition.tilePivotY];
        [0, 1].map(|axis: usize| {
            let is_flipped = tile.f >> axis & 1 != 0;
            let cell = if is_of_rule { pivot[axis] } else { pivot[0] } * grid;
            let own = if is_of_rule { 0.0 } else { pivot[axis] * side };
            let within = if is_flipped { grid - side + own } else { -own };
            f64::from(tile.px[axis]) + cell + within
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum LayerType {
    IntGrid,
    AutoLayer,
    Tiles,
    Entities,
}

#[derive(Deserialize)]
pub(super) struct Tile {
    pub(super) px: [i32; 2],
    pub(super) src: [i32; 2],
    pub(super) f: u32,
    pub(super) t: u32,
}

#[derive(Deserialize)]
pub(super) struct Entity {
    pub(super) __identifier: String,
    pub(super) __pivot: [f64; 2],
    pub(super) __tags: Vec<String>,
    pub(super) __tile: Option<TileRect>,
    pub(super) iid: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) defUid: i64,
    pub(super) px: [i32; 2],
    pub(super) fieldInstances: Vec<Field>,
}

#[derive(Deserialize)]
pub(super) struct TileRect {
    pub(super) tilesetUid: i64,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) w: u32,
    pub(super) h: u32,
}

impl Field {
    /// Returns the value as text. `None` without a value.
    pub(super) fn text(&self) -> serde_json::Result<Option<String>> {
        let Some(json) = self.__value.as_deref().map(RawValue::get) else { return Ok(None) };
        let is_text = json.starts_with('"');
        if is_text { serde_json::from_str(json).map(Some) } else { Ok(Some(compact(json))) }
    }
}

/// Returns JSON without the blanks between its parts.
fn compact(json: &str) -> String {
    let (mut in_text, mut is_escaped) = (false, false);
    let keep = |&letter: &char| {
        let is_kept = in_text || !letter.is_ascii_whitespace();
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => in_text = !in_text,
            _ => {}
        }
        is_kept
    };
    json.chars().filter(keep).collect()
}

impl Tileset {
    /// Returns the number of the tile at a rectangle. `None` if it is not one tile of the grid.
    pub(super) fn number(&self, [x, y, width, height]: [u32; 4]) -> Option<u32> {
        let step = self.tileGridSize.checked_add(self.spacing)?;
        let cell = [x, y].map(|from| {
            let from = from.checked_sub(self.padding)?;
            from.checked_div(step).filter(|cell| cell.checked_mul(step) == Some(from))
        });
        let [Some(column), Some(row)] = cell else { return None };
        let is_tile = [width, height] == [self.tileGridSize; 2] && column < self.__cWid;
        row.checked_mul(self.__cWid)?.checked_add(column).filter(|_| is_tile)
    }
}
