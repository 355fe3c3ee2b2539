//! The pixels of an overlap, as an iterator and as a mask.
//!
//! Called by the methods of [`MaskRef`]. The iterator computes one word of the overlap at a time
//! with scalar code; the mask is drawn with vector instructions.

use super::single_pair::PairGeometry;
use crate::geom::Point;
use crate::mask::{Mask, MaskRef, WORD, shifted, strips_of};
use crate::simd::vectorized;

/// An iterator over the pixels set in both of two masks, in the coordinates of the first mask. Rows
/// go from top to bottom, and each row from left to right. Made by [`Overlap::pixels`](super::Overlap::pixels).
#[derive(Clone)]
pub(crate) struct OverlapPixels<'a> {
    left: MaskRef<'a>,
    right: MaskRef<'a>,
    /// `None` if the boxes do not overlap, and after the last pixel.
    overlap: Option<PairGeometry>,
    row: u32,
    /// The current strip, and the pixels of its current row that are not yet returned.
    strip: u32,
    word: u64,
}

impl<'a> OverlapPixels<'a> {
    pub(super) fn new(a: MaskRef<'a>, b: MaskRef<'a>, offset: Point) -> Self {
        let overlap = PairGeometry::new(&a, &b, offset.x, offset.y);
        let (left, right) = overlap.map_or((a, b), |overlap| overlap.order(a, b));
        let mut pixels = Self { left, right, overlap, row: 0, strip: 0, word: 0 };
        pixels.word = overlap.map_or(0, |overlap| pixels.overlap_word(&overlap));
        pixels
    }

    /// Returns the pixels set in both masks in the current strip and row of the overlap.
    fn overlap_word(&self, overlap: &PairGeometry) -> u64 {
        let walk_row = if overlap.upwards { overlap.rows - 1 - self.row } else { self.row };
        let (strip, shift) = (overlap.dx / WORD + self.strip, overlap.dx % WORD);
        let left = |s: u32| {
            let (pool, start) = self.left.strip(s);
            pool[start + (overlap.left_row + walk_row) as usize]
        };
        let far = if strip + 1 < self.left.strips() { left(strip + 1) } else { 0 };
        let (pool, start) = self.right.strip(self.strip);
        let row = overlap.right_row + walk_row;
        let row = if overlap.reversed { self.right.height() - 1 - row } else { row };
        shifted(left(strip), far, shift) & pool[start + row as usize]
    }
}

impl Iterator for OverlapPixels<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let overlap = self.overlap.as_ref()?;
        while self.word == 0 {
            self.strip += 1;
            if self.strip == strips_of(overlap.columns) {
                (self.strip, self.row) = (0, self.row + 1);
            }
            if self.row == overlap.rows {
                self.overlap = None;
                return None;
            }
            self.word = self.overlap_word(overlap);
        }
        let column = self.strip * WORD + self.word.trailing_zeros();
        self.word &= self.word - 1;
        let Point { x, y } = overlap.corner;
        Some(Point::new(x + column as i32, y + self.row as i32))
    }
}

/// Returns the pixels set in both `a`, at (0, 0), and `b`, at `offset`, as a mask of the size of
/// `a`.
pub(super) fn overlap_mask(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Mask {
    let mut both = Mask::clear_of(a.width(), a.height());
    vectorized(
        #[inline(always)]
        || both.draw_overlap(a, b, offset),
    );
    both
}
