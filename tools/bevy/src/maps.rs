//! Spawns the entities of a map.

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
use std::collections::BTreeMap;

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

impl PixelWorld {
    /// Spawns a map of an atlas: an entity for each item, with its [`Name`] and a [`MapItem`], and with a fixed collider
    /// unless it is a point. All are children of the entity that is returned. To take the map out, despawn that one.
    ///
    /// `at` places the top-left corner of the map. The transforms of the items are relative to it, y up. The first atlas
    /// that has a map of this name counts. An atlas that is an asset must be loaded.
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
        let sprites = map.items.iter().map(|item| item.shape.as_ref().map(sprite).transpose());
        let sprites = sprites.collect::<Result<Vec<_>, _>>()?;
        let item = MapItem::new("map", map.size, &map.properties);
        let root = commands.spawn((Name::new(map.name), item, at)).id();
        // Sprites that the game adds to the items are drawn only below a visible entity.
        #[cfg(feature = "sprite")]
        commands.entity(root).insert(bevy_camera::visibility::Visibility::default());
        for (item, sprite) in map.items.into_iter().zip(sprites) {
            let [x, y] = item.position;
            let mut transform = Transform::from_xyz(x, -y, 0.0);
            let part = MapItem::new(&item.class, item.size, &item.properties);
            let mut entity = commands.spawn((Name::new(item.name), part, ChildOf(root)));
            if let (Some(shape), Some(sprite)) = (item.shape, sprite) {
                transform = placed(&shape, sprite, item.position, atlas.resolution());
                entity.insert((
                    PixelCollider::new(sprite.id()),
                    FixedCollider,
                    CollisionLayers::new(shape.layers, shape.collides_with),
                    ColliderFrame(shape.frame),
                    ColliderPlane::Index(shape.plane),
                ));
                if shape.sensor {
                    entity.insert(Sensor);
                }
            }
            entity.insert(transform);
        }
        Ok(root)
    }
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
