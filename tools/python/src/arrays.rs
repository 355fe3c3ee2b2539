//! Arrays of numpy to masks and columns, and back.
//!
//! Invariants: an array of another type, shape or order is converted or refused, never read as
//! something else. Booleans are read as bytes, because a view of foreign memory may hold any byte.

use crate::errors::{OrRaise, invalid};
use crate::surfaces;
use hitmask::baking::{Frame, TexelMasks};
use hitmask::{AlphaRule, Channel, ColliderId, Mask, Pair, Settings, TexelRule};
use numpy::prelude::*;
use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArray,
};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

/// The pixels of an image, row by row, with their width and height.
pub(crate) enum Image {
    /// A byte per pixel: 0 is clear.
    Bits([u32; 2], Vec<u8>),
    /// A byte of alpha per pixel.
    Alpha([u32; 2], Vec<u8>),
    /// Red, green, blue and alpha per pixel.
    Rgba([u32; 2], Vec<u8>),
}

impl Image {
    /// Reads a surface, a picture, an array or any buffer of 2 or 3 dimensions.
    pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.cast::<PyUntypedArray>().is_err() {
            if object.hasattr(intern!(py, "get_masks"))?
                && object.hasattr(intern!(py, "get_buffer"))?
            {
                let (size, rgba) = surfaces::rgba_of(object)?;
                return Ok(Self::Rgba(size, rgba));
            }
            if let Some(mask) = surfaces::of_pygame(object)? {
                return Ok(Self::Bits([mask.width(), mask.height()], mask.to_alpha()));
            }
        }
        let array = image_array(object)?;
        let (dtype, shape) = (array.dtype(), array.shape());
        let size = |height: usize, width: usize| {
            [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX))
        };
        let is_byte = dtype.kind() == b'u' && dtype.itemsize() == 1;
        match *shape {
            [height, width] if dtype.kind() == b'b' => {
                let bytes = array.call_method1(intern!(py, "view"), (intern!(py, "uint8"),))?;
                Ok(Self::Bits(size(height, width), contiguous(&bytes)?))
            }
            [height, width] if is_byte => {
                Ok(Self::Alpha(size(height, width), contiguous(array.as_any())?))
            }
            [height, width, 4] if is_byte => {
                Ok(Self::Rgba(size(height, width), contiguous(array.as_any())?))
            }
            _ => Err(invalid(
                format!("pixels is an array of shape {shape:?} and type {dtype}"),
                "pass (height, width) of bool or of uint8 alpha, or (height, width, 4) of uint8 RGBA; \
                 another array a becomes a mask by a != 0",
            )),
        }
    }

    fn warn(&self, py: Python<'_>, rule: &TexelRule) -> PyResult<()> {
        match self {
            Self::Alpha(_, bytes) => warn_of_bits(py, bytes.iter().copied(), rule.alpha),
            Self::Rgba(_, bytes) if rule.channel == Channel::Alpha => {
                warn_of_bits(py, bytes.iter().skip(3).step_by(4).copied(), rule.alpha)
            }
            _ => Ok(()),
        }
    }

    /// Returns the mask of the solid pixels.
    pub(crate) fn mask(&self, py: Python<'_>, rule: &TexelRule) -> PyResult<Mask> {
        self.warn(py, rule)?;
        match self {
            Self::Bits([width, height], bytes) => {
                Mask::from_alpha(*width, *height, bytes, AlphaRule::Above(0))
            }
            Self::Alpha([width, height], bytes) => {
                Mask::from_alpha(*width, *height, bytes, rule.alpha)
            }
            Self::Rgba([width, height], bytes) => Mask::from_rgba(*width, *height, bytes, rule),
        }
        .or_raise()
    }

    /// Returns the frame of a sprite, with the planes of its thresholds.
    pub(crate) fn frame(&self, py: Python<'_>, settings: &Settings) -> PyResult<Frame> {
        self.warn(py, &settings.texel_rule())?;
        match self {
            Self::Bits(..) => Ok(self.mask(py, &settings.texel_rule())?.into()),
            Self::Alpha(size, bytes) => {
                Ok(TexelMasks::from_alpha(*size, bytes, settings).or_raise()?.into_frame(settings))
            }
            Self::Rgba(size, bytes) => {
                Ok(TexelMasks::from_rgba(*size, bytes, settings).or_raise()?.into_frame(settings))
            }
        }
    }
}

/// Warns of bytes that are 0 and 1 alone where 1 is clear: they were meant as booleans.
pub(crate) fn warn_of_bits(
    py: Python<'_>,
    bytes: impl IntoIterator<Item = u8>,
    rule: AlphaRule,
) -> PyResult<()> {
    let is_clear = match rule {
        AlphaRule::AtLeast(least) => least > 1,
        AlphaRule::Above(most) => most >= 1,
        AlphaRule::Bits(bits) => bits & !1 != 0,
    };
    let mut is_any_set = false;
    let mut bytes = bytes.into_iter();
    if !is_clear
        || !bytes.all(|byte| {
            is_any_set |= byte == 1;
            byte <= 1
        })
        || !is_any_set
    {
        return Ok(());
    }
    let text = c"the pixels are 0 and 1 alone, and an alpha of 1 is clear, so the mask is empty; pass an array of bool, as pixels.astype(bool), or alpha=1";
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), text, 1)
}

/// Returns the elements row by row, whatever the strides are.
fn contiguous(array: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let array: PyReadonlyArrayDyn<'_, u8> = array.extract()?;
    if let (true, Ok(slice)) = (array.is_c_contiguous(), array.as_slice()) {
        return Ok(slice.to_vec());
    }
    // In C order: numpy copies by vector instructions.
    let copy = array.call_method0(intern!(array.py(), "copy"))?;
    Ok(copy.extract::<PyReadonlyArrayDyn<'_, u8>>()?.as_slice()?.to_vec())
}

/// Returns an image as an array of numpy. `hitmask/_images.py` knows those of other packages.
fn image_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let convert = CONVERT.import(py, "hitmask._images", "pixels")?;
    Ok(convert.call1((object,))?.cast_into::<PyUntypedArray>()?)
}

/// Returns the bytes of any buffer.
pub(crate) fn bytes_of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    let py = object.py();
    let view = PyMemoryView::from(object);
    let view = view.map_err(|_| {
        PyTypeError::new_err(format!(
            "{argument} holds no bytes; pass bytes, a bytearray, a memoryview or an array"
        ))
    })?;
    Ok(view.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?.as_bytes().to_vec())
}

/// Returns rows of `N` numbers as an array of shape (n, N).
pub(crate) fn rows<'py, T: Element, const N: usize>(
    py: Python<'py>,
    rows: impl IntoIterator<Item = [T; N]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let flat: Vec<T> = rows.into_iter().flatten().collect();
    let count = flat.len() / N;
    flat.into_pyarray(py).reshape([count, N])
}

/// Returns rows of `N` numbers as a field of a result.
pub(crate) fn column<T: Element, const N: usize>(
    py: Python<'_>,
    rows: impl IntoIterator<Item = [T; N]>,
) -> PyResult<Py<PyArray2<T>>> {
    Ok(self::rows(py, rows)?.unbind())
}

/// Returns one byte per pixel, 1 or 0, as an array of shape (height, width).
pub(crate) fn bool_array<'py>(
    py: Python<'py>,
    mask: &Mask,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let pixels: Vec<bool> = mask.to_alpha().into_iter().map(|alpha| alpha != 0).collect();
    pixels.into_pyarray(py).reshape([mask.height() as usize, mask.width() as usize])
}

/// Returns one byte per pixel, 255 or 0, as an array of shape (height, width).
pub(crate) fn alpha_array<'py>(py: Python<'py>, mask: &Mask) -> PyResult<Bound<'py, PyArray2<u8>>> {
    mask.to_alpha().into_pyarray(py).reshape([mask.height() as usize, mask.width() as usize])
}

/// Returns the ids of colliders as an array of shape (n,).
pub(crate) fn ids<'py>(
    py: Python<'py>,
    ids: impl IntoIterator<Item = ColliderId>,
) -> Bound<'py, PyArray1<u64>> {
    PyArray1::from_vec(py, ids.into_iter().map(ColliderId::to_bits).collect())
}

/// Returns the ids of pairs as an array of shape (n, 2).
pub(crate) fn pairs<'py, 'a>(
    py: Python<'py>,
    pairs: impl IntoIterator<Item = &'a Pair>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    rows(py, pairs.into_iter().map(|pair| [pair.a.to_bits(), pair.b.to_bits()]))
}

/// A side of any length, in a shape.
pub(crate) const ANY: usize = usize::MAX;

/// Reads an array of one type and shape, which other numbers are converted to.
///
/// `shape` has [`ANY`] where any length is allowed; an empty list fits where no row may be. Calls `with` with the elements in C order, without a copy
/// if the array is contiguous and of this type.
pub(crate) fn read<T: Element + Copy, R>(
    object: &Bound<'_, PyAny>,
    argument: &str,
    shape: &[usize],
    with: impl FnOnce(&[T], &[usize]) -> R,
) -> PyResult<R> {
    let py = object.py();
    let array = match object.cast::<PyArrayDyn<T>>() {
        // A field of a packed record may lie at any address.
        Ok(array) if array.is_aligned() => array.clone(),
        _ => {
            static COLUMN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let column = COLUMN.import(py, "hitmask._images", "column")?;
            let made = column.call1((object, numpy::dtype::<T>(py), argument))?;
            made.cast_into::<PyArrayDyn<T>>()?
        }
    };
    let mut given = array.shape().to_vec();
    if let ([0], [0 | ANY, rest @ ..]) = (&given[..], shape) {
        given = [&[0], rest].concat();
    }
    let fits = given.len() == shape.len()
        && given.iter().zip(shape).all(|(&given, &wanted)| wanted == ANY || given == wanted);
    if !fits {
        let wanted: Vec<String> = shape
            .iter()
            .map(|&side| if side == ANY { "n".into() } else { side.to_string() })
            .collect();
        return Err(invalid(
            format!("{argument} has the shape {given:?}"),
            format!("pass an array of shape ({})", wanted.join(", ")),
        ));
    }
    let view = array.try_readonly().map_err(|_| {
        invalid(format!("{argument} is being written"), "read it after the write has ended")
    })?;
    match view.as_slice() {
        Ok(slice) if array.is_c_contiguous() => Ok(with(slice, &given)),
        _ => {
            let copy: Vec<T> = view.as_array().iter().copied().collect();
            Ok(with(&copy, &given))
        }
    }
}
