//! Reads collision shapes from Tiled tilesets, in XML (`.tsx`) or JSON (`.tsj`, `.json`). A tileset
//! is one sprite, and its frame `i` is drawn from the shapes of tile `i`.
//!
//! Called by `frame_source`. Supports rectangles, polygons, ellipses and capsules, rotated, from
//! templates, and on isometric grids. The tile images are not read. A tile without shapes is an
//! empty frame. Points, lines and texts are ignored, because they have no area. Unknown content is
//! an error, because it could change a pixel.
//!
//! ```text
//! object:   file -> xml or json -> Element, with its templates -> shape::Shape
//! tileset:  tiles, each with its objects -> pixels
//! ```

mod element;
mod json;
mod object;
mod shape;
mod tileset;
mod xml;

pub(crate) use element::{Element, TEXT};
pub(super) use json::extension;
pub(crate) use object::{Form, Templates, TileNumbers, cos_sin, inherit, read as read_file};
pub(crate) use shape::{Basis, Shape};
pub(crate) use tileset::tile_shapes;
pub(super) use tileset::{Tileset, read};
