//! Every kind of source, from files made by the tests: the baked pixels, and the errors for damaged
//! and malicious files.

mod animations;
mod aseprite;
mod bitmaps;
mod description_faults;
mod dialects;
pub(crate) mod folder;
mod image_faults;
mod images;
mod manifest;
mod memory;
mod packed_sheets;
mod shapes;
mod thresholds;
mod tiled_objects;
mod warnings;
