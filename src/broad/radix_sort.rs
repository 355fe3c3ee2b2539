//! Sorts the pairs of one bucket within the L1 and L2 caches.
//!
//! ```text
//! sparse (hardly any pairs an id):  comparison sort
//! usual:                            counting sort by the smaller id, then an insertion sort
//! dense (many pairs an id):         LSD radix sort, from the digits of the greater id up
//! ```
//!
//! Called by [`PairOrder`](super::PairOrder). Its counting sort also sorts crowded strips.

use crate::broad::pair_buckets::PairBuckets;
use crate::memory::vec_growth;
use std::iter::once;

/// Pairs an id from which the pairs are radix sorted.
const DENSE_PAIRS_PER_ID: usize = 2;

/// Ids a pair from which the pairs are sorted by comparison: scanning the counters would take
/// longer.
const SPARSE_IDS_PER_PAIR: usize = 16;

/// Upper bound on bits of a digit.
pub(super) const MAX_DIGIT_BITS: u32 = 11;

/// The buffers of a bucket sort. Kept between updates for their memory.
#[derive(Default)]
pub(super) struct BucketSorter {
    /// The keys of a bucket, and room for as many.
    keys: [Vec<u64>; 2],
    /// The number of pairs of each digit; then the position of the next such pair.
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

/// Sorts the keys of the pieces of `from` into `to` by `bits` bits from bit `low` up. Stable. `to`
/// is as long as all pieces together.
pub(super) fn counting_sort<'p>(
    from: impl Iterator<Item = &'p [u64]> + Clone,
    to: &mut [u64],
    counts: &mut Vec<u32>,
    [low, bits]: [u32; 2],
) {
    let mask = (1_usize << bits) - 1;
    let digit = |key: u64| (key >> low) as usize & mask;
    counts.clear();
    vec_growth::resize(counts, mask + 1, 0);
    let counts = &mut counts[..=mask];
    // Piece by piece: a flattened iterator tests for the end of its piece at each key.
    for piece in from.clone() {
        piece.iter().for_each(|&key| counts[digit(key)] += 1);
    }
    let mut start = 0;
    for count in &mut *counts {
        start += std::mem::replace(count, start);
    }
    for piece in from {
        for &key in piece {
            let next = &mut counts[digit(key)];
            to[*next as usize] = key;
            *next += 1;
        }
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

/// Sorts keys that are sorted by the smaller id. Falls back to a comparison sort for ids with very
/// many pairs.
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
