//! What is asked of each pair: one strip at a time, its findings joined.

use super::geometry::Geometry;
use super::window::Window;
use fearless_simd::Simd;

/// A question that is answered by looking at the strips of a pair one after the other.
pub(crate) trait Query {
    /// What is known of a pair.
    type Found: Copy;
    /// What the caller gets.
    type Answer;
    /// What is known before the first strip.
    const NONE: Self::Found;
    /// The answer may be known before the last strip, and from one block in the middle: such a
    /// block is looked at first.
    const PROBE: bool = false;
    /// [`Place`] is needed.
    const PLACE: bool = false;

    /// Kernels for up to 8 blocks are unrolled. Where a block takes long it gains nothing, and makes
    /// eight times the code.
    const UNROLLED: bool = true;

    /// Whether the answer is known. Asked only of a query that probes.
    #[inline(always)]
    fn is_settled(_found: Self::Found) -> bool {
        false
    }

    /// What one strip of `blocks` blocks adds.
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> Self::Found;

    fn join(a: Self::Found, b: Self::Found) -> Self::Found;

    /// The answer for pair `i`.
    fn answer(self, found: Self::Found, geometry: &Geometry, i: usize) -> Self::Answer;
}

/// Where the walk of a strip lies in its overlap.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Columns of the overlap to the left of the strip.
    pub(crate) column: u32,
    /// Rows of the overlap.
    pub(crate) rows: u32,
    /// The first row walked is the overlap's last.
    pub(crate) upwards: bool,
}

impl Place {
    /// The row, from the overlap's top, that is walked as number `row`.
    #[inline(always)]
    pub(crate) const fn row(self, row: u32) -> u32 {
        if self.upwards { self.rows.wrapping_sub(1).wrapping_sub(row) } else { row }
    }
}
