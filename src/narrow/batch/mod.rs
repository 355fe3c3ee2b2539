//! Many pairs of one pool at once, in stages over chunks of [`CHUNK`] pairs. Each stage is a plain loop over
//! arrays without a branch on data.
//!
//! ```text
//! stage     copy the questions into arrays                                  staging, pair_sources
//! reject    lists with large masks: pairs apart along a diagonal            diagonal_reject
//! geometry  where the rows lie that overlap, 4 to 16 pairs at once          pair_geometry
//! bucket    pairs by the kernel that they need                              job_buckets
//! run       kernels, bucket by bucket; touches after a probe                dispatch
//! ```
//!
//! A kernel is a [`Query`] (`strip_query`) compiled for one kind of job. It reads blocks of 8 rows
//! (`shifted_rows`):
//!
//! ```text
//! Touches       is a pixel set in both?            touches_query, tall_pairs
//! Area          how many are set in both?          popcount
//! TightBox      the box of the overlap             bounds_queries, strip_kernels, wide_bounds
//! FirstPoint    its first pixel, by an order       bounds_queries, strip_kernels
//! WholeContact  box, area and topmost pixel        bounds_queries, strip_kernels
//! OverlapMask   the pixels themselves              overlap_mask_query
//! ```
//!
//! What is compiled, for each of the levels of the target (3 on x86-64, else 1):
//!
//! ```text
//! ask: one for each source and query, staging only
//!   list (atlas)     x 6 queries and 1 mutable list for `touches_by`       7
//!   indexed (world)  x Touches, Area                                       2
//! answer_chunk: geometry, buckets, schedule: one for each query               6
//! kernels (`dispatch`), x FAR or not, x REVERSED or not:
//!   Touches                         1 to 8 blocks unrolled, and any    4 x 9     = 36
//!   Area                            1 to 4 blocks unrolled, and any    4 x 5     = 20
//!   the 4 others                    any number of blocks               4 x 4     = 16
//! kernels of several strips, x REVERSED or not:
//!   all but Touches                 any number of strips, tall or not  5 x 2     = 10
//!   Touches                         tall pairs                         1 x 2     =  2
//! ```
//!
//! 1. At 128 px and less, time goes into mispredicted branches and set-up, not into reading masks: hence the
//!    stages. What each gave, and what lost, is in `src/narrow/EXPERIMENTS.md`.
//! 2. The level is chosen once for a call. Everything below is `#[inline(always)]` and takes the level's
//!    token: a function that is not, or a closure called from two places, would be compiled without the
//!    level's instructions. A call to another function of the same level is a new `vectorize`.
//!
//! Called by the atlas's batch and by worlds. Invariants: for masks that lie in the pool as a checked atlas
//! says, with the pool's first words zero, no query panics, whatever the offset. Answers equal those of
//! single pairs.

pub(super) mod bounds_queries;
mod diagonal_reject;
mod dispatch;
mod job_buckets;
mod overlap_mask_query;
mod pair_geometry;
mod pair_sources;
pub(super) mod popcount;
pub(super) mod shifted_rows;
mod staging;
mod strip_kernels;
pub(super) mod strip_query;
mod tall_pairs;
pub(super) mod touches_query;
mod wide_bounds;

use super::overlap_masks::{OverlapMasks, Record};
use super::{Contact, First};
use crate::geom::{Point, Rect};
use crate::mask::Pool;
use crate::simd::{Simd, with_level};
use bounds_queries::{FirstPoint, TightBox, WholeContact};
use bytemuck::Zeroable;
use fearless_simd::Level;
use job_buckets::{Buckets, IndexList};
use pair_geometry::Geometry;
pub(crate) use pair_sources::{Columns, Listed, Positions};
use popcount::Area;
use staging::{Source, Stage};
use strip_query::Query;
use tall_pairs::{TallWalk, WALKS};
use touches_query::Touches;

/// Pairs that go through the stages together. Enough that a bucket holds several; few enough that their
/// arrays stay in the nearest cache. 256 and 1,024 take the same time within noise.
pub(crate) const CHUNK: usize = 512;

/// Capacity of the buckets that touches use, in pairs: a third of all. Worlds have them once a thread.
const TOUCHES_PAIRS: usize =
    job_buckets::capacity_of((job_buckets::NO_OVERLAP + job_buckets::TURNS) as usize);

/// Capacity of all buckets, for queries that go pair by pair.
const ALL_PAIRS: usize = job_buckets::capacity_of(job_buckets::KEYS);

/// The arrays between the stages: 240 or 610 KiB. On the heap, because a thread of WebAssembly has no stack
/// for them.
#[derive(Zeroable)]
pub(crate) struct Scratch<const PAIRS: usize> {
    stage: Stage,
    geometry: Geometry,
    buckets: Buckets<PAIRS>,
    open: IndexList,
    probed: IndexList,
    /// Tall pairs, by whether right's rows run backwards.
    tall: [IndexList; 2],
    walks: [TallWalk; WALKS],
}

/// A batch narrow phase.
pub(crate) struct Engine {
    level: Level,
    /// For touches; allocated on first use, as the other.
    touches: Option<Box<Scratch<TOUCHES_PAIRS>>>,
    /// For all other queries.
    all: Option<Box<Scratch<ALL_PAIRS>>>,
}

/// Returns `scratch`, allocated where it is not yet.
fn ready<const PAIRS: usize>(scratch: &mut Option<Box<Scratch<PAIRS>>>) -> &mut Scratch<PAIRS> {
    scratch.get_or_insert_with(|| {
        let mut scratch: Box<Scratch<PAIRS>> = bytemuck::zeroed_box();
        scratch.buckets.clear();
        scratch
    })
}

/// Each query answers pair i of `pairs` in answer i. Answers without a pair, and pairs without an answer,
/// are left alone. Places are in the first mask's pixels.
impl Engine {
    pub(crate) fn new(simd: Simd) -> Self {
        Self { level: simd.level().unwrap_or_else(Level::new), touches: None, all: None }
    }

    /// Tests whether a pixel is set in both.
    pub(crate) fn touches(&mut self, pool: Pool<'_>, pairs: impl Source, answers: &mut [bool]) {
        let scratch = ready(&mut self.touches);
        with_level!(self.level, simd => ask(simd, Touches, scratch, pool, pairs, answers));
    }

    /// Tests whether at least `pixels` pixels are set in both.
    pub(crate) fn touches_by(
        &mut self,
        pixels: u32,
        pool: Pool<'_>,
        mut pairs: impl Source,
        answers: &mut [bool],
    ) {
        if pixels <= 1 {
            return self.touches(pool, pairs, answers);
        }
        for answers in answers.chunks_mut(CHUNK) {
            // No area is this large: it stays where there is no pair.
            let mut areas = [u64::MAX; CHUNK];
            self.area(pool, &mut pairs, &mut areas[..answers.len()]);
            for (answer, area) in answers.iter_mut().zip(areas) {
                *answer = if area == u64::MAX { *answer } else { area >= pixels.into() };
            }
        }
    }

    /// Counts the pixels set in both.
    pub(crate) fn area(&mut self, pool: Pool<'_>, pairs: impl Source, answers: &mut [u64]) {
        self.ask(Area, pool, pairs, answers);
    }

    /// Finds the tight box round the pixels set in both.
    pub(crate) fn rect(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Rect>],
    ) {
        self.ask(TightBox, pool, pairs, answers);
    }

    /// Finds the first pixel set in both.
    pub(crate) fn point(
        &mut self,
        order: First,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Point>],
    ) {
        self.ask(FirstPoint(order), pool, pairs, answers);
    }

    /// Finds box, area and topmost pixel.
    pub(crate) fn contact(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Contact>],
    ) {
        self.ask(WholeContact, pool, pairs, answers);
    }

    /// Writes the pixels set in both, a mask for each of `count` pairs.
    pub(crate) fn mask(
        &mut self,
        pool: Pool<'_>,
        (pairs, count): (impl Source, usize),
        masks: &mut OverlapMasks,
    ) {
        let OverlapMasks { records, room } = masks;
        room.empty();
        records.resize(count, Record::default());
        let (scratch, mut pairs) = (ready(&mut self.all), pairs);
        with_level!(self.level, simd => fearless_simd::Simd::vectorize(
            simd,
            #[inline(always)]
            || for records in records.chunks_mut(CHUNK) {
                let n = pairs.fill(simd, &mut scratch.stage, records.len());
                overlap_mask_query::write_masks(simd, room, scratch, pool, &mut records[..n]);
            },
        ));
    }

    fn ask<Q: Query>(
        &mut self,
        query: Q,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Q::Answer],
    ) {
        let scratch = ready(&mut self.all);
        with_level!(self.level, simd => ask(simd, query, scratch, pool, pairs, answers));
    }
}

/// Answers `pairs`, chunk by chunk.
#[inline(always)]
fn ask<S: fearless_simd::Simd, const PAIRS: usize, Q: Query>(
    simd: S,
    query: Q,
    scratch: &mut Scratch<PAIRS>,
    pool: Pool<'_>,
    pairs: impl Source,
    answers: &mut [Q::Answer],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            // A local, which registers can hold: what a closure captures lies in memory.
            let mut pairs = pairs;
            for answers in answers.chunks_mut(CHUNK) {
                let n = pairs.fill(simd, &mut scratch.stage, answers.len());
                answer_chunk(simd, query, scratch, pool, &mut answers[..n]);
            }
        },
    );
}

/// Answers the staged pairs. A function of its own, so that all sources share it.
#[inline(always)]
fn answer_chunk<S: fearless_simd::Simd, const PAIRS: usize, Q: Query>(
    simd: S,
    query: Q,
    scratch: &mut Scratch<PAIRS>,
    pool: Pool<'_>,
    answers: &mut [Q::Answer],
) {
    simd.vectorize(
        #[inline(always)]
        || query.settle(simd, scratch, pool, answers),
    );
}
