//! Row-runs of set pixels, and rectangles made of them.
//!
//! Invariants: runs are maximal, ascending and not empty.

use super::{Mask, MaskRef, WORD};
use crate::geom::Rect;

/// The runs of set pixels of a row, from the left: first column, and one past the last.
#[derive(Clone)]
pub(crate) struct Runs<'a> {
    mask: MaskRef<'a>,
    row: u32,
    strip: u32,
    /// Bits of the current strip that are not consumed yet.
    word: u64,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the set pixels as disjoint rectangles. Runs that repeat from row to row form one
    /// rectangle, so walls and tiles give few; there are never more than runs. Rectangles are
    /// sorted by top row, then from the left. Each is convex, for engines that need convex pieces.
    #[must_use]
    pub fn rects(&self) -> Vec<Rect> {
        fn of(mask: MaskRef<'_>) -> Vec<Rect> {
            let mut rects: Vec<Rect> = Vec::new();
            // Indices of rectangles that end at the row above and at this row, by column.
            let (mut open, mut next): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
            for y in 0..mask.height() {
                let mut above = open.iter().copied().peekable();
                for (x0, x1) in mask.runs(y) {
                    let (x0, x1) = (x0 as i32, x1 as i32);
                    while above.peek().is_some_and(|&r| rects[r].x0 < x0) {
                        above.next();
                    }
                    let grows =
                        above.peek().copied().filter(|&r| (rects[r].x0, rects[r].x1) == (x0, x1));
                    let rect = grows.unwrap_or_else(|| {
                        rects.push(Rect::new(x0, y as i32, x1, y as i32));
                        rects.len() - 1
                    });
                    rects[rect].y1 += 1;
                    next.push(rect);
                }
                std::mem::swap(&mut open, &mut next);
                next.clear();
            }
            rects
        }
        of(self.as_ref())
    }
}

impl<'a> MaskRef<'a> {
    pub(crate) fn runs(self, y: u32) -> Runs<'a> {
        let word = if self.strips() > 0 { self.word(0, y) } else { 0 };
        Runs { mask: self, row: y, strip: 0, word }
    }
}

impl Iterator for Runs<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        while self.word == 0 {
            self.strip += 1;
            if self.strip >= self.mask.strips() {
                return None;
            }
            self.word = self.mask.word(self.strip, self.row);
        }
        let start = self.word.trailing_zeros();
        let from = self.strip * WORD + start;
        let mut length = (self.word >> start).trailing_ones();
        let mut end = start + length;
        // A run continues into the next strip while strips are full.
        while end == WORD && self.strip + 1 < self.mask.strips() {
            self.strip += 1;
            self.word = self.mask.word(self.strip, self.row);
            end = self.word.trailing_ones();
            length += end;
        }
        self.word &= if end == WORD { 0 } else { u64::MAX << end };
        Some((from, from + length))
    }
}
