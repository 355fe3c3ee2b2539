//! Sorts the found pairs by the smaller id, then by the greater.
//!
//! ```text
//! each worker of the sweep distributes its pairs into buckets by the upper bits of the smaller id
//! each worker of the sort takes a run of buckets and sorts each within its caches:
//!   by the smaller id, by counting; then the few pairs that share an id, in place
//! ```
//!
//! 1. Ids are small and dense, which a comparison sort cannot use. One counting sort over very many
//!    ids scatters counters and pairs all over memory, twice for every pair. The counters and pairs
//!    of one bucket stay in the L1 and L2 caches.
//! 2. The output is written once, in its final form. No sorted keys are kept.
//!
//! Called by [`BoxTree`](super::BoxTree) and by `world::step::pair_finder`.

use crate::broad::pair_buckets::PairBuckets;
use crate::broad::pair_buckets::ids_of;
use crate::broad::radix_sort::BucketSorter;
use crate::memory::parallel;
use crate::memory::vec_growth;
use std::fmt;
use std::ops::Range;

/// Pairs that repay one more worker of the sort.
const PAIRS_PER_WORKER: usize = 4_000;

/// Upper bound on buckets: the cache line that each bucket writes to stays in L1.
const MAX_BUCKETS: usize = 512;

/// Ids of a bucket, unless that makes too many buckets. At about one pair an id, the pairs and
/// counters of a bucket fit the L1 cache. Twice as many ids do not fit. With fewer ids the ends of
/// buckets dominate the time.
const IDS_PER_BUCKET: usize = 1 << 11;

/// Sorts pairs. Kept between updates for its memory. A clone starts empty and allocates its own.
#[derive(Default)]
pub(crate) struct PairOrder {
    /// The pairs found by each worker of the sweep.
    found: Vec<PairBuckets>,
    sorters: Vec<BucketSorter>,
    /// Start of each bucket among all pairs, and the end of the last.
    starts: Vec<usize>,
    /// Low bits of the smaller id that do not select its bucket.
    shift: u32,
    ids: usize,
    /// Workers of the sort.
    workers: usize,
}

impl Clone for PairOrder {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for PairOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pairs", self.len())
    }
}

impl PairOrder {
    /// Clears the pairs and returns one set of buckets for each of `workers`. All ids are below
    /// `ids`.
    pub(crate) fn begin(&mut self, workers: usize, ids: usize) -> &mut [PairBuckets] {
        let most = (ids / IDS_PER_BUCKET).clamp(1, MAX_BUCKETS);
        let last = ids.saturating_sub(1);
        let shift = (0..u32::BITS).find(|shift| last >> shift < most).unwrap_or(u32::BITS);
        (self.ids, self.shift) = (ids, shift);
        self.starts.clear();
        // Shrinks too: frees the memory of workers that are gone.
        self.found.resize_with(workers, PairBuckets::default);
        let buckets = self.buckets();
        self.found.iter_mut().for_each(|found| found.begin(shift, buckets));
        &mut self.found
    }

    /// Returns the number of buckets.
    fn buckets(&self) -> usize {
        (self.ids.saturating_sub(1) >> self.shift) + 1
    }

    /// Counts the found pairs and computes the start of each bucket.
    pub(crate) fn end(&mut self) {
        let buckets = self.buckets();
        let Self { found, starts, .. } = self;
        let mut end = 0;
        starts.clear();
        starts.push(0);
        for bucket in 0..buckets {
            let pieces = found.iter().flat_map(|found| found.of_bucket(bucket));
            end += pieces.map(<[_]>::len).sum::<usize>();
            starts.push(end);
        }
        self.workers = parallel::threads_for(end, PAIRS_PER_WORKER);
    }

    /// Returns the number of pairs.
    fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Replaces the contents of `to` by the result of `make` for each found pair, in order.
    pub(crate) fn write<T: Copy + Send>(
        &mut self,
        to: &mut Vec<T>,
        blank: T,
        make: impl Fn([u32; 2]) -> T + Sync,
    ) {
        let mut writers = [(); parallel::MOST];
        self.write_buckets(&mut writers[..self.workers], to, blank, |(), _, keys, to| {
            for (to, &key) in to.iter_mut().zip(keys) {
                *to = make(ids_of(key));
            }
        });
    }

    /// Returns the number of writers that [`write_buckets`](Self::write_buckets) takes.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Replaces the contents of `to`, bucket by bucket. Each of `writers` gets a contiguous run of
    /// buckets.
    ///
    /// Calls `write` for each bucket, even an empty one, with:
    /// - the writer;
    /// - the range of smaller ids of the bucket; each id belongs to one bucket;
    /// - the keys in order, for [`ids_of`];
    /// - the slice of `to` for these pairs.
    pub(crate) fn write_buckets<T: Copy + Send, W: Send>(
        &mut self,
        writers: &mut [W],
        to: &mut Vec<T>,
        blank: T,
        write: impl Fn(&mut W, Range<u64>, &[u64], &mut [T]) + Sync,
    ) {
        vec_growth::resize(to, self.len(), blank);
        let Self { found, sorters, starts, shift, ids, workers } = self;
        if sorters.len() < *workers {
            sorters.resize_with(*workers, BucketSorter::default);
        }
        let (found, starts, shift) = (&found[..], &starts[..], *shift);
        let id_bits = usize::BITS - ids.leading_zeros();
        let last = starts.len() - 2;
        let split = |(whole, writers), left: &[BucketSorter], right: &[BucketSorter]| {
            let (these, others) = split_buckets(starts, whole, [left.len(), right.len()]);
            let (writers, rest) = <[W]>::split_at_mut(writers, left.len());
            ((these, writers), (others, rest))
        };
        let whole = ((0..last + 1, &mut to[..]), &mut writers[..*workers]);
        parallel::share(&mut sorters[..*workers], whole, &split, &|sorter, (share, writers)| {
            let (buckets, mut to) = share;
            for bucket in buckets {
                let (these, others) = to.split_at_mut(starts[bucket + 1] - starts[bucket]);
                // The blocks of a bucket lie anywhere in memory: prefetch the next bucket while
                // this one is sorted.
                if bucket < last {
                    found.iter().for_each(|found| found.prefetch(bucket + 1));
                }
                let keys = sorter.sort_bucket(found, bucket, these.len(), [shift, id_bits]);
                let first = (bucket as u64) << shift;
                // The range of the last bucket is open-ended.
                let end = if bucket == last { u64::MAX } else { first + (1 << shift) };
                write(&mut writers[0], first..end, keys, these);
                to = others;
            }
        });
    }
}

/// A range of buckets, and the output slice of their pairs.
type Share<'t, T> = (Range<usize>, &'t mut [T]);

/// Splits a range of buckets, with the number of pairs in proportion to the workers.
fn split_buckets<'t, T>(
    starts: &[usize],
    (buckets, to): Share<'t, T>,
    [left, right]: [usize; 2],
) -> (Share<'t, T>, Share<'t, T>) {
    let start = starts[buckets.start];
    let middle = start + to.len() * left / (left + right);
    let cut = buckets.start + starts[buckets.clone()].partition_point(|&start| start < middle);
    let (these, others) = to.split_at_mut(starts[cut] - start);
    ((buckets.start..cut, these), (cut..buckets.end, others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::pair_buckets::key_of;
    use proptest::prelude::*;

    /// Pushes each of `lists` as one worker's pairs, and sets the number of sorting workers.
    fn take(order: &mut PairOrder, workers: usize, lists: &[&[[u32; 2]]], ids: usize) {
        for (found, list) in order.begin(lists.len(), ids).iter_mut().zip(lists) {
            list.iter().for_each(|&[a, b]| found.push(key_of(a, b)));
        }
        order.end();
        order.workers = workers;
    }

    proptest! {
        #[test]
        fn pairs_are_ordered_as_by_a_plain_sort(
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400),
            list_len in 1_usize..50,
            workers in 1_usize..=parallel::MOST,
        ) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut truth = pairs.clone();
            truth.sort_unstable();
            let lists: Vec<&[[u32; 2]]> = pairs.chunks(list_len).collect();
            let (mut order, mut ordered) = (PairOrder::default(), Vec::new());
            // The buffers are reused. The numbers of ids give few, many and very few pairs an id.
            for ids in [200, 90, 4000, 100_000, 40_000_000] {
                take(&mut order, workers, &lists, ids);
                order.write(&mut ordered, [0; 2], |pair| pair);
                prop_assert_eq!(&ordered, &truth);
            }
        }
    }

    #[test]
    fn many_pairs_in_many_buckets_are_ordered_even_if_thousands_share_an_id() {
        let (mut order, mut ordered) = (PairOrder::default(), Vec::new());
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % end) as u32
        };
        for (ids, pairs) in [(30_000, 40_000), (3000, 40_000), (3_000_000, 40_000)] {
            let all: Vec<[u32; 2]> = (0..pairs)
                .map(|i| {
                    // Every tenth pair has id 7, which then has thousands of pairs.
                    let a = if i % 10 == 0 { 7 } else { below(ids - 1) };
                    [a, a + 1 + below(ids - 1 - u64::from(a))]
                })
                .collect();
            let lists: Vec<&[[u32; 2]]> = all.chunks(3333).collect();
            for workers in [1, 3] {
                take(&mut order, workers, &lists, ids as usize);
                order.write(&mut ordered, [0; 2], |pair| pair);
                let mut truth = all.clone();
                truth.sort_unstable();
                assert!(ordered == truth, "{ids} ids, {workers} workers");
            }
        }
    }
}
