use crate::broad::hit_buffer::BATCH;
use crate::broad::leaves::{Leaves, keys_of_pairs};
use crate::broad::nearest::distance;
use crate::broad::pack;
use crate::broad::pair_buckets::ids_of;
use crate::broad::pair_order::PairOrder;
use crate::broad::swept_rect::SweptRect;
use crate::broad::tree::Tree;
use crate::geom::{Point, Rect};
use crate::memory::parallel;
use crate::simd;
use std::hint::select_unpredictable;
use std::ops::ControlFlow;

/// Boxes on the plane: all pairs that overlap, and all that a point or a rectangle meets.
///
/// For boxes that move it is packed again each time, which takes about 5 nanoseconds a box, on
/// several cores from 6,000 boxes on where the feature `rayon` is on. A box is named by its index
/// among those given.
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
/// At most 64 bytes a box, whatever the boxes: 20 for a box and its index, padded by at most half
/// and 124 bytes, the nodes above them, 6 more while packing, and 30 more for each box of the longest
/// strip, which are all of them only where they lie in one row. Besides for each thread some 40
/// kilobytes and a strip: 80 kilobytes where there are 100,000 boxes, 160 where there are a million.
/// With the list of pairs 16 bytes a pair more, which [`each_pair`](Self::each_pair) does without.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    pub(super) tree: Tree<Rect>,
    pub(super) order: PairOrder,
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
        parallel::within(pack::workers(boxes.len()), || self.tree.pack(boxes));
    }

    /// Replaces the contents of `pairs` by all pairs of boxes that overlap, each once: the smaller
    /// index first, in order of it, then of the greater one.
    pub fn pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        let Self { tree, order } = self;
        let buckets = &mut order.begin(1, tree.len())[0];
        tree.sweep(|leaves, first, second| {
            let keys = keys_of_pairs([leaves, leaves], (first, second));
            buckets.extend(keys.map(|key| (key, true)));
        });
        order.end();
        order.write(pairs, [0; 2], |pair| pair);
    }

    /// Calls `take` with all pairs of boxes that overlap, each once, some hundreds at a time: the
    /// smaller index first in each pair, the pairs in an order that depends on the boxes and on the
    /// vectors of this machine. [`pairs`](Self::pairs) are in order everywhere.
    pub fn each_pair(&mut self, mut take: impl FnMut(&[[u32; 2]])) {
        let mut id_pairs = [[0; 2]; BATCH];
        self.tree.sweep(|leaves, first, second| {
            take(ids_of_positions(leaves, (first, second), &mut id_pairs));
        });
    }

    /// The same with a worker for each thread that is wanted: each takes a run of those pairs,
    /// the first worker the first one. With the feature `rayon` they work at the same time.
    ///
    /// More workers than threads, four to each say, wait less for the last.
    pub fn each_pair_on<W: Send>(
        &mut self,
        workers: &mut [W],
        take: impl Fn(&mut W, &[[u32; 2]]) + Sync,
    ) {
        self.tree.sweep_parts(workers, |worker, leaves, first, second| {
            let mut id_pairs = [[0; 2]; BATCH];
            take(worker, ids_of_positions(leaves, (first, second), &mut id_pairs));
        });
    }

    /// Calls `take` with all pairs of a box of this tree and one of `other` that overlap, each
    /// once, some hundreds at a time: the index in this tree first in each pair, the pairs in an
    /// order that depends on the boxes alone.
    ///
    /// For what moves among many things that stand still: the tree of those is packed once.
    ///
    /// ```
    /// use hitmask::{BoxTree, Rect};
    /// let (mut moving, mut fixed) = (BoxTree::new(), BoxTree::new());
    /// fixed.pack(&[Rect::new(0, 0, 4, 4), Rect::new(9, 9, 12, 12)]);
    /// moving.pack(&[Rect::new(3, 3, 10, 10), Rect::new(11, 0, 12, 99)]);
    /// let mut pairs = Vec::new();
    /// moving.each_pair_with(&fixed, |found| pairs.extend_from_slice(found));
    /// pairs.sort();
    /// assert_eq!(pairs, [[0, 0], [0, 1], [1, 1]]);
    /// ```
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

    /// Adds to `found` all boxes that contain the pixel `point`, in an order that depends on the
    /// boxes alone.
    pub fn query_point(&self, point: impl Into<[i32; 2]>, found: &mut Vec<u32>) {
        let Point { x, y } = Point::from(point.into());
        self.query_rect(Rect::new(x, y, x.saturating_add(1), y.saturating_add(1)), found);
    }

    /// Adds to `found` all boxes that overlap `rect`, in an order that depends on the boxes alone.
    pub fn query_rect(&self, rect: Rect, found: &mut Vec<u32>) {
        let ids = self.tree.leaves().ids;
        let _: ControlFlow<()> = self.tree.query_rect(rect, |at| {
            found.push(ids[at]);
            ControlFlow::Continue(())
        });
    }

    /// Adds to `found` all boxes that the straight line from the middle of one pixel to the middle
    /// of another runs through, in the order in which it enters them, then of their indices.
    ///
    /// ```
    /// use hitmask::{BoxTree, Rect};
    /// let mut tree = BoxTree::new();
    /// tree.pack(&[Rect::new(20, 0, 24, 9), Rect::new(9, 9, 12, 12), Rect::new(3, 3, 10, 10)]);
    /// let mut hits = Vec::new();
    /// tree.ray([0, 5], [30, 5], &mut hits);
    /// assert_eq!(hits, [2, 0]);
    /// ```
    ///
    /// A box counts where it contains a pixel of the line: one in whose half-open square a point
    /// of the line lies. Takes time for each box near the line; whoever wants the first alone asks
    /// by parts.
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

    /// Puts boxes that a way meets in order, and their indices where their positions are.
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

    /// The box that is nearest to the pixel `point`, among those no more than `within` pixels
    /// away; of several equally near that of smallest index.
    ///
    /// Distances are straight, from the pixel to the nearest one of the box, and 0 inside.
    ///
    /// ```
    /// use hitmask::{BoxTree, Rect};
    /// let mut tree = BoxTree::new();
    /// tree.pack(&[Rect::new(0, 0, 4, 4), Rect::new(9, 9, 12, 12)]);
    /// assert_eq!(tree.nearest([7, 7], 10), Some(1));
    /// assert_eq!(tree.nearest([7, 7], 2), None);
    /// ```
    #[must_use]
    pub fn nearest(&self, point: impl Into<[i32; 2]>, within: u32) -> Option<u32> {
        let (point, leaves) = (Point::from(point.into()), self.tree.leaves());
        let limit = u64::from(within) * u64::from(within);
        let distance = |at| Some(distance(&leaves.rect(at), point));
        self.tree.nearest(point, limit, distance).map(|(at, _)| leaves.ids[at])
    }

    /// Number of boxes, empty ones counted.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tree.len()
    }

    /// True where there is no box.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The indices of pairs of positions, the smaller first, in `room`.
#[inline(always)]
fn ids_of_positions<'r>(
    leaves: Leaves<'_, ()>,
    (first, second): (&[u32], &[u32]),
    room: &'r mut [[u32; 2]; BATCH],
) -> &'r [[u32; 2]] {
    let id_pairs = &mut room[..first.len()];
    let keys = keys_of_pairs([leaves, leaves], (first, second));
    id_pairs.iter_mut().zip(keys).for_each(|(to, key)| *to = ids_of(key));
    id_pairs
}

/// Puts up to `N` boxes in order by holding each against each: false where two of them are met at the
/// same time, or nearly. For few: what it takes grows with `N`.
#[inline(always)]
fn sort_few<const N: usize>(
    leaves: Leaves<'_, ()>,
    swept_rect: &SweptRect,
    hits: &mut [u32],
) -> bool {
    let (mut ids, mut times) = ([0; N], [i32::MAX; N]);
    for ((id, time), &at) in ids.iter_mut().zip(&mut times).zip(&*hits) {
        *id = leaves.ids[at as usize];
        // Of numbers that are not negative the bits are in their order. Where it starts it may be in
        // several boxes: these come first, by their indices, less than 2^31 each.
        let bits = (swept_rect.entry_time(&leaves.rect(at as usize)) as f32).to_bits() as i32;
        *time = select_unpredictable(bits == 0, (*id as i32).wrapping_add(i32::MIN), bits);
    }
    // Each goes where as many are before it: which of two is, is as good as random, and no branch.
    let (mut places, mut alike) = ([0_u32; N], [0_u32; N]);
    for &time in &times[..hits.len()] {
        for ((place, alike), &other) in places.iter_mut().zip(&mut alike).zip(&times) {
            *place += u32::from(time < other);
            *alike += u32::from(time == other);
        }
    }
    if alike.iter().sum::<u32>() != hits.len() as u32 {
        return false;
    }
    for (&id, place) in ids[..hits.len()].iter().zip(places) {
        hits[place as usize] = id;
    }
    true
}
