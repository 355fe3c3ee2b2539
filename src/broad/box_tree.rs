//! The public tree over plain rectangles: pairs, queries, casts and nearest boxes.
//!
//! A thin layer over [`Tree`] that translates tree positions into the indices of the caller's
//! boxes. Called by users of the crate; the world uses [`Tree`] itself.

use crate::broad::hit_buffer::BATCH;
use crate::broad::leaves::Leaves;
use crate::broad::nearest::distance;
use crate::broad::pack;
use crate::broad::pair_order::PairOrder;
use crate::broad::pair_order::key_of;
use crate::broad::swept_rect::SweptRect;
use crate::broad::tree::Tree;
use crate::geom::{Point, Rect};
use crate::memory::parallel;
use crate::simd::{self, vectorized};
use std::hint::select_unpredictable;
use std::ops::ControlFlow;

/// A tree of boxes on the plane. Finds all overlapping pairs, and the boxes at a point, in a
/// rectangle, along a line or near a point.
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

    /// Calls `take` with all pairs of a box of this tree and an overlapping box of `other`, each
    /// once, in batches of some hundreds. The index in this tree comes first. The order depends on
    /// the boxes alone.
    ///
    /// Use it for moving boxes among many static ones: the static tree is packed once.
    pub fn each_pair_with(&mut self, other: &Self, mut take: impl FnMut(&[[u32; 2]])) {
        let mut id_pairs = [[0; 2]; BATCH];
        self.tree.join(&other.tree, |leaves, others, first, second| {
            let id_pairs = &mut id_pairs[..first.len()];
            for ((pair, &a), &b) in id_pairs.iter_mut().zip(first).zip(second) {
                *pair = [leaves.ids[a as usize], others.ids[b as usize]];
            }
            take(id_pairs);
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

    /// Appends all boxes on the straight line between two pixel centres to `found`. They are in the
    /// order in which the line enters them, then in order of index.
    ///
    /// A box counts if it contains a pixel of the line: a pixel whose half-open square contains a
    /// point of the line. The cost grows with the number of boxes near the line. To find only the
    /// first box, query the line in sections.
    pub fn query_line(
        &self,
        from: impl Into<[i32; 2]>,
        to: impl Into<[i32; 2]>,
        found: &mut Vec<u32>,
    ) {
        let Some(swept_rect) =
            self.tree.swept_rect(Point::from(from.into()), [1, 1], Point::from(to.into()))
        else {
            return;
        };
        let before = found.len();
        let _: ControlFlow<()> = self.tree.cast_with(simd::preferred(), &swept_rect, |at| {
            found.push(at as u32);
            ControlFlow::Continue(())
        });
        self.sort_hits(&swept_rect, &mut found[before..]);
    }

    /// Sorts crossed boxes by entry time, and replaces positions by indices.
    fn sort_hits(&self, swept_rect: &SweptRect, hits: &mut [u32]) {
        let leaves = self.tree.leaves();
        if i32::try_from(self.len()).is_ok() {
            let done = match hits.len() {
                0..=8 => sort_few::<8>(leaves, swept_rect, hits),
                9..=16 => sort_few::<16>(leaves, swept_rect, hits),
                _ => false,
            };
            if done {
                return;
            }
        }
        let mut order: Vec<(f64, u32)> =
            hits.iter().map(|&at| (swept_rect.entry_time(&leaves.rect(at as usize)), at)).collect();
        order.sort_unstable_by(|&(time, at), &(other_time, other)| {
            let (at, other) = (at as usize, other as usize);
            let times = time.total_cmp(&other_time);
            let times =
                times.then_with(|| swept_rect.cmp_entry(&leaves.rect(at), &leaves.rect(other)));
            times.then_with(|| leaves.ids[at].cmp(&leaves.ids[other]))
        });
        hits.iter_mut().zip(order).for_each(|(to, (_, at))| *to = leaves.ids[at as usize]);
    }

    /// Returns the box nearest to the pixel `point`, at most `within` pixels away. Of several at
    /// the same distance it returns the one with the smallest index.
    ///
    /// The distance is Euclidean, from the pixel to the nearest pixel of the box. It is 0 inside a
    /// box.
    #[must_use]
    pub fn nearest(&self, point: impl Into<[i32; 2]>, within: u32) -> Option<u32> {
        let (point, leaves) = (Point::from(point.into()), self.tree.leaves());
        let limit = u64::from(within) * u64::from(within);
        let distance = |at| Some(distance(&leaves.rect(at), point));
        self.tree.nearest(point, limit, distance).map(|(at, _)| leaves.ids[at])
    }

    /// Returns the number of boxes, empty ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tree.len()
    }

    /// Returns true if there is no box.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
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

/// Sorts up to `N` boxes by rank: each box is compared with each other one. Returns false if two
/// entry times are equal after rounding. For few boxes only, because the cost grows with `N`.
#[inline(always)]
fn sort_few<const N: usize>(
    leaves: Leaves<'_, ()>,
    swept_rect: &SweptRect,
    hits: &mut [u32],
) -> bool {
    let (mut ids, mut times) = ([0; N], [i32::MAX; N]);
    for ((id, time), &at) in ids.iter_mut().zip(&mut times).zip(&*hits) {
        *id = leaves.ids[at as usize];
        // Non-negative floats sort like their bits. At time 0 the line may start in several boxes.
        // These come first, in order of index (less than 2^31).
        let bits = (swept_rect.entry_time(&leaves.rect(at as usize)) as f32).to_bits() as i32;
        *time = select_unpredictable(bits == 0, (*id as i32).wrapping_add(i32::MIN), bits);
    }
    // The rank of a box is the number of smaller times. There is no branch, because the outcome of
    // a comparison is as good as random.
    let (mut ranks, mut equal) = ([0_u32; N], [0_u32; N]);
    for &time in &times[..hits.len()] {
        for ((rank, equal), &other) in ranks.iter_mut().zip(&mut equal).zip(&times) {
            *rank += u32::from(time < other);
            *equal += u32::from(time == other);
        }
    }
    if equal.iter().sum::<u32>() != hits.len() as u32 {
        return false;
    }
    for (&id, rank) in ids[..hits.len()].iter().zip(ranks) {
        hits[rank as usize] = id;
    }
    true
}
