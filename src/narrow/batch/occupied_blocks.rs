//! The blocks of a strip that may hold pixels of both masks, from the occupied row ranges stored
//! with each mask.
//!
//! Called for tall pairs by `shifted_rows.rs` and `tall_pairs.rs`.
//!
//! ```text
//! left   = occupied rows of left's strip, and of its next one if the strip extends into it
//! right  = occupied rows of right's strip, counted from the bottom if they run backwards
//! blocks = the blocks of the overlap that intersect both ranges
//! ```
//!
//! Ends are rounded to whole blocks of the overlap, so loads keep their alignment. Rows beyond the
//! overlap are cut off with the blocks, or are zero on one side.

use crate::mask::{BLOCK, LOOK, Pool, TOGETHER, WORD};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x8, u32x8};

/// Blocks of a tall pair that are tested at once.
pub(crate) const WALK_BLOCKS: u32 = 4;

/// The occupied rows of a pair. `REVERSED` if the rows of right run backwards.
#[derive(Clone, Copy)]
pub(crate) struct OccupiedRows<'p, const REVERSED: bool> {
    pub(crate) pool: Pool<'p>,
    /// The first words of the masks.
    pub(crate) left: u32,
    pub(crate) right: u32,
    /// Strips of left before the overlap.
    pub(crate) across: u32,
    pub(crate) shift: u32,
    pub(crate) blocks: u32,
    /// The row of left at which the walk starts.
    pub(crate) left_row: i32,
    /// The row of right at which the walk starts. If its rows run backwards: the row below that
    /// one.
    pub(crate) right_row: i32,
}

impl<const REVERSED: bool> OccupiedRows<'_, REVERSED> {
    /// Returns the first block and the end block that both masks may occupy in strip `strip`; empty
    /// unless the second is greater. `far` if the strip extends into the next one of left.
    #[inline(always)]
    pub(crate) fn strip(&self, strip: u32, far: bool) -> (u32, u32) {
        let rows = |range: u32| ((range & 0xffff) as i32, (range >> 16) as i32);
        let left = self.pool.ranges(self.left, self.across + strip);
        let (near, next) = (rows(left[0]), rows(left[usize::from(far)]));
        let (first, end) = (near.0.min(next.0) - self.left_row, near.1.max(next.1) - self.left_row);
        let (above, below) = rows(self.pool.ranges(self.right, strip)[0]);
        let (other, other_end) = if REVERSED {
            (self.right_row - below, self.right_row - above)
        } else {
            (above - self.right_row, below - self.right_row)
        };
        let from = first.max(other).max(0) as u32 / BLOCK;
        let to = (end.min(other_end).max(0) as u32).div_ceil(BLOCK);
        (from, to.min(self.blocks))
    }

    /// Returns the same for eight strips from `strip` on, of which `columns` columns overlap. The
    /// mask has one bit for each strip with blocks. Each range has the first block in its low half
    /// and the end block in its high half.
    #[inline(always)]
    pub(crate) fn eight_strips<S: Simd>(
        &self,
        simd: S,
        strip: u32,
        columns: u32,
    ) -> (u32, [u32; TOGETHER]) {
        const STARTS: [i32; TOGETHER] = [0, 64, 128, 192, 256, 320, 384, 448];
        let rows = |ranges: u32x8<S>| -> (i32x8<S>, i32x8<S>) {
            ((ranges & 0xffff).bitcast(), (ranges >> 16).bitcast())
        };
        let number = |n: i32| i32x8::splat(simd, n);
        let starts = i32x8::load_array(simd, STARTS);
        let left: &[u32; LOOK] = self.pool.ranges(self.left, self.across + strip);
        let near = u32x8::from_slice(simd, &left[..TOGETHER]);
        let next = u32x8::from_slice(simd, &left[1..]);
        // Strips that start before this column extend into the next one.
        let reach = (columns + self.shift).wrapping_sub(WORD);
        let reach = reach & u32::from(self.shift != 0).wrapping_neg();
        let next = starts.simd_lt(number(reach as i32)).select(next, near);
        let (near, next) = (rows(near), rows(next));
        let left_row = number(self.left_row);
        let (first, end) = (near.0.min(next.0) - left_row, near.1.max(next.1) - left_row);
        let right: &[u32; LOOK] = self.pool.ranges(self.right, strip);
        let (above, below) = rows(u32x8::from_slice(simd, &right[..TOGETHER]));
        let right_row = number(self.right_row);
        let (other, other_end) = if REVERSED {
            (right_row - below, right_row - above)
        } else {
            (above - right_row, below - right_row)
        };
        let from = first.max(other).max(number(0)) >> BLOCK.ilog2();
        let to = (end.min(other_end) + number(BLOCK as i32 - 1)) >> BLOCK.ilog2();
        let to = to.min(number(self.blocks as i32));
        let non_empty = from.simd_lt(to) & starts.simd_lt(number(columns as i32));
        let ranges: u32x8<S> = (from | to << 16).bitcast();
        (non_empty.to_bitmask() as u32, ranges.into())
    }
}
