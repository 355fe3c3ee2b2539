//! What is asked of each pair.

use super::geometry::Geometry;
use super::window::{Strips, Window};
use super::{CHUNK, Scratch, run};
use crate::mask::WORD;
use fearless_simd::Simd;

/// What a batch can be asked.
pub(crate) trait Task: Copy {
    /// What the caller gets.
    type Answer;

    /// Answers the pairs staged in `scratch`, of which there are as many as `answers`, a chunk at
    /// most.
    fn run<S: Simd>(
        self,
        simd: S,
        scratch: &mut Scratch,
        pool: &[u64],
        answers: &mut [Self::Answer],
    );
}

/// A task that walks all strips of each pair.
#[derive(Clone, Copy)]
pub(crate) struct Walk<Q>(pub(crate) Q);

impl<Q: Query> Task for Walk<Q> {
    type Answer = Q::Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S, scratch: &mut Scratch, pool: &[u64], answers: &mut [Q::Answer]) {
        let mut found = [Q::NONE; CHUNK];
        run::run(simd, self.0, scratch, pool, answers.len(), &mut found);
        for (i, (answer, found)) in answers.iter_mut().zip(found).enumerate() {
            *answer = self.0.answer(found, &scratch.geometry, i);
        }
    }
}

/// A question that is answered by walking the strips of a pair.
pub(crate) trait Query: Copy {
    /// What is known of a pair.
    type Found: Copy;
    /// What the caller gets.
    type Answer;
    /// What is known before the first strip.
    const NONE: Self::Found;
    /// [`Place`] is needed.
    const PLACE: bool = false;

    /// Kernels for one strip of up to 8 blocks are unrolled. Where a block takes long it gains
    /// nothing, and makes eight times the code.
    const UNROLLED: bool = false;

    /// What is known after a strip of `blocks` blocks, of `known` before.
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: Self::Found,
    ) -> Self::Found;

    /// What is known of a pair of one strip, which is what a query may do better.
    #[inline(always)]
    fn only<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> Self::Found {
        self.strip(window, blocks, place, Self::NONE)
    }

    /// What is known after all strips, which is what a query may do better.
    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        place: Place,
    ) -> Self::Found {
        let mut known = Self::NONE;
        for strip in 0..strips.len() {
            known = one(self, strips, strip, place, known);
        }
        known
    }

    /// The answer for pair `i`.
    fn answer(self, found: Self::Found, geometry: &Geometry, i: usize) -> Self::Answer;
}

/// What `query` knows after strip `strip`.
#[inline(always)]
pub(crate) fn one<S: Simd, Q: Query, const REVERSED: bool>(
    query: Q,
    strips: Strips<'_, S, REVERSED>,
    strip: u32,
    place: Place,
    known: Q::Found,
) -> Q::Found {
    let place = Place { column: strip * WORD, ..place };
    if strips.is_far(strip) {
        query.strip(strips.window::<true>(strip), strips.blocks, place, known)
    } else {
        query.strip(strips.window::<false>(strip), strips.blocks, place, known)
    }
}

/// Where the walk of a strip lies in its overlap.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Columns of the overlap to the left of the strip.
    pub(crate) column: u32,
    /// Rows of the overlap.
    pub(crate) rows: u32,
    /// The first row walked is the overlap's last.
    pub(crate) upwards: bool,
}

impl Place {
    /// The row, from the overlap's top, that is walked as number `row`; and the other way round.
    #[inline(always)]
    pub(crate) const fn row(self, row: u32) -> u32 {
        if self.upwards { self.rows.wrapping_sub(1).wrapping_sub(row) } else { row }
    }
}
