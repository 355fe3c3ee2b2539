//! Debugging aids of a world: why two colliders touch, and whether its invariants hold.

use crate::save::{self, Explanation, InvariantViolation};
use crate::scene::Pair;
use crate::world::World;

/// # Explanations and checks
impl World {
    /// Explains why two colliders touch, or do not, at their current placements. Returns `None` if
    /// one of them was removed.
    ///
    /// Tests the one pair, whether or not an update has seen the current placements.
    #[must_use]
    pub fn explain(&self, pair: impl Into<Pair>) -> Option<Explanation> {
        save::explain(&self.scene, &pair.into())
    }

    /// Checks every invariant of the world, for tests and for hunting defects. Costs as much as
    /// placing every collider again.
    ///
    /// # Errors
    /// Returns the first [`InvariantViolation`] found, which is a defect of this library.
    pub fn validate(&self) -> Result<(), InvariantViolation> {
        save::validate(&self.scene, &self.updater)
    }
}
