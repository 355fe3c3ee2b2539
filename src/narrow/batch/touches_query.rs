//! The query `Touches`: is a pixel set in both masks?
//!
//! Batches run it through `dispatch::probe_first`, single pairs through `one_pair.rs`.

use super::shifted_rows::{ShiftedRows, Strips, any_bit, union};
use super::strip_query::{Query, WalkPosition, query_strip};
use crate::geom::Point;
use crate::mask::WORD;
use fearless_simd::Simd;

/// Blocks of a long strip between two tests of the accumulated bits. Up to this many blocks are
/// read without a test, because the branch costs more than the blocks that it could save.
const TEST_EVERY: usize = 8;

/// The query whether a pixel is set in both masks. Batches run it with
/// [`probe_first`](super::dispatch::probe_first).
#[derive(Clone, Copy)]
pub(crate) struct Touches;

impl Query for Touches {
    type Found = bool;
    type Answer = bool;
    const NONE: bool = false;
    const UNROLLED: u32 = 8;
    const NEEDS_POSITION: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        _: WalkPosition,
        acc: bool,
    ) -> bool {
        acc || any_bit_in_strip(&window, blocks)
    }

    /// Walks from the middle strip to the last, then from the one before the middle to the first.
    /// Stops at the first strip with a pixel.
    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        at: WalkPosition,
    ) -> bool {
        let (n, middle) = (strips.len(), (strips.columns - 1) / (2 * WORD));
        let mut acc = false;
        for i in 0..n {
            let strip = if i < n - middle { middle + i } else { n - 1 - i };
            acc = query_strip(self, strips, strip, at, acc);
            if acc {
                break;
            }
        }
        acc
    }

    #[inline(always)]
    fn answer(self, found: bool, _: Point) -> bool {
        found
    }
}

/// Tests a strip of any number of blocks: from the middle to the end, then from the middle to the
/// start. Sprites are solid inside, so the middle is the likeliest to hit.
#[inline(always)]
fn any_bit_in_strip<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> bool {
    let middle = if blocks > TEST_EVERY { blocks / 2 } else { 0 };
    let mut start = middle;
    while start < blocks {
        let end = (start + TEST_EVERY).min(blocks);
        if any_bit(union(window, start, end)) {
            return true;
        }
        start = end;
    }
    let mut end = middle;
    while end > 0 {
        let start = end.saturating_sub(TEST_EVERY);
        if any_bit(union(window, start, end)) {
            return true;
        }
        end = start;
    }
    false
}
