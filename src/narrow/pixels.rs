//! The pixels of an overlap, one word after the other: for answers that are many, or asked once.

use super::overlap::Overlap;
use crate::geom::Point;
use crate::mask::{MaskRef, WORD};

/// The pixels set in both of two masks, in the first one's pixels, row by row from the top, each
/// row from the left. Made by [`MaskRef::overlap_pixels`].
#[derive(Clone)]
pub struct Pixels<'a> {
    /// Nothing where the boxes do not overlap.
    overlap: Option<Overlap<'a>>,
    row: u32,
    /// The strip whose pixels come next, and those of it that are left.
    strip: u32,
    word: u64,
}

impl<'a> Pixels<'a> {
    pub(crate) fn new(a: MaskRef<'a>, b: MaskRef<'a>, offset: Point) -> Self {
        let overlap = Overlap::new(a, b, offset);
        let word = overlap.as_ref().map_or(0, |overlap| overlap.word(0, 0));
        Self { overlap, row: 0, strip: 0, word }
    }
}

impl Iterator for Pixels<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let overlap = self.overlap.as_ref()?;
        while self.word == 0 {
            self.strip += 1;
            if self.strip == overlap.strips() {
                (self.strip, self.row) = (0, self.row + 1);
            }
            if self.row == overlap.rows {
                self.overlap = None;
                return None;
            }
            self.word = overlap.word(self.strip, self.row);
        }
        let column = self.strip * WORD + self.word.trailing_zeros();
        self.word &= self.word - 1;
        let Point { x, y } = overlap.corner;
        Some(Point::new(x + column as i32, y + self.row as i32))
    }
}

impl std::fmt::Debug for Pixels<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pixels").field("row", &self.row).finish_non_exhaustive()
    }
}
