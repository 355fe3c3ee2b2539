//! The systems that bring the world in step with the entities, and update it.
//!
//! ```text
//! after_load        entities of the colliders, after a load (in `rollback`)
//! place_moved       colliders whose transform changed in position and angle only, in one bulk call
//! queue_changed     colliders with other changes, into the queue
//! queue_hidden      colliders that were hidden or shown, if those are left out
//! refresh_queued    each collider of the queue by `resolve`
//! update            all touching pairs, and the entities of those that began and ended
//! ```
//!
//! Changes are found by change detection and by hooks, so they are seen however seldom the schedule runs.

use crate::bulk::Rows;
use crate::components::{
    ColliderAccuracy, ColliderDisabled, ColliderFrame, ColliderOverlap, ColliderOwner,
    ColliderPlane, CollisionLayers, FixedCollider, PixelCollider, Sensor, Touching,
};
use crate::pixel_world::PixelWorld;
use crate::resolve::ColliderParts;
use crate::state::ColliderState;
use bevy_asset::AssetServer;
#[cfg(feature = "sprite")]
use bevy_camera::visibility::Visibility;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_ecs::system::SystemChangeTick;
use bevy_transform::components::GlobalTransform;
use hitmask::{Pair, Placement};

/// Places the colliders that only moved and turned. The others go into the queue.
pub(crate) fn place_moved(
    mut pixels: ResMut<PixelWorld>,
    colliders: Query<(Entity, Ref<GlobalTransform>, &ColliderState)>,
    ticks: SystemChangeTick,
) {
    let PixelWorld { world: Some(world), entities, bulk, queue, .. } = &mut *pixels else { return };
    // Both components are stored in tables, so there always is one.
    let Ok(tables) = colliders.contiguous_iter() else { return };
    let tables = tables.map(|(entities, transforms, states)| {
        let (changed, transforms) = (transforms.changed_ticks_slice(), transforms.into_inner());
        Rows { entities, transforms, changed, states }
    });
    bulk.collect(tables, [ticks.last_run(), ticks.this_run()], queue);
    let (ids, placements) = bulk.items();
    if world.set_placements(ids, placements).is_ok() {
        return;
    }
    // The world refuses one of them, such as one whose pose exceeds the budget.
    for (&id, &Placement { position, angle }) in ids.iter().zip(placements) {
        let Some(collider) = world.get(id) else { continue };
        let moved = collider.at(position).turned(angle);
        if world.set(id, moved).is_err() {
            queue.extend(entities.entity(id));
        }
    }
}

/// The components whose changes may change more than the place of a collider.
type AnyChanged = Or<(
    Changed<CollisionLayers>,
    Changed<ColliderFrame>,
    Changed<ColliderPlane>,
    Changed<ColliderAccuracy>,
    Changed<ColliderOverlap>,
    Changed<ColliderOwner>,
    Added<Sensor>,
    Added<FixedCollider>,
    Added<ColliderDisabled>,
    Added<Disabled>,
)>;

/// Queues the colliders of which a component changed.
pub(crate) fn queue_changed(
    mut pixels: ResMut<PixelWorld>,
    changed: Query<Entity, (With<PixelCollider>, AnyChanged, Allow<Disabled>)>,
    all: Query<Entity, (With<PixelCollider>, Allow<Disabled>)>,
) {
    if std::mem::take(&mut pixels.queue_all) {
        pixels.queue.extend(&all);
    } else {
        pixels.queue.extend(&changed);
    }
}

/// Queues the colliders whose Bevy sprite changed.
#[cfg(feature = "sprite")]
pub(crate) fn queue_changed_sprites(
    mut pixels: ResMut<PixelWorld>,
    changed: Query<
        Entity,
        (With<PixelCollider>, Or<(Changed<bevy_sprite::Sprite>, Changed<bevy_sprite::Anchor>)>),
    >,
) {
    pixels.queue.extend(&changed);
}

/// Queues the colliders that were hidden or shown since the last run.
///
/// Bevy's own `InheritedVisibility` is written after the ticks of a frame, so it would be a frame late.
#[cfg(feature = "sprite")]
pub(crate) fn queue_hidden(
    mut pixels: ResMut<PixelWorld>,
    colliders: Query<Entity, With<PixelCollider>>,
    family: Query<(&Visibility, Option<&ChildOf>)>,
) {
    let PixelWorld { hidden, queue, .. } = &mut *pixels;
    for entity in &colliders {
        let has_changed = match is_hidden(entity, &family) {
            true => hidden.insert(entity),
            false => hidden.remove(&entity),
        };
        if has_changed {
            queue.push(entity);
        }
    }
}

/// Tests whether an entity is hidden, by itself or by the parents that it inherits from.
#[cfg(feature = "sprite")]
fn is_hidden(mut entity: Entity, family: &Query<(&Visibility, Option<&ChildOf>)>) -> bool {
    loop {
        match family.get(entity) {
            Ok((Visibility::Hidden, _)) => return true,
            Ok((Visibility::Inherited, Some(parent))) => entity = parent.parent(),
            _ => return false,
        }
    }
}

/// Queues a collider that loses a component.
pub(crate) fn queue_removed<C: Component>(removed: On<Remove<C>>, mut pixels: ResMut<PixelWorld>) {
    pixels.queue.push(removed.entity);
}

/// Remembers that an entity wants to know what touches it.
pub(crate) fn note_touching(added: On<Add<Touching>>, mut pixels: ResMut<PixelWorld>) {
    pixels.new_touching.push(added.entity);
}

/// Places the colliders of the queue.
pub(crate) fn refresh_queued(
    mut pixels: ResMut<PixelWorld>,
    mut colliders: ParamSet<(Query<&ColliderState, Allow<Disabled>>, Query<ColliderParts>)>,
    assets: Option<Res<AssetServer>>,
) {
    let mut queue = std::mem::take(&mut pixels.queue);
    // New ids and masks follow the order of spawning. The order of the tables is another one after a load.
    let states = colliders.p0();
    queue.sort_by_cached_key(|&entity| states.get(entity).map_or(0, |state| state.order));
    let mut colliders = colliders.p1();
    for entity in queue.drain(..) {
        // Entities that were despawned meanwhile have left the world.
        if let Ok(parts) = colliders.get_mut(entity) {
            pixels.refresh(parts, assets.as_deref());
        }
    }
    pixels.queue = queue;
    pixels.end_reports();
}

/// Updates the world, and keeps the entities of the pairs that began and ended.
pub(crate) fn update(mut pixels: ResMut<PixelWorld>) {
    let PixelWorld { world: Some(world), entities, began, ended, .. } = &mut *pixels else {
        return;
    };
    entities.begin_update();
    world.update();
    let entities = |pair: &Pair| Some([entities.entity(pair.a)?, entities.entity(pair.b)?]);
    began.extend(world.began().iter().filter_map(entities));
    ended.extend(world.ended().iter().filter_map(entities));
}

/// Places the colliders that moved with a mover.
pub(crate) fn refresh_moved(
    pixels: ResMut<PixelWorld>,
    colliders: ParamSet<(Query<&ColliderState, Allow<Disabled>>, Query<ColliderParts>)>,
    assets: Option<Res<AssetServer>>,
) {
    refresh_queued(pixels, colliders, assets);
}
