//! One worker's part of the boxes, on its way into strips: counted, scattered.
//!
//! 1. The code of a box, which is the bucket of its top edge, is worked out once and kept: counting
//!    and scattering then look it up and do nothing else.
//! 2. Giants and empty boxes have codes of their own, and go to two strips of their own behind the
//!    others. So no loop asks what kind of box it has.
//!
//! Called by the build only. What it keeps true: within a strip of a chunk boxes stay in the order
//! they came. So the strips do not depend on how many chunks there are.

use super::item::Item;
use super::plan::Plan;
use super::source::Source;
use std::ops::Range;

/// A box on its way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record<I> {
    pub(super) item: I,
    pub(super) id: u32,
}

/// Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Which boxes of the source; their codes and records have the same range of places.
    pub(super) items: Range<usize>,
    /// Boxes of each code.
    pub(super) counts: Vec<u32>,
    /// Where the next box of each strip goes, from the start of the chunk's records. Once all are
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

    /// Writes its boxes to its places, strip by strip.
    pub(super) fn scatter<I: Item>(
        &mut self,
        plan: &Plan,
        source: &Source<'_, I, impl Fn(usize) -> u32>,
        codes: &[u16],
        records: &mut [Record<I>],
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
        let boxes = &source.boxes[self.items.clone()];
        for ((&item, &code), at) in boxes.iter().zip(codes).zip(self.items.start..) {
            let next = &mut next[usize::from(strip_of[usize::from(code)])];
            records[*next as usize] = Record { item, id: (source.id)(at) };
            *next += 1;
        }
    }

    /// Where its boxes of a strip are, among all records.
    #[inline(always)]
    pub(super) fn of_strip(&self, strip: usize) -> Range<usize> {
        let start = strip.checked_sub(1).map_or(0, |before| self.next[before]);
        self.items.start + start as usize..self.items.start + self.next[strip] as usize
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        (self.counts.capacity() + self.next.capacity()) * 4
    }
}
