//! Walks over the strips of tall pairs, a few blocks at a time.
//!
//! ```text
//! for each pair: find the blocks of eight strips that both masks may have
//! until nothing is left: of each pair that is not settled the next four blocks
//! ```
//!
//! 1. Strips without such blocks cost nothing, not even a branch. They are what misses mostly have.
//! 2. All pairs take the same code, whatever their strips have: where one strip ends and the next begins
//!    is reckoned without a branch.

use super::CHUNK;
use super::geometry::Geometry;
use super::stage::Stage;
use super::window::{Job, STEP};
use crate::mask::{BLOCK, Pool, TOGETHER, WORD};
use bytemuck::Zeroable;
use fearless_simd::Simd;

/// Pairs that are walked together: enough that the ends of loops are seldom, few enough for the nearest
/// cache.
pub(crate) const SOME: usize = 64;

/// How far a pair has come, and all that it takes to go on, side by side: of a pair that is asked
/// again and again, an array for each field would be as many cache lines.
#[derive(Clone, Copy, Zeroable)]
pub(crate) struct Walk {
    pub(crate) pair: u16,
    /// One bit for each strip that is not done, from the middle one on; those before it come last.
    strips: u32,
    /// The strip which the first bit means.
    middle: u32,
    /// The block at which the first strip goes on, unless its blocks start later.
    block: u32,
    /// The blocks of each strip: where they start in the low half, where they end in the high one.
    ranges: [u32; TOGETHER],
    /// Its first strip, all blocks of it.
    near: u32,
    right: u32,
    shift: u32,
    left_stride: u32,
    right_stride: u32,
    /// Columns of the overlap that these strips and those after them have.
    columns: u32,
    blocks: u32,
}

impl Walk {
    /// Strips `start` of pair `pair`, whose present strip is the middle one, and the seven after it.
    #[inline(always)]
    pub(crate) fn new<S: Simd, const REVERSED: bool>(
        simd: S,
        (stage, geometry): (&Stage, &Geometry),
        pool: Pool<'_>,
        pair: u16,
        start: u32,
    ) -> Self {
        let i = pair as usize % CHUNK;
        let (near, right) = geometry.first_strip(i);
        let (left_stride, right_stride) = (geometry.left_stride.0[i], geometry.right_stride.0[i]);
        let (columns, blocks) = (geometry.columns.0[i] - start * WORD, geometry.blocks.0[i]);
        let rows = geometry.rows::<REVERSED>(stage, pool, i, (near, right));
        let (some, ranges) = rows.eight(simd, start, columns);
        let middle = ((columns - 1) / (2 * WORD)).min(TOGETHER as u32 / 2 - 1);
        Self {
            pair,
            strips: (some << TOGETHER | some) >> middle & 0xff,
            middle,
            block: 0,
            ranges,
            near: near.wrapping_add(start.wrapping_mul(left_stride)),
            right: right.wrapping_add(start.wrapping_mul(right_stride)),
            shift: rows.shift,
            left_stride,
            right_stride,
            columns,
            blocks,
        }
    }

    /// Is there something left?
    #[inline(always)]
    pub(crate) const fn is_open(&self) -> bool {
        self.strips != 0
    }

    /// The next [`STEP`] blocks of a pair that is not done, and which of their columns overlap.
    #[inline(always)]
    pub(crate) fn step<const REVERSED: bool>(&mut self) -> (Job, u64) {
        let strip = (self.middle + self.strips.trailing_zeros()) % TOGETHER as u32;
        let range = self.ranges[strip as usize];
        let block = self.block.max(range & 0xffff);
        let is_done = block + STEP >= range >> 16;
        self.block = (block + STEP) & u32::from(!is_done).wrapping_neg();
        self.strips &= self.strips.wrapping_sub(u32::from(is_done));
        let columns = self.columns - strip * WORD;
        let from = block.min(self.blocks - STEP);
        let near = self.near + strip * self.left_stride + from * BLOCK;
        // One that does not reach into left's next strip does into itself: what is beyond the
        // overlap's columns means nothing.
        let reaches = u32::from(self.shift != 0) & u32::from(columns + self.shift > WORD);
        let far = near + (self.left_stride & reaches.wrapping_neg());
        let along = if REVERSED { self.blocks - STEP - from } else { from };
        let right = (self.right).wrapping_add(strip * self.right_stride + along * BLOCK);
        let job = Job { near, far, right, shift: self.shift };
        (job, u64::MAX >> (WORD - columns.min(WORD)))
    }
}
