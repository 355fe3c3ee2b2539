//! The posed masks that a world shows: those of its atlas, or those that it has drawn on demand.
//!
//! ```text
//! shown_poses    where a pose is stored: in the atlas, or in the pose arena
//! pose_arena     the poses that were drawn, by number, in a mask arena
//! show           World draws a pose when a collider first shows it
//! budget         poses that no collider shows make room for others
//! ```

pub(crate) mod budget;
mod pose_arena;
pub(crate) mod show;
pub(crate) mod shown_poses;
