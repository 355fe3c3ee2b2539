//! The query `OverlapMask`: the pixels set in both masks, one mask per pair.
//!
//! Called by `Engine::mask`.
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

use super::pair_geometry::Geometry;
use super::shifted_rows::{ShiftedRows, any_bit};
use super::strip_query::{Query, WalkPosition};
use super::{ALL_PAIRS, CHUNK, Scratch, dispatch};
use crate::geom::Point;
use crate::mask::{MaskPool, strips_of};
use crate::narrow::overlap_masks::{MaskStorage, Record, RowBlock, strip_blocks};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};
use std::cell::Cell;

/// Settles the staged pairs, one for each of `records`, and writes their masks into `storage`.
#[inline(always)]
pub(super) fn write_masks<S: Simd>(
    simd: S,
    storage: &mut MaskStorage,
    scratch: &mut Scratch<ALL_PAIRS>,
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
