//! Saves of the world, for rollback netcode, and the colliders of entities after a load.
//!
//! ```text
//! a loaded collider    entity of the save    entity whose `ColliderState` names it    then
//!                      is there              any                                      stays with the first
//!                      is gone               is there, spawned again                  belongs to the second
//!                      is gone               none                                     is removed
//! an entity without one                                                               is placed as a new one
//! ```
//!
//! Called after a load, at the latest by the next synchronisation. Invariant: all orders are those of collider ids and of
//! [`ColliderState::order`], never of tables, because a load moves entities between rows.

use crate::components::{ColliderOwner, MoveOutcome, PixelCollider, Touching};
use crate::events;
use crate::pixel_world::PixelWorld;
use crate::state::ColliderState;
use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use hitmask::{Atlas, AtlasId, CallError, World as HitmaskWorld};

/// A clone is a save: the colliders with their entities, run-time masks, pairs and events. `clone_from` saves to an
/// older save, or loads from one, and reuses its memory. [`load`](PixelWorld::load) checks the atlases first.
///
/// The save of an entity is its components. Load them along with this resource, and then call [`after_load`]. An entity
/// that the load spawned again keeps its collider if its [`ColliderState`] was loaded too. Else it gets a new one, as an
/// entity that the save does not know. Colliders whose entity is gone are removed. The next synchronisation places all
/// colliders as the components say.
impl Clone for PixelWorld {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        // Names all fields, so that a new one is not forgotten.
        let Self {
            world,
            entities,
            atlases,
            drawn,
            owners,
            stretch,
            configure,
            queue,
            queue_all: _,
            has_reloaded: _,
            is_loaded: _,
            spawned,
            hidden,
            faults,
            new_faults,
            raised_faults,
            began,
            ended,
            new_touching,
            bulk: _,
        } = source;
        self.world.clone_from(world);
        self.entities.clone_from(entities);
        self.atlases.clone_from(atlases);
        self.drawn.clone_from(drawn);
        self.owners.clone_from(owners);
        (self.stretch, self.configure) = (*stretch, configure.clone());
        self.queue.clone_from(queue);
        (self.queue_all, self.is_loaded) = (true, true);
        self.spawned = *spawned;
        self.hidden.clone_from(hidden);
        self.faults.clone_from(faults);
        self.new_faults = *new_faults;
        self.raised_faults.clone_from(raised_faults);
        self.began.clone_from(began);
        self.ended.clone_from(ended);
        self.new_touching.clone_from(new_touching);
    }
}

/// # Rollback
/// A [clone](PixelWorld#impl-Clone-for-PixelWorld) is a save of the colliders, and [`after_load`] finds their entities.
/// The guide's chapter "Rollback" has the lines for `bevy_ggrs`.
impl PixelWorld {
    /// Takes over the state of a save. Older saves stay valid.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// use bevy_hitmask::PixelWorld;
    ///
    /// #[derive(Resource)]
    /// struct Save(PixelWorld);
    ///
    /// fn save(pixels: Res<PixelWorld>, mut save: ResMut<Save>) {
    ///     save.0.clone_from(&pixels);
    /// }
    ///
    /// fn load(mut pixels: ResMut<PixelWorld>, save: Res<Save>) -> Result {
    ///     Ok(pixels.load(&save.0)?)
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError::UnknownAtlas`] if an atlas of the save is another one, such as one from before a reload.
    /// Nothing has changed then.
    pub fn load(&mut self, save: &Self) -> Result<(), CallError> {
        let [here, there] = [&*self, save].map(|pixels| -> Vec<AtlasId> {
            pixels.world.iter().flat_map(HitmaskWorld::atlases).map(Atlas::id).collect()
        });
        if here != there {
            let other = there.iter().find(|id| !here.contains(id)).or(here.first());
            return other.map_or(Ok(()), |&id| Err(CallError::UnknownAtlas(id)));
        }
        self.clone_from(save);
        Ok(())
    }

    /// Returns the hash of the state, for machines to compare in each tick: [`World::state_hash`](HitmaskWorld::state_hash).
    /// Entities do not count, because their numbers differ between machines. 0 before the first atlas is added.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.world.as_ref().map_or(0, HitmaskWorld::state_hash)
    }

    /// Returns what differs first between two states, the value of `self` first, with the entity of `self` if a
    /// collider differs: `entity 5v0, collider 17: position.x 3.0 / 3.5`. Positions have y down. `None` if nothing differs.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let (Some(world), Some(others)) = (&self.world, &other.world) else {
            let has_world = [self, other].map(|pixels| pixels.world.is_some());
            return (has_world[0] != has_world[1]).then(|| "one has no atlas".to_owned());
        };
        let difference = world.first_difference(others)?;
        let index = difference.strip_prefix("collider ").and_then(|rest| rest.split(':').next());
        let index = index.and_then(|index| index.parse::<u32>().ok());
        let mut entities = self.entities.iter().chain(other.entities.iter());
        let entity = index.and_then(|index| entities.find(|(id, _)| id.index() == index));
        Some(match entity {
            Some((_, entity)) => format!("entity {entity}, {difference}"),
            None => difference,
        })
    }

    /// Replaces an entity by another one that has taken its place.
    fn rename(&mut self, from: Entity, to: Entity) {
        self.entities.rename(from, to);
        self.drawn.rename(from, to);
        self.owners.rename(from, to);
        self.faults.remove(&from);
        self.hidden.remove(&from);
    }
}

/// Finds the entities of the colliders after a load, and fills each [`Touching`]. Add it behind the loads of all
/// components, so that queries of the next tick know the entities. The plugin runs it before each synchronisation too.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy::ecs::schedule::ScheduleLabel;
/// # #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
/// # struct LoadWorld;
/// # fn load_components() {}
/// # let mut app = App::new();
/// app.add_systems(LoadWorld, bevy_hitmask::after_load.after(load_components));
/// ```
pub fn after_load(
    world: &mut World,
    colliders: &mut QueryState<
        (Entity, &'static ColliderState),
        (With<PixelCollider>, Allow<Disabled>),
    >,
    touching: &mut QueryState<Entity, (With<Touching>, Allow<Disabled>)>,
) {
    let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() else { return };
    if !std::mem::take(&mut pixels.is_loaded) {
        return;
    }
    world.resource_scope(|world, mut pixels: Mut<'_, PixelWorld>| {
        let colliders = colliders.query(world);
        for (entity, state) in &colliders {
            let Some(id) = state.id().filter(|_| pixels.id(entity).is_none()) else { continue };
            let Some(from) = pixels.entity(id) else { continue };
            if pixels.id(from) == Some(id) && !colliders.contains(from) {
                pixels.rename(from, entity);
            }
        }
        let is_gone = |entity: &Entity| !colliders.contains(*entity);
        let gone: Vec<Entity> =
            pixels.entities.iter().map(|(_, entity)| entity).filter(is_gone).collect();
        gone.into_iter().for_each(|entity| pixels.remove(entity));
    });
    let touching: Vec<Entity> = touching.iter(world).collect();
    events::fill_touching(world, &touching);
}

impl MapEntities for ColliderOwner {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.0 = mapper.get_mapped(self.0);
    }
}

impl MapEntities for MoveOutcome {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let Self { contacts, passed, stuck_in, .. } = self;
        let contacts = contacts.iter_mut().map(|(entity, _)| entity);
        let all = contacts.chain(passed).chain(stuck_in);
        all.for_each(|entity| *entity = mapper.get_mapped(*entity));
    }
}
