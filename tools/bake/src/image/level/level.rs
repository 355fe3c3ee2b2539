//! A level as its file has it, independent of the editor: [`Level`].
//!
//! Made by `tiled_map` and `ldtk`, drawn by `terrain` and `objects`. All lengths are in pixels of the map,
//! y down. Invariant: hidden layers and hidden objects are left out.

use crate::error::BakeError;
use crate::image::grid::Grid;
use crate::image::tiled::Shape;
use hitmask::{Rect, Warning};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest distance from the corner of a map, in pixels. Positions of the atlas are within it.
pub(crate) const MAX_PLACE: f64 = (1 << 24) as f64;

/// Custom properties, with their values as text: `true`, `3`, `1.5`, `#ff8000`.
pub(crate) type Properties = Vec<(String, String)>;

/// A level file, with everything that it refers to.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// The level file, then the files that it names, images included. Each once.
    pub(crate) files: Vec<PathBuf>,
    /// Width and height of the map.
    pub(crate) size: [f64; 2],
    /// The colour behind all layers, which decides about no mask.
    pub(crate) background: Option<[u8; 3]>,
    pub(crate) properties: Properties,
    pub(crate) tilesets: Vec<Tileset>,
    /// The tile layers, from the lowest to the highest. Those in groups too.
    pub(crate) layers: Vec<TileLayer>,
    pub(crate) objects: Vec<Object>,
    pub(crate) findings: Vec<Finding>,
}

/// A part of a level that is left out, or not as the editor shows it. A warning names it.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) path: PathBuf,
    pub(crate) cause: String,
    pub(crate) remedy: String,
}

impl Finding {
    /// Returns the finding of an error, and what became of the part with the error.
    pub(crate) fn of(error: &BakeError, outcome: &str) -> Self {
        let path = error.place.path.clone().unwrap_or_default();
        let text = error.to_string();
        let cause = text.strip_prefix(&*path.to_string_lossy()).unwrap_or(&text);
        let cause = cause.trim_start_matches([',', ':', ' ']);
        Self { cause: format!("{cause}; {outcome}"), remedy: error.help().into_owned(), path }
    }

    /// Returns the warning about a map or one of its sprites.
    pub(crate) fn warning(self, sprite: &str) -> Warning {
        let Self { path, cause, remedy } = self;
        Warning::Level { sprite: sprite.to_owned(), path, cause, remedy }
    }
}

/// Tiles by their number, from 0.
#[derive(Debug)]
pub(crate) struct Tileset {
    /// The name, for errors.
    pub(crate) name: String,
    pub(crate) art: Art,
    /// The tiles that differ from [`Tile::default`].
    pub(crate) tiles: BTreeMap<u32, Tile>,
    /// The size at which layers of tiles show a tile of any size.
    pub(crate) cell: Option<[u32; 2]>,
    /// A picture at another size keeps the ratio of its sides, in the middle.
    pub(crate) fits: bool,
    /// Why there are no pictures. An error if one of them is drawn.
    pub(crate) fault: Option<BakeError>,
}

/// The pictures of a tileset.
#[derive(Debug)]
pub(crate) enum Art {
    /// All tiles lie on one image. Texels of the colour `clear` are clear, whatever their alpha.
    Sheet { image: PathBuf, grid: Grid, clear: Option<[u8; 3]> },
    /// Each tile has an image of its own.
    Images(BTreeMap<u32, TileImage>),
    /// Every tile is a full rectangle: the values of an IntGrid. Only rules make it solid.
    Solid([u32; 2]),
}

/// The image of one tile.
#[derive(Debug)]
pub(crate) struct TileImage {
    pub(crate) path: PathBuf,
    /// Width and height of the tile.
    pub(crate) size: [u32; 2],
    /// The part of the image that is the tile: left, top, width, height. `None` is the whole image.
    pub(crate) part: Option<[u32; 4]>,
    pub(crate) clear: Option<[u8; 3]>,
    /// Why the image is not there.
    pub(crate) fault: Option<BakeError>,
}

/// What a tileset says about a tile besides its picture.
#[derive(Debug, Default)]
pub(crate) struct Tile {
    pub(crate) class: String,
    pub(crate) properties: Properties,
    /// The collision shapes, relative to the top-left corner of the tile.
    pub(crate) shapes: Vec<Shape>,
    /// The tiles of its animation, in order. Empty if it stands still.
    pub(crate) animation: Vec<u32>,
}

/// A layer of tiles.
#[derive(Debug)]
pub(crate) struct TileLayer {
    /// The names of its groups and its own, with `/` between them: `cave/ground`.
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) properties: Properties,
    pub(crate) cells: Vec<Cell>,
}

/// A tile at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The bottom-left corner of the tile as shown, offsets included: its first column, and the row below
    /// its last one.
    pub(crate) at: [i32; 2],
    pub(crate) tile: TileRef,
}

/// A tile as shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TileRef {
    /// The number of the tile in its tileset.
    pub(crate) id: u32,
    /// The index of the tileset in [`Level::tilesets`].
    pub(crate) set: u16,
    pub(crate) turn: Turn,
}

/// How a tile is mirrored: first along its falling diagonal, which swaps its sides, then left to right, then
/// top to bottom. In a hexagonal map it is turned instead of mirrored along the diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Turn {
    pub(crate) diagonal: bool,
    pub(crate) x: bool,
    pub(crate) y: bool,
    /// Sixths of a turn clockwise about the centre of the picture.
    pub(crate) sixths: u8,
}

/// An object: a picture, a shape or a point.
#[derive(Debug)]
pub(crate) struct Object {
    /// The id that the editor gave it, which an edit of the level leaves. Empty if the file has none.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) properties: Properties,
    /// The name of its layer, as that of a [`TileLayer`].
    pub(crate) layer: String,
    /// The place that the file gives: its corner, pivot or point.
    pub(crate) position: [f64; 2],
    /// Width and height before it is turned.
    pub(crate) size: [f64; 2],
    pub(crate) form: Form,
}

/// The form of an [`Object`].
#[derive(Debug)]
pub(crate) enum Form {
    /// No area: points, lines, texts, and objects without a picture.
    Point,
    /// A shape at its place on the map.
    Shape(Shape),
    /// The picture of a tile, resized to `size`. `anchor` is the point of it that lies at `position`, as a
    /// fraction of width and height from the top-left corner. It is turned about that point, in degrees
    /// clockwise.
    Tile { tile: TileRef, anchor: [f64; 2], degrees: f64 },
}

/// Returns red, green and blue of a colour such as `#ff00ff`. Eight digits begin with the alpha.
pub(crate) fn rgb(text: &str) -> Option<[u8; 3]> {
    let digits = text.trim_start_matches('#');
    let digits = if digits.len() == 8 { digits.get(2..) } else { Some(digits) };
    let number = u32::from_str_radix(digits.filter(|digits| digits.len() == 6)?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

impl Object {
    /// Returns what tells the object from others: the [`id`](hitmask::MapItem::id) of its item.
    pub(crate) fn item_id(&self) -> String {
        let mark = if self.id.is_empty() { &self.name } else { &self.id };
        format!("{}/{mark}", self.layer)
    }
}

impl Tileset {
    /// Returns a tileset that is shown at its own size.
    pub(crate) fn new(name: &str, art: Art, tiles: BTreeMap<u32, Tile>) -> Self {
        Self { name: name.to_owned(), art, tiles, cell: None, fits: false, fault: None }
    }

    /// Returns width and height of a tile. `None` if the tileset has no such tile, as far as it is known
    /// before its image is read.
    pub(crate) fn size(&self, id: u32) -> Option<[u32; 2]> {
        match &self.art {
            Art::Sheet { grid, .. } => Some(grid.tile),
            Art::Images(images) => images.get(&id).map(|image| image.size),
            Art::Solid(size) => Some(*size),
        }
    }

    /// Returns width and height of a tile as layers show it.
    pub(crate) fn shown_size(&self, id: u32) -> Option<[u32; 2]> {
        self.size(id).map(|size| self.cell.unwrap_or(size))
    }

    /// Returns how often a picture of a size is as large where it is shown at another size.
    pub(crate) fn scale(&self, size: [f64; 2], shown: [f64; 2]) -> [f64; 2] {
        let scale = [0, 1].map(|axis| shown[axis] / size[axis]);
        if self.fits { [scale[0].min(scale[1]); 2] } else { scale }
    }

    /// Returns the collision shapes of a tile as layers show it, and the width of the margin around the
    /// tile that they reach into.
    pub(crate) fn shapes(&self, id: u32) -> (Vec<Shape>, u32) {
        let shapes = self.tiles.get(&id).map_or(&[][..], |tile| &tile.shapes);
        let [size, shown] =
            [self.size(id), self.shown_size(id)].map(|it| it.unwrap_or([1; 2]).map(f64::from));
        let scale = self.scale(size, shown);
        let corner = [0, 1].map(|axis| (shown[axis] - size[axis] * scale[axis]) / 2.0);
        let shapes: Vec<Shape> = shapes.iter().map(|shape| shape.placed(corner, scale)).collect();
        let beyond = |shape: &Shape| {
            let [low, high] = shape.bounds();
            let of = |axis: usize| (-low[axis]).max(high[axis] - shown[axis]);
            of(0).max(of(1))
        };
        let margin = shapes.iter().map(beyond).fold(0.0, f64::max).ceil() as u32;
        (shapes, margin)
    }
}

impl Level {
    /// Returns the path of the level file, which errors name.
    pub(crate) fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |path| path)
    }

    /// Returns the pixels that a cell covers, with a margin around its tile. `None` if its tileset has no such
    /// tile.
    pub(crate) fn rect(&self, cell: &Cell, margin: u32) -> Option<Rect> {
        let TileRef { id, set, turn } = cell.tile;
        let [width, height] = self.tilesets.get(usize::from(set))?.shown_size(id)?;
        let [width, height] = if turn.diagonal { [height, width] } else { [width, height] };
        let [x, y] = cell.at;
        // A turned picture lies within the circle around its own box.
        let longer = width.max(height).saturating_add(margin.saturating_mul(2));
        let around = if turn.sixths == 0 { margin } else { longer.saturating_add(margin) };
        Some(Rect::new(
            x.saturating_sub_unsigned(around),
            y.saturating_sub_unsigned(height.saturating_add(around)),
            x.saturating_add_unsigned(width.saturating_add(around)),
            y.saturating_add_unsigned(around),
        ))
    }
}
