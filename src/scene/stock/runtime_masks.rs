//! Store of runtime masks: destructible ground, damage, and every other mask that no atlas
//! contains.
//!
//! ```text
//! transform = whole pixels of translation + remainder
//! same remainder     a drawn mask only moves by whole pixels
//! other remainder    it is drawn again
//! ```
//!
//! Invariants: a place is free exactly if it holds no mask and is not retired.
//! [`RuntimeMask::bounds`] is the tight box of the mask after every call. A drawn mask depends only
//! on its raster and its current transform, never on earlier transforms.

use crate::error::CallError;
use crate::geom::{Affine, Point, Rect};
use crate::ids::MaskId;
use crate::ids::{MASK_TAG, MAX_MASK_GENERATION};
use crate::mask::Mask;
use crate::memory::clone_fields::clone_fields;
use crate::pose::Resolution;
use crate::raster::{Pivot, Raster};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

#[derive(Debug, Default)]
pub(crate) struct MaskStore {
    /// Per place: its generation, which is the number of removals, and its mask.
    pub(crate) places: Vec<(u32, Option<RuntimeMask>)>,
    /// Indices of places for a mask; the last freed is reused first. A place without a mask whose
    /// generation exceeds [`MAX_MASK_GENERATION`] is retired.
    pub(crate) free: Vec<u32>,
}

clone_fields!([] MaskStore { places, free });

impl MaskStore {
    pub(crate) fn get(&self, id: MaskId) -> Option<&RuntimeMask> {
        let (generation, entry) = self.places.get(id.index() as usize)?;
        entry.as_ref().filter(|_| *generation == id.generation())
    }

    pub(crate) fn get_mut(&mut self, id: MaskId) -> Option<&mut RuntimeMask> {
        let (generation, entry) = self.places.get_mut(id.index() as usize)?;
        entry.as_mut().filter(|_| *generation == id.generation())
    }

    pub(crate) fn insert(&mut self, entry: RuntimeMask) -> Result<MaskId, CallError> {
        let Self { places, free } = self;
        if let Some(index) = free.pop() {
            let (generation, place) = &mut places[index as usize];
            *place = Some(entry);
            return Ok(MaskId::new(index, *generation));
        }
        let index = u32::try_from(places.len()).ok().filter(|&index| index < MASK_TAG);
        let index = index.ok_or(CallError::Full)?;
        places.push((0, Some(entry)));
        Ok(MaskId::new(index, 0))
    }

    /// Removes a mask. Its place is free again, or retired after very many masks.
    pub(crate) fn remove(&mut self, id: MaskId) -> Option<RuntimeMask> {
        self.get(id)?;
        let (generation, place) = &mut self.places[id.index() as usize];
        *generation += 1;
        if *generation <= MAX_MASK_GENERATION {
            self.free.push(id.index());
        }
        place.take()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuntimeMask {
    /// Shared by clones of the world until one of them edits it.
    pub(crate) mask: Arc<DigestedMask>,
    /// Pivot in half-texels. That of a drawn mask is the lattice origin.
    pub(crate) pivot: [i32; 2],
    /// Tight box within the mask; empty if no pixel is set.
    pub(crate) bounds: Rect,
    /// Source of a drawn mask; `None` for an inserted one.
    pub(crate) source: Option<Arc<RasterSource>>,
}

/// A mask with the digest of its pixels, for the hash of a state. An edit drops the digest.
#[derive(Clone, Debug)]
pub(crate) struct DigestedMask {
    mask: Mask,
    digest: OnceLock<u64>,
}

impl DigestedMask {
    /// Returns the digest that `make` gives, and keeps it until the next edit.
    pub(crate) fn digest(&self, make: impl FnOnce(&Mask) -> u64) -> u64 {
        *self.digest.get_or_init(|| make(&self.mask))
    }

    /// Returns the mask, to be edited.
    pub(crate) fn edit(&mut self) -> &mut Mask {
        self.digest.take();
        &mut self.mask
    }

    pub(crate) fn into_mask(self) -> Mask {
        self.mask
    }
}

impl Deref for DigestedMask {
    type Target = Mask;

    fn deref(&self) -> &Mask {
        &self.mask
    }
}

impl PartialEq for DigestedMask {
    fn eq(&self, other: &Self) -> bool {
        self.mask == other.mask
    }
}

impl RuntimeMask {
    pub(crate) fn new(mask: Mask, pivot: [i32; 2]) -> Self {
        let bounds = mask.bounds().unwrap_or_default();
        let mask = Arc::new(DigestedMask { mask, digest: OnceLock::new() });
        Self { mask, pivot, bounds, source: None }
    }

    pub(crate) const fn origin(&self) -> Point {
        // Rounds down: a pivot in the middle of a texel lies in the middle of the lattice's pixel.
        Point::new(-(self.pivot[0] >> 1), -(self.pivot[1] >> 1))
    }

    pub(crate) fn pivot2(&self, resolution: Resolution) -> [i32; 2] {
        match &self.source {
            Some(source) => source.raster.pivot2(resolution),
            None => self.pivot.map(|half_texels| half_texels & 1),
        }
    }

    pub(crate) fn rect(&self) -> Rect {
        if self.bounds.is_empty() { self.bounds } else { self.bounds.translated(self.origin()) }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RasterSource {
    pub(crate) raster: Arc<Raster>,
    /// Transform to mask pixels; its translation is below 1 pixel on each axis.
    pub(crate) transform: Affine,
    /// Whole pixels of the translation.
    pub(crate) whole: Point,
}

impl RasterSource {
    /// Checks a transform and splits off the whole pixels of its translation.
    pub(crate) fn new(raster: Arc<Raster>, transform: Affine) -> Result<Self, CallError> {
        Raster::check(transform)?;
        let (transform, whole) = transform.without_whole_pixels();
        Ok(Self { raster, transform, whole })
    }

    pub(crate) fn draw(self, lattice: Resolution) -> Result<RuntimeMask, CallError> {
        let posed = self.raster.transformed_at(self.transform, lattice)?;
        let pivot = pivot(posed.origin + self.whole)?;
        Ok(RuntimeMask { source: Some(Arc::new(self)), ..RuntimeMask::new(posed.mask, pivot) })
    }

    /// Returns `entry`, drawn at the same transform, moved by the change of whole pixels.
    pub(crate) fn moved(self, entry: &RuntimeMask) -> Result<RuntimeMask, CallError> {
        let before = entry.source.as_ref().map_or(self.whole, |source| source.whole);
        let pivot = pivot(entry.origin() + (self.whole - before))?;
        Ok(RuntimeMask { pivot, source: Some(Arc::new(self)), ..entry.clone() })
    }
}

/// Returns the pivot of a mask whose top-left pixel is at `origin`.
fn pivot(origin: Point) -> Result<[i32; 2], CallError> {
    let (x, y) = (origin.x.saturating_mul(-2), origin.y.saturating_mul(-2));
    // Resolves against an empty mask, because only the range of the pivot is checked.
    Pivot::HalfTexels(x, y).resolve(0, 0)
}
