//! Image files: finding and decoding them, and reading the descriptions of sheets.
//!
//! Called by `inputs` and `manifest`. Invariant: this is the only folder that names the crates image, png,
//! gif and glob. The JSON and XML parsers are in `text` too.
//!
//! ```text
//! glob_walk: pattern -> files
//! frame_source: file -> sprites, each with the recipe of its frames   (reads descriptions, no pixels)
//! frame_source: recipe -> decode -> cuts or grid -> frames             (when the bake is written)
//! ```

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod aseprite;
mod aseprite_sheet;
mod bmp_image;
mod compositor;
mod cut;
mod cuts;
mod decode;
mod described;
mod frame_fault;
mod frame_source;
mod gif_image;
mod glob_walk;
mod grid;
mod image_file;
mod jpeg_image;
mod json;
mod level;
mod libgdx;
mod page;
mod plist;
mod png_image;
mod starling;
mod still_decoder;
mod tags;
mod tga_image;
mod tiled;
mod triangles;
mod webp_image;

pub(super) use decode::{Images, Pages, is_foreign};
pub(super) use frame_source::{Options, Recipe, mask_areas, may_be_sheet, open, pages_of_sheets};
pub(super) use glob_walk::{
    escaped, find, is_pattern, is_pattern_below, levels, matching, name, sources,
};
pub use grid::{Grid, GridOrder};
pub use level::{LevelArt, Texels};
