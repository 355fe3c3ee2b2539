//! Debugging aids: why two colliders touch, and whether the world's invariants hold.

pub(crate) mod explain;
pub(crate) mod validate;
