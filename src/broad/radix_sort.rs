//! One part of the pairs, put in order within the nearest caches.
//!
//! ```text
//! by the smaller id, by counting; then the few pairs that share one, where they lie
//! ```
//!
//! Where many pairs share an id, digit by digit, the greater id's first; where there are hardly any, by
//! comparing.
//!
//! Called by the order only.

use crate::broad::pair_buckets::PairBuckets;
use crate::memory::vec_growth;
use std::iter::once;

/// Pairs an id from which they are ordered digit by digit.
const DENSE_PAIRS_PER_ID: usize = 2;

/// Ids to a pair of a part from which they are sorted by comparing: to go through the counters
/// would take longer.
const SPARSE_IDS_PER_PAIR: usize = 16;

/// Bits of a digit, at most.
const MAX_DIGIT_BITS: u32 = 11;

/// Orders parts.
#[derive(Default)]
pub(super) struct BucketSorter {
    /// The pairs of a part, the smaller id in the upper half; and room for as many.
    keys: [Vec<u64>; 2],
    /// How many pairs have each id, or digit; and then where the next of them goes.
    counts: Vec<u32>,
}

impl BucketSorter {
    /// The pairs of a part, in order. All ids have so many bits; those of the smaller id above
    /// `shift` are the same for all.
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
        // More than can be counted in 32 bits are rare, and slow anyhow.
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
        // In the end they lie where they are expected.
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

/// Stably sorts the keys in the pieces of `from` into `to`, of the same length in all, by the bits
/// above `low`, so many.
fn counting_sort<'p>(
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
    // Piece by piece: of all in a row it is asked at each where it lies.
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

/// Of pairs that are in order of the smaller id, moves the two greatest of each id to where they
/// belong, the greatest last: which leaves few out of order, since few have three. Without a branch:
/// which of two comes first is as good as random.
fn carry_two_greatest(keys: &mut [u64]) {
    let [first, second, ..] = *keys else { return };
    // What is carried on, and what is carried on of the others.
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

/// Places that a pair is moved over, one by one, at most.
const MAX_SHIFT: usize = 16;

/// Puts pairs that are in order of the smaller id in order of the greater one too.
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
            // An id of very many pairs: in the middle of all others it may have any number.
            let start = keys[..i].partition_point(|other| other >> 32 < key >> 32);
            i += keys[i..].partition_point(|other| other >> 32 == key >> 32);
            keys[start..i].sort_unstable();
            greatest = keys[i - 1];
        }
    }
}
