//! What the world shows for an entity, as a component beside the collider.
//!
//! A table of these, next to the transforms, lets `sync` place many colliders without a look-up.

use crate::fit::FastPlacement;
use bevy_ecs::prelude::*;
use hitmask::ColliderId;

/// What the plugin knows about the collider of an entity. It comes with [`PixelCollider`](crate::PixelCollider).
///
/// Games with rollback save it with their other components: an entity that a load spawns again then keeps its collider.
/// The guide's chapter "Rollback" has the lines for `bevy_ggrs`. A clone of the entity gets one of its own.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub struct ColliderState {
    /// The id as a number; 0 for an entity that has none.
    id: u64,
    /// Ascending in the order in which entities got their `PixelCollider`; 0 for those from before the plugin.
    pub(crate) order: u64,
    /// How to place the collider while only its position and angle change.
    pub(crate) fast: FastPlacement,
}

impl ColliderState {
    pub(crate) fn set(&mut self, id: Option<ColliderId>, fast: FastPlacement) {
        self.id = id.map_or(0, ColliderId::to_bits);
        self.fast = fast;
    }

    #[inline(always)]
    pub(crate) const fn id(&self) -> Option<ColliderId> {
        ColliderId::from_bits(self.id)
    }
}
