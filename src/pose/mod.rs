//! Poses: the angles and scales that a sprite is baked at, and the search for the nearest.
//!
//! A full turn has N equal steps; N is a multiple of four, or 1 for sprites that never turn.
//! Quarter turns and flips are then exact, so the poses of a full turn already include every
//! flipped pose.
//!
//! Invariants: `PoseSet` holds valid, ascending scales. The nearest pose is the same on every
//! machine.

mod angle;
mod flip_mapping;
mod limits;
mod resolution;
mod scale_policy;
mod set;

pub use angle::Angle;
pub(crate) use angle::{Unit, nearest_steps};
pub(crate) use flip_mapping::{FlipMapping, stored_steps};
pub use limits::{MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE};
pub(crate) use resolution::Resolution;
pub use scale_policy::ScalePolicy;
pub use set::{Pose, PoseSet};
pub(crate) use set::{is_size, nearest, nearest_scale};
