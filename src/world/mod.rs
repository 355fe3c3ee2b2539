//! The world: sprites placed on the plane, and which of them touch. The face of all floors below.
//!
//! ```text
//! colliders, masks, atlases   change the scene
//! updates                     boxes -> pairs -> touching pairs in order -> began and ended
//! queries, motion             search the index of the last update, then what changed since
//! snapshots                   save the state, check invariants
//! ```
//!
//! Each method checks its input, calls the machine below, and holds the documentation. The machine
//! never names [`World`].
//!
//! Invariants: a failed call leaves the world unchanged. Answers depend only on the calls made, not
//! on threads, instruction sets or earlier allocations.

// The documentation lists methods in this order. Blank lines keep rustfmt from sorting it.
#[expect(clippy::module_inception, reason = "the file holds the type `World`")]
mod world;

mod colliders;

mod updates;

mod queries;

mod motion;

mod masks;

mod atlases;

mod snapshots;

#[cfg(test)]
mod tests;

pub use atlases::AtlasesMut;
pub use masks::MasksMut;
pub use world::World;
