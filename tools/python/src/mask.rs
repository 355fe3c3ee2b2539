//! The class `Mask`: making, editing, copying and converting. `mask_pair` and `mask_shapes` have the rest.

use crate::arrays;
use crate::errors::{Fault, Kind, OrRaise, invalid, raise};
use crate::image;
use crate::surfaces;
use crate::values::{
    self, AlphaTest, ChannelName, Color, Ij, ReachName, RectArg, Reduced, SamplingName, Xy, ij,
};
use hitmask::{
    Affine, AlphaRule, CallError, Channel, GrowShape, Mask, Posed, Raster, Sampling, TexelRule,
    Zone,
};
use numpy::{PyArray2, PyArrayDescr};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};
use pyo3::{Borrowed, PyTypeInfo};
use std::ops::Deref;
use std::path::PathBuf;

/// A mask: one bit per pixel, x right and y down.
///
/// `Mask(pixels)` takes text of `#` and `.`, an array (height, width) of bool or of uint8 alpha, an array
/// (height, width, 4) of RGBA, a picture of PIL, a surface of pygame, a texture of arcade, an image of pyglet or
/// raylib, another mask, also one of pygame, or any buffer of such a shape. Views with strides are copied. A mask is a copy: it does not follow the image.
/// `Mask.open(path)` reads a file.
///
/// Of a surface counts what is drawn: a pixel of the colour key is clear, and so is one of little alpha.
/// `Surface.set_alpha` fades the whole and does not count. A grey picture of PIL is alpha, unless its file has
/// a clear value. One of other modes without alpha is solid.
///
/// The keyword arguments tell solid from clear pixels of an image with alpha or colours:
/// alpha and alpha_test ("at_least", "above" or "bits") compare the channel ("alpha", "red", "green" or
/// "blue"); colours in exclude_color are never solid; if only_color is given, no others are.
///
/// Offsets and coordinates are whole pixels. `at` is the top left corner of the other mask, from that of
/// this one.
#[pyclass(name = "Mask", module = "hitmask", weakref)]
#[derive(Clone)]
pub(crate) struct PyMask(pub(crate) Mask);

/// A mask with the methods of `pygame.mask.Mask`. `size` is (width, height) in pixels, of at most 32,767 a
/// side; or a mask to copy, of this class, of `hitmask.Mask` or of `pygame.mask.Mask`.
#[pyclass(name = "Mask", module = "hitmask.pygame.mask", subclass, weakref)]
#[derive(Clone)]
pub(crate) struct PygameMask(pub(crate) Mask);

/// A mask that is given. An error tells which of the classes with this name it is.
pub(crate) struct MaskArg<'py, T>(Bound<'py, T>);

impl<'py, T> Deref for MaskArg<'py, T> {
    type Target = Bound<'py, T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'py, T: PyTypeInfo> FromPyObject<'_, 'py> for MaskArg<'py, T> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<T>() {
            Ok(mask) => Ok(Self(mask.to_owned())),
            Err(_) => Err(other_mask::<T>(&object)),
        }
    }
}

/// Returns the exception for an object that is no mask of a class.
#[cold]
fn other_mask<T: PyTypeInfo>(object: &Bound<'_, PyAny>) -> PyErr {
    let name = |class: Bound<'_, PyType>| class.fully_qualified_name().map(|name| name.to_string());
    let names =
        name(object.get_type()).and_then(|own| Ok((own, name(T::type_object(object.py()))?)));
    names.map_or_else(
        |error| error,
        |(own, needed)| {
            PyTypeError::new_err(format!(
                "a {needed} is needed, and this is a {own}; pass {needed}(it), which takes masks of \
                 hitmask, of hitmask.pygame.mask and of pygame.mask"
            ))
        },
    )
}

/// Runs an operation on a mask with another one, which may be the same object.
fn edit(
    this: &Bound<'_, PyMask>,
    other: &Bound<'_, PyMask>,
    operation: impl FnOnce(&mut Mask, &Mask),
) -> PyResult<()> {
    if this.is(other) {
        let copy = this.try_borrow()?.0.clone();
        operation(&mut this.try_borrow_mut()?.0, &copy);
    } else {
        operation(&mut this.try_borrow_mut()?.0, &other.try_borrow()?.0);
    }
    Ok(())
}

impl PyMask {
    /// Returns a copy, changed by another mask of the same size.
    fn combined(
        &self,
        other: &Bound<'_, PyAny>,
        operation: impl FnOnce(&mut Mask, &Mask),
    ) -> PyResult<Option<Self>> {
        let Ok(other) = other.cast::<Self>() else { return Ok(None) };
        let other = other.try_borrow()?;
        let sizes = [&self.0, &other.0].map(|mask| (mask.width(), mask.height()));
        if sizes[0] != sizes[1] {
            return Err(invalid(
                format!("the masks have the sizes {:?} and {:?}", sizes[0], sizes[1]),
                "operators need one size; use draw, erase, intersect or toggle with an offset",
            ));
        }
        let mut result = self.clone();
        operation(&mut result.0, &other.0);
        Ok(Some(result))
    }
}

/// Returns `NotImplemented` where the other operand is no mask.
fn or_not_implemented(py: Python<'_>, result: Option<PyMask>) -> PyResult<Py<PyAny>> {
    match result {
        Some(mask) => Ok(Py::new(py, mask)?.into_any()),
        None => Ok(py.NotImplemented()),
    }
}

/// Returns the mask of anything that `Mask` takes.
pub(crate) fn mask_of(pixels: &Bound<'_, PyAny>, rule: &TexelRule) -> PyResult<Mask> {
    if let Ok(mask) = pixels.cast::<PyMask>() {
        return Ok(mask.try_borrow()?.0.clone());
    }
    if let Ok(mask) = pixels.cast::<PygameMask>() {
        return Ok(mask.try_borrow()?.0.clone());
    }
    if let Ok(text) = pixels.cast::<PyString>() {
        let text = text.to_cow()?;
        return text.parse().map_err(|error: CallError| {
            // A path is one line, and has letters that no picture has.
            if text.contains('\n') || !text.contains(['.', '/', '\\']) {
                return error.exception();
            }
            invalid(
                format!("pixels is the text {text:?}, and a mask is drawn with # and ."),
                format!("write Mask.open({text:?}) to read a file"),
            )
        });
    }
    image::Image::read(pixels)?.mask(pixels.py(), rule)
}

pub(crate) fn posed(posed: Posed) -> (PyMask, (i32, i32)) {
    (PyMask(posed.mask), ij(posed.origin))
}

#[pymethods]
impl PyMask {
    #[new]
    #[pyo3(signature = (pixels, *, alpha=128, alpha_test=AlphaTest(AlphaRule::AtLeast), channel=ChannelName(Channel::Alpha), exclude_color=vec![], only_color=vec![]))]
    #[pyo3(
        text_signature = "(pixels, *, alpha=128, alpha_test='at_least', channel='alpha', exclude_color=(), only_color=())"
    )]
    fn new(
        pixels: &Bound<'_, PyAny>,
        alpha: u8,
        alpha_test: AlphaTest,
        channel: ChannelName,
        exclude_color: Vec<Color>,
        only_color: Vec<Color>,
    ) -> PyResult<Self> {
        let rule = values::texel_rule(alpha, alpha_test, channel, exclude_color, only_color);
        mask_of(pixels, &rule).map(Self)
    }

    /// Reads a frame of an image file: PNG, GIF, WebP, BMP, TGA or Aseprite. The mask has the size of the frame.
    /// Keyword arguments as of `Mask`. Raises `FileNotFoundError`, `OSError` or `BakeError`.
    #[staticmethod]
    #[pyo3(signature = (path, frame=0, *, alpha=128, alpha_test=AlphaTest(AlphaRule::AtLeast), channel=ChannelName(Channel::Alpha), exclude_color=vec![], only_color=vec![]))]
    #[pyo3(
        text_signature = "(path, frame=0, *, alpha=128, alpha_test='at_least', channel='alpha', exclude_color=(), only_color=())"
    )]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        frame: u32,
        alpha: u8,
        alpha_test: AlphaTest,
        channel: ChannelName,
        exclude_color: Vec<Color>,
        only_color: Vec<Color>,
    ) -> PyResult<Self> {
        let rule = values::texel_rule(alpha, alpha_test, channel, exclude_color, only_color);
        crate::mask_file::mask_of_file(py, &path, frame, rule).map(Self)
    }

    /// Returns a copy as a `pygame.mask.Mask`.
    fn to_pygame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        surfaces::in_pygame(py, &self.0)
    }

    /// Returns a clear mask of width x height pixels. A side may be 0, and is at most 32,767.
    #[staticmethod]
    fn empty(width: u32, height: u32) -> PyResult<Self> {
        Mask::new(width, height).or_raise().map(Self)
    }

    /// Returns a mask of width x height pixels, all set.
    #[staticmethod]
    fn solid(width: u32, height: u32) -> PyResult<Self> {
        Mask::solid(width, height).or_raise().map(Self)
    }

    /// Returns a solid disc with a radius in pixels. Each side is 2 * radius + 1.
    #[staticmethod]
    fn disc(radius: u32) -> PyResult<Self> {
        Mask::disc(radius).or_raise().map(Self)
    }

    /// Returns the mask of packed bits, as `to_bits` returns them: rows of whole bytes, the leftmost pixel
    /// in the highest bit, as in PBM files and `numpy.packbits(axis=1)`.
    #[staticmethod]
    fn from_bits(width: u32, height: u32, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = arrays::bytes_of(data, "data")?;
        Mask::from_bits(width, height, &data).or_raise().map(Self)
    }

    /// Returns the mask of one byte of alpha per pixel, row by row from the top.
    #[staticmethod]
    #[pyo3(signature = (width, height, data, *, alpha=128, alpha_test=AlphaTest(AlphaRule::AtLeast)))]
    #[pyo3(text_signature = "(width, height, data, *, alpha=128, alpha_test='at_least')")]
    fn from_alpha(
        width: u32,
        height: u32,
        data: &Bound<'_, PyAny>,
        alpha: u8,
        alpha_test: AlphaTest,
    ) -> PyResult<Self> {
        let bytes = arrays::bytes_of(data, "data")?;
        let rule = (alpha_test.0)(alpha);
        let mask = Mask::from_alpha(width, height, &bytes, rule).or_raise()?;
        image::warn_of_bits(data.py(), bytes, rule)?;
        Ok(Self(mask))
    }

    /// Returns the mask of 4 bytes per pixel, red, green, blue and alpha, row by row from the top. The
    /// keyword arguments are those of `Mask`.
    #[staticmethod]
    #[pyo3(signature = (width, height, data, *, alpha=128, alpha_test=AlphaTest(AlphaRule::AtLeast), channel=ChannelName(Channel::Alpha), exclude_color=vec![], only_color=vec![]))]
    #[pyo3(
        text_signature = "(width, height, data, *, alpha=128, alpha_test='at_least', channel='alpha', exclude_color=(), only_color=())"
    )]
    fn from_rgba(
        width: u32,
        height: u32,
        data: &Bound<'_, PyAny>,
        alpha: u8,
        alpha_test: AlphaTest,
        channel: ChannelName,
        exclude_color: Vec<Color>,
        only_color: Vec<Color>,
    ) -> PyResult<Self> {
        let rgba = image::Image::Rgba([width, height], arrays::bytes_of(data, "data")?);
        let rule = values::texel_rule(alpha, alpha_test, channel, exclude_color, only_color);
        rgba.mask(data.py(), &rule).map(Self)
    }

    /// Returns the pixels whose centres lie in polygons, each a list of corners (x, y), and the position of
    /// the mask's top left corner. Inside of two polygons is outside.
    #[staticmethod]
    fn from_polygons(polygons: Vec<Vec<Xy>>) -> PyResult<(Self, (i32, i32))> {
        let polygons: Vec<Vec<[f32; 2]>> = polygons
            .into_iter()
            .map(|polygon| polygon.into_iter().map(|corner| corner.0).collect())
            .collect();
        let (mask, at) =
            Mask::from_polygons(polygons.iter().map(|polygon| &polygon[..])).or_raise()?;
        Ok((Self(mask), ij(at)))
    }

    /// Returns the pixels whose centres lie in a circle, in pixels, and the position of the mask's top left
    /// corner.
    #[staticmethod]
    fn from_circle(center: Xy, radius: f32) -> PyResult<(Self, (i32, i32))> {
        let (mask, at) = Mask::from_zone(&Zone::circle(center, radius).or_raise()?).or_raise()?;
        Ok((Self(mask), ij(at)))
    }

    /// Returns the pixels whose centres lie in an ellipse, in pixels, and the position of the mask's top
    /// left corner.
    #[staticmethod]
    fn from_ellipse(center: Xy, radii: Xy) -> PyResult<(Self, (i32, i32))> {
        let (mask, at) = Mask::from_zone(&Zone::ellipse(center, radii).or_raise()?).or_raise()?;
        Ok((Self(mask), ij(at)))
    }

    /// Returns the union of masks, each with the position of its top left corner, and the position of the
    /// union's.
    #[staticmethod]
    fn union(parts: Vec<(MaskArg<'_, Self>, Ij)>) -> PyResult<(Self, (i32, i32))> {
        let parts = parts
            .iter()
            .map(|(mask, at)| Ok((mask.try_borrow()?, at.0)))
            .collect::<PyResult<Vec<_>>>()?;
        let (mask, at) = Mask::union(parts.iter().map(|(mask, at)| (&mask.0, *at))).or_raise()?;
        Ok((Self(mask), ij(at)))
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> u32 {
        self.0.width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> u32 {
        self.0.height()
    }

    /// The size as (width, height) in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        (self.0.width(), self.0.height())
    }

    /// Returns the number of set pixels.
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Tests whether a pixel is set. Pixels outside are clear.
    fn get(&self, x: i32, y: i32) -> bool {
        self.0.get(x, y)
    }

    /// Sets or clears a pixel. Raises an `IndexError` outside.
    #[pyo3(signature = (x, y, value=true))]
    fn set(&mut self, x: i32, y: i32, value: bool) -> PyResult<()> {
        let (width, height) = self.size();
        let is_inside = |at: i32, side: u32| u32::try_from(at).is_ok_and(|at| at < side);
        if !is_inside(x, width) || !is_inside(y, height) {
            return Err(raise(
                Kind::Outside,
                format!("pixel ({x}, {y}) is outside a mask of {width} x {height} pixels"),
                "use 0 to width - 1 and 0 to height - 1; fill and draw cut off what is outside",
            ));
        }
        self.0.set(x, y, value);
        Ok(())
    }

    /// Sets all pixels, or those of a rectangle (x0, y0, x1, y1), its second corner exclusive.
    #[pyo3(signature = (rect=None))]
    fn fill(&mut self, rect: Option<RectArg>) {
        match rect {
            Some(rect) => self.0.fill_rect(rect.0, true),
            None => self.0.fill(),
        }
    }

    /// Clears all pixels, or those of a rectangle (x0, y0, x1, y1), its second corner exclusive.
    #[pyo3(signature = (rect=None))]
    fn clear(&mut self, rect: Option<RectArg>) {
        match rect {
            Some(rect) => self.0.fill_rect(rect.0, false),
            None => self.0.clear(),
        }
    }

    /// Sets clear pixels and clears set ones.
    fn invert(&mut self) {
        self.0.invert();
    }

    /// Sets the clear pixels that set ones enclose, by steps to the 4 sides.
    fn fill_holes(&mut self) {
        self.0.fill_holes();
    }

    /// Sets the pixels of another mask.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn draw(slf: &Bound<'_, Self>, other: MaskArg<'_, Self>, at: Ij) -> PyResult<()> {
        edit(slf, &other, |mask, other| mask.draw(other, at))
    }

    /// Clears the pixels of another mask.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn erase(slf: &Bound<'_, Self>, other: MaskArg<'_, Self>, at: Ij) -> PyResult<()> {
        edit(slf, &other, |mask, other| mask.erase(other, at))
    }

    /// Keeps the pixels that another mask has too.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn intersect(slf: &Bound<'_, Self>, other: MaskArg<'_, Self>, at: Ij) -> PyResult<()> {
        edit(slf, &other, |mask, other| mask.intersect(other, at))
    }

    /// Inverts the pixels of another mask.
    #[pyo3(signature = (other, at=Ij::default()), text_signature = "($self, other, at=(0, 0))")]
    fn toggle(slf: &Bound<'_, Self>, other: MaskArg<'_, Self>, at: Ij) -> PyResult<()> {
        edit(slf, &other, |mask, other| mask.toggle(other, at))
    }

    fn __and__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        or_not_implemented(py, self.combined(other, |mask, other| mask.intersect(other, [0, 0]))?)
    }

    fn __or__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        or_not_implemented(py, self.combined(other, |mask, other| mask.draw(other, [0, 0]))?)
    }

    fn __xor__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        or_not_implemented(py, self.combined(other, |mask, other| mask.toggle(other, [0, 0]))?)
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        or_not_implemented(py, self.combined(other, |mask, other| mask.erase(other, [0, 0]))?)
    }

    fn __invert__(&self) -> Self {
        let mut mask = self.clone();
        mask.0.invert();
        mask
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(self.0 == other.try_borrow()?.0),
            Err(_) => Ok(false),
        }
    }

    /// Tests whether a pixel is set.
    fn __bool__(&self) -> bool {
        self.0.bounds().is_some()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Mask {}x{}, {} set>", self.0.width(), self.0.height(), self.0.count())
    }

    /// Returns a copy.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (u32, u32, Bound<'py, PyBytes>)> {
        let make = py.get_type::<Self>().getattr("from_bits")?;
        Ok((make, (self.0.width(), self.0.height(), self.to_bits(py))))
    }

    /// Returns the pixels as an array (height, width) of bool.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        arrays::bool_array(py, &self.0)
    }

    /// Returns the pixels as an array (height, width) of uint8, 255 where set.
    fn to_alpha<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        arrays::alpha_array(py, &self.0)
    }

    /// Returns the pixels as packed bits: see `from_bits`.
    fn to_bits<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bits())
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyArrayDescr>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(pyo3::exceptions::PyValueError::new_err(
                "an array of a mask is a copy, because a mask has 1 bit per pixel; leave out copy=False",
            ));
        }
        let array = arrays::bool_array(py, &self.0)?.into_any();
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// Returns a copy, mirrored left to right.
    fn flip_x(&self) -> Self {
        Self(self.0.flip_x())
    }

    /// Returns a copy, mirrored top to bottom.
    fn flip_y(&self) -> Self {
        Self(self.0.flip_y())
    }

    /// Returns a copy, turned clockwise by a quarter.
    fn quarter_turned(&self) -> Self {
        Self(self.0.quarter_turned())
    }

    /// Returns a copy of another size, each pixel the nearest one.
    fn scaled(&self, width: u32, height: u32) -> PyResult<Self> {
        self.0.scaled(width, height).or_raise().map(Self)
    }

    /// Returns the pixels of a rectangle (x0, y0, x1, y1). Those outside the mask are clear.
    fn cropped(&self, rect: RectArg) -> PyResult<Self> {
        self.0.cropped(rect.0).or_raise().map(Self)
    }

    /// Returns the tight copy, and the position of its top left corner.
    fn trimmed(&self) -> (Self, (i32, i32)) {
        let (mask, at) = self.0.trimmed();
        (Self(mask), ij(at))
    }

    /// Returns a copy grown by a radius in pixels, and larger by it on every side. The shape is "disc" or
    /// "square".
    #[pyo3(signature = (radius, shape=ReachName(GrowShape::Disc)), text_signature = "($self, radius, shape='disc')")]
    fn grown(&self, radius: u32, shape: ReachName) -> PyResult<Self> {
        self.0.grown(radius, shape.0).or_raise().map(Self)
    }

    /// Returns a copy of the same size, shrunk by a radius in pixels. The shape is "disc" or "square".
    #[pyo3(signature = (radius, shape=ReachName(GrowShape::Disc)), text_signature = "($self, radius, shape='disc')")]
    fn shrunk(&self, radius: u32, shape: ReachName) -> Self {
        Self(self.0.shrunk(radius, shape.0))
    }

    /// Returns the mask turned by an angle in radians, clockwise on screen, and scaled about its pivot: the
    /// tight mask, and the position of its top left corner from the pivot.
    ///
    /// The pivot is in whole or half pixels from the top left corner; by default it is the centre.
    /// `sampling` is "nearest" or "coverage". At baked steps the result is that of an atlas, but for ties.
    #[pyo3(signature = (angle=0.0, scale=1.0, *, pivot=None, sampling=SamplingName(Sampling::Nearest)), text_signature = "($self, angle=0.0, scale=1.0, *, pivot=None, sampling='nearest')")]
    fn turned(
        &self,
        angle: f32,
        scale: f32,
        pivot: Option<(f64, f64)>,
        sampling: SamplingName,
    ) -> PyResult<(Self, (i32, i32))> {
        let matrix = Affine::rotation(angle) * Affine::scale([scale, scale]);
        self.drawn(matrix, pivot, sampling)
    }

    /// Returns the mask drawn by a transform (a, b, c, d, tx, ty) about its pivot, as `setTransform` of a
    /// canvas: the tight mask, and the position of its top left corner.
    #[pyo3(signature = (transform, *, pivot=None, sampling=SamplingName(Sampling::Nearest)), text_signature = "($self, transform, *, pivot=None, sampling='nearest')")]
    fn transformed(
        &self,
        transform: [f64; 6],
        pivot: Option<(f64, f64)>,
        sampling: SamplingName,
    ) -> PyResult<(Self, (i32, i32))> {
        self.drawn(affine(transform), pivot, sampling)
    }
}

pub(crate) const fn affine([a, b, c, d, tx, ty]: [f64; 6]) -> Affine {
    Affine { a, b, c, d, tx, ty }
}

impl PyMask {
    fn drawn(
        &self,
        matrix: Affine,
        pivot: Option<(f64, f64)>,
        sampling: SamplingName,
    ) -> PyResult<(Self, (i32, i32))> {
        let raster = Raster::new(&self.0, values::pivot(pivot)?, sampling.0).or_raise()?;
        Ok(posed(raster.transformed(matrix).or_raise()?))
    }
}
