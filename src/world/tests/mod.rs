//! Tests of the machine through the calls of a world, with a view of its private fields.

mod updates;
mod validate;
