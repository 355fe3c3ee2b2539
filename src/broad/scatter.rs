//! Counts and scatters one worker's range of the boxes into strips.
//!
//! 1. The code of a box is the bucket of its top edge. It is computed once and stored, so counting
//!    and scattering only look it up.
//! 2. Giants and empty boxes have codes of their own, and go to two extra strips behind the others.
//!    No loop tests the kind of a box.
//!
//! Called by the packing only. Invariant: within a strip of a chunk boxes keep their order, so the
//! strips do not depend on the number of chunks.

use crate::broad::item::Item;
use crate::broad::strip_plan::Plan;
use crate::memory::prefetch;
use std::ops::Range;

/// Indices prefetched ahead of the one written: two cache lines. There are more strips than streams
/// that the hardware prefetcher tracks. Without the prefetch, stores wait in the short store
/// buffer.
pub(super) const PREFETCH_AHEAD: usize = 32;

/// One worker's range of the boxes. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// The range of boxes; their codes and indices have the same range.
    pub(super) items: Range<usize>,
    /// Number of boxes of each code.
    pub(super) counts: Vec<u32>,
    /// Offset in the chunk of the next box of each strip; after scattering, the end of each strip.
    next: Vec<u32>,
}

impl Chunk {
    /// Computes and counts the code of each box.
    pub(super) fn count(&mut self, plan: &Plan, boxes: &[impl Item], codes: &mut [u16]) {
        let boxes = &boxes[self.items.clone()];
        self.counts.clear();
        self.counts.resize(plan.codes(), 0);
        plan.encode(boxes, codes, &mut self.counts);
    }

    /// Writes the indices of the chunk's boxes, strip by strip. Prefetches `ahead` places ahead.
    pub(super) fn scatter(
        &mut self,
        plan: &Plan,
        codes: &[u16],
        indices: &mut [u32],
        ahead: usize,
    ) {
        let strip_of = plan.strip_of();
        self.next.clear();
        self.next.resize(plan.strips() + 2, 0);
        let next = &mut self.next[..];
        for (&boxes, &strip) in self.counts.iter().zip(strip_of) {
            next[usize::from(strip)] += boxes;
        }
        let mut start = 0;
        for next in &mut *next {
            start += std::mem::replace(next, start);
        }
        for (&code, index) in codes.iter().zip(self.items.start as u32..) {
            let next = &mut next[usize::from(strip_of[usize::from(code)])];
            indices[*next as usize] = index;
            prefetch::item(indices, *next as usize + ahead);
            *next += 1;
        }
    }

    /// Returns the range of a strip's indices among those of all chunks.
    #[inline(always)]
    pub(super) fn of_strip(&self, strip: usize) -> Range<usize> {
        let start = strip.checked_sub(1).map_or(0, |before| self.next[before]);
        self.items.start + start as usize..self.items.start + self.next[strip] as usize
    }
}
