//! The mask: an owned or borrowed bit set of pixels.
//!
//! The baker, run-time masks and game code build a [`Mask`]; atlas lookups return a [`MaskRef`], which every
//! kernel takes. Other files of this module add editing, shapes and text.
//!
//! Invariants: the strips, their guards and the lead lie inside the pool, in the layout that `mask`
//! describes. Guards and bits beyond the width are zero, except in a damaged atlas. An owned mask
//! fills its pool, is not flipped and has no levels.
//!
//! A method for all pools passes a [`MaskRef`] to an inner function `of`, where it has a loop. That
//! function is compiled once, here, and not in the calling crate.

use super::{
    LEAD, MAX_FRAME_SIDE, MAX_SIDE, WORD, inside, shifted, stride_of, strips_of, words_of,
};
use crate::error::CallError;
use crate::geom::{Point, Rect};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A mask: one bit per pixel. `Mask` owns its pixels; [`MaskRef`] borrows them, as from an atlas. Both
/// answer the same questions.
///
/// Parses from text, `#` for a set pixel and `.` for a clear one, and prints the same form. Masks are
/// equal if their sizes and their pixels are equal.
///
/// ```
/// use hitmask::Mask;
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// assert_eq!(arrow.count(), 4);
/// assert_eq!(arrow.flip_y().to_string(), ".###\n..#.\n");
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Mask<P: AsRef<[u64]> = Vec<u64>> {
    pool: P,
    /// The first word of the first strip.
    base: u32,
    /// Words from one strip to the next.
    stride: u32,
    width: u32,
    height: u32,
    /// Rows are read upwards.
    flipped: bool,
    /// The coarse levels of the mask are stored before it.
    has_levels: bool,
}

/// A borrowed [`Mask`]: one mask of an atlas, or an owned mask. Arguments of type
/// `impl Into<MaskRef>` take a `&Mask` or a `MaskRef`.
///
/// A copy copies no pixels. `flip_y` is free: rows are read upwards.
///
/// ```
/// use hitmask::{Mask, MaskRef};
/// let mask: Mask = "#.\n##".parse()?;
/// let view: MaskRef<'_> = mask.as_ref().flip_y();
/// assert_eq!(view.to_string(), "##\n#.\n");
/// # Ok::<(), hitmask::CallError>(())
/// ```
pub type MaskRef<'a> = Mask<&'a [u64]>;

impl Default for Mask {
    fn default() -> Self {
        Self::clear_of(0, 0)
    }
}

impl Mask {
    /// Returns a clear mask of `width` x `height` pixels. A side may be 0.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] if a side exceeds [`MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        Ok(Self::clear_of(width, height))
    }

    /// Returns a mask of `width` x `height` pixels, all set: a box as a mask.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] if a side exceeds [`MAX_SIDE`].
    pub fn solid(width: u32, height: u32) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        Ok(Self::full(width, height))
    }

    /// Refuses sides that exceed [`MAX_SIDE`].
    pub(super) const fn check_size(width: u32, height: u32) -> Result<(), CallError> {
        CallError::check_size([width as u64, height as u64], MAX_SIDE)
    }

    /// Returns the mask of an image of up to [`MAX_FRAME_SIDE`] a side. The caller trims a mask above
    /// [`MAX_SIDE`] before it returns the mask to user code.
    pub(crate) fn from_texels(
        width: u32,
        height: u32,
        bytes: &[u8],
        texel: usize,
        is_solid: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, CallError> {
        CallError::check_size([width.into(), height.into()], MAX_FRAME_SIDE)?;
        let expected = width as usize * height as usize * texel;
        if bytes.len() != expected {
            return Err(CallError::WrongLength { expected, got: bytes.len() });
        }
        let mut mask = Self::clear_of(width, height);
        if expected == 0 {
            return Ok(mask);
        }
        for (y, row) in bytes.chunks_exact(width as usize * texel).enumerate() {
            for (s, texels) in row.chunks(WORD as usize * texel).enumerate() {
                let bits = texels.chunks_exact(texel).enumerate();
                mask.pool[LEAD as usize + s * stride_of(height) as usize + y] =
                    bits.fold(0, |word, (x, t)| word | u64::from(is_solid(t)) << x);
            }
        }
        Ok(mask)
    }

    pub(crate) fn full(width: u32, height: u32) -> Self {
        Self::filled_by(width, height, |_, _| u64::MAX)
    }

    /// Returns a mask whose word of strip s and row y is `word(s, y)`. Sides must be within
    /// [`MAX_SIDE`]; bits past the width are cleared.
    pub(crate) fn filled_by(width: u32, height: u32, word: impl Fn(u32, u32) -> u64) -> Self {
        let mut pool = zeros(width, height);
        let stride = stride_of(height);
        for s in 0..strips_of(width) {
            let keep = inside(width, s);
            let start = (LEAD + s * stride) as usize;
            for (y, row) in pool.iter_mut().skip(start).take(height as usize).enumerate() {
                *row = word(s, y as u32) & keep;
            }
        }
        Self::owned(pool, width, height)
    }

    /// Returns a clear mask. Sides must be within [`MAX_SIDE`], or the caller crops the mask to
    /// that before it returns the mask to user code.
    pub(crate) fn clear_of(width: u32, height: u32) -> Self {
        Self::owned(zeros(width, height), width, height)
    }

    const fn owned(pool: Vec<u64>, width: u32, height: u32) -> Self {
        let stride = stride_of(height);
        Self { pool, base: LEAD, stride, width, height, flipped: false, has_levels: false }
    }

    /// Returns the rows of strip `s`, without guards. The caller must keep padding bits zero.
    pub(super) fn rows_mut(&mut self, s: u32) -> &mut [u64] {
        let start = (LEAD + s * stride_of(self.height)) as usize;
        &mut self.pool[start..start + self.height as usize]
    }

    /// Returns the words of the strips, guards included.
    pub(super) fn strips_mut(&mut self) -> &mut [u64] {
        &mut self.pool[LEAD as usize..]
    }

    /// Sets or clears the pixel (x, y).
    ///
    /// # Panics
    /// Panics if (x, y) is outside the mask.
    pub fn set(&mut self, x: i32, y: i32, solid: bool) {
        let (column, row) = (x as u32, y as u32);
        assert!(
            column < self.width && row < self.height,
            "pixel ({x}, {y}) is outside a mask of {} x {} px",
            self.width,
            self.height
        );
        let at = (LEAD + column / WORD * stride_of(self.height) + row) as usize;
        let bit = 1 << (column % WORD);
        self.pool[at] = if solid { self.pool[at] | bit } else { self.pool[at] & !bit };
    }

    /// Returns a copy mirrored top to bottom: pixel (x, y) becomes (x, h - 1 - y).
    #[must_use]
    pub fn flip_y(&self) -> Self {
        self.as_ref().flip_y().to_mask()
    }
}

fn zeros(width: u32, height: u32) -> Vec<u64> {
    let words = (LEAD + words_of(width, height)) as usize;
    if words > MAX_PLAIN_WORDS {
        return vec![0; words];
    }
    let mut pool = Vec::with_capacity(words);
    // Block by block: the compiler would turn `resize` into the same zeroed allocation as `vec!`.
    while pool.len() < words {
        pool.extend_from_slice(&[0; LEAD as usize]);
    }
    pool
}

/// Up to this many words, memory is allocated uninitialized and zeroed here. Some allocators cache
/// small blocks, but not for zeroed allocations, which take 3x as long.
const MAX_PLAIN_WORDS: usize = 128;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Borrows this mask, as queries take it.
    #[must_use]
    #[inline(always)]
    pub fn as_ref(&self) -> MaskRef<'_> {
        // Field by field: a single wide load right after narrow stores of the fields would defeat
        // store forwarding.
        let &Self { ref pool, base, stride, width, height, flipped, has_levels } = self;
        Mask { pool: pool.as_ref(), base, stride, width, height, flipped, has_levels }
    }

    /// Returns an owned copy.
    #[must_use]
    pub fn to_mask(&self) -> Mask {
        fn of(mask: MaskRef<'_>) -> Mask {
            Mask::filled_by(mask.width, mask.height, |s, y| mask.word(s, y))
        }
        of(self.as_ref())
    }

    /// Returns the width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the pixel (x, y); false outside.
    #[must_use]
    pub fn get(&self, x: i32, y: i32) -> bool {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return false };
        x < self.width && y < self.height && self.as_ref().word(x / WORD, y) >> (x % WORD) & 1 == 1
    }

    /// Returns the number of set pixels.
    #[must_use]
    pub fn count(&self) -> u64 {
        fn of(mask: MaskRef<'_>) -> u64 {
            (0..mask.strips()).flat_map(|s| mask.rows(s)).map(|w| u64::from(w.count_ones())).sum()
        }
        of(self.as_ref())
    }

    /// Returns a copy cropped to the tight box, and the position of that box's corner. A mask
    /// without a set pixel becomes 0 x 0 at (0, 0).
    #[must_use]
    pub fn trimmed(&self) -> (Mask, Point) {
        let tight = self.bounds().unwrap_or_default();
        (self.as_ref().cut(tight), Point::new(tight.x0, tight.y0))
    }

    /// Returns a copy mirrored left to right: pixel (x, y) becomes (w - 1 - x, y).
    #[must_use]
    pub fn flip_x(&self) -> Mask {
        fn of(view: MaskRef<'_>) -> Mask {
            let last = view.strips().saturating_sub(1);
            // Reversed words have the padding of the last strip in front; the shift removes it.
            let pad = (WORD - view.width % WORD) % WORD;
            Mask::filled_by(view.width, view.height, |s, y| {
                let high = view.word(last - s, y).reverse_bits();
                let low = if s < last { view.word(last - s - 1, y).reverse_bits() } else { 0 };
                shifted(high, low, pad)
            })
        }
        of(self.as_ref())
    }

    /// Returns the identity of the memory that this mask reads.
    #[must_use]
    pub fn key(&self) -> MaskKey {
        let Mask { pool, base, width, height, flipped, .. } = self.as_ref();
        let address = pool.as_ptr().addr() + size_of::<u64>() * base as usize;
        MaskKey { address, width, height, flipped }
    }
}

impl<'a> MaskRef<'a> {
    pub(crate) const fn empty() -> Self {
        Self {
            pool: &[],
            base: 0,
            stride: 0,
            width: 0,
            height: 0,
            flipped: false,
            has_levels: false,
        }
    }

    /// Returns a mask in `pool` whose first strip starts at word `base`. The caller must have
    /// checked that strips, guards and lead are inside the pool and that padding is zero.
    pub(crate) fn in_pool(
        pool: &'a [u64],
        base: u32,
        stride: u32,
        width: u32,
        height: u32,
    ) -> Self {
        debug_assert!(width == 0 || base as usize + words_of(width, height) as usize <= pool.len());
        Self { pool, base, stride, width, height, flipped: false, has_levels: false }
    }

    /// Returns this mask with levels, which lie before the mask, inside the pool.
    pub(crate) const fn with_levels(self, has_levels: bool) -> Self {
        Self { has_levels, ..self }
    }

    /// Returns a number that tells masks of one pool apart: place and orientation.
    pub(crate) const fn place_key(self) -> u32 {
        self.base | self.flipped as u32
    }

    /// Returns the pool, and the first word in it, of a mask with levels; `None` for other masks.
    pub(super) const fn place_with_levels(self) -> Option<(&'a [u64], u32)> {
        if self.has_levels { Some((self.pool, self.base)) } else { None }
    }

    /// Returns the box of the mask with its corner at `at`, saturated.
    pub(crate) fn rect_at(self, at: Point) -> Rect {
        let end = at + Point::new(self.width as i32, self.height as i32);
        Rect::new(at.x, at.y, end.x, end.y)
    }

    /// Returns this mask flipped top to bottom: pixel (x, y) becomes (x, h - 1 - y). Free.
    #[must_use]
    pub const fn flip_y(self) -> Self {
        Self { flipped: !self.flipped, ..self }
    }

    /// Returns the first `width` columns. The mask must have no set pixel past them.
    pub(super) const fn left(self, width: u32) -> Self {
        Self { width, has_levels: false, ..self }
    }

    pub(crate) const fn strips(self) -> u32 {
        if self.height == 0 { 0 } else { strips_of(self.width) }
    }

    pub(crate) const fn stride(self) -> usize {
        self.stride as usize
    }

    /// Tests whether rows are read upwards.
    pub(crate) const fn is_flipped(self) -> bool {
        self.flipped
    }

    /// Returns the pool and the start of strip `s` in it; rows are in stored order.
    pub(crate) const fn strip(self, s: u32) -> (&'a [u64], usize) {
        (self.pool, (self.base + s * self.stride) as usize)
    }

    /// Returns the words of all strips with their guards, in stored order.
    pub(super) fn stored_words(self) -> &'a [u64] {
        let words = words_of(self.width, self.height) as usize;
        &self.pool[self.base as usize..][..words]
    }

    /// Returns the rows of strip `s` in stored order, without guards.
    pub(crate) fn rows(self, s: u32) -> &'a [u64] {
        let start = self.strip(s).1;
        &self.pool[start..start + self.height as usize]
    }

    /// Returns the word of strip `s` and row `y`, both inside.
    #[inline]
    pub(crate) fn word(self, s: u32, y: u32) -> u64 {
        let y = if self.flipped { self.height - 1 - y } else { y };
        self.pool[(self.base + s * self.stride + y) as usize]
    }
}

/// The identity of the memory that a [`MaskRef`] reads, for maps of results by mask. While the
/// owner of the masks lives, masks of equal keys have equal pixels. Poses of an atlas that share a
/// mask have equal keys; equal pixels elsewhere have other keys. [`Mask::key`] returns it.
///
/// ```
/// use hitmask::Mask;
/// let (mask, copy): (Mask, Mask) = ("#.\n##".parse()?, "#.\n##".parse()?);
/// assert_eq!(mask.as_ref().key(), mask.as_ref().key());
/// assert_ne!(mask.as_ref().key(), copy.as_ref().key());
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaskKey {
    address: usize,
    width: u32,
    height: u32,
    flipped: bool,
}

impl<P: AsRef<[u64]>> PartialEq for Mask<P> {
    fn eq(&self, other: &Self) -> bool {
        fn of(a: MaskRef<'_>, b: MaskRef<'_>) -> bool {
            a.width == b.width
                && a.height == b.height
                && (0..a.strips()).all(|s| (0..a.height).all(|y| a.word(s, y) == b.word(s, y)))
        }
        of(self.as_ref(), other.as_ref())
    }
}

impl<P: AsRef<[u64]>> Eq for Mask<P> {}

impl<P: AsRef<[u64]>> Hash for Mask<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mask = self.as_ref();
        (mask.width, mask.height).hash(state);
        for s in 0..mask.strips() {
            (0..mask.height).for_each(|y| mask.word(s, y).hash(state));
        }
    }
}

impl<'a> From<&'a Mask> for MaskRef<'a> {
    fn from(mask: &'a Mask) -> Self {
        mask.as_ref()
    }
}

/// Longer side of the masks that `Debug` prints as a whole.
const WHOLE_PX: u32 = 64;

/// Prints the size and the rows. A mask with a side above 64 px prints the number of its set pixels. Of its
/// rows it prints 16, with 64 px each.
impl<P: AsRef<[u64]>> fmt::Debug for Mask<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = [self.width, self.height];
        if width.max(height) <= WHOLE_PX {
            return write!(f, "Mask {width} x {height}\n{self}");
        }
        let mask = self.as_ref();
        let Some(bounds) = mask.bounds() else {
            return writeln!(f, "Mask {width} x {height}, no pixel set");
        };
        let (x0, y0) = (bounds.x0, bounds.y0);
        let (x1, y1) = (bounds.x1.min(x0 + WHOLE_PX as i32), bounds.y1.min(y0 + 16));
        let area = mask.count();
        writeln!(f, "Mask {width} x {height}, {area} px set; from ({x0}, {y0}):")?;
        for y in y0..y1 {
            let row = (x0..x1).map(|x| if mask.get(x, y) { '#' } else { '.' });
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}
