//! Arrays of numpy to masks and columns, and back.
//!
//! Invariants: an array of another type, shape or order is converted or refused, never read as
//! something else. Booleans are read as bytes, because a view of foreign memory may hold any byte.

use crate::errors::invalid;
use hitmask::{ColliderId, Mask, Pair};
use numpy::prelude::*;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

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
