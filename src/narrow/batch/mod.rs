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
//! Area          how large are set in both?          popcount
//! TightBox      the box of the overlap             bounds_queries, strip_kernels, wide_bounds
//! FirstPoint    its first pixel, by an order       bounds_queries, strip_kernels
//! WholeContact  box, area and topmost pixel        bounds_queries, strip_kernels
//! OverlapMask   the pixels themselves              overlap_mask_query
//! ```
//!
//! What is compiled, for each of the levels of the target (3 on x86-64, else 1):
//!
//! ```text
//! fill, one for each source: list (atlas), indexed (world)                       2
//! answer_chunk, one for each query: geometry, buckets, answers                   6
//!  |- one_strip_each                                                              6
//!  |   |- kernels x FAR or not x REVERSED or not
//!  |       Touches             1 to 8 blocks unrolled, and any number        4 x 9 = 36
//!  |       Area, OverlapMask   1 to 4 blocks unrolled, and any number    2 x 4 x 5 = 40
//!  |       the 3 others        any number of blocks                          3 x 4 = 12
//!  |- several_strips_each  all but Touches                                       5
//!  |   |- kernels x REVERSED or not x tall or not
//!  |       Area, TightBox, WholeContact    tall or not                       3 x 4 = 12
//!  |       FirstPoint, OverlapMask         never tall                        2 x 2 =  4
//!  |- tall_pairs           Touches, x REVERSED or not                            2
//! ```
//!
//! Unrolling Area up to 8 blocks gains nothing that can be measured; not unrolling masks at all costs 12% at
//! 16 px.
//!
//! 1. At 128 px and less, time goes into mispredicted branches and set-up, not into reading masks: hence the
//!    stages. What each gave, and what lost, is in `src/narrow/EXPERIMENTS.md`.
//! 2. The level is chosen once for a chunk. Everything below is `#[inline(always)]` and takes the level's
//!    token: a function that is not, or a closure called from two places, would be compiled without the
//!    level's instructions. What shall be shared or keep its registers to itself is an `#[inline(never)]`
//!    function around a new `vectorize`.
//!
//! Called by the atlas's batch and by worlds. Invariants: for masks that lie in the pool as a checked atlas
//! says, with the pool's first words zero, no query panics, whatever the offset. Answers equal those of
//! single pairs.

pub(super) mod bounds_queries;
mod diagonal_reject;
mod dispatch;
mod job_buckets;
mod occupied_blocks;
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

use super::overlap_masks::{MaskStorage, OverlapMasks, Record};
use super::{Contact, ScanOrder};
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

/// Pairs of a small chunk.
const SMALL_CHUNK: usize = 64;

/// Capacity of the buckets that touches use, in pairs: a third of all. Worlds have them once a thread.
const TOUCHES_PAIRS: usize =
    job_buckets::capacity_of((job_buckets::NO_OVERLAP + job_buckets::BUCKETS_PER_KEY) as usize);

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
fn get_or_allocate<const PAIRS: usize>(
    scratch: &mut Option<Box<Scratch<PAIRS>>>,
) -> &mut Scratch<PAIRS> {
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
        let (scratch, mut pairs) = (get_or_allocate(&mut self.touches), pairs);
        for answers in answers.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, &mut pairs, &mut scratch.stage, answers.len());
                touches_chunk(simd, scratch, pool, &mut answers[..n]);
            });
        }
    }

    /// Tests whether at least `pixels` pixels are set in both.
    pub(crate) fn overlap_at_least(
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
            self.run(Area, pool, &mut pairs, &mut areas[..answers.len()]);
            for (answer, area) in answers.iter_mut().zip(areas) {
                *answer = if area == u64::MAX { *answer } else { area >= pixels.into() };
            }
        }
    }

    /// Counts the pixels set in both.
    pub(crate) fn area(&mut self, pool: Pool<'_>, pairs: impl Source, answers: &mut [u64]) {
        self.run(Area, pool, &mut { pairs }, answers);
    }

    /// Finds the tight box round the pixels set in both.
    pub(crate) fn rect(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Rect>],
    ) {
        self.run(TightBox, pool, &mut { pairs }, answers);
    }

    /// Finds the first pixel set in both.
    pub(crate) fn point(
        &mut self,
        order: ScanOrder,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Point>],
    ) {
        self.run(FirstPoint(order), pool, &mut { pairs }, answers);
    }

    /// Finds box, area and topmost pixel.
    pub(crate) fn contact(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Contact>],
    ) {
        self.run(WholeContact, pool, &mut { pairs }, answers);
    }

    /// Writes the pixels set in both, a mask for each of `count` pairs.
    pub(crate) fn mask(
        &mut self,
        pool: Pool<'_>,
        (pairs, count): (impl Source, usize),
        masks: &mut OverlapMasks,
    ) {
        let OverlapMasks { records, storage } = masks;
        storage.clear();
        records.resize(count, Record::default());
        let (scratch, mut pairs) = (get_or_allocate(&mut self.all), pairs);
        for records in records.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, &mut pairs, &mut scratch.stage, records.len());
                write_masks(simd, storage, scratch, pool, &mut records[..n]);
            });
        }
    }

    fn run<Q: Query>(
        &mut self,
        query: Q,
        pool: Pool<'_>,
        pairs: &mut impl Source,
        answers: &mut [Q::Answer],
    ) {
        let scratch = get_or_allocate(&mut self.all);
        for answers in answers.chunks_mut(CHUNK) {
            with_level!(self.level, simd => {
                let n = fill(simd, pairs, &mut scratch.stage, answers.len());
                answer_chunk(simd, query, scratch, pool, &mut answers[..n]);
            });
        }
    }
}

/// Stages the next pairs. Never inlined, so that all queries share it: it is most of the code of small
/// queries.
#[inline(never)]
fn fill<S: fearless_simd::Simd, T: Source>(
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

/// Answers the staged pairs, as many as `answers`. Never inlined, so that all sources share it.
#[inline(never)]
fn answer_chunk<S: fearless_simd::Simd, Q: Query>(
    simd: S,
    query: Q,
    scratch: &mut Scratch<ALL_PAIRS>,
    pool: Pool<'_>,
    answers: &mut [Q::Answer],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            if Q::NEEDS_POSITION {
                scratch.geometry.fill::<false, true>(&scratch.stage, answers.len());
            } else {
                scratch.geometry.fill::<false, false>(&scratch.stage, answers.len());
            }
            // Not always room for a chunk: to clear it is most of what a few boxes take.
            let (mut small, mut large);
            let found: &mut [Q::Found] = if answers.len() <= SMALL_CHUNK {
                small = [Q::NONE; SMALL_CHUNK];
                &mut small
            } else {
                large = [Q::NONE; CHUNK];
                &mut large
            };
            dispatch::pair_by_pair(simd, query, scratch, pool, answers.len(), found);
            // Afterwards, because whether there is a pixel is unpredictable: in the kernels that
            // branch would wait for them (contact, 64 to 128 px: 1.03 to 1.06 of the time with
            // AVX-512).
            for (i, (answer, found)) in answers.iter_mut().zip(&*found).enumerate() {
                *answer = query.answer(*found, scratch.geometry.corner(i));
            }
        },
    );
}

/// The same for touches, which begin with a probe.
#[inline(never)]
fn touches_chunk<S: fearless_simd::Simd>(
    simd: S,
    scratch: &mut Scratch<TOUCHES_PAIRS>,
    pool: Pool<'_>,
    answers: &mut [bool],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let mut hits = [false; CHUNK];
            dispatch::probe_first(simd, Touches, scratch, pool, answers.len(), &mut hits);
            for (answer, hit) in answers.iter_mut().zip(hits) {
                *answer = hit;
            }
        },
    );
}

/// Writes the masks of the staged pairs.
#[inline(never)]
fn write_masks<S: fearless_simd::Simd>(
    simd: S,
    storage: &mut MaskStorage,
    scratch: &mut Scratch<ALL_PAIRS>,
    pool: Pool<'_>,
    records: &mut [Record],
) {
    simd.vectorize(
        #[inline(always)]
        move || overlap_mask_query::write_masks(simd, storage, scratch, pool, records),
    );
}
