//! The borrowed mask: the type that every query and kernel takes.
//!
//! Returned by atlas lookups and by `Mask::as_ref`.
//!
//! Invariants: the strips, their guards and the lead lie inside the pool. Padding bits are zero,
//! except in a damaged atlas.

use super::{LEAD, Mask, WORD, inside, stride_of, strips_of, words_of};
use crate::geom::{Point, Rect};
use std::fmt;

/// Rows that `has_any` combines before each test.
const ROWS_PER_TEST: usize = 32;

/// A borrowed mask: one mask of an atlas, or an owned [`Mask`].
///
/// A copy copies no pixels. [`flip_y`](Self::flip_y) is free: rows are read upwards.
///
/// ```
/// use hitmask::{Mask, MaskRef};
/// let mask: Mask = "#.\n##".parse()?;
/// let view: MaskRef<'_> = mask.as_ref().flip_y();
/// assert_eq!(view.to_string(), "##\n#.\n");
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy)]
pub struct MaskRef<'a> {
    pool: &'a [u64],
    base: u32,
    stride: u32,
    width: u32,
    height: u32,
    flipped: bool,
    /// The coarse levels of the mask are stored before it.
    has_levels: bool,
}

impl<'a> MaskRef<'a> {
    /// Returns the mask of 0 x 0 pixels.
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

    /// Returns this mask, with its levels if its pool has them. The levels must lie before the mask,
    /// inside the pool.
    pub(crate) const fn with_levels(self, has_levels: bool) -> Self {
        Self { has_levels, ..self }
    }

    /// Returns a copy made field by field. A single wide load right after the narrow stores of the
    /// fields would defeat store forwarding.
    #[inline(always)]
    pub(crate) const fn copied(self) -> Self {
        let Self { pool, base, stride, width, height, flipped, has_levels } = self;
        Self { pool, base, stride, width, height, flipped, has_levels }
    }

    /// Returns a number that tells masks of one pool apart: place and orientation.
    pub(crate) const fn place_key(self) -> u32 {
        self.base | self.flipped as u32
    }

    /// Returns the pool, and the first word in it, of a mask with levels; `None` for other masks.
    pub(super) const fn place_with_levels(self) -> Option<(&'a [u64], u32)> {
        if self.has_levels { Some((self.pool, self.base)) } else { None }
    }

    /// Returns the width in pixels.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Returns the box of the whole mask with its top-left corner at `at`. Edges saturate at the
    /// limits of `i32`.
    pub(crate) fn rect_at(self, at: Point) -> Rect {
        let end = at + Point::new(self.width as i32, self.height as i32);
        Rect::new(at.x, at.y, end.x, end.y)
    }

    /// Returns this mask flipped top to bottom: pixel (x, y) becomes (x, h - 1 - y). Free.
    #[must_use]
    pub const fn flip_y(self) -> Self {
        Self { flipped: !self.flipped, ..self }
    }

    /// Returns the pixel (x, y); false outside.
    #[must_use]
    pub fn get(self, x: i32, y: i32) -> bool {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return false };
        x < self.width && y < self.height && self.word(x / WORD, y) >> (x % WORD) & 1 == 1
    }

    /// Returns the number of set pixels.
    #[must_use]
    pub fn count(self) -> u64 {
        (0..self.strips()).flat_map(|s| self.rows(s)).map(|w| u64::from(w.count_ones())).sum()
    }

    /// Returns the tight box of the set pixels; `None` where there are none.
    #[must_use]
    pub fn bounds(self) -> Option<Rect> {
        let mut tight: Option<Rect> = None;
        for s in 0..self.strips() {
            let columns = self.rows(s).iter().fold(0, |all, row| all | row);
            if columns == 0 {
                continue;
            }
            let first = (0..self.height).find(|&y| self.word(s, y) != 0).unwrap_or(0) as i32;
            let last = (0..self.height).rfind(|&y| self.word(s, y) != 0).unwrap_or(0) as i32;
            let left = (s * WORD + columns.trailing_zeros()) as i32;
            let right = (s * WORD + WORD - columns.leading_zeros()) as i32;
            tight = Some(match tight {
                None => Rect::new(left, first, right, last + 1),
                Some(t) => Rect::new(t.x0, t.y0.min(first), right, t.y1.max(last + 1)),
            });
        }
        tight
    }

    /// Returns a copy cropped to the tight box, and the position of that box's corner. A mask
    /// without a set pixel becomes 0 x 0 at (0, 0).
    #[must_use]
    pub fn trimmed(self) -> (Mask, Point) {
        let tight = self.bounds().unwrap_or_default();
        (self.cut(tight), Point::new(tight.x0, tight.y0))
    }

    /// Tests whether a pixel is set in columns x0..x1 and rows y0..y1. Both ranges may extend
    /// beyond the mask.
    pub(crate) fn has_any(self, [x0, x1]: [i64; 2], [y0, y1]: [i64; 2]) -> bool {
        let cut = |v: i64, size: u32| v.clamp(0, size.into()) as u32;
        let (x0, x1) = (cut(x0, self.width), cut(x1, self.width));
        let (y0, y1) = (cut(y0, self.height), cut(y1, self.height));
        if x0 >= x1 || y0 >= y1 {
            return false;
        }
        let (from, to) = if self.flipped { (self.height - y1, self.height - y0) } else { (y0, y1) };
        (x0 / WORD..strips_of(x1)).any(|s| {
            let columns = inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
            let rows = &self.rows(s)[from as usize..to as usize];
            // Several rows per test avoid a branch per row.
            rows.chunks(ROWS_PER_TEST)
                .any(|rows| rows.iter().fold(0, |all, row| all | row) & columns != 0)
        })
    }

    /// Tests whether row `y` has a set pixel in columns x0..x1. `y` must be inside; the columns may
    /// extend beyond the mask.
    #[inline]
    pub(crate) fn has_any_in_row(self, [x0, x1]: [i64; 2], y: u32) -> bool {
        let end = i64::from(self.width);
        let (x0, x1) = (x0.clamp(0, end) as u32, x1.clamp(0, end) as u32);
        if x0 >= x1 {
            return false;
        }
        (x0 / WORD..strips_of(x1)).any(|s| {
            let from = u64::MAX << x0.saturating_sub(s * WORD);
            self.word(s, y) & from & inside(x1, s) != 0
        })
    }

    /// Returns the number of consecutive set pixels after `from`, not counting `from` itself, at
    /// most `most`. `step` is one pixel along one axis.
    pub(crate) fn set_beyond(self, from: Point, step: Point, most: u32) -> u32 {
        let (Ok(x), Ok(y)) = (u32::try_from(from.x), u32::try_from(from.y)) else { return 0 };
        if x >= self.width || y >= self.height {
            return 0;
        }
        let (mut strip, mut bit) = (x / WORD, x % WORD);
        if step.x == 0 {
            let rows = self.rows(strip);
            let row = if self.flipped { self.height - 1 - y } else { y } as usize;
            let is_set = |word: &&u64| **word >> bit & 1 == 1;
            let most = most as usize;
            return if (step.y > 0) == self.flipped {
                rows[..row].iter().rev().take(most).take_while(is_set).count() as u32
            } else {
                rows[row + 1..].iter().take(most).take_while(is_set).count() as u32
            };
        }
        // Counts from the pixel itself, strip by strip while strips are full.
        let mut found = 0;
        loop {
            let word = self.word(strip, y);
            let (ones, all) = if step.x > 0 {
                ((word >> bit).trailing_ones(), WORD - bit)
            } else {
                ((word << (WORD - 1 - bit)).leading_ones(), bit + 1)
            };
            found += ones;
            let next = if step.x > 0 { Some(strip + 1) } else { strip.checked_sub(1) };
            match next.filter(|&next| ones >= all && found <= most && next < self.strips()) {
                Some(next) => (strip, bit) = (next, if step.x > 0 { 0 } else { WORD - 1 }),
                None => return found.saturating_sub(1).min(most),
            }
        }
    }

    /// Returns the identity of the memory that this mask reads.
    #[must_use]
    pub fn key(self) -> MaskKey {
        let Self { pool, base, width, height, flipped, .. } = self;
        let address = pool.as_ptr().addr() + size_of::<u64>() * base as usize;
        MaskKey { address, width, height, flipped }
    }

    /// Returns an owned copy.
    #[must_use]
    pub fn to_mask(self) -> Mask {
        Mask::filled_by(self.width, self.height, |s, y| self.word(s, y))
    }

    /// Returns the first `width` columns. The mask must have no set pixel past them.
    pub(super) const fn left(self, width: u32) -> Self {
        Self { width, has_levels: false, ..self }
    }

    /// Returns the number of strips.
    pub(crate) const fn strips(self) -> u32 {
        if self.height == 0 { 0 } else { strips_of(self.width) }
    }

    /// Returns the number of words from one strip to the next.
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
    pub(crate) fn word(self, s: u32, y: u32) -> u64 {
        let y = if self.flipped { self.height - 1 - y } else { y };
        self.pool[(self.base + s * self.stride + y) as usize]
    }
}

/// The identity of the memory that a [`MaskRef`] reads, for maps of results by mask. While the
/// owner of the masks lives, masks of equal keys have equal pixels. Poses of an atlas that share a
/// mask have equal keys; equal pixels elsewhere have other keys. [`MaskRef::key`] returns it.
///
/// ```
/// use hitmask::Mask;
/// let (mask, copy): (Mask, Mask) = ("#.\n##".parse()?, "#.\n##".parse()?);
/// assert_eq!(mask.as_ref().key(), mask.as_ref().key());
/// assert_ne!(mask.as_ref().key(), copy.as_ref().key());
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaskKey {
    address: usize,
    width: u32,
    height: u32,
    flipped: bool,
}

/// Masks are equal if their sizes and their pixels are equal.
impl PartialEq for MaskRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.width == other.width
            && self.height == other.height
            && (0..self.strips())
                .all(|s| (0..self.height).all(|y| self.word(s, y) == other.word(s, y)))
    }
}

impl Eq for MaskRef<'_> {}

impl Mask {
    /// Borrows this mask, as queries take it.
    #[must_use]
    pub fn as_ref(&self) -> MaskRef<'_> {
        let (width, height) = (self.width(), self.height());
        MaskRef::in_pool(self.pool(), LEAD, stride_of(height), width, height)
    }
}

impl<'a> From<&'a Mask> for MaskRef<'a> {
    fn from(mask: &'a Mask) -> Self {
        mask.as_ref()
    }
}

impl fmt::Debug for MaskRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MaskRef {} x {}\n{self}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_beyond_and_has_any_match_a_test_of_every_pixel() {
        let mut mask = Mask::new(200, 9).unwrap();
        mask.fill_rect(Rect::new(3, 2, 190, 7), true);
        mask.set(70, 4, false);
        mask.set(131, 5, false);
        for view in [mask.as_ref(), mask.as_ref().flip_y()] {
            let places = (0..200).step_by(3).flat_map(|x| (0..9).map(move |y| Point::new(x, y)));
            for from in places.filter(|p| view.get(p.x, p.y)) {
                for step in [[1, 0], [-1, 0], [0, 1], [0, -1]].map(Point::from) {
                    let set = |i: &i32| view.get(from.x + step.x * i, from.y + step.y * i);
                    let truth = (1..).take_while(set).count() as u32;
                    assert_eq!(view.set_beyond(from, step, 999), truth, "{from:?} {step:?}");
                    assert_eq!(view.set_beyond(from, step, 2), truth.min(2));
                }
            }
            for (x0, y0) in [(-5, -5), (0, 0), (60, 1), (64, 4), (128, 5), (188, 6)] {
                for (x1, y1) in [(1, 1), (65, 3), (71, 5), (132, 6), (999, 999)] {
                    let any = (x0..x1.min(200)).any(|x| (y0..y1.min(9)).any(|y| view.get(x, y)));
                    let [x, y] = [[x0, x1], [y0, y1]].map(|span| span.map(i64::from));
                    assert_eq!(view.has_any(x, y), any, "{x0} {y0} {x1} {y1}");
                }
            }
        }
    }
}
