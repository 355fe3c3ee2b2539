//! Image files: finding and decoding them, and reading the descriptions of sheets.
//!
//! Called by `inputs` and `manifest`. Invariant: this is the only folder that names the crates
//! image, png, gif, glob and aseprite-loader and the JSON and XML parsers.
//!
//! ```text
//! glob_walk: pattern -> files
//! frame_source: file -> sprites, each with the recipe of its frames   (reads descriptions, no pixels)
//! frame_source: recipe -> decode -> sheet_frame -> frames             (when the bake is written)
//! ```

mod aseprite;
mod compositor;
mod decode;
mod frame_source;
mod gif_image;
mod glob_walk;
mod image_file;
mod json;
mod libgdx;
mod pages;
mod png_image;
mod region;
mod sheet_frame;
mod tiled;
mod tiled_shapes;
mod webp_image;

pub(super) use frame_source::{Anchor, Options, Recipe, open};
pub(super) use glob_walk::{find, is_image, matching, name, read_text};
pub(super) use pages::Pages;
pub use sheet_frame::Grid;
