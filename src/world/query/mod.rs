//! Queries over the colliders as they are placed now, updated or not.

pub(crate) mod candidates;
pub(crate) mod nearest;
pub(crate) mod overlap;
#[cfg(feature = "rstar")]
pub(crate) mod rstar_interop;
pub(crate) mod zones;
