//! Edits of runtime masks, and of the colliders that show them.
//!
//! Invariants: a mask that a collider shows is never removed. A refused call leaves the scene
//! unchanged. The tight box of a mask follows it even if an edit panics.

use crate::error::CallError;
use crate::geom::Affine;
use crate::ids::MaskId;
use crate::mask::Mask;
use crate::raster::{Pivot, Raster};
use crate::scene::changes::SlotState;
use crate::scene::placement;
use crate::scene::stock::{RasterSource, RuntimeMask};
use crate::scene::{PlacedMask, Scene};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

impl Scene {
    /// Adds a mask and returns its id.
    pub(crate) fn insert_mask(&mut self, mask: Mask, pivot: Pivot) -> Result<MaskId, CallError> {
        let pivot = pivot.resolve(mask.width(), mask.height())?;
        self.stock.masks.insert(RuntimeMask::new(mask, pivot))
    }

    /// Edits a mask for all that show it; `None` if it was removed.
    pub(crate) fn edit_mask<R>(
        &mut self,
        id: MaskId,
        edit: impl FnOnce(&mut Mask) -> R,
    ) -> Option<R> {
        let entry = self.stock.masks.get_mut(id)?;
        let before = entry.bounds;
        let mask = Arc::make_mut(&mut entry.mask).edit();
        // The tight box must follow the mask even if the edit panics.
        let result = catch_unwind(AssertUnwindSafe(|| edit(mask)));
        entry.bounds = entry.mask.bounds().unwrap_or_default();
        if entry.bounds == before {
            // The colliders keep their boxes, but not their touching pairs.
            self.changes.record_mask(id);
        } else {
            self.place_again(id);
        }
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    pub(crate) fn remove_mask(&mut self, id: MaskId) -> Result<Mask, CallError> {
        if self.stock.masks.get(id).is_none() {
            return Err(CallError::UnknownMask(id));
        }
        if self.shows(id) {
            return Err(CallError::MaskInUse(id));
        }
        self.changes.record_mask_removal(id);
        let entry = self.stock.masks.remove(id).ok_or(CallError::UnknownMask(id))?;
        Ok(Arc::unwrap_or_clone(entry.mask).into_mask())
    }

    /// Adds a mask drawn from `raster` under `transform`, and returns its id.
    pub(crate) fn insert_transformed(
        &mut self,
        raster: Arc<Raster>,
        transform: Affine,
    ) -> Result<MaskId, CallError> {
        let source = RasterSource::new(raster, self.in_mask_pixels(transform))?;
        let entry = source.draw(self.stock.atlas.records().resolution())?;
        self.stock.masks.insert(entry)
    }

    /// Sets the transform of a drawn mask. Returns true if it was drawn again.
    pub(crate) fn transform_mask(
        &mut self,
        id: MaskId,
        transform: Affine,
    ) -> Result<bool, CallError> {
        let (transform, lattice) =
            (self.in_mask_pixels(transform), self.stock.atlas.records().resolution());
        let entry = self.stock.masks.get_mut(id).ok_or(CallError::UnknownMask(id))?;
        let before = entry.source.as_ref().ok_or(CallError::UndrawnMask(id))?;
        let after = RasterSource::new(Arc::clone(&before.raster), transform)?;
        if after == **before {
            return Ok(false);
        }
        let same = after.transform == before.transform;
        *entry = if same { after.moved(entry)? } else { after.draw(lattice)? };
        self.place_again(id);
        Ok(!same)
    }

    /// Replaces the raster of a drawn mask, and keeps its transform.
    pub(crate) fn redraw_mask(&mut self, id: MaskId, raster: Arc<Raster>) -> Result<(), CallError> {
        let lattice = self.stock.atlas.records().resolution();
        let entry = self.stock.masks.get_mut(id).ok_or(CallError::UnknownMask(id))?;
        let before = entry.source.as_ref().ok_or(CallError::UndrawnMask(id))?;
        *entry = RasterSource { raster, ..**before }.draw(lattice)?;
        self.place_again(id);
        Ok(())
    }

    fn in_mask_pixels(&self, transform: Affine) -> Affine {
        Affine::scale([self.stock.resolution(); 2]) * transform
    }

    pub(crate) fn shows(&self, id: MaskId) -> bool {
        self.placed.slots.showing(id).next().is_some()
    }

    /// Places the colliders that show a mask of other pixels again.
    fn place_again(&mut self, id: MaskId) {
        self.changes.record_mask(id);
        let Some(rect) = self.stock.masks.get(id).map(RuntimeMask::rect) else { return };
        let shown: Vec<u32> = self.placed.slots.showing(id).collect();
        for slot in shown {
            let slot = slot as usize;
            let lattice =
                placement::snap(self.placed.slots.positions[slot], self.stock.resolution())
                    .unwrap_or_default();
            let placed = PlacedMask::from_rect(rect.translated(lattice));
            let before = self.state(slot);
            self.placed.slots.put_placed(slot, before.fixed, placed);
            self.record(&before, &SlotState { placed, ..before });
        }
    }
}
