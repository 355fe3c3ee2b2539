//! Snapshots of a world, and the debugging aids: why a pair touches, and whether the invariants hold.

mod difference;
mod explain;
mod read;
mod snapshot;
mod validate;
mod write;

pub use explain::{ExplainedCollider, Explanation};
pub use validate::InvariantViolation;

pub(crate) use difference::first_difference;
pub(crate) use snapshot::{from_snapshot, restore, snapshot, state_hash};
pub(crate) use validate::{validate, validate_some};
