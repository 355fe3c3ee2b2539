//! Stage 3: jobs sorted by the kernel that they need.
//!
//! ```text
//! for each pair that is not settled: append it to the bucket of its key
//! for each bucket that is not empty: run its kernel over the pairs in it
//! ```
//!
//! 1. All jobs of a bucket run the same number of iterations of the same code. So a mispredicted branch is
//!    paid once a bucket and not once a pair.
//! 2. Appending has no branch on data either: the pair is always stored, and the end of the bucket moves on
//!    by 0 or 1.
//! 3. A counter that every pair raises is a chain of store and load, the slowest thing in the loop. So
//!    frequent keys have [`BUCKETS_PER_KEY`] buckets, used in turn.
//!
//! A key, bit by bit:
//!
//! ```text
//! 0..5  slot: the number of blocks, see `slot`          5  FAR: the strip reaches into left's next one
//! 6     REVERSED: right's rows run backwards          7..  the number of strips less 1, up to 3
//! ```
//!
//! For queries with a probe 128 and up mean something else: [`PROBES`] and [`NO_OVERLAP`].

use super::CHUNK;
use bytemuck::Zeroable;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u32x16};

/// Set where the strip reaches into the left mask's next one.
pub(crate) const FAR: u32 = 32;
/// Set where right's rows run backwards.
pub(crate) const REVERSED: u32 = 64;

/// For queries that walk all strips of a pair at once: the unit of the number of strips less 1.
pub(crate) const STRIP_UNIT: u32 = 128;
/// Numbers of strips that have buckets of their own. The last one stands for more strips, too.
pub(crate) const STRIP_CLASSES: u32 = 4;

/// The first bucket of pairs that are probed. The bits below tell them apart.
pub(crate) const PROBES: u32 = 128;
/// Probed pairs of several strips.
pub(crate) const PROBE_WIDE: u32 = 16;
/// Probed pairs whose right rows run backwards.
pub(crate) const PROBE_REVERSED: u32 = 8;
/// Probed pairs that are tall: see `tall_pairs.rs`.
pub(crate) const PROBE_TALL: u32 = 4;
/// The first bucket of pairs whose boxes do not overlap.
pub(crate) const NO_OVERLAP: u32 = 160;

/// Buckets that the jobs of one frequent key share in turn.
pub(crate) const BUCKETS_PER_KEY: u32 = 4;

/// Jobs of up to this many blocks have [`BUCKETS_PER_KEY`] buckets for each number of blocks.
const FREQUENT_BLOCKS: u32 = 2;

/// The last slot: all jobs of more blocks than have a bucket of their own, 25, share it.
const LAST_SLOT: u32 = FAR - 1;

/// Returns the bucket of a job of `blocks` blocks, at least 1, with neither [`FAR`] nor [`REVERSED`].
#[inline(always)]
pub(crate) const fn slot(blocks: u32, copy: u32) -> u32 {
    let frequent = blocks.wrapping_sub(1).wrapping_mul(BUCKETS_PER_KEY) | copy;
    let other = blocks.wrapping_add(FREQUENT_BLOCKS * BUCKETS_PER_KEY - FREQUENT_BLOCKS - 1);
    let other = if other < LAST_SLOT { other } else { LAST_SLOT };
    if blocks <= FREQUENT_BLOCKS { frequent } else { other }
}

/// Returns the number of blocks of the jobs in bucket `key`; for the last slots a lower bound.
#[inline(always)]
pub(crate) const fn blocks_of(key: u32) -> u32 {
    let slot = key % FAR;
    if slot < FREQUENT_BLOCKS * BUCKETS_PER_KEY {
        slot / BUCKETS_PER_KEY + 1
    } else {
        slot - (FREQUENT_BLOCKS * BUCKETS_PER_KEY - FREQUENT_BLOCKS - 1)
    }
}

/// Number of keys.
pub(crate) const KEYS: usize = 512;

/// Capacity of a bucket in pairs: a chunk and one cache line more. Without that line the heads of all
/// buckets would fall into the same cache set and evict each other.
const CAPACITY: usize = CHUNK + 32;

/// Returns the capacity, in pairs, of the buckets of all keys below `keys`.
pub(crate) const fn capacity_of(keys: usize) -> usize {
    keys * CAPACITY
}

/// Where each bucket starts.
const STARTS: [u32; KEYS] = {
    let mut starts = [0; KEYS];
    let mut key = 0;
    while key < KEYS {
        starts[key] = (key * CAPACITY) as u32;
        key += 1;
    }
    starts
};

/// Buckets with room for `PAIRS` pairs: those of the lower keys, see [`capacity_of`].
#[derive(Zeroable)]
pub(crate) struct Buckets<const PAIRS: usize> {
    /// The bucket of key k starts at k x [`CAPACITY`].
    pairs: [u16; PAIRS],
    /// Where the next pair of each key goes.
    ends: [u32; KEYS],
}

impl<const PAIRS: usize> Buckets<PAIRS> {
    /// Appends `pair` to a bucket below 256 if `keep` is 1 and not 0.
    #[inline(always)]
    pub(crate) fn append_if(&mut self, key: u32, pair: u16, keep: u32) {
        // The compiler knows that a byte is less than KEYS.
        self.put(usize::from(key as u8), pair, keep);
    }

    /// Appends `pair` to any bucket if `keep` is 1 and not 0.
    #[inline(always)]
    pub(crate) fn append_any_if(&mut self, key: u32, pair: u16, keep: u32) {
        self.put(key as usize % KEYS, pair, keep);
    }

    #[inline(always)]
    fn put(&mut self, key: usize, pair: u16, keep: u32) {
        let end = self.ends[key];
        self.ends[key] = end + keep;
        if let Some(end_slot) = self.pairs.get_mut(end as usize) {
            *end_slot = pair;
        }
    }

    /// Returns the pairs in bucket `key` and empties it. (A closure called for each bucket would be
    /// compiled without the level's instructions.)
    #[inline(always)]
    pub(crate) fn take(&mut self, key: u32) -> &[u16] {
        let key = key as usize % KEYS;
        let end = std::mem::replace(&mut self.ends[key], STARTS[key]);
        &self.pairs[STARTS[key] as usize..end as usize]
    }

    /// Returns which of the buckets 64 `group` to 64 `group` + 63 hold pairs, one bit each.
    #[inline(always)]
    pub(crate) fn filled<S: Simd>(&self, simd: S, group: usize) -> u64 {
        let ends = self.ends[group * 64..][..64].as_chunks::<16>().0;
        let starts = STARTS[group * 64..][..64].as_chunks::<16>().0;
        let mut filled = 0;
        for (quarter, (ends, starts)) in ends.iter().zip(starts).enumerate() {
            let ends = u32x16::load_array_ref(simd, ends);
            let some = ends.simd_ne(u32x16::load_array_ref(simd, starts));
            filled |= some.to_bitmask() << (16 * quarter);
        }
        filled
    }

    /// Empties all buckets. Called once, before the first use.
    pub(crate) fn clear(&mut self) {
        self.ends = STARTS;
    }
}

/// A list of pairs, by their index in the chunk.
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

    /// Replaces the list by `pairs`, a chunk at most.
    #[inline(always)]
    pub(crate) fn copy(&mut self, pairs: &[u16]) {
        self.length = pairs.len().min(CHUNK);
        self.pairs[..self.length].copy_from_slice(&pairs[..self.length]);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.pairs[..self.length.min(CHUNK)]
    }

    /// Drops the pairs for which `keep` is false, without a branch: stores the pair and moves on by 0 or 1.
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

/// A list being filled. Its length stays in a register until [`finish`](Self::finish).
pub(crate) struct Refill<'l> {
    list: &'l mut IndexList,
    kept: usize,
}

impl Refill<'_> {
    /// Adds `pair` if `keep` is 1 and not 0.
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
