//! Levels of map editors: reading them, and drawing their terrain and objects.
//!
//! Called by `frame_source`.
//!
//! ```text
//! tiled_map, ldtk:  file -> Level
//! role, level_map:  Level -> sprites and a map
//! pictures:         tile -> mask
//! painting:         Level -> a picture in colour, for the eye
//! ```

mod ldtk;
#[expect(clippy::module_inception, reason = "the file holds the type `Level`")]
mod level;
mod level_map;
mod painting;
mod pictures;
mod role;
mod tile_data;
mod tiled_map;

pub(super) use ldtk::read as read_ldtk;
pub(super) use level::Level;
pub(super) use level_map::{LevelMap, Part};
pub use painting::{LevelArt, Texels};
pub(super) use tiled_map::read as read_tiled;
