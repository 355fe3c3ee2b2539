//! Image files: finding and decoding them, and reading the descriptions of sheets.
//!
//! Called by `inputs` and `manifest`. Invariant: this is the only folder that names the crates
//! image, png, gif and glob and the JSON and XML parsers.
//!
//! ```text
//! glob_walk: pattern -> files
//! frame_source: file -> sprites, each with the recipe of its frames   (reads descriptions, no pixels)
//! frame_source: recipe -> decode -> sheet_frame -> frames             (when the bake is written)
//! ```

mod aseprite;
mod aseprite_sheet;
mod compositor;
mod decode;
mod frame_source;
mod gif_image;
mod glob_walk;
mod image_file;
mod json;
mod libgdx;
mod pages;
mod plist;
mod png_image;
mod region;
mod sheet_frame;
mod starling;
mod tiled;
mod triangles;
mod webp_image;
mod xml;

pub(super) use decode::is_foreign;
pub(super) use frame_source::{Anchor, Options, Recipe, open};
pub(super) use glob_walk::{find, is_image, matching, name, read_text};
pub(super) use pages::Pages;
pub use sheet_frame::Grid;
