//! Borders, components, moments and physics shapes of a mask.

use crate::arrays;
use crate::errors::OrRaise;
use crate::mask::PyMask;
use crate::values::{Corners, FitName, Xy, arguments, connectivity, corners, record, xy};
use hitmask::{Pieces, Polygon, ShapeOptions};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

type Ring<'py> = Bound<'py, PyArray2<f32>>;

/// A connected component of a mask.
#[pyclass(module = "hitmask", frozen, get_all)]
pub(crate) struct Component {
    /// Its pixels: a mask of the size of `rect`.
    mask: Py<PyMask>,
    /// Its tight box as (x0, y0, x1, y1), the second corner exclusive.
    rect: Corners,
    /// The number of its pixels.
    area: u64,
}

#[pymethods]
impl Component {
    fn __repr__(&self) -> String {
        format!("Component(rect={:?}, area={})", self.rect, self.area)
    }
}

fn component(py: Python<'_>, found: &hitmask::Component<'_>) -> PyResult<Component> {
    let mask = Py::new(py, PyMask(found.mask()))?;
    Ok(Component { mask, rect: corners(found.rect()), area: found.area() })
}

/// The border of a component, or of a hole in it.
#[pyclass(name = "Polygon", module = "hitmask", frozen)]
pub(crate) struct PyPolygon(Polygon);

#[pymethods]
impl PyPolygon {
    /// The corners as an array (n, 2) of int32. Pixel (x, y) is the square from (x, y) to (x + 1, y + 1).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        arrays::rows(py, self.0.points().iter().map(|&point| point.into()))
    }

    /// Whether it is the border of a hole.
    #[getter]
    fn is_hole(&self) -> bool {
        self.0.double_area() < 0
    }

    /// The area in pixels, negative for a hole.
    #[getter]
    fn area(&self) -> f64 {
        self.0.double_area() as f64 / 2.0
    }

    fn __len__(&self) -> usize {
        self.0.points().len()
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Polygon of {} corners, area {}>", self.0.points().len(), self.area())
    }
}

record! {
    /// Area, centroid and moment of inertia of a shape, in its output units.
    Mass {
        /// The area.
        area: f64,
        /// The centre of mass.
        centroid: (f64, f64),
        /// The moment of inertia about the centroid, for a density of 1.
        inertia: f64,
    }
}

/// Returns convex pieces as a list of arrays (n, 2), which knows what was left out.
pub(crate) fn pieces<'py>(py: Python<'py>, pieces: &Pieces) -> PyResult<Bound<'py, PyAny>> {
    static LIST: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let list = LIST.import(py, "hitmask._shapes", "Pieces")?;
    let rows = pieces.pieces.iter().map(|corners| arrays::rows(py, corners.iter().copied()));
    let rows: Vec<Ring<'py>> = rows.collect::<PyResult<_>>()?;
    list.call1((rows, pieces.left_out, pieces.left_out_area))
}

/// The outlines of a mask as valid polygons, and their convex pieces, for physics engines.
#[pyclass(name = "Shape", module = "hitmask", frozen)]
pub(crate) struct PyShape(pub(crate) hitmask::Shape);

#[pymethods]
impl PyShape {
    /// Returns each outer border with the list of its holes: arrays (n, 2) of float32.
    fn polygons<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Ring<'py>, Vec<Ring<'py>>)>> {
        let ring = |corners: Vec<[f32; 2]>| arrays::rows(py, corners);
        py.detach(|| self.0.polygons())
            .into_iter()
            .map(|polygon| {
                let holes = polygon.holes.into_iter().map(ring).collect::<PyResult<_>>()?;
                Ok((ring(polygon.border)?, holes))
            })
            .collect()
    }

    /// Returns the convex pieces: a list of arrays (n, 2) of float32. They do not overlap, and together are the
    /// shape. Its `left_out` is the number of pieces thinner than `min_width`, which it does not hold, and
    /// `left_out_area` their area in output units.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        pieces(py, &py.detach(|| self.0.pieces()))
    }

    /// Returns area, centroid and moment of inertia.
    fn mass(&self) -> Mass {
        let mass = self.0.mass();
        Mass { area: mass.area, centroid: mass.centroid.into(), inertia: mass.inertia }
    }

    /// The numbers of islands and holes that `min_area` left out. `pieces().left_out` counts thin pieces.
    #[getter]
    fn left_out(&self) -> (u32, u32) {
        self.0.left_out().into()
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Shape of {} polygons>", self.0.polygons().len())
    }
}

/// Reads the keyword arguments of shapes.
pub(crate) fn shape_options(
    max_error: f32,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<ShapeOptions> {
    let mut options = ShapeOptions::from(max_error);
    let names = "max_error fit min_area max_corners min_width scale y_up origin";
    let help = "it takes fit, min_area, max_corners, min_width, scale, y_up and origin";
    arguments(given, "a shape", names, help, |key, value| {
        match key {
            "fit" => options.fit = value.extract::<FitName>()?.0,
            "min_area" => options.min_area = value.extract()?,
            "max_corners" => options.max_corners = value.extract()?,
            "min_width" => options.min_width = value.extract()?,
            "scale" => options.scale = value.extract()?,
            "y_up" => options.y_up = value.extract()?,
            "origin" => options.origin = value.extract::<Xy>()?.0,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(options)
}

#[pymethods]
impl PyMask {
    /// Returns the tight box of the set pixels as (x0, y0, x1, y1), or None.
    fn bounds(&self) -> Option<Corners> {
        self.0.bounds().map(corners)
    }

    /// Returns the centre of the set pixels in pixels, or None.
    fn centroid(&self) -> Option<(f32, f32)> {
        self.0.centroid().map(xy)
    }

    /// Returns the angle of the long axis in radians, clockwise on screen, or None.
    fn angle(&self) -> Option<f32> {
        self.0.angle()
    }

    /// Returns the connected components, in the order of their topmost pixels. Pixels are connected by 4 or
    /// 8 sides.
    #[pyo3(signature = (connectivity=8))]
    fn components(&self, py: Python<'_>, connectivity: u8) -> PyResult<Vec<Component>> {
        let found = self.0.components(self::connectivity(connectivity)?);
        found.iter().map(|found| component(py, &found)).collect()
    }

    /// Returns the connected component that has a pixel, or None.
    #[pyo3(signature = (x, y, connectivity=8))]
    fn component_at(
        &self,
        py: Python<'_>,
        x: i32,
        y: i32,
        connectivity: u8,
    ) -> PyResult<Option<Component>> {
        let found = self.0.components(self::connectivity(connectivity)?);
        found.at([x, y]).map(|found| component(py, &found)).transpose()
    }

    /// Returns the largest connected component, or None.
    #[pyo3(signature = (connectivity=8))]
    fn largest_component(&self, py: Python<'_>, connectivity: u8) -> PyResult<Option<Component>> {
        let found = self.0.components(self::connectivity(connectivity)?);
        found.largest().map(|found| component(py, &found)).transpose()
    }

    /// Returns the pixels of the first outline as an array (n, 2) of int32, clockwise.
    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        arrays::rows(py, self.0.outline().map(<[i32; 2]>::from))
    }

    /// Returns the exact borders of all components and holes. Pixels are connected by 4 or 8 sides.
    #[pyo3(signature = (connectivity=8))]
    fn polygons(&self, connectivity: u8) -> PyResult<Vec<PyPolygon>> {
        let polygons = self.0.polygons(self::connectivity(connectivity)?);
        Ok(polygons.into_iter().map(PyPolygon).collect())
    }

    /// Returns the convex hull of all pixels, or None.
    fn convex_hull(&self) -> Option<PyPolygon> {
        self.0.convex_hull().map(PyPolygon)
    }

    /// Returns boxes that cover all pixels without an overlap, as an array (n, 4) of x0, y0, x1, y1.
    fn rects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        arrays::rows(py, self.0.rects().into_iter().map(|rect| corners(rect).into()))
    }

    /// Returns the outlines as valid polygons for a physics engine.
    ///
    /// No point of an outline is farther than `max_error` pixels from the border, and the reverse. `fit` is
    /// "nearest", "outside" (covers every pixel) or "inside" (covers no other). Islands and holes of fewer
    /// pixels than `min_area` are left out. Pieces have at most `max_corners` corners, and `min_width` output
    /// units of width. Output is `scale` units per pixel from the pixel `origin`, y up if `y_up`. Releases the
    /// lock of the interpreter.
    #[pyo3(signature = (max_error=1.0, **options))]
    #[pyo3(
        text_signature = "($self, max_error=1.0, *, fit='nearest', min_area=0, max_corners=8, min_width=0.02, scale=1.0, y_up=False, origin=(0.0, 0.0))"
    )]
    fn shape(
        &self,
        py: Python<'_>,
        max_error: f32,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyShape> {
        let (mask, options) = (self.0.clone(), shape_options(max_error, options)?);
        py.detach(|| mask.shape(options)).or_raise().map(PyShape)
    }
}
