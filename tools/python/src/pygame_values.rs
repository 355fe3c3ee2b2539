//! Numbers, colours and rectangles as pygame takes them.

use hitmask::{CallError, Mask};
use pyo3::Borrowed;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyTuple};

/// Returns a number of pygame: a float is cut off towards 0.
pub(crate) fn int(object: Borrowed<'_, '_, PyAny>) -> Option<i32> {
    // The exact type first: it takes no call.
    if object.is_exact_instance_of::<PyInt>() || object.is_instance_of::<PyInt>() {
        return object.extract().ok();
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        let value = float.extract::<f64>().ok()?.trunc();
        let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
        return fits.then_some(value as i32);
    }
    object.extract::<i32>().ok().or_else(|| {
        // Vectors and arrays hold numbers of their own types.
        let value: f64 = object.extract().ok()?;
        let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
        fits.then_some(value as i32)
    })
}

/// Returns two numbers of pygame: of a pair, or of a pair that is alone in a tuple.
pub(crate) fn two_ints(object: &Bound<'_, PyAny>) -> Option<[i32; 2]> {
    if let Ok(tuple) = object.cast_exact::<PyTuple>().or_else(|_| object.cast::<PyTuple>()) {
        return match tuple.len() {
            2 => {
                let item = |index| int(tuple.get_borrowed_item(index).ok()?);
                Some([item(0)?, item(1)?])
            }
            1 => two_ints(&tuple.get_item(0).ok()?),
            _ => None,
        };
    }
    if object.is_instance_of::<PyDict>() || object.len().ok()? != 2 {
        return None;
    }
    Some([
        int(object.get_item(0).ok()?.as_borrowed())?,
        int(object.get_item(1).ok()?.as_borrowed())?,
    ])
}

#[inline]
pub(crate) fn pair(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<[i32; 2]> {
    two_ints(object).ok_or_else(|| PyTypeError::new_err(format!("{argument} must be two numbers")))
}

/// Returns a whole number, as C functions of Python take it: no float.
pub(crate) fn whole(object: Option<&Bound<'_, PyAny>>, default: i32) -> PyResult<i32> {
    object.map_or(Ok(default), |object| object.extract())
}

/// Refuses a mask that is too large, as pygame does without memory.
pub(crate) fn made(mask: Result<Mask, CallError>) -> PyResult<Mask> {
    mask.map_err(|error| PyMemoryError::new_err(format!("{error}; {}", error.help())))
}

/// A colour of `to_surface`.
pub(crate) enum Color<'py> {
    Default,
    None,
    Given(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Color<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(if object.is_none() { Self::None } else { Self::Given(object.to_owned()) })
    }
}

pub(crate) fn rect_class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static RECT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    RECT.import(py, "pygame", "Rect")
}
