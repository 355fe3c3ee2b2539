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
use super::hits::Hits;
use crate::geom::Rect;
use fearless_simd::prelude::*;
use wide::i32x4;

/// What one instruction set does with a block.
pub(super) trait Lanes: Copy {
    /// Bit i is set where the box at `at + i` overlaps `rect`.
    fn overlapping(self, bounds: Edges<'_>, at: usize, rect: Rect) -> u32;

    /// Adds the pairs of `probe` and the boxes at `at` and the 15 after it that overlap `rect`.
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits);

    /// The smallest box round the block at `at`; that of nobody where it is empty.
    fn around(self, bounds: Edges<'_>, at: usize) -> Rect;

    /// Writes to the start of `list`, which has room for a block, the positions among `at` and
    /// the 15 after it whose edge lies past `line`; the number of them.
    fn past(self, edges: &[i32], at: usize, line: i32, list: &mut [u32]) -> usize;
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

impl Lanes for Portable {
    #[inline(always)]
    fn overlapping(self, bounds: Edges<'_>, at: usize, rect: Rect) -> u32 {
        let (x0, y0) = (i32x4::splat(rect.x0), i32x4::splat(rect.y0));
        let (x1, y1) = (i32x4::splat(rect.x1), i32x4::splat(rect.y1));
        let mut bits = 0;
        for lane in (0..BLOCK).step_by(4) {
            let i = at + lane;
            let meets = four(bounds.x0, i).simd_lt(x1)
                & four(bounds.x1, i).simd_gt(x0)
                & four(bounds.y0, i).simd_lt(y1)
                & four(bounds.y1, i).simd_gt(y0);
            bits |= meets.to_bitmask() << lane;
        }
        bits
    }

    #[inline(always)]
    fn meet(self, bounds: Edges<'_>, at: usize, rect: Rect, probe: u32, hits: &mut Hits) {
        let bits = self.overlapping(bounds, at, rect);
        let (first, second) = hits.room::<BLOCK>();
        first.fill(probe);
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
}

/// The widest vectors of an instruction set that can compress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<S>(pub(super) S);

/// 0, 1, 2 ...: positions within a block.
const INDICES: [u32; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl<S: Simd> Wide<S> {
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
        for lane in (0..BLOCK).step_by(S::i32s::LEN) {
            let lanes = self.vector(bounds, at + lane, rect);
            let (first, second) = hits.room::<BLOCK>();
            S::u32s::splat(self.0, probe).store_slice(&mut first[..S::u32s::LEN]);
            let count = self.store(lanes, at + lane, second);
            hits.keep(count);
        }
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
}
