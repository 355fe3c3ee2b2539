//! Which collider an entity has, and which entity a collider belongs to.
//!
//! Called by `sync`, `events`, `rollback` and queries. Invariant: ids of colliders that were removed since the update before the
//! last one still have their entity, so that each touch that began also ends, whatever became of the entities.

use bevy_ecs::entity::{Entity, EntityHashMap};
use hitmask::ColliderId;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(crate) struct EntityMap {
    ids: EntityHashMap<ColliderId>,
    /// By the index of the collider: the last one that had this index, and its entity.
    entities: Vec<Option<(ColliderId, Entity)>>,
    /// Colliders that were removed since the last update, and before it.
    removed: [HashMap<ColliderId, Entity>; 2],
}

impl Clone for EntityMap {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { ids, entities, removed } = source;
        self.ids.clone_from(ids);
        self.entities.clone_from(entities);
        self.removed.clone_from(removed);
    }
}

impl EntityMap {
    pub(crate) fn insert(&mut self, entity: Entity, id: ColliderId) {
        self.ids.insert(entity, id);
        let slot = id.index() as usize;
        if self.entities.len() <= slot {
            self.entities.resize(slot + 1, None);
        }
        self.entities[slot] = Some((id, entity));
    }

    /// Gives the collider of an entity to another one, which has taken its place.
    pub(crate) fn rename(&mut self, from: Entity, to: Entity) {
        if let Some(id) = self.ids.remove(&from) {
            self.insert(to, id);
        }
    }

    /// Returns the entities that have a collider, in the order of the ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ColliderId, Entity)> {
        let is_there = |&(id, entity): &(ColliderId, Entity)| self.id(entity) == Some(id);
        self.entities.iter().flatten().copied().filter(is_there)
    }

    pub(crate) fn remove(&mut self, entity: Entity) -> Option<ColliderId> {
        let id = self.ids.remove(&entity)?;
        self.removed[0].insert(id, entity);
        Some(id)
    }

    #[inline]
    pub(crate) fn id(&self, entity: Entity) -> Option<ColliderId> {
        self.ids.get(&entity).copied()
    }

    #[inline]
    pub(crate) fn entity(&self, id: ColliderId) -> Option<Entity> {
        match self.entities.get(id.index() as usize) {
            Some(&Some((last, entity))) if last == id => Some(entity),
            _ => self.removed.iter().find_map(|removed| removed.get(&id)).copied(),
        }
    }

    /// Forgets the colliders that were removed before the last update. Called before each update.
    pub(crate) fn begin_update(&mut self) {
        self.removed.swap(0, 1);
        self.removed[0].clear();
    }
}
