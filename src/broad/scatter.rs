//! One worker's part of the boxes, on its way into strips: counted, scattered.
//!
//! 1. The code of a box, which is the bucket of its top edge, is worked out once and kept: counting
//!    and scattering then look it up and do nothing else.
//! 2. Giants and empty boxes have codes of their own, and go to two strips of their own behind the
//!    others. So no loop asks what kind of box it has.
//!
//! Called by the build only. What it keeps true: within a strip of a chunk boxes stay in the order
//! they came. So the strips do not depend on how many chunks there are.

use crate::broad::item::Item;
use crate::broad::strip_plan::Plan;
use crate::memory::prefetch;
use std::ops::Range;

/// Places prefetched ahead of the one that is written: two lines of memory. There are too many strips for the
/// machine to see that each goes on, and what is written waits for its line in a short queue.
pub(super) const PREFETCH_AHEAD: usize = 32;

/// Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Which boxes of the source; their codes and numbers have the same range of places.
    pub(super) items: Range<usize>,
    /// Boxes of each code.
    pub(super) counts: Vec<u32>,
    /// Where the next box of each strip goes, from the start of the chunk's numbers. Once all are
    /// there: where the strip ends.
    next: Vec<u32>,
}

impl Chunk {
    /// Finds the code of each box, and counts.
    pub(super) fn count(&mut self, plan: &Plan, boxes: &[impl Item], codes: &mut [u16]) {
        let boxes = &boxes[self.items.clone()];
        self.counts.clear();
        self.counts.resize(plan.codes(), 0);
        plan.encode(boxes, codes, &mut self.counts);
    }

    /// Writes the numbers of its boxes to its places, strip by strip; prefetches so far `ahead`.
    pub(super) fn scatter(
        &mut self,
        plan: &Plan,
        codes: &[u16],
        numbers: &mut [u32],
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
        for (&code, number) in codes.iter().zip(self.items.start as u32..) {
            let next = &mut next[usize::from(strip_of[usize::from(code)])];
            numbers[*next as usize] = number;
            prefetch::item(numbers, *next as usize + ahead);
            *next += 1;
        }
    }

    /// Where the numbers of its boxes of a strip are, among all.
    #[inline(always)]
    pub(super) fn of_strip(&self, strip: usize) -> Range<usize> {
        let start = strip.checked_sub(1).map_or(0, |before| self.next[before]);
        self.items.start + start as usize..self.items.start + self.next[strip] as usize
    }
}
