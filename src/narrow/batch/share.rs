//! Which pixels are set in both? A mask for each pair.
//!
//! ```text
//! room for the masks of all pairs of the chunk that meet
//! bucket by bucket, pair by pair, for each strip: store both(i) for each block, then a clear one
//! note for each pair where its mask starts
//! ```
//!
//! 1. A walk gives the rows of the overlap as they are to lie: from its left column on, padding
//!    clear. So a mask is as large as the overlap, not as the first mask, and nothing is cleared
//!    before it is written.
//! 2. Masks lie in the order in which they are made: that of the pairs took a tenth longer with
//!    vectors of 256 bits and less, the same with 512.
//! 3. Rows that are walked upwards are stored upwards: the mask is shown upside down.

use super::geometry::Geometry;
use super::place::Place;
use super::query::Query;
use super::task::Task;
use super::window::{Window, is_set};
use super::{ALL, CHUNK, Scratch, run};
use crate::mask::{Pool, strips_of};
use crate::narrow::overlap_masks::{Record, Room, Rows, blocks_of_strip};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};
use std::cell::Cell;

/// Puts the pixels set in both into a room.
pub(crate) struct Share<'r>(pub(crate) &'r mut Room);

impl Task<ALL> for Share<'_> {
    type Answer = Record;

    #[inline(always)]
    fn run<S: Simd>(
        &mut self,
        simd: S,
        scratch: &mut Scratch<ALL>,
        pool: Pool<'_>,
        answers: &mut [Record],
    ) {
        let n = answers.len().min(CHUNK);
        scratch.geometry.fill::<false, true>(&scratch.stage, n);
        let geometry = &scratch.geometry;
        let blocks = (0..n).map(|i| geometry.blocks_of_mask(i)).sum();
        let (first, blocks) = self.0.take(blocks);
        let next = Cell::new(0);
        let mut found = [Write::NONE; CHUNK];
        run::run(simd, Write { blocks, next: &next }, scratch, pool, n, &mut found);
        let geometry = &scratch.geometry;
        for (i, (answer, found)) in answers.iter_mut().zip(found).enumerate() {
            *answer = Record {
                block: first + found.start as usize,
                corner: geometry.corner(i),
                columns: geometry.columns.0[i] as u16,
                rows: geometry.rows.0[i] as u16,
                upwards: geometry.upwards.0[i] != 0,
                touches: found.touches,
            };
        }
    }
}

impl Geometry {
    /// Blocks that the mask of pair `i` takes; none where the boxes do not overlap.
    #[inline(always)]
    fn blocks_of_mask(&self, i: usize) -> usize {
        // Of a pair that does not meet, columns and rows mean nothing, and their product may be beyond 32 bits.
        let meets = self.open.0[i].wrapping_neg();
        let strip = blocks_of_strip(self.rows.0[i] & meets);
        strips_of(self.columns.0[i] & meets) as usize * strip
    }
}

/// Where the mask of a pair starts, and whether it has a pixel.
#[derive(Clone, Copy)]
struct Written {
    start: u32,
    touches: bool,
}

/// Writes the blocks of one pair after the other, in the order in which they are walked.
#[derive(Clone, Copy)]
struct Write<'r> {
    blocks: &'r [Cell<Rows>],
    next: &'r Cell<usize>,
}

impl Query for Write<'_> {
    type Found = Written;
    const NONE: Written = Written { start: 0, touches: false };
    const UNROLLED: bool = true;
    const CUT: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: Written,
    ) -> Written {
        let start = self.next.get();
        self.next.set(start + blocks + 1);
        let (room, after) = self.blocks[start..][..blocks + 1].split_at(blocks);
        let mut all = u64x8::splat(window.simd, 0);
        after[0].set(Rows(all.into()));
        for (block, room) in room.iter().enumerate() {
            let both = window.both(block);
            all |= both;
            room.set(Rows(both.into()));
        }
        Written {
            start: if place.column == 0 { start as u32 } else { known.start },
            touches: known.touches | is_set(all),
        }
    }
}
