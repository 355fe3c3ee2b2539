//! The sweep: every pair of overlapping boxes, once, strip by strip.
//!
//! ```text
//! for each strip, from the top:
//!   for each box a of the strip, from the left:
//!     for each box b right of a, until one starts past a's right edge:
//!       if they overlap: write the pair down
//!   for each strip below, until one starts past the lowest bottom edge:
//!     for each box a that reaches down to it, from the left:
//!       for each of its boxes b, from the first that a may meet to the first past a's right edge:
//!         if they overlap: write the pair down
//! for each giant: search the tree of all that is smaller
//! ```
//!
//! 1. Boxes b come in steps of eight or sixteen, as many as a vector holds, tested all four ways
//!    without asking where the step starts or ends: what lies right of the strip's end is padding,
//!    which meets nothing.
//! 2. Where a vector holds sixteen, a block of boxes a is held against the sixteen boxes one place further right,
//!    then two places, and so on, until none of them may meet more: of boxes that meet one or two, a
//!    vector for each would be nearly empty. What is wide, and left over, goes on by itself.
//! 3. A strip's order is true to `slack` pixels only. A step is the last when its last box starts
//!    more than that past a's right edge.
//! 4. The first block that a may meet is found by a pointer that only moves right: a block is left
//!    behind for good when the node above it ends before a starts. One wide box thus makes only
//!    those look back that lie beside it, where a widest width would make all of its strip.
//! 5. Boxes that reach down are listed once for the next strip, and that list is sifted for each
//!    strip after it.

use crate::broad::aabb_soa::{BLOCK, Edges};
use crate::broad::hit_buffer::{HitBuffer, Sink};
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::nodes::Nodes;
use crate::broad::pack::Strip;
use crate::geom::Rect;
use fearless_simd::Level;
use fearless_simd::Simd;
use std::ops::{ControlFlow, Range};

/// What a giant costs in boxes of its class: it is searched for, and meets many. A wrong guess makes
/// a worker wait for another, no more.
const GIANT_COST: usize = 64;

/// Boxes of a block that go on abreast, at least one more: fewer go on one by one. 3 to 8 are alike.
const BLOCK_SWEEP_MIN: u32 = 5;

/// What a sweep reads.
#[derive(Clone, Copy)]
pub(super) struct SweepInput<'t> {
    pub(super) bounds: Edges<'t>,
    pub(super) nodes: &'t Nodes,
    pub(super) strips: &'t [Strip],
    /// The strips of each class of sizes, the smallest sizes first.
    pub(super) classes: &'t [Range<usize>],
}

/// Boxes that are looked up in a strip, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Probes<'t> {
    pub(super) bounds: Edges<'t>,
    /// Positions, from left to right.
    pub(super) listed: &'t [u32],
    /// Pixels by which a left edge may be less than one before it.
    pub(super) slack: u32,
}

/// What a sweep needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) hits: HitBuffer,
    /// Positions of a strip's boxes that reach into another.
    pub(super) down: Vec<u32>,
}

impl SweepInput<'_> {
    /// Number of units of work: every strip against its class, and then every strip of giants
    /// against all that is smaller.
    pub(super) fn units(&self) -> usize {
        self.strips.len() + self.giant_strips().len()
    }

    /// The strips of giants.
    fn giant_strips(&self) -> Range<usize> {
        self.classes.get(1).map_or(self.strips.len(), |class| class.start)..self.strips.len()
    }

    /// Parts `units` in the proportion of `left` to `right`, by what they cost.
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

    /// Hands every pair of overlapping boxes of which one is in `units` to `sink`, once.
    pub(super) fn run_on(
        &self,
        level: Level,
        units: Range<usize>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run(kernels, units, scratch, sink));
    }

    /// The same, with kernels.
    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        kernels: Kernels<S>,
        units: Range<usize>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let even = Self { bounds: self.bounds.even(), ..*self };
        let whole = self.strips.len();
        for class in self.classes {
            let own = units.start.max(class.start)..units.end.min(class.end);
            even.pairs(kernels, own, class.end, scratch, sink);
        }
        let first_giant = self.giant_strips().start;
        for unit in units.start.max(whole)..units.end {
            let strip = first_giant + unit - whole;
            let class = self.classes.iter().rfind(|class| class.start <= strip);
            let end = class.map_or(0, |class| self.strips[class.start].start as usize);
            even.giant_pairs(kernels, &self.strips[strip], end, &mut scratch.hits, sink);
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }

    /// Hands on every pair of boxes of one class of which the upper is in `strips`; the strips of
    /// the class end before `last`.
    #[inline(always)]
    fn pairs<S: Simd>(
        &self,
        kernels: Kernels<S>,
        strips: Range<usize>,
        last: usize,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        for s in strips {
            let strip = &self.strips[s];
            self.pairs_within(kernels, strip, &mut scratch.hits, sink);
            let below = &self.strips[s + 1..last];
            if below.first().is_some_and(|next| strip.bottom > next.top) {
                self.pairs_below(kernels, strip, below, scratch, sink);
            }
        }
    }

    /// Pairs of one strip.
    #[inline(always)]
    fn pairs_within<S: Simd>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let all = strip.start as usize..strip.end as usize;
        if !Kernels::<S>::HAS_BLOCK_SWEEP {
            for a in all {
                self.walk(kernels, strip, (a as u32, self.bounds.get(a)), a + 1, hits, sink);
            }
            return;
        }
        for at in all.step_by(BLOCK) {
            let (mut wide, mut from) = (u32::MAX, at + 1);
            while wide.count_ones() > BLOCK_SWEEP_MIN {
                wide = kernels.sweep_block(self.bounds, [at, from], strip.slack, hits, sink);
                from += BLOCK;
            }
            while wide != 0 {
                let lane = wide.trailing_zeros() as usize;
                wide &= wide - 1;
                let a = (at + lane) as u32;
                self.walk(kernels, strip, (a, self.bounds.get(at + lane)), from + lane, hits, sink);
            }
        }
    }

    /// Pairs of one box, by its position, with those of `strip` from `at` on.
    #[inline(always)]
    fn walk<S: Simd>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        (a, rect): (u32, Rect),
        mut at: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        let stop = right(rect.x1, strip.slack);
        loop {
            kernels.append_overlaps(self.bounds, at, rect, a, hits);
            hits.drain_if_full(sink);
            if self.bounds.x0[at + Kernels::<S>::STEP - 1] >= stop {
                break;
            }
            at += Kernels::<S>::STEP;
        }
    }

    /// Pairs of one strip with those below it.
    #[inline(always)]
    fn pairs_below<S: Simd>(
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
            // Sift: of those in the list, the ones that reach this far. The next strip gets all.
            if i > 0 {
                count = self.retain_reaching(&mut down[..count], lower.top);
            }
            if count == 0 {
                break;
            }
            let probes = Probes { bounds: self.bounds, listed: &down[..count], slack: upper.slack };
            self.merge(kernels, probes, lower, hits, sink);
        }
    }

    /// Moves those of `listed` that reach below `top` to its start, in their order; the number of them.
    #[inline(always)]
    fn retain_reaching(&self, listed: &mut [u32], top: i32) -> usize {
        let mut kept = 0;
        for i in 0..listed.len() {
            let a = listed[i];
            listed[kept] = a;
            kept += usize::from(self.bounds.y1[a as usize] > top);
        }
        kept
    }

    /// Pairs of some boxes of another strip, from the left, with those of `strip`.
    #[inline(always)]
    pub(super) fn merge<S: Simd>(
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
            // Later boxes may start that much further left.
            let left = i64::from(rect.x0) - i64::from(probes.slack);
            while let [first, later @ ..] = reach
                && i64::from(*first) <= left
            {
                (reach, at) = (later, at + BLOCK);
            }
            self.walk(kernels, strip, (a, rect), at, hits, sink);
        }
    }

    /// Pairs of the giants of a strip with all that is before `end`.
    #[inline(always)]
    fn giant_pairs<S: Simd>(
        &self,
        kernels: Kernels<S>,
        strip: &Strip,
        end: usize,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) {
        for a in strip.start..strip.end {
            let rect = self.bounds.get(a as usize);
            let _: ControlFlow<()> = self.nodes.search(
                kernels,
                rect,
                end,
                #[inline(always)]
                |at| {
                    for at in (at..at + BLOCK).step_by(Kernels::<S>::STEP) {
                        kernels.append_overlaps(self.bounds, at, rect, a, hits);
                        hits.drain_if_full(sink);
                    }
                    ControlFlow::Continue(())
                },
            );
        }
    }
}

/// A place so many pixels right of `edge`, or the last one: padding starts there, and ends every walk.
#[inline(always)]
fn right(edge: i32, pixels: u32) -> i32 {
    // Half the instructions of the addition that saturates.
    (i64::from(edge) + i64::from(pixels)).min(i32::MAX.into()) as i32
}
