use crate::geom::Point;
use crate::mask::{MaskRef, WORD, shifted, strips_of};
use std::hint::select_unpredictable;

/// The part of two masks where their boxes overlap, left and right sorted out.
///
/// Columns: the right mask's column 0 meets the left one's column `dx`. Rows: walked in the
/// order the left mask stores them.
#[derive(Clone)]
pub(crate) struct Overlap<'p> {
    left: MaskRef<'p>,
    right: MaskRef<'p>,
    dx: u32,
    columns: u32,
    pub(crate) rows: u32,
    /// Stored row of each mask that the walk starts with.
    left_row: u32,
    right_row: u32,
    /// The right mask's rows are walked backwards.
    pub(crate) reversed: bool,
    /// The walk goes from the bottom of the overlap to its top.
    pub(crate) upwards: bool,
    /// Top-left pixel of the overlap, in the first mask's pixels.
    pub(crate) corner: Point,
}

impl<'p> Overlap<'p> {
    /// The overlap of the boxes of `a`, at (0, 0), and `b`, at `offset`.
    #[inline]
    pub(crate) fn new(a: MaskRef<'p>, b: MaskRef<'p>, offset: Point) -> Option<Self> {
        let Point { x: dx, y: dy } = offset;
        let [aw, ah, bw, bh] = [a.width(), a.height(), b.width(), b.height()].map(|v| v as i32);
        // Sides are below 2^15: sums that wrap are those of offsets that do not pass.
        let (x, right) = (dx.max(0), aw.min(dx.wrapping_add(bw)));
        let (y, bottom) = (dy.max(0), ah.min(dy.wrapping_add(bh)));
        if !((dx < aw) & (dx > -bw) & (x < right) & (dy < ah) & (dy > -bh) & (y < bottom)) {
            return None;
        }
        let (columns, rows) = ((right - x) as u32, (bottom - y) as u32);
        // The overlap's top row, in each mask.
        let (a_row, b_row) = (y as u32, (y - dy) as u32);
        // Which of them is left is as good as random.
        let swap = dx < 0;
        let (left, right) =
            (*select_unpredictable(swap, &b, &a), *select_unpredictable(swap, &a, &b));
        let (left_row, right_row) =
            (select_unpredictable(swap, b_row, a_row), select_unpredictable(swap, a_row, b_row));
        let upwards = left.is_flipped();
        let reversed = left.is_flipped() != right.is_flipped();
        // Stored row of the first row walked: the overlap's bottom row where the walk goes up.
        let stored = |mask: MaskRef<'_>, top: u32| {
            let row = if upwards { top + rows - 1 } else { top };
            if mask.is_flipped() { mask.height() - 1 - row } else { row }
        };
        Some(Self {
            left,
            right,
            dx: offset.x.unsigned_abs(),
            columns,
            rows,
            left_row: stored(left, left_row),
            right_row: stored(right, right_row),
            reversed,
            upwards,
            corner: Point::new(x, y),
        })
    }

    /// The pixels set in both in strip `j` of the overlap's row `row`, counted from its top.
    pub(crate) fn word(&self, j: u32, row: u32) -> u64 {
        let walked = if self.upwards { self.rows - 1 - row } else { row };
        let (strip, shift) = (self.dx / WORD + j, self.dx % WORD);
        let left = |s: u32| {
            let (pool, start) = self.left.strip(s);
            pool[start + (self.left_row + walked) as usize]
        };
        let far = if strip + 1 < self.left.strips() { left(strip + 1) } else { 0 };
        let (pool, start) = self.right.strip(j);
        let right_row =
            if self.reversed { self.right_row - walked } else { self.right_row + walked };
        shifted(left(strip), far, shift) & pool[start + right_row as usize]
    }

    /// Number of strips of the right mask that take part.
    pub(crate) const fn strips(&self) -> u32 {
        strips_of(self.columns)
    }
}
