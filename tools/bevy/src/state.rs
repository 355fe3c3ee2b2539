//! What the world shows for an entity, as a private component beside the collider.
//!
//! A table of these, next to the transforms, lets `sync` place many colliders without a look-up.

use crate::fit::FastPlacement;
use bevy_ecs::prelude::*;
use hitmask::ColliderId;

/// The collider of an entity. A clone of the entity gets one of its own.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct ColliderState {
    /// The id as a number; 0 for an entity that has none.
    id: u64,
    /// How to place the collider while only its position and angle change.
    pub(crate) fast: FastPlacement,
}

impl ColliderState {
    pub(crate) const fn new(id: Option<ColliderId>, fast: FastPlacement) -> Self {
        let id = match id {
            Some(id) => id.to_bits(),
            None => 0,
        };
        Self { id, fast }
    }

    #[inline(always)]
    pub(crate) const fn id(&self) -> Option<ColliderId> {
        ColliderId::from_bits(self.id)
    }
}
