//! Levels of an atlas: as a picture, and to walk on. Their art needs a file system, so a page in a browser has none.
//!
//! ```text
//! tiles         tiles of the level file, drawn as they come into view
//! map_picture   all colliders of a map, over its tiles
//! walk          a hero on a map
//! ```

mod map_picture;
mod tiles;
mod walk;

pub use map_picture::{MapPicture, terrain, terrains};
pub use tiles::open_art;
pub use walk::{AtlasFile, Overlays, Steering, Walk, hero};
