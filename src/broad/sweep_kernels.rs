//! The kernels of the sweep: boxes against the boxes to their right, and the pairs appended.
//!
//! 1. The number of buffered hits is passed and returned, so that a loop keeps it in a register.
//! 2. A pair of positions costs two look-ups of ids afterwards, about half of the time where boxes
//!    have 20 overlaps each. With AVX-512 the ids themselves are compressed instead.
//!
//! Called by the sweep, inside code compiled for the SIMD level.

use crate::broad::aabb_soa::{BLOCK, Edges};
use crate::broad::hit_buffer::{HitBuffer, Sink};
use crate::broad::kernels::{Kernels, LOOKUP_LANES};
use crate::geom::Rect;
use fearless_simd::prelude::*;

/// Boxes, and their ids. A pair holds ids if the kernel is compiled with `IDS`, else positions. Ids
/// need [`Kernels::HAS_BLOCK_SWEEP`], because narrower vectors look the positions of hits up.
#[derive(Clone, Copy)]
pub(super) struct NamedBoxes<'b> {
    pub(super) bounds: Edges<'b>,
    pub(super) ids: &'b [u32],
}

impl<S: Simd> Kernels<S> {
    /// Boxes that the sweep tests at a time: one vector, or two of 4 lanes.
    pub(super) const STEP: usize =
        if S::i32s::LEN < LOOKUP_LANES { LOOKUP_LANES } else { S::i32s::LEN };

    /// True if one vector holds a block, so that [`sweep_block`](Self::sweep_block) pays.
    pub(super) const HAS_BLOCK_SWEEP: bool = S::i32s::LEN == BLOCK;

    /// Appends the pairs of `probe` and each of the [`STEP`](Self::STEP) boxes from `at` on that
    /// overlaps `rect`, after the first `len` hits. Returns the number of hits.
    #[inline(always)]
    pub(super) fn append_overlaps<const IDS: bool>(
        self,
        named: NamedBoxes<'_>,
        at: usize,
        (probe, rect): (u32, Rect),
        hits: &mut HitBuffer,
        len: usize,
    ) -> usize {
        #[cfg(test)]
        crate::broad::kernels::tested::add(Self::STEP as u64);
        let lanes = S::i32s::LEN;
        let probe = S::u32s::splat(self.0, probe);
        let (first, second) = hits.room::<BLOCK>(len);
        let mut count = 0;
        for vector in 0..Self::STEP / lanes {
            let at = at + vector * lanes;
            probe.store_slice(&mut first[vector * lanes..][..lanes]);
            let hit = self.vector(self.edges(named.bounds, at), rect);
            count += if IDS {
                let ids = self.ids(named, at).compress(hit);
                ids.store_slice(&mut second[count..][..lanes]);
                hit.to_bitmask().count_ones() as usize
            } else {
                self.store(hit, at, &mut second[count..])
            };
        }
        len + count
    }

    /// Loads one vector of ids, from position `at` on.
    #[inline(always)]
    fn ids(self, named: NamedBoxes<'_>, at: usize) -> S::u32s {
        S::u32s::from_slice(self.0, &named.ids[at..at + S::u32s::LEN])
    }

    /// Appends the pairs of the block at `at` with the boxes to its right. Box i is tested against the
    /// [`BLOCK`] boxes from position `from + i` on.
    ///
    /// The strip is sorted up to `slack` pixels. Returns the lanes whose boxes may overlap later
    /// boxes too.
    #[inline(always)]
    pub(super) fn sweep_block<const IDS: bool>(
        self,
        named: NamedBoxes<'_>,
        [at, from]: [usize; 2],
        slack: u32,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) -> u32 {
        let NamedBoxes { bounds, .. } = named;
        let block = self.edges(bounds, at);
        // Clamped to the last coordinate: padding starts there and ends every walk.
        let slack = i32::try_from(slack).unwrap_or(i32::MAX);
        let most = S::i32s::splat(self.0, i32::MAX - slack);
        let stop = block[2].min(most) + S::i32s::splat(self.0, slack);
        let ids = if IDS { self.ids(named, at) } else { S::u32s::splat(self.0, 0) };
        let (mut near, mut len) = (0, hits.len());
        for other in from..from + BLOCK {
            let others = self.edges(bounds, other);
            let lanes = self.overlap(others, block);
            let (one, two) = if IDS {
                (ids.compress(lanes), self.ids(named, other).compress(lanes))
            } else {
                let packed = self.set_lanes_first(lanes);
                let positions = |from: usize| packed + S::u32s::splat(self.0, from as u32);
                (positions(at), positions(other))
            };
            let (first, second) = hits.room::<BLOCK>(len);
            one.store_slice(&mut first[..S::u32s::LEN]);
            two.store_slice(&mut second[..S::u32s::LEN]);
            len = hits.drain_if_full(len + lanes.to_bitmask().count_ones() as usize, sink);
            near = others[0].simd_lt(stop).to_bitmask() as u32;
            if near == 0 {
                break;
            }
        }
        hits.set_len(len);
        near
    }
}
