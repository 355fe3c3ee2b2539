//! Stage 4: jobs sorted by the kernel they need.
//!
//! ```text
//! for each pair that is not settled: append it to the bucket of its key
//! for each bucket that is not empty: run its kernel over the pairs in it
//! ```
//!
//! All jobs of a bucket take the same number of turns through the same code, so a bucket costs one
//! mispredicted branch, not every pair. Appending has no branch on data either.

use super::CHUNK;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u32x16};

/// Keys there are: 6 bits of blocks, one for the far strip, one for reversed rows.
pub(crate) const KEYS: usize = 256;

/// With those whose pairs nobody runs. There are several, taken in turn: one and the same counter
/// raised by every pair would be the slowest thing in the loop.
pub(crate) const ALL_KEYS: usize = 2 * KEYS;

/// Room of a bucket, in pairs. One cache line more than a chunk, or else the heads of all buckets
/// would fall into the same set of the cache and push each other out.
const ROOM: usize = CHUNK + 32;

pub(crate) struct Buckets {
    pairs: [[u16; ROOM]; ALL_KEYS],
    lengths: [u32; ALL_KEYS],
}

impl Buckets {
    pub(crate) const fn new() -> Self {
        Self { pairs: [[0; ROOM]; ALL_KEYS], lengths: [0; ALL_KEYS] }
    }

    #[inline(always)]
    pub(crate) fn append(&mut self, key: u32, pair: u16) {
        self.append_if(key, pair, true);
    }

    #[inline(always)]
    pub(crate) fn append_if(&mut self, key: u32, pair: u16, really: bool) {
        let key = key as usize % ALL_KEYS;
        let length = self.lengths[key];
        self.pairs[key][length as usize % CHUNK] = pair;
        self.lengths[key] = length + u32::from(really);
    }

    /// The pairs in bucket `key`, which is then empty. (A closure called for each bucket would be
    /// compiled without the level's instructions.)
    #[inline(always)]
    pub(crate) fn take(&mut self, key: usize) -> &[u16] {
        let length = std::mem::take(&mut self.lengths[key % ALL_KEYS]);
        &self.pairs[key % ALL_KEYS][..(length as usize).min(CHUNK)]
    }

    /// Which of the buckets 64 `group` to 64 `group` + 63 hold pairs, one bit each.
    #[inline(always)]
    pub(crate) fn filled<S: Simd>(&self, simd: S, group: usize) -> u64 {
        let lengths = self.lengths[group * 64..][..64].as_chunks::<16>().0;
        let mut filled = 0;
        for (quarter, lengths) in lengths.iter().enumerate() {
            let some = u32x16::load_array_ref(simd, lengths).simd_ne(u32x16::splat(simd, 0));
            filled |= some.to_bitmask() << (16 * quarter);
        }
        filled
    }

    /// Empties the buckets that nobody runs.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.lengths[KEYS..].fill(0);
    }
}
