//! The levels above the leaves. Each node is the bounding box of 16 boxes of the level below.
//!
//! The lowest level is written row by row, while the leaves of the row are still in cache. The
//! other levels follow when all leaves are packed.
//!
//! Invariants: a box lies inside every node above it. A node of the second level covers nodes of
//! one row only. A node over two rows would be as wide as both, and nearly every query would
//! descend into it in vain.

use crate::broad::aabb_soa::{BLOCK_BOXES, BoxEdges, Edges, EdgesMut};
use crate::broad::kernels::{Kernels, with_kernels};
use crate::geom::Rect;
use crate::memory::clone_fields::clone_fields;
use crate::memory::vec_growth;
use crate::simd;
use fearless_simd::{Level, Simd};
use std::ops::ControlFlow;

/// The levels above the leaves, from the lowest up. The top level is a few blocks.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    levels: Vec<BoxEdges>,
    /// For each block of the lowest level: the number of the leaf block under its first node.
    first_blocks: Vec<u32>,
    /// Number of `levels` in use. The others are kept for their memory.
    pub(super) level_count: usize,
    root: Rect,
}

clone_fields!([] Nodes { levels, first_blocks, level_count, root });

/// Upper bound on levels above the leaves: 16^8 is 2^32.
pub(super) const MAX_LEVELS: usize = 8;

/// Upper bound on blocks of the top level: testing a few costs less than one more level.
pub(super) const TOP_BLOCKS: usize = 4;

/// Receives positions in tree order until it breaks.
pub(super) type Visit<'v> = dyn FnMut(usize) -> ControlFlow<()> + 'v;

impl Nodes {
    pub(super) fn clear(&mut self) {
        self.first_blocks.clear();
    }

    /// Adds the nodes of the next row: `blocks` leaf blocks from the block `first` on. Returns
    /// the position of its first node. The row takes [`padded_nodes`] positions.
    pub(super) fn add(&mut self, first: usize, blocks: usize) -> usize {
        let at = self.first_blocks.len() * BLOCK_BOXES;
        let first_blocks = (first..first + blocks).step_by(BLOCK_BOXES);
        first_blocks.for_each(|first| vec_growth::push(&mut self.first_blocks, first as u32));
        at
    }

    /// Resizes the lowest level to the rows added so far and borrows it for writing.
    pub(super) fn lowest_mut(&mut self) -> &mut BoxEdges {
        if self.levels.is_empty() {
            self.levels.push(BoxEdges::default());
        }
        let lowest = &mut self.levels[0];
        lowest.resize(self.first_blocks.len().max(1) * BLOCK_BOXES);
        lowest
    }

    pub(super) fn build(&mut self) {
        let is_empty = self.first_blocks.is_empty();
        let lowest = self.lowest_mut();
        if is_empty {
            lowest.clear(0..BLOCK_BOXES);
        }
        let mut len = lowest.len();
        self.level_count = 1;
        while len > TOP_BLOCKS * BLOCK_BOXES {
            if self.levels.len() == self.level_count {
                self.levels.push(BoxEdges::default());
            }
            let (below, above) = self.levels.split_at_mut(self.level_count);
            let (below, level) = (&below[self.level_count - 1], &mut above[0]);
            let nodes = len / BLOCK_BOXES;
            level.resize(nodes.next_multiple_of(BLOCK_BOXES).max(BLOCK_BOXES));
            fill(below.edges(), &mut level.edges_mut(0..nodes));
            level.clear(nodes..level.len());
            len = level.len();
            self.level_count += 1;
        }
        let Edges { x0, y0, x1, y1 } = self.level(self.level_count - 1);
        let least = |edges: &[i32]| edges.iter().copied().min().unwrap_or(0);
        let most = |edges: &[i32]| edges.iter().copied().max().unwrap_or(0);
        self.root = Rect::new(least(x0), least(y0), most(x1), most(y1));
    }

    /// Calls `visit` with each leaf block below `end` whose node overlaps `rect`, in order.
    #[inline(always)]
    pub(super) fn search<S: Simd, B>(
        &self,
        kernels: Kernels<S>,
        rect: Rect,
        end: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // For each level from the top down: the start of the current block, and the bits left to
        // visit.
        let mut blocks = [(0_usize, 0_u64); MAX_LEVELS];
        let top = self.level_count - 1;
        let mut level = top;
        for at in self.top_blocks() {
            let overlapping = kernels.overlapping(self.level(top).block(at), rect);
            blocks[top].1 |= u64::from(overlapping) << at;
        }
        loop {
            let (at, bits) = &mut blocks[level];
            if *bits == 0 {
                if level == top {
                    return ControlFlow::Continue(());
                }
                level += 1;
                continue;
            }
            let node = *at + bits.trailing_zeros() as usize;
            *bits &= *bits - 1;
            if level > 0 {
                level -= 1;
                let below = node * BLOCK_BOXES;
                let overlapping = kernels.overlapping(self.level(level).block(below), rect);
                blocks[level] = (below, overlapping.into());
                continue;
            }
            let leaves = self.leaves(node);
            if leaves < end {
                visit(leaves)?;
            }
        }
    }

    /// Calls `visit` with the position of each leaf that overlaps `rect`, in ascending order.
    pub(super) fn query_on(
        &self,
        level: Level,
        rect: Rect,
        leaves: Edges<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        with_kernels!(level, kernels => self.query(kernels, rect, leaves, visit))
    }

    /// As [`query_on`](Self::query_on), with kernels.
    #[inline(always)]
    fn query<S: Simd, B>(
        &self,
        kernels: Kernels<S>,
        rect: Rect,
        leaves: Edges<'_>,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search(
            kernels,
            rect,
            leaves.x0.len(),
            #[inline(always)]
            |at| {
                let mut bits = kernels.overlapping(leaves.block(at), rect);
                while bits != 0 {
                    visit(at + bits.trailing_zeros() as usize)?;
                    bits &= bits - 1;
                }
                ControlFlow::Continue(())
            },
        )
    }

    /// Returns the first level, counted from 1, whose boxes are larger than `rect` on average. A
    /// line that spans `rect` crosses most of such boxes that overlap `rect`.
    pub(super) fn larger_than(&self, rect: Rect) -> usize {
        let area = |rect: Rect| f64::from(rect.width()) * f64::from(rect.height());
        let boxes = area(self.root) / area(rect).max(1.0);
        self.levels[..self.level_count]
            .iter()
            .position(|level| boxes >= level.len() as f64)
            .unwrap_or(self.level_count)
            + 1
    }

    /// Returns the start of the leaf block under a node of the lowest level.
    #[inline(always)]
    pub(super) fn leaves(&self, node: usize) -> usize {
        (self.first_blocks[node / BLOCK_BOXES] as usize + node % BLOCK_BOXES) * BLOCK_BOXES
    }

    #[inline(always)]
    pub(super) fn top_blocks(&self) -> impl Iterator<Item = usize> {
        let len = self.level(self.level_count - 1).x0.len();
        (0..len.min(TOP_BLOCKS * BLOCK_BOXES)).step_by(BLOCK_BOXES)
    }

    /// Returns the boxes of a level; level 0 lies directly above the leaves.
    #[inline(always)]
    pub(super) fn level(&self, level: usize) -> Edges<'_> {
        self.levels[level].edges()
    }

    pub(super) fn root(&self) -> Rect {
        self.root
    }

    /// Returns the lowest level, padded to whole blocks for each row.
    pub(super) fn lowest(&self) -> &BoxEdges {
        &self.levels[0]
    }
}

/// Returns the positions of a row of `blocks` leaf blocks: a whole number of blocks.
pub(super) fn padded_nodes(blocks: usize) -> usize {
    blocks.next_multiple_of(BLOCK_BOXES)
}

/// Writes the bounding boxes of the first blocks of the level below, one to each node.
pub(super) fn fill(below: Edges<'_>, nodes: &mut EdgesMut<'_>) {
    with_kernels!(simd::preferred(), kernels => fill_with(kernels, below, nodes));
}

#[inline(always)]
fn fill_with<S: Simd>(kernels: Kernels<S>, below: Edges<'_>, [x0, y0, x1, y1]: &mut EdgesMut<'_>) {
    let nodes = x0.iter_mut().zip(&mut **y0).zip(x1.iter_mut().zip(&mut **y1));
    for (node, ((x0, y0), (x1, y1))) in nodes.enumerate() {
        let rect = kernels.bounding_box(below.block(node * BLOCK_BOXES));
        (*x0, *y0, *x1, *y1) = (rect.x0, rect.y0, rect.x1, rect.y1);
    }
}
