//! Pairs as one worker finds them, parted by the upper bits of the smaller id.
//!
//! Each part has blocks of its own, one after the other: to add a pair is to write it where its part
//! goes on, and no pair is moved before its part is put in order.
//!
//! Filled by whoever finds pairs, read by the order. What it keeps true: a part is where its chain of
//! blocks says, and the block that it goes on in has room for one more.

use crate::memory::{prefetch, vec_growth};

/// Pairs of a block. A part wastes half of its last one.
const BLOCK: usize = 64;

/// Keys of a line of memory.
const KEYS_PER_LINE: usize = 8;

/// Places prefetched ahead of the one that is written: there are too many parts for the machine to see that
/// each goes on, and what is written waits for its line in a short queue.
const PREFETCH_AHEAD: usize = 2 * KEYS_PER_LINE;

/// Says that a block is the first of its part.
const NO_BLOCK: usize = usize::MAX;

/// One worker's pairs, part by part. Kept between updates, for its memory.
#[derive(Default)]
pub(crate) struct PairBuckets {
    /// Their keys, block after block; longer than what is used.
    pairs: Vec<u64>,
    /// Where the next pair of each part goes.
    next: Vec<usize>,
    /// The number of the block before each of the same part.
    previous: Vec<usize>,
    /// How many bits of a key its part does not tell.
    shift: u32,
}

impl PairBuckets {
    /// Begins anew, with so many parts: they do not tell `shift` bits of the smaller id.
    pub(super) fn begin(&mut self, shift: u32, buckets: usize) {
        self.shift = u32::BITS + shift;
        self.next.clear();
        self.next.extend((0..buckets).map(|bucket| bucket * BLOCK));
        self.previous.clear();
        self.previous.resize(buckets, NO_BLOCK);
        self.reserve_blocks(buckets);
    }

    /// Adds a pair, by its key.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        self.extend(std::iter::once((key, true)));
    }

    /// Adds those pairs, by their keys, that are to be kept: without a branch on that.
    #[inline(always)]
    pub(crate) fn extend(&mut self, mut pairs: impl Iterator<Item = (u64, bool)>) {
        while let Some(full) = self.fill(&mut pairs) {
            self.start_block(full);
        }
    }

    /// The same until a block is full: the part that it is of.
    #[inline(always)]
    fn fill(&mut self, from: &mut impl Iterator<Item = (u64, bool)>) -> Option<usize> {
        let (pairs, next, shift) = (&mut self.pairs[..], &mut self.next[..], self.shift);
        for (key, keep) in from {
            let bucket = (key >> shift) as usize;
            let at = next[bucket];
            let end = at + usize::from(keep);
            next[bucket] = end;
            // Written whether it is kept or not.
            pairs[at] = key;
            prefetch::item(pairs, at + PREFETCH_AHEAD);
            // A block that is just begun has none either, but then nothing was kept.
            if end % BLOCK < usize::from(keep) {
                return Some(bucket);
            }
        }
        None
    }

    /// Begins another block of a part whose last one is full.
    #[cold]
    fn start_block(&mut self, bucket: usize) {
        let block = self.previous.len();
        vec_growth::push(&mut self.previous, self.next[bucket] / BLOCK - 1);
        self.reserve_blocks(block + 1);
        self.next[bucket] = block * BLOCK;
    }

    /// Makes room for so many blocks.
    fn reserve_blocks(&mut self, blocks: usize) {
        if self.pairs.len() < blocks * BLOCK {
            vec_growth::resize(&mut self.pairs, blocks * BLOCK, 0);
        }
    }

    /// Its pairs of a part, block by block.
    pub(super) fn of_bucket(&self, bucket: usize) -> impl Iterator<Item = &[u64]> + Clone {
        let next = self.next[bucket];
        let last = [next / BLOCK, next % BLOCK];
        let chain = std::iter::successors(Some(last), |&[block, _]| {
            let previous = self.previous[block];
            (previous != NO_BLOCK).then_some([previous, BLOCK])
        });
        chain.map(|[block, len]| &self.pairs[block * BLOCK..][..len])
    }

    /// Prefetches its pairs of a part.
    pub(super) fn prefetch(&self, bucket: usize) {
        for piece in self.of_bucket(bucket) {
            (0..piece.len()).step_by(KEYS_PER_LINE).for_each(|at| prefetch::item(piece, at));
        }
    }
}

/// The key of two ids, of which either may be the smaller.
#[inline(always)]
pub(crate) fn key_of(a: u32, b: u32) -> u64 {
    let key = u64::from(a) << 32 | u64::from(b);
    // Less to do than to find the smaller and the greater id.
    key.min(key.rotate_left(32))
}

/// The ids of a key, the smaller first.
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
