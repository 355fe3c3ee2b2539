//! Moves colliders along obstacles, and writes their transforms.
//!
//! Called between synchronisation and update: each mover sees where all others are in this tick, and the movers
//! before it have moved already. The order is that of spawning. Colliders of child entities follow in the same tick.

use crate::components::{MoveAndSlide, MoveOutcome, PixelCollider};
use crate::fit;
use crate::pixel_world::PixelWorld;
use crate::state::ColliderState;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::{GlobalTransform, Transform};
use hitmask::{ColliderId, Filter};
use tracing::warn;

/// Moves each [`MoveAndSlide`] collider by its motion.
pub(crate) fn move_and_slide(
    mut pixels: ResMut<PixelWorld>,
    mut movers: Query<(Entity, &mut MoveAndSlide, &mut MoveOutcome, &ColliderState, Option<&Name>)>,
    mut family: Family,
    mut refused: Local<EntityHashSet>,
) {
    refused.retain(|&entity| movers.contains(entity));
    let in_order = movers.iter_mut().sort_unstable_by_key::<&ColliderState, _>(|state| state.order);
    for (entity, mut mover, mut outcome, state, name) in in_order {
        let motion = std::mem::take(&mut mover.bypass_change_detection().motion);
        let PixelWorld { world: Some(world), entities, queue, .. } = &mut *pixels else { continue };
        let Some(id) = state.id() else { continue };
        let Some(before) = world.get(id).filter(|collider| collider.enabled) else { continue };
        let moved = match world.move_by_rules(id, [motion.x, -motion.y], mover.rules, Filter::SOLID)
        {
            Ok(moved) => moved,
            Err(error) => {
                *outcome = MoveOutcome::default();
                if refused.insert(entity) {
                    let name = name.map_or("", Name::as_str);
                    let help = error.help();
                    warn!("entity {entity} ({name}) is not moved by {motion}: {error}; {help}");
                }
                continue;
            }
        };
        refused.remove(&entity);
        let [[x0, y0], [x1, y1]] = [before.position, moved.position];
        let entity_of = |id: ColliderId| entities.entity(id);
        *outcome = MoveOutcome {
            translation: Vec2::new(x1 - x0, y0 - y1),
            contacts: moved
                .contacts
                .iter()
                .filter_map(|&(id, side)| Some((entity_of(id)?, side)))
                .collect(),
            passed: moved.passed.iter().copied().filter_map(entity_of).collect(),
            stuck_in: moved.stuck_in.iter().copied().filter_map(entity_of).collect(),
        };
        if before.position != moved.position {
            family.shift(entity, queue, |transform| {
                let from = transform.translation;
                let to = state.fast.translation(transform, moved.position);
                to.unwrap_or(from + Vec2::new(x1 - x0, y0 - y1))
            });
        }
    }
}

/// The transforms of a mover, its parent and its descendants.
#[derive(bevy_ecs::system::SystemParam)]
pub(crate) struct Family<'w, 's> {
    transforms: Query<'w, 's, (&'static mut Transform, &'static mut GlobalTransform)>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    colliders: Query<'w, 's, (), With<PixelCollider>>,
}

impl Family<'_, '_> {
    /// Gives an entity another translation in Bevy's world, and takes its descendants along. Queues their colliders.
    fn shift(
        &mut self,
        entity: Entity,
        queue: &mut Vec<Entity>,
        translation: impl Fn(&bevy_math::Affine2) -> Vec2,
    ) {
        let parent = self.parents.get(entity).ok().map(ChildOf::parent);
        let parent = parent.and_then(|parent| self.transforms.get(parent).ok());
        let parent = parent.map(|(_, global)| *global);
        let Ok((mut transform, mut global)) = self.transforms.get_mut(entity) else { return };
        let before = fit::flat(&global);
        let to = translation(&before);
        match parent {
            None => {
                (transform.translation.x, transform.translation.y) = (to.x, to.y);
                *global = GlobalTransform::from(*transform);
            }
            Some(parent) => {
                let by = fit::flat(&parent).matrix2.inverse() * (to - before.translation);
                transform.translation += by.extend(0.0);
                *global = parent.mul_transform(*transform);
            }
        }
        let mut moved = vec![(entity, *global)];
        while let Some((parent, global)) = moved.pop() {
            for &child in self.children.get(parent).into_iter().flatten() {
                let Ok((transform, mut below)) = self.transforms.get_mut(child) else { continue };
                *below = global.mul_transform(*transform);
                moved.push((child, *below));
                if self.colliders.contains(child) {
                    queue.push(child);
                }
            }
        }
    }
}
