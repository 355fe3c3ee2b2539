//! Runtime masks that are drawn from a sprite under an arbitrary transform.
//!
//! ```text
//! transform = whole pixels of translation + remainder
//! same remainder     the mask only moves by whole pixels
//! other remainder    the mask is drawn again, and each collider that shows it gets its new box
//! ```
//!
//! Called by users through `World`. Invariants: a mask depends only on its raster and its current
//! transform, never on earlier transforms. A refused call leaves the world unchanged.

use crate::geom::{Affine, Point};
use crate::pose::Resolution;
use crate::raster::{Pivot, Raster};
use crate::world::runtime_masks::mask_store::{RasterSource, RuntimeMask};
use crate::world::{MaskId, PlaceError, World};
use std::sync::Arc;

impl World {
    /// Adds a mask that is drawn from `raster` under `transform`, and returns its id. Colliders
    /// show it with [`Collider::from_mask`](crate::world::Collider::from_mask). Use it for skewed,
    /// projected or freely scaled sprites, which no atlas contains.
    ///
    /// The mask is drawn by the rules of [`Raster::transformed`], at the atlas's resolution. It
    /// keeps its transform until [`transform_mask`](Self::transform_mask) sets another.
    ///
    /// The transform maps points relative to the sprite's pivot, in texels, to pixels relative to
    /// the collider's position. Drawing costs a few nanoseconds per pixel of the mask's box. Pairs
    /// of drawn masks are tested one by one, which takes about 4x the time of the batches for atlas
    /// sprites.
    ///
    /// ```
    /// # use hitmask::{Affine, Atlas, AtlasBuilder, Collider, Mask, Pivot, Raster, Sampling, World};
    /// # let mut world = World::new(Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?);
    /// let card = Raster::new(&"##\n##\n".parse::<Mask>()?, Pivot::Center, Sampling::Nearest)?;
    /// let wide = world.insert_transformed(card, Affine::scale([3.0, 1.0]))?;
    /// let card = world.insert(Collider::from_mask(wide).at([50.0, 50.0]))?;
    /// assert_eq!(world.rect(card).unwrap().width(), 6);
    /// // The same transform again: nothing is drawn.
    /// assert!(!world.transform_mask(wide, Affine::scale([3.0, 1.0]))?);
    /// assert!(world.transform_mask(wide, Affine::rotation(0.1) * Affine::scale([3.0, 1.0]))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::Pose`] in three cases:
    /// - the transform is not finite;
    /// - a side of the mask would exceed [`MAX_SIDE`](crate::MAX_SIDE);
    /// - the mask would lie farther than 32,768 pixels from the collider's position. Put greater
    ///   distances into the position.
    pub fn insert_transformed(
        &mut self,
        raster: impl Into<Arc<Raster>>,
        transform: Affine,
    ) -> Result<MaskId, PlaceError> {
        let source = RasterSource::new(raster.into(), self.in_mask_pixels(transform))?;
        let entry = source.draw(self.atlas.records().resolution())?;
        self.masks.insert(entry)
    }

    /// Sets the transform of a mask from [`insert_transformed`](Self::insert_transformed), for all
    /// colliders that show it.
    ///
    /// Returns true if the mask was drawn again. If only whole pixels of the translation changed,
    /// the mask is moved. If nothing changed, the call does nothing.
    ///
    /// Edits are lost at the next drawing. If anything changed, the call also visits every collider
    /// of the world.
    ///
    /// # Errors
    /// Returns [`PlaceError::UnknownMask`] if the mask was removed, [`PlaceError::UndrawnMask`] if
    /// it was inserted without a raster, and the errors of
    /// [`insert_transformed`](Self::insert_transformed). The world is left unchanged.
    pub fn transform_mask(&mut self, id: MaskId, transform: Affine) -> Result<bool, PlaceError> {
        let (transform, lattice) =
            (self.in_mask_pixels(transform), self.atlas.records().resolution());
        let entry = self.masks.get_mut(id).ok_or(PlaceError::UnknownMask(id))?;
        let before = entry.source.as_ref().ok_or(PlaceError::UndrawnMask(id))?;
        let after = RasterSource::new(Arc::clone(&before.raster), transform)?;
        if after == **before {
            return Ok(false);
        }
        let same = after.transform == before.transform;
        *entry = if same { after.moved(entry)? } else { after.draw(lattice)? };
        self.place_again(id);
        Ok(!same)
    }

    /// Replaces the raster of a mask from [`insert_transformed`](Self::insert_transformed) and
    /// keeps its transform, for all colliders that show it.
    ///
    /// Use it for damage that turns with the sprite: the same art with a hole in it. The mask is
    /// drawn again, so edits are lost. Costs as much as a new transform.
    ///
    /// ```
    /// # use hitmask::{Affine, Atlas, AtlasBuilder, Mask, Pivot, Raster, Sampling, World};
    /// # let mut world = World::new(Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?);
    /// let mut hull: Mask = "####\n####".parse()?;
    /// let raster = |hull: &Mask| Raster::new(hull, Pivot::Center, Sampling::Nearest);
    /// let ship = world.insert_transformed(raster(&hull)?, Affine::rotation(0.5))?;
    /// hull.set(0, 0, false);
    /// world.redraw_mask(ship, raster(&hull)?)?;
    /// // The hole is in the turned corner, and stays in it under any transform.
    /// world.transform_mask(ship, Affine::rotation(1.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`transform_mask`](Self::transform_mask). The world is left unchanged.
    pub fn redraw_mask(
        &mut self,
        id: MaskId,
        raster: impl Into<Arc<Raster>>,
    ) -> Result<(), PlaceError> {
        let lattice = self.atlas.records().resolution();
        let entry = self.masks.get_mut(id).ok_or(PlaceError::UnknownMask(id))?;
        let before = entry.source.as_ref().ok_or(PlaceError::UndrawnMask(id))?;
        *entry = RasterSource { raster: raster.into(), ..**before }.draw(lattice)?;
        self.place_again(id);
        Ok(())
    }

    /// Converts a transform to pixels into one to mask pixels.
    fn in_mask_pixels(&self, transform: Affine) -> Affine {
        Affine::scale([self.atlas.resolution(); 2]) * transform
    }
}

impl RasterSource {
    /// Checks a transform and splits off the whole pixels of its translation.
    fn new(raster: Arc<Raster>, transform: Affine) -> Result<Self, PlaceError> {
        Raster::check(transform).map_err(PlaceError::Pose)?;
        let (transform, whole) = transform.without_whole_pixels();
        Ok(Self { raster, transform, whole })
    }

    /// Draws the mask.
    fn draw(self, lattice: Resolution) -> Result<RuntimeMask, PlaceError> {
        let posed =
            self.raster.transformed_at(self.transform, lattice).map_err(PlaceError::Pose)?;
        let pivot = pivot(posed.origin + self.whole)?;
        Ok(RuntimeMask {
            source: Some(Arc::new(self)),
            ..RuntimeMask::new(Arc::new(posed.mask), pivot)
        })
    }

    /// Returns `entry`, drawn at the same transform, moved by the change of whole pixels.
    fn moved(self, entry: &RuntimeMask) -> Result<RuntimeMask, PlaceError> {
        let before = entry.source.as_ref().map_or(self.whole, |source| source.whole);
        let pivot = pivot(entry.origin() + (self.whole - before))?;
        Ok(RuntimeMask { pivot, source: Some(Arc::new(self)), ..entry.clone() })
    }
}

/// Returns the pivot, in half-texels, of a mask whose top-left pixel is at `origin` from the
/// lattice origin.
fn pivot(origin: Point) -> Result<[i32; 2], PlaceError> {
    let (x, y) = (origin.x.saturating_mul(-2), origin.y.saturating_mul(-2));
    // Resolves against an empty mask, because only the range of the pivot is checked.
    Pivot::HalfTexels(x, y).resolve(0, 0).map_err(PlaceError::Pose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atlas, AtlasBuilder, Collider, Mask, Sampling};

    #[test]
    fn tiny_negative_translations_snapshot_as_whole_pixels() {
        let card: Mask = "###\n#..\n".parse().unwrap();
        let atlas =
            Atlas::from_vec(AtlasBuilder::new().mask("card", card.clone()).to_bytes().unwrap());
        let atlas = atlas.unwrap();
        let raster = Arc::new(Raster::new(&card, Pivot::Center, Sampling::Nearest).unwrap());
        let shown = |tx, ty| {
            let mut world = World::new(atlas.clone());
            let transform = Affine { tx, ty, ..Affine::rotation(0.4) };
            let mask = world.insert_transformed(Arc::clone(&raster), transform).unwrap();
            let id = world.insert(Collider::from_mask(mask)).unwrap();
            world.update();
            // Setting the transform gives the same state as inserting with it.
            let mut moved = World::new(atlas.clone());
            let mask = moved.insert_transformed(Arc::clone(&raster), Affine::IDENTITY).unwrap();
            moved.insert(Collider::from_mask(mask)).unwrap();
            moved.transform_mask(mask, transform).unwrap();
            moved.update();
            assert_eq!(moved.snapshot(), world.snapshot());
            let saved = world.snapshot();
            let restored = World::from_snapshot(atlas.clone(), &saved).unwrap();
            assert_eq!(restored.snapshot(), saved);
            (saved, world.rect(id))
        };
        let there = shown(4.0, -2.0);
        for hair in [1e-17, 1e-30, f64::MIN_POSITIVE] {
            assert_eq!(shown(-hair, -hair), shown(0.0, 0.0), "{hair}");
        }
        assert_eq!(shown(4.0 - 1e-17, -2.0), there);
    }
}
