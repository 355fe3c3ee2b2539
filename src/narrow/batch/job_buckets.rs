//! Stage 3: jobs sorted by the kernel that they need.
//!
//! ```text
//! for each open pair: append it to the bucket of its key
//! for each bucket that is not empty: run its kernel over the pairs in it
//! ```
//!
//! 1. All jobs of a bucket run the same number of iterations of the same code. So a misprediction
//!    is paid per bucket and not per pair.
//! 2. Appending has no branch on data: the pair is always stored, and the end of the bucket moves
//!    on by 0 or 1.
//! 3. A counter that every pair increments is a chain of loads and stores, the slowest part of the
//!    loop. So frequent keys have [`BUCKETS_PER_KEY`] buckets, used round-robin.
//!
//! Bits of a key:
//!
//! ```text
//! 0..5  slot: the number of blocks, see `slot`       5  FAR: the strip extends into left's next one
//! 6     REVERSED: right's rows run backwards         7..  the number of strips less 1, up to 3
//! ```
//!
//! For queries with a probe, keys from 128 up have another meaning: [`PROBES`] and [`NO_OVERLAP`].

use super::staging::CHUNK;
use bytemuck::Zeroable;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u32x16};

/// Set if the strip extends into the next strip of the left mask.
pub(crate) const FAR: u32 = 32;
/// Set if the rows of the right mask run backwards.
pub(crate) const REVERSED: u32 = 64;

/// For queries that walk all strips of a pair at once: the unit of the number of strips minus 1.
pub(crate) const STRIP_UNIT: u32 = 128;
/// Numbers of strips with buckets of their own. The last one also holds pairs of more strips.
pub(crate) const STRIP_CLASSES: u32 = 4;

/// The first bucket of probed pairs. The lower bits hold their kind.
pub(crate) const PROBES: u32 = 128;
/// Set for probed pairs of several strips.
pub(crate) const PROBE_WIDE: u32 = 16;
/// Set for probed pairs whose right rows run backwards.
pub(crate) const PROBE_REVERSED: u32 = 8;
/// Set for probed pairs that are tall: see `touches_query.rs`.
pub(crate) const PROBE_TALL: u32 = 4;
/// The first bucket of pairs whose boxes do not overlap.
pub(crate) const NO_OVERLAP: u32 = 160;

/// Buckets per frequent key, used round-robin.
pub(crate) const BUCKETS_PER_KEY: u32 = 4;

/// Jobs of up to this many blocks have [`BUCKETS_PER_KEY`] buckets for each number of blocks.
const FREQUENT_BLOCKS: u32 = 2;

/// The last slot. All jobs of 26 and more blocks share it.
const LAST_SLOT: u32 = FAR - 1;

/// Returns the slot of a job of `blocks` blocks, at least 1, without [`FAR`] and [`REVERSED`].
#[inline(always)]
pub(crate) const fn slot(blocks: u32, copy: u32) -> u32 {
    let frequent = blocks.wrapping_sub(1).wrapping_mul(BUCKETS_PER_KEY) | copy;
    let other = blocks.wrapping_add(FREQUENT_BLOCKS * BUCKETS_PER_KEY - FREQUENT_BLOCKS - 1);
    let other = if other < LAST_SLOT { other } else { LAST_SLOT };
    if blocks <= FREQUENT_BLOCKS { frequent } else { other }
}

/// Returns the number of blocks of the jobs in bucket `key`; a lower bound for the last slots.
#[inline(always)]
pub(crate) const fn blocks_of(key: u32) -> u32 {
    let slot = key % FAR;
    if slot < FREQUENT_BLOCKS * BUCKETS_PER_KEY {
        slot / BUCKETS_PER_KEY + 1
    } else {
        slot - (FREQUENT_BLOCKS * BUCKETS_PER_KEY - FREQUENT_BLOCKS - 1)
    }
}

pub(crate) const BUCKET_KEYS: usize = 512;

/// Capacity of a bucket in pairs: a chunk and one cache line. Without that line the starts of all
/// buckets would fall into the same cache set and evict each other.
const BUCKET_CAPACITY: usize = CHUNK + 32;

/// Returns the capacity in pairs of the buckets of all keys below `keys`.
pub(crate) const fn capacity_of(keys: usize) -> usize {
    keys * BUCKET_CAPACITY
}

const BUCKET_STARTS: [u32; BUCKET_KEYS] = {
    let mut starts = [0; BUCKET_KEYS];
    let mut key = 0;
    while key < BUCKET_KEYS {
        starts[key] = (key * BUCKET_CAPACITY) as u32;
        key += 1;
    }
    starts
};

#[derive(Zeroable)]
pub(crate) struct Buckets<const PAIRS: usize> {
    /// The bucket of key k starts at k x [`BUCKET_CAPACITY`].
    pairs: [u16; PAIRS],
    /// The end of each bucket: the index of its next pair.
    ends: [u32; BUCKET_KEYS],
}

impl<const PAIRS: usize> Buckets<PAIRS> {
    /// Appends `pair` to a bucket below 256 if `keep` is 1; `keep` is 0 or 1.
    #[inline(always)]
    pub(crate) fn append_if(&mut self, key: u32, pair: u16, keep: u32) {
        // A byte is always less than KEYS, so there is no bounds check.
        self.put(usize::from(key as u8), pair, keep);
    }

    /// Appends `pair` to any bucket if `keep` is 1; `keep` is 0 or 1.
    #[inline(always)]
    pub(crate) fn append_any_if(&mut self, key: u32, pair: u16, keep: u32) {
        self.put(key as usize % BUCKET_KEYS, pair, keep);
    }

    #[inline(always)]
    fn put(&mut self, key: usize, pair: u16, keep: u32) {
        let end = self.ends[key];
        self.ends[key] = end + keep;
        if let Some(end_slot) = self.pairs.get_mut(end as usize) {
            *end_slot = pair;
        }
    }

    /// Returns the pairs in bucket `key` and empties it. Not a method that calls a closure for each
    /// bucket: the closure would be compiled without the instructions of the level.
    #[inline(always)]
    pub(crate) fn take(&mut self, key: u32) -> &[u16] {
        let key = key as usize % BUCKET_KEYS;
        let end = std::mem::replace(&mut self.ends[key], BUCKET_STARTS[key]);
        &self.pairs[BUCKET_STARTS[key] as usize..end as usize]
    }

    /// Returns a bit for each bucket from 64 x `group` on: set if it holds pairs.
    #[inline(always)]
    pub(crate) fn filled<S: Simd>(&self, simd: S, group: usize) -> u64 {
        let ends = self.ends[group * 64..][..64].as_chunks::<16>().0;
        let starts = BUCKET_STARTS[group * 64..][..64].as_chunks::<16>().0;
        let mut filled = 0;
        for (quarter, (ends, starts)) in ends.iter().zip(starts).enumerate() {
            let ends = u32x16::load_array_ref(simd, ends);
            let non_empty = ends.simd_ne(u32x16::load_array_ref(simd, starts));
            filled |= non_empty.to_bitmask() << (16 * quarter);
        }
        filled
    }

    /// Empties all buckets. Called once, before the first use.
    pub(crate) fn clear(&mut self) {
        self.ends = BUCKET_STARTS;
    }
}

#[derive(Zeroable)]
pub(crate) struct IndexList {
    pairs: [u16; CHUNK],
    length: usize,
}

impl IndexList {
    /// Empties the list and returns a writer to it.
    #[inline(always)]
    pub(crate) fn refill(&mut self) -> Refill<'_> {
        Refill { list: self, kept: 0 }
    }

    /// Replaces the list by `pairs`, at most one chunk.
    #[inline(always)]
    pub(crate) fn copy(&mut self, pairs: &[u16]) {
        self.length = pairs.len().min(CHUNK);
        self.pairs[..self.length].copy_from_slice(&pairs[..self.length]);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.pairs[..self.length.min(CHUNK)]
    }

    /// Drops the pairs for which `keep` is false, without a branch.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = 0;
        for at in 0..self.length.min(CHUNK) {
            let pair = self.pairs[at];
            self.pairs[kept % CHUNK] = pair;
            kept += usize::from(keep(pair as usize % CHUNK));
        }
        self.length = kept;
    }
}

/// A writer to a list. The length stays in a register until [`finish`](Self::finish).
pub(crate) struct Refill<'l> {
    list: &'l mut IndexList,
    kept: usize,
}

impl Refill<'_> {
    /// Appends `pair` if `keep` is 1; `keep` is 0 or 1.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, pair: u16, keep: u32) {
        self.list.pairs[self.kept % CHUNK] = pair;
        self.kept += keep as usize;
    }

    #[inline(always)]
    pub(crate) fn finish(self) {
        self.list.length = self.kept;
    }
}
