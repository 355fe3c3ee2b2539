//! The sweep: every pair of overlapping boxes, once, strip by strip.
//!
//! ```text
//! for each strip, from the top:
//!   for each box a of the strip, from the left:
//!     for each box b right of a, until one starts past a's right edge:
//!       if they overlap: write the pair down
//!   for each strip below, until one starts past the lowest bottom edge:
//!     for each box a that reaches down to it, from the left:
//!       for each of its boxes b, from the first that a may meet to the first past a's right edge:
//!         if they overlap: write the pair down
//! for each giant: search the tree of all that is smaller
//! ```
//!
//! 1. Boxes b come in blocks of sixteen, tested all four ways without asking where the block
//!    starts or ends: what lies right of the strip's end is padding, which meets nothing.
//! 2. A strip's order is true to `slack` pixels only. A block is the last when its last box starts
//!    more than that past a's right edge.
//! 3. The first block that a may meet is found by a pointer that only moves right: a block is left
//!    behind for good when the node above it ends before a starts. One wide box thus makes only
//!    those look back that lie beside it, where a widest width would make all of its strip.
//! 4. Boxes that reach down are listed once for the next strip, and that list is sifted for each
//!    strip after it.

use super::bounds::{BLOCK, Edges};
use super::hits::{Hits, Sink};
use super::lanes::Lanes;
use super::nodes::Nodes;
use super::pack::Strip;
use std::ops::Range;

/// What a sweep reads.
#[derive(Clone, Copy)]
pub(super) struct Swept<'t> {
    pub(super) bounds: Edges<'t>,
    pub(super) nodes: &'t Nodes,
    pub(super) strips: &'t [Strip],
}

/// What a sweep needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    hits: Hits,
    /// Positions of a strip's boxes that reach into one below.
    down: Vec<u32>,
}

impl Scratch {
    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.down.capacity() * 4
    }
}

impl Swept<'_> {
    /// Hands every pair of overlapping boxes to `sink`, once. The strips of each class of sizes
    /// are those of `classes`, the smallest sizes first.
    #[inline(always)]
    pub(super) fn all<L: Lanes>(
        &self,
        lanes: L,
        classes: &[Range<usize>],
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let even = Self { bounds: self.bounds.even(), ..*self };
        for class in classes {
            even.pairs(lanes, class.clone(), class.end, scratch, sink);
        }
        for class in classes.iter().skip(1) {
            let end = self.strips[class.start].start as usize;
            even.giants(lanes, &self.strips[class.clone()], end, &mut scratch.hits, sink);
        }
    }

    /// Hands on every pair of boxes of one class of which the upper is in `strips`; the strips of
    /// the class end before `last`.
    #[inline(always)]
    fn pairs<L: Lanes>(
        &self,
        lanes: L,
        strips: Range<usize>,
        last: usize,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        for s in strips {
            let strip = &self.strips[s];
            self.within(lanes, strip, &mut scratch.hits, sink);
            let below = &self.strips[s + 1..last];
            if below.first().is_some_and(|next| strip.bottom > next.top) {
                self.into(lanes, strip, below, scratch, sink);
            }
        }
        scratch.hits.drain(sink);
    }

    /// Pairs of one strip.
    #[inline(always)]
    fn within<L: Lanes>(&self, lanes: L, strip: &Strip, hits: &mut Hits, sink: &mut Sink<'_>) {
        for a in strip.start as usize..strip.end as usize {
            let rect = self.bounds.get(a);
            let stop = rect.x1.saturating_add_unsigned(strip.slack);
            let mut at = a + 1;
            loop {
                lanes.meet(self.bounds, at, rect, a as u32, hits);
                hits.drain_if_full(sink);
                if self.bounds.x0[at + BLOCK - 1] >= stop {
                    break;
                }
                at += BLOCK;
            }
        }
    }

    /// Pairs of one strip with those below it.
    #[inline(always)]
    fn into<L: Lanes>(
        &self,
        lanes: L,
        upper: &Strip,
        below: &[Strip],
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let Scratch { hits, down } = scratch;
        let reach = &self.nodes.lowest().x1[..];
        let room = (upper.end - upper.start) as usize + 2 * BLOCK;
        if down.len() < room {
            down.resize(room, 0);
        }
        let mut count = 0;
        for at in (upper.start as usize..upper.end as usize).step_by(BLOCK) {
            count += lanes.past(self.bounds.y1, at, below[0].top, &mut down[count..]);
        }
        for lower in below {
            // Sift: of those in the list, the ones that reach this far. The next strip gets all.
            let mut kept = 0;
            for i in 0..count {
                let a = down[i];
                down[kept] = a;
                kept += usize::from(self.bounds.y1[a as usize] > lower.top);
            }
            count = kept;
            if count == 0 {
                break;
            }
            let mut first = lower.start as usize / BLOCK;
            let last = (lower.end as usize).div_ceil(BLOCK);
            for &a in &down[..count] {
                let rect = self.bounds.get(a as usize);
                // Later boxes may start that much further left.
                let left = rect.x0.saturating_sub_unsigned(upper.slack);
                while first < last && reach[first] <= left {
                    first += 1;
                }
                let stop = rect.x1.saturating_add_unsigned(lower.slack);
                let mut at = first * BLOCK;
                loop {
                    lanes.meet(self.bounds, at, rect, a, hits);
                    hits.drain_if_full(sink);
                    if self.bounds.x0[at + BLOCK - 1] >= stop {
                        break;
                    }
                    at += BLOCK;
                }
            }
        }
    }

    /// Pairs of the giants at the positions of `strips` with all that is before `end`.
    #[inline(always)]
    fn giants<L: Lanes>(
        &self,
        lanes: L,
        strips: &[Strip],
        end: usize,
        hits: &mut Hits,
        sink: &mut Sink<'_>,
    ) {
        for strip in strips {
            for a in strip.start..strip.end {
                let rect = self.bounds.get(a as usize);
                self.nodes.search(
                    lanes,
                    rect,
                    end,
                    #[inline(always)]
                    |at| {
                        lanes.meet(self.bounds, at, rect, a, hits);
                        hits.drain_if_full(sink);
                    },
                );
            }
        }
        hits.drain(sink);
    }
}
