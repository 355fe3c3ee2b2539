//! Runtime masks of a world: inserted, edited, or drawn under a transform.

use crate::error::CallError;
use crate::geom::Affine;
use crate::ids::MaskId;
use crate::mask::Mask;
use crate::raster::{Pivot, Raster};
use crate::scene::Scene;
use crate::world::World;
use std::sync::Arc;

/// # Runtime masks
impl World {
    /// Returns a mask, or `None` if it was removed.
    #[must_use]
    pub fn mask(&self, id: MaskId) -> Option<&Mask> {
        self.scene.stock.masks.get(id).map(|entry| &**entry.mask)
    }

    /// Returns the view that inserts, edits, draws and removes masks.
    #[must_use]
    pub const fn masks_mut(&mut self) -> MasksMut<'_> {
        MasksMut { scene: &mut self.scene }
    }
}

/// The masks of a world that are not in an atlas, for changes. Made by [`World::masks_mut`].
#[derive(Debug)]
pub struct MasksMut<'w> {
    scene: &'w mut Scene,
}

impl MasksMut<'_> {
    /// Adds a mask that is not in the atlas and returns its id. Colliders show it with
    /// [`Collider::from_mask`](crate::Collider::from_mask); any number of them can share it.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Pivot, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// let mut world = World::new(atlas);
    /// let ground: Mask = "
    ///     ...#
    ///     .###
    /// ".parse()?;
    /// let ground = world.masks_mut().insert(ground, Pivot::HalfTexels(0, 0))?;
    /// let here = world.insert(Collider::from_mask(ground).at([100.0, 50.0]).fixed())?;
    /// world.masks_mut().edit(ground, |mask| mask.set(3, 0, false));
    /// assert_eq!(world.rect(here).unwrap().y0, 51);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError::Pivot`] if the pivot is out of range.
    pub fn insert(&mut self, mask: Mask, pivot: Pivot) -> Result<MaskId, CallError> {
        self.scene.insert_mask(mask, pivot)
    }

    /// Edits a mask for all colliders that show it, and returns the result of `edit`. Returns
    /// `None` if the mask was removed.
    ///
    /// The pivot stays where it is. Costs the edit and a search for the tight box, from the edges of
    /// the mask to the first pixels. The colliders that show the mask are visited once: by this call if
    /// the tight box changed, else by the next update. If a clone of the world shares the mask, the mask
    /// is copied first. If `edit` panics, its changes up to then remain.
    pub fn edit<R>(&mut self, id: MaskId, edit: impl FnOnce(&mut Mask) -> R) -> Option<R> {
        self.scene.edit_mask(id, edit)
    }

    /// Removes a mask from the world and returns it.
    ///
    /// # Errors
    /// Returns [`CallError::UnknownMask`] if the mask was already removed, and
    /// [`CallError::MaskInUse`] if a collider shows it. The world is left unchanged.
    pub fn remove(&mut self, id: MaskId) -> Result<Mask, CallError> {
        self.scene.remove_mask(id)
    }

    /// Adds a mask that is drawn from `raster` under `transform`, and returns its id. Colliders
    /// show it with [`Collider::from_mask`](crate::Collider::from_mask). Use it for skewed,
    /// projected or freely scaled sprites, which no atlas contains.
    ///
    /// The mask is drawn by the rules of [`Raster::transformed`], at the atlas's resolution. It
    /// keeps its transform until [`transform`](Self::transform) sets another.
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
    /// let wide = world.masks_mut().insert_drawn(card, Affine::scale([3.0, 1.0]))?;
    /// let card = world.insert(Collider::from_mask(wide).at([50.0, 50.0]))?;
    /// assert_eq!(world.rect(card).unwrap().width(), 6);
    /// // The same transform again: nothing is drawn.
    /// assert!(!world.masks_mut().transform(wide, Affine::scale([3.0, 1.0]))?);
    /// assert!(world.masks_mut().transform(wide, Affine::rotation(0.1) * Affine::scale([3.0, 1.0]))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns
    /// - [`CallError::Transform`] if the transform is not finite;
    /// - [`CallError::TooLarge`] if a side of the mask would exceed [`MAX_SIDE`](crate::MAX_SIDE);
    /// - [`CallError::Pivot`] if the mask would lie farther than 32,768 pixels from the collider's position. Put greater
    ///   distances into the position.
    pub fn insert_drawn(
        &mut self,
        raster: impl Into<Arc<Raster>>,
        transform: Affine,
    ) -> Result<MaskId, CallError> {
        self.scene.insert_transformed(raster.into(), transform)
    }

    /// Sets the transform of a mask from [`insert_drawn`](Self::insert_drawn), for all
    /// colliders that show it.
    ///
    /// Returns true if the mask was drawn again. If only whole pixels of the translation changed,
    /// the mask is moved. If nothing changed, the call does nothing.
    ///
    /// Edits are lost at the next drawing. If anything changed, the call also visits the colliders that
    /// show the mask.
    ///
    /// # Errors
    /// Returns [`CallError::UnknownMask`] if the mask was removed, [`CallError::UndrawnMask`] if
    /// it was inserted without a raster, and the errors of
    /// [`insert_drawn`](Self::insert_drawn). The world is left unchanged.
    pub fn transform(&mut self, id: MaskId, transform: Affine) -> Result<bool, CallError> {
        self.scene.transform_mask(id, transform)
    }

    /// Replaces the raster of a mask from [`insert_drawn`](Self::insert_drawn) and
    /// keeps its transform, for all colliders that show it.
    ///
    /// Use it for damage that turns with the sprite: the same art with a hole in it. The mask is
    /// drawn again, so edits are lost. Costs as much as a new transform.
    ///
    /// # Errors
    /// Returns the errors of [`transform`](Self::transform). The world is left unchanged.
    pub fn redraw(&mut self, id: MaskId, raster: impl Into<Arc<Raster>>) -> Result<(), CallError> {
        self.scene.redraw_mask(id, raster.into())
    }
}
