//! What a batch can be asked.

use super::query::Reply;
use super::{ALL, CHUNK, Scratch, run};
use crate::mask::Pool;
use fearless_simd::Simd;

/// What a batch can be asked, and the room in buckets that it takes.
pub(crate) trait Task<const PAIRS: usize> {
    /// What the caller gets.
    type Answer;

    /// Answers the pairs staged in `scratch`, of which there are as many as `answers`, a chunk at
    /// most.
    fn run<S: Simd>(
        &mut self,
        simd: S,
        scratch: &mut Scratch<PAIRS>,
        pool: Pool<'_>,
        answers: &mut [Self::Answer],
    );
}

/// A task that walks all strips of each pair.
#[derive(Clone, Copy)]
pub(crate) struct All<Q>(pub(crate) Q);

impl<Q: Reply> Task<ALL> for All<Q> {
    type Answer = Q::Answer;

    #[inline(always)]
    fn run<S: Simd>(
        &mut self,
        simd: S,
        scratch: &mut Scratch<ALL>,
        pool: Pool<'_>,
        answers: &mut [Q::Answer],
    ) {
        let mut found = [Q::NONE; CHUNK];
        if Q::PLACE {
            scratch.geometry.fill::<false, true>(&scratch.stage, answers.len());
        } else {
            scratch.geometry.fill::<false, false>(&scratch.stage, answers.len());
        }
        run::run(simd, self.0, scratch, pool, answers.len(), &mut found);
        for (i, (answer, found)) in answers.iter_mut().zip(found).enumerate() {
            *answer = self.0.answer(found, scratch.geometry.corner(i));
        }
    }
}
