//! Queries over the current placements of the colliders, including those changed since the last
//! update.

mod bodies;
mod filter;
mod nearest;
mod pairs;
mod probe;
#[cfg(feature = "rstar")]
mod rstar_interop;
mod search;
mod zones;

pub use bodies::{Bodies, Body, BodyPair};
pub use filter::{Filter, MoveContact};
pub use pairs::{ContactAt, PairRef};
pub use probe::Probe;
#[cfg(feature = "rstar")]
pub use rstar_interop::ColliderBox;

#[cfg(feature = "rstar")]
pub(crate) use rstar_interop::to_rtree;
pub(crate) use search::{PathPart, Region, Search, along};
