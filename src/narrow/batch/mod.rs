//! The batch narrow phase: many pairs of one pool at once, in stages over chunks of [`CHUNK`]
//! pairs. Each stage is a loop over arrays without a branch on data.
//!
//! Called by the batch of an atlas and by updates. Invariants: the masks lie in
//! the pool as a validated atlas describes them, and the first words of the pool are zero. Then no
//! query panics, whatever the offset, and answers equal those of single pairs.
//!
//! ```text
//! stage     copy the queries of a chunk into arrays                         staging
//! reject    lists with large masks: drop pairs that are apart diagonally    staging
//! levels    touches of large masks: settle pairs by their coarse levels     level_tests
//! geometry  locate the overlapping rows of 4 to 16 pairs at once            pair_geometry
//! bucket    sort the pairs by kernel                                        job_buckets
//! run       run the kernels, bucket by bucket; touches after a probe        dispatch
//! ```
//!
//! A kernel is a [`Query`](strip_query::Query) compiled for one kind of job. It reads blocks of 8 rows
//! (`shifted_rows`):
//!
//! ```text
//! Touches       is a pixel set in both?            touches_query
//! Area          how many pixels are set in both?   popcount
//! ```
//!
//! The queries of `bounds_queries` run on single pairs alone. A batch of contacts took 17 to 23 ns per
//! pair less, but its kernels were compiled for each SIMD level.
//!
//! Compiled code, for each SIMD level of the target (3 on x86-64, else 1):
//!
//! ```text
//! fill, one for each source: list (atlas), indexed (world)                       2
//! touches_chunk, area_chunk: geometry, buckets, answers                          2
//!  |- one_strip_each                                                              2
//!  |   |- kernels x FAR or not x REVERSED or not
//!  |       Touches             1 to 8 blocks unrolled, and any number        4 x 9 = 36
//!  |       Area                1 to 4 blocks unrolled, and any number        4 x 5 = 20
//!  |- several_strips_each  Area, x REVERSED or not x tall or not             2 x 2 =  4
//!  |- tall_pairs           Touches, x REVERSED or not                            2
//! ```
//!
//! Unrolling `Area` up to 8 blocks has no measurable effect.
//!
//! 1. At 128 px and less, the time goes into branch mispredictions and set-up, not into reading
//!    masks: hence the stages. `src/narrow/EXPERIMENTS.md` records the effect of each, and the
//!    failed variants.
//! 2. The SIMD level is selected once per chunk. Everything below is `#[inline(always)]` and takes
//!    the token of the level. Any other function, or a closure called from two places, would be
//!    compiled without the instructions of the level. Code that must be shared, or must keep its
//!    registers, is an `#[inline(never)]` function around a new `vectorize`.

pub(super) mod bounds_queries;
mod buffers;
mod dispatch;
mod job_buckets;
mod level_tests;
mod pair_geometry;
pub(super) mod popcount;
pub(super) mod shifted_rows;
mod staging;
pub(super) mod strip_query;
pub(super) mod touches_query;

use super::Certainty;
use crate::mask::MaskPool;
use crate::simd::{Simd, with_level};
use buffers::{ALL_PAIRS, BatchBuffers, TOUCHES_PAIRS};
use fearless_simd::Level;
use level_tests::LevelBuffers;
use popcount::Area;
use staging::{CHUNK, PairSource, Stage};
pub(crate) use staging::{Columns, Listed, Positions};
use strip_query::Query as _;

/// Pairs up to which a chunk uses the smaller array of results.
const SMALL_CHUNK: usize = 64;

pub(crate) struct Engine {
    level: Level,
    /// Scratch of `Touches`, allocated on first use.
    touches: Option<Box<BatchBuffers<TOUCHES_PAIRS>>>,
    /// Scratch of the level tests, allocated on first use.
    levels: Option<Box<LevelBuffers>>,
    /// Scratch of `Area`, allocated on first use.
    all: Option<Box<BatchBuffers<ALL_PAIRS>>>,
}

fn get_or_allocate<const PAIRS: usize>(
    scratch: &mut Option<Box<BatchBuffers<PAIRS>>>,
) -> &mut BatchBuffers<PAIRS> {
    scratch.get_or_insert_with(|| {
        let mut scratch: Box<BatchBuffers<PAIRS>> = bytemuck::zeroed_box();
        scratch.work.buckets.clear();
        scratch
    })
}

/// Each query writes the answer of pair i of `pairs` into answer i. If one of the two sequences is
/// longer, its tail is ignored. Positions are in the pixels of the first mask.
impl Engine {
    pub(crate) fn new(simd: Simd) -> Self {
        Self {
            level: simd.level().unwrap_or_else(Level::new),
            touches: None,
            levels: None,
            all: None,
        }
    }

    /// Tests whether a pixel is set in both masks.
    pub(crate) fn touches(
        &mut self,
        pool: MaskPool<'_>,
        pairs: impl PairSource,
        answers: &mut [bool],
    ) {
        let (scratch, mut pairs) = (get_or_allocate(&mut self.touches), pairs);
        let levels = &mut self.levels;
        for answers in answers.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, &mut pairs, &mut scratch.stage, answers.len());
                let answers = &mut answers[..n];
                if !level_tests::may_have_levels(&scratch.stage, pool, n) {
                    dispatch::touches_chunk(simd, scratch, pool, answers);
                    continue;
                }
                let levels = levels.get_or_insert_with(bytemuck::zeroed_box);
                let mut found = [Certainty::No; CHUNK];
                level_tests::levels_chunk::<_, true>(simd, scratch, levels, pool, &mut found[..n]);
                for (answer, found) in answers.iter_mut().zip(found) {
                    *answer = found == Certainty::Yes;
                }
            });
        }
    }

    /// Asks the coarse levels of each pair; pairs without levels are tested exactly.
    pub(crate) fn coarse(
        &mut self,
        pool: MaskPool<'_>,
        pairs: impl PairSource,
        answers: &mut [Certainty],
    ) {
        let (scratch, mut pairs) = (get_or_allocate(&mut self.touches), pairs);
        for answers in answers.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, &mut pairs, &mut scratch.stage, answers.len());
                level_tests::coarse_chunk(simd, scratch, &mut self.levels, pool, &mut answers[..n]);
            });
        }
    }

    /// Tests whether at least `pixels` pixels are set in both masks.
    pub(crate) fn overlap_at_least(
        &mut self,
        pixels: u32,
        pool: MaskPool<'_>,
        mut pairs: impl PairSource,
        answers: &mut [bool],
    ) {
        if pixels <= 1 {
            return self.touches(pool, pairs, answers);
        }
        for answers in answers.chunks_mut(CHUNK) {
            // A value that no area reaches. It marks answers without a pair.
            let mut areas = [u64::MAX; CHUNK];
            self.run_area(pool, &mut pairs, &mut areas[..answers.len()]);
            for (answer, area) in answers.iter_mut().zip(areas) {
                *answer = if area == u64::MAX { *answer } else { area >= pixels.into() };
            }
        }
    }

    /// Counts the pixels set in both masks.
    pub(crate) fn area(&mut self, pool: MaskPool<'_>, pairs: impl PairSource, answers: &mut [u64]) {
        self.run_area(pool, &mut { pairs }, answers);
    }

    fn run_area(&mut self, pool: MaskPool<'_>, pairs: &mut impl PairSource, answers: &mut [u64]) {
        let scratch = get_or_allocate(&mut self.all);
        for answers in answers.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, pairs, &mut scratch.stage, answers.len());
                area_chunk(simd, scratch, pool, &mut answers[..n]);
            });
        }
    }
}

/// Stages the next pairs. Not inlined, because it is most of the code of a small query.
#[inline(never)]
fn fill<S: fearless_simd::Simd, T: PairSource>(
    simd: S,
    pairs: &mut T,
    stage: &mut Stage,
    limit: usize,
) -> usize {
    simd.vectorize(
        #[inline(always)]
        move || pairs.fill(simd, stage, limit),
    )
}

/// Counts the pixels of the staged pairs. Not inlined, so that all sources share one copy.
#[inline(never)]
fn area_chunk<S: fearless_simd::Simd>(
    simd: S,
    scratch: &mut BatchBuffers<ALL_PAIRS>,
    pool: MaskPool<'_>,
    answers: &mut [u64],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            scratch.work.geometry.fill::<false>(&scratch.stage, answers.len());
            // A short chunk uses a shorter array, because clearing a full one is most of the cost
            // of a few pairs.
            let (mut small, mut large);
            let found: &mut [u32] = if answers.len() <= SMALL_CHUNK {
                small = [Area::NONE; SMALL_CHUNK];
                &mut small
            } else {
                large = [Area::NONE; CHUNK];
                &mut large
            };
            dispatch::pair_by_pair(simd, Area, scratch, pool, answers.len(), found);
            for (answer, &found) in answers.iter_mut().zip(&*found) {
                *answer = found.into();
            }
        },
    );
}
