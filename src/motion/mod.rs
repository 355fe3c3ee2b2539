//! Motions: casts, pushes, character moves and moves of compounds.
//!
//! A motion reads the scene and the index of its boxes, and returns where the colliders end. The
//! world places them there. Invariant: the result equals that of testing every pixel step in order.

mod bulk_walk;
mod cast;
pub(crate) mod compound;
mod contact_rules;
mod move_rules;
mod walk;

pub use cast::Hit;
pub use compound::OwnerHit;
pub use move_rules::{MoveContact, MoveResult, MoveRules, MoveVeto};

pub(crate) use bulk_walk::walk_all;
pub(crate) use cast::Hits;
