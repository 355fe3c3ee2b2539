//! Queries over the current placements of the colliders, including those changed since the last
//! update.

mod bodies;
mod filter;
mod nearest;
mod pairs;
mod probe;
mod search;
mod zones;

pub use bodies::{Bodies, Body, BodyPair};
pub use filter::{Filter, MoveContact};
pub use pairs::{ContactAt, PairRef};
pub use probe::Probe;

pub(crate) use search::{PathPart, Region, Search, along};
