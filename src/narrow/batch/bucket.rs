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
use bytemuck::Zeroable;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u32x16};

/// Keys there are.
pub(crate) const KEYS: usize = 512;

/// Room of a bucket, in pairs. One cache line more than a chunk, or else the heads of all buckets
/// would fall into the same set of the cache and push each other out.
const ROOM: usize = CHUNK + 32;

/// Buckets with room for so many pairs, that of the lower keys at least: see [`room`].
#[derive(Zeroable)]
pub(crate) struct Buckets<const PAIRS: usize> {
    /// Of key k from k `ROOM` on.
    pairs: [u16; PAIRS],
    /// Where the next pair of each key goes.
    ends: [u32; KEYS],
}

/// Pairs that the buckets of keys below `keys` have room for.
pub(crate) const fn room(keys: usize) -> usize {
    keys * ROOM
}

/// Where each bucket starts.
const STARTS: [u32; KEYS] = {
    let mut starts = [0; KEYS];
    let mut key = 0;
    while key < KEYS {
        starts[key] = (key * ROOM) as u32;
        key += 1;
    }
    starts
};

impl<const PAIRS: usize> Buckets<PAIRS> {
    #[inline(always)]
    pub(crate) fn append(&mut self, key: u32, pair: u16) {
        self.append_if(key, pair, 1);
    }

    /// Appends `pair` to a bucket below 256 if `really` is 1 and not 0.
    #[inline(always)]
    pub(crate) fn append_if(&mut self, key: u32, pair: u16, really: u32) {
        // Of a byte the compiler knows that it is less than KEYS.
        self.put(usize::from(key as u8), pair, really);
    }

    /// The same, to any bucket.
    #[inline(always)]
    pub(crate) fn append_any_if(&mut self, key: u32, pair: u16, really: u32) {
        self.put(key as usize % KEYS, pair, really);
    }

    #[inline(always)]
    fn put(&mut self, key: usize, pair: u16, really: u32) {
        let end = self.ends[key];
        self.ends[key] = end + really;
        if let Some(slot) = self.pairs.get_mut(end as usize) {
            *slot = pair;
        }
    }

    /// The pairs in bucket `key`, which is then empty. (A closure called for each bucket would be
    /// compiled without the level's instructions.)
    #[inline(always)]
    pub(crate) fn take(&mut self, key: u32) -> &[u16] {
        let key = key as usize % KEYS;
        let end = std::mem::replace(&mut self.ends[key], STARTS[key]);
        &self.pairs[STARTS[key] as usize..end as usize]
    }

    /// Which of the buckets 64 `group` to 64 `group` + 63 hold pairs, one bit each.
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

    /// Empties all buckets, before they are used.
    pub(crate) fn clear(&mut self) {
        self.ends = STARTS;
    }
}
