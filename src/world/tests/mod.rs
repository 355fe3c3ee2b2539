//! Tests of the machine through the calls of a world, with a view of its private fields.

mod masks;
#[cfg(feature = "rstar")]
mod rtree;
mod updates;
mod validate;
