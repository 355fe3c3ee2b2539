//! The kernels of the broad phase: sixteen boxes against one.
//!
//! ```text
//! for each of the sixteen boxes b:
//!   if b.x0 < rect.x1 and b.x1 > rect.x0 and b.y0 < rect.y1 and b.y1 > rect.y0:
//!     write b down
//! ```
//!
//! 1. No branch depends on a box. Which boxes meet is as good as random, and a mispredicted
//!    branch costs more than the sixteen tests: with branches the sweep takes three times as long.
//! 2. The portable path writes the first four hits down whether there are so many or not. A fifth
//!    is rare enough for its loop to be predicted. `compress.rs` has a better one for some machines.
//!
//! Called by the sweep and the search, inside a function compiled for the instruction set.

use crate::broad::aabb_soa::{BLOCK, Block, Edges};
use crate::broad::hit_buffer::{Hits, Sink};
use crate::broad::line::Line;
use crate::geom::{Point, Rect};
use wide::{f32x4, i32x4, u32x4};

/// What one instruction set does with a block.
pub(super) trait Lanes: Copy {
    /// Bit i is set where box i of a block overlaps `rect`.
    fn overlapping(self, block: Block<'_>, rect: Rect) -> u32;

    /// Boxes that are tested together in a sweep.
    const STEP: usize;

    /// Adds the pairs of `probe` and the boxes at `at` and after it, a step of them, that overlap
    /// `rect`.
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits);

    /// True where a vector holds a block, so that [`abreast`](Self::abreast) pays.
    const ABREAST: bool = false;

    /// Adds the pairs of boxes of the block at `at`: of the first one and the boxes from `from` on, [`BLOCK`] of
    /// them, of the second one and those from the place after it on, and so on; of a row whose order is true
    /// to `slack` pixels. Gives the lanes of those that may meet boxes after these too.
    #[inline(always)]
    fn abreast(
        self,
        _: Edges<'_>,
        [_at, _from]: [usize; 2],
        _slack: u32,
        _: &mut Hits,
        _: &mut Sink<'_>,
    ) -> u32 {
        0
    }

    /// The smallest box round a block; that of nobody where it is empty.
    fn around(self, block: Block<'_>) -> Rect;

    /// Writes to the start of `list`, which has room for a block, the positions among `at` and
    /// the 15 after it whose edge lies past `line`; the number of them.
    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize;

    /// The same with those that overlap the rows from `top` to, not including, `bottom`.
    fn beside(self, bounds: Edges<'_>, at: usize, rows: [i32; 2], list: &mut [u32]) -> usize;

    /// Writes the positions of the bits set, of a block at `at`, to the start of `list`, which has room for a
    /// block; the number of them.
    #[inline(always)]
    fn unpack(self, bits: u32, at: usize, list: &mut [u32]) -> usize {
        unpack(bits, at, list)
    }

    /// Bit i of the first is set where `line` crosses box i of a block, and perhaps where it nearly
    /// does; of the second where it does for certain.
    fn along(self, block: Block<'_>, line: &Line) -> [u32; 2];

    /// A quarter of the squared distance of `point` from each box of a block, or a little less;
    /// infinity where there is no box.
    fn distances(self, block: Block<'_>, point: Point) -> [f32; BLOCK];
}

/// 128-bit vectors, whatever the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// Hits that the portable path writes down without asking. Fewer, and its loop runs often enough
/// to be mispredicted; more, and most of them are waste.
const UNASKED: usize = 4;

#[inline(always)]
fn four(edges: &[i32], at: usize) -> i32x4 {
    let four: [i32; 4] = edges[at..at + 4].try_into().unwrap_or_default();
    i32x4::from(four)
}

/// Four numbers of which each is worked out as the others are.
pub(crate) type Four = i32x4;

/// The columns of four rows.
#[inline(always)]
pub(crate) fn columns(rows: [[i32; 4]; 4]) -> [Four; 4] {
    u32x4::transpose(rows.map(bytemuck::cast)).map(bytemuck::cast)
}

#[inline(always)]
fn step(edges: &[i32], at: usize) -> &[i32; Portable::STEP] {
    &edges[at..at + Portable::STEP].as_chunks().0[0]
}

/// Writes the positions of the bits set to the start of `list`; the number of them.
#[inline(always)]
pub(super) fn unpack(mut bits: u32, at: usize, list: &mut [u32]) -> usize {
    let count = bits.count_ones() as usize;
    let list = &mut list[..BLOCK];
    for slot in &mut list[..UNASKED] {
        *slot = at as u32 + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    let mut next = UNASKED;
    while bits != 0 {
        list[next & (BLOCK - 1)] = at as u32 + bits.trailing_zeros();
        bits &= bits - 1;
        next += 1;
    }
    count
}

/// Bit i is set where box i of `N`, by their edges x0, y0, x1 and y1, overlaps `rect`.
#[inline(always)]
fn overlapping<const N: usize>(boxes: [&[i32; N]; 4], rect: Rect) -> u32 {
    let [left, top, right, bottom] = boxes;
    let (x0, y0) = (i32x4::splat(rect.x0), i32x4::splat(rect.y0));
    let (x1, y1) = (i32x4::splat(rect.x1), i32x4::splat(rect.y1));
    let mut bits = 0;
    for lane in (0..N).step_by(4) {
        let meets = four(left, lane).simd_lt(x1)
            & four(right, lane).simd_gt(x0)
            & four(top, lane).simd_lt(y1)
            & four(bottom, lane).simd_gt(y0);
        bits |= meets.to_bitmask() << lane;
    }
    bits
}

impl Lanes for Portable {
    const STEP: usize = 8;

    #[inline(always)]
    fn overlapping(self, Block { x0, y0, x1, y1 }: Block<'_>, rect: Rect) -> u32 {
        overlapping([x0, y0, x1, y1], rect)
    }

    #[inline(always)]
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        let Edges { x0, y0, x1, y1 } = bounds;
        let boxes = [x0, y0, x1, y1].map(
            #[inline(always)]
            |edges| step(edges, at),
        );
        let bits = overlapping::<{ Self::STEP }>(boxes, rect);
        let (first, second) = hits.room::<BLOCK>();
        first[..Self::STEP].fill(probe);
        let count = unpack(bits, at, second);
        hits.keep(count);
    }

    #[inline(always)]
    fn around(self, Block { x0, y0, x1, y1 }: Block<'_>) -> Rect {
        let fours = |edges: &[i32; BLOCK]| [0, 4, 8, 12].map(|lane| four(edges, lane));
        let least = |edges: &[i32; BLOCK]| {
            let [a, b, c, d] = fours(edges);
            a.min(b).min(c.min(d)).to_array().into_iter().fold(i32::MAX, i32::min)
        };
        let most = |edges: &[i32; BLOCK]| {
            let [a, b, c, d] = fours(edges);
            a.max(b).max(c.max(d)).to_array().into_iter().fold(i32::MIN, i32::max)
        };
        Rect::new(least(x0), least(y0), most(x1), most(y1))
    }

    #[inline(always)]
    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize {
        let line = i32x4::splat(line);
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(4) {
            bits |= four(edges, at + lane).simd_gt(line).to_bitmask() << lane;
        }
        unpack(bits, at, list)
    }

    #[inline(always)]
    fn beside(self, bounds: Edges<'_>, at: usize, rows: [i32; 2], list: &mut [u32]) -> usize {
        let [top, bottom] = rows.map(i32x4::splat);
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(4) {
            let i = at + lane;
            let meets = four(bounds.y1, i).simd_gt(top) & four(bounds.y0, i).simd_lt(bottom);
            bits |= meets.to_bitmask() << lane;
        }
        unpack(bits, at, list)
    }

    #[inline(always)]
    fn along(self, block: Block<'_>, line: &Line) -> [u32; 2] {
        let bits = self.overlapping(block, line.near);
        if bits == 0 {
            return [0; 2];
        }
        let [right, down] = line.direction.map(f32x4::splat);
        let (most, least) =
            (f32x4::splat(line.offset + line.slack), f32x4::splat(line.offset - line.slack));
        let (above, below) =
            (f32x4::splat(line.offset + line.margin), f32x4::splat(line.offset - line.margin));
        let mut crossed = [0; 2];
        for lane in (0..BLOCK).step_by(4) {
            let first = |edges: &[i32], least: i32, middle: i32| {
                (four(edges, lane).max(i32x4::splat(least)) - i32x4::splat(middle)).round_float()
            };
            let last = |edges: &[i32], most: i32, middle: i32| {
                (four(edges, lane).min(i32x4::splat(most)) - i32x4::splat(middle)).round_float()
            };
            let x0 = down * first(block.x0, line.first.x, line.grown_middle.x);
            let y0 = right * first(block.y0, line.first.y, line.grown_middle.y);
            let x1 = down * last(block.x1, line.clip.x1, line.middle.x);
            let y1 = right * last(block.y1, line.clip.y1, line.middle.y);
            // Not all corners lie on one side of the line.
            let highest = y0.fast_max(y1) - x0.fast_min(x1);
            let lowest = y0.fast_min(y1) - x0.fast_max(x1);
            let may = highest.simd_ge(least) & lowest.simd_le(most);
            let does = highest.simd_ge(above) & lowest.simd_le(below);
            crossed[0] |= may.to_bitmask() << lane;
            crossed[1] |= does.to_bitmask() << lane;
        }
        crossed.map(|crossed| bits & crossed)
    }

    #[inline(always)]
    fn distances(self, block: Block<'_>, point: Point) -> [f32; BLOCK] {
        let mut distances = [0.0; BLOCK];
        for lane in (0..BLOCK).step_by(4) {
            let side = |start: i32x4, end: i32x4, point: i32| {
                let point = i32x4::splat(point);
                let nearest = point.max(start).min(end - i32x4::ONE);
                // Up to 2^32, so half of it, and as if it had no sign.
                let apart = point.max(nearest) - point.min(nearest);
                let half: i32x4 = apart >> 1_i32;
                (half & i32x4::splat(i32::MAX)).round_float()
            };
            let (x0, x1) = (four(block.x0, lane), four(block.x1, lane));
            let (y0, y1) = (four(block.y0, lane), four(block.y1, lane));
            let (x, y) = (side(x0, x1, point.x), side(y0, y1, point.y));
            let there = x0.simd_lt(x1).to_bitmask();
            let four = (x * x + y * y).to_array();
            for (j, &distance) in four.iter().enumerate() {
                distances[lane + j] = if there >> j & 1 == 1 { distance } else { f32::INFINITY };
            }
        }
        distances
    }
}
