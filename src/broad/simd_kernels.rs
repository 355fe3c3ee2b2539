//! The kernels of the broad phase where positions of hits are written a vector at a time: AVX2 and AVX-512.
//!
//! With AVX-512 they are compressed, with AVX2 looked up, and the whole vector is stored; what lies past the
//! hits is overwritten by the next. Elsewhere the portable path of `lanes.rs` is quicker.

use crate::broad::aabb_soa::{BLOCK, Block, Edges};
use crate::broad::hit_buffer::{Hits, Sink};
use crate::broad::kernels::{Lanes, unpack};
use crate::broad::line::Line;
use crate::geom::{Point, Rect};
use fearless_simd::prelude::*;

/// The widest vectors of one of these instruction sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<S>(pub(super) S);

/// 0, 1, 2 ...: positions within a block.
const INDICES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Lanes of the vectors for which the places of hits are looked up.
const EIGHT: usize = 8;

/// For each number of so many bits the places of those that are set, and after them whatever. AVX2 has no
/// instruction to compress, and to do it with others takes longer. A static, or else a build without
/// optimisation copies all of it for each look.
static PACKED: [[u32; EIGHT]; 1 << EIGHT] = {
    let mut places = [[0; EIGHT]; 1 << EIGHT];
    let mut bits = 0;
    while bits < places.len() {
        let (mut lane, mut next) = (0, 0);
        while lane < EIGHT {
            if bits >> lane & 1 == 1 {
                places[bits][next] = lane as u32;
                next += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    places
};

impl<S: Simd> Wide<S> {
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
        let places = self.places(lanes) + S::u32s::splat(self.0, at as u32);
        places.store_slice(&mut list[..S::u32s::LEN]);
        lanes.to_bitmask().count_ones() as usize
    }

    /// The lanes set, by their numbers, and after them whatever.
    #[inline(always)]
    fn places(self, lanes: S::mask32s) -> S::u32s {
        let n = S::u32s::LEN;
        if n == EIGHT {
            let bits = lanes.to_bitmask() as usize;
            S::u32s::from_slice(self.0, &PACKED[bits % PACKED.len()][..n])
        } else {
            S::u32s::from_slice(self.0, &INDICES[..n]).compress(lanes)
        }
    }
}

impl<S: Simd> Lanes for Wide<S> {
    const STEP: usize = S::i32s::LEN;

    #[inline(always)]
    fn overlapping(self, block: Block<'_>, rect: Rect) -> u32 {
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            bits |= (self.vector(self.part(block, lane), rect).to_bitmask() as u32) << lane;
        }
        bits
    }

    #[inline(always)]
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        let lanes = self.vector(self.edges(bounds, at), rect);
        let (first, second) = hits.room::<BLOCK>();
        S::u32s::splat(self.0, probe).store_slice(&mut first[..S::u32s::LEN]);
        let count = self.store(lanes, at, second);
        hits.keep(count);
    }

    const ABREAST: bool = S::i32s::LEN == BLOCK;

    #[inline(always)]
    fn abreast(
        self,
        bounds: Edges<'_>,
        [at, from]: [usize; 2],
        slack: u32,
        hits: &mut Hits,
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
            let places = self.places(lanes);
            let (first, second) = hits.room::<BLOCK>();
            let positions = |from: usize| places + S::u32s::splat(self.0, from as u32);
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

    #[inline(always)]
    fn around(self, block: Block<'_>) -> Rect {
        let [mut left, mut top, mut right, mut bottom] = self.part(block, 0);
        for lane in (S::i32s::LEN..BLOCK).step_by(S::i32s::LEN) {
            let [x0, y0, x1, y1] = self.part(block, lane);
            (left, top) = (left.min(x0), top.min(y0));
            (right, bottom) = (right.max(x1), bottom.max(y1));
        }
        Rect::new(left.reduce_min(), top.reduce_min(), right.reduce_max(), bottom.reduce_max())
    }

    #[inline(always)]
    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize {
        let mut count = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let lanes = self.load(edges, at + lane).simd_gt(S::i32s::splat(self.0, line));
            count += self.store(lanes, at + lane, &mut list[count..]);
        }
        count
    }

    #[inline(always)]
    fn beside(self, bounds: Edges<'_>, at: usize, rows: [i32; 2], list: &mut [u32]) -> usize {
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

    #[inline(always)]
    fn unpack(self, bits: u32, at: usize, list: &mut [u32]) -> usize {
        if S::i32s::LEN < BLOCK {
            // Two looks at a table would take longer.
            return unpack(bits, at, list);
        }
        self.store(S::mask32s::from_bitmask(self.0, bits.into()), at, list)
    }

    #[inline(always)]
    fn along(self, block: Block<'_>, line: &Line) -> [u32; 2] {
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

    #[inline(always)]
    fn distances(self, block: Block<'_>, point: Point) -> [f32; BLOCK] {
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
