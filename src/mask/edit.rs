//! Edits of a mask's pixels: fill, invert, draw, erase, toggle, intersect and crop.
//!
//! All edits work on words of 64 pixels. The `combine` edits use `blit` to align the source words.
//!
//! Invariant: bits beyond the width stay zero.

use super::blit::Overlay;
use super::{Mask, MaskError, MaskRef, WORD, inside, strips_of};
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
    ///
    /// ```
    /// use hitmask::{Mask, Rect};
    /// let mut mask = Mask::new(4, 2)?;
    /// mask.fill_rect(Rect::new(1, 0, 9, 9), true);
    /// assert_eq!(mask.to_string(), ".###\n.###\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
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
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    pub fn draw<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word | other);
    }

    /// Clears the pixels that are set in `other`, placed at `offset`: a crater in terrain, a bite
    /// out of a shield.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let mut wall: Mask = "####\n####".parse()?;
    /// wall.erase(&"##".parse::<Mask>()?, [1, 0]);
    /// assert_eq!(wall.to_string(), "#..#\n####\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    pub fn erase<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word & !other);
    }

    /// Inverts the pixels that are set in `other`, placed at `offset`.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let mut mask: Mask = "##..".parse()?;
    /// mask.toggle(&"##".parse::<Mask>()?, [1, 0]);
    /// assert_eq!(mask.to_string(), "#.#.\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    pub fn toggle<'a>(&mut self, other: impl Into<MaskRef<'a>>, offset: impl Into<[i32; 2]>) {
        self.combine(other.into(), Point::from(offset.into()), |word, other| word ^ other);
    }

    /// Clears the pixels that are not set in `other`, placed at `offset`, including all pixels
    /// outside the box of `other`.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let mut mask: Mask = "###.".parse()?;
    /// mask.intersect(&"##".parse::<Mask>()?, [2, 0]);
    /// assert_eq!(mask.to_string(), "..#.\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
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

    /// Sets the pixels that are set both in `a`, which has this mask's size, and in `b`, placed at
    /// `offset`. This mask must be clear.
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
    /// [`MaskError::TooLarge`] where a side of `area` exceeds [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn cropped(&self, area: Rect) -> Result<Mask, MaskError> {
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
