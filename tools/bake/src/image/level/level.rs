//! A level as its file has it, independent of the editor: [`Level`].
//!
//! Made by `tiled_map` and `ldtk`, drawn by `terrain` and `objects`. All lengths are in pixels of the map,
//! y down. Invariant: hidden layers and hidden objects are left out.

use crate::image::grid::Grid;
use crate::image::tiled::Shape;
use hitmask::Rect;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Custom properties, with their values as text: `true`, `3`, `1.5`, `#ff8000`.
pub(crate) type Properties = Vec<(String, String)>;

/// A level file, with everything that it refers to.
#[derive(Debug, Default)]
pub(crate) struct Level {
    /// The level file, then the files that it names, images included. Each once.
    pub(crate) files: Vec<PathBuf>,
    /// Width and height of the map.
    pub(crate) size: [f64; 2],
    pub(crate) properties: Properties,
    pub(crate) tilesets: Vec<Tileset>,
    /// The tile layers, from the lowest to the highest. Those in groups too.
    pub(crate) layers: Vec<TileLayer>,
    pub(crate) objects: Vec<Object>,
}

/// Tiles by their number, from 0.
#[derive(Debug)]
pub(crate) struct Tileset {
    /// The name, for errors.
    pub(crate) name: String,
    pub(crate) art: Art,
    /// The tiles that differ from [`Tile::default`].
    pub(crate) tiles: BTreeMap<u32, Tile>,
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

impl Tileset {
    /// Returns width and height of a tile. `None` if the tileset has no such tile, as far as it is known
    /// before its image is read.
    pub(crate) fn size(&self, id: u32) -> Option<[u32; 2]> {
        match &self.art {
            Art::Sheet { grid, .. } => Some(grid.tile),
            Art::Images(images) => images.get(&id).map(|image| image.size),
            Art::Solid(size) => Some(*size),
        }
    }
}

impl Level {
    /// Returns the path of the level file, which errors name.
    pub(crate) fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |path| path)
    }

    /// Returns the pixels that a cell covers. `None` if its tileset has no such tile.
    pub(crate) fn rect(&self, cell: &Cell) -> Option<Rect> {
        let TileRef { id, set, turn } = cell.tile;
        let [width, height] = self.tilesets.get(usize::from(set))?.size(id)?;
        let [width, height] = if turn.diagonal { [height, width] } else { [width, height] };
        let [x, y] = cell.at;
        // A turned picture lies within the circle around its own box.
        let around = if turn.sixths == 0 { 0 } else { width.max(height) };
        Some(Rect::new(
            x.saturating_sub_unsigned(around),
            y.saturating_sub_unsigned(height.saturating_add(around)),
            x.saturating_add_unsigned(width.saturating_add(around)),
            y.saturating_add_unsigned(around),
        ))
    }
}
