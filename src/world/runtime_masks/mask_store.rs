//! Store of runtime masks: destructible ground, damage, and every other mask that no atlas
//! contains.
//!
//! [`MaskStore`] belongs to `World`. Placement, the pair tests and snapshots read it;
//! `transformed_masks` adds masks that are drawn from a sprite.
//!
//! Invariants: a place is free exactly if it holds no mask. [`RuntimeMask::bounds`] is the tight
//! box of the mask after every call, even if an edit panics. A mask that a collider shows is never
//! removed.

use crate::geom::{Affine, Point, Rect};
use crate::mask::Mask;
use crate::pose::Resolution;
use crate::raster::{Pivot, Raster};
use crate::world::{MaskId, PlaceError, World, id as ids};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// All runtime masks of a world, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct MaskStore {
    /// Per place: its generation, which is the number of removals, and its mask.
    pub(crate) places: Vec<(u32, Option<RuntimeMask>)>,
    /// Indices of places without a mask; the last freed is reused first.
    pub(crate) free: Vec<u32>,
}

impl MaskStore {
    pub(crate) fn get(&self, id: MaskId) -> Option<&RuntimeMask> {
        let (generation, entry) = self.places.get(id.index() as usize)?;
        entry.as_ref().filter(|_| *generation == id.generation())
    }

    pub(crate) fn get_mut(&mut self, id: MaskId) -> Option<&mut RuntimeMask> {
        let (generation, entry) = self.places.get_mut(id.index() as usize)?;
        entry.as_mut().filter(|_| *generation == id.generation())
    }

    pub(crate) fn insert(&mut self, entry: RuntimeMask) -> Result<MaskId, PlaceError> {
        let Self { places, free } = self;
        if let Some(index) = free.pop() {
            let (generation, place) = &mut places[index as usize];
            *place = Some(entry);
            return Ok(MaskId::new(index, *generation));
        }
        let index = u32::try_from(places.len()).map_err(|_| PlaceError::Full)?;
        places.push((0, Some(entry)));
        Ok(MaskId::new(index, 0))
    }
}

impl World {
    /// Adds a mask that is not in the atlas and returns its id. Colliders show it with
    /// [`Collider::from_mask`](crate::world::Collider::from_mask); any number of them can share it.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Pivot, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// let mut world = World::new(atlas);
    /// let ground: Mask = "
    ///     ...#
    ///     .###
    /// ".parse()?;
    /// let ground = world.insert_mask(ground, Pivot::HalfTexels(0, 0))?;
    /// let here = world.insert(Collider::from_mask(ground).at([100.0, 50.0]).fixed())?;
    /// world.edit_mask(ground, |mask| mask.set(3, 0, false));
    /// assert_eq!(world.rect(here).unwrap().y0, 51);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::Pose`] if the pivot is out of range.
    pub fn insert_mask(&mut self, mask: Mask, pivot: Pivot) -> Result<MaskId, PlaceError> {
        let pivot = pivot.resolve(mask.width(), mask.height()).map_err(PlaceError::Pose)?;
        self.masks.insert(RuntimeMask::new(Arc::new(mask), pivot))
    }

    /// Returns the mask, or `None` if it was removed.
    #[must_use]
    pub fn mask(&self, id: MaskId) -> Option<&Mask> {
        self.masks.get(id).map(|entry| &*entry.mask)
    }

    /// Edits a mask for all colliders that show it, and returns the result of `edit`. Returns
    /// `None` if the mask was removed.
    ///
    /// The pivot stays where it is. Costs the edit and a search for the tight box, from the edges of
    /// the mask to the first pixels. Every collider of the world is visited once: by this call if the
    /// tight box changed, else by the next update. If a clone of the world shares the mask, the mask
    /// is copied first. If `edit` panics, its changes up to then remain.
    pub fn edit_mask<R>(&mut self, id: MaskId, edit: impl FnOnce(&mut Mask) -> R) -> Option<R> {
        let entry = self.masks.get_mut(id)?;
        let before = entry.bounds;
        let mask = Arc::make_mut(&mut entry.mask);
        // The tight box must follow the mask even if the edit panics.
        let result = catch_unwind(AssertUnwindSafe(|| edit(mask)));
        entry.bounds = entry.mask.bounds().unwrap_or_default();
        if entry.bounds == before {
            // The colliders keep their boxes, but not their touching pairs.
            self.dirty.add_mask(id);
        } else {
            self.place_again(id);
        }
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Removes a mask from the world and returns it.
    ///
    /// # Errors
    /// Returns [`PlaceError::UnknownMask`] if the mask was already removed, and
    /// [`PlaceError::MaskInUse`] if a collider shows it. The world is left unchanged.
    pub fn remove_mask(&mut self, id: MaskId) -> Result<Mask, PlaceError> {
        if self.masks.get(id).is_none() {
            return Err(PlaceError::UnknownMask(id));
        }
        if self.shows(id) {
            return Err(PlaceError::MaskInUse(id));
        }
        let (generation, place) = &mut self.masks.places[id.index() as usize];
        let entry = place.take().ok_or(PlaceError::UnknownMask(id))?;
        *generation = ids::next_generation(*generation);
        self.masks.free.push(id.index());
        Ok(Arc::unwrap_or_clone(entry.mask))
    }
}

/// A runtime mask with its pivot and tight box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuntimeMask {
    /// Shared by clones of the world until one of them edits it.
    pub(crate) mask: Arc<Mask>,
    /// Pivot in half-texels. That of a drawn mask is the lattice origin.
    pub(crate) pivot: [i32; 2],
    /// Tight box within the mask; empty if no pixel is set.
    pub(crate) bounds: Rect,
    /// Source of a drawn mask; `None` for an inserted one.
    pub(crate) source: Option<Arc<RasterSource>>,
}

impl RuntimeMask {
    pub(crate) fn new(mask: Arc<Mask>, pivot: [i32; 2]) -> Self {
        let bounds = mask.bounds().unwrap_or_default();
        Self { mask, pivot, bounds, source: None }
    }

    /// Returns the offset of the mask's top-left pixel from the lattice origin.
    pub(crate) const fn origin(&self) -> Point {
        // Rounds down: a pivot in the middle of a texel lies in the middle of the lattice's pixel.
        Point::new(-(self.pivot[0] >> 1), -(self.pivot[1] >> 1))
    }

    /// Returns the offset of the pivot from the lattice origin, in half mask pixels.
    pub(crate) fn pivot2(&self, resolution: Resolution) -> [i32; 2] {
        match &self.source {
            Some(source) => source.raster.pivot2(resolution),
            None => self.pivot.map(|half_texels| half_texels & 1),
        }
    }

    /// Returns the tight box relative to the lattice origin.
    pub(crate) fn rect(&self) -> Rect {
        if self.bounds.is_empty() { self.bounds } else { self.bounds.translated(self.origin()) }
    }
}

/// Source of a drawn mask: a raster and its transform.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RasterSource {
    pub(crate) raster: Arc<Raster>,
    /// Transform to mask pixels; its translation is below 1 pixel on each axis.
    pub(crate) transform: Affine,
    /// Whole pixels of the translation.
    pub(crate) whole: Point,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atlas, AtlasBuilder, Collider};

    fn mask() -> Mask {
        "##\n#.\n".parse().unwrap()
    }

    #[test]
    fn removing_an_unknown_mask_is_refused() {
        let bake = AtlasBuilder::new().mask("dot", "#".parse().unwrap());
        let mut world = World::new(Atlas::from_vec(bake.to_bytes().unwrap()).unwrap());
        let unknown = |id| Err(PlaceError::UnknownMask(id));
        let none = MaskId::new(0, 0);
        assert_eq!(world.remove_mask(none), unknown(none), "there is no mask");

        let kept = world.insert_mask(mask(), Pivot::Center).unwrap();
        let stale = world.insert_mask(mask(), Pivot::Center).unwrap();
        assert_eq!(world.remove_mask(stale), Ok(mask()));
        assert_eq!(world.remove_mask(stale), unknown(stale), "its place is free");
        let again = world.insert_mask(mask(), Pivot::Center).unwrap();
        assert_eq!((again.index(), again.generation()), (stale.index(), 1));
        let here = world.insert(Collider::from_mask(again)).unwrap();
        world.update();

        let before = world.snapshot();
        let unknown_ids = [
            MaskId::new(2, 0),
            MaskId::new(u32::MAX, u32::MAX),
            MaskId::new(kept.index(), 1),
            MaskId::new(again.index(), 2),
            // Its place holds another mask, which is in use and must not affect the answer.
            stale,
        ];
        for id in unknown_ids {
            assert_eq!(world.remove_mask(id), unknown(id), "{id:?}");
            assert_eq!(world.snapshot(), before, "{id:?}");
        }
        assert_eq!(world.remove_mask(again), Err(PlaceError::MaskInUse(again)));
        assert_eq!(world.snapshot(), before);
        world.remove(here).unwrap();
        assert_eq!((world.remove_mask(again), world.remove_mask(kept)), (Ok(mask()), Ok(mask())));
        // Places are reused, the last freed first.
        let next = world.insert_mask(mask(), Pivot::Center).unwrap();
        assert_eq!((next.index(), next.generation()), (kept.index(), 1));
    }
}
