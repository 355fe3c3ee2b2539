//! The class `hitmask.pygame.mask.Mask`: every method of `pygame.mask.Mask`, with its results and exceptions.
//!
//! `surfaces` has what needs surfaces. Answers that pygame computes from columns of words are
//! given for words of the machine's `unsigned long`, as there.

use crate::mask::{MaskArg, PyMask, PygameMask, mask_of};
use crate::pygame_values::{Color, made, pair, rect_class, whole};
use crate::surfaces::{self, Drawing};
use hitmask::{Connectivity, Mask, Point, TexelRule};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Mutex;

/// Columns of a word of pygame.
const COLUMNS: u32 = std::ffi::c_ulong::BITS;

/// The number of bits of a byte, the sum of their places, and that of the squares.
static MOMENTS_OF_BYTE: [[u8; 3]; 256] = {
    let mut all = [[0; 3]; 256];
    let mut bit = 0;
    while bit < 8 {
        let mut byte = 0;
        while byte < 256 {
            if byte >> bit & 1 == 1 {
                all[byte] = [all[byte][0] + 1, all[byte][1] + bit, all[byte][2] + bit * bit];
            }
            byte += 1;
        }
        bit += 1;
    }
    all
};

impl PygameMask {
    fn sized(width: i32, height: i32) -> PyResult<Mask> {
        made(Mask::new(width.unsigned_abs(), height.unsigned_abs()))
    }

    fn size(&self) -> [i32; 2] {
        // Sides are at most 32,767.
        [self.0.width() as i32, self.0.height() as i32]
    }

    /// Refuses a position outside.
    #[inline]
    fn inside(&self, [x, y]: [i32; 2]) -> PyResult<[i32; 2]> {
        let [width, height] = self.size();
        if (0..width).contains(&x) && (0..height).contains(&y) {
            return Ok([x, y]);
        }
        Err(PyIndexError::new_err(format!("{x}, {y} is out of bounds")))
    }

    /// Returns the sums over all pixels: 1, x, y, xx, xy, yy.
    fn moments(&self) -> [i64; 6] {
        let mut sums = [0; 6];
        if self.0.height() == 0 {
            return sums;
        }
        for strip in 0..self.0.width().div_ceil(u64::BITS) {
            for (y, &word) in (0..).zip(self.0.words(strip)) {
                // Count, columns and their squares of a row.
                let (mut count, mut x, mut xx) = (0, 0, 0);
                let mut rest = word;
                let mut left = i64::from(strip * u64::BITS);
                while rest != 0 {
                    let [n, sum, squares] = MOMENTS_OF_BYTE[(rest & 255) as usize].map(i64::from);
                    count += n;
                    x += sum + left * n;
                    xx += squares + left * (2 * sum + left * n);
                    rest >>= 8;
                    left += 8;
                }
                for (sum, part) in
                    sums.iter_mut().zip([count, x, y * count, xx, x * y, y * y * count])
                {
                    *sum += part;
                }
            }
        }
        sums
    }

    /// Returns the first shared pixel in the order of pygame: by windows between the words of both masks,
    /// then from the top, then from the left.
    pub(crate) fn first_overlap(&self, other: &Mask, [dx, dy]: [i32; 2]) -> Option<Point> {
        // pygame scans from the left mask.
        if dx >= 0 {
            return first_in_windows(&self.0, other, [dx, dy]);
        }
        let back = [dx.checked_neg()?, dy.checked_neg()?];
        Some(first_in_windows(other, &self.0, back)? + Point::new(dx, dy))
    }

    /// Returns each component as a mask of the size of this one.
    fn component(&self, found: &hitmask::Component<'_>) -> PyResult<Self> {
        let [width, height] = self.size();
        let mut mask = Self::sized(width, height)?;
        let hitmask::Rect { x0, y0, .. } = found.rect();
        mask.draw(&found.mask(), [x0, y0]);
        Ok(Self(mask))
    }
}

/// Returns the first pixel of the left mask that the right one has too, at a `dx` of at least 0.
fn first_in_windows(left: &Mask, right: &Mask, [dx, dy]: [i32; 2]) -> Option<Point> {
    // Sides are at most 32,767, so that clamped numbers are exact where masks overlap.
    let (dx, dy) = (dx as u32, dy.clamp(-40_000, 40_000));
    let (from, to) = (dy.max(0), (left.height() as i32).min(right.height() as i32 + dy));
    if dx >= left.width() || from >= to {
        return None;
    }
    let words = |mask: &Mask| mask.width().div_ceil(COLUMNS);
    // The rows of a word of pygame in one of ours, and where its bits are.
    let rows = |word: u32, skipped: i32| {
        let column = word * COLUMNS;
        (column / u64::BITS, column % u64::BITS, (from - skipped) as usize..(to - skipped) as usize)
    };
    let low = u64::MAX >> (u64::BITS - COLUMNS);
    let (first, shift) = (dx / COLUMNS, dx % COLUMNS);
    for index in 0..words(right) {
        let (strip, bit, range) = rows(index, dy);
        let right_rows = &right.words(strip)[range];
        // The word of the left mask where this one begins, and the next.
        for (word, is_far) in [(first + index, false), (first + index + 1, true)] {
            if word >= words(left) || is_far && shift == 0 {
                continue;
            }
            let (strip, left_bit, range) = rows(word, 0);
            let left_rows = &left.words(strip)[range];
            let both = |(&l, &r): (&u64, &u64)| {
                let r = r >> bit & low;
                let r = if is_far { r >> (COLUMNS - shift) } else { r << shift & low };
                l >> left_bit & r
            };
            let blocks = left_rows.chunks(ROWS_PER_TEST).zip(right_rows.chunks(ROWS_PER_TEST));
            for (block, (l, r)) in blocks.enumerate() {
                if l.iter().zip(r).fold(0, |all, rows| all | both(rows)) == 0 {
                    continue;
                }
                let found = l.iter().zip(r).map(both).enumerate().find(|&(_, both)| both != 0);
                let (row, bits) = found?;
                let x = word * COLUMNS + bits.trailing_zeros();
                return Some(Point::new(x as i32, from + (block * ROWS_PER_TEST + row) as i32));
            }
        }
    }
    None
}

/// Rows that are combined before each test.
const ROWS_PER_TEST: usize = 8;

/// Changes a mask by another one, which may be the same object.
fn edit(
    this: &Bound<'_, PygameMask>,
    other: &Bound<'_, PygameMask>,
    offset: &Bound<'_, PyAny>,
    operation: impl FnOnce(&mut Mask, &Mask, [i32; 2]),
) -> PyResult<()> {
    let offset = pair(offset, "offset")?;
    if this.is(other) {
        let copy = this.try_borrow()?.0.clone();
        operation(&mut this.try_borrow_mut()?.0, &copy, offset);
    } else {
        operation(&mut this.try_borrow_mut()?.0, &other.try_borrow()?.0, offset);
    }
    Ok(())
}

/// Returns a rect of a size at (0, 0): a copy of the last one of this size, because a copy takes less time.
fn rect_of(py: Python<'_>, [width, height]: [i32; 2]) -> PyResult<Bound<'_, PyAny>> {
    static LAST: Mutex<Option<([i32; 2], Py<PyAny>)>> = Mutex::new(None);
    // Another thread may have it; no call waits.
    let Ok(mut last) = LAST.try_lock() else { return rect_class(py)?.call1((0, 0, width, height)) };
    let rect = match &*last {
        Some((size, rect)) if *size == [width, height] => rect,
        _ => {
            let made = rect_class(py)?.call1((0, 0, width, height))?.unbind();
            &last.insert(([width, height], made)).1
        }
    };
    rect.bind(py).call_method0(intern!(py, "copy"))
}

/// Returns a mask of the pixels whose alpha is above a threshold, or that differ from the colour key.
#[pyfunction]
#[pyo3(signature = (surface, threshold=127))]
pub(crate) fn from_surface(surface: &Bound<'_, PyAny>, threshold: i32) -> PyResult<PygameMask> {
    surfaces::from_surface(surface, threshold).map(PygameMask)
}

/// Returns a mask of the pixels whose colour is nearer than a threshold to `color`, or to another surface.
#[pyfunction]
#[pyo3(signature = (surface, color, threshold=None, othersurface=None, palette_colors=1), text_signature = "(surface, color, threshold=(0, 0, 0, 255), othersurface=None, palette_colors=1)")]
pub(crate) fn from_threshold(
    surface: &Bound<'_, PyAny>,
    color: &Bound<'_, PyAny>,
    threshold: Option<&Bound<'_, PyAny>>,
    othersurface: Option<&Bound<'_, PyAny>>,
    palette_colors: i32,
) -> PyResult<PygameMask> {
    surfaces::from_threshold(surface, color, threshold, othersurface, palette_colors)
        .map(PygameMask)
}

#[pymethods]
impl PygameMask {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self(Mask::default())
    }

    #[pyo3(signature = (size, fill=None))]
    fn __init__(
        &mut self,
        size: &Bound<'_, PyAny>,
        fill: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let is_mask = |object: &Bound<'_, PyAny>| {
            !object.is_exact_instance_of::<PyTuple>()
                && (object.is_instance_of::<Self>()
                    || object.is_instance_of::<PyMask>()
                    || object.hasattr(intern!(object.py(), "overlap_area")).unwrap_or(false))
        };
        if fill.is_none() && is_mask(size) {
            self.0 = mask_of(size, &TexelRule::default())?;
            return Ok(());
        }
        let [width, height] = pair(size, "size")?;
        let fill = fill.map_or(Ok(false), |fill| fill.is_truthy())?;
        if width < 0 || height < 0 {
            return Err(PyValueError::new_err("cannot create mask with negative size"));
        }
        self.0 = Self::sized(width, height)?;
        if fill {
            self.0.fill();
        }
        Ok(())
    }

    /// Returns a copy as a `pygame.mask.Mask`.
    fn to_pygame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        surfaces::in_pygame(py, &self.0)
    }

    /// Returns a new copy of the mask, by `__copy__`.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0(intern!(slf.py(), "__copy__"))
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, copy) = (slf.py(), slf.try_borrow()?.clone());
        let class = slf.get_type();
        if class.is(py.get_type::<Self>()) {
            return Ok(Bound::new(py, copy)?.into_any());
        }
        // An instance of a subclass, without a call of its `__init__`.
        let made = class.call_method1(intern!(py, "__new__"), (&class,))?;
        made.cast::<Self>()?.try_borrow_mut()?.0 = copy.0;
        Ok(made)
    }

    /// Returns the size of the mask as (width, height).
    fn get_size(&self) -> (i32, i32) {
        self.size().into()
    }

    /// Returns a pygame.Rect of the mask's size at (0, 0). Keyword arguments set its attributes.
    #[pyo3(signature = (*args, **kwargs))]
    fn get_rect<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !args.is_empty() {
            return Err(PyTypeError::new_err("get_rect only supports keyword arguments"));
        }
        let [width, height] = self.size();
        let rect = rect_of(py, [width, height])?;
        for (name, value) in kwargs.into_iter().flatten() {
            rect.setattr(name.cast_into::<pyo3::types::PyString>()?, value)?;
        }
        Ok(rect)
    }

    /// Returns 1 if the bit at a position is set, or 0. Raises IndexError outside.
    fn get_at(&self, pos: &Bound<'_, PyAny>) -> PyResult<i32> {
        let [x, y] = self.inside(pair(pos, "pos")?)?;
        Ok(self.0.get(x, y).into())
    }

    /// Sets or clears the bit at a position. Raises IndexError outside.
    #[pyo3(signature = (pos, value=None), text_signature = "($self, pos, value=1)")]
    fn set_at(&mut self, pos: &Bound<'_, PyAny>, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let value = whole(value, 1)?;
        let [x, y] = self.inside(pair(pos, "pos")?)?;
        self.0.set(x, y, value != 0);
        Ok(())
    }

    /// Returns the first bit that both masks have, or None.
    fn overlap(
        &self,
        other: MaskArg<'_, Self>,
        offset: &Bound<'_, PyAny>,
    ) -> PyResult<Option<(i32, i32)>> {
        let offset = pair(offset, "offset")?;
        let found = self.first_overlap(&other.try_borrow()?.0, offset);
        Ok(found.map(|point| (point.x, point.y)))
    }

    /// Returns the number of bits that both masks have.
    fn overlap_area(&self, other: MaskArg<'_, Self>, offset: &Bound<'_, PyAny>) -> PyResult<u64> {
        let offset = pair(offset, "offset")?;
        Ok(self.0.overlap_area(&other.try_borrow()?.0, offset))
    }

    /// Returns a mask of the size of this one with the bits that both masks have.
    fn overlap_mask(&self, other: MaskArg<'_, Self>, offset: &Bound<'_, PyAny>) -> PyResult<Self> {
        let offset = pair(offset, "offset")?;
        Ok(Self(self.0.overlap_mask(&other.try_borrow()?.0, offset)))
    }

    /// Sets all bits.
    fn fill(&mut self) {
        self.0.fill();
    }

    /// Clears all bits.
    fn clear(&mut self) {
        self.0.clear();
    }

    /// Flips all bits.
    fn invert(&mut self) {
        self.0.invert();
    }

    /// Returns a mask of another size.
    fn scale(&self, scale: &Bound<'_, PyAny>) -> PyResult<Self> {
        let [width, height] = pair(scale, "scale")?;
        if width < 0 || height < 0 {
            return Err(PyValueError::new_err("cannot scale mask to negative size"));
        }
        let [w, h] = self.size();
        if w == 0 || h == 0 || width == 0 || height == 0 {
            return Self::sized(width, height).map(Self);
        }
        // Pixel x takes the column floor(x w / width).
        let of = |at: u32, side: i32, from: i32| {
            (i64::from(at) * i64::from(from) / i64::from(side)) as usize
        };
        let columns: Vec<usize> = (0..width as u32).map(|x| of(x, width, w)).collect();
        let strips = columns.len().div_ceil(64);
        // Each row of this mask as words of the scaled one.
        let mut words = vec![0; strips * h as usize];
        for (y, texels) in self.0.to_alpha().chunks_exact(w as usize).enumerate() {
            for (word, columns) in words[y * strips..].iter_mut().zip(columns.chunks(64)) {
                let mut flags = [0; 64];
                for (flag, &column) in flags.iter_mut().zip(columns) {
                    *flag = texels[column] & 1;
                }
                *word = surfaces::packed(&flags);
            }
        }
        let word = |strip: u32, y: u32| words[of(y, height, h) * strips + strip as usize];
        made(Mask::from_words(width as u32, height as u32, word)).map(Self)
    }

    /// Sets the bits of another mask.
    fn draw(
        slf: &Bound<'_, Self>,
        other: MaskArg<'_, Self>,
        offset: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        edit(slf, &other, offset, |mask, other, at| mask.draw(other, at))
    }

    /// Clears the bits of another mask.
    fn erase(
        slf: &Bound<'_, Self>,
        other: MaskArg<'_, Self>,
        offset: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        edit(slf, &other, offset, |mask, other, at| mask.erase(other, at))
    }

    /// Returns the number of set bits.
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Returns the centroid of the set bits, or (0, 0).
    fn centroid(&self) -> (i64, i64) {
        match self.moments() {
            [0, ..] => (0, 0),
            [count, x, y, ..] => (x / count, y / count),
        }
    }

    /// Returns the orientation of the set bits in degrees, from -90 to 90, or 0.
    fn angle(&self) -> f64 {
        let [count, x, y, xx, xy, yy] = self.moments();
        if count == 0 {
            return 0.0;
        }
        let (x, y) = (x / count, y / count);
        let cross = 2 * (xy / count - x * y);
        let along = (xx / count - x * x) - (yy / count - y * y);
        -90.0 * (cross as f64).atan2(along as f64) / std::f64::consts::PI
    }

    /// Returns every n-th point of the outline of the first component.
    #[pyo3(signature = (every=None), text_signature = "($self, every=1)")]
    fn outline(&self, every: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(i32, i32)>> {
        let every = usize::try_from(whole(every, 1)?).unwrap_or(0);
        let mut points: Vec<_> = Vec::new();
        self.0.outline().for_each(|point| points.push((point.x, point.y)));
        if every == 0 {
            points.truncate(1);
        } else if points.len() > 1 {
            // The first point, then every n-th of the rest, which ends with the first.
            points.push(points[0]);
            if every > 1 {
                let rest = points[1..].iter().skip(every - 1).step_by(every);
                points = std::iter::once(&points[0]).chain(rest).copied().collect();
            }
        }
        Ok(points)
    }

    /// Returns the convolution of this mask with another one, drawn onto `output` if it is given.
    #[pyo3(signature = (other, output=None, offset=None), text_signature = "($self, other, output=None, offset=(0, 0))")]
    fn convolve<'py>(
        slf: &Bound<'py, Self>,
        other: MaskArg<'py, Self>,
        output: Option<MaskArg<'py, Self>>,
        offset: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let offset = offset.map_or(Ok([0, 0]), |offset| pair(offset, "offset"))?;
        let (a, b) = (slf.try_borrow()?.clone(), other.try_borrow()?.clone());
        let sides = [0, 1].map(|axis| (a.size()[axis] + b.size()[axis] - 1).max(0));
        let output = match output {
            Some(output) => (*output).clone(),
            None => Bound::new(slf.py(), Self(Self::sized(sides[0], sides[1])?))?,
        };
        if a.size().into_iter().chain(b.size()).all(|side| side > 0) {
            let touching = made(a.0.convolve(&b.0))?;
            output.try_borrow_mut()?.0.draw(&touching, offset);
        }
        Ok(output)
    }

    /// Returns the largest connected component, or that which has the bit at a position, as a mask of the
    /// size of this one.
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, pos=...)")]
    fn connected_component(
        &self,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let named = kwargs.map_or(Ok(None), |kwargs| kwargs.get_item("pos"))?;
        let given = args.len() + kwargs.map_or(0, |kwargs| kwargs.len());
        let pos = match (given, named) {
            (0, _) => None,
            (1, Some(pos)) => Some(pos),
            (1, None) if args.len() == 1 => Some(args.get_item(0)?),
            _ => {
                return Err(PyTypeError::new_err(
                    "connected_component takes only the argument pos",
                ));
            }
        };
        let pos = pos.map(|pos| self.inside(pair(&pos, "pos")?)).transpose()?;
        let components = self.0.components(Connectivity::Eight);
        let found = match pos {
            Some(pos) => components.at(pos),
            None => {
                components.iter().fold(
                    None,
                    |best: Option<hitmask::Component<'_>>, next| match best {
                        Some(best) if best.area() >= next.area() => Some(best),
                        _ => Some(next),
                    },
                )
            }
        };
        let [width, height] = self.size();
        found.map_or_else(|| Ok(Self(Self::sized(width, height)?)), |found| self.component(&found))
    }

    /// Returns the connected components of at least `minimum` bits, as masks of the size of this one.
    #[pyo3(signature = (minimum=None), text_signature = "($self, minimum=0)")]
    fn connected_components(&self, minimum: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Self>> {
        let minimum = u64::try_from(whole(minimum, 0)?).unwrap_or(0);
        let components = self.0.components(Connectivity::Eight);
        let large = components.iter().filter(|found| found.area() >= minimum);
        large.map(|found| self.component(&found)).collect()
    }

    /// Returns the bounding rect of each connected component.
    fn get_bounding_rects<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = rect_class(py)?;
        let components = self.0.components(Connectivity::Eight);
        let rect = |found: hitmask::Component<'_>| {
            let rect = found.rect();
            class.call1((rect.x0, rect.y0, rect.width(), rect.height()))
        };
        components.iter().map(rect).collect()
    }

    /// Returns a surface with the mask drawn on it: see pygame.mask.Mask.to_surface.
    #[pyo3(signature = (surface=None, setsurface=None, unsetsurface=None, setcolor=Color::Default, unsetcolor=Color::Default, dest=None, area=None), text_signature = "($self, surface=None, setsurface=None, unsetsurface=None, setcolor=(255, 255, 255, 255), unsetcolor=(0, 0, 0, 255), dest=(0, 0), area=None)")]
    fn to_surface<'py>(
        &self,
        py: Python<'py>,
        surface: Option<&Bound<'py, PyAny>>,
        setsurface: Option<&Bound<'py, PyAny>>,
        unsetsurface: Option<&Bound<'py, PyAny>>,
        setcolor: Color<'py>,
        unsetcolor: Color<'py>,
        dest: Option<&Bound<'py, PyAny>>,
        area: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let drawing =
            Drawing { surface, setsurface, unsetsurface, setcolor, unsetcolor, dest, area };
        surfaces::to_surface(py, &self.0, drawing)
    }

    fn __repr__(&self) -> String {
        format!("<Mask({}x{})>", self.0.width(), self.0.height())
    }
}
