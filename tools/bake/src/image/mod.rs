//! Image files: finding and decoding them, and reading the descriptions of sheets.
//!
//! Called by `inputs` and `manifest`. Invariant: this is the only folder that names the crates image, png,
//! gif and glob. The JSON and XML parsers are in `text` too.
//!
//! ```text
//! glob_walk: pattern -> files
//! frame_source: file -> sprites, each with the recipe of its frames   (reads descriptions, no pixels)
//! frame_source: recipe -> decode -> sheet_frame -> frames             (when the bake is written)
//! ```

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod aseprite;
mod aseprite_sheet;
mod bmp_image;
mod compositor;
mod decode;
mod frame_fault;
mod frame_source;
mod gif_image;
mod glob_walk;
mod image_file;
mod json;
mod libgdx;
mod plist;
mod png_image;
mod sheet_frame;
mod starling;
mod still_decoder;
mod tga_image;
mod tiled;
mod triangles;
mod webp_image;

pub(super) use decode::{Pages, is_foreign};
pub(super) use frame_source::{Options, Recipe, may_be_sheet, open, pages_of_sheets};
pub(super) use glob_walk::{
    escaped, find, is_pattern, is_pattern_below, matching, name, read, sources,
};
pub use sheet_frame::{Grid, GridOrder};

/// Returns the little-endian number of `N` bytes at a byte. Bytes that are missing count as 0.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk::<N>).unwrap_or(&[0; N]);
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Returns a mask with an irregular pattern, which repetition cannot make pass by accident, for
/// tests.
#[cfg(test)]
fn dotted(width: u32, height: u32) -> hitmask::Mask {
    let mut mask = hitmask::Mask::new(width, height).unwrap();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        mask.set(x as i32, y as i32, (x * 7 + y * 5 + x * y) % 3 == 0);
    }
    mask
}
