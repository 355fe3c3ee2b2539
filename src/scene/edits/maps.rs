//! Inserts the colliders of a map.
//!
//! Invariant: a failed call leaves the scene unchanged.

use crate::atlas::{Map, MapItem, MapShape};
use crate::error::CallError;
use crate::ids::{ColliderId, SpriteId};
use crate::scene::{Collider, Scene};
use std::collections::HashMap;

impl Scene {
    pub(crate) fn insert_map(
        &mut self,
        map: &Map,
        at: [f32; 2],
    ) -> Result<Vec<Option<ColliderId>>, CallError> {
        if at.iter().any(|v| !v.is_finite()) {
            return Err(CallError::Position(at));
        }
        let is_of_map = |id| map.atlas.is_none_or(|atlas| atlas == id);
        if let Some(atlas) = map.atlas
            && !self.stock.atlases.all().any(|known| known.id() == atlas)
        {
            return Err(CallError::UnknownAtlas(atlas));
        }
        let mut sprites: HashMap<&str, SpriteId> = HashMap::new();
        let (mut colliders, mut items) = (Vec::with_capacity(map.items.len()), Vec::new());
        for (index, item) in map.items.iter().enumerate() {
            let Some(shape) = &item.shape else { continue };
            let mut atlases = self.stock.atlases.all().filter(|atlas| is_of_map(atlas.id()));
            let sprite = sprites.get(&*shape.sprite).copied();
            let sprite =
                sprite.or_else(|| atlases.find_map(|atlas| atlas.sprite_id(&shape.sprite)));
            let Some(sprite) = sprite else {
                return Err(CallError::NoSprite(shape.sprite.clone()).of_item(index));
            };
            sprites.insert(&shape.sprite, sprite);
            colliders.push(collider(item, shape, sprite, at));
            items.push(index);
        }
        let inserted = self.insert_all(&colliders).map_err(|cause| match cause {
            CallError::Item { index, cause } => cause.of_item(items[index]),
            other => other,
        })?;
        let mut ids = vec![None; map.items.len()];
        items.into_iter().zip(inserted).for_each(|(item, id)| ids[item] = Some(id));
        Ok(ids)
    }
}

fn collider(item: &MapItem, shape: &MapShape, sprite: SpriteId, [x, y]: [f32; 2]) -> Collider {
    Collider {
        frame: shape.frame,
        plane: shape.plane,
        position: [item.position[0] + x, item.position[1] + y],
        angle: shape.angle,
        scale: shape.scale,
        flip: shape.flip,
        sensor: shape.sensor,
        layers: shape.layers,
        collides_with: shape.collides_with,
        fixed: true,
        ..Collider::new(sprite)
    }
}
