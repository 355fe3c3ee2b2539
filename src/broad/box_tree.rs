//! The public tree over plain rectangles: pairs and queries.
//!
//! A thin layer over [`Tree`] that translates tree positions into the indices of the caller's
//! boxes. Called by users of the crate; the world uses [`Tree`] itself.

use crate::broad::hit_buffer::BATCH;
use crate::broad::pack;
use crate::broad::pair_order::PairOrder;
use crate::broad::pair_order::key_of;
use crate::broad::tree::Tree;
use crate::geom::Rect;
use crate::memory::parallel;
use crate::simd::vectorized;
use std::ops::ControlFlow;

/// A tree of boxes on the plane. Finds all overlapping pairs, and the boxes in a rectangle or near
/// a point.
///
/// [`pack`](Self::pack) rebuilds the tree, at about 5 ns a box. With the feature `rayon` it uses
/// several cores from 6,000 boxes on. A box is named by its index in the packed slice.
///
/// ```
/// use hitmask::{BoxTree, Rect};
/// let mut tree = BoxTree::new();
/// tree.pack(&[Rect::new(0, 0, 4, 4), Rect::new(9, 9, 12, 12), Rect::new(3, 3, 10, 10)]);
/// let mut pairs = Vec::new();
/// tree.pairs(&mut pairs);
/// assert_eq!(pairs, [[0, 2], [1, 2]]);
/// let mut here = Vec::new();
/// tree.query_rect(Rect::new(3, 3, 4, 4), &mut here);
/// assert_eq!(here, [0, 2]);
/// ```
///
/// # Memory
/// At most 64 bytes a box:
/// - 20 bytes for a box and its index, plus padding of at most half of that and 124 bytes;
/// - the nodes above the boxes;
/// - 6 bytes while packing;
/// - 30 bytes for each box of the longest row, which holds all boxes only if they lie side by side.
///
/// Each thread adds about 40 KB and a row: 80 KB at 100,000 boxes, 160 KB at 1,000,000. The list
/// of [`pairs`](Self::pairs) adds 16 bytes a pair; [`each_pair`](Self::each_pair) does without it.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    pub(super) tree: Tree<Rect>,
    pub(super) order: PairOrder,
}

impl BoxTree {
    /// Returns a tree without boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the contents of the tree by `boxes`. Empty boxes overlap nothing.
    ///
    /// # Panics
    /// If there are 2^31 boxes or more.
    pub fn pack(&mut self, boxes: &[Rect]) {
        parallel::within(pack::workers(boxes.len()), || self.tree.pack(boxes));
    }

    /// Replaces the contents of `pairs` by all pairs of overlapping boxes, each once. The smaller
    /// index comes first in each pair; the pairs are in ascending order.
    pub fn pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        let Self { tree, order } = self;
        let buckets = &mut order.begin(1, tree.len())[0];
        tree.sweep_ids(|first, second| {
            let keys = first.iter().zip(second).map(|(&a, &b)| key_of(a, b));
            buckets.extend(keys.map(|key| (key, true)));
        });
        order.end();
        order.write(pairs, [0; 2], |pair| pair);
    }

    /// Calls `take` with all pairs of overlapping boxes, each once, in batches of some hundreds.
    /// The smaller index comes first in each pair.
    ///
    /// The order of the pairs depends on the boxes and on the vector width of the machine. The
    /// order of [`pairs`](Self::pairs) is the same everywhere.
    pub fn each_pair(&mut self, mut take: impl FnMut(&[[u32; 2]])) {
        let mut id_pairs = [[0; 2]; BATCH];
        self.tree.sweep_ids(|first, second| {
            take(ordered_pairs((first, second), &mut id_pairs));
        });
    }

    /// Appends all boxes that overlap `rect` to `found`. The order depends on the boxes alone.
    pub fn query_rect(&self, rect: Rect, found: &mut Vec<u32>) {
        let ids = self.tree.leaves().ids;
        let _: ControlFlow<()> = self.tree.query_rect(rect, |at| {
            found.push(ids[at]);
            ControlFlow::Continue(())
        });
    }
}

/// Writes pairs of indices to `room`, the smaller index first.
#[inline(always)]
fn ordered_pairs<'r>(
    (first, second): (&[u32], &[u32]),
    room: &'r mut [[u32; 2]; BATCH],
) -> &'r [[u32; 2]] {
    let id_pairs = &mut room[..first.len()];
    vectorized(
        #[inline(always)]
        || {
            for (to, (&a, &b)) in id_pairs.iter_mut().zip(first.iter().zip(second)) {
                *to = [a.min(b), a.max(b)];
            }
        },
    );
    id_pairs
}
