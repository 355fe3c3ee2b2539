//! The join of two trees: all pairs between moving and static boxes.
//!
//! ```text
//! for each strip of one tree, and each strip of the other that shares rows with it:
//!   list its boxes that reach into the other's rows
//!   merge the list with the other strip, both from the left
//! ```
//!
//! Strips are merged with strips, so a pointer that only moves right finds each box's start in the
//! other strip. A search from the root for each box takes 4x as long.
//!
//! Called by the tree only.

use crate::broad::aabb_soa::BLOCK;
use crate::broad::hit_buffer::Sink;
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::sweep::{Probes, Scratch, SweepInput};
use fearless_simd::Level;
use fearless_simd::Simd;
use std::ops::Range;

/// The two trees that a join reads.
#[derive(Clone, Copy)]
pub(super) struct JoinInput<'t> {
    pub(super) upper: SweepInput<'t>,
    pub(super) lower: SweepInput<'t>,
}

impl JoinInput<'_> {
    /// Passes each pair of a box in `strips` of one tree and an overlapping box of the other to
    /// `sink`, once.
    pub(super) fn run_on(
        &self,
        level: Level,
        strips: Range<usize>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run(kernels, strips, scratch, sink));
    }

    /// As [`run_on`](Self::run_on), with kernels.
    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        kernels: Kernels<S>,
        strips: Range<usize>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        let lower = SweepInput { bounds: self.lower.bounds.even(), ..self.lower };
        let bounds = self.upper.bounds.even();
        for strip in &self.upper.strips[strips] {
            for class in lower.classes {
                let others = &lower.strips[class.clone()];
                // A strip may end above the end of an earlier one, so the search uses the greatest
                // bottom so far.
                let first = others.partition_point(|other| other.reach <= strip.top);
                for other in others[first..].iter().take_while(|other| other.top < strip.bottom) {
                    let Scratch { hits, down } = &mut *scratch;
                    let room = strip.len() + 2 * BLOCK;
                    if down.len() < room {
                        down.resize(room, 0);
                    }
                    let rows = [other.top, other.bottom];
                    let mut count = 0;
                    for at in (strip.start as usize..strip.end as usize).step_by(BLOCK) {
                        count += kernels.in_rows(bounds, at, rows, &mut down[count..]);
                    }
                    let (listed, ids) = (&down[..count], self.upper.ids);
                    let probes = Probes { bounds, ids, listed, slack: strip.slack };
                    lower.merge::<_, false>(kernels, probes, other, hits, sink);
                }
            }
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }
}
