//! Stage 1: the queries of one chunk as a struct of arrays, so that stage 2 handles 16 pairs at
//! once.
//!
//! Filled by `pair_sources.rs`, read by `diagonal_reject.rs` and `pair_geometry.rs`.

use super::CHUNK;
use bytemuck::Zeroable;
use fearless_simd::{Simd, u32x4};

/// Pairs in one pass of a vectorised stage.
pub(crate) const LANES: usize = 16;

/// Passes per chunk.
pub(crate) const PASSES: usize = CHUNK / LANES;

/// One number for each pair of a chunk, aligned to cache lines.
///
/// One line longer than a chunk. Otherwise the numbers of one pair would fall into the same two
/// cache sets in all arrays. They would evict each other: +2% to +3% time at every size.
#[derive(Clone, Copy, Zeroable)]
#[repr(align(64))]
pub(crate) struct Lanes<T>(pub(crate) [T; CHUNK + LINE]);

/// Numbers per cache line.
const LINE: usize = 64 / size_of::<u32>();

impl<T> Lanes<T> {
    #[inline(always)]
    pub(crate) fn pass(&self, pass: usize) -> &[T; LANES] {
        &self.0.as_chunks().0[pass]
    }

    #[inline(always)]
    pub(crate) fn pass_mut(&mut self, pass: usize) -> &mut [T; LANES] {
        &mut self.0.as_chunks_mut().0[pass]
    }

    #[inline(always)]
    fn put(&mut self, at: usize, four: [T; 4]) {
        self.0.as_chunks_mut().0[at] = four;
    }
}

/// The queries of one chunk: first word and size of both masks, and the offset of the second.
#[derive(Zeroable)]
pub(crate) struct Stage {
    pub(crate) a_words: Lanes<u32>,
    pub(crate) a_size: Lanes<u32>,
    pub(crate) b_words: Lanes<u32>,
    pub(crate) b_size: Lanes<u32>,
    pub(crate) dx: Lanes<i32>,
    pub(crate) dy: Lanes<i32>,
    /// The next four are filled only for lists of pairs with large masks.
    pub(crate) a_falling: Lanes<u32>,
    pub(crate) a_rising: Lanes<u32>,
    pub(crate) b_falling: Lanes<u32>,
    pub(crate) b_rising: Lanes<u32>,
}

impl Stage {
    /// Stores four pairs from index 4 x `at` on: first words and sizes of both masks, and the
    /// offset of the second mask.
    #[inline(always)]
    pub(crate) fn put<S: Simd>(
        &mut self,
        at: usize,
        [a, b]: [(u32x4<S>, u32x4<S>); 2],
        [dx, dy]: [[i32; 4]; 2],
    ) {
        self.a_words.put(at, a.0.into());
        self.a_size.put(at, a.1.into());
        self.b_words.put(at, b.0.into());
        self.b_size.put(at, b.1.into());
        self.dx.put(at, dx);
        self.dy.put(at, dy);
    }

    /// Stores the diagonal extents of both masks of four pairs.
    #[inline(always)]
    pub(crate) fn put_diagonals<S: Simd>(&mut self, at: usize, [a, b]: [[u32x4<S>; 2]; 2]) {
        self.a_falling.put(at, a[0].into());
        self.a_rising.put(at, a[1].into());
        self.b_falling.put(at, b[0].into());
        self.b_rising.put(at, b[1].into());
    }
}

/// A sequence of pairs to query.
pub(crate) trait Source {
    /// Stages the next pairs, at most `limit` and at most [`CHUNK`], and returns their number.
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize;
}
