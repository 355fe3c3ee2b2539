//! Masks that are drawn for colliders whose transform no baked pose shows.
//!
//! Called by `resolve`. Each such collider has a mask of its own in the world. Masks of removed colliders are drawn
//! again, so that sprites that come and go make no new ones.

use bevy_ecs::entity::{Entity, EntityHashMap};
use hitmask::{Affine, CallError, MaskId, Raster, SpriteId, World};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The image of a sprite.
pub(crate) type FrameKey = (SpriteId, u32, u32);

/// Masks by entity, and the rasters that they are drawn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnMasks {
    masks: EntityHashMap<(MaskId, Arc<Raster>)>,
    free: Vec<MaskId>,
    rasters: HashMap<FrameKey, Arc<Raster>>,
}

impl DrawnMasks {
    /// Returns the raster of an image, made by `make` at the first call.
    pub(crate) fn raster(
        &mut self,
        key: FrameKey,
        make: impl FnOnce() -> Option<Raster>,
    ) -> Option<Arc<Raster>> {
        let raster = match self.rasters.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Arc::new(make()?)),
        };
        Some(Arc::clone(raster))
    }

    /// Forgets the rasters of atlases that have changed.
    pub(crate) fn forget_rasters(&mut self) {
        self.rasters.clear();
    }

    /// Draws the mask of an entity under a transform, if it is not shown already.
    pub(crate) fn draw(
        &mut self,
        world: &mut World,
        entity: Entity,
        raster: Arc<Raster>,
        transform: Affine,
    ) -> Result<MaskId, CallError> {
        if let Some((mask, shown)) = self.masks.get_mut(&entity) {
            let mask = *mask;
            if !Arc::ptr_eq(shown, &raster) {
                redraw(world, mask, &raster)?;
                *shown = raster;
            }
            world.masks_mut().transform(mask, transform)?;
            return Ok(mask);
        }
        let mask = match self.free.pop() {
            Some(mask) => {
                let drawn = redraw(world, mask, &raster)
                    .and_then(|()| world.masks_mut().transform(mask, transform));
                if let Err(error) = drawn {
                    self.free.push(mask);
                    return Err(error);
                }
                mask
            }
            None => world.masks_mut().insert_drawn(Arc::clone(&raster), transform)?,
        };
        self.masks.insert(entity, (mask, raster));
        Ok(mask)
    }

    /// Gives the mask of an entity to another one.
    pub(crate) fn rename(&mut self, from: Entity, to: Entity) {
        if let Some(mask) = self.masks.remove(&from) {
            self.masks.insert(to, mask);
        }
    }

    /// Frees the mask of an entity that no longer shows it.
    pub(crate) fn release(&mut self, entity: Entity) {
        self.free.extend(self.masks.remove(&entity).map(|(mask, _)| mask));
    }
}

/// Draws a mask from another raster. Without its transform, which may be out of range for that raster.
fn redraw(world: &mut World, mask: MaskId, raster: &Arc<Raster>) -> Result<(), CallError> {
    world.masks_mut().transform(mask, Affine::IDENTITY)?;
    world.masks_mut().redraw(mask, Arc::clone(raster))
}
