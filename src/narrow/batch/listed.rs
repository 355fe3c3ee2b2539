//! Stage 1 for pairs that lie in a list and name their masks by a number: four at a time.
//!
//! ```text
//! load four pairs, four words each, and turn them: firsts, seconds, right, down
//! of four numbers at a time: load the records, and turn them: words, sizes
//! ```
//!
//! 1. Each vector stored is one field of four pairs, as stage 2 wants it. Pair by pair each field is a
//!    load and a store of its own: 41 instructions a pair, and here half of them.
//! 2. Whether there are large masks is asked of a whole chunk, and told to the next: lists are mostly of one kind,
//!    and those of small sprites need not load and store what they do not use.
//! 3. What is missing is behind a call that nobody takes: with a choice between two addresses it is
//!    five instructions more a pair.

use super::stage::{Source, Stage};
use super::{CHUNK, apart};
use crate::mask::HotMask;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x4, u32x4};

/// Pairs of a list. Their masks are in a table, by number.
pub(crate) struct Listed<'a, P, F> {
    pub(crate) pairs: &'a [P],
    /// The words of a pair: the number of its first mask and of its second, both with
    /// [`HotMask::FLIPPED`] where they are shown upside down, and how far the second lies to the
    /// right and down.
    pub(crate) words: F,
    /// The masks: as [`HotMask`] has them, the start of a mask in the first word, its size in the
    /// third; its [`Diagonals`](crate::mask::Diagonals) in the others.
    pub(crate) masks: &'a [[u32; 4]],
    /// True where the chunk before had large masks, for which pairs that cannot touch are told first.
    pub(crate) large: bool,
}

impl<P, F: Fn(&P) -> [u32; 4]> Source for Listed<'_, P, F> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, most: usize) -> usize {
        let (now, later) = self.pairs.split_at(most.min(CHUNK).min(self.pairs.len()));
        self.pairs = later;
        if self.large {
            self.put_all::<S, true>(simd, stage, now);
            apart::settle(stage, now.len());
        } else {
            self.put_all::<S, false>(simd, stage, now);
        }
        self.large = apart::are_large(stage, now.len());
        now.len()
    }
}

impl<P, F: Fn(&P) -> [u32; 4]> Listed<'_, P, F> {
    /// Puts pairs into the stage, a chunk of them at most.
    #[inline(always)]
    fn put_all<S: Simd, const DIAGONALS: bool>(&self, simd: S, stage: &mut Stage, pairs: &[P]) {
        let (fours, rest) = pairs.as_chunks::<4>();
        for (at, four) in fours.iter().enumerate().take(CHUNK / 4) {
            let [p, q, r, s] = four;
            let words = &self.words;
            self.put::<S, DIAGONALS>(simd, stage, at, [words(p), words(q), words(r), words(s)]);
        }
        if !rest.is_empty() {
            let mut four = [[0; 4]; 4];
            for (four, pair) in four.iter_mut().zip(rest) {
                *four = (self.words)(pair);
            }
            self.put::<S, DIAGONALS>(simd, stage, fours.len() % (CHUNK / 4), four);
        }
    }
}

impl<P, F> Listed<'_, P, F> {
    /// Puts `four` pairs into the stage, from 4 `at` on.
    #[inline(always)]
    fn put<S: Simd, const DIAGONALS: bool>(
        &self,
        simd: S,
        stage: &mut Stage,
        at: usize,
        four: [[u32; 4]; 4],
    ) {
        let [p, q, r, s] = four;
        let numbers = [[p[0], q[0], r[0], s[0]], [p[1], q[1], r[1], s[1]]];
        let (p, q) = (u32x4::load_array(simd, p), u32x4::load_array(simd, q));
        let (r, s) = (u32x4::load_array(simd, r), u32x4::load_array(simd, s));
        let (low, odd_low) = (p.zip_low(r), q.zip_low(s));
        let (high, odd_high) = (p.zip_high(r), q.zip_high(s));
        let (a, b) = (low.zip_low(odd_low), low.zip_high(odd_low));
        let right: i32x4<S> = high.zip_low(odd_high).bitcast();
        let down: i32x4<S> = high.zip_high(odd_high).bitcast();
        let [a, b] = [self.masks(simd, a, numbers[0]), self.masks(simd, b, numbers[1])];
        stage.put(at, [(a[0], a[2]), (b[0], b[2])], [right.into(), down.into()]);
        if DIAGONALS {
            stage.put_diagonals(at, [[a[1], a[3]], [b[1], b[3]]]);
        }
    }

    /// The columns of the table, of the masks of four numbers; of one that is not in it, those of a mask
    /// without pixels.
    #[inline(always)]
    fn masks<S: Simd>(&self, simd: S, numbers: u32x4<S>, four: [u32; 4]) -> [u32x4<S>; 4] {
        // One by one: as a closure that is called for each it is compiled without the level's
        // instructions.
        let [p, q, r, s] = four;
        let (p, q) = (self.mask(simd, p), self.mask(simd, q));
        let (r, s) = (self.mask(simd, r), self.mask(simd, s));
        // Not unzipped, which crosses halves of wide vectors with AVX-512.
        let (even, odd) = (p.zip_low(r), q.zip_low(s));
        let (words, falling) = (even.zip_low(odd), even.zip_high(odd));
        let (even, odd) = (p.zip_high(r), q.zip_high(s));
        let (size, rising) = (even.zip_low(odd), even.zip_high(odd));
        [words, falling, size | (numbers & HotMask::FLIPPED), rising]
    }

    #[inline(always)]
    fn mask<S: Simd>(&self, simd: S, number: u32) -> u32x4<S> {
        match self.masks.get((number & !HotMask::FLIPPED) as usize) {
            Some(mask) => u32x4::load_array_ref(simd, mask),
            None => u32x4::load_array(simd, nothing()),
        }
    }
}

/// A mask without pixels. A call, so that nothing is made ready for it where it is not needed.
#[cold]
#[inline(never)]
const fn nothing() -> [u32; 4] {
    [0; 4]
}
