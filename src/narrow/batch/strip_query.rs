//! The trait of a query on a pair of masks, as the kernels run it.
//!
//! Implemented by `Touches` and `Area`, for batches and single pairs, and by `FirstPoint` and
//! `WholeContact`, for single pairs.

use super::shifted_rows::{ShiftedRows, Strips};
use crate::geom::Point;
use crate::mask::{BLOCK, WORD};
use fearless_simd::Simd;

/// The position of the walk of a strip in the overlap of its pair. Batches leave it at 0, because
/// their queries do not read it.
#[derive(Clone, Copy, Default)]
pub(crate) struct WalkPosition {
    /// Columns of the overlap to the left of the strip.
    pub(crate) column: u32,
    pub(crate) rows: u32,
    /// The first row of the walk is the last row of the overlap.
    pub(crate) upwards: bool,
    /// Rows of the overlap before the first row of the walk.
    pub(crate) before: u32,
}

impl WalkPosition {
    /// Converts a row in walk order into one from the top; without `before`, also back.
    #[inline(always)]
    pub(crate) const fn row(self, row: u32) -> u32 {
        let row = row.wrapping_add(self.before);
        if self.upwards { self.rows.wrapping_sub(1).wrapping_sub(row) } else { row }
    }
}

/// A query that walks the strips of a pair. Only [`strip`](Self::strip) and
/// [`answer`](Self::answer) are required. A query may replace the other methods by faster ones.
pub(crate) trait Query: Copy {
    /// The accumulator of a walk.
    type Found: Copy;
    /// The accumulator before the first strip.
    const NONE: Self::Found;
    /// The answer that the caller gets.
    type Answer;

    /// Kernels for single-strip jobs of up to this many blocks are unrolled, one copy per number:
    /// 0, 4 or 8. Unrolling gains nothing if a block takes long.
    const UNROLLED: u32 = 0;

    /// Returns the accumulator after a strip of `blocks` blocks, given that before it.
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: Self::Found,
    ) -> Self::Found;

    /// Returns the accumulator of a pair of one strip.
    #[inline(always)]
    fn single_strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
    ) -> Self::Found {
        self.strip(window, blocks, at, Self::NONE)
    }

    /// Returns the accumulator of a pair after all its strips.
    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        at: WalkPosition,
    ) -> Self::Found {
        let mut acc = Self::NONE;
        for strip in 0..strips.len() {
            acc = query_strip(self, strips, strip, at, acc);
        }
        acc
    }

    /// Returns the answer of a pair whose overlap has its top-left pixel at `corner`.
    fn answer(self, found: Self::Found, corner: Point) -> Self::Answer;
}

/// Runs `query` on strip `strip` of a pair, and returns the accumulator.
#[inline(always)]
pub(crate) fn query_strip<S: Simd, Q: Query, const REVERSED: bool>(
    query: Q,
    strips: Strips<'_, S, REVERSED>,
    strip: u32,
    at: WalkPosition,
    acc: Q::Found,
) -> Q::Found {
    let (from, to) = strips.range(strip);
    if from >= to {
        return acc;
    }
    let (blocks, before) = ((to - from) as usize, from * BLOCK);
    let at = WalkPosition { column: strip * WORD, before, ..at };
    if strips.is_far(strip) {
        query.strip(strips.window::<true>(strip, (from, to)), blocks, at, acc)
    } else {
        query.strip(strips.window::<false>(strip, (from, to)), blocks, at, acc)
    }
}
