//! Motions: casts, pushes, character moves and moves of bodies.
//!
//! A motion reads the scene and the index of its boxes, and returns where the colliders end. The
//! world places them there. Invariant: the result equals that of testing every pixel step in order.

mod body;
mod bulk_walk;
mod cast;
mod contact_rules;
mod move_rules;
mod walk;

pub use body::BodyHit;
pub use cast::Hit;
pub use move_rules::{MoveResult, MoveRules};

pub(crate) use bulk_walk::walk_all;
pub(crate) use cast::Hits;
