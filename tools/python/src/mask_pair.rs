//! Questions about two masks at an offset, and about a mask and a line.

use crate::arrays;
use crate::errors::OrRaise;
use crate::mask::{MaskArg, PyMask};
use crate::values::{Contact, Corners, Ij, Impact, LineHit, OrderName, Overlap, Xy, corners, ij};
use hitmask::{Certainty, Graze, Line, Zone};
use numpy::PyArray2;
use pyo3::prelude::*;

#[pymethods]
impl PyMask {
    /// Tests whether two masks share a pixel.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn touches(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<bool> {
        Ok(self.0.touches(&other.try_borrow()?.0, at))
    }

    /// Returns the number of shared pixels.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn overlap_area(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<u64> {
        Ok(self.0.overlap_area(&other.try_borrow()?.0, at))
    }

    /// Returns the tight box of the shared pixels as (x0, y0, x1, y1), or None.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn overlap_rect(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<Corners>> {
        Ok(self.0.contact(&other.try_borrow()?.0, at).map(|contact| corners(contact.rect)))
    }

    /// Returns the shared pixels as a mask of the size of this one.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn overlap_mask(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Self> {
        Ok(Self(self.0.overlap_mask(&other.try_borrow()?.0, at)))
    }

    /// Returns the shared pixels as an array (n, 2) of int32, row by row.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn overlap_pixels<'py>(
        &self,
        py: Python<'py>,
        other: MaskArg<'_, Self>,
        at: Ij,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let other = other.try_borrow()?;
        let shared = self.0.overlap(&other.0, at);
        arrays::rows(py, shared.iter().flat_map(|both| both.pixels()).map(<[i32; 2]>::from))
    }

    /// Returns the first shared pixel in an order: "top" (then left), "bottom", "left" or "right"; or None.
    #[pyo3(signature = (other, at=Ij::default(), order=OrderName(hitmask::ScanOrder::Top)), text_signature = "($self, other, at=(0, 0), order='top')")]
    fn first_overlap(
        &self,
        other: MaskArg<'_, Self>,
        at: Ij,
        order: OrderName,
    ) -> PyResult<Option<(i32, i32)>> {
        Ok(self.0.first_overlap(order.0, &other.try_borrow()?.0, at).map(ij))
    }

    /// Returns area, box and first pixel of the overlap, or None.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn contact(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<Contact>> {
        Ok(self.0.contact(&other.try_borrow()?.0, at).map(Contact::from))
    }

    /// Returns the overlap with its normal and push-out, or None. Costs some microseconds.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn overlap(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<Overlap>> {
        let other = other.try_borrow()?;
        Ok(self.0.overlap(&other.0, at).as_ref().map(Overlap::from))
    }

    /// Tests two masks by cells of 8 x 8 pixels. Returns True, False, or None where pixels must decide.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn coarse(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<bool>> {
        Ok(match self.0.coarse(&other.try_borrow()?.0, at) {
            Certainty::Yes => Some(true),
            Certainty::No => Some(false),
            Certainty::Maybe => None,
        })
    }

    /// Returns "hit" if two masks overlap, "graze" if they are at most `within` pixels apart, or "clear".
    fn graze(&self, other: MaskArg<'_, Self>, at: Ij, within: u32) -> PyResult<&'static str> {
        Ok(graze_name(self.0.graze(&other.try_borrow()?.0, at, within)))
    }

    /// Returns the distance between the nearest pixels, in pixels: 0 if the masks overlap, None if one has
    /// no pixel.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn distance(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<f64>> {
        Ok(self.0.distance(&other.try_borrow()?.0, at))
    }

    /// Returns the shortest translation of this mask after which it touches the other one: (0, 0) if they
    /// touch, None if one has no pixel.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn nearest(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<(i32, i32)>> {
        Ok(self.0.nearest(&other.try_borrow()?.0, at).map(ij))
    }

    /// Returns the shortest translation of this mask that ends the overlap, or None if they do not touch.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn push_out(&self, other: MaskArg<'_, Self>, at: Ij) -> PyResult<Option<(i32, i32)>> {
        Ok(self.0.push_out(&other.try_borrow()?.0, at).map(ij))
    }

    /// Returns the shortest translation of this mask along a direction that ends the overlap, or None if they
    /// do not touch.
    fn push_along(
        &self,
        other: MaskArg<'_, Self>,
        at: Ij,
        direction: Ij,
    ) -> PyResult<Option<(i32, i32)>> {
        Ok(self.0.push_along(&other.try_borrow()?.0, at, direction).map(ij))
    }

    /// Returns the first contact of this mask, moved by (dx, dy) pixels, with another one, or None.
    fn cast(&self, other: MaskArg<'_, Self>, at: Ij, motion: Ij) -> PyResult<Option<Impact>> {
        Ok(self.0.cast(&other.try_borrow()?.0, at, motion).map(Impact::from))
    }

    /// Returns a mask of all offsets at which another mask overlaps this one. Its pixel (x, y) is set where
    /// they touch at the offset (x - (w - 1), y - (h - 1)), where w and h are the sides of the other.
    fn convolve(&self, other: MaskArg<'_, Self>) -> PyResult<Self> {
        self.0.convolve(&other.try_borrow()?.0).or_raise().map(Self)
    }

    /// Returns the first pixel of a line of pixels that is set, or None. `at` is the position of this mask.
    #[pyo3(signature = (start, end, at=Ij::default()), text_signature = "($self, start, end, at=(0, 0))")]
    fn first_line_hit(&self, start: Xy, end: Xy, at: Ij) -> PyResult<Option<LineHit>> {
        let line = Line::new(start, end).or_raise()?;
        Ok(self.0.first_line_hit(&line, at).map(LineHit::from))
    }

    /// Returns all set pixels on a line as an array (n, 2) of int32. `at` is the position of this mask.
    #[pyo3(signature = (start, end, at=Ij::default()), text_signature = "($self, start, end, at=(0, 0))")]
    fn line_hits<'py>(
        &self,
        py: Python<'py>,
        start: Xy,
        end: Xy,
        at: Ij,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let line = Line::new(start, end).or_raise()?;
        arrays::rows(py, self.0.line_hits(&line, at).map(<[i32; 2]>::from))
    }

    /// Tests whether a set pixel lies in a circle, in pixels. `at` is the position of this mask.
    #[pyo3(signature = (center, radius, at=Ij::default()), text_signature = "($self, center, radius, at=(0, 0))")]
    fn touches_circle(&self, center: Xy, radius: f32, at: Ij) -> PyResult<bool> {
        Ok(self.0.touches_zone(&Zone::circle(center, radius).or_raise()?, at))
    }
}

pub(crate) const fn graze_name(graze: Graze) -> &'static str {
    match graze {
        Graze::Hit => "hit",
        Graze::Graze => "graze",
        Graze::Clear => "clear",
    }
}
