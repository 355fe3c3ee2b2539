//! The arrays between the stages of a batch.

use super::job_buckets::{self, Buckets, IndexList};
use super::pair_geometry::Geometry;
use super::staging::Stage;
use super::touches_query::{TallWalk, WALKS};
use bytemuck::Zeroable;

/// Capacity in pairs of the buckets of `Touches`: a third of all. One set per thread.
pub(super) const TOUCHES_PAIRS: usize =
    job_buckets::capacity_of((job_buckets::NO_OVERLAP + job_buckets::BUCKETS_PER_KEY) as usize);

/// Capacity in pairs of all buckets, for queries that run pair by pair.
pub(super) const ALL_PAIRS: usize = job_buckets::capacity_of(job_buckets::BUCKET_KEYS);

/// The arrays between the stages: 235 or 605 KiB, too much for the stack of WebAssembly.
#[derive(Zeroable)]
pub(crate) struct BatchBuffers<const PAIRS: usize> {
    pub(super) stage: Stage,
    pub(super) work: Work<PAIRS>,
}

/// The arrays of the stages after the first.
#[derive(Zeroable)]
pub(crate) struct Work<const PAIRS: usize> {
    pub(super) geometry: Geometry,
    pub(super) buckets: Buckets<PAIRS>,
    pub(super) open: IndexList,
    pub(super) probed: IndexList,
    /// Tall pairs, by direction: index 1 holds pairs whose right rows run backwards.
    pub(super) tall: [IndexList; 2],
    pub(super) walks: [TallWalk; WALKS],
}
