//! [`PlaneId`] and [`PlanePair`]: colliders and pairs by names that all processes share.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a collider of a plane. It stays valid in whichever region and process the collider is, and is
/// never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlaneId(u64);

/// Colliders that one process can insert in a run.
pub(crate) const MAX_INSERTS: u64 = 1 << 48;

impl PlaneId {
    pub(crate) const fn new(process: u16, count: u64) -> Self {
        Self((process as u64) << 48 | count)
    }

    /// Returns the process that inserted the collider.
    #[must_use]
    pub const fn process(self) -> usize {
        (self.0 >> 48) as usize
    }
}

impl fmt::Display for PlaneId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.process(), self.0 & (MAX_INSERTS - 1))
    }
}

/// Two colliders of a plane, the lower id first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlanePair {
    /// The collider of lower id.
    pub a: PlaneId,
    /// The collider of higher id.
    pub b: PlaneId,
}

impl From<[PlaneId; 2]> for PlanePair {
    fn from([a, b]: [PlaneId; 2]) -> Self {
        Self { a: a.min(b), b: a.max(b) }
    }
}
