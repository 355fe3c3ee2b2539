//! The query `Touches`: is a pixel set in both masks?
//!
//! Batches run it through `dispatch::probe_first`, single pairs through `narrow/single_pair.rs`.
//!
//! # Tall pairs
//!
//! Of tall pairs only the rows that are occupied in both masks are read.
//!
//! ```text
//! for each pair that the probe left open: find the occupied blocks of eight strips
//! until no walk is open: test the next four blocks of each open walk
//! ```
//!
//! 1. At 512 px the row ranges skip 8 of 9 blocks of a miss. In a mix of hits and misses they skip
//!    2 of 3 blocks that the probe leaves open. Such pairs overlap at a corner, where round sprites
//!    are empty.
//! 2. Strips without such blocks, the majority in a miss, cost nothing, not even a branch.
//! 3. All pairs run the same code, whatever their strips hold: the step from one strip to the next
//!    is branchless.

use super::job_buckets::IndexList;
use super::pair_geometry::Geometry;
use super::shifted_rows::WALK_BLOCKS;
use super::shifted_rows::{Job, ShiftedRows, Strips, any_bit, union};
use super::staging::{CHUNK, Stage};
use super::strip_query::{Query, WalkPosition, query_strip};
use crate::geom::Point;
use crate::mask::{BLOCK, MaskPool, RANGE_STRIPS, WORD};
use bytemuck::Zeroable;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

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

    /// Walks from the middle strip to the last, then to the first, until one has a pixel.
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

/// Pairs walked together. Lower: frequent loop ends. Higher: the walks leave the L1 cache.
pub(crate) const WALKS: usize = 64;

/// The state of the walk of one pair. An array of structs: a struct of arrays would touch one cache
/// line per field each time a pair is resumed.
#[derive(Clone, Copy, Zeroable)]
pub(crate) struct TallWalk {
    pair: u16,
    /// One bit for each open strip, from the middle one on; the strips before the middle come last.
    strips: u32,
    /// The strip of the first bit.
    middle: u32,
    /// The block at which the first open strip continues, unless its range starts later.
    block: u32,
    /// The blocks of each strip: the first one in the low half, the end in the high half.
    ranges: [u32; RANGE_STRIPS],
    /// The first words of the first strip, in left and in right.
    near: u32,
    right: u32,
    shift: u32,
    left_stride: u32,
    right_stride: u32,
    /// Columns of the overlap in these strips and the ones after them.
    columns: u32,
    blocks: u32,
}

impl TallWalk {
    /// Starts a walk over eight strips from `start`, while the middle one is current.
    #[inline(always)]
    fn new<S: Simd, const REVERSED: bool>(
        simd: S,
        (stage, geometry): (&Stage, &Geometry),
        pool: MaskPool<'_>,
        pair: u16,
        start: u32,
    ) -> Self {
        let i = pair as usize % CHUNK;
        let (near, right) = geometry.first_strip(i);
        let (left_stride, right_stride) = (geometry.left_stride.0[i], geometry.right_stride.0[i]);
        let (columns, blocks) = (geometry.columns.0[i] - start * WORD, geometry.blocks.0[i]);
        let rows = geometry.rows::<REVERSED>(stage, pool, i, (near, right));
        let (non_empty, ranges) = rows.eight_strips(simd, start, columns);
        let middle = ((columns - 1) / (2 * WORD)).min(RANGE_STRIPS as u32 / 2 - 1);
        Self {
            pair,
            strips: (non_empty << RANGE_STRIPS | non_empty) >> middle & 0xff,
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

    #[inline(always)]
    const fn is_open(&self) -> bool {
        self.strips != 0
    }

    /// Returns the next [`WALK_BLOCKS`] blocks of an open walk, and their columns.
    #[inline(always)]
    fn step<const REVERSED: bool>(&mut self) -> (Job, u64) {
        let strip = (self.middle + self.strips.trailing_zeros()) % RANGE_STRIPS as u32;
        let range = self.ranges[strip as usize];
        let block = self.block.max(range & 0xffff);
        let is_done = block + WALK_BLOCKS >= range >> 16;
        self.block = (block + WALK_BLOCKS) & u32::from(!is_done).wrapping_neg();
        self.strips &= self.strips.wrapping_sub(u32::from(is_done));
        let columns = self.columns - strip * WORD;
        let from = block.min(self.blocks - WALK_BLOCKS);
        let near = self.near + strip * self.left_stride + from * BLOCK;
        // A strip without a far strip uses itself as one: columns beyond the overlap are masked
        // out.
        let reaches = u32::from(self.shift != 0) & u32::from(columns + self.shift > WORD);
        let far = near + (self.left_stride & reaches.wrapping_neg());
        let along = if REVERSED { self.blocks - WALK_BLOCKS - from } else { from };
        let right = (self.right).wrapping_add(strip * self.right_stride + along * BLOCK);
        let job = Job { near, far, right, shift: self.shift };
        (job, u64::MAX >> (WORD - columns.min(WORD)))
    }
}

/// Settles `pairs`, eight strips of [`WALKS`] pairs at a time.
#[inline(always)]
pub(crate) fn settle_tall<S: Simd, const R: bool>(
    simd: S,
    (stage, geometry, walks): (&Stage, &Geometry, &mut [TallWalk; WALKS]),
    pool: MaskPool<'_>,
    found: &mut [bool; CHUNK],
    pairs: &mut IndexList,
) {
    let mut start = 0;
    while !pairs.as_slice().is_empty() {
        for group in pairs.as_slice().chunks(WALKS) {
            let mut open = 0;
            for &pair in group {
                let walk = TallWalk::new::<S, R>(simd, (stage, geometry), pool, pair, start);
                walks[open % WALKS] = walk;
                open += usize::from(walk.is_open());
            }
            finish_walks::<S, R>(simd, pool.words, found, &mut walks[..open]);
        }
        start += RANGE_STRIPS as u32;
        pairs.retain(|i| !found[i] & (geometry.columns.0[i] > start * WORD));
    }
}

/// Runs all walks to their ends, one step of each at a time.
#[inline(always)]
fn finish_walks<S: Simd, const R: bool>(
    simd: S,
    words: &[u64],
    found: &mut [bool; CHUNK],
    walks: &mut [TallWalk],
) {
    let mut open = [0_u8; WALKS];
    for (at, open) in (0..).zip(&mut open) {
        *open = at;
    }
    let mut left = walks.len();
    while left > 0 {
        let mut kept = 0;
        for at in 0..left {
            let number = open[at % WALKS];
            let walk = &mut walks[number as usize];
            let (job, inside) = walk.step::<R>();
            let blocks = WALK_BLOCKS as usize;
            let window = ShiftedRows::<S, true, R>::new(simd, words, job, blocks);
            let hit = any_bit(union(&window, 0, blocks) & u64x8::splat(simd, inside));
            found[walk.pair as usize % CHUNK] = hit;
            open[kept % WALKS] = number;
            kept += usize::from(!hit & walk.is_open());
        }
        left = kept;
    }
}
