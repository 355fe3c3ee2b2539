//! Touches that begin and end, as messages and as events of both entities.
//!
//! Called once per update. Each pair raises one message and one event for each of its two entities. Touches that
//! ended come first. Invariant: every touch that began also ends, even if an entity was despawned or its collider
//! removed, or its index is used by another one.

use crate::components::Touching;
use crate::pixel_world::PixelWorld;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{Allow, QueryState};

/// Two entities have begun to touch. Raised for both, as a message and as an event that their observers receive.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::{CollisionStart, PixelCollider};
///
/// fn setup(mut commands: Commands) {
///     commands.spawn(PixelCollider::named("ship")).observe(
///         |hit: On<CollisionStart>, mut commands: Commands| {
///             commands.entity(hit.other).despawn();
///         },
///     );
/// }
///
/// fn count(mut hits: MessageReader<CollisionStart>) -> usize {
///     hits.read().count() // two for each pair
/// }
/// ```
#[derive(EntityEvent, Message, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollisionStart {
    /// The entity that the event is raised for.
    pub entity: Entity,
    /// The entity that it touches.
    pub other: Entity,
}

/// Two entities no longer touch. Raised for both, as a message and as an event that their observers receive.
///
/// An entity that was despawned still gets its message, and global observers its event.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::CollisionEnd;
///
/// fn setup(mut commands: Commands, plate: Single<Entity>) {
///     commands.entity(*plate).observe(|left: On<CollisionEnd>| println!("{} left", left.other));
/// }
/// ```
#[derive(EntityEvent, Message, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollisionEnd {
    /// The entity that the event is raised for.
    pub entity: Entity,
    /// The entity that it touched.
    pub other: Entity,
}

/// Raises the faults of the last synchronisation.
fn raise_faults(world: &mut World) {
    let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() else { return };
    let faults = std::mem::take(&mut pixels.raised_faults);
    world.write_message_batch(faults.iter().cloned());
    faults.into_iter().for_each(|fault| world.trigger(fault));
}

/// Raises the events of the last update.
pub(crate) fn raise(
    world: &mut World,
    touching: &mut QueryState<&'static mut Touching, Allow<Disabled>>,
) {
    raise_faults(world);
    let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() else { return };
    if pixels.began.is_empty() && pixels.ended.is_empty() && pixels.new_touching.is_empty() {
        return;
    }
    let mut began = std::mem::take(&mut pixels.began);
    let mut ended = std::mem::take(&mut pixels.ended);
    let new_touching = std::mem::take(&mut pixels.new_touching);
    if !touching.query(world).is_empty() {
        update_touching(touching.query_mut(&mut *world), &began, &ended);
        fill_touching(world, &new_touching);
    }
    let both = |&[a, b]: &[Entity; 2]| [[a, b], [b, a]];
    let start = |[entity, other]: [Entity; 2]| CollisionStart { entity, other };
    let end = |[entity, other]: [Entity; 2]| CollisionEnd { entity, other };
    world.write_message_batch(ended.iter().flat_map(both).map(end));
    world.write_message_batch(began.iter().flat_map(both).map(start));
    if is_observed::<CollisionEnd>(world) {
        ended.iter().flat_map(both).for_each(|pair| world.trigger(end(pair)));
    }
    if is_observed::<CollisionStart>(world) {
        began.iter().flat_map(both).for_each(|pair| world.trigger(start(pair)));
    }
    // Keeps the memory of the lists.
    if let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() {
        began.clear();
        ended.clear();
        (pixels.began, pixels.ended) = (began, ended);
    }
}

/// Tests whether an observer may watch an event. Triggering one costs a look-up for each entity.
fn is_observed<E: Event>(world: &World) -> bool {
    let key = world.event_key::<E>();
    let observers = key.and_then(|key| world.observers().try_get_observers(key));
    observers.is_some_and(|observers| {
        !observers.global_observers().is_empty() || !observers.entity_observers().is_empty()
    })
}

/// Adds and removes the pairs of an update.
fn update_touching(
    mut touching: Query<&mut Touching, Allow<Disabled>>,
    began: &[[Entity; 2]],
    ended: &[[Entity; 2]],
) {
    for (pairs, begins) in [(ended, false), (began, true)] {
        for [entity, other] in pairs.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
            let Ok(mut touching) = touching.get_mut(entity) else { continue };
            if begins {
                touching.insert(other);
            } else {
                touching.remove(other);
            }
        }
    }
}

/// Fills components that were added while pairs touch.
pub(crate) fn fill_touching(world: &mut World, added: &[Entity]) {
    let Some(pixels) = world.get_resource::<PixelWorld>() else { return };
    let Some(updated) = pixels.world().filter(|world| world.is_updated()) else { return };
    let added: EntityHashSet = added.iter().copied().collect();
    if added.is_empty() {
        return;
    }
    let pairs = updated.touching().iter();
    let pairs = pairs.filter_map(|pair| Some((pixels.entity(pair.a)?, pixels.entity(pair.b)?)));
    let both = pairs.flat_map(|(a, b)| [(a, b), (b, a)]);
    let present: Vec<(Entity, Entity)> =
        both.filter(|(entity, _)| added.contains(entity)).collect();
    for &entity in &added {
        if let Some(mut touching) = world.get_mut::<Touching>(entity) {
            touching.clear();
        }
    }
    for (entity, other) in present {
        if let Some(mut touching) = world.get_mut::<Touching>(entity) {
            touching.insert(other);
        }
    }
}
