//! The class `ShapeGrid`: shapes of terrain that changes, in cells.

use crate::arrays::column;
use crate::errors::{Kind, OrRaise, raise};
use crate::mask::{MaskArg, PyMask};
use crate::mask_shapes::{PyShape, pieces, shape_options};
use crate::values::{Corners, RectArg, corners};
use crate::world::PyWorld;
use hitmask::ShapeGrid;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Points as an array (n, 2).
type Points = Py<PyArray2<f32>>;

/// The shapes of a mask in cells of `side` x `side` pixels, 8 to 1,024: for terrain that changes.
///
/// Keyword arguments as of `Mask.shape`. Shapes of neighbouring cells meet without a gap. Making and updating a
/// grid release the lock of the interpreter; another thread that uses the grid meanwhile gets a `RuntimeError`.
#[pyclass(name = "ShapeGrid", module = "hitmask")]
pub(crate) struct PyShapeGrid(ShapeGrid);

/// A cell of a grid, in the output coordinates of the whole mask.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct ShapeCell {
    /// Its index, row by row.
    id: u32,
    /// Its pixels as (x0, y0, x1, y1), the second corner exclusive.
    rect: Corners,
    /// The number of updates that changed it.
    version: u32,
    /// The shape of its pixels.
    shape: Py<PyShape>,
    /// The convex pieces of its pixels, as of `Shape.pieces`.
    pieces: Py<PyAny>,
    /// The parts of its outlines that are no seams: points (n, 2), and the points before and after, (2, 2),
    /// or None for a closed ring. The ground is on the left with y up, as in Box2D.
    chains: Vec<(Points, Option<Points>)>,
}

#[pymethods]
impl ShapeCell {
    fn __repr__(&self) -> String {
        format!("<hitmask.ShapeCell {} at {:?}, version {}>", self.id, self.rect, self.version)
    }
}

#[pymethods]
impl PyShapeGrid {
    #[new]
    #[pyo3(signature = (mask, side=64, max_error=1.0, **options))]
    #[pyo3(
        text_signature = "(mask, side=64, max_error=1.0, *, fit='nearest', min_area=0, max_corners=8, min_width=0.02, scale=1.0, y_up=False, origin=(0.0, 0.0))"
    )]
    fn new(
        py: Python<'_>,
        mask: MaskArg<'_, PyMask>,
        side: u32,
        max_error: f32,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (mask, options) = (mask.try_borrow()?.0.clone(), shape_options(max_error, options)?);
        py.detach(|| ShapeGrid::new(&mask, side, options)).or_raise().map(Self)
    }

    /// Traces the cells near the edited rectangle (x0, y0, x1, y1) of a mask again. Returns the ids of those
    /// that are different. Costs as much as the cells that it meets.
    fn update(
        &mut self,
        py: Python<'_>,
        mask: MaskArg<'_, PyMask>,
        changed: RectArg,
    ) -> PyResult<Vec<u32>> {
        let (mask, grid) = (mask.try_borrow()?.0.clone(), &mut self.0);
        py.detach(|| grid.update(&mask, changed.0)).or_raise()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Returns a cell. Raises a `KeyError`.
    fn cell(&self, py: Python<'_>, id: u32) -> PyResult<ShapeCell> {
        let Some(cell) = self.0.cell(id) else {
            let help = format!("use an id below {}", self.0.len());
            return Err(raise(Kind::UnknownId, format!("the grid has no cell {id}"), help));
        };
        let chain = |chain: hitmask::ShapeChain| {
            let ghosts = chain.ghosts.map(|ghosts| column(py, ghosts)).transpose()?;
            PyResult::Ok((column(py, chain.points)?, ghosts))
        };
        Ok(ShapeCell {
            id,
            rect: corners(cell.rect()),
            version: cell.version(),
            shape: Py::new(py, PyShape(cell.shape().clone()))?,
            pieces: pieces(py, cell.pieces())?.unbind(),
            chains: cell.chains().into_iter().map(chain).collect::<PyResult<_>>()?,
        })
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.ShapeGrid of {} cells>", self.0.len())
    }
}

#[pymethods]
impl PyWorld {
    /// Returns the shapes of a mask in cells, as `ShapeGrid` does of a copy.
    #[pyo3(signature = (mask, side=64, max_error=1.0, **options))]
    #[pyo3(
        text_signature = "($self, mask, side=64, max_error=1.0, *, fit='nearest', min_area=0, max_corners=8, min_width=0.02, scale=1.0, y_up=False, origin=(0.0, 0.0))"
    )]
    fn shape_grid(
        &self,
        py: Python<'_>,
        mask: u64,
        side: u32,
        max_error: f32,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyShapeGrid> {
        let options = shape_options(max_error, options)?;
        self.read_mask(mask, |mask| {
            py.detach(|| ShapeGrid::new(mask, side, options)).or_raise().map(PyShapeGrid)
        })
    }

    /// Traces the cells of a grid near the edited rectangle (x0, y0, x1, y1) of a mask again, without a copy
    /// of the mask. Returns the ids of those that are different.
    fn update_shape_grid(
        &self,
        py: Python<'_>,
        mask: u64,
        mut grid: PyRefMut<'_, PyShapeGrid>,
        changed: RectArg,
    ) -> PyResult<Vec<u32>> {
        let grid = &mut grid.0;
        self.read_mask(mask, |mask| py.detach(|| grid.update(mask, changed.0)).or_raise())
    }
}
