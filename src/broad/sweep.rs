//! The sweep: finds every pair of overlapping boxes once, strip by strip.
//!
//! ```text
//! for each strip, from the top:
//!   for each box a of the strip, from the left:
//!     for each box b to the right of a, until one starts past a's right edge:
//!       if they overlap: append the pair
//!   for each strip below, until one starts past the lowest bottom edge:
//!     for each box a that reaches down to it, from the left:
//!       for each box b of it, from the first that may overlap a to the first past a's right edge:
//!         if they overlap: append the pair
//! for each giant: query the tree of all smaller boxes
//! ```
//!
//! 1. Boxes b are tested in steps of 8 or 16, one or two vectors, on all four edges. No test asks
//!    where the step starts or ends: the padding behind the strip overlaps nothing.
//! 2. If a vector holds 16 lanes, a whole block of boxes a is tested at a time. It is compared with
//!    the 16 boxes one position to the right, then two positions, and so on. With one or two
//!    overlaps a box, a vector for each box would be nearly empty. The few wide boxes left over
//!    continue one by one.
//! 3. A strip is sorted up to `slack` pixels. The last step is the one whose last box starts more
//!    than `slack` past a's right edge.
//! 4. A pointer that only moves right finds the first block that a may overlap. It passes a block
//!    when the node above it ends before a starts. One wide box thus affects only the boxes beside
//!    it; a maximum width would affect the whole strip.
//! 5. Boxes that reach down are listed once for the next strip. The list is filtered for each strip
//!    after it.
//!
//! Called by the tree and, strip against strip, by [`tree_join`](super::tree_join).

use crate::broad::aabb_soa::{BLOCK, Edges};
use crate::broad::hit_buffer::{BATCH, HitBuffer, Sink};
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::leaves::LeafStore;
use crate::broad::nodes::Nodes;
use crate::broad::pack::Strip;
use crate::broad::sweep_kernels::NamedBoxes;
use crate::geom::Rect;
use fearless_simd::Level;
use fearless_simd::Simd;
use std::ops::{ControlFlow, Range};

/// Cost of a giant, in boxes of its class. A wrong estimate only unbalances the workers.
const GIANT_COST: usize = 64;

/// The block sweep continues while more boxes than this are unfinished; fewer continue one by one.
/// 3 to 8 perform alike.
const BLOCK_SWEEP_MIN: u32 = 5;

/// The part of a tree that a sweep reads.
#[derive(Clone, Copy)]
pub(super) struct SweepInput<'t> {
    pub(super) bounds: Edges<'t>,
    /// The ids of the boxes.
    pub(super) ids: &'t [u32],
    pub(super) nodes: &'t Nodes,
    pub(super) strips: &'t [Strip],
    /// The strips of each size class, the smallest sizes first.
    pub(super) classes: &'t [Range<usize>],
}

/// Boxes of one strip that are looked up in another.
#[derive(Clone, Copy)]
pub(super) struct Probes<'t> {
    pub(super) bounds: Edges<'t>,
    pub(super) ids: &'t [u32],
    /// Positions, from left to right.
    pub(super) listed: &'t [u32],
    /// Pixels by which a left edge may be less than an earlier one.
    pub(super) slack: u32,
}

/// The buffers of a sweep. Kept between updates for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) hits: HitBuffer,
    /// Positions of a strip's boxes that reach into another strip.
    pub(super) down: Vec<u32>,
}

impl<'t> SweepInput<'t> {
    /// Returns the part of a tree that a sweep reads.
    pub(super) fn new<P>(
        leaves: &'t LeafStore<P>,
        nodes: &'t Nodes,
        (strips, classes): (&'t [Strip], &'t [Range<usize>]),
    ) -> Self {
        Self { bounds: leaves.bounds.edges(), ids: &leaves.ids, nodes, strips, classes }
    }

    /// Returns the number of work units: each strip against its class, then each strip of giants
    /// against all smaller boxes.
    pub(super) fn units(&self) -> usize {
        self.strips.len() + self.giant_strips().len()
    }

    /// Returns the strips of giants.
    fn giant_strips(&self) -> Range<usize> {
        self.classes.get(1).map_or(self.strips.len(), |class| class.start)..self.strips.len()
    }

    /// Splits `units` in the proportion of `left` to `right`, by estimated cost.
    pub(super) fn cut(
        &self,
        units: Range<usize>,
        left: usize,
        right: usize,
    ) -> (Range<usize>, Range<usize>) {
        let first_giant = self.giant_strips().start;
        let cost = |unit: usize| match unit.checked_sub(self.strips.len()) {
            None => self.strips[unit].len(),
            Some(giant) => GIANT_COST * self.strips[first_giant + giant].len(),
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
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run::<_, false>(kernels, units, scratch, sink));
    }

    /// As [`run_on`](Self::run_on), but passes ids instead of positions.
    pub(super) fn run_ids_on(
        &self,
        level: Level,
        units: Range<usize>,
        scratch: &mut Scratch,
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
        scratch: &mut Scratch,
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
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let bounds = self.bounds.even();
        let even = Self { bounds, ids: &self.ids[..bounds.x0.len()], ..*self };
        let whole = self.strips.len();
        for class in self.classes {
            let own = units.start.max(class.start)..units.end.min(class.end);
            even.pairs::<_, IDS>(kernels, own, class.end, scratch, sink);
        }
        let first_giant = self.giant_strips().start;
        for unit in units.start.max(whole)..units.end {
            let strip = first_giant + unit - whole;
            let class = self.classes.iter().rfind(|class| class.start <= strip);
            let end = class.map_or(0, |class| self.strips[class.start].start as usize);
            even.giant_pairs::<_, IDS>(kernels, &self.strips[strip], end, &mut scratch.hits, sink);
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }

    /// Passes on each pair of boxes of one class whose upper box is in `strips`. The strips of the
    /// class end before `last`.
    #[inline(always)]
    fn pairs<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        strips: Range<usize>,
        last: usize,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        for s in strips {
            let strip = &self.strips[s];
            self.pairs_within::<_, IDS>(kernels, strip, &mut scratch.hits, sink);
            let below = &self.strips[s + 1..last];
            if below.first().is_some_and(|next| strip.bottom > next.top) {
                self.pairs_below::<_, IDS>(kernels, strip, below, scratch, sink);
            }
        }
    }

    /// Finds the pairs within one strip.
    #[inline(always)]
    fn pairs_within<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let all = strip.start as usize..strip.end as usize;
        if !Kernels::<S>::HAS_BLOCK_SWEEP {
            for a in all {
                let probe = (a as u32, self.bounds.get(a));
                self.walk::<_, IDS>(kernels, strip, probe, a + 1, hits, sink);
            }
            return;
        }
        for at in all.step_by(BLOCK) {
            let (mut wide, mut from) = (u32::MAX, at + 1);
            while wide.count_ones() > BLOCK_SWEEP_MIN {
                let at = [at, from];
                wide = kernels.sweep_block::<IDS>(self.named(), at, strip.slack, hits, sink);
                from += BLOCK;
            }
            while wide != 0 {
                let lane = wide.trailing_zeros() as usize;
                wide &= wide - 1;
                let probe = (self.name::<IDS>(at + lane), self.bounds.get(at + lane));
                self.walk::<_, IDS>(kernels, strip, probe, from + lane, hits, sink);
            }
        }
    }

    /// Finds the pairs of one box, by its position or id, with the boxes of `strip` from `at` on.
    #[inline(always)]
    fn walk<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        probe: (u32, Rect),
        mut at: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let stop = right(probe.1.x1, strip.slack);
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

    /// Returns the boxes with their ids.
    #[inline(always)]
    fn named(&self) -> NamedBoxes<'_> {
        NamedBoxes { bounds: self.bounds, ids: self.ids }
    }

    /// Returns the id of a box if `IDS`, else its position.
    #[inline(always)]
    fn name<const IDS: bool>(&self, at: usize) -> u32 {
        if IDS { self.ids[at] } else { at as u32 }
    }

    /// Finds the pairs of one strip with those below it.
    #[inline(always)]
    fn pairs_below<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        upper: &Strip,
        below: &[Strip],
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let Scratch { hits, down } = scratch;
        let room = upper.len() + 2 * BLOCK;
        if down.len() < room {
            down.resize(room, 0);
        }
        let mut count = 0;
        for at in (upper.start as usize..upper.end as usize).step_by(BLOCK) {
            count += kernels.ending_past(self.bounds.y1, at, below[0].top, &mut down[count..]);
        }
        for (i, lower) in below.iter().enumerate() {
            // Filter the list for each strip but the first, which gets all of it.
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

    /// Moves the positions of `listed` whose boxes reach below `top` to the start, in order.
    /// Returns their number.
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

    /// Finds the pairs of boxes of another strip, from the left, with those of `strip`.
    #[inline(always)]
    pub(super) fn merge<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        probes: Probes<'_>,
        strip: &Strip,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let mut reach = &self.nodes.lowest().x1[strip.nodes as usize..][..strip.blocks()];
        let mut at = strip.start as usize;
        for &a in probes.listed {
            let rect = probes.bounds.get(a as usize);
            // Later probes may start further left, by up to `slack`.
            let left = i64::from(rect.x0) - i64::from(probes.slack);
            while let [first, later @ ..] = reach
                && i64::from(*first) <= left
            {
                (reach, at) = (later, at + BLOCK);
            }
            let name = if IDS { probes.ids[a as usize] } else { a };
            self.walk::<_, IDS>(kernels, strip, (name, rect), at, hits, sink);
        }
    }

    /// Finds the pairs of the giants of a strip with all boxes before the position `end`.
    #[inline(always)]
    fn giant_pairs<S: Simd, const IDS: bool>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        end: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        for a in strip.start..strip.end {
            let rect = self.bounds.get(a as usize);
            let probe = (self.name::<IDS>(a as usize), rect);
            let _: ControlFlow<()> = self.nodes.search(
                kernels,
                rect,
                end,
                #[inline(always)]
                |at| {
                    for at in (at..at + BLOCK).step_by(Kernels::<S>::STEP) {
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

/// Returns the coordinate `pixels` to the right of `edge`, at most the last one. Padding starts at
/// the last coordinate and ends every walk.
#[inline(always)]
fn right(edge: i32, pixels: u32) -> i32 {
    // Half the instructions of a saturating addition.
    (i64::from(edge) + i64::from(pixels)).min(i32::MAX.into()) as i32
}
