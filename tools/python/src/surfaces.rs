//! Surfaces of pygame: masks of their pixels, and masks drawn onto them, of every format.
//!
//! pygame hands out the memory of a surface as a buffer. Small ones are copied, because a copy takes less time
//! than an array over them; of a large one, or of a part of another surface, an array of numpy is read in place.
//!
//! Invariant: no byte is read or written beyond the rows of the surface. The buffer of a part claims more bytes than
//! its parent has, so that of the whole is taken.

use crate::arrays;
use crate::pygame_values::{Color, made, pair, rect_class, two_ints};
use hitmask::Mask;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};

/// Bytes of a surface up to which it is copied to be read, and to be written.
const COPIED_TO_READ: usize = 1 << 16;
const COPIED_TO_WRITE: usize = 1 << 14;

/// Pixels of a word of a mask.
const WORD: usize = 64;

/// The pixel format of new surfaces with alpha: alpha, red, green and blue from the highest byte.
const SRCALPHA: (u32, u32) = (0x0001_0000, 32);

enum Memory<'py> {
    /// Not read, because every byte is written.
    Unread,
    Copy(Bound<'py, PyBytes>),
    Shared(Bound<'py, PyArray1<u8>>),
}

/// The pixels of a surface, which is locked while they are shared.
struct Pixels<'py> {
    /// The buffer, of this surface or of the whole that it is a part of.
    buffer: Bound<'py, PyAny>,
    memory: Memory<'py>,
    /// The first byte of the first pixel.
    start: usize,
    pitch: usize,
    size: [usize; 2],
    /// Bytes per pixel.
    bytes: usize,
}

impl<'py> Pixels<'py> {
    /// Takes the memory of a surface. Up to `copied` bytes are copied.
    fn of(
        surface: &Bound<'py, PyAny>,
        size: [usize; 2],
        bytes: usize,
        copied: usize,
    ) -> PyResult<Self> {
        let py = surface.py();
        let buffer_of =
            |surface: &Bound<'py, PyAny>| surface.call_method0(intern!(py, "get_buffer"));
        let is_whole = surface.call_method0(intern!(py, "get_parent"))?.is_none();
        let (buffer, start, pitch) = if is_whole && size[0] * size[1] * bytes <= copied {
            let buffer = buffer_of(surface)?;
            let copy = buffer.getattr(intern!(py, "raw"))?.cast_into::<PyBytes>()?;
            let pitch = copy.as_bytes().len() / size[1].max(1);
            return Self { buffer, memory: Memory::Copy(copy), start: 0, pitch, size, bytes }
                .checked();
        } else {
            let pitch: usize = surface.call_method0(intern!(py, "get_pitch"))?.extract()?;
            let whole = surface.call_method0(intern!(py, "get_abs_parent"))?;
            let (x, y): (usize, usize) =
                surface.call_method0(intern!(py, "get_abs_offset"))?.extract()?;
            (buffer_of(&whole)?, y * pitch + x * bytes, pitch)
        };
        static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let shared = FROM_BUFFER
            .import(py, "numpy", "frombuffer")?
            .call1((&buffer, numpy::dtype::<u8>(py)))?
            .cast_into::<PyArray1<u8>>()?;
        Self { buffer, memory: Memory::Shared(shared), start, pitch, size, bytes }.checked()
    }

    /// Takes the memory of a surface without its content, if that may be copied and its rows have no padding.
    fn unread(
        surface: &Bound<'py, PyAny>,
        size: [usize; 2],
        bytes: usize,
    ) -> PyResult<Option<Self>> {
        let py = surface.py();
        let pitch: usize = surface.call_method0(intern!(py, "get_pitch"))?.extract()?;
        if pitch != size[0] * bytes || !surface.call_method0(intern!(py, "get_parent"))?.is_none() {
            return Ok(None);
        }
        let buffer = surface.call_method0(intern!(py, "get_buffer"))?;
        Ok(Some(Self { buffer, memory: Memory::Unread, start: 0, pitch, size, bytes }))
    }

    /// Refuses memory that is smaller than the surface says.
    fn checked(self) -> PyResult<Self> {
        let [width, height] = self.size;
        let end = self.start + height.saturating_sub(1) * self.pitch + width * self.bytes;
        let length = match &self.memory {
            Memory::Unread => usize::MAX,
            Memory::Copy(copy) => copy.as_bytes().len(),
            Memory::Shared(array) => array.len()?,
        };
        if width == 0 || height == 0 || end <= length {
            return Ok(self);
        }
        Err(PyValueError::new_err(format!(
            "the surface of {width} x {height} pixels has {length} bytes, and needs {end}; pass a copy of it: surface.copy()"
        )))
    }

    fn read<R>(&self, with: impl FnOnce(&[u8]) -> R) -> PyResult<R> {
        match &self.memory {
            Memory::Unread => Ok(with(&[])),
            Memory::Copy(copy) => Ok(with(copy.as_bytes())),
            Memory::Shared(array) => Ok(with(array.try_readonly().map_err(busy)?.as_slice()?)),
        }
    }

    /// Changes rows `rows[0]` to `rows[1]`: their bytes, and where they begin in the memory.
    fn write(&self, rows: [usize; 2], with: impl FnOnce(&mut [u8], usize)) -> PyResult<()> {
        let py = self.buffer.py();
        let [from, to] = rows.map(|row| row * self.pitch);
        if let Memory::Shared(array) = &self.memory {
            with(array.try_readwrite().map_err(|_| busy(()))?.as_slice_mut()?, 0);
            return Ok(());
        }
        let bytes = PyBytes::new_with(py, to - from, |bytes| {
            if let Memory::Copy(copy) = &self.memory {
                bytes.copy_from_slice(&copy.as_bytes()[from..to]);
            }
            with(bytes, from);
            Ok(())
        })?;
        self.buffer.call_method1(intern!(py, "write"), (bytes, from)).map(drop)
    }

    /// Returns the mask of the pixels of `N` bytes that a test accepts.
    fn mask<const N: usize>(&self, is_set: impl Fn([u8; N]) -> bool) -> PyResult<Mask> {
        let [width, height] = self.size;
        self.read(|bytes| {
            let word = |strip: u32, row: u32| {
                let column = strip as usize * WORD;
                let from = self.start + row as usize * self.pitch + column * N;
                let end = from + (width - column).min(WORD) * N;
                flags_of(bytes[from..end].as_chunks::<N>().0, |&pixel| is_set(pixel))
            };
            made(Mask::from_words(width as u32, height as u32, word))
        })?
    }

    /// Returns the mask of the pixels whose value a test accepts.
    fn mask_of_values(&self, is_set: impl Fn(u32) -> bool) -> PyResult<Mask> {
        match self.bytes {
            1 => self.mask(|pixel: [u8; 1]| is_set(value_of(pixel))),
            2 => self.mask(|pixel: [u8; 2]| is_set(value_of(pixel))),
            3 => self.mask(|pixel: [u8; 3]| is_set(value_of(pixel))),
            _ => self.mask(|pixel: [u8; 4]| is_set(value_of(pixel))),
        }
    }

    /// Returns the values of a part row by row.
    fn values(&self, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> PyResult<Vec<u32>> {
        fn add<const N: usize>(values: &mut Vec<u32>, row: &[u8]) {
            values.extend(row.as_chunks::<N>().0.iter().map(|&pixel| value_of(pixel)));
        }
        let add = match self.bytes {
            1 => add::<1>,
            2 => add::<2>,
            3 => add::<3>,
            _ => add::<4>,
        };
        let mut values = Vec::with_capacity(width * height);
        self.read(|bytes| {
            for row in y..y + height {
                let from = self.start + row * self.pitch + x * self.bytes;
                add(&mut values, &bytes[from..from + width * self.bytes]);
            }
        })?;
        Ok(values)
    }
}

/// Returns the value of a pixel, whose first byte is the lowest.
#[inline(always)]
fn value_of<const N: usize>(pixel: [u8; N]) -> u32 {
    let mut bytes = [0; 4];
    bytes[..N].copy_from_slice(&pixel);
    u32::from_le_bytes(bytes)
}

/// Returns the pixel that has a value.
#[inline(always)]
fn pixel_of<const N: usize>(value: u32) -> [u8; N] {
    let bytes = value.to_le_bytes();
    std::array::from_fn(|at| bytes[at])
}

/// Returns the word of up to 64 items, a bit for each that a test accepts.
#[inline(always)]
fn flags_of<T>(items: &[T], test: impl Fn(&T) -> bool) -> u64 {
    let mut flags = [0; WORD];
    // With a constant count the compiler tests many items at once.
    let (sixteens, rest) = items.as_chunks::<16>();
    let (whole, last) = flags.split_at_mut(sixteens.len() * 16);
    for (flags, items) in whole.as_chunks_mut::<16>().0.iter_mut().zip(sixteens) {
        for (flag, item) in flags.iter_mut().zip(items) {
            *flag = test(item).into();
        }
    }
    for (flag, item) in last.iter_mut().zip(rest) {
        *flag = test(item).into();
    }
    packed(&flags)
}

/// Returns 64 flags, 1 or 0, as the bits of a word.
pub(crate) fn packed(flags: &[u8; WORD]) -> u64 {
    let eights = flags.as_chunks::<8>().0.iter().enumerate();
    // Flag k moves to bit k of the highest byte.
    eights.fold(0, |word, (at, &eight)| {
        word | (u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
    })
}

fn busy<E>(_: E) -> PyErr {
    PyValueError::new_err(
        "an array of the surface is being written; wait until the write has ended",
    )
}

/// Tests whether an object is a surface.
fn is_surface(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static SURFACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = SURFACE.import(object.py(), "pygame", "Surface")?;
    Ok(object.get_type().is(class) || object.is_instance(class)?)
}

fn need_surface(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<()> {
    if is_surface(object)? {
        return Ok(());
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("{argument} must be a pygame.Surface, and is {class}")))
}

fn size_of(surface: &Bound<'_, PyAny>) -> PyResult<[usize; 2]> {
    let (width, height) = surface.call_method0(intern!(surface.py(), "get_size"))?.extract()?;
    Ok([width, height])
}

fn bytes_of(surface: &Bound<'_, PyAny>) -> PyResult<usize> {
    let bytes: usize = surface.call_method0(intern!(surface.py(), "get_bytesize"))?.extract()?;
    // A surface of other formats has no pixels of its own.
    Ok(bytes.clamp(1, 4))
}

/// Returns the bits of a pixel that hold red, green, blue and alpha.
fn masks_of(surface: &Bound<'_, PyAny>) -> PyResult<[u32; 4]> {
    let (r, g, b, a): (i64, i64, i64, i64) =
        surface.call_method0(intern!(surface.py(), "get_masks"))?.extract()?;
    Ok([r, g, b, a].map(|mask| mask as u32))
}

/// Returns the pixel value of a colour: a whole number is one already.
fn mapped(surface: &Bound<'_, PyAny>, color: &Bound<'_, PyAny>) -> PyResult<u32> {
    static COLOR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = surface.py();
    let map = |color: &Bound<'_, PyAny>| {
        let value: i64 = surface.call_method1(intern!(py, "map_rgb"), (color,))?.extract()?;
        Ok(value as u32)
    };
    if color.is_instance_of::<PyInt>() {
        let low = color.call_method1(intern!(py, "__and__"), (u32::MAX,))?;
        return low.extract();
    }
    if color.is_instance_of::<PyString>() {
        return map(&COLOR.import(py, "pygame", "Color")?.call1((color,))?);
    }
    if !color.hasattr(intern!(py, "__getitem__"))? {
        let class = color.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "unable to interpret object of type '{class}' as a color"
        )));
    }
    map(color)
}

/// Returns a mask of the pixels whose alpha is above a threshold, or that differ from the colour key.
pub(crate) fn from_surface(surface: &Bound<'_, PyAny>, threshold: i32) -> PyResult<Mask> {
    need_surface(surface, "surface")?;
    let py = surface.py();
    let size = size_of(surface)?;
    let [width, height] = size.map(|side| side as u32);
    let key = surface.call_method0(intern!(py, "get_colorkey"))?;
    if !key.is_none() {
        let bytes = bytes_of(surface)?;
        if bytes == 1 {
            // A palette may have the colour twice, and only pygame's masks know which index is the key.
            static FROM_SURFACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let convert =
                FROM_SURFACE.import(py, "hitmask.pygame.mask", "from_surface_of_pygame")?;
            let made = convert.call1((surface,))?;
            let made = of_pygame(&made)?;
            return made.ok_or_else(|| {
                PyTypeError::new_err("pygame.mask.from_surface gives no mask; install pygame-ce")
            });
        }
        let key = mapped(surface, &key)?;
        let pixels = Pixels::of(surface, size, bytes, COPIED_TO_READ)?;
        return pixels.mask_of_values(|value| value != key);
    }
    let alpha = if (0..255).contains(&threshold) { masks_of(surface)?[3] } else { 0 };
    if alpha == 0 {
        let solid = if threshold >= 255 { Mask::new } else { Mask::solid };
        return made(solid(width, height));
    }
    // Only pixels of 4 bytes have their alpha so high.
    let bytes = if alpha > 0x00FF_FFFF { 4 } else { bytes_of(surface)? };
    let pixels = Pixels::of(surface, size, bytes, COPIED_TO_READ)?;
    let (shift, most) = (alpha.trailing_zeros(), alpha >> alpha.trailing_zeros());
    // Alpha of fewer bits is widened as SDL does: value * 255 / most, rounded down.
    let least = ((threshold as u32 + 1) * most).div_ceil(255);
    if most == 255 && bytes == 4 {
        let least = least as u8;
        match shift {
            0 => pixels.mask(|[value, ..]: [u8; 4]| value >= least),
            8 => pixels.mask(|[_, value, ..]: [u8; 4]| value >= least),
            16 => pixels.mask(|[.., value, _]: [u8; 4]| value >= least),
            _ => pixels.mask(|[.., value]: [u8; 4]| value >= least),
        }
    } else {
        pixels.mask_of_values(|value| (value & alpha) >> shift >= least)
    }
}

/// The colour channels of a format, as pygame compares them.
#[derive(Clone, Copy)]
struct Channels {
    masks: [u32; 4],
    shifts: [u32; 4],
    losses: [u32; 4],
}

impl Channels {
    fn new(masks: [u32; 4]) -> Self {
        // What `get_shifts` and `get_losses` return, without two calls.
        let shifts = masks.map(|mask| if mask == 0 { 0 } else { mask.trailing_zeros() });
        Self { masks, shifts, losses: masks.map(|mask| 8_u32.saturating_sub(mask.count_ones())) }
    }

    /// Returns red, green and blue of a pixel, moved to the upper bits as pygame moves them.
    #[inline(always)]
    fn parts(self, value: u32) -> [i32; 3] {
        std::array::from_fn(|index| {
            (((value & self.masks[index]) >> (self.shifts[index] & 31))
                << (self.losses[index] & 31)) as i32
        })
    }
}

#[inline(always)]
fn is_near(a: [i32; 3], b: [i32; 3], limits: [i32; 3]) -> bool {
    (0..3).fold(true, |near, index| near & ((a[index] - b[index]).abs() < limits[index]))
}

/// Returns a mask of the pixels whose colour is nearer than a threshold to `color`, or to another surface.
pub(crate) fn from_threshold(
    surface: &Bound<'_, PyAny>,
    color: &Bound<'_, PyAny>,
    threshold: Option<&Bound<'_, PyAny>>,
    othersurface: Option<&Bound<'_, PyAny>>,
    palette_colors: i32,
) -> PyResult<Mask> {
    need_surface(surface, "surface")?;
    if let Some(other) = othersurface {
        need_surface(other, "othersurface")?;
    }
    let py = surface.py();
    let unmapped = |value: u32| -> PyResult<[i32; 3]> {
        // A colour is a number of red, green, blue and alpha, from the highest byte.
        let color = surface.call_method1(intern!(py, "unmap_rgb"), (value,))?;
        let [r, g, b, _] = color.extract::<u32>()?.to_be_bytes().map(i32::from);
        Ok([r, g, b])
    };
    let wanted = unmapped(mapped(surface, color)?)?;
    let limits = match threshold {
        Some(threshold) => unmapped(mapped(surface, threshold)?)?,
        None => unmapped(mapped(surface, (0, 0, 0, 255).into_pyobject(py)?.as_any())?)?,
    };
    let size = size_of(surface)?;
    let bytes = bytes_of(surface)?;
    let pixels = Pixels::of(surface, size, bytes, COPIED_TO_READ)?;
    let channels = Channels::new(masks_of(surface)?);
    let Some(other) = othersurface else {
        let mask = pixels.mask_of_values(|value| is_near(channels.parts(value), wanted, limits));
        return mask;
    };
    let [width, height] = size;
    let other_size = size_of(other)?;
    if other_size[0] < width || other_size[1] < height {
        return Err(PyValueError::new_err(format!(
            "othersurface is {} x {} and surface {width} x {height} pixels; pass one that is at least as large",
            other_size[0], other_size[1]
        )));
    }
    let others = Pixels::of(other, other_size, bytes_of(other)?, COPIED_TO_READ)?;
    let other_channels = Channels { losses: channels.losses, ..Channels::new(masks_of(other)?) };
    let by_index = bytes == 1 && others.bytes == 1 && palette_colors == 0;
    let (values, others) = (pixels.values([0, 0], size)?, others.values([0, 0], size)?);
    let word = |strip: u32, row: u32| {
        let from = row as usize * width + strip as usize * WORD;
        let to = (from + WORD).min((row as usize + 1) * width);
        let mut pairs = [(0, 0); WORD];
        let both = values[from..to].iter().zip(&others[from..to]);
        for (pair, (&value, &other)) in pairs.iter_mut().zip(both) {
            *pair = (value, other);
        }
        let row = &pairs[..to - from];
        if by_index {
            return flags_of(row, |&(value, other)| {
                (value as i32 - other as i32).abs() < limits[0]
            });
        }
        flags_of(row, |&(value, other)| {
            is_near(other_channels.parts(other), channels.parts(value), limits)
        })
    };
    made(Mask::from_words(width as u32, height as u32, word))
}

/// Returns red, green, blue and alpha of what is drawn of a surface: its colour key is clear, and one without alpha
/// is opaque.
pub(crate) fn rgba_of(surface: &Bound<'_, PyAny>) -> PyResult<([u32; 2], Vec<u8>)> {
    let py = surface.py();
    let size = size_of(surface)?;
    let bytes = bytes_of(surface)?;
    let values = match size {
        [0, _] | [_, 0] => Vec::new(),
        _ => Pixels::of(surface, size, bytes, COPIED_TO_READ)?.values([0, 0], size)?,
    };
    let mut rgba = vec![0; 4 * values.len()];
    let texels = rgba.as_chunks_mut::<4>().0;
    let masks = masks_of(surface)?;
    if bytes == 1 {
        let palette = surface.call_method0(intern!(py, "get_palette"))?;
        let color = |color: PyResult<Bound<'_, PyAny>>| -> PyResult<[u8; 4]> {
            let color = color?;
            let part = |index: usize| color.get_item(index)?.extract();
            Ok([part(0)?, part(1)?, part(2)?, 255])
        };
        let palette = palette.try_iter()?.map(color).collect::<PyResult<Vec<_>>>()?;
        for (texel, value) in texels.iter_mut().zip(&values) {
            *texel = palette.get(*value as usize).copied().unwrap_or_default();
        }
    } else {
        for (channel, mask) in masks.into_iter().enumerate() {
            // A part of fewer bits is widened as SDL does.
            let (shift, most) = match mask {
                0 => (0, 0),
                mask => (mask.trailing_zeros(), mask >> mask.trailing_zeros()),
            };
            for (texel, value) in texels.iter_mut().zip(&values) {
                let part = ((value & mask) >> shift) * 255;
                texel[channel] = part.checked_div(most).unwrap_or(255) as u8;
            }
        }
    }
    let key = surface.call_method0(intern!(py, "get_colorkey"))?;
    if !key.is_none() && bytes == 1 {
        let shown = from_surface(surface, 127)?.to_alpha();
        for (texel, _) in texels.iter_mut().zip(shown).filter(|(_, shown)| *shown == 0) {
            *texel = [0; 4];
        }
    } else if !key.is_none() {
        // Alpha is no part of a key.
        let key = mapped(surface, &key)?;
        let is_key = |value: u32| (value ^ key) & !masks[3] == 0;
        for (texel, _) in texels.iter_mut().zip(values).filter(|&(_, value)| is_key(value)) {
            *texel = [0; 4];
        }
    }
    Ok((size.map(|side| side as u32), rgba))
}

/// Returns red, green, blue and alpha of what is drawn of a surface.
#[pyfunction]
pub(crate) fn surface_rgba<'py>(surface: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    need_surface(surface, "surface")?;
    Ok(PyBytes::new(surface.py(), &rgba_of(surface)?.1))
}

/// Returns a copy of a mask of pygame, by the memory that it exports, or drawn onto a surface; `None` if it is none.
pub(crate) fn of_pygame(mask: &Bound<'_, PyAny>) -> PyResult<Option<Mask>> {
    let py = mask.py();
    if !mask.hasattr(intern!(py, "overlap_area"))? || !mask.hasattr(intern!(py, "to_surface"))? {
        return Ok(None);
    }
    let (width, height): (u32, u32) = mask.call_method0(intern!(py, "get_size"))?.extract()?;
    if width == 0 || height == 0 {
        return made(Mask::new(width, height)).map(Some);
    }
    let Ok(bytes) = arrays::bytes_of(mask, "mask") else { return drawn(mask).map(Some) };
    // Columns of `unsigned long`, one after another, each from the top.
    let long = std::mem::size_of::<std::ffi::c_ulong>();
    let longs = 8 / long;
    if bytes.len() != width.div_ceil(8 * long as u32) as usize * height as usize * long {
        return drawn(mask).map(Some);
    }
    let word = |strip: u32, row: u32| {
        let part = |index: usize| {
            let column = strip as usize * longs + index;
            let from = (column * height as usize + row as usize) * long;
            let mut word = [0; 8];
            let given = bytes.get(from..from + long).unwrap_or(&[]);
            word[..given.len()].copy_from_slice(given);
            u64::from_le_bytes(word) << (8 * long * index)
        };
        (0..longs).fold(0, |word, index| word | part(index))
    };
    made(Mask::from_words(width, height, word)).map(Some)
}

/// Returns a copy of a mask of pygame, which it draws onto a surface.
fn drawn(mask: &Bound<'_, PyAny>) -> PyResult<Mask> {
    let py = mask.py();
    let colors = PyDict::new(py);
    colors.set_item("setcolor", (255, 255, 255, 255))?;
    colors.set_item("unsetcolor", (0, 0, 0, 0))?;
    let surface = mask.call_method(intern!(py, "to_surface"), (), Some(&colors))?;
    from_surface(&surface, 127)
}

/// Returns a mask as one of pygame.
pub(crate) fn in_pygame<'py>(py: Python<'py>, mask: &Mask) -> PyResult<Bound<'py, PyAny>> {
    static MASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static FROM_SURFACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let size = (mask.width(), mask.height());
    let class = MASK.import(py, "hitmask.pygame.mask", "MaskOfPygame")?;
    if mask.width() == 0 || mask.height() == 0 {
        return class.call1((size,));
    }
    let pixels: Vec<u8> = mask.to_alpha().into_iter().flat_map(|alpha| [0, 0, 0, alpha]).collect();
    let surface = FROM_BUFFER.import(py, "pygame.image", "frombuffer")?.call1((
        PyBytes::new(py, &pixels),
        size,
        intern!(py, "RGBA"),
    ))?;
    FROM_SURFACE.import(py, "hitmask.pygame.mask", "from_surface_of_pygame")?.call1((surface,))
}

/// Returns the pixels of a surface to draw from; `None` without pixels.
fn source<'py>(
    surface: &Bound<'py, PyAny>,
    source: Option<&Bound<'py, PyAny>>,
    argument: &str,
) -> PyResult<Option<Pixels<'py>>> {
    let Some(source) = source else { return Ok(None) };
    if !is_surface(source)? {
        return Err(PyTypeError::new_err(format!("invalid {argument} argument")));
    }
    let py = surface.py();
    let format = |surface: &Bound<'py, PyAny>| -> PyResult<(usize, usize, [u32; 4])> {
        let bits = surface.call_method0(intern!(py, "get_bitsize"))?.extract()?;
        Ok((bytes_of(surface)?, bits, masks_of(surface)?))
    };
    if format(surface)? != format(source)? {
        return Err(PyValueError::new_err(format!(
            "{argument} needs to have same bytesize/bitsize/alpha format as surface"
        )));
    }
    let size = size_of(source)?;
    if size.contains(&0) {
        return Ok(None);
    }
    Pixels::of(source, size, bytes_of(source)?, COPIED_TO_READ).map(Some)
}

/// Returns a position: two numbers, or the corner of a rectangle.
fn corner(dest: Option<&Bound<'_, PyAny>>) -> PyResult<[i64; 2]> {
    let Some(dest) = dest else { return Ok([0, 0]) };
    if let Some(pair) = two_ints(dest) {
        return Ok(pair.map(i64::from));
    }
    let rect = rect_class(dest.py())?.call1((dest,));
    let rect = rect.map_err(|_| PyTypeError::new_err("invalid dest argument"))?;
    Ok(pair(&rect.getattr(intern!(dest.py(), "topleft"))?, "dest")?.map(i64::from))
}

/// Returns the part of a mask that is drawn: its corner and its size.
fn part(mask: &Mask, area: Option<&Bound<'_, PyAny>>) -> PyResult<([i64; 2], [i64; 2])> {
    let sides = [i64::from(mask.width()), i64::from(mask.height())];
    let Some(area) = area else { return Ok(([0, 0], sides)) };
    let py = area.py();
    let rect = rect_class(py)?.call1((area,));
    let rect = rect.map_err(|_| PyTypeError::new_err("invalid rectstyle argument"))?;
    rect.call_method0(intern!(py, "normalize"))?;
    let corner = pair(&rect.getattr(intern!(py, "topleft"))?, "area")?.map(i64::from);
    let size = pair(&rect.getattr(intern!(py, "size"))?, "area")?.map(i64::from);
    let cut = |axis: usize| {
        let from = corner[axis].max(0);
        (size[axis] + corner[axis].min(0)).min(sides[axis] - from).max(0)
    };
    Ok((corner.map(|at| at.max(0)), [cut(0), cut(1)]))
}

/// Arguments of [`to_surface`], as pygame names them.
pub(crate) struct Drawing<'a, 'py> {
    pub(crate) surface: Option<&'a Bound<'py, PyAny>>,
    pub(crate) setsurface: Option<&'a Bound<'py, PyAny>>,
    pub(crate) unsetsurface: Option<&'a Bound<'py, PyAny>>,
    pub(crate) setcolor: Color<'py>,
    pub(crate) unsetcolor: Color<'py>,
    pub(crate) dest: Option<&'a Bound<'py, PyAny>>,
    pub(crate) area: Option<&'a Bound<'py, PyAny>>,
}

/// Draws a mask onto a surface, or onto a new one of the size of the part.
pub(crate) fn to_surface<'py>(
    py: Python<'py>,
    mask: &Mask,
    drawing: Drawing<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static SURFACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let [left, top] = corner(drawing.dest)?;
    let ([x0, y0], [width, height]) = part(mask, drawing.area)?;
    let drawn = match drawing.surface {
        Some(surface) if is_surface(surface)? => surface.clone(),
        Some(_) => return Err(PyTypeError::new_err("invalid surface argument")),
        None => SURFACE.import(py, "pygame", "Surface")?.call1((
            (width, height),
            SRCALPHA.0,
            SRCALPHA.1,
        ))?,
    };
    let set_source = source(&drawn, drawing.setsurface, "setsurface")?;
    let clear_source = source(&drawn, drawing.unsetsurface, "unsetsurface")?;
    let bytes = if drawing.surface.is_some() { bytes_of(&drawn)? } else { 4 };
    // White and black: all bits of a format, and those of alpha.
    let masks = match (&drawing.setcolor, &drawing.unsetcolor) {
        _ if drawing.surface.is_none() => [0xFFFF_FFFF, 0, 0, 0xFF00_0000],
        (Color::Default, _) | (_, Color::Default) if bytes > 1 => masks_of(&drawn)?,
        _ => [0; 4],
    };
    let value = |color: Color<'py>, part: u8| match color {
        Color::None => Ok(None),
        Color::Default if bytes > 1 => {
            let [r, g, b, alpha] = masks;
            Ok(Some(if part == 0 { alpha } else { r | g | b | alpha }))
        }
        Color::Default => {
            mapped(&drawn, (part, part, part, 255).into_pyobject(py)?.as_any()).map(Some)
        }
        Color::Given(color) => mapped(&drawn, &color).map(Some),
    };
    let values = [value(drawing.unsetcolor, 0)?, value(drawing.setcolor, 255)?];
    let size = match drawing.surface {
        Some(_) => size_of(&drawn)?,
        None => [width as usize, height as usize],
    };
    // The window that is drawn, in pixels of the part.
    let first = [(-left).max(0), (-top).max(0)];
    let last = [width.min(size[0] as i64 - left), height.min(size[1] as i64 - top)];
    if first[0] >= last[0] || first[1] >= last[1] {
        return Ok(drawn);
    }
    let window = Window {
        count: [(last[0] - first[0]) as usize, (last[1] - first[1]) as usize],
        of_mask: [(x0 + first[0]) as usize, (y0 + first[1]) as usize],
        of_surface: [(left + first[0]) as usize, (top + first[1]) as usize],
    };
    let draws_all = window.count[0] == size[0] && values.iter().all(Option::is_some);
    let unread = if draws_all { Pixels::unread(&drawn, size, bytes)? } else { None };
    let pixels = match unread {
        Some(pixels) => pixels,
        None => Pixels::of(&drawn, size, bytes, COPIED_TO_WRITE)?,
    };
    let side = |source: Option<Pixels<'_>>, value: Option<u32>| -> PyResult<Side> {
        let Some(source) = source else {
            return Ok(Side { value, columns: 0, source: Vec::new() });
        };
        let part = [0, 1].map(|axis| {
            source.size[axis].saturating_sub(window.of_mask[axis]).min(window.count[axis])
        });
        let from = if part.contains(&0) { [0, 0] } else { window.of_mask };
        Ok(Side { value, columns: part[0], source: source.values(from, part)? })
    };
    let sides = [side(clear_source, values[0])?, side(set_source, values[1])?];
    match bytes {
        1 => window.draw::<1>(mask, &pixels, &sides),
        2 => window.draw::<2>(mask, &pixels, &sides),
        3 => window.draw::<3>(mask, &pixels, &sides),
        _ => window.draw::<4>(mask, &pixels, &sides),
    }?;
    Ok(drawn)
}

/// What is drawn where a mask is clear, or where it is set.
struct Side {
    /// The value of a colour, where the source has no pixel.
    value: Option<u32>,
    /// Columns of `source`, whose corner is that of the window.
    columns: usize,
    source: Vec<u32>,
}

impl Side {
    /// Writes the values of up to 64 pixels of a row from a column on. `values` has those of the surface.
    fn put(&self, values: &mut [u32], row: usize, column: usize) {
        if let Some(value) = self.value {
            values.fill(value);
        }
        let count = self.columns.saturating_sub(column).min(values.len());
        let from = row * self.columns + column;
        if let Some(source) = self.source.get(from..from + count) {
            values[..count].copy_from_slice(source);
        }
    }

    fn is_plain(&self) -> Option<u32> {
        self.value.filter(|_| self.source.is_empty())
    }
}

/// The part of a mask that is drawn, and where.
#[derive(Clone, Copy)]
struct Window {
    count: [usize; 2],
    of_mask: [usize; 2],
    of_surface: [usize; 2],
}

impl Window {
    fn rows(self) -> [usize; 2] {
        [self.of_surface[1], self.of_surface[1] + self.count[1]]
    }

    /// Calls `each` with the column in the window and the bits of every 64 pixels of a row.
    fn words(self, mask: &Mask, row: usize, mut each: impl FnMut(usize, u64)) {
        let [x, y] = [self.of_mask[0], self.of_mask[1] + row];
        let shift = x % WORD;
        let strips = (mask.width() as usize).div_ceil(WORD);
        let word = |strip: usize| if strip < strips { mask.words(strip as u32)[y] } else { 0 };
        for column in (0..self.count[0]).step_by(WORD) {
            let strip = (x + column) / WORD;
            let near = word(strip) >> shift;
            let far = if shift == 0 { 0 } else { word(strip + 1) << (WORD - shift) };
            each(column, near | far);
        }
    }

    /// Draws both sides onto pixels of `N` bytes.
    fn draw<const N: usize>(
        self,
        mask: &Mask,
        pixels: &Pixels<'_>,
        [clear, set]: &[Side; 2],
    ) -> PyResult<()> {
        let width = self.count[0];
        let colors = clear.is_plain().zip(set.is_plain());
        let colors = colors.map(|(clear, set)| [pixel_of(clear), pixel_of(set)]);
        pixels.write(self.rows(), |bytes, first| {
            for row in 0..self.count[1] {
                let [x, y] = self.of_surface;
                let start = pixels.start + (y + row) * pixels.pitch + x * N - first;
                let target = bytes[start..start + width * N].as_chunks_mut::<N>().0;
                self.words(mask, row, |column, bits| {
                    let target = &mut target[column..(column + WORD).min(width)];
                    if let Some([clear, set]) = colors {
                        each_bit(target, bits, |pixel, _, is_set| {
                            *pixel = if is_set { set } else { clear };
                        });
                        return;
                    }
                    let mut values = [[0; WORD]; 2];
                    for (side, values) in [clear, set].into_iter().zip(&mut values) {
                        for (value, &pixel) in values.iter_mut().zip(&*target) {
                            *value = value_of::<N>(pixel);
                        }
                        side.put(&mut values[..target.len()], row, column);
                    }
                    let [clear, set] = values;
                    each_bit(target, bits, |pixel, at, is_set| {
                        *pixel = pixel_of(if is_set { set[at] } else { clear[at] });
                    });
                });
            }
        })
    }
}

/// Calls `each` with up to 64 pixels, their index, and their bit.
#[inline(always)]
fn each_bit<T>(pixels: &mut [T], bits: u64, each: impl Fn(&mut T, usize, bool)) {
    let (eights, rest) = pixels.as_chunks_mut::<8>();
    let whole = eights.len() * 8;
    for (index, eight) in eights.iter_mut().enumerate() {
        // Bits of one byte by constants, which the compiler tests together.
        let byte = (bits >> (8 * index)) as u8;
        for (at, pixel) in eight.iter_mut().enumerate() {
            each(pixel, 8 * index + at, byte & (1 << at) != 0);
        }
    }
    for (at, pixel) in (whole..).zip(rest) {
        each(pixel, at, bits >> at & 1 != 0);
    }
}
