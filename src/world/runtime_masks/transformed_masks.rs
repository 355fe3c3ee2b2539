//! Sprites under transforms that no baker saw: drawn when they change, and only then.
//!
//! ```text
//! transform = whole pixels + the rest
//! the rest is the same   the mask is only moved by the whole pixels
//! otherwise              it is drawn, and every collider that shows it gets its new box
//! ```

use crate::geom::{Affine, Point};
use crate::raster::{Pivot, Raster};
use crate::world::runtime_masks::mask_store::{Drawn, Made};
use crate::world::{MaskId, PlaceError, World};
use std::sync::Arc;

impl World {
    /// Takes a sprite under a transform of its own, for colliders to show with
    /// [`Collider::from_mask`](crate::world::Collider::from_mask): skewed by its parents, projected from
    /// 3D, of a size in between. It is drawn by the rules of [`Raster::transformed`], at the
    /// atlas's resolution, and stays as it is until
    /// [`transform_mask`](Self::transform_mask) gives it another transform.
    ///
    /// The transform takes places relative to the sprite's pivot, in texels, to pixels relative to
    /// the collider's position. Drawing costs some nanoseconds for each pixel of its box; its
    /// pairs are settled one by one, which takes about four times as long as in the batches that
    /// sprites of the atlas go through.
    ///
    /// ```
    /// # use hitmask::{Affine, Atlas, Bake, Collider, Mask, Pivot, Raster, Sampling, World};
    /// # let mut world = World::new(Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?);
    /// let card = Raster::new(&"##\n##\n".parse::<Mask>()?, Pivot::Center, Sampling::Nearest)?;
    /// let wide = world.insert_transformed(card, Affine::scale([3.0, 1.0]))?;
    /// let card = world.insert(Collider::from_mask(wide).at([50.0, 50.0]))?;
    /// assert_eq!(world.rect(card).unwrap().width(), 6);
    /// // The same transform once more: nothing is drawn.
    /// assert!(!world.transform_mask(wide, Affine::scale([3.0, 1.0]))?);
    /// assert!(world.transform_mask(wide, Affine::rotation(0.1) * Affine::scale([3.0, 1.0]))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlaceError::Pose`] where the transform is not finite, what is drawn would be larger than
    /// [`MAX_SIDE`](crate::MAX_SIDE), or it would lie farther than 32,768 pixels from the
    /// collider's position, which is where greater distances belong.
    pub fn insert_transformed(
        &mut self,
        raster: impl Into<Arc<Raster>>,
        transform: Affine,
    ) -> Result<MaskId, PlaceError> {
        let made = Drawn::new(raster.into(), self.in_mask_pixels(transform))?.draw()?;
        self.masks.insert(made)
    }

    /// Shows a sprite of [`insert_transformed`](Self::insert_transformed) under another
    /// transform, on all colliders that show it. True where that had to be drawn; where only whole
    /// pixels of the translation have changed the mask is moved, and where nothing has changed
    /// nothing happens.
    ///
    /// Edits last until the next drawing. Costs a look at every collider of the world besides,
    /// where anything changed.
    ///
    /// # Errors
    /// [`PlaceError::UnknownMask`] where it is no longer in the world,
    /// [`PlaceError::UndrawnMask`] where it was inserted as it is, and those of
    /// [`insert_transformed`](Self::insert_transformed); the world is then as it was.
    pub fn transform_mask(&mut self, id: MaskId, transform: Affine) -> Result<bool, PlaceError> {
        let transform = self.in_mask_pixels(transform);
        let made = self.masks.get_mut(id).ok_or(PlaceError::UnknownMask(id))?;
        let before = made.drawn.as_ref().ok_or(PlaceError::UndrawnMask(id))?;
        let after = Drawn::new(Arc::clone(&before.raster), transform)?;
        if after == **before {
            return Ok(false);
        }
        let same = after.transform == before.transform;
        *made = if same { after.moved(made)? } else { after.draw()? };
        self.place_again(id);
        Ok(!same)
    }

    /// Shows another sprite under the transform that a mask of
    /// [`insert_transformed`](Self::insert_transformed) has, on all colliders that show it: the same
    /// art with a hole in it, so that damage turns along. It is drawn anew, which edits do not
    /// outlast, and costs what a new transform costs.
    ///
    /// ```
    /// # use hitmask::{Affine, Atlas, Bake, Mask, Pivot, Raster, Sampling, World};
    /// # let mut world = World::new(Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?);
    /// let mut hull: Mask = "####\n####".parse()?;
    /// let raster = |hull: &Mask| Raster::new(hull, Pivot::Center, Sampling::Nearest);
    /// let ship = world.insert_transformed(raster(&hull)?, Affine::rotation(0.5))?;
    /// hull.set(0, 0, false);
    /// world.redraw_mask(ship, raster(&hull)?)?;
    /// // The hole is where the turned corner was, and stays there under any transform.
    /// world.transform_mask(ship, Affine::rotation(1.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`transform_mask`](Self::transform_mask); the world is then as it was.
    pub fn redraw_mask(
        &mut self,
        id: MaskId,
        raster: impl Into<Arc<Raster>>,
    ) -> Result<(), PlaceError> {
        let made = self.masks.get_mut(id).ok_or(PlaceError::UnknownMask(id))?;
        let before = made.drawn.as_ref().ok_or(PlaceError::UndrawnMask(id))?;
        *made = Drawn { raster: raster.into(), ..**before }.draw()?;
        self.place_again(id);
        Ok(())
    }

    /// From pixels to mask pixels.
    fn in_mask_pixels(&self, transform: Affine) -> Affine {
        Affine::scale([self.atlas.resolution(); 2]) * transform
    }
}

impl Drawn {
    /// Parts the whole pixels from the rest.
    fn new(raster: Arc<Raster>, transform: Affine) -> Result<Self, PlaceError> {
        Raster::check(transform).map_err(PlaceError::Pose)?;
        let (transform, whole) = transform.without_whole_pixels();
        Ok(Self { raster, transform, whole })
    }

    /// The mask.
    fn draw(self) -> Result<Made, PlaceError> {
        let posed = self.raster.transformed(self.transform).map_err(PlaceError::Pose)?;
        let pivot = pivot(posed.origin + self.whole)?;
        Ok(Made { drawn: Some(Arc::new(self)), ..Made::new(Arc::new(posed.mask), pivot) })
    }

    /// A mask that was drawn at the same transform, at its new place.
    fn moved(self, made: &Made) -> Result<Made, PlaceError> {
        let before = made.drawn.as_ref().map_or(self.whole, |drawn| drawn.whole);
        let pivot = pivot(made.origin() + (self.whole - before))?;
        Ok(Made { pivot, drawn: Some(Arc::new(self)), ..made.clone() })
    }
}

/// The pivot of a mask whose top-left pixel lies there from the lattice origin.
fn pivot(origin: Point) -> Result<[i32; 2], PlaceError> {
    let (x, y) = (origin.x.saturating_mul(-2), origin.y.saturating_mul(-2));
    // Any size: it is the place that is asked about.
    Pivot::HalfTexels(x, y).resolve(0, 0).map(|(pivot, _)| pivot).map_err(PlaceError::Pose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atlas, Bake, Collider, Mask, Sampling};

    #[test]
    fn a_world_is_restored_with_a_mask_a_hair_beside_whole_pixels() {
        let card: Mask = "###\n#..\n".parse().unwrap();
        let atlas = Atlas::from_vec(Bake::new().mask("card", card.clone()).to_bytes().unwrap());
        let atlas = atlas.unwrap();
        let raster = Arc::new(Raster::new(&card, Pivot::Center, Sampling::Nearest).unwrap());
        let shown = |tx, ty| {
            let mut world = World::new(atlas.clone());
            let transform = Affine { tx, ty, ..Affine::rotation(0.4) };
            let mask = world.insert_transformed(Arc::clone(&raster), transform).unwrap();
            let id = world.insert(Collider::from_mask(mask)).unwrap();
            world.update();
            // Moving it there is no other than showing it there.
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
