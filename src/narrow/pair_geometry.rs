//! The intersection of the boxes of two masks, for code that handles one pair at a time.
//! `batch/pair_geometry.rs` derives the same for vectors of pairs.
//!
//! Called by `one_pair.rs`, `overlap_pixels.rs` and [`Mask::coarse`](crate::Mask::coarse).

use crate::geom::Point;
use crate::mask::MaskRef;
use std::hint::select_unpredictable;

/// The intersection of the boxes of a pair, and its position in both masks.
///
/// Rows are walked in the order in which the left mask stores them. If the left mask is flipped,
/// the walk goes upwards, as if both masks were flipped.
#[derive(Clone, Copy)]
pub(super) struct PairGeometry {
    /// The second mask is the left one.
    swap: bool,
    /// The column of the left mask that faces the first column of the right one.
    pub(super) dx: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// The first row of the walk in each mask, counted in the order of the walk.
    pub(super) left_row: u32,
    pub(super) right_row: u32,
    /// The rows of the right mask are stored against the order of the walk.
    pub(super) reversed: bool,
    /// The walk goes from the bottom of the overlap to its top.
    pub(super) upwards: bool,
    /// The top-left pixel of the overlap, in the pixels of the first mask.
    pub(super) corner: Point,
}

impl PairGeometry {
    /// Returns the geometry of `a`, at (0, 0), and `b`, at (`dx`, `dy`). Returns `None` if the
    /// boxes do not overlap.
    #[inline(always)]
    pub(super) fn new(a: &MaskRef<'_>, b: &MaskRef<'_>, dx: i32, dy: i32) -> Option<Self> {
        let (swap, y) = (dx < 0, dy);
        let (left, right) = order(swap, a, b);
        let across = dx.unsigned_abs();
        let dy = select_unpredictable(swap, dy.wrapping_neg(), dy);
        let (left_h, right_h) = (left.height() as i32, right.height() as i32);
        // Sides are below 2^15, so a pair that passes has an offset of that size, and 32 bits
        // suffice.
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

    /// Returns the left and the right of two values given for the first and the second mask.
    #[inline(always)]
    pub(super) fn order<M: Copy>(&self, a: M, b: M) -> (M, M) {
        order(self.swap, a, b)
    }
}

/// Swaps without a branch, because it is unpredictable which mask is left.
#[inline(always)]
fn order<M: Copy>(swap: bool, a: M, b: M) -> (M, M) {
    (select_unpredictable(swap, b, a), select_unpredictable(swap, a, b))
}
