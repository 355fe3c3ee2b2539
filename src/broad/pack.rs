//! Packing: writes boxes into strips, and each strip from left to right.
//!
//! ```text
//! measure a sample of the boxes; plan the strips; count the boxes of each strip
//! for each box: append its index to its strip
//! for each strip: sort it by left edge and write its leaves
//! ```
//!
//! 1. Indices of boxes move, not boxes. That is a quarter of the bytes, scattered to as many places
//!    as there are strips. A strip's left edges are then gathered from all over memory, many at a
//!    time. That gather brings the boxes of the strip into the L2 cache.
//! 2. Each worker scatters a range of the boxes into a range of its own. A strip is the
//!    concatenation of the pieces of all workers, which restores the order of the boxes.
//! 3. A strip is sorted by counting its boxes per bucket of left edges, with two boxes a bucket.
//!    Boxes of one bucket keep their order. They may be out of order by up to `slack` pixels, and
//!    the sweep allows for that.
//! 4. Indices are sorted in the L1 cache. The boxes are then fetched again, now from L2, and
//!    written to the leaves from left to right, four at a time. Leaves written in bucket order
//!    would each miss the cache, because the order of the writes is unpredictable.
//! 5. If buckets hold far more than their share, left edges are too uneven for them. The strip is
//!    then sorted exactly, by digits, and its slack is 0.
//!
//! Called by the tree only.

use crate::broad::aabb_soa::{self, BLOCK, EdgesMut};
use crate::broad::item::{Giants, Item, ItemSource};
use crate::broad::leaves::{LeafSlice, LeafStore};
use crate::broad::nodes::{self, Nodes};
use crate::broad::scatter::{self, Chunk};
use crate::broad::strip_plan::BoxStats;
use crate::broad::strip_plan::Plan;
use crate::broad::strip_sort::StripSorter;
use crate::memory::object_pool::ObjectPool;
use crate::memory::parallel;
use crate::memory::prefetch;
use crate::memory::vec_growth;
use crate::simd::vectorized;

/// Boxes that repay one more worker.
pub(super) const BOXES_PER_WORKER: usize = 3_000;

/// Upper bound on runs of strips that are filled independently.
const MAX_RUNS: usize = 64;

/// Returns the number of workers to use for `boxes` boxes.
pub(super) fn workers(boxes: usize) -> usize {
    parallel::threads_for(boxes, BOXES_PER_WORKER)
}

/// A row of boxes, sorted from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    /// Position of the first box: a whole number of blocks.
    pub(super) start: u32,
    /// Position after the last box.
    pub(super) end: u32,
    /// Smallest top edge.
    pub(super) top: i32,
    /// Greatest bottom edge.
    pub(super) bottom: i32,
    /// Greatest bottom edge of this class so far: a strip may reach further down than the next.
    pub(super) reach: i32,
    /// Pixels by which a left edge may be less than an earlier one.
    pub(super) slack: u32,
    /// Position of the node over the first block.
    pub(super) nodes: u32,
}

impl Strip {
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns the number of blocks with a box.
    pub(super) fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK)
    }

    /// Returns the position after the padding: a whole number of blocks, and then one empty block.
    pub(super) fn padded(&self) -> usize {
        (self.end as usize).next_multiple_of(BLOCK) + BLOCK
    }
}

/// The buffers of packing. Kept between updates for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Packer {
    plan: Plan,
    chunks: Vec<Chunk>,
    /// Number of boxes of each code, over all chunks.
    totals: Vec<u32>,
    /// The code of each box.
    codes: Vec<u16>,
    /// The indices of the boxes, strip by strip.
    indices: Vec<u32>,
    sorters: ObjectPool<StripSorter>,
}

impl Packer {
    /// Appends the boxes of `source` that belong to one size class, strip by strip. Moves the boxes
    /// that are too large for the class to `giants`.
    pub(super) fn pack<I: Item>(
        &mut self,
        workers: usize,
        source: ItemSource<'_, I, impl Fn(usize) -> u32 + Sync>,
        (leaves, nodes): (&mut LeafStore<I::Payload>, &mut Nodes),
        strips: &mut Vec<Strip>,
        giants: &mut Giants<I>,
    ) {
        let boxes = source.boxes;
        let items = boxes.len();
        let Self { plan, chunks, totals, codes, indices, sorters } = self;
        if chunks.len() < workers {
            chunks.resize_with(workers, Chunk::default);
        }
        let chunks = &mut chunks[..workers];
        for (i, chunk) in chunks.iter_mut().enumerate() {
            chunk.items = items * i / workers..items * (i + 1) / workers;
        }
        let (mut all, mut each) = BoxStats::sampled(boxes);
        if all.count == 0 {
            return;
        }
        // Both only grow: every element is written before it is read.
        if indices.len() < items {
            vec_growth::resize(indices, items, 0);
            vec_growth::resize(codes, items, 0);
        }
        let codes = &mut codes[..items];
        loop {
            plan.begin(&all, boxes);
            count(plan, chunks, boxes, codes, totals);
            if !plan.end(&all, totals) {
                plan.begin_uneven(&all, boxes);
                count(plan, chunks, boxes, codes, totals);
                plan.end(&all, totals);
            }
            // With a measure of all boxes at most 1/8 of them are giants. More than that means that
            // the sample was not representative.
            if each == 1 || totals[plan.giant()] as usize <= items / 8 {
                break;
            }
            (all, each) = (BoxStats::new(boxes.iter()), 1);
        }

        let split = |(codes, indices), left: &[Chunk], _: &[Chunk]| {
            let len = left.iter().map(|chunk| chunk.items.len()).sum();
            let (codes, other_codes) = <[u16]>::split_at(codes, len);
            let (indices, other_indices) = <[u32]>::split_at_mut(indices, len);
            ((codes, indices), (other_codes, other_indices))
        };
        let whole = (&*codes, &mut indices[..items]);
        let ahead = prefetch::ahead(scatter::PREFETCH_AHEAD, size_of_val(boxes));
        parallel::share(chunks, whole, &split, &|chunk, (codes, indices)| {
            chunk.scatter(plan, codes, indices, ahead);
        });
        for chunk in &*chunks {
            for &index in &indices[chunk.of_strip(plan.strips())] {
                let index = index as usize;
                giants.push(boxes[index], (source.id)(index));
            }
        }

        let first = strips.len();
        let mut start = strips.last().map_or(0, Strip::padded);
        let new = start;
        for &boxes in &plan.counts {
            let (at, end) = (start as u32, start as u32 + boxes);
            let mut strip = Strip {
                start: at,
                end,
                top: i32::MAX,
                bottom: i32::MIN,
                reach: i32::MIN,
                slack: 0,
                nodes: 0,
            };
            strip.nodes = nodes.add(start / BLOCK, strip.blocks()) as u32;
            start = strip.padded();
            strips.push(strip);
        }
        leaves.resize(start);
        // More runs than threads, to balance the load.
        let workers = if workers == 1 { 1 } else { (4 * workers).min(MAX_RUNS) };
        let pieces = Pieces { chunks, indices, source: &source };
        let first_node = strips[first..].first().map_or(0, |strip| strip.nodes as usize);
        let lowest = nodes.lowest_mut();
        let nodes = lowest.edges_mut(first_node..lowest.len());
        let run =
            StripRun { first: 0, strips: &mut strips[first..], places: leaves.from(new), nodes };
        parallel::share(&mut [(); MAX_RUNS][..workers], run, &StripRun::split, &|(), run| {
            sorters.with(StripSorter::default, |sorter| {
                vectorized(
                    #[inline(always)]
                    || run.fill(&pieces, sorter),
                );
            });
        });
        let mut reach = i32::MIN;
        for strip in &mut strips[first..] {
            reach = reach.max(strip.bottom);
            strip.reach = reach;
        }
    }
}

/// Computes the codes of the boxes. Counts the boxes of each code, by chunk and in total.
fn count(
    plan: &Plan,
    chunks: &mut [Chunk],
    boxes: &[impl Item],
    codes: &mut [u16],
    totals: &mut Vec<u32>,
) {
    let split = |codes, left: &[Chunk], _: &[Chunk]| {
        <[u16]>::split_at_mut(codes, left.iter().map(|chunk| chunk.items.len()).sum())
    };
    parallel::share(chunks, codes, &split, &|chunk, codes| chunk.count(plan, boxes, codes));
    totals.clear();
    totals.resize(plan.codes(), 0);
    for chunk in chunks {
        for (total, &boxes) in totals.iter_mut().zip(&chunk.counts) {
            *total += boxes;
        }
    }
}

/// The scattered boxes: each chunk holds a piece of every strip.
struct Pieces<'p, I, F> {
    chunks: &'p [Chunk],
    indices: &'p [u32],
    source: &'p ItemSource<'p, I, F>,
}

impl<I, F> Pieces<'_, I, F> {
    /// Returns the pieces of a strip in order: the indices from the start of the piece on, and its
    /// length.
    #[inline(always)]
    fn of_strip(&self, strip: usize) -> impl Iterator<Item = (&[u32], usize)> + Clone {
        self.chunks.iter().map(move |chunk| {
            let piece = chunk.of_strip(strip);
            (&self.indices[piece.start..], piece.len())
        })
    }
}

/// A run of strips to fill.
struct StripRun<'r, P> {
    /// Number of the first strip.
    first: usize,
    strips: &'r mut [Strip],
    places: LeafSlice<'r, P>,
    /// The nodes above the strips.
    nodes: EdgesMut<'r>,
}

impl<P: Copy + Default> StripRun<'_, P> {
    /// Splits the run, with the number of boxes in proportion to the workers.
    fn split(self, left: &[()], right: &[()]) -> (Self, Self) {
        let start = self.strips.first().map_or(0, |strip| strip.start as usize);
        let end = self.strips.last().map_or(0, Strip::padded);
        let middle = start + (end - start) / (left.len() + right.len()) * left.len();
        let count = self.strips.partition_point(|strip| strip.padded() <= middle);
        let (strips, other) = self.strips.split_at_mut(count);
        let len = strips.last().map_or(start, Strip::padded) - start;
        let (places, other_places) = self.places.split(len);
        let span = strips.iter().map(|strip| nodes::padded_nodes(strip.blocks())).sum();
        let (nodes, other_nodes) = aabb_soa::split(self.nodes, span);
        let first = self.first + count;
        (
            StripRun { first: self.first, strips, places, nodes },
            StripRun { first, strips: other, places: other_places, nodes: other_nodes },
        )
    }

    /// Fills each strip from left to right, and writes the nodes above it.
    #[inline(always)]
    fn fill<I: Item<Payload = P>>(
        self,
        pieces: &Pieces<'_, I, impl Fn(usize) -> u32>,
        sorter: &mut StripSorter,
    ) {
        let Self { first, strips, mut places, mut nodes } = self;
        for (i, strip) in strips.iter_mut().enumerate() {
            let len = strip.padded() - strip.start as usize;
            let (mut all, rest) = places.split(len);
            let (mut these, mut padding) = all.reborrow().split(strip.len());
            strip.slack = sorter.sort_into(pieces.of_strip(first + i), pieces.source, &mut these);
            padding.clear();
            let (above, later) = aabb_soa::split(nodes, nodes::padded_nodes(strip.blocks()));
            let (mut above, none) = aabb_soa::split(above, strip.blocks());
            nodes::fill(all.edges(), &mut above);
            aabb_soa::clear(none);
            // Positions without a box do not widen a node.
            let [_, top, _, bottom] = above;
            strip.top = top.iter().copied().min().unwrap_or(i32::MAX);
            strip.bottom = bottom.iter().copied().max().unwrap_or(i32::MIN);
            (places, nodes) = (rest, later);
        }
    }
}
