//! Stage 1: the questions of one chunk, each field in an array of its own, so that stage 2 works on 16 of
//! them at once.

use super::CHUNK;
use bytemuck::Zeroable;
use fearless_simd::{Simd, u32x4};

/// Pairs in one pass of a vectorised stage.
pub(crate) const LANES: usize = 16;

/// Passes to a chunk.
pub(crate) const PASSES: usize = CHUNK / LANES;

/// One number for each pair of a chunk, on whole cache lines.
///
/// One line more than a chunk, or else the numbers of one pair would fall into the same two cache sets in all
/// arrays and evict each other: 2 to 3% at every size.
#[derive(Clone, Copy, Zeroable)]
#[repr(align(64))]
pub(crate) struct Lanes<T>(pub(crate) [T; CHUNK + LINE]);

/// Numbers in a cache line.
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

/// The questions of one chunk.
#[derive(Zeroable)]
pub(crate) struct Stage {
    pub(crate) a_words: Lanes<u32>,
    pub(crate) a_size: Lanes<u32>,
    pub(crate) b_words: Lanes<u32>,
    pub(crate) b_size: Lanes<u32>,
    pub(crate) dx: Lanes<i32>,
    pub(crate) dy: Lanes<i32>,
    /// The next four are filled for pairs of a list only, and where one has large masks.
    pub(crate) a_falling: Lanes<u32>,
    pub(crate) a_rising: Lanes<u32>,
    pub(crate) b_falling: Lanes<u32>,
    pub(crate) b_rising: Lanes<u32>,
}

impl Stage {
    /// Stores four pairs, from 4 `at` on: starts and sizes of their masks, and how far the second lies to the
    /// right and down.
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

    /// Stores how far the masks of four pairs reach along both diagonals.
    #[inline(always)]
    pub(crate) fn put_diagonals<S: Simd>(&mut self, at: usize, [a, b]: [[u32x4<S>; 2]; 2]) {
        self.a_falling.put(at, a[0].into());
        self.a_rising.put(at, a[1].into());
        self.b_falling.put(at, b[0].into());
        self.b_rising.put(at, b[1].into());
    }
}

/// A sequence of questions.
pub(crate) trait Source {
    /// Stages the next pairs, up to `limit` and no more than [`CHUNK`], and returns their number.
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize;
}
