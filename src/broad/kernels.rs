//! The kernels of the broad phase: sixteen boxes against one.
//!
//! ```text
//! for each of the sixteen boxes b:
//!   if b.x0 < rect.x1 and b.x1 > rect.x0 and b.y0 < rect.y1 and b.y1 > rect.y0:
//!     append the position of b to the list
//! ```
//!
//! 1. No branch depends on a box. Whether a box overlaps is unpredictable, and one misprediction
//!    costs more than sixteen tests: the sweep takes 3x as long with branches.
//! 2. A vector of positions is stored whole. The positions of the hits come first, and the next
//!    store overwrites the rest. AVX-512 compresses the positions with one instruction. Narrower
//!    vectors look the order of the hits up in a table of 256 rows.
//!
//! The sweep and the queries call these functions inside code that is compiled for the level.

use crate::broad::aabb_soa::{BLOCK, Block, Edges};
use crate::broad::hit_buffer::{HitBuffer, Sink};
use crate::geom::{Point, Rect};
use fearless_simd::prelude::*;

/// A line against which a block of boxes is tested, in pixels from `middle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What a box must overlap, being grown.
    pub(super) near: Rect,
    /// The part of the line that matters, as a box.
    pub(super) clip: Rect,
    /// Its first corner, before growing.
    pub(super) first: Point,
    pub(super) middle: Point,
    /// The middle, before growing.
    pub(super) grown_middle: Point,
    /// Of length 1, or 0 for a point.
    pub(super) direction: [f32; 2],
    /// Where the line lies: direction x (a point of the line).
    pub(super) offset: f32,
    /// Pixels that rounding may be wrong by.
    pub(super) slack: f32,
    /// Pixels on both sides of the line from which a box is crossed for certain; infinity where no box
    /// is.
    pub(super) margin: f32,
}

/// The kernels of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels<S>(pub(super) S);

/// 0, 1, 2 ...: positions within a block.
const INDICES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Lanes of the widest vector for which the order of the hits is looked up.
const LOOKUP_LANES: usize = 8;

/// Hits that [`unpack`] writes unconditionally. Fewer, and its loop runs often enough to be
/// mispredicted; more, and most of the stores are wasted.
const UNCONDITIONAL: usize = 4;

/// For each mask of [`LOOKUP_LANES`] bits, the lanes whose bits are set, then unspecified lanes. A mask of
/// four lanes uses the first 16 rows. A static, because a build without optimisation would copy a
/// constant at each look-up.
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

/// Runs an expression with the kernels of a level under a name. A macro, because a closure would be
/// compiled without the instructions of the level: everything that it calls is `#[inline(always)]`.
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
    /// Which of the boxes of one vector, by their edges x0, y0, x1 and y1, overlap the one beside them in another.
    #[inline(always)]
    fn overlap(
        self,
        [x0, y0, x1, y1]: [S::i32s; 4],
        [left, top, right, bottom]: [S::i32s; 4],
    ) -> S::mask32s {
        x0.simd_lt(right) & x1.simd_gt(left) & y0.simd_lt(bottom) & y1.simd_gt(top)
    }

    /// Which of them overlap `rect`.
    #[inline(always)]
    fn vector(self, edges: [S::i32s; 4], Rect { x0, y0, x1, y1 }: Rect) -> S::mask32s {
        let rect = [x0, y0, x1, y1].map(
            #[inline(always)]
            |edge| S::i32s::splat(self.0, edge),
        );
        self.overlap(edges, rect)
    }

    /// One vector of boxes, from a position on.
    #[inline(always)]
    fn edges(self, Edges { x0, y0, x1, y1 }: Edges<'_>, at: usize) -> [S::i32s; 4] {
        [self.load(x0, at), self.load(y0, at), self.load(x1, at), self.load(y1, at)]
    }

    /// One vector of a block, from `lane`.
    #[inline(always)]
    fn part(self, Block { x0, y0, x1, y1 }: Block<'_>, lane: usize) -> [S::i32s; 4] {
        [self.load(x0, lane), self.load(y0, lane), self.load(x1, lane), self.load(y1, lane)]
    }

    #[inline(always)]
    fn load(self, edges: &[i32], at: usize) -> S::i32s {
        S::i32s::from_slice(self.0, &edges[at..at + S::i32s::LEN])
    }

    /// Stores the positions of the lanes set, from `at`; the number of them.
    #[inline(always)]
    fn store(self, lanes: S::mask32s, at: usize, list: &mut [u32]) -> usize {
        let packed = self.set_lanes_first(lanes) + S::u32s::splat(self.0, at as u32);
        packed.store_slice(&mut list[..S::u32s::LEN]);
        lanes.to_bitmask().count_ones() as usize
    }

    /// The lanes set, by their numbers, and after them whatever.
    #[inline(always)]
    fn set_lanes_first(self, lanes: S::mask32s) -> S::u32s {
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
    /// Boxes that the sweep tests together: one vector, or two of four lanes.
    pub(super) const STEP: usize =
        if S::i32s::LEN < LOOKUP_LANES { LOOKUP_LANES } else { S::i32s::LEN };

    /// True where one vector holds a block, so that [`sweep_block`](Self::sweep_block) pays.
    pub(super) const HAS_BLOCK_SWEEP: bool = S::i32s::LEN == BLOCK;

    /// Bit i is set where box i of a block overlaps `rect`.
    #[inline(always)]
    pub(super) fn overlapping(self, block: Block<'_>, rect: Rect) -> u32 {
        #[cfg(test)]
        tested::add(BLOCK as u64);
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            bits |= (self.vector(self.part(block, lane), rect).to_bitmask() as u32) << lane;
        }
        bits
    }

    /// Appends the pairs of `probe` and those of the [`STEP`](Self::STEP) boxes from `at` on that
    /// overlap `rect`.
    #[inline(always)]
    pub(super) fn append_overlaps(
        self,
        bounds: Edges<'_>,
        at: usize,
        rect: Rect,
        probe: u32,
        hits: &mut HitBuffer,
    ) {
        #[cfg(test)]
        tested::add(Self::STEP as u64);
        let lanes = S::i32s::LEN;
        let probe = S::u32s::splat(self.0, probe);
        let (first, second) = hits.room::<BLOCK>();
        let mut count = 0;
        for vector in 0..Self::STEP / lanes {
            let at = at + vector * lanes;
            probe.store_slice(&mut first[vector * lanes..][..lanes]);
            let hit = self.vector(self.edges(bounds, at), rect);
            count += self.store(hit, at, &mut second[count..]);
        }
        hits.keep(count);
    }

    /// Appends the pairs of the boxes of the block at `at`: of the first with the [`BLOCK`] boxes
    /// from `from` on, of the second with those from the next position on, and so on. The strip is
    /// sorted up to `slack` pixels. Returns the lanes whose boxes may overlap later boxes too.
    #[inline(always)]
    pub(super) fn sweep_block(
        self,
        bounds: Edges<'_>,
        [at, from]: [usize; 2],
        slack: u32,
        hits: &mut HitBuffer,
        sink: &mut Sink<'_>,
    ) -> u32 {
        let block = self.edges(bounds, at);
        // The last place at most: padding starts there, and ends every walk.
        let slack = i32::try_from(slack).unwrap_or(i32::MAX);
        let most = S::i32s::splat(self.0, i32::MAX - slack);
        let stop = block[2].min(most) + S::i32s::splat(self.0, slack);
        let mut near = 0;
        for other in from..from + BLOCK {
            let others = self.edges(bounds, other);
            let lanes = self.overlap(others, block);
            let packed = self.set_lanes_first(lanes);
            let (first, second) = hits.room::<BLOCK>();
            let positions = |from: usize| packed + S::u32s::splat(self.0, from as u32);
            positions(at).store_slice(&mut first[..S::u32s::LEN]);
            positions(other).store_slice(&mut second[..S::u32s::LEN]);
            hits.keep(lanes.to_bitmask().count_ones() as usize);
            hits.drain_if_full(sink);
            near = others[0].simd_lt(stop).to_bitmask() as u32;
            if near == 0 {
                break;
            }
        }
        near
    }

    /// Returns the smallest box around a block; an inverted one where the block is empty.
    #[inline(always)]
    pub(super) fn bounding_box(self, block: Block<'_>) -> Rect {
        let [mut left, mut top, mut right, mut bottom] = self.part(block, 0);
        for lane in (S::i32s::LEN..BLOCK).step_by(S::i32s::LEN) {
            let [x0, y0, x1, y1] = self.part(block, lane);
            (left, top) = (left.min(x0), top.min(y0));
            (right, bottom) = (right.max(x1), bottom.max(y1));
        }
        Rect::new(left.reduce_min(), top.reduce_min(), right.reduce_max(), bottom.reduce_max())
    }

    /// Writes the positions, among `at` and the 15 after it, whose edge lies past `line` to the start
    /// of `list`, which has room for a block; returns their number.
    #[inline(always)]
    pub(super) fn ending_past(
        self,
        edges: &[i32],
        at: usize,
        line: i32,
        list: &mut [u32],
    ) -> usize {
        #[cfg(test)]
        tested::add(BLOCK as u64);
        let mut count = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let lanes = self.load(edges, at + lane).simd_gt(S::i32s::splat(self.0, line));
            count += self.store(lanes, at + lane, &mut list[count..]);
        }
        count
    }

    /// Writes the positions, among `at` and the 15 after it, that overlap the rows from `top` up to
    /// `bottom` to the start of `list`, which has room for a block; returns their number.
    #[inline(always)]
    pub(super) fn in_rows(
        self,
        bounds: Edges<'_>,
        at: usize,
        rows: [i32; 2],
        list: &mut [u32],
    ) -> usize {
        #[cfg(test)]
        tested::add(BLOCK as u64);
        let [top, bottom] = rows.map(|row| S::i32s::splat(self.0, row));
        let mut count = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let i = at + lane;
            let lanes =
                self.load(bounds.y1, i).simd_gt(top) & self.load(bounds.y0, i).simd_lt(bottom);
            count += self.store(lanes, i, &mut list[count..]);
        }
        count
    }

    /// Writes the positions of the set bits of a block at `at` to the start of `list`, which has room
    /// for a block; returns their number.
    #[inline(always)]
    pub(super) fn unpack(self, bits: u32, at: usize, list: &mut [u32]) -> usize {
        if S::i32s::LEN < BLOCK {
            // Several look-ups take longer.
            return unpack(bits, at, list);
        }
        self.store(S::mask32s::from_bitmask(self.0, bits.into()), at, list)
    }

    /// Bit i of the first is set where `line` crosses box i of a block, and maybe where it nearly does;
    /// bit i of the second only where it certainly does.
    #[inline(always)]
    pub(super) fn crossed_by(self, block: Block<'_>, line: &Line) -> [u32; 2] {
        #[cfg(test)]
        tested::add(BLOCK as u64);
        let [right, down] = line.direction.map(|side| S::f32s::splat(self.0, side));
        let most = S::f32s::splat(self.0, line.offset + line.slack);
        let least = S::f32s::splat(self.0, line.offset - line.slack);
        let above = S::f32s::splat(self.0, line.offset + line.margin);
        let below = S::f32s::splat(self.0, line.offset - line.margin);
        let mut bits = [0; 2];
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
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
            // Not all corners lie on one side of the line.
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

    /// Returns a quarter of the squared distance of `point` from each box of a block, or slightly less;
    /// infinity where there is no box.
    #[inline(always)]
    pub(super) fn distances(self, block: Block<'_>, point: Point) -> [f32; BLOCK] {
        #[cfg(test)]
        tested::add(BLOCK as u64);
        let mut distances = [0.0; BLOCK];
        let one = S::i32s::splat(self.0, 1);
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let [x0, y0, x1, y1] = self.part(block, lane);
            let side = |start: S::i32s, end: S::i32s, point: i32| {
                let point = S::i32s::splat(self.0, point);
                let nearest = point.max(start).min(end - one);
                // Up to 2^32, so half of it, and as if it had no sign.
                let apart = point.max(nearest) - point.min(nearest);
                ((apart >> 1) & S::i32s::splat(self.0, i32::MAX)).to_float::<S::f32s>()
            };
            let (x, y) = (side(x0, x1, point.x), side(y0, y1, point.y));
            let nowhere = S::f32s::splat(self.0, f32::INFINITY);
            let squares = x0.simd_lt(x1).select(x * x + y * y, nowhere);
            squares.store_slice(&mut distances[lane..lane + S::i32s::LEN]);
        }
        distances
    }
}

/// Writes the positions of the set bits to the start of `list`; returns their number.
#[inline(always)]
fn unpack(mut bits: u32, at: usize, list: &mut [u32]) -> usize {
    let count = bits.count_ones() as usize;
    let list = &mut list[..BLOCK];
    for slot in &mut list[..UNCONDITIONAL] {
        *slot = at as u32 + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    let mut next = UNCONDITIONAL;
    while bits != 0 {
        list[next & (BLOCK - 1)] = at as u32 + bits.trailing_zeros();
        bits &= bits - 1;
        next += 1;
    }
    count
}

/// How many boxes the kernels have tested on this thread.
#[cfg(test)]
pub(super) mod tested {
    use std::cell::Cell;

    thread_local!(static TESTED: Cell<u64> = const { Cell::new(0) });

    pub(in crate::broad) fn add(boxes: u64) {
        TESTED.set(TESTED.get() + boxes);
    }

    /// Returns the number since the last call.
    pub(in crate::broad) fn take() -> u64 {
        TESTED.take()
    }
}
