//! Where the boxes of two masks overlap, for code that answers for one pair at a time. Batches derive
//! the same for 8 pairs at once.

use crate::geom::Point;
use crate::mask::MaskRef;
use std::hint::select_unpredictable;

/// The overlap of the boxes of a pair, and where it lies in both masks.
///
/// Rows are walked in the order in which the left mask stores them. If the left mask is upside down,
/// the walk goes up, as if both masks were turned over.
#[derive(Clone, Copy)]
pub(super) struct PairGeometry {
    /// The second mask is the left one.
    swap: bool,
    /// Column of the left mask that the right one's first column meets.
    pub(super) dx: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// Row of each mask that the walk starts with, both counted in the order of the walk.
    pub(super) left_row: u32,
    pub(super) right_row: u32,
    /// The right mask's rows are stored against the order of the walk.
    pub(super) reversed: bool,
    /// The walk goes from the bottom of the overlap to its top.
    pub(super) upwards: bool,
    /// Top-left pixel of the overlap, in the first mask's pixels.
    pub(super) corner: Point,
}

impl PairGeometry {
    /// Returns the geometry of `a`, at (0, 0), and `b`, at (`dx`, `dy`); `None` where the boxes do not
    /// overlap.
    #[inline(always)]
    pub(super) fn new(a: &MaskRef<'_>, b: &MaskRef<'_>, dx: i32, dy: i32) -> Option<Self> {
        let (swap, y) = (dx < 0, dy);
        let (left, right) = order(swap, a, b);
        let across = dx.unsigned_abs();
        let dy = select_unpredictable(swap, dy.wrapping_neg(), dy);
        let (left_h, right_h) = (left.height() as i32, right.height() as i32);
        // Sides are below 2^15: a pair that passes has offsets as small, and 32 bits suffice for it.
        let meet = (across < left.width()) & (right.width() != 0) & (left_h != 0) & (right_h != 0);
        if !(meet & (dy < left_h) & (dy > -right_h)) {
            return None;
        }
        let upwards = left.is_flipped();
        let down = if upwards { left_h - right_h - dy } else { dy };
        let (left_row, right_row) = (down.max(0) as u32, (-down).max(0) as u32);
        Some(Self {
            swap,
            dx: across,
            columns: (left.width() - across).min(right.width()),
            rows: (left.height() - left_row).min(right.height() - right_row),
            left_row,
            right_row,
            reversed: upwards != right.is_flipped(),
            upwards,
            corner: Point::new(dx.max(0), y.max(0)),
        })
    }

    /// Returns the left mask and the right one of the first and the second.
    #[inline(always)]
    pub(super) fn order<M: Copy>(&self, a: M, b: M) -> (M, M) {
        order(self.swap, a, b)
    }
}

/// Swaps without a branch, because which mask is left is as good as random.
#[inline(always)]
fn order<M: Copy>(swap: bool, a: M, b: M) -> (M, M) {
    (select_unpredictable(swap, b, a), select_unpredictable(swap, a, b))
}
