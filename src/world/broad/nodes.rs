//! The levels above the leaves: each node is the box round sixteen of the level below.
//!
//! Built after the leaves are packed, descended by queries and by the giants of the sweep. What it
//! keeps true: a box lies inside every node above it.

use super::bounds::{BLOCK, Bounds, Edges};
use super::lanes::Lanes;
use crate::geom::Rect;
use std::ops::ControlFlow;

/// Levels above the leaves, from the lowest: the top one is a single block.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    levels: Vec<Bounds>,
    /// How many of `levels` are in use; the rest is kept for its memory.
    used: usize,
    root: Rect,
}

/// Levels above the leaves, at most. Sixteen to the eighth is 2^32.
pub(super) const LEVELS: usize = 8;

impl Nodes {
    /// Builds the levels over the leaves.
    #[inline(always)]
    pub(super) fn build<L: Lanes>(&mut self, lanes: L, leaves: &Bounds) {
        self.used = 0;
        let mut len = leaves.len();
        while len > BLOCK || self.used == 0 {
            if self.levels.len() == self.used {
                self.levels.push(Bounds::default());
            }
            let (below, above) = self.levels.split_at_mut(self.used);
            let (below, level) = (below.last().unwrap_or(leaves), &mut above[0]);
            let nodes = len / BLOCK;
            level.resize(nodes.next_multiple_of(BLOCK).max(BLOCK));
            for node in 0..nodes {
                level.set(node, lanes.around(below.edges(), node * BLOCK));
            }
            level.clear(nodes..level.len());
            len = level.len();
            self.used += 1;
        }
        self.root = lanes.around(self.level(self.used - 1), 0);
    }

    /// Calls `visit` with the position of each block of leaves, below `end`, whose node overlaps
    /// `rect`, in ascending order.
    #[inline(always)]
    pub(super) fn search<L: Lanes, B>(
        &self,
        lanes: L,
        rect: Rect,
        end: usize,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.descend(
            #[inline(always)]
            |bounds, at| lanes.overlapping(bounds, at, rect),
            end,
            visit,
        )
    }

    /// Calls `visit` with the position of each block of leaves, below `end`, whose node and all
    /// nodes above it are wanted, in ascending order. `wanted` tells of a block, a bit for each
    /// of its boxes.
    #[inline(always)]
    pub(super) fn descend<B>(
        &self,
        wanted: impl Fn(Edges<'_>, usize) -> u32,
        end: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // On each level, from the top one down, the block at hand and what is left of it.
        let mut blocks = [(0_usize, 0_u32); LEVELS];
        let top = self.used - 1;
        let mut level = top;
        blocks[level] = (0, wanted(self.level(level), 0));
        loop {
            let (at, bits) = &mut blocks[level];
            if *bits == 0 {
                if level == top {
                    return ControlFlow::Continue(());
                }
                level += 1;
                continue;
            }
            let below = (*at + bits.trailing_zeros() as usize) * BLOCK;
            *bits &= *bits - 1;
            if level > 0 {
                level -= 1;
                blocks[level] = (below, wanted(self.level(level), below));
            } else if below < end {
                visit(below)?;
            }
        }
    }

    /// Calls `visit` with the position of each leaf that overlaps `rect`, in ascending order.
    #[inline(always)]
    pub(super) fn meet<L: Lanes, B>(
        &self,
        lanes: L,
        rect: Rect,
        leaves: Edges<'_>,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.search(
            lanes,
            rect,
            leaves.x0.len(),
            #[inline(always)]
            |at| {
                let mut bits = lanes.overlapping(leaves, at, rect);
                while bits != 0 {
                    visit(at + bits.trailing_zeros() as usize)?;
                    bits &= bits - 1;
                }
                ControlFlow::Continue(())
            },
        )
    }

    /// The number of levels.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// The boxes of a level; 0 is that right above the leaves.
    #[inline(always)]
    pub(super) fn level(&self, level: usize) -> Edges<'_> {
        self.levels[level].edges()
    }

    /// The smallest box round all leaves.
    pub(super) fn root(&self) -> Rect {
        self.root
    }

    /// Boxes round the blocks of leaves.
    pub(super) fn lowest(&self) -> &Bounds {
        &self.levels[0]
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.levels.iter().map(Bounds::heap).sum()
    }
}
