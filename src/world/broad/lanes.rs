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
//! 2. AVX2 and AVX-512 compress the positions of the hits and store a whole vector; what lies
//!    past the hits is overwritten by the next.
//! 3. The portable path writes the first four hits down whether there are so many or not. A fifth
//!    is rare enough for its loop to be predicted.
//!
//! Called by the sweep and the search, inside a function compiled for the instruction set.

use super::bounds::{BLOCK, Edges};
use super::cast::Line;
use super::hits::Hits;
use super::measure::Measure;
use crate::geom::{Point, Rect};
use fearless_simd::prelude::*;
use wide::{f32x4, i32x4};

/// What one instruction set does with a block.
pub(super) trait Lanes: Copy {
    /// Boxes that are looked at together while they are packed.
    const GROUP: usize;

    /// True where none of a group of boxes is empty, wider than the one limit or higher than the
    /// other.
    fn usual(self, group: &[Rect], limits: [u32; 2]) -> bool;

    /// Where boxes lie and how large they are.
    fn measure(self, boxes: &[Rect]) -> Measure;

    /// Bit i is set where the box at `at + i` overlaps `rect`.
    fn overlapping(self, bounds: Edges<'_>, at: usize, rect: Rect) -> u32;

    /// Boxes that are tested together in a sweep.
    const STEP: usize;

    /// Adds the pairs of `probe` and the boxes at `at` and after it, a step of them, that overlap
    /// `rect`.
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits);

    /// The smallest box round the block at `at`; that of nobody where it is empty.
    fn around(self, bounds: Edges<'_>, at: usize) -> Rect;

    /// Writes to the start of `list`, which has room for a block, the positions among `at` and
    /// the 15 after it whose edge lies past `line`; the number of them.
    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize;

    /// The same with those that overlap the rows from `top` to, not including, `bottom`.
    fn beside(self, bounds: Edges<'_>, at: usize, rows: [i32; 2], list: &mut [u32]) -> usize;

    /// Bit i is set where `line` crosses the box at `at + i`, and perhaps where it nearly does.
    fn along(self, bounds: Edges<'_>, at: usize, line: &Line) -> u32;

    /// A quarter of the squared distance of `point` from each box of a block, or a little less;
    /// infinity where there is no box.
    fn distances(self, bounds: Edges<'_>, at: usize, point: Point) -> [f32; BLOCK];
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

/// Writes the positions of the bits set to the start of `list`; the number of them.
#[inline(always)]
fn unpack(mut bits: u32, at: usize, list: &mut [u32]) -> usize {
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

/// Bit i is set where the box at `at + i`, one of `N`, overlaps `rect`.
#[inline(always)]
fn overlapping<const N: usize>(bounds: Edges<'_>, at: usize, rect: Rect) -> u32 {
    let (x0, y0) = (i32x4::splat(rect.x0), i32x4::splat(rect.y0));
    let (x1, y1) = (i32x4::splat(rect.x1), i32x4::splat(rect.y1));
    let mut bits = 0;
    for lane in (0..N).step_by(4) {
        let i = at + lane;
        let meets = four(bounds.x0, i).simd_lt(x1)
            & four(bounds.x1, i).simd_gt(x0)
            & four(bounds.y0, i).simd_lt(y1)
            & four(bounds.y1, i).simd_gt(y0);
        bits |= meets.to_bitmask() << lane;
    }
    bits
}

impl Lanes for Portable {
    const GROUP: usize = 1;
    const STEP: usize = 8;

    #[inline(always)]
    fn usual(self, group: &[Rect], [width, height]: [u32; 2]) -> bool {
        group.iter().all(|&Rect { x0, y0, x1, y1 }| {
            let there = (x0 < x1) & (y0 < y1);
            let wide = x1.wrapping_sub(x0) as u32 > width;
            let high = y1.wrapping_sub(y0) as u32 > height;
            there & !(wide | high)
        })
    }

    #[inline(always)]
    fn measure(self, boxes: &[Rect]) -> Measure {
        Measure::new(boxes)
    }

    #[inline(always)]
    fn overlapping(self, bounds: Edges<'_>, at: usize, rect: Rect) -> u32 {
        overlapping::<BLOCK>(bounds, at, rect)
    }

    #[inline(always)]
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        let bits = overlapping::<{ Self::STEP }>(bounds, at, rect);
        let (first, second) = hits.room::<BLOCK>();
        first[..Self::STEP].fill(probe);
        let count = unpack(bits, at, second);
        hits.keep(count);
    }

    #[inline(always)]
    fn around(self, bounds: Edges<'_>, at: usize) -> Rect {
        let fours = |edges: &[i32]| [0, 4, 8, 12].map(|lane| four(edges, at + lane));
        let least = |edges: &[i32]| {
            let [a, b, c, d] = fours(edges);
            a.min(b).min(c.min(d)).to_array().into_iter().fold(i32::MAX, i32::min)
        };
        let most = |edges: &[i32]| {
            let [a, b, c, d] = fours(edges);
            a.max(b).max(c.max(d)).to_array().into_iter().fold(i32::MIN, i32::max)
        };
        Rect::new(least(bounds.x0), least(bounds.y0), most(bounds.x1), most(bounds.y1))
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
    fn along(self, bounds: Edges<'_>, at: usize, line: &Line) -> u32 {
        let bits = self.overlapping(bounds, at, line.near);
        if bits == 0 {
            return 0;
        }
        let [right, down] = line.direction.map(f32x4::splat);
        let (most, least) =
            (f32x4::splat(line.offset + line.slack), f32x4::splat(line.offset - line.slack));
        let mut crossed = 0;
        for lane in (0..BLOCK).step_by(4) {
            let i = at + lane;
            let first = |edges, least: i32, middle: i32| {
                (four(edges, i).max(i32x4::splat(least)) - i32x4::splat(middle)).round_float()
            };
            let last = |edges, most: i32, middle: i32| {
                (four(edges, i).min(i32x4::splat(most)) - i32x4::splat(middle)).round_float()
            };
            let x0 = down * first(bounds.x0, line.first.x, line.grown_middle.x);
            let y0 = right * first(bounds.y0, line.first.y, line.grown_middle.y);
            let x1 = down * last(bounds.x1, line.clip.x1, line.middle.x);
            let y1 = right * last(bounds.y1, line.clip.y1, line.middle.y);
            // Not all corners lie on one side of the line.
            let highest = y0.fast_max(y1) - x0.fast_min(x1);
            let lowest = y0.fast_min(y1) - x0.fast_max(x1);
            crossed |= (highest.simd_ge(least) & lowest.simd_le(most)).to_bitmask() << lane;
        }
        bits & crossed
    }

    #[inline(always)]
    fn distances(self, bounds: Edges<'_>, at: usize, point: Point) -> [f32; BLOCK] {
        let mut distances = [0.0; BLOCK];
        for lane in (0..BLOCK).step_by(4) {
            let i = at + lane;
            let side = |start: i32x4, end: i32x4, point: i32| {
                let point = i32x4::splat(point);
                let nearest = point.max(start).min(end - i32x4::ONE);
                // Up to 2^32, so half of it, and as if it had no sign.
                let apart = point.max(nearest) - point.min(nearest);
                let half: i32x4 = apart >> 1_i32;
                (half & i32x4::splat(i32::MAX)).round_float()
            };
            let (x0, x1) = (four(bounds.x0, i), four(bounds.x1, i));
            let (y0, y1) = (four(bounds.y0, i), four(bounds.y1, i));
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

/// The widest vectors of an instruction set that can compress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<S>(pub(super) S);

/// 0, 1, 2 ...: positions within a block.
const INDICES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl<S: Simd> Wide<S> {
    /// The lanes of a group that hold sides: two of every four.
    const SIDES: u32 = 0x3333 >> (16 - S::i32s::LEN);

    /// The widths and heights of a group, in the first two lanes of every four, and which of them
    /// are more than 0.
    #[inline(always)]
    fn sides(self, group: &[Rect]) -> (S::mask32s, S::u32s) {
        let edges: &[i32] = bytemuck::cast_slice(group);
        let starts = self.load(edges, 0);
        // What the other two lanes hold does not matter.
        let ends = starts.slide::<2>(starts);
        (starts.simd_lt(ends), (ends - starts).bitcast())
    }

    /// Which of the boxes of one vector, from `at`, overlap `rect`.
    #[inline(always)]
    fn vector(self, bounds: Edges<'_>, at: usize, rect: Rect) -> S::mask32s {
        self.load(bounds.x0, at).simd_lt(S::i32s::splat(self.0, rect.x1))
            & self.load(bounds.x1, at).simd_gt(S::i32s::splat(self.0, rect.x0))
            & self.load(bounds.y0, at).simd_lt(S::i32s::splat(self.0, rect.y1))
            & self.load(bounds.y1, at).simd_gt(S::i32s::splat(self.0, rect.y0))
    }

    #[inline(always)]
    fn load(self, edges: &[i32], at: usize) -> S::i32s {
        S::i32s::from_slice(self.0, &edges[at..at + S::i32s::LEN])
    }

    /// Stores the positions of the lanes set, from `at`; the number of them.
    #[inline(always)]
    fn store(self, lanes: S::mask32s, at: usize, list: &mut [u32]) -> usize {
        let n = S::u32s::LEN;
        let positions =
            S::u32s::from_slice(self.0, &INDICES[..n]) + S::u32s::splat(self.0, at as u32);
        positions.compress(lanes).store_slice(&mut list[..n]);
        lanes.to_bitmask().count_ones() as usize
    }
}

impl<S: Simd> Lanes for Wide<S> {
    const GROUP: usize = S::i32s::LEN / 4;
    const STEP: usize = S::i32s::LEN;

    #[inline(always)]
    fn usual(self, group: &[Rect], limits: [u32; 2]) -> bool {
        let (there, sides) = self.sides(group);
        let limits = [limits[0], limits[1], u32::MAX, u32::MAX];
        let limits = S::u32s::block_splat(limits.simd_into(self.0));
        let usual = there & sides.simd_le(limits);
        usual.to_bitmask() as u32 & Self::SIDES == Self::SIDES
    }

    #[inline(always)]
    fn measure(self, boxes: &[Rect]) -> Measure {
        // Halves of sides are summed in 32 bits, which so many vectors cannot overflow.
        let (groups, rest) = boxes.split_at(boxes.len() / Self::GROUP * Self::GROUP);
        let mut all = Measure::new(rest);
        for boxes in groups.chunks(Self::GROUP << 14) {
            let mut count = 0;
            let mut least = S::i32s::splat(self.0, i32::MAX);
            let mut most = S::i32s::splat(self.0, i32::MIN);
            let half = S::u32s::splat(self.0, 0xffff);
            let (mut low, mut high) = (half & !half, half & !half);
            for group in boxes.chunks_exact(Self::GROUP) {
                let (there, sides) = self.sides(group);
                if there.to_bitmask() as u32 & Self::SIDES != Self::SIDES {
                    all = all.and(Measure::new(group));
                    continue;
                }
                count += Self::GROUP;
                let edges = self.load(bytemuck::cast_slice(group), 0);
                (least, most) = (least.min(edges), most.max(edges));
                low += sides & half;
                high += sides >> 16;
            }
            let of = |lane: usize| (0..Self::GROUP).map(move |i| 4 * i + lane);
            let least = |lane| of(lane).map(|i| least[i]).fold(i32::MAX, i32::min);
            let most = |lane| of(lane).map(|i| most[i]).fold(i32::MIN, i32::max);
            let sum = |lane| of(lane).map(|i| u64::from(low[i]) + (u64::from(high[i]) << 16)).sum();
            all = all.and(Measure {
                count,
                x0: [least(0), most(0)],
                y0: [least(1), most(1)],
                width: sum(0),
                height: sum(1),
            });
        }
        all
    }

    #[inline(always)]
    fn overlapping(self, bounds: Edges<'_>, at: usize, rect: Rect) -> u32 {
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            bits |= (self.vector(bounds, at + lane, rect).to_bitmask() as u32) << lane;
        }
        bits
    }

    #[inline(always)]
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        let lanes = self.vector(bounds, at, rect);
        let (first, second) = hits.room::<BLOCK>();
        S::u32s::splat(self.0, probe).store_slice(&mut first[..S::u32s::LEN]);
        let count = self.store(lanes, at, second);
        hits.keep(count);
    }

    #[inline(always)]
    fn around(self, bounds: Edges<'_>, at: usize) -> Rect {
        let mut least = [self.load(bounds.x0, at), self.load(bounds.y0, at)];
        let mut most = [self.load(bounds.x1, at), self.load(bounds.y1, at)];
        for lane in (S::i32s::LEN..BLOCK).step_by(S::i32s::LEN) {
            least[0] = least[0].min(self.load(bounds.x0, at + lane));
            least[1] = least[1].min(self.load(bounds.y0, at + lane));
            most[0] = most[0].max(self.load(bounds.x1, at + lane));
            most[1] = most[1].max(self.load(bounds.y1, at + lane));
        }
        Rect::new(
            least[0].reduce_min(),
            least[1].reduce_min(),
            most[0].reduce_max(),
            most[1].reduce_max(),
        )
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
    fn along(self, bounds: Edges<'_>, at: usize, line: &Line) -> u32 {
        let [right, down] = line.direction.map(|side| S::f32s::splat(self.0, side));
        let most = S::f32s::splat(self.0, line.offset + line.slack);
        let least = S::f32s::splat(self.0, line.offset - line.slack);
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let i = at + lane;
            let first = |edges, least: i32, middle: i32| {
                let edges = self.load(edges, i).max(S::i32s::splat(self.0, least));
                (edges - S::i32s::splat(self.0, middle)).to_float::<S::f32s>()
            };
            let last = |edges, most: i32, middle: i32| {
                let edges = self.load(edges, i).min(S::i32s::splat(self.0, most));
                (edges - S::i32s::splat(self.0, middle)).to_float::<S::f32s>()
            };
            let x0 = down * first(bounds.x0, line.first.x, line.grown_middle.x);
            let y0 = right * first(bounds.y0, line.first.y, line.grown_middle.y);
            let x1 = down * last(bounds.x1, line.clip.x1, line.middle.x);
            let y1 = right * last(bounds.y1, line.clip.y1, line.middle.y);
            // Not all corners lie on one side of the line.
            let highest = y0.max(y1) - x0.min(x1);
            let lowest = y0.min(y1) - x0.max(x1);
            let crossed =
                self.vector(bounds, i, line.near) & highest.simd_ge(least) & lowest.simd_le(most);
            bits |= (crossed.to_bitmask() as u32) << lane;
        }
        bits
    }

    #[inline(always)]
    fn distances(self, bounds: Edges<'_>, at: usize, point: Point) -> [f32; BLOCK] {
        let mut distances = [0.0; BLOCK];
        let one = S::i32s::splat(self.0, 1);
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let i = at + lane;
            let side = |start: S::i32s, end: S::i32s, point: i32| {
                let point = S::i32s::splat(self.0, point);
                let nearest = point.max(start).min(end - one);
                // Up to 2^32, so half of it, and as if it had no sign.
                let apart = point.max(nearest) - point.min(nearest);
                ((apart >> 1) & S::i32s::splat(self.0, i32::MAX)).to_float::<S::f32s>()
            };
            let (x0, x1) = (self.load(bounds.x0, i), self.load(bounds.x1, i));
            let (y0, y1) = (self.load(bounds.y0, i), self.load(bounds.y1, i));
            let (x, y) = (side(x0, x1, point.x), side(y0, y1, point.y));
            let nowhere = S::f32s::splat(self.0, f32::INFINITY);
            let squares = x0.simd_lt(x1).select(x * x + y * y, nowhere);
            squares.store_slice(&mut distances[lane..lane + S::i32s::LEN]);
        }
        distances
    }
}
