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

/// Pairs of a small batch.
const FEW: usize = 64;

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
        // Not always room for all: to clear it is most of what a few boxes take.
        let (mut few, mut many);
        let found: &mut [Q::Found] = if answers.len() <= FEW {
            few = [Q::NONE; FEW];
            &mut few
        } else {
            many = [Q::NONE; CHUNK];
            &mut many
        };
        if Q::PLACE {
            scratch.geometry.fill::<false, true>(&scratch.stage, answers.len());
        } else {
            scratch.geometry.fill::<false, false>(&scratch.stage, answers.len());
        }
        run::run(simd, self.0, scratch, pool, answers.len(), found);
        for (i, (answer, found)) in answers.iter_mut().zip(&*found).enumerate() {
            *answer = self.0.answer(*found, scratch.geometry.corner(i));
        }
    }
}
