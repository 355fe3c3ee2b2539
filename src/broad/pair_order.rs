//! Pairs in the order in which they leave: by the smaller id, then by the greater.
//!
//! ```text
//! each worker buckets its pairs by the upper bits of the smaller id, as it finds them
//! each worker takes some of the buckets, one after the other, and orders each within its caches:
//!   by the smaller id, by counting; then the few pairs that share one, where they lie
//! ```
//!
//! 1. Ids are small and dense, which a comparing sort does not know; but where there are very many,
//!    counting them and writing by their counters goes all over memory, twice for every pair. A
//!    part's counters and pairs stay in the first and second cache.
//! 2. What leaves is written once, in its last form, and nothing else is kept of it.

use crate::broad::pair_buckets::PairBuckets;
use crate::broad::pair_buckets::ids_of;
use crate::broad::radix_sort::BucketSorter;
use crate::memory::parallel;
use crate::memory::vec_growth;
use std::fmt;
use std::ops::Range;

/// Pairs for which a worker pays.
const PAIRS_PER_WORKER: usize = 4_000;

/// Parts at most: the line of memory that each is being written to stays in the nearest cache.
const MAX_BUCKETS: usize = 512;

/// Ids of a part, where that does not make too many parts: with a pair or so to an id its pairs and
/// counters are in the first cache while it is put in order. With twice as many they are not; with
/// fewer, the ends of parts are what takes the time.
const IDS_PER_BUCKET: usize = 1 << 11;

/// Orders pairs. Kept between updates, for its memory; a clone starts without, and makes its own.
#[derive(Default)]
pub(crate) struct PairOrder {
    /// Of each worker that finds pairs.
    found: Vec<PairBuckets>,
    sorters: Vec<BucketSorter>,
    /// Where each part starts among all pairs, and where the last ends.
    starts: Vec<usize>,
    /// How many bits of the smaller id its part does not tell.
    shift: u32,
    ids: usize,
    /// How many put them in order.
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
    /// Forgets the pairs there were; gives where so many workers put those that they find. All ids
    /// are below `ids`.
    pub(crate) fn begin(&mut self, workers: usize, ids: usize) -> &mut [PairBuckets] {
        let most = (ids / IDS_PER_BUCKET).clamp(1, MAX_BUCKETS);
        let last = ids.saturating_sub(1);
        let shift = (0..u32::BITS).find(|shift| last >> shift < most).unwrap_or(u32::BITS);
        (self.ids, self.shift) = (ids, shift);
        self.starts.clear();
        // Memory of workers that are no longer there is given back.
        self.found.resize_with(workers, PairBuckets::default);
        let buckets = self.buckets();
        self.found.iter_mut().for_each(|found| found.begin(shift, buckets));
        &mut self.found
    }

    /// Number of parts.
    fn buckets(&self) -> usize {
        (self.ids.saturating_sub(1) >> self.shift) + 1
    }

    /// Counts what was found.
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

    /// Number of pairs.
    fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Replaces the contents of `to` by what `make` makes of each pair that was found, in order.
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

    /// How many [`write_buckets`](Self::write_buckets) takes.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Replaces the contents of `to`, part by part. `write` is given one of `writers`, of which each
    /// gets parts that follow each other; the smaller ids, from one to before the other, of the pairs
    /// of the part, of which there may be none; their keys, in order, for [`ids_of`]; and where as
    /// many go. All ids belong to one part each.
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
                // A part's blocks lie anywhere in memory: they come while the part before is ordered.
                if bucket < last {
                    found.iter().for_each(|found| found.prefetch(bucket + 1));
                }
                let keys = sorter.sort_bucket(found, bucket, these.len(), [shift, id_bits]);
                let first = (bucket as u64) << shift;
                // The last has all that are beyond.
                let end = if bucket == last { u64::MAX } else { first + (1 << shift) };
                write(&mut writers[0], first..end, keys, these);
                to = others;
            }
        });
    }
}

/// Some parts, and where their pairs go.
type Share<'t, T> = (Range<usize>, &'t mut [T]);

/// Parts for some workers, and for others: about as many pairs for each.
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

    /// As if each of `lists` were found by a worker, and `workers` of them put it in order.
    fn take(order: &mut PairOrder, workers: usize, lists: &[&[[u32; 2]]], ids: usize) {
        for (found, list) in order.begin(lists.len(), ids).iter_mut().zip(lists) {
            list.iter().for_each(|&[a, b]| found.push(key_of(a, b)));
        }
        order.end();
        order.workers = workers;
    }

    proptest! {
        #[test]
        fn pairs_come_in_the_order_of_a_plain_sort(
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400),
            bucket in 1_usize..50,
            workers in 1_usize..=parallel::MOST,
        ) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut truth = pairs.clone();
            truth.sort_unstable();
            let lists: Vec<&[[u32; 2]]> = pairs.chunks(bucket).collect();
            let (mut order, mut ordered) = (PairOrder::default(), Vec::new());
            // Memory of another time is no matter. Few pairs to an id, and many, and very few.
            for ids in [200, 90, 4000, 100_000, 40_000_000] {
                take(&mut order, workers, &lists, ids);
                order.write(&mut ordered, [0; 2], |pair| pair);
                prop_assert_eq!(&ordered, &truth);
            }
        }
    }

    #[test]
    fn many_pairs_in_many_parts_are_ordered_however_many_share_an_id() {
        let (mut order, mut ordered) = (PairOrder::default(), Vec::new());
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % end) as u32
        };
        for (ids, pairs) in [(30_000, 40_000), (3000, 40_000), (3_000_000, 40_000)] {
            let all: Vec<[u32; 2]> = (0..pairs)
                .map(|i| {
                    // Every tenth is of one id, which then has thousands.
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
