//! Queries over the current placements of the colliders, including those changed since the last
//! update.

pub(crate) mod bodies;
pub(crate) mod candidates;
pub(crate) mod contact_at;
pub(crate) mod nearest;
pub(crate) mod overlap;
#[cfg(feature = "rstar")]
pub(crate) mod rstar_interop;
pub(crate) mod zones;
