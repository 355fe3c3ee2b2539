//! Packing: writes boxes into rows, and each row from left to right.
//!
//! ```text
//! measure a sample of the boxes; plan the rows; count the boxes of each row
//! for each box: append its index to its row
//! for each row: sort it by left edge and write its leaves
//! ```
//!
//! 1. Indices of boxes move, not boxes. That is a quarter of the bytes, scattered to as many places
//!    as there are rows. A row's left edges are then gathered from all over memory, many at a
//!    time. That gather brings the boxes of the row into the L2 cache.
//! 2. Each worker scatters a range of the boxes into a range of its own. A row is the
//!    concatenation of the pieces of all workers, which restores the order of the boxes.
//!    Giants and empty boxes have codes of their own and go to two extra rows behind the others.
//!    So no loop tests the kind of a box.
//! 3. A row is sorted by counting its boxes per bucket of left edges, with two boxes a bucket.
//!    Boxes of one bucket keep their order. They may be out of order by up to `slack` pixels, and
//!    the sweep allows for that.
//! 4. Indices are sorted in the L1 cache. The boxes are then fetched again, now from L2, and
//!    written to the leaves from left to right, four at a time. Leaves written in bucket order
//!    would each miss the cache, because the order of the writes is unpredictable.
//! 5. If buckets hold far more than their share, left edges are too uneven for them. The row is
//!    then sorted exactly, by digits, and its slack is 0.
//!
//! Called by the tree only. Invariant: within a row of a chunk boxes keep their order, so the rows do
//! not depend on the number of chunks.

use crate::broad::aabb_soa::{self, BLOCK_BOXES, EdgesMut};
use crate::broad::leaves::{Giants, Item, ItemSource};
use crate::broad::leaves::{LeafSlice, LeafStore};
use crate::broad::nodes::{self, Nodes};
use crate::broad::row_plan::{BoxStats, RowPlan};
use crate::broad::row_sort::RowSorter;
use crate::memory::object_pool::ObjectPool;
use crate::memory::{parallel, prefetch, vec_growth};
use crate::simd::vectorized;
use std::ops::Range;

/// Boxes that repay one more worker.
pub(super) const BOXES_PER_WORKER: usize = 3_000;

/// Upper bound on runs of rows that are filled independently.
const MAX_ROW_RUNS: usize = 64;

pub(super) fn workers(boxes: usize) -> usize {
    parallel::threads_for(boxes, BOXES_PER_WORKER)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Position of the first box: a whole number of blocks.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) top: i32,
    pub(super) bottom: i32,
    /// Greatest bottom edge of this class so far: a row may reach further down than the next.
    pub(super) reach: i32,
    /// Pixels by which a left edge may be less than an earlier one.
    pub(super) slack: u32,
    /// Position of the node over the first block.
    pub(super) nodes: u32,
}

impl Row {
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns the number of blocks with a box.
    pub(super) fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK_BOXES)
    }

    /// Returns the position after the padding: a whole number of blocks, and then one empty block.
    pub(super) fn padded(&self) -> usize {
        (self.end as usize).next_multiple_of(BLOCK_BOXES) + BLOCK_BOXES
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Packer {
    plan: RowPlan,
    chunks: Vec<Chunk>,
    /// Number of boxes of each code, over all chunks.
    totals: Vec<u32>,
    codes: Vec<u16>,
    /// The indices of the boxes, row by row.
    indices: Vec<u32>,
    sorters: ObjectPool<RowSorter>,
}

impl Packer {
    /// Appends the boxes of `source` that belong to one size class, row by row. Moves the boxes
    /// that are too large for the class to `giants`.
    pub(super) fn pack<I: Item>(
        &mut self,
        workers: usize,
        source: ItemSource<'_, I, impl Fn(usize) -> u32 + Sync>,
        (leaves, nodes): (&mut LeafStore<I::Payload>, &mut Nodes),
        rows: &mut Vec<Row>,
        giants: &mut Giants<I>,
    ) {
        let boxes = source.boxes;
        if !self.plan_rows(workers, boxes) {
            return;
        }
        let Self { plan, chunks, codes, indices, sorters, .. } = self;
        let (chunks, codes) = (&mut chunks[..workers], &codes[..boxes.len()]);
        let split = |(codes, indices), left: &[Chunk], _: &[Chunk]| {
            let len = left.iter().map(|chunk| chunk.items.len()).sum();
            let (codes, other_codes) = <[u16]>::split_at(codes, len);
            let (indices, other_indices) = <[u32]>::split_at_mut(indices, len);
            ((codes, indices), (other_codes, other_indices))
        };
        let whole = (codes, &mut indices[..boxes.len()]);
        let ahead = prefetch::ahead(SCATTER_AHEAD, size_of_val(boxes));
        parallel::share(chunks, whole, &split, &|chunk, (codes, indices)| {
            chunk.scatter(plan, codes, indices, ahead);
        });
        for chunk in &*chunks {
            for &index in &indices[chunk.of_row(plan.rows())] {
                let index = index as usize;
                giants.push(boxes[index], (source.id)(index));
            }
        }

        let (first, new) = (rows.len(), rows.last().map_or(0, Row::padded));
        open_rows(plan, nodes, rows);
        leaves.resize(rows.last().map_or(0, Row::padded));
        // More runs than threads, to balance the load.
        let workers = if workers == 1 { 1 } else { (4 * workers).min(MAX_ROW_RUNS) };
        let pieces = Pieces { chunks, indices, source: &source };
        let first_node = rows[first..].first().map_or(0, |row| row.nodes as usize);
        let lowest = nodes.lowest_mut();
        let nodes = lowest.edges_mut(first_node..lowest.len());
        let run = RowRun { first: 0, rows: &mut rows[first..], places: leaves.from(new), nodes };
        parallel::share(&mut [(); MAX_ROW_RUNS][..workers], run, &RowRun::split, &|(), run| {
            sorters.with(RowSorter::default, |sorter| {
                vectorized(
                    #[inline(always)]
                    || run.fill(&pieces, sorter),
                );
            });
        });
        let mut reach = i32::MIN;
        for row in &mut rows[first..] {
            reach = reach.max(row.bottom);
            row.reach = reach;
        }
    }

    /// Plans the rows, and computes the code of each box by it. Returns false if no box has a pixel.
    fn plan_rows<I: Item>(&mut self, workers: usize, boxes: &[I]) -> bool {
        let items = boxes.len();
        let Self { plan, chunks, totals, codes, indices, .. } = self;
        if chunks.len() < workers {
            chunks.resize_with(workers, Chunk::default);
        }
        let chunks = &mut chunks[..workers];
        for (i, chunk) in chunks.iter_mut().enumerate() {
            chunk.items = items * i / workers..items * (i + 1) / workers;
        }
        let (mut all, mut each) = BoxStats::sampled(boxes);
        if all.count == 0 {
            return false;
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
                return true;
            }
            (all, each) = (BoxStats::new(boxes.iter()), 1);
        }
    }
}

/// Appends the planned rows, each behind the padding of the one before, with its nodes.
fn open_rows(plan: &RowPlan, nodes: &mut Nodes, rows: &mut Vec<Row>) {
    let mut start = rows.last().map_or(0, Row::padded);
    for &boxes in &plan.counts {
        let (at, end) = (start as u32, start as u32 + boxes);
        let mut row = Row {
            start: at,
            end,
            top: i32::MAX,
            bottom: i32::MIN,
            reach: i32::MIN,
            slack: 0,
            nodes: 0,
        };
        row.nodes = nodes.add(start / BLOCK_BOXES, row.blocks()) as u32;
        start = row.padded();
        rows.push(row);
    }
}

/// Computes the codes of the boxes. Counts the boxes of each code, by chunk and in total.
fn count(
    plan: &RowPlan,
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

/// The scattered boxes: each chunk holds a piece of every row.
struct Pieces<'p, I, F> {
    chunks: &'p [Chunk],
    indices: &'p [u32],
    source: &'p ItemSource<'p, I, F>,
}

impl<I, F> Pieces<'_, I, F> {
    /// Returns the pieces of a row in order, each with its length.
    #[inline(always)]
    fn of_row(&self, row: usize) -> impl Iterator<Item = (&[u32], usize)> + Clone {
        self.chunks.iter().map(move |chunk| {
            let piece = chunk.of_row(row);
            (&self.indices[piece.start..], piece.len())
        })
    }
}

struct RowRun<'r, P> {
    first: usize,
    rows: &'r mut [Row],
    places: LeafSlice<'r, P>,
    nodes: EdgesMut<'r>,
}

impl<P: Copy + Default> RowRun<'_, P> {
    /// Splits the run, with the number of boxes in proportion to the workers.
    fn split(self, left: &[()], right: &[()]) -> (Self, Self) {
        let start = self.rows.first().map_or(0, |row| row.start as usize);
        let end = self.rows.last().map_or(0, Row::padded);
        let middle = start + (end - start) / (left.len() + right.len()) * left.len();
        let count = self.rows.partition_point(|row| row.padded() <= middle);
        let (rows, other) = self.rows.split_at_mut(count);
        let len = rows.last().map_or(start, Row::padded) - start;
        let (places, other_places) = self.places.split(len);
        let span = rows.iter().map(|row| nodes::padded_nodes(row.blocks())).sum();
        let (nodes, other_nodes) = aabb_soa::split(self.nodes, span);
        let first = self.first + count;
        (
            RowRun { first: self.first, rows, places, nodes },
            RowRun { first, rows: other, places: other_places, nodes: other_nodes },
        )
    }

    /// Fills each row from left to right, and writes the nodes above it.
    #[inline(always)]
    fn fill<I: Item<Payload = P>>(
        self,
        pieces: &Pieces<'_, I, impl Fn(usize) -> u32>,
        sorter: &mut RowSorter,
    ) {
        let Self { first, rows, mut places, mut nodes } = self;
        for (i, row) in rows.iter_mut().enumerate() {
            let len = row.padded() - row.start as usize;
            let (mut all, rest) = places.split(len);
            let (mut these, mut padding) = all.reborrow().split(row.len());
            row.slack = sorter.sort_into(pieces.of_row(first + i), pieces.source, &mut these);
            padding.clear();
            let (above, later) = aabb_soa::split(nodes, nodes::padded_nodes(row.blocks()));
            let (mut above, none) = aabb_soa::split(above, row.blocks());
            nodes::fill(all.edges(), &mut above);
            aabb_soa::clear(none);
            // Positions without a box do not widen a node.
            let [_, top, _, bottom] = above;
            row.top = top.iter().copied().min().unwrap_or(i32::MAX);
            row.bottom = bottom.iter().copied().max().unwrap_or(i32::MIN);
            (places, nodes) = (rest, later);
        }
    }
}

/// Indices prefetched ahead of the one written: two cache lines. There are more rows than streams
/// that the hardware prefetcher tracks. Without the prefetch, stores wait in the short store
/// buffer.
pub(super) const SCATTER_AHEAD: usize = 32;

/// One worker's range of the boxes. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// The range of boxes; their codes and indices have the same range.
    pub(super) items: Range<usize>,
    /// Number of boxes of each code.
    pub(super) counts: Vec<u32>,
    /// Offset in the chunk of the next box of each row; after scattering, the end of each row.
    next: Vec<u32>,
}

impl Chunk {
    pub(super) fn count(&mut self, plan: &RowPlan, boxes: &[impl Item], codes: &mut [u16]) {
        let boxes = &boxes[self.items.clone()];
        self.counts.clear();
        self.counts.resize(plan.codes(), 0);
        plan.encode(boxes, codes, &mut self.counts);
    }

    /// Writes the indices of the chunk's boxes, row by row. Prefetches `ahead` places ahead.
    pub(super) fn scatter(
        &mut self,
        plan: &RowPlan,
        codes: &[u16],
        indices: &mut [u32],
        ahead: usize,
    ) {
        let row_of = &plan.row_of;
        self.next.clear();
        self.next.resize(plan.rows() + 2, 0);
        let next = &mut self.next[..];
        for (&boxes, &row) in self.counts.iter().zip(row_of) {
            next[usize::from(row)] += boxes;
        }
        let mut start = 0;
        for next in &mut *next {
            start += std::mem::replace(next, start);
        }
        for (&code, index) in codes.iter().zip(self.items.start as u32..) {
            let next = &mut next[usize::from(row_of[usize::from(code)])];
            indices[*next as usize] = index;
            prefetch::item(indices, *next as usize + ahead);
            *next += 1;
        }
    }

    /// Returns the range of a row's indices among those of all chunks.
    #[inline(always)]
    pub(super) fn of_row(&self, row: usize) -> Range<usize> {
        let start = row.checked_sub(1).map_or(0, |before| self.next[before]);
        self.items.start + start as usize..self.items.start + self.next[row] as usize
    }
}
