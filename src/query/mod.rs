//! Queries over the current placements of the colliders, including those changed since the last
//! update.

mod bodies;
mod nearest;
mod pairs;
#[cfg(feature = "rstar")]
mod rstar_interop;
mod search;
mod zones;

pub use bodies::{Body, BodyPair};
pub use pairs::{ContactAt, PairContact};
#[cfg(feature = "rstar")]
pub use rstar_interop::ColliderBox;
pub use search::Filter;

pub(crate) use bodies::BodySearch;
pub(crate) use pairs::{distance, overlapping_planes};
#[cfg(feature = "rstar")]
pub(crate) use rstar_interop::to_rtree;
pub(crate) use search::{PathPart, Region, Search, along};
