//! Spawns the entities of a map, and brings them up to date with a newer version of it.
//!
//! Called by games, and by `atlas_reload` after an atlas was replaced. The rules are those of
//! [`World::update_map`](hitmask::World::update_map), by components. Invariant: a refused call changes nothing.

use crate::components::{
    ColliderFrame, ColliderPlane, CollisionLayers, FixedCollider, PixelCollider, Sensor,
};
use crate::error::ColliderError;
use crate::fit;
use crate::pixel_world::PixelWorld;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use hitmask::baking::alike;
use hitmask::{MapShape, Sprite};
use std::collections::{BTreeMap, HashMap};
use tracing::{info, warn};

/// What a map says about an entity of [`PixelWorld::spawn_map`]. The name is the entity's [`Name`].
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_hitmask::MapItem;
/// fn damage(items: Query<(&Name, &MapItem)>) {
///     for (name, item) in items.iter().filter(|(_, item)| item.class == "spikes") {
///         println!("{name}: {:?}", item.properties.get("damage"));
///     }
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq)]
pub struct MapItem {
    /// The class of the object; `chunk` for a chunk of tiles, and `map` for the root.
    pub class: String,
    /// Width and height of the object in pixels, before it is turned. 0 for a point.
    pub size: Vec2,
    /// The properties of the object, with their values as text.
    pub properties: BTreeMap<String, String>,
}

impl MapItem {
    fn new(class: &str, size: [f32; 2], properties: &[(String, String)]) -> Self {
        let properties = properties.iter().cloned().collect();
        Self { class: class.to_owned(), size: size.into(), properties }
    }
}

/// An item of a map as it was placed, whatever the game has made of its entity.
#[derive(Clone, Debug)]
struct Part {
    /// The id of the item, and the number of earlier items with this id.
    key: (String, usize),
    name: Name,
    item: MapItem,
    transform: Transform,
    shape: Option<PartShape>,
}

#[derive(Clone, Debug)]
struct PartShape {
    shape: MapShape,
    collider: PixelCollider,
}

/// The map that the children of an entity are of.
#[derive(Component, Clone, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SpawnedMap {
    name: String,
    level: MapItem,
    parts: Vec<(Part, Entity)>,
}

/// What [`PixelWorld::update_map`] has done, in entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapUpdate {
    /// Entities of new items, in the order of the map.
    pub inserted: Vec<Entity>,
    /// Entities whose items are gone. They were despawned.
    pub removed: Vec<Entity>,
    /// Entities that took a component of the new version.
    pub changed: Vec<Entity>,
    /// Entities that the game has changed or despawned itself. They keep what it changed.
    pub kept: Vec<Entity>,
}

impl PixelWorld {
    /// Spawns a map of an atlas: an entity for each item, with its [`Name`] and a [`MapItem`], and with a fixed collider
    /// unless it is a point. All are children of the entity that is returned. To take the map out, despawn that one.
    ///
    /// `at` places the top-left corner of the map. The transforms of the items are relative to it, y up. The first atlas
    /// that has a map of this name counts. An atlas that is an asset must be loaded. When its file changes, the map is
    /// [brought up to date](Self::update_map).
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_hitmask::PixelWorld;
    ///
    /// fn enter(mut commands: Commands, pixels: Res<PixelWorld>) -> Result {
    ///     pixels.spawn_map(&mut commands, "levels/harbour", Transform::from_xyz(-320.0, 180.0, 0.0))?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns [`ColliderError`] if no atlas has the map, or if its atlas has no sprite that the map needs. Nothing is
    /// spawned then.
    pub fn spawn_map(
        &self,
        commands: &mut Commands<'_, '_>,
        name: &str,
        at: Transform,
    ) -> Result<Entity, ColliderError> {
        let (level, parts) = self.parts(name)?;
        let root = commands.spawn((Name::new(name.to_owned()), level.clone(), at)).id();
        // Sprites that the game adds to the items are drawn only below a visible entity.
        #[cfg(feature = "sprite")]
        commands.entity(root).insert(bevy_camera::visibility::Visibility::default());
        let parts = parts.into_iter().map(|part| (part.spawn(commands, root), part));
        let parts = parts.map(|(entity, part)| (part, entity)).collect();
        commands.entity(root).insert(SpawnedMap { name: name.to_owned(), level, parts });
        Ok(root)
    }

    /// Brings a map of [`spawn_map`](Self::spawn_map) up to date with the version that the atlas has now. The plugin
    /// calls it when the asset of an atlas was reloaded. Call it after [`replace_atlas`](Self::replace_atlas).
    ///
    /// Entities of items that are gone are despawned, and those of new items spawned. All others keep their entity, and
    /// take what differs between the two versions: name, transform, picture, sensor, layers and [`MapItem`]. What the
    /// game has changed of these since stays, and what it despawned stays away. An edit that changes nothing changes no
    /// component.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_hitmask::{ColliderError, MapUpdate, PixelWorld};
    ///
    /// fn after_edit(world: &mut World, level: Entity) -> Result<MapUpdate, ColliderError> {
    ///     PixelWorld::update_map(world, level)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`spawn_map`](Self::spawn_map), and [`ColliderError::NoMap`] if `root` is not the entity of a map. The
    /// entities are left as they were.
    pub fn update_map(world: &mut World, root: Entity) -> Result<MapUpdate, ColliderError> {
        let spawned = world.get::<SpawnedMap>(root).ok_or(ColliderError::NoMap(root))?.clone();
        let pixels = world.get_resource::<Self>().ok_or(ColliderError::NoAtlas)?;
        let (level, parts) = pixels.parts(&spawned.name)?;
        let mut update = MapUpdate::default();
        let keys = spawned.parts.iter().map(|(part, _)| part.key.clone());
        let indices: HashMap<(String, usize), usize> = keys.zip(0..).collect();
        let mut before: Vec<Option<(Part, Entity)>> = spawned.parts.into_iter().map(Some).collect();
        let mut placed = Vec::with_capacity(parts.len());
        for mut part in parts {
            // A collider that becomes a point is another item.
            let same = indices.get(&part.key).and_then(|&at| {
                before[at].take_if(|(old, _)| old.shape.is_some() == part.shape.is_some())
            });
            let entity = match same {
                Some((old, entity)) => {
                    let Edit { is_changed, is_kept } = match world.get_entity_mut(entity) {
                        Ok(mut entity) => part.edit(&old, &mut entity),
                        Err(_) => Edit { is_changed: false, is_kept: true },
                    };
                    update.changed.extend(is_changed.then_some(entity));
                    update.kept.extend(is_kept.then_some(entity));
                    entity
                }
                None => {
                    let entity = part.spawn(&mut world.commands(), root);
                    update.inserted.push(entity);
                    entity
                }
            };
            placed.push((part, entity));
        }
        let gone = before.into_iter().flatten().map(|(_, entity)| entity);
        update.removed.extend(gone.filter(|&entity| world.get_entity(entity).is_ok()));
        for &entity in &update.removed {
            world.despawn(entity);
        }
        if let Ok(mut root) = world.get_entity_mut(root) {
            Edit::default().take(&mut root, &spawned.level, &level);
            root.insert(SpawnedMap { name: spawned.name, level, parts: placed });
        }
        world.flush();
        Ok(update)
    }

    /// Returns the items of a map, and the item of its root.
    fn parts(&self, name: &str) -> Result<(MapItem, Vec<Part>), ColliderError> {
        let world = self.world().ok_or(ColliderError::NoAtlas)?;
        let found = world.atlases().find_map(|atlas| Some((atlas, atlas.map(name)?)));
        let (atlas, map) = found.ok_or_else(|| {
            let maps = world.atlases().flat_map(|atlas| atlas.maps());
            let maps = maps.map(|map| map.name).collect();
            ColliderError::UnknownMap { map: name.to_owned(), maps }
        })?;
        let sprite = |shape: &MapShape| {
            let sprite = atlas.sprite_id(&shape.sprite).and_then(|id| atlas.sprite(id));
            sprite.ok_or_else(|| {
                let alike = alike(&shape.sprite, atlas.sprites().map(|sprite| sprite.name()));
                let alike = alike.map(str::to_owned);
                ColliderError::UnknownName { sprite: shape.sprite.clone(), alike }
            })
        };
        let mut seen: HashMap<String, usize> = HashMap::new();
        let level = MapItem::new("map", map.size, &map.properties);
        let parts = map.items.into_iter().map(|item| {
            let sprite = item.shape.as_ref().map(sprite).transpose()?;
            let [x, y] = item.position;
            let transform = match (&item.shape, sprite) {
                (Some(shape), Some(sprite)) => placed(shape, sprite, [x, y], atlas.resolution()),
                _ => Transform::from_xyz(x, -y, 0.0),
            };
            let shape = item.shape.zip(sprite).map(|(shape, sprite)| PartShape {
                shape,
                collider: PixelCollider::new(sprite.id()),
            });
            let number = seen.entry(item.id.clone()).or_default();
            *number += 1;
            let part = MapItem::new(&item.class, item.size, &item.properties);
            let (key, name) = ((item.id, *number), Name::new(item.name));
            Ok(Part { key, name, item: part, transform, shape })
        });
        Ok((level, parts.collect::<Result<_, ColliderError>>()?))
    }
}

impl Part {
    fn spawn(&self, commands: &mut Commands<'_, '_>, root: Entity) -> Entity {
        let mut entity =
            commands.spawn((self.name.clone(), self.item.clone(), self.transform, ChildOf(root)));
        if let Some(PartShape { shape, collider }) = &self.shape {
            let (frame, plane, layers) = components(shape);
            entity.insert((collider.clone(), FixedCollider, layers, frame, plane));
            if shape.sensor {
                entity.insert(Sensor);
            }
        }
        entity.id()
    }

    /// Gives an entity what differs from the older version.
    fn edit(&mut self, old: &Self, entity: &mut EntityWorldMut<'_>) -> Edit {
        let mut edit = Edit::default();
        edit.take(entity, &old.name, &self.name);
        edit.take(entity, &old.item, &self.item);
        if let Some(now) = entity.get::<Transform>().copied() {
            let (was, new) = (old.transform, self.transform);
            let next = Transform {
                translation: edit.next(was.translation, now.translation, new.translation),
                rotation: edit.next(was.rotation, now.rotation, new.rotation),
                scale: edit.next(was.scale, now.scale, new.scale),
            };
            if next != now {
                entity.insert(next);
            }
        }
        let (Some(old), Some(new)) = (&old.shape, &mut self.shape) else { return edit };
        // The id of an earlier version of the atlas stays valid.
        if (&old.shape.sprite, &old.shape.picture) == (&new.shape.sprite, &new.shape.picture) {
            new.collider = old.collider.clone();
        }
        let [was, next] = [&old.shape, &new.shape].map(components);
        let now = (entity.get::<PixelCollider>(), entity.get(), entity.get());
        if now == (Some(&old.collider), Some(&was.0), Some(&was.1)) {
            edit.take(entity, &old.collider, &new.collider);
            edit.take(entity, &was.0, &next.0);
            edit.take(entity, &was.1, &next.1);
        } else {
            edit.is_kept = true;
        }
        if let Some(now) = entity.get::<CollisionLayers>().copied() {
            let layers = edit.next(was.2.layers, now.layers, next.2.layers);
            let others = (was.2.collides_with, now.collides_with, next.2.collides_with);
            let next = CollisionLayers::new(layers, edit.next(others.0, others.1, others.2));
            if next != now {
                entity.insert(next);
            }
        }
        let now = entity.contains::<Sensor>();
        match edit.next(old.shape.sensor, now, new.shape.sensor) {
            true if !now => _ = entity.insert(Sensor),
            false if now => _ = entity.remove::<Sensor>(),
            _ => {}
        }
        edit
    }
}

/// What became of an entity.
#[derive(Default)]
struct Edit {
    is_changed: bool,
    is_kept: bool,
}

impl Edit {
    /// Returns the value of the new version, or the one of now if the game has changed it.
    fn next<T: PartialEq>(&mut self, was: T, now: T, new: T) -> T {
        if was != now {
            self.is_kept = true;
            return now;
        }
        self.is_changed |= new != now;
        new
    }

    /// Inserts a component of the new version, unless the game has changed it.
    fn take<C: Component + Clone + PartialEq>(
        &mut self,
        entity: &mut EntityWorldMut<'_>,
        was: &C,
        new: &C,
    ) {
        match entity.get::<C>() == Some(was) {
            false => self.is_kept = true,
            true if was != new => {
                entity.insert(new.clone());
                self.is_changed = true;
            }
            true => {}
        }
    }
}

/// Brings all maps up to date after an atlas was replaced.
pub(crate) fn update_reloaded(
    world: &mut World,
    maps: &mut QueryState<(Entity, &'static SpawnedMap)>,
) {
    let Some(mut pixels) = world.get_resource_mut::<PixelWorld>() else { return };
    if !std::mem::take(&mut pixels.bypass_change_detection().has_reloaded) {
        return;
    }
    let roots: Vec<(Entity, String)> =
        maps.iter(world).map(|(root, map)| (root, map.name.clone())).collect();
    for (root, name) in roots {
        match PixelWorld::update_map(world, root) {
            Ok(MapUpdate { inserted, removed, changed, .. }) => {
                let [inserted, removed, changed] = [inserted, removed, changed].map(|of| of.len());
                info!("map {name}: {inserted} new items, {removed} gone, {changed} changed");
            }
            Err(error) => warn!("map {name} stays as it was: {error}; {}", error.help()),
        }
    }
}

fn components(shape: &MapShape) -> (ColliderFrame, ColliderPlane, CollisionLayers) {
    let layers = CollisionLayers::new(shape.layers, shape.collides_with);
    (ColliderFrame(shape.frame), ColliderPlane::Index(shape.plane), layers)
}

/// Returns the transform, y up, of the collider at a position, y down.
fn placed(shape: &MapShape, sprite: Sprite<'_>, [x, y]: [f32; 2], resolution: f32) -> Transform {
    let phase = sprite.pivot(shape.frame).map(|pivot| fit::phase(pivot, resolution));
    let phase = phase.unwrap_or_default();
    let sign = |flip: bool| if flip { -shape.scale } else { shape.scale };
    Transform {
        translation: Vec3::new(x + phase.x, -y - phase.y, 0.0),
        rotation: Quat::from_rotation_z(-shape.angle.to_radians()),
        scale: Vec3::new(sign(shape.flip.x), sign(shape.flip.y), 1.0),
    }
}
