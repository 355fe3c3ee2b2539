//! The calls that change more than one room of a scene.

mod atlases;
mod colliders;
mod drawn_poses;
mod maps;
mod masks;
mod placements;

pub use atlases::{InUse, ReloadReport, SpriteChange};
pub use drawn_poses::PoseStats;
pub use maps::{MapReport, PlacedMap};
