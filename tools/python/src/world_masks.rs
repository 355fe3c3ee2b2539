//! Run-time masks of a world: terrain that changes, and drawn transforms.

use crate::collider::mask_id;
use crate::errors::OrRaise;
use crate::mask::{MaskArg, PyMask, affine};
use crate::values::{Ij, RectArg, SamplingName, pivot};
use crate::world::PyWorld;
use hitmask::{CallError, Mask, Point, Raster, Sampling};
use pyo3::prelude::*;

impl PyWorld {
    /// Calls a function with a mask. Raises a `KeyError`.
    pub(crate) fn read_mask<R>(
        &self,
        id: u64,
        with: impl FnOnce(&Mask) -> PyResult<R>,
    ) -> PyResult<R> {
        let id = mask_id(id)?;
        self.read(|world| with(world.mask(id).ok_or(CallError::UnknownMask(id)).or_raise()?))
    }

    fn edit(&self, id: u64, edit: impl FnOnce(&mut Mask)) -> PyResult<()> {
        let id = mask_id(id)?;
        self.write(|world| {
            world.masks_mut().edit(id, edit).ok_or(CallError::UnknownMask(id)).or_raise()
        })
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a mask that can change, such as terrain, and returns its id, for `insert(mask=id)`. The pivot is
    /// in whole or half pixels from the top left corner; by default it is the centre.
    #[pyo3(signature = (mask, *, pivot=None))]
    fn insert_mask(&self, mask: MaskArg<'_, PyMask>, pivot: Option<(f64, f64)>) -> PyResult<u64> {
        let pivot = self::pivot(pivot)?;
        let mask = mask.try_borrow()?.0.clone();
        self.write(|world| Ok(world.masks_mut().insert(mask, pivot).or_raise()?.to_bits()))
    }

    /// Adds a mask drawn by a transform (a, b, c, d, tx, ty) about its pivot, and returns its id.
    #[pyo3(signature = (mask, transform, *, pivot=None, sampling=SamplingName(Sampling::Nearest)))]
    #[pyo3(text_signature = "($self, mask, transform, *, pivot=None, sampling='nearest')")]
    fn insert_transformed(
        &self,
        mask: MaskArg<'_, PyMask>,
        transform: [f64; 6],
        pivot: Option<(f64, f64)>,
        sampling: SamplingName,
    ) -> PyResult<u64> {
        let raster =
            Raster::new(&mask.try_borrow()?.0, self::pivot(pivot)?, sampling.0).or_raise()?;
        self.write(|world| {
            Ok(world.masks_mut().insert_drawn(raster, affine(transform)).or_raise()?.to_bits())
        })
    }

    /// Draws a mask of `insert_transformed` by another transform, for all its colliders. Returns whether its
    /// pixels have changed.
    fn transform_mask(&self, mask: u64, transform: [f64; 6]) -> PyResult<bool> {
        let id = mask_id(mask)?;
        self.write(|world| world.masks_mut().transform(id, affine(transform)).or_raise())
    }

    /// Draws a mask of `insert_transformed` from other pixels, for all its colliders.
    #[pyo3(signature = (mask, pixels, *, pivot=None, sampling=SamplingName(Sampling::Nearest)))]
    #[pyo3(text_signature = "($self, mask, pixels, *, pivot=None, sampling='nearest')")]
    fn redraw_mask(
        &self,
        mask: u64,
        pixels: MaskArg<'_, PyMask>,
        pivot: Option<(f64, f64)>,
        sampling: SamplingName,
    ) -> PyResult<()> {
        let id = mask_id(mask)?;
        let raster =
            Raster::new(&pixels.try_borrow()?.0, self::pivot(pivot)?, sampling.0).or_raise()?;
        self.write(|world| world.masks_mut().redraw(id, raster).or_raise())
    }

    /// Returns a copy of a mask. Raises a `KeyError`.
    fn mask(&self, mask: u64) -> PyResult<PyMask> {
        self.read_mask(mask, |mask| Ok(PyMask(mask.clone())))
    }

    /// Calls a function with a copy of a mask, which it may change in place, and stores it then. What
    /// touches its colliders is found by the next update.
    fn edit_mask(&self, mask: u64, edit: &Bound<'_, PyAny>) -> PyResult<()> {
        let copy = Bound::new(edit.py(), self.mask(mask)?)?;
        edit.call1((&copy,))?;
        let edited = copy.try_borrow()?.0.clone();
        self.edit(mask, |mask| *mask = edited)
    }

    /// Sets a disc of a mask, or clears it: a crater. The centre and the radius are in pixels of the mask.
    #[pyo3(signature = (mask, center, radius, value=true))]
    fn fill_disc(&self, mask: u64, center: Ij, radius: u32, value: bool) -> PyResult<()> {
        let disc = Mask::disc(radius).or_raise()?;
        // A radius that has a disc fits.
        let at = Point::from(center.0) - Point::new(radius as i32, radius as i32);
        self.edit(mask, |mask| if value { mask.draw(&disc, at) } else { mask.erase(&disc, at) })
    }

    /// Sets a rectangle (x0, y0, x1, y1) of a mask, or clears it, in pixels of the mask.
    #[pyo3(signature = (mask, rect, value=true))]
    fn fill_rect(&self, mask: u64, rect: RectArg, value: bool) -> PyResult<()> {
        self.edit(mask, |mask| mask.fill_rect(rect.0, value))
    }

    /// Sets the pixels of another mask in a mask, or clears them, at an offset in pixels of the mask.
    #[pyo3(signature = (mask, other, at, value=true))]
    fn draw_mask(
        &self,
        mask: u64,
        other: MaskArg<'_, PyMask>,
        at: Ij,
        value: bool,
    ) -> PyResult<()> {
        let other = other.try_borrow()?;
        self.edit(
            mask,
            |mask| {
                if value { mask.draw(&other.0, at) } else { mask.erase(&other.0, at) }
            },
        )
    }

    /// Removes a mask that no collider shows, and returns it.
    fn remove_mask(&self, mask: u64) -> PyResult<PyMask> {
        let id = mask_id(mask)?;
        self.write(|world| world.masks_mut().remove(id).or_raise().map(PyMask))
    }
}
