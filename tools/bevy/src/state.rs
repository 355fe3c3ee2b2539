//! What the world shows for an entity, as a private component beside the collider.
//!
//! A table of these, next to the transforms, lets `sync` place many colliders without a look-up. The hooks of
//! [`PixelCollider`](crate::PixelCollider) keep it and the world in step across insertion, removal and despawning.

use crate::fit::FastPlacement;
use crate::pixel_world::PixelWorld;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
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

/// Places the collider at the next synchronisation.
pub(crate) fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() {
        pixels.queue.push(context.entity);
    }
}

/// Removes the collider from the world. Its touches end with the next update.
pub(crate) fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut state) = world.get_mut::<ColliderState>(context.entity) {
        *state = ColliderState::default();
    }
    if let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() {
        pixels.remove(context.entity);
    }
}
