//! The sweep: finds every pair of overlapping boxes once, row by row.
//!
//! ```text
//! for each row, from the top:
//!   for each box a of the row, from the left:
//!     for each box b to the right of a, until one starts past a's right edge:
//!       if they overlap: append the pair
//!   for each row below, until one starts past the lowest bottom edge:
//!     for each box a that reaches down to it, from the left:
//!       for each box b of it, from the first that may overlap a to the first past a's right edge:
//!         if they overlap: append the pair
//! for each giant: query the tree of all smaller boxes
//! ```
//!
//! 1. Boxes b are tested in steps of 8 or 16, one or two vectors, on all four edges. No test asks
//!    where the step starts or ends: the padding behind the row overlaps nothing.
//! 2. If a vector holds 16 lanes, a whole block of boxes a is tested at a time. It is compared with
//!    the 16 boxes one position to the right, then two positions, and so on. With one or two
//!    overlaps a box, a vector for each box would be nearly empty. The few wide boxes left over
//!    continue one by one.
//! 3. A row is sorted up to `slack` pixels. The last step is the one whose last box starts more
//!    than `slack` past a's right edge.
//! 4. A pointer that only moves right finds the first block that a may overlap. It passes a block
//!    when the node above it ends before a starts. One wide box thus affects only the boxes beside
//!    it; a maximum width would affect the whole row.
//! 5. Boxes that reach down are listed once for the next row. The list is filtered for each row
//!    after it.
//!
//! The join of two trees finds all pairs between moving and static boxes:
//!
//! ```text
//! for each row of one tree, and each row of the other that shares a span of y with it:
//!   list its boxes that reach into the other's span
//!   merge the list with the other row, both from the left
//! ```
//!
//! Rows are merged with rows, so a pointer that only moves right finds each box's start in the
//! other row. A search from the root for each box takes 4x as long.

use crate::broad::aabb_soa::{BLOCK_BOXES, Edges};
use crate::broad::hit_buffer::{BATCH, HitBuffer, Sink};
use crate::broad::kernels::NamedBoxes;
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::leaves::LeafStore;
use crate::broad::nodes::Nodes;
use crate::broad::pack::Row;
use crate::geom::Rect;
use fearless_simd::{Level, Simd};
use std::ops::{ControlFlow, Range};

/// Cost of a giant, in boxes of its class. A wrong estimate only unbalances the workers.
const GIANT_COST: usize = 64;

/// The block sweep continues while more boxes than this are unfinished; fewer continue one by one.
/// 3 to 8 perform alike.
const BLOCK_SWEEP_MIN: u32 = 5;

#[derive(Clone, Copy)]
pub(super) struct SweepInput<'t> {
    pub(super) bounds: Edges<'t>,
    pub(super) ids: &'t [u32],
    pub(super) nodes: &'t Nodes,
    pub(super) rows: &'t [Row],
    /// The rows of each size class, the smallest sizes first.
    pub(super) classes: &'t [Range<usize>],
}

/// Boxes of one row that are looked up in another.
#[derive(Clone, Copy)]
pub(super) struct Probes<'t> {
    pub(super) bounds: Edges<'t>,
    pub(super) ids: &'t [u32],
    /// Positions, from left to right.
    pub(super) listed: &'t [u32],
    /// Pixels by which a left edge may be less than an earlier one.
    pub(super) slack: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct SweepBuffers {
    pub(super) hits: HitBuffer,
    /// Positions of a row's boxes that reach into another row.
    pub(super) down: Vec<u32>,
}

impl<'t> SweepInput<'t> {
    pub(super) fn new<P>(
        leaves: &'t LeafStore<P>,
        nodes: &'t Nodes,
        (rows, classes): (&'t [Row], &'t [Range<usize>]),
    ) -> Self {
        Self { bounds: leaves.bounds.edges(), ids: &leaves.ids, nodes, rows, classes }
    }

    /// Returns the work units: each row against its class, then each row of giants.
    pub(super) fn units(&self) -> usize {
        self.rows.len() + self.giant_rows().len()
    }

    fn giant_rows(&self) -> Range<usize> {
        self.classes.get(1).map_or(self.rows.len(), |class| class.start)..self.rows.len()
    }

    /// Splits `units` in the proportion of `left` to `right`, by estimated cost.
    pub(super) fn cut(
        &self,
        units: Range<usize>,
        left: usize,
        right: usize,
    ) -> (Range<usize>, Range<usize>) {
        let first_giant = self.giant_rows().start;
        let cost = |unit: usize| match unit.checked_sub(self.rows.len()) {
            None => self.rows[unit].len(),
            Some(giant) => GIANT_COST * self.rows[first_giant + giant].len(),
        };
        let mut most = units.clone().map(cost).sum::<usize>() / (left + right) * left;
        let fits = |&unit: &usize| {
            let cost = cost(unit);
            let fits = cost <= most;
            most = most.saturating_sub(cost);
            fits
        };
        let middle = units.start + units.clone().take_while(fits).count();
        (units.start..middle, middle..units.end)
    }

    /// Passes each pair of overlapping boxes whose first box is in `units` to `sink`, once.
    pub(super) fn run_on(
        &self,
        level: Level,
        units: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run::<_, false>(kernels, units, scratch, sink));
    }

    /// As [`run_on`](Self::run_on), but passes ids instead of positions.
    pub(super) fn run_ids_on(
        &self,
        level: Level,
        units: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run_ids(kernels, level, units, scratch, sink));
    }

    /// As [`run_ids_on`](Self::run_ids_on), with kernels.
    #[inline(always)]
    fn run_ids<S: Simd>(
        &self,
        kernels: Kernels<S>,
        level: Level,
        units: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        if Kernels::<S>::HAS_BLOCK_SWEEP {
            return self.run::<_, true>(kernels, units, scratch, sink);
        }
        let mut ids = [[0; BATCH]; 2];
        self.run_on(level, units, scratch, &mut |first, second| {
            for (ids, positions) in ids.iter_mut().zip([first, second]) {
                for (id, &at) in ids.iter_mut().zip(positions) {
                    *id = self.ids[at as usize];
                }
            }
            sink(&ids[0][..first.len()], &ids[1][..second.len()]);
        });
    }

    /// Runs the sweep with kernels. Passes ids if `IDS`, which needs a block sweep, else positions.
    #[inline(always)]
    fn run<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        units: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        let bounds = self.bounds.even();
        let even = Self { bounds, ids: &self.ids[..bounds.x0.len()], ..*self };
        let whole = self.rows.len();
        for class in self.classes {
            let own = units.start.max(class.start)..units.end.min(class.end);
            even.pairs::<_, IDS>(kernels, own, class.end, scratch, sink);
        }
        let first_giant = self.giant_rows().start;
        for unit in units.start.max(whole)..units.end {
            let row = first_giant + unit - whole;
            let class = self.classes.iter().rfind(|class| class.start <= row);
            let end = class.map_or(0, |class| self.rows[class.start].start as usize);
            even.giant_pairs::<_, IDS>(kernels, &self.rows[row], end, &mut scratch.hits, sink);
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }

    /// Passes on each pair of one class, up to `last`, whose upper box is in `rows`.
    #[inline(always)]
    fn pairs<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        rows: Range<usize>,
        last: usize,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        for s in rows {
            let row = &self.rows[s];
            self.pairs_within::<_, IDS>(kernels, row, &mut scratch.hits, sink);
            let below = &self.rows[s + 1..last];
            if below.first().is_some_and(|next| row.bottom > next.top) {
                self.pairs_below::<_, IDS>(kernels, row, below, scratch, sink);
            }
        }
    }

    #[inline(always)]
    fn pairs_within<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        row: &Row,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let all = row.start as usize..row.end as usize;
        if !Kernels::<S>::HAS_BLOCK_SWEEP {
            for a in all {
                let probe = (a as u32, self.bounds.get(a));
                self.walk::<_, IDS>(kernels, row, probe, a + 1, hits, sink);
            }
            return;
        }
        for at in all.step_by(BLOCK_BOXES) {
            let (mut wide, mut from) = (u32::MAX, at + 1);
            while wide.count_ones() > BLOCK_SWEEP_MIN {
                let at = [at, from];
                wide = kernels.sweep_block::<IDS>(self.named(), at, row.slack, hits, sink);
                from += BLOCK_BOXES;
            }
            while wide != 0 {
                let lane = wide.trailing_zeros() as usize;
                wide &= wide - 1;
                let probe = (self.name::<IDS>(at + lane), self.bounds.get(at + lane));
                self.walk::<_, IDS>(kernels, row, probe, from + lane, hits, sink);
            }
        }
    }

    /// Finds the pairs of one box, by its position or id, with the boxes of `row` from `at` on.
    #[inline(always)]
    fn walk<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        row: &Row,
        probe: (u32, Rect),
        mut at: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let stop = right(probe.1.x1, row.slack);
        let mut len = hits.len();
        loop {
            len = kernels.append_overlaps::<IDS>(self.named(), at, probe, hits, len);
            len = hits.drain_if_full(len, sink);
            if self.bounds.x0[at + Kernels::<S>::STEP - 1] >= stop {
                break;
            }
            at += Kernels::<S>::STEP;
        }
        hits.set_len(len);
    }

    #[inline(always)]
    fn named(&self) -> NamedBoxes<'_> {
        NamedBoxes { bounds: self.bounds, ids: self.ids }
    }

    /// Returns the id of a box if `IDS`, else its position.
    #[inline(always)]
    fn name<const IDS: bool>(&self, at: usize) -> u32 {
        if IDS { self.ids[at] } else { at as u32 }
    }

    #[inline(always)]
    fn pairs_below<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        upper: &Row,
        below: &[Row],
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        let SweepBuffers { hits, down } = scratch;
        let room = upper.len() + 2 * BLOCK_BOXES;
        if down.len() < room {
            down.resize(room, 0);
        }
        let mut count = 0;
        for at in (upper.start as usize..upper.end as usize).step_by(BLOCK_BOXES) {
            count += kernels.ending_past(self.bounds.y1, at, below[0].top, &mut down[count..]);
        }
        for (i, lower) in below.iter().enumerate() {
            // Filter the list for each row but the first, which gets all of it.
            if i > 0 {
                count = self.retain_reaching(&mut down[..count], lower.top);
            }
            if count == 0 {
                break;
            }
            let (bounds, ids) = (self.bounds, self.ids);
            let probes = Probes { bounds, ids, listed: &down[..count], slack: upper.slack };
            self.merge::<_, IDS>(kernels, probes, lower, hits, sink);
        }
    }

    /// Keeps the positions of `listed` whose boxes reach below `top`, and returns their number.
    #[inline(always)]
    fn retain_reaching(&self, listed: &mut [u32], top: i32) -> usize {
        let mut kept_count = 0;
        for i in 0..listed.len() {
            let a = listed[i];
            listed[kept_count] = a;
            kept_count += usize::from(self.bounds.y1[a as usize] > top);
        }
        kept_count
    }

    /// Finds the pairs of boxes of another row, from the left, with those of `row`.
    #[inline(always)]
    pub(super) fn merge<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        probes: Probes<'_>,
        row: &Row,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let mut reach = &self.nodes.lowest().x1[row.nodes as usize..][..row.blocks()];
        let mut at = row.start as usize;
        for &a in probes.listed {
            let rect = probes.bounds.get(a as usize);
            // Later probes may start further left, by up to `slack`.
            let left = i64::from(rect.x0) - i64::from(probes.slack);
            while let [first, later @ ..] = reach
                && i64::from(*first) <= left
            {
                (reach, at) = (later, at + BLOCK_BOXES);
            }
            let name = if IDS { probes.ids[a as usize] } else { a };
            self.walk::<_, IDS>(kernels, row, (name, rect), at, hits, sink);
        }
    }

    /// Finds the pairs of the giants of a row with all boxes before the position `end`.
    #[inline(always)]
    fn giant_pairs<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        row: &Row,
        end: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        for a in row.start..row.end {
            let rect = self.bounds.get(a as usize);
            let probe = (self.name::<IDS>(a as usize), rect);
            let _: ControlFlow<()> = self.nodes.search(
                kernels,
                rect,
                end,
                #[inline(always)]
                |at| {
                    for at in (at..at + BLOCK_BOXES).step_by(Kernels::<S>::STEP) {
                        let len = hits.len();
                        let len =
                            kernels.append_overlaps::<IDS>(self.named(), at, probe, hits, len);
                        let len = hits.drain_if_full(len, sink);
                        hits.set_len(len);
                    }
                    ControlFlow::Continue(())
                },
            );
        }
    }
}

/// Returns the coordinate `pixels` to the right of `edge`, at most the last one, of padding.
#[inline(always)]
fn right(edge: i32, pixels: u32) -> i32 {
    // Half the instructions of a saturating addition.
    (i64::from(edge) + i64::from(pixels)).min(i32::MAX.into()) as i32
}

#[derive(Clone, Copy)]
pub(super) struct JoinInput<'t> {
    pub(super) upper: SweepInput<'t>,
    pub(super) lower: SweepInput<'t>,
}

impl JoinInput<'_> {
    /// Passes each pair of a box in `rows` and a box of the other tree to `sink`, once.
    pub(super) fn run_on(
        &self,
        level: Level,
        rows: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run(kernels, rows, scratch, sink));
    }

    /// As [`run_on`](Self::run_on), with kernels.
    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        kernels: Kernels<S>,
        rows: Range<usize>,
        scratch: &mut SweepBuffers,
        sink: &mut Sink<'_>,
    ) {
        let lower = SweepInput { bounds: self.lower.bounds.even(), ..self.lower };
        let bounds = self.upper.bounds.even();
        for row in &self.upper.rows[rows] {
            for class in lower.classes {
                let others = &lower.rows[class.clone()];
                // A row may end above the end of an earlier one, so the search uses the greatest
                // bottom so far.
                let first = others.partition_point(|other| other.reach <= row.top);
                for other in others[first..].iter().take_while(|other| other.top < row.bottom) {
                    let SweepBuffers { hits, down } = &mut *scratch;
                    let room = row.len() + 2 * BLOCK_BOXES;
                    if down.len() < room {
                        down.resize(room, 0);
                    }
                    let span = [other.top, other.bottom];
                    let mut count = 0;
                    for at in (row.start as usize..row.end as usize).step_by(BLOCK_BOXES) {
                        count += kernels.in_span(bounds, at, span, &mut down[count..]);
                    }
                    let (listed, ids) = (&down[..count], self.upper.ids);
                    let probes = Probes { bounds, ids, listed, slack: row.slack };
                    lower.merge::<_, false>(kernels, probes, other, hits, sink);
                }
            }
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }
}
