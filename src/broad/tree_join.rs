//! All pairs between two trees: what moves, and what stands still.
//!
//! ```text
//! for each strip of the one tree, and each of the other that shares rows with it:
//!   list its boxes that reach into the other's rows
//!   merge the list with the other strip, both from the left
//! ```
//!
//! Strip against strip, because the boxes of the first then find their place in the second by a
//! pointer that only moves right; a search from the root for each takes four times as long.
//!
//! Called by the tree only.

use crate::broad::aabb_soa::BLOCK;
use crate::broad::hit_buffer::Sink;
use crate::broad::kernels::{Kernels, with_kernels};
use crate::broad::sweep::{Probes, Scratch, SweepInput};
use fearless_simd::Level;
use fearless_simd::Simd;
use std::ops::Range;

/// What a crossing reads.
#[derive(Clone, Copy)]
pub(super) struct JoinInput<'t> {
    pub(super) upper: SweepInput<'t>,
    pub(super) lower: SweepInput<'t>,
}

impl JoinInput<'_> {
    /// Hands every pair of a box in `strips` of the one tree and any box of the other that
    /// overlap to `sink`, once.
    pub(super) fn run_on(
        &self,
        level: Level,
        strips: Range<usize>,
        scratch: &mut Scratch,
        sink: &mut Sink<'_>,
    ) {
        with_kernels!(level, kernels => self.run(kernels, strips, scratch, sink));
    }

    /// The same, with kernels.
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
                // A strip may end below the next one's end, never below the lowest so far.
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
                    let probes = Probes { bounds, listed: &down[..count], slack: strip.slack };
                    lower.merge(kernels, probes, other, hits, sink);
                }
            }
        }
        if scratch.hits.any() {
            scratch.hits.drain(sink);
        }
    }
}
