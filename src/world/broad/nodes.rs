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
}

/// Levels above the leaves, at most. Sixteen to the eighth is 2^32.
pub(super) const LEVELS: usize = 8;

/// Blocks that a search still has to look into, at most: fifteen brothers on each level, and one.
pub(super) const PENDING: usize = 16 * LEVELS;

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
    }

    /// Calls `visit` with the position of each block of leaves, below `end`, whose node overlaps
    /// `rect`, in ascending order.
    #[inline(always)]
    pub(super) fn search<L: Lanes, B>(
        &self,
        lanes: L,
        rect: Rect,
        end: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut pending = [(0_u32, 0_u32); PENDING];
        // The top block's only parent would be the first of the level above.
        pending[0] = (self.used as u32, 0);
        let mut left = 1;
        while left > 0 {
            left -= 1;
            let (level, node) = pending[left];
            let at = node as usize * BLOCK;
            let mut bits = lanes.overlapping(self.levels[level as usize - 1].edges(), at, rect);
            if level == 1 {
                while bits != 0 {
                    let leaf = (at + bits.trailing_zeros() as usize) * BLOCK;
                    bits &= bits - 1;
                    if leaf < end {
                        visit(leaf)?;
                    }
                }
                continue;
            }
            // The last goes on first, so that the first comes off first.
            while bits != 0 {
                let last = 31 - bits.leading_zeros();
                bits ^= 1 << last;
                pending[left] = (level - 1, node * BLOCK as u32 + last);
                left += 1;
            }
        }
        ControlFlow::Continue(())
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
        let Some(top) = self.used.checked_sub(1) else { return Rect::default() };
        let Edges { x0, y0, x1, y1 } = self.levels[top].edges();
        let least = |edges: &[i32]| edges.iter().copied().min().unwrap_or(0);
        let most = |edges: &[i32]| edges.iter().copied().max().unwrap_or(0);
        Rect::new(least(x0), least(y0), most(x1), most(y1))
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
