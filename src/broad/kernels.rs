//! The kernels of the broad phase: 16 boxes against one, and the boxes of a row against those to
//! their right.
//!
//! ```text
//! for each of the 16 boxes b:
//!   if b.x0 < rect.x1 and b.x1 > rect.x0 and b.y0 < rect.y1 and b.y1 > rect.y0:
//!     append the position of b to the list
//! ```
//!
//! 1. No branch depends on a box. Whether a box overlaps is unpredictable, and one misprediction
//!    costs more than 16 tests: with branches the sweep takes 3x as long.
//! 2. A vector of positions is stored whole, hits first, and the next store overwrites the rest.
//!    AVX-512 compresses in one instruction; narrower vectors look the order up in a table.
//! 3. The sweep passes the number of buffered hits and gets it back, so that a loop keeps it in a
//!    register.
//! 4. A pair of positions costs the sweep two look-ups of ids afterwards, about half of the time
//!    where boxes have 20 overlaps each. With AVX-512 the ids themselves are compressed instead.
//!
//! Called by the sweep and the queries, inside code compiled for the SIMD level.

use crate::broad::aabb_soa::{BLOCK_BOXES, BoxBlock, Edges};
use crate::broad::hit_buffer::{HitBuffer, Sink};
use crate::geom::{Point, Rect};
use fearless_simd::prelude::*;

/// A line against which a block of boxes is tested, in pixels relative to `middle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastLine {
    /// The box of the line, grown by the swept rectangle. A box must overlap it to be crossed.
    pub(super) near: Rect,
    /// The relevant section of the line, as a box.
    pub(super) clip: Rect,
    /// The top-left corner of the section, moved by the size of the swept rectangle.
    pub(super) first: Point,
    pub(super) middle: Point,
    /// The middle, moved by the size of the swept rectangle.
    pub(super) grown_middle: Point,
    /// Unit vector; zero for a point.
    pub(super) direction: [f32; 2],
    /// Position of the line: the cross product of `direction` and a point of the line.
    pub(super) offset: f32,
    /// Upper bound on rounding errors, in pixels.
    pub(super) slack: f32,
    /// Distance in pixels from the line within which a box is certainly crossed, or infinity.
    pub(super) margin: f32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels<S>(pub(super) S);

const INDICES: [u32; BLOCK_BOXES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Lanes of the widest vector whose hit order is looked up in a table.
pub(super) const LOOKUP_LANES: usize = 8;

/// Hits that [`unpack`] writes unconditionally. Fewer mispredict more; more waste stores.
const UNCONDITIONAL: usize = 4;

/// For each mask of [`LOOKUP_LANES`] bits: the set lanes, then unspecified ones. A mask of 4 lanes
/// uses the first 16 rows. A static, because unoptimised builds copy a constant at each look-up.
static SET_LANES: [[u32; LOOKUP_LANES]; 1 << LOOKUP_LANES] = {
    let mut packed = [[0; LOOKUP_LANES]; 1 << LOOKUP_LANES];
    let mut bits = 0;
    while bits < packed.len() {
        let (mut lane, mut next) = (0, 0);
        while lane < LOOKUP_LANES {
            if bits >> lane & 1 == 1 {
                packed[bits][next] = lane as u32;
                next += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    packed
};

/// Runs an expression with the kernels of a level bound to a name. A macro, because a closure would
/// be compiled without the instructions of the level. Everything it calls is `#[inline(always)]`.
macro_rules! with_kernels {
    ($level:expr, $kernels:ident => $run:expr) => {
        $crate::simd::with_level!($level, simd => fearless_simd::Simd::vectorize(
            simd,
            #[inline(always)]
            || {
                let $kernels = $crate::broad::kernels::Kernels(simd);
                $run
            },
        ))
    };
}
pub(super) use with_kernels;

impl<S: Simd> Kernels<S> {
    /// Sets the lanes whose boxes overlap, given their edges x0, y0, x1 and y1.
    #[inline(always)]
    pub(super) fn overlap(
        self,
        [x0, y0, x1, y1]: [S::i32s; 4],
        [left, top, right, bottom]: [S::i32s; 4],
    ) -> S::mask32s {
        x0.simd_lt(right) & x1.simd_gt(left) & y0.simd_lt(bottom) & y1.simd_gt(top)
    }

    /// Sets the lanes whose boxes overlap `rect`.
    #[inline(always)]
    pub(super) fn vector(self, edges: [S::i32s; 4], Rect { x0, y0, x1, y1 }: Rect) -> S::mask32s {
        let rect = [x0, y0, x1, y1].map(
            #[inline(always)]
            |edge| S::i32s::splat(self.0, edge),
        );
        self.overlap(edges, rect)
    }

    /// Loads one vector of boxes, from position `at` on.
    #[inline(always)]
    pub(super) fn edges(self, Edges { x0, y0, x1, y1 }: Edges<'_>, at: usize) -> [S::i32s; 4] {
        [self.load(x0, at), self.load(y0, at), self.load(x1, at), self.load(y1, at)]
    }

    /// Loads one vector of a block, from `lane` on.
    #[inline(always)]
    fn part(self, BoxBlock { x0, y0, x1, y1 }: BoxBlock<'_>, lane: usize) -> [S::i32s; 4] {
        [self.load(x0, lane), self.load(y0, lane), self.load(x1, lane), self.load(y1, lane)]
    }

    #[inline(always)]
    fn load(self, edges: &[i32], at: usize) -> S::i32s {
        S::i32s::from_slice(self.0, &edges[at..at + S::i32s::LEN])
    }

    /// Stores the positions of the set lanes, counted from `at`. Returns their number.
    #[inline(always)]
    pub(super) fn store(self, lanes: S::mask32s, at: usize, list: &mut [u32]) -> usize {
        let packed = self.set_lanes_first(lanes) + S::u32s::splat(self.0, at as u32);
        packed.store_slice(&mut list[..S::u32s::LEN]);
        lanes.to_bitmask().count_ones() as usize
    }

    /// Returns the numbers of the set lanes, followed by unspecified values.
    #[inline(always)]
    pub(super) fn set_lanes_first(self, lanes: S::mask32s) -> S::u32s {
        let n = S::u32s::LEN;
        if n <= LOOKUP_LANES {
            let bits = lanes.to_bitmask() as usize;
            S::u32s::from_slice(self.0, &SET_LANES[bits % SET_LANES.len()][..n])
        } else {
            S::u32s::from_slice(self.0, &INDICES[..n]).compress(lanes)
        }
    }
}

impl<S: Simd> Kernels<S> {
    /// Returns a bit for each box of a block, set if box i overlaps `rect`.
    #[inline(always)]
    pub(super) fn overlapping(self, block: BoxBlock<'_>, rect: Rect) -> u32 {
        #[cfg(test)]
        tested::add(BLOCK_BOXES as u64);
        let mut bits = 0;
        for lane in (0..BLOCK_BOXES).step_by(S::i32s::LEN) {
            bits |= (self.vector(self.part(block, lane), rect).to_bitmask() as u32) << lane;
        }
        bits
    }

    /// Returns the bounding box of a block; an inverted one if the block is empty.
    #[inline(always)]
    pub(super) fn bounding_box(self, block: BoxBlock<'_>) -> Rect {
        let [mut left, mut top, mut right, mut bottom] = self.part(block, 0);
        for lane in (S::i32s::LEN..BLOCK_BOXES).step_by(S::i32s::LEN) {
            let [x0, y0, x1, y1] = self.part(block, lane);
            (left, top) = (left.min(x0), top.min(y0));
            (right, bottom) = (right.max(x1), bottom.max(y1));
        }
        Rect::new(left.reduce_min(), top.reduce_min(), right.reduce_max(), bottom.reduce_max())
    }

    /// Writes the positions from `at` to `at + 15` whose edge is greater than `line` to the start
    /// of `list`. Returns their number. `list` has room for a block.
    #[inline(always)]
    pub(super) fn ending_past(
        self,
        edges: &[i32],
        at: usize,
        line: i32,
        list: &mut [u32],
    ) -> usize {
        #[cfg(test)]
        tested::add(BLOCK_BOXES as u64);
        let mut count = 0;
        for lane in (0..BLOCK_BOXES).step_by(S::i32s::LEN) {
            let lanes = self.load(edges, at + lane).simd_gt(S::i32s::splat(self.0, line));
            count += self.store(lanes, at + lane, &mut list[count..]);
        }
        count
    }

    /// Writes the positions from `at` to `at + 15` whose boxes overlap the `span` of y to the start
    /// of `list`. Returns their number. `list` has room for a block.
    #[inline(always)]
    pub(super) fn in_span(
        self,
        bounds: Edges<'_>,
        at: usize,
        span: [i32; 2],
        list: &mut [u32],
    ) -> usize {
        #[cfg(test)]
        tested::add(BLOCK_BOXES as u64);
        let [top, bottom] = span.map(|edge| S::i32s::splat(self.0, edge));
        let mut count = 0;
        for lane in (0..BLOCK_BOXES).step_by(S::i32s::LEN) {
            let i = at + lane;
            let lanes =
                self.load(bounds.y1, i).simd_gt(top) & self.load(bounds.y0, i).simd_lt(bottom);
            count += self.store(lanes, i, &mut list[count..]);
        }
        count
    }

    /// Writes the positions of the set bits of a block at `at` to the start of `list`. Returns
    /// their number. `list` has room for a block.
    #[inline(always)]
    pub(super) fn unpack(self, bits: u32, at: usize, list: &mut [u32]) -> usize {
        if S::i32s::LEN < BLOCK_BOXES {
            // Several table look-ups take longer than the scalar loop.
            return unpack(bits, at, list);
        }
        self.store(S::mask32s::from_bitmask(self.0, bits.into()), at, list)
    }

    /// Returns two bit sets of the boxes of a block. The first holds each box that `line` crosses,
    /// and maybe boxes that it nearly crosses. The second holds only boxes that it certainly
    /// crosses.
    #[inline(always)]
    pub(super) fn crossed_by(self, block: BoxBlock<'_>, line: &CastLine) -> [u32; 2] {
        #[cfg(test)]
        tested::add(BLOCK_BOXES as u64);
        let [right, down] = line.direction.map(|side| S::f32s::splat(self.0, side));
        let most = S::f32s::splat(self.0, line.offset + line.slack);
        let least = S::f32s::splat(self.0, line.offset - line.slack);
        let above = S::f32s::splat(self.0, line.offset + line.margin);
        let below = S::f32s::splat(self.0, line.offset - line.margin);
        let mut bits = [0; 2];
        for lane in (0..BLOCK_BOXES).step_by(S::i32s::LEN) {
            let edges = self.part(block, lane);
            let first = |edge: S::i32s, least: i32, middle: i32| {
                let edge = edge.max(S::i32s::splat(self.0, least));
                (edge - S::i32s::splat(self.0, middle)).to_float::<S::f32s>()
            };
            let last = |edge: S::i32s, most: i32, middle: i32| {
                let edge = edge.min(S::i32s::splat(self.0, most));
                (edge - S::i32s::splat(self.0, middle)).to_float::<S::f32s>()
            };
            let x0 = down * first(edges[0], line.first.x, line.grown_middle.x);
            let y0 = right * first(edges[1], line.first.y, line.grown_middle.y);
            let x1 = down * last(edges[2], line.clip.x1, line.middle.x);
            let y1 = right * last(edges[3], line.clip.y1, line.middle.y);
            // The line separates no box whose corners lie on both of its sides.
            let highest = y0.max(y1) - x0.min(x1);
            let lowest = y0.min(y1) - x0.max(x1);
            let near = self.vector(edges, line.near);
            let may = near & highest.simd_ge(least) & lowest.simd_le(most);
            let does = near & highest.simd_ge(above) & lowest.simd_le(below);
            bits[0] |= (may.to_bitmask() as u32) << lane;
            bits[1] |= (does.to_bitmask() as u32) << lane;
        }
        bits
    }
}

/// Writes the positions of the set bits to the start of `list`. Returns their number.
#[inline(always)]
fn unpack(mut bits: u32, at: usize, list: &mut [u32]) -> usize {
    let count = bits.count_ones() as usize;
    let list = &mut list[..BLOCK_BOXES];
    for slot in &mut list[..UNCONDITIONAL] {
        *slot = at as u32 + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    let mut next = UNCONDITIONAL;
    while bits != 0 {
        list[next & (BLOCK_BOXES - 1)] = at as u32 + bits.trailing_zeros();
        bits &= bits - 1;
        next += 1;
    }
    count
}

/// Counts the boxes that the kernels test on this thread.
#[cfg(test)]
pub(super) mod tested {
    use std::cell::Cell;

    thread_local!(static TESTED: Cell<u64> = const { Cell::new(0) });

    pub(in crate::broad) fn add(boxes: u64) {
        TESTED.set(TESTED.get() + boxes);
    }

    /// Returns the count and resets it.
    pub(in crate::broad) fn take() -> u64 {
        TESTED.take()
    }
}

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
    pub(super) const HAS_BLOCK_SWEEP: bool = S::i32s::LEN == BLOCK_BOXES;

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
        let (first, second) = hits.room::<BLOCK_BOXES>(len);
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
    /// [`BLOCK_BOXES`] boxes from position `from + i` on.
    ///
    /// The row is sorted up to `slack` pixels. Returns the lanes whose boxes may overlap later
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
        for other in from..from + BLOCK_BOXES {
            let others = self.edges(bounds, other);
            let lanes = self.overlap(others, block);
            let (one, two) = if IDS {
                (ids.compress(lanes), self.ids(named, other).compress(lanes))
            } else {
                let packed = self.set_lanes_first(lanes);
                let positions = |from: usize| packed + S::u32s::splat(self.0, from as u32);
                (positions(at), positions(other))
            };
            let (first, second) = hits.room::<BLOCK_BOXES>(len);
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
