//! Why two colliders touch or not, and whether the world's invariants hold.

pub(crate) mod explain;
pub(crate) mod validate;
