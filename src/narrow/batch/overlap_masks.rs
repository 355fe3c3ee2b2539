//! The query `OverlapMask`: the pixels set in both masks, one mask per pair; and their storage.
//!
//! ```text
//! reserve storage for the masks of all overlapping pairs of the chunk
//! bucket by bucket, pair by pair, for each strip: store both(i) for each block, then a zero block
//! record for each pair where its mask starts
//! ```
//!
//! 1. A walk yields the rows of the overlap in their final form: from the left column on, with
//!    clear padding. So a mask has the size of the overlap, not of the first mask, and nothing is
//!    cleared before it is written.
//! 2. Masks are stored in the order in which they are computed. In pair order the query took 1.1x
//!    as long with vectors of up to 256 bits, and the same time with 512 bits.
//! 3. Rows that are walked upwards are stored upwards, and the mask is flipped when it is read.
//!
//! Invariant of the storage: every block in use has been written since the last `clear`, and each
//! strip ends with a zero block.

use super::buffers::{ALL_PAIRS, BatchBuffers};
use super::dispatch;
use super::pair_geometry::Geometry;
use super::shifted_rows::{ShiftedRows, any_bit};
use super::staging::CHUNK;
use super::strip_query::{Query, WalkPosition};
use crate::geom::Point;
use crate::mask::{BLOCK, LEAD, MaskPool, MaskRef, strips_of};
use bytemuck::{Pod, Zeroable};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};
use std::cell::Cell;
use std::fmt;

/// The pixels set in both masks of each pair, one mask per pair, as written by
/// [`Batch::overlap_mask`](crate::Batch::overlap_mask).
///
/// The default value has no pairs and allocates nothing. Keep one value and pass it to every call, because its memory is reused. A mask takes 8 bytes for
/// each row of 64 pixels of the intersection of the two boxes. Each 64 columns add up to 120 bytes
/// of padding, and each pair 24 bytes for its record.
#[derive(Clone, Default)]
pub struct OverlapMasks {
    pub(super) records: Vec<Record>,
    pub(super) storage: MaskStorage,
}

impl OverlapMasks {
    /// Returns the mask of the pixels set in both masks of pair `i`, and its top-left corner in the
    /// pixels of the first mask. The mask has the size of the intersection of the two boxes.
    /// Returns `None` if no pixel is set in both, or if `i` is out of range.
    #[must_use]
    pub fn get(&self, i: usize) -> Option<(MaskRef<'_>, Point)> {
        let record = self.records.get(i).filter(|record| record.touches)?;
        Some((self.storage.mask(record), record.corner))
    }

    /// Returns an iterator over the results of [`get`](Self::get) for all pairs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<(MaskRef<'_>, Point)>> {
        (0..self.records.len()).map(|i| self.get(i))
    }
}

impl fmt::Debug for OverlapMasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The location of the overlap mask of one pair.
#[derive(Clone, Copy, Default)]
pub(crate) struct Record {
    /// The first block of the first strip, in the storage.
    pub(super) block: usize,
    pub(super) corner: Point,
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// The rows are stored from bottom to top.
    pub(super) upwards: bool,
    pub(super) touches: bool,
}

/// Eight rows of a strip, aligned to one cache line.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct RowBlock(pub(super) [u64; BLOCK as usize]);

/// A pool of blocks for masks. New memory is zero and is not cleared again. The writer of a mask
/// overwrites all of its blocks, and writes a zero block after each strip.
#[derive(Clone, Default)]
pub(crate) struct MaskStorage {
    blocks: Vec<RowBlock>,
    /// The number of blocks in use. Blocks beyond it may hold old data.
    used: usize,
}

// Blocks in front of the first mask, for kernels that walk rows upwards.
const LEADING_BLOCKS: usize = (LEAD / BLOCK) as usize;

impl MaskStorage {
    /// Releases all blocks. Keeps the memory.
    pub(super) const fn clear(&mut self) {
        self.used = LEADING_BLOCKS;
    }

    /// Reserves `blocks` blocks, which the caller must write, and returns the first one.
    pub(super) fn allocate(&mut self, blocks: usize) -> (usize, &[Cell<RowBlock>]) {
        let first = self.used;
        self.used += blocks;
        if self.used > self.blocks.len() {
            self.blocks.resize(self.used, RowBlock::zeroed());
        }
        (first, Cell::from_mut(&mut self.blocks[first..self.used]).as_slice_of_cells())
    }

    fn mask(&self, record: &Record) -> MaskRef<'_> {
        let words = bytemuck::cast_slice(&self.blocks[record.block - LEADING_BLOCKS..self.used]);
        let (columns, rows) = (record.columns.into(), record.rows.into());
        let mask = MaskRef::in_pool(words, LEAD, stride(rows), columns, rows);
        if record.upwards { mask.flip_y() } else { mask }
    }
}

/// Returns the words from one strip of a stored mask to the next: its blocks and a zero block.
const fn stride(rows: u32) -> u32 {
    (strip_blocks(rows) * BLOCK as usize) as u32
}

/// Returns the number of blocks that a strip of `rows` rows takes in a [`MaskStorage`].
pub(super) const fn strip_blocks(rows: u32) -> usize {
    rows.div_ceil(BLOCK) as usize + 1
}

/// Settles the staged pairs, one for each of `records`, and writes their masks into `storage`.
#[inline(always)]
pub(super) fn write_masks<S: Simd>(
    simd: S,
    storage: &mut MaskStorage,
    scratch: &mut BatchBuffers<ALL_PAIRS>,
    pool: MaskPool<'_>,
    records: &mut [Record],
) {
    let n = records.len().min(CHUNK);
    scratch.work.geometry.fill::<false, true>(&scratch.stage, n);
    let geometry = &scratch.work.geometry;
    let blocks = (0..n).map(|i| geometry.blocks_of_mask(i)).sum();
    let (first, blocks) = storage.allocate(blocks);
    let next = Cell::new(0);
    let mut found = [OverlapMask::NONE; CHUNK];
    let query = OverlapMask { blocks, next: &next };
    dispatch::pair_by_pair(simd, query, scratch, pool, n, &mut found);
    let geometry = &scratch.work.geometry;
    for (i, (record, found)) in records.iter_mut().zip(found).enumerate() {
        *record = Record {
            block: first + found.start as usize,
            corner: geometry.corner(i),
            columns: geometry.columns.0[i] as u16,
            rows: geometry.rows.0[i] as u16,
            upwards: geometry.upwards.0[i] != 0,
            touches: found.touches,
        };
    }
}

impl Geometry {
    /// Returns the number of blocks of the mask of pair `i`; 0 if the boxes do not overlap.
    #[inline(always)]
    fn blocks_of_mask(&self, i: usize) -> usize {
        // Without an overlap, columns and rows are arbitrary, and their product may exceed 32 bits.
        let overlaps = self.open.0[i].wrapping_neg();
        let strip = strip_blocks(self.rows.0[i] & overlaps);
        strips_of(self.columns.0[i] & overlaps) as usize * strip
    }
}

/// The first block of the mask of a pair, and whether the mask has a pixel.
#[derive(Clone, Copy)]
struct Written {
    start: u32,
    touches: bool,
}

/// Writes the blocks of one pair after another, in walk order.
#[derive(Clone, Copy)]
struct OverlapMask<'r> {
    blocks: &'r [Cell<RowBlock>],
    next: &'r Cell<usize>,
}

impl Query for OverlapMask<'_> {
    type Found = Written;
    type Answer = Written;
    const NONE: Written = Written { start: 0, touches: false };
    const UNROLLED: u32 = 4;
    const SKIPS_EMPTY_BLOCKS: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: Written,
    ) -> Written {
        let start = self.next.get();
        self.next.set(start + blocks + 1);
        let (storage, after) = self.blocks[start..][..blocks + 1].split_at(blocks);
        let mut all = u64x8::splat(window.simd, 0);
        after[0].set(RowBlock(all.into()));
        for (block, storage) in storage.iter().enumerate() {
            let both = window.both(block);
            all |= both;
            storage.set(RowBlock(both.into()));
        }
        Written {
            start: if at.column == 0 { start as u32 } else { acc.start },
            touches: acc.touches | any_bit(all),
        }
    }

    #[inline(always)]
    fn answer(self, found: Written, _: Point) -> Written {
        found
    }
}
