//! Images of any package to masks and frames: surfaces, pictures, arrays and buffers.
//!
//! Invariant: an image of another type, shape or order is converted or refused, never read as something else.

use crate::errors::{OrRaise, invalid};
use crate::surfaces;
use hitmask::baking::{Frame, TexelMasks};
use hitmask::{AlphaRule, Channel, Mask, Settings, TexelRule};
use numpy::prelude::*;
use numpy::{PyReadonlyArrayDyn, PyUntypedArray};
use pyo3::exceptions::PyUserWarning;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

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
