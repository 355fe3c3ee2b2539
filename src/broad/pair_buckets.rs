//! The pairs found by one worker, in buckets by the upper bits of the smaller id.
//!
//! ```text
//! bucket 0:  [block 0] -> [block 5] -> ...
//! bucket 1:  [block 1] -> [block 4]
//! ```
//!
//! Each bucket is a chain of fixed-size blocks. A pair is appended to the last block of its bucket,
//! and no pair moves until its bucket is sorted.
//!
//! Filled by the callers of the sweep, read by [`PairOrder`](super::PairOrder). Invariant: the last
//! block of every bucket has room for one more pair.

use crate::memory::{prefetch, vec_growth};

/// Pairs in a block. On average half of the last block of a bucket is unused.
const BLOCK: usize = 64;

/// Keys in a cache line.
const KEYS_PER_LINE: usize = 8;

/// Keys prefetched ahead of the one written. There are more buckets than streams that the hardware
/// prefetcher tracks. Without the prefetch, stores wait for their lines in the short store buffer.
const PREFETCH_AHEAD: usize = 2 * KEYS_PER_LINE;

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
    /// Clears the pairs and starts `buckets` buckets. `shift` low bits of the smaller id do not
    /// select the bucket.
    pub(super) fn begin(&mut self, shift: u32, buckets: usize) {
        self.shift = u32::BITS + shift;
        self.next.clear();
        self.next.extend((0..buckets).map(|bucket| bucket * BLOCK));
        self.previous.clear();
        self.previous.resize(buckets, NO_BLOCK);
        self.reserve_blocks(buckets);
    }

    /// Appends a pair by its key.
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
            prefetch::item(pairs, at + PREFETCH_AHEAD);
            // An empty block is at a multiple of `BLOCK` too, but then no pair was kept.
            if end % BLOCK < usize::from(keep) {
                return Some(bucket);
            }
        }
        None
    }

    /// Starts another block for a bucket whose last one is full.
    #[cold]
    fn start_block(&mut self, bucket: usize) {
        let block = self.previous.len();
        vec_growth::push(&mut self.previous, self.next[bucket] / BLOCK - 1);
        self.reserve_blocks(block + 1);
        self.next[bucket] = block * BLOCK;
    }

    /// Allocates room for `blocks` blocks.
    fn reserve_blocks(&mut self, blocks: usize) {
        if self.pairs.len() < blocks * BLOCK {
            vec_growth::resize(&mut self.pairs, blocks * BLOCK, 0);
        }
    }

    /// Returns the pairs of a bucket, block by block.
    pub(super) fn of_bucket(&self, bucket: usize) -> impl Iterator<Item = &[u64]> + Clone {
        let next = self.next[bucket];
        let last = [next / BLOCK, next % BLOCK];
        let chain = std::iter::successors(Some(last), |&[block, _]| {
            let previous = self.previous[block];
            (previous != NO_BLOCK).then_some([previous, BLOCK])
        });
        chain.map(|[block, len]| &self.pairs[block * BLOCK..][..len])
    }

    /// Prefetches the pairs of a bucket.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_pairs_whichever_id_comes_first() {
        let pairs = [[0, 1], [0, u32::MAX], [1, 2], [1, u32::MAX - 1], [u32::MAX - 1, u32::MAX]];
        let keys = pairs.map(|[a, b]| key_of(a, b));
        assert!(keys.is_sorted());
        assert_eq!(keys.map(ids_of), pairs);
        assert_eq!(pairs.map(|[a, b]| key_of(b, a)), keys);
    }
}
