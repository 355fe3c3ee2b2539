//! Sorts the found pairs by the smaller id, then by the greater.
//!
//! ```text
//! each worker of the sweep distributes its pairs into buckets by the upper bits of the smaller id
//!   bucket 0:  [block 0] -> [block 5] -> ...
//!   bucket 1:  [block 1] -> [block 4]
//! each worker of the sort takes a run of buckets and sorts each within its caches:
//!   sparse (hardly any pairs an id):  comparison sort
//!   usual:                            counting sort by the smaller id, then an insertion sort
//!   dense (many pairs an id):         LSD radix sort, from the digits of the greater id up
//! ```
//!
//! 1. Ids are small and dense, which a comparison sort cannot use. One counting sort over very many
//!    ids scatters counters and pairs all over memory, twice for every pair. The counters and pairs
//!    of one bucket stay in the L1 and L2 caches.
//! 2. Each bucket is a chain of fixed-size blocks. A pair is appended to the last block of its
//!    bucket, and no pair moves until its bucket is sorted.
//! 3. The output is written once, in its final form. No sorted keys are kept.
//!
//! Invariant: the last block of every bucket has room for one more pair.

use crate::broad::radix_sort::{MAX_DIGIT_BITS, counting_sort};
use crate::memory::{parallel, prefetch, vec_growth};
use std::fmt;
use std::iter::once;
use std::ops::Range;

/// Pairs in a block. On average half of the last block of a bucket is unused.
const BLOCK_PAIRS: usize = 64;

const KEYS_PER_LINE: usize = 8;

/// Keys prefetched ahead of the one written. There are more buckets than streams that the hardware
/// prefetcher tracks. Without the prefetch, stores wait for their lines in the short store buffer.
const KEYS_AHEAD: usize = 2 * KEYS_PER_LINE;

/// Marks the first block of a bucket.
const NO_BLOCK: usize = usize::MAX;

/// The pairs of one worker, by bucket. Kept between updates for its memory.
#[derive(Default)]
pub(crate) struct PairBuckets {
    /// Keys, block after block. May be longer than the blocks in use.
    pairs: Vec<u64>,
    /// Position of the next pair of each bucket.
    next: Vec<usize>,
    /// For each block: the previous block of the same bucket.
    previous: Vec<usize>,
    /// Low bits of a key that do not select its bucket.
    shift: u32,
}

impl PairBuckets {
    /// Clears the pairs. `shift` low bits of the smaller id do not select one of `buckets`.
    pub(super) fn begin(&mut self, shift: u32, buckets: usize) {
        self.shift = u32::BITS + shift;
        self.next.clear();
        self.next.extend((0..buckets).map(|bucket| bucket * BLOCK_PAIRS));
        self.previous.clear();
        self.previous.resize(buckets, NO_BLOCK);
        self.reserve_blocks(buckets);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        self.extend(std::iter::once((key, true)));
    }

    /// Appends the pairs whose flag is true, by their keys. No branch depends on the flag.
    #[inline(always)]
    pub(crate) fn extend(&mut self, mut pairs: impl Iterator<Item = (u64, bool)>) {
        while let Some(full) = self.fill(&mut pairs) {
            self.start_block(full);
        }
    }

    /// As [`extend`](Self::extend), until a block is full. Returns the bucket of that block.
    #[inline(always)]
    fn fill(&mut self, from: &mut impl Iterator<Item = (u64, bool)>) -> Option<usize> {
        let (pairs, next, shift) = (&mut self.pairs[..], &mut self.next[..], self.shift);
        for (key, keep) in from {
            let bucket = (key >> shift) as usize;
            let at = next[bucket];
            let end = at + usize::from(keep);
            next[bucket] = end;
            // Written unconditionally; `end` advances only for a pair that is kept.
            pairs[at] = key;
            prefetch::item(pairs, at + KEYS_AHEAD);
            // An empty block is at a multiple of `BLOCK_PAIRS` too, but then no pair was kept.
            if end % BLOCK_PAIRS < usize::from(keep) {
                return Some(bucket);
            }
        }
        None
    }

    /// Starts another block for a bucket whose last one is full.
    #[cold]
    fn start_block(&mut self, bucket: usize) {
        let block = self.previous.len();
        vec_growth::push(&mut self.previous, self.next[bucket] / BLOCK_PAIRS - 1);
        self.reserve_blocks(block + 1);
        self.next[bucket] = block * BLOCK_PAIRS;
    }

    fn reserve_blocks(&mut self, blocks: usize) {
        if self.pairs.len() < blocks * BLOCK_PAIRS {
            vec_growth::resize(&mut self.pairs, blocks * BLOCK_PAIRS, 0);
        }
    }

    /// Returns the pairs of a bucket, block by block.
    pub(super) fn of_bucket(&self, bucket: usize) -> impl Iterator<Item = &[u64]> + Clone {
        let next = self.next[bucket];
        let last = [next / BLOCK_PAIRS, next % BLOCK_PAIRS];
        let chain = std::iter::successors(Some(last), |&[block, _]| {
            let previous = self.previous[block];
            (previous != NO_BLOCK).then_some([previous, BLOCK_PAIRS])
        });
        chain.map(|[block, len]| &self.pairs[block * BLOCK_PAIRS..][..len])
    }

    pub(super) fn prefetch(&self, bucket: usize) {
        for piece in self.of_bucket(bucket) {
            (0..piece.len()).step_by(KEYS_PER_LINE).for_each(|at| prefetch::item(piece, at));
        }
    }
}

/// Returns the key of two ids, in either order.
#[inline(always)]
pub(crate) fn key_of(a: u32, b: u32) -> u64 {
    let key = u64::from(a) << 32 | u64::from(b);
    // Cheaper than finding the smaller and the greater id.
    key.min(key.rotate_left(32))
}

/// Returns the ids of a key, the smaller first.
#[inline(always)]
pub(crate) const fn ids_of(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

/// Pairs that repay one more worker of the sort.
const PAIRS_PER_SORTER: usize = 4_000;

/// Upper bound on buckets: the cache line that each bucket writes to stays in L1.
const MAX_BUCKETS: usize = 512;

/// Ids of a bucket, unless that makes too many buckets. At about one pair an id, the pairs and
/// counters of a bucket fit the L1 cache. Twice as many ids do not fit. With fewer ids the ends of
/// buckets dominate the time.
const IDS_PER_BUCKET: usize = 1 << 11;

/// Sorts pairs. Kept between updates for its memory. A clone starts empty and allocates its own.
#[derive(Default)]
pub(crate) struct PairOrder {
    found: Vec<PairBuckets>,
    sorters: Vec<BucketSorter>,
    /// Start of each bucket among all pairs, and the end of the last.
    starts: Vec<usize>,
    /// Low bits of the smaller id that do not select its bucket.
    shift: u32,
    ids: usize,
    pub(crate) workers: usize,
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
    /// Clears the pairs and returns the buckets of each worker. All ids are below `ids`.
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
        self.workers = parallel::threads_for(end, PAIRS_PER_SORTER);
    }

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
        let mut writers = [(); parallel::MAX_THREADS];
        self.write_buckets(&mut writers[..self.workers], to, blank, |(), _, keys, to| {
            for (to, &key) in to.iter_mut().zip(keys) {
                *to = make(ids_of(key));
            }
        });
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

/// Pairs an id from which the pairs are radix sorted.
const DENSE_PAIRS_PER_ID: usize = 2;

/// Ids a pair from which pairs are sorted by comparison, because of too many counters.
const SPARSE_IDS_PER_PAIR: usize = 16;

#[derive(Default)]
pub(super) struct BucketSorter {
    /// The keys of a bucket, and room for as many.
    keys: [Vec<u64>; 2],
    counts: Vec<u32>,
}

impl BucketSorter {
    /// Returns the keys of a bucket of `len` pairs, in order. All ids have `bits` bits. The bits of
    /// the smaller id above `shift` are the same in the whole bucket.
    pub(super) fn sort_bucket(
        &mut self,
        found: &[PairBuckets],
        bucket: usize,
        len: usize,
        [shift, bits]: [u32; 2],
    ) -> &[u64] {
        let Self { keys: [keys, others], counts } = self;
        let pieces = found.iter().flat_map(|found| found.of_bucket(bucket));
        if keys.len() < len {
            vec_growth::resize(keys, len, 0);
        }
        let keys = &mut keys[..len];
        // More pairs than 32-bit counters can count are rare, and slow anyway.
        if len.saturating_mul(SPARSE_IDS_PER_PAIR) >> shift == 0 || u32::try_from(len).is_err() {
            keys.iter_mut().zip(pieces.flatten()).for_each(|(to, &key)| *to = key);
            keys.sort_unstable();
            return keys;
        }
        if (len / DENSE_PAIRS_PER_ID) >> shift == 0 {
            counting_sort(pieces, keys, counts, [32, shift]);
            carry_two_greatest(keys);
            insertion_sort(keys);
            return keys;
        }
        if others.len() < len {
            vec_growth::resize(others, len, 0);
        }
        let others = &mut others[..len];
        let digits = bits.div_ceil(MAX_DIGIT_BITS).max(1);
        let digit = bits.div_ceil(digits);
        // The parity of the passes decides which buffer comes first: the last pass always writes to
        // `others`.
        let (mut from, mut to) = if digits % 2 == 0 { (others, keys) } else { (keys, others) };
        counting_sort(pieces, from, counts, [0, digit]);
        for place in 1..digits {
            counting_sort(once(&*from), to, counts, [place * digit, digit]);
            std::mem::swap(&mut from, &mut to);
        }
        counting_sort(once(&*from), to, counts, [32, shift]);
        to
    }
}

/// Moves the two greatest keys of each smaller id to their final places. Keys are sorted by the
/// smaller id. Few ids have three pairs, so few keys stay out of order. No branch, because the
/// order of two keys is as good as random.
fn carry_two_greatest(keys: &mut [u64]) {
    let [first, second, ..] = *keys else { return };
    // The two greatest keys so far, carried along.
    let (mut greatest, mut next) = (first.max(second), first.min(second));
    for i in 2..keys.len() {
        let key = keys[i];
        let less = key.min(greatest);
        greatest = key.max(greatest);
        keys[i - 2] = less.min(next);
        next = less.max(next);
    }
    if let [.., one, other] = keys {
        (*one, *other) = (next.min(greatest), next.max(greatest));
    }
}

/// Upper bound on places that the insertion sort moves a key by.
const MAX_SHIFT: usize = 16;

/// Sorts keys that are sorted by the smaller id. Ids with very many pairs are compared.
fn insertion_sort(keys: &mut [u64]) {
    let (mut i, mut greatest) = (0, 0);
    while i < keys.len() {
        let key = keys[i];
        if key >= greatest {
            (i, greatest) = (i + 1, key);
            continue;
        }
        let mut at = i;
        while at > 0 && i - at < MAX_SHIFT && keys[at - 1] > key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
        i += 1;
        if i - at > MAX_SHIFT {
            // An id of very many pairs: find its keys and sort them.
            let start = keys[..i].partition_point(|other| other >> 32 < key >> 32);
            i += keys[i..].partition_point(|other| other >> 32 == key >> 32);
            keys[start..i].sort_unstable();
            greatest = keys[i - 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::pair_order::key_of;
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
            workers in 1_usize..=parallel::MAX_THREADS,
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
