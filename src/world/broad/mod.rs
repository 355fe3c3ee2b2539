//! The broad phase: which boxes overlap.
//!
//! An R-tree packed in sort-tile-recursive order (Leutenegger, Lopez and Edgington, 1997), made
//! anew at every update: strips of boxes from top to bottom, each from left to right, and above
//! them nodes of sixteen. That order is also one in which all pairs are found by a sweep, so the
//! same tree answers both questions. Making it costs less than keeping last time's up to date.
//!
//! ```text
//! measure   where the boxes lie and how large they are
//! plan      the height of the strips; giants leave for a class of their own, and so on
//! pack      boxes into strips, strips from left to right, each with padding that meets nothing
//! nodes     the levels above
//! sweep     all pairs   |   search   what a rectangle meets
//! order     pairs by ids
//! ```
//!
//! What was tried and lost, in milliseconds for 100,000 boxes with 1.2 pairs each, build and sweep
//! 1.5 in the same run (Zen 5, AVX-512, one core):
//! - Strips 1.5, 2 and 2.5 times as high: within 0.05 of each other where boxes are spread evenly,
//!   and 0.2 to 0.6 slower where each meets 20 others.
//! - The number of waiting hits in a register, their buffers being locals of the sweep: 0.1 slower
//!   with AVX-512, 0.06 quicker without, 0.25 quicker where each meets 20 others.
//! - A running maximum of right edges for the pointer of the sweep: the maximum of the block alone
//!   skips the same blocks.
//! - Order by ids as one counting sort and a pass that puts each id's pairs right: 0.95, two
//!   counting sorts 0.4. With rounds of bubbles instead of the pass 0.9: what costs is asking where
//!   an id's pairs end. Where each box meets 20 others 9.8 against 3.1.
//! - Nodes built by plain loops: 0.4; by the kernels 0.02.
//! - Broadcasting a box through an array of its edges, on SSE2: the compiler stores four numbers
//!   and loads a vector, which stalls; the sweep took 2.3 instead of 1.0.
//!
//! The world uses it, and who needs boxes without sprites. What it keeps true: answers are exact,
//! and the same on every machine; nothing is allocated once its memory has grown to what the
//! largest update needed; the time is bounded by a small multiple of that for boxes of one size,
//! plus the pairs there are.

mod bounds;
mod hits;
mod lanes;
mod level;
mod measure;
mod nodes;
mod order;
mod pack;
mod plan;
mod sweep;
#[cfg(test)]
mod tests;

use crate::geom::{Point, Rect};
use bounds::Bounds;
use level::{Level, with_lanes};
use measure::Measure;
use nodes::Nodes;
use pack::{Packer, Strip};
use plan::Plan;
use std::ops::Range;
use sweep::{Scratch, Swept};

/// What the documentation of [`BoxTree`] promises of its memory.
#[cfg(test)]
const BYTES_A_BOX: usize = 80;
/// For tables that do not grow with the boxes.
#[cfg(test)]
const BYTES_BESIDES: usize = 80 * 1024;

/// Boxes on the plane: all pairs that overlap, and all that a point or a rectangle meets.
///
/// For boxes that move it is packed again each time, which takes about 9 nanoseconds a box. A box
/// is named by its index among those given.
///
/// ```
/// use hitmask::{BoxTree, Rect};
/// let mut tree = BoxTree::new();
/// tree.pack(&[Rect::new(0, 0, 4, 4), Rect::new(9, 9, 12, 12), Rect::new(3, 3, 10, 10)]);
/// let mut pairs = Vec::new();
/// tree.pairs(&mut pairs);
/// assert_eq!(pairs, [[0, 2], [1, 2]]);
/// let mut here = Vec::new();
/// tree.at([3, 3], &mut here);
/// assert_eq!(here, [0, 2]);
/// ```
///
/// # Memory
/// At most 80 bytes a box, whatever the boxes: 20 for a box and its index, padded by at most half
/// and 124 bytes, 20 more while packing, and the nodes above them. With the list of pairs 16 bytes
/// a pair more, which [`each_pair`](Self::each_pair) does without.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    /// The leaves, in tree order.
    bounds: Bounds,
    /// Whose box each leaf is; MAX where there is none.
    ids: Vec<u32>,
    nodes: Nodes,
    strips: Vec<Strip>,
    /// The strips of each class of sizes, the smallest sizes first.
    classes: Vec<Range<usize>>,
    /// Boxes given, empty ones counted.
    len: usize,
    plan: Plan,
    packer: Packer,
    giants: [Vec<u32>; 2],
    scratch: Scratch,
    other: Vec<[u32; 2]>,
    next: Vec<u32>,
}

impl BoxTree {
    /// A tree without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the boxes there were and takes these. Empty ones meet nothing.
    ///
    /// # Panics
    /// Where there are 2^31 boxes or more.
    pub fn pack(&mut self, boxes: &[Rect]) {
        assert!(boxes.len() < 1 << 31, "a tree holds fewer than 2^31 boxes");
        self.len = boxes.len();
        self.strips.clear();
        self.classes.clear();
        // Places are written before they are read, so nothing needs to be cleared.
        let [mut these, mut giants] = std::mem::take(&mut self.giants);
        // The first class has the most giants: the larger memory is for them, at every update.
        if these.capacity() > giants.capacity() {
            std::mem::swap(&mut these, &mut giants);
        }
        giants.clear();
        let all = boxes.iter().enumerate().map(|(index, &rect)| (index as u32, rect));
        self.pack_class(all, &mut giants);
        while !giants.is_empty() {
            std::mem::swap(&mut these, &mut giants);
            giants.clear();
            let class = these.iter().map(|&index| (index, boxes[index as usize]));
            self.pack_class(class, &mut giants);
        }
        self.giants = [these, giants];
        let len = self.strips.last().map_or(0, Strip::padded);
        self.bounds.resize(len);
        self.ids.resize(len, u32::MAX);
        with_lanes!(Level::preferred(), lanes => self.nodes.build(lanes, &self.bounds));
    }

    fn pack_class(
        &mut self,
        rects: impl ExactSizeIterator<Item = (u32, Rect)> + Clone,
        giants: &mut Vec<u32>,
    ) {
        let all = Measure::new(rects.clone().map(|(_, rect)| rect));
        if all.count == 0 {
            return;
        }
        self.plan.draw(&all, rects.clone(), giants);
        let first = self.strips.len();
        self.packer.pack(&self.plan, rects, &mut self.bounds, &mut self.ids, &mut self.strips);
        self.classes.push(first..self.strips.len());
    }

    /// Replaces the contents of `pairs` by all pairs of boxes that overlap, each once: the smaller
    /// index first, in order of it, then of the greater one.
    pub fn pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        self.each_pair(|these| pairs.extend_from_slice(these));
        order::by_ids(pairs, self.len, &mut self.next, &mut self.other);
    }

    /// Calls `take` with all pairs of boxes that overlap, each once, some hundreds at a time: the
    /// smaller index first in each pair, the pairs in an order that depends on the boxes alone.
    pub fn each_pair(&mut self, mut take: impl FnMut(&[[u32; 2]])) {
        let mut named = [[0; 2]; hits::MOST];
        let mut scratch = std::mem::take(&mut self.scratch);
        self.sweep(Level::preferred(), &mut scratch, &mut |first, second| {
            let named = &mut named[..first.len()];
            for ((pair, &a), &b) in named.iter_mut().zip(first).zip(second) {
                let (a, b) = (self.ids[a as usize], self.ids[b as usize]);
                *pair = [a.min(b), a.max(b)];
            }
            take(named);
        });
        self.scratch = scratch;
    }

    /// All pairs, as positions in tree order.
    fn sweep(&self, level: Level, scratch: &mut Scratch, sink: &mut hits::Sink<'_>) {
        let swept = Swept { bounds: self.bounds.edges(), nodes: &self.nodes, strips: &self.strips };
        with_lanes!(level, lanes => swept.all(lanes, &self.classes, scratch, sink));
    }

    /// Adds to `found` all boxes that contain the pixel `point`, in an order that depends on the
    /// boxes alone.
    pub fn at(&self, point: impl Into<Point>, found: &mut Vec<u32>) {
        let Point { x, y } = point.into();
        self.meeting(Rect::new(x, y, x.saturating_add(1), y.saturating_add(1)), found);
    }

    /// Adds to `found` all boxes that overlap `rect`, in an order that depends on the boxes alone.
    pub fn meeting(&self, rect: Rect, found: &mut Vec<u32>) {
        self.meeting_with(Level::preferred(), rect, found);
    }

    fn meeting_with(&self, level: Level, rect: Rect, found: &mut Vec<u32>) {
        if rect.is_empty() || self.strips.is_empty() {
            return;
        }
        with_lanes!(level, lanes => self.nodes.gather(lanes, rect, self.bounds.edges(), &self.ids, found));
    }

    /// Number of boxes, empty ones counted.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True where there is no box.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held.
    #[cfg(test)]
    fn heap(&self) -> usize {
        self.bounds.heap()
            + self.nodes.heap()
            + self.plan.heap()
            + self.packer.heap()
            + self.scratch.heap()
            + self.strips.capacity() * size_of::<Strip>()
            + self.classes.capacity() * size_of::<Range<usize>>()
            + (self.ids.capacity() + self.next.capacity()) * 4
            + self.giants.iter().map(|giants| giants.capacity() * 4).sum::<usize>()
            + self.other.capacity() * 8
    }
}
