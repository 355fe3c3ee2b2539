//! A question to a pair of masks, as the kernels ask it.

use super::shifted_rows::{ShiftedRows, Strips};
use crate::geom::Point;
use crate::mask::{BLOCK, WORD};
use fearless_simd::Simd;

/// Where the walk of a strip lies in the overlap of its pair.
#[derive(Clone, Copy)]
pub(crate) struct WalkPosition {
    /// Columns of the overlap to the left of the strip.
    pub(crate) column: u32,
    /// Rows of the overlap.
    pub(crate) rows: u32,
    /// True where the first row walked is the overlap's last.
    pub(crate) upwards: bool,
    /// Rows of the overlap before the first that is walked.
    pub(crate) before: u32,
}

impl WalkPosition {
    /// Converts a row as walked into a row of the overlap, counted from its top. Where `before` is 0 it
    /// converts back, too.
    #[inline(always)]
    pub(crate) const fn row(self, row: u32) -> u32 {
        let row = row.wrapping_add(self.before);
        if self.upwards { self.rows.wrapping_sub(1).wrapping_sub(row) } else { row }
    }
}

/// A question that is answered by walking the strips of a pair. Each method has a default that a query may
/// replace by something faster; only [`strip`](Self::strip) and [`answer`](Self::answer) are required.
pub(crate) trait Query: Copy {
    /// What a walk gathers.
    type Found: Copy;
    /// What is known before the first strip.
    const NONE: Self::Found;
    /// What the caller gets.
    type Answer;

    /// Kernels for one strip of up to this many blocks are unrolled, a copy for each number: 0, 4 or 8. Where
    /// a block takes long, that gains nothing.
    const UNROLLED: u32 = 0;
    /// Blocks without a pixel may be skipped.
    const SKIPS_EMPTY_BLOCKS: bool = true;
    /// The walk or the answer reads where the overlap lies: [`WalkPosition`], or its corner.
    const NEEDS_POSITION: bool = true;

    /// Returns what is known after a strip of `blocks` blocks, given what was `known` before.
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        known: Self::Found,
    ) -> Self::Found;

    /// Returns what is known of a pair of one strip.
    #[inline(always)]
    fn single_strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
    ) -> Self::Found {
        self.strip(window, blocks, at, Self::NONE)
    }

    /// Returns what is known of a pair after all its strips.
    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        at: WalkPosition,
    ) -> Self::Found {
        let mut known = Self::NONE;
        for strip in 0..strips.len() {
            known = query_strip(self, strips, strip, at, known);
        }
        known
    }

    /// Returns the answer for a pair whose overlap has its top-left corner at `corner`, in the first mask's
    /// pixels.
    fn answer(self, found: Self::Found, corner: Point) -> Self::Answer;
}

/// Returns what `query` knows after strip `strip` of a pair.
#[inline(always)]
pub(crate) fn query_strip<S: Simd, Q: Query, const REVERSED: bool>(
    query: Q,
    strips: Strips<'_, S, REVERSED>,
    strip: u32,
    at: WalkPosition,
    known: Q::Found,
) -> Q::Found {
    let (from, to) = strips.range(strip);
    if from >= to {
        return known;
    }
    let (blocks, before) = ((to - from) as usize, from * BLOCK);
    let at = WalkPosition { column: strip * WORD, before, ..at };
    if strips.is_far(strip) {
        query.strip(strips.window::<true>(strip, (from, to)), blocks, at, known)
    } else {
        query.strip(strips.window::<false>(strip, (from, to)), blocks, at, known)
    }
}
