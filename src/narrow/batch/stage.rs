use super::CHUNK;
use crate::mask::HotMask;
use bytemuck::Zeroable;

/// Pairs that one pass of a vectorised stage works on.
pub(crate) const LANES: usize = 128;

/// Passes to a chunk.
pub(crate) const PASSES: usize = CHUNK / LANES;

/// One number for each pair of a chunk, on whole cache lines.
#[derive(Clone, Copy, Zeroable)]
#[repr(align(64))]
pub(crate) struct Lanes<T>(pub(crate) [T; CHUNK]);

impl<T> Lanes<T> {
    #[inline(always)]
    pub(crate) fn pass(&self, pass: usize) -> &[T; LANES] {
        &self.0.as_chunks().0[pass]
    }

    #[inline(always)]
    pub(crate) fn pass_mut(&mut self, pass: usize) -> &mut [T; LANES] {
        &mut self.0.as_chunks_mut().0[pass]
    }
}

/// Two masks and where the second lies from the first, in pixels: one question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HotPair {
    pub(crate) a: HotMask,
    pub(crate) b: HotMask,
    pub(crate) dx: i32,
    pub(crate) dy: i32,
}

/// Stage 1: the questions of one chunk, each field in an array of its own, so that stage 2 can
/// work on 16 of them at once.
#[derive(Zeroable)]
pub(crate) struct Stage {
    pub(crate) a_words: Lanes<u32>,
    pub(crate) a_size: Lanes<u32>,
    pub(crate) b_words: Lanes<u32>,
    pub(crate) b_size: Lanes<u32>,
    pub(crate) dx: Lanes<i32>,
    pub(crate) dy: Lanes<i32>,
}

impl Stage {
    /// Takes up to `most` pairs, and no more than [`CHUNK`]; gives their number.
    #[inline(always)]
    pub(crate) fn fill(&mut self, most: usize, pairs: &mut impl Iterator<Item = HotPair>) -> usize {
        let most = most.min(CHUNK);
        for n in 0..most {
            let Some(pair) = pairs.next() else { return n };
            self.a_words.0[n] = pair.a.words;
            self.a_size.0[n] = pair.a.size;
            self.b_words.0[n] = pair.b.words;
            self.b_size.0[n] = pair.b.size;
            self.dx.0[n] = pair.dx;
            self.dy.0[n] = pair.dy;
        }
        most
    }
}
