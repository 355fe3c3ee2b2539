//! The levels above the leaves: each node is the box round sixteen of the level below.
//!
//! Built after the leaves are packed, descended by queries and by the giants of the sweep. What it
//! keeps true: a box lies inside every node above it.

use super::bounds::{BLOCK, Bounds, Edges};
use super::lanes::Lanes;
use crate::geom::Rect;

/// Levels above the leaves, from the lowest: the top one is a single block.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    levels: Vec<Bounds>,
    /// How many of `levels` are in use; the rest is kept for its memory.
    used: usize,
}

/// Blocks that a search still has to look into, at most: fifteen brothers on each of eight levels,
/// and one. Sixteen to the eighth is 2^32.
const PENDING: usize = 128;

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
    pub(super) fn search<L: Lanes>(
        &self,
        lanes: L,
        rect: Rect,
        end: usize,
        mut visit: impl FnMut(usize),
    ) {
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
                        visit(leaf);
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
    }

    /// Adds to `found` the ids of the leaves that overlap `rect`, in tree order.
    #[inline(always)]
    pub(super) fn gather<L: Lanes>(
        &self,
        lanes: L,
        rect: Rect,
        leaves: Edges<'_>,
        ids: &[u32],
        found: &mut Vec<u32>,
    ) {
        self.search(
            lanes,
            rect,
            leaves.x0.len(),
            #[inline(always)]
            |at| {
                let mut bits = lanes.overlapping(leaves, at, rect);
                while bits != 0 {
                    found.push(ids[at + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            },
        );
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
