//! Edits of a mask's pixels: fill, invert, draw, erase, toggle, intersect and crop; and the union of
//! several placed masks.
//!
//! All edits work on words of 64 pixels. An [`Overlay`] aligns the source words with the target.
//!
//! Invariants: bits beyond the width stay zero. The strips and rows of an overlay are inside the
//! target.

use super::{Mask, MaskRef, WORD, inside, shifted, strips_of};
use crate::error::CallError;
use crate::geom::{Point, Rect};
use std::ops::Range;

impl Mask {
    /// Sets every pixel.
    pub fn fill(&mut self) {
        self.each_word(|_| u64::MAX);
    }

    /// Clears every pixel.
    pub fn clear(&mut self) {
        self.each_word(|_| 0);
    }

    /// Inverts every pixel.
    pub fn invert(&mut self) {
        self.each_word(|word| !word);
    }

    fn each_word(&mut self, word: impl Fn(u64) -> u64) {
        let width = self.width();
        for s in 0..self.as_ref().strips() {
            let keep = inside(width, s);
            for row in self.rows_mut(s) {
                *row = word(*row) & keep;
            }
        }
    }

    /// Sets or clears the pixels of `area`. The part of `area` outside the mask is ignored.
    pub fn fill_rect(&mut self, area: Rect, solid: bool) {
        let Some(area) = area.intersection(self.as_ref().rect_at(Point::default())) else { return };
        let (x0, x1) = (area.x0 as u32, area.x1 as u32);
        for s in x0 / WORD..strips_of(x1) {
            let bits = inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
            for row in &mut self.rows_mut(s)[area.y0 as usize..area.y1 as usize] {
                *row = if solid { *row | bits } else { *row & !bits };
            }
        }
    }

    /// Sets the pixels that are set in `other`, placed at `offset`. The part of `other` outside
    /// this mask is ignored.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let mut wall: Mask = "....\n....".parse()?;
    /// wall.draw(&"##".parse::<Mask>()?, [-1, 1]);
    /// assert_eq!(wall.to_string(), "....\n#...\n");
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    pub fn draw<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word | other);
    }

    /// Clears the pixels that are set in `other`, placed at `offset`: a crater in terrain, a bite
    /// out of a shield.
    pub fn erase<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word & !other);
    }

    /// Inverts the pixels that are set in `other`, placed at `offset`.
    pub fn toggle<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word ^ other);
    }

    /// Clears the pixels that are not set in `other`, placed at `offset`, including all pixels
    /// outside the box of `other`.
    pub fn intersect<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        let Some(overlay) =
            Overlay::new(other.into(), Point::from(offset.into()), self.width(), self.height())
        else {
            return self.clear();
        };
        for s in 0..self.as_ref().strips() {
            let rows = self.rows_mut(s);
            if overlay.strips.contains(&s) {
                rows[..overlay.rows.start].fill(0);
                rows[overlay.rows.end..].fill(0);
                overlay
                    .blend(s, rows[overlay.rows.clone()].iter_mut(), |word, other| *word &= other);
            } else {
                rows.fill(0);
            }
        }
    }

    #[inline(always)]
    fn combine(&mut self, other: MaskRef<'_>, offset: Point, op: impl Fn(u64, u64) -> u64) {
        let (width, height) = (self.width(), self.height());
        let Some(overlay) = Overlay::new(other, offset, width, height) else { return };
        for s in overlay.strips.clone() {
            let keep = inside(width, s);
            let rows = &mut self.rows_mut(s)[overlay.rows.clone()];
            overlay.blend(s, rows.iter_mut(), |word, other| *word = op(*word, other & keep));
        }
    }

    /// Sets, in a clear mask, the pixels that are set both in `a` and in `b` at `offset`.
    #[inline(always)]
    pub(crate) fn draw_overlap(&mut self, a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) {
        let (width, height) = (self.width(), self.height());
        let Some(overlay) = Overlay::new(b, offset, width, height) else { return };
        let Range { start, end } = overlay.rows.clone();
        for s in overlay.strips.clone() {
            let target = self.rows_mut(s)[start..end].iter_mut();
            let set = |(word, own): (&mut u64, &u64), other| *word = own & other;
            if a.is_flipped() {
                let own = &a.rows(s)[height as usize - end..height as usize - start];
                overlay.blend(s, target.zip(own.iter().rev()), set);
            } else {
                overlay.blend(s, target.zip(&a.rows(s)[start..end]), set);
            }
        }
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns a copy of the pixels of `area`. Pixels of `area` outside the mask are clear.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] where a side of `area` exceeds [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn cropped(&self, area: Rect) -> Result<Mask, CallError> {
        Mask::check_size(area.width(), area.height())?;
        Ok(self.as_ref().cut(area))
    }
}

impl MaskRef<'_> {
    /// As [`cropped`](Self::cropped), for an area whose sides are within the limit.
    pub(crate) fn cut(self, area: Rect) -> Mask {
        let mut cut = Mask::clear_of(area.width(), area.height());
        // A corner of `i32::MIN` has no negative, and such an area is far from every pixel.
        let corner = [area.x0, area.y0].map(|v| v.checked_neg());
        if let [Some(x), Some(y)] = corner {
            cut.draw(self, [x, y]);
        }
        cut
    }
}

impl Mask {
    /// Returns one mask with the pixels of all `parts`, each at its position, and the position of
    /// its top-left pixel. The mask covers the box around the parts' boxes. Parts with a side of 0
    /// are ignored; without any other part the union is 0 x 0 at (0, 0).
    ///
    /// With all frames or poses of a swing as parts, the union covers the whole swing, so that a
    /// skipped frame cannot miss.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let blade: Mask = "##".parse()?;
    /// let parts = [(&blade, [3, 0]), (&blade, [4, 1]), (&blade, [4, 2])];
    /// let (motion_frame, at) = Mask::union(parts)?;
    /// assert_eq!(motion_frame.to_string(), "##.\n.##\n.##\n");
    /// assert_eq!(at, Point::new(3, 0));
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::TooLarge`] where the box has a side above [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn union<'a, M: Into<MaskRef<'a>>, P: Into<[i32; 2]>>(
        parts: impl IntoIterator<Item = (M, P)>,
    ) -> Result<(Self, Point), CallError> {
        let parts: Vec<(MaskRef<'a>, Point)> = parts
            .into_iter()
            .map(|(mask, at)| (mask.into(), Point::from(at.into())))
            .filter(|(mask, _)| mask.width() > 0 && mask.height() > 0)
            .collect();
        let corner = |axis: fn(Point) -> i32| parts.iter().map(|&(_, at)| axis(at)).min();
        let (Some(x0), Some(y0)) = (corner(|at| at.x), corner(|at| at.y)) else {
            return Ok((Self::clear_of(0, 0), Point::default()));
        };
        // In i64, because parts may be at both ends of the range.
        let from = |start: i32, at: i32| i64::from(at) - i64::from(start);
        let side = |end: fn(&MaskRef<'a>) -> u32, start: i32, axis: fn(Point) -> i32| {
            let ends = parts.iter().map(|(mask, at)| from(start, axis(*at)) + i64::from(end(mask)));
            ends.max().and_then(|side| u32::try_from(side).ok()).unwrap_or(u32::MAX)
        };
        let width = side(MaskRef::width, x0, |at| at.x);
        let height = side(MaskRef::height, y0, |at| at.y);
        let mut union = Self::new(width, height)?;
        for &(mask, at) in &parts {
            // Within the sides, which `Self::new` has checked.
            union.draw(mask, [from(x0, at.x) as i32, from(y0, at.y) as i32]);
        }
        Ok((union, Point::new(x0, y0)))
    }
}

/// The part of a target mask that a source mask covers at an offset.
pub(super) struct Overlay<'a> {
    source: MaskRef<'a>,
    /// The source column above the target's column 0, which may be negative.
    column: i32,
    /// The strips of the target that the source covers.
    pub(super) strips: Range<u32>,
    /// The rows of the target that the source covers.
    pub(super) rows: Range<usize>,
    /// The stored source row of the first of `rows`, or of the last in a flipped source.
    stored: usize,
}

impl<'a> Overlay<'a> {
    /// Aligns `source` at `offset` with a target; `None` if the boxes do not overlap.
    pub(super) fn new(source: MaskRef<'a>, offset: Point, width: u32, height: u32) -> Option<Self> {
        let span = |source: u32, target: u32, at: i32| {
            let start = i64::from(at).max(0);
            let end = (i64::from(at) + i64::from(source)).min(i64::from(target));
            (start < end).then_some((start as u32, end as u32))
        };
        let (x0, x1) = span(source.width(), width, offset.x)?;
        let (y0, y1) = span(source.height(), height, offset.y)?;
        let first = (i64::from(y0) - i64::from(offset.y)) as usize;
        let rows = (y1 - y0) as usize;
        let stored =
            if source.is_flipped() { source.height() as usize - first - rows } else { first };
        Some(Self {
            source,
            // The boxes overlap, so the size is at most that of a frame: 2^16.
            column: -offset.x,
            strips: x0 / WORD..strips_of(x1),
            rows: y0 as usize..y1 as usize,
            stored,
        })
    }

    /// Calls `set` with each item of `target`, the rows `self.rows` of the target's strip `s`, and
    /// the source word that covers it. Source bits may fall on the target's padding.
    #[inline(always)]
    pub(super) fn blend<T>(&self, s: u32, target: impl Iterator<Item = T>, set: impl Fn(T, u64)) {
        let column = self.column + (s * WORD) as i32;
        let (strip, shift) = (column >> WORD.ilog2(), column as u32 % WORD);
        // A strip beside the source counts as clear. Its words are read from the first strip and
        // masked out, so that one loop serves all cases and vectorizes.
        let rows = |strip: i32| {
            let is_there = (0 <= strip) & (strip < self.source.strips() as i32);
            let (pool, start) = self.source.strip(if is_there { strip as u32 } else { 0 });
            let rows = &pool[start + self.stored..][..self.rows.len()];
            (rows, u64::from(is_there).wrapping_neg())
        };
        let ((near, keep_near), (far, keep_far)) = (rows(strip), rows(strip + 1));
        let window = |near: u64, far: u64| shifted(near & keep_near, far & keep_far, shift);
        let parts = near.iter().zip(far);
        if self.source.is_flipped() {
            target.zip(parts.rev()).for_each(|(word, (&near, &far))| set(word, window(near, far)));
        } else {
            target.zip(parts).for_each(|(word, (&near, &far))| set(word, window(near, far)));
        }
    }
}
