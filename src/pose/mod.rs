//! Poses: the angles and scales a sprite is baked at, and how to find the nearest.
//!
//! A full turn is cut into N equal steps, N a multiple of four, or 1 for what never turns. That
//! makes quarter turns and flips exact, so that a full turn already holds every flipped pose.

mod angle;
mod error;
mod flip_mapping;
mod limits;
mod resolution;
mod set;

pub use angle::Angle;
pub(crate) use angle::{PARTS, modulo, steps};
pub use error::PoseError;
pub(crate) use flip_mapping::{Shown, stored_steps};
pub use limits::{MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE};
pub(crate) use resolution::Resolution;
pub use set::{Pose, PoseSet};
pub(crate) use set::{is_size, nearest, nearest_scale};
