//! Sorts the boxes of a row from left to right.
//!
//! ```text
//! gather the left edges from all over memory
//! count them per bucket of left edges, two boxes a bucket; compute where each bucket starts
//! write the index of each box to the next position of its bucket, in the L1 cache
//! fetch the boxes in that order, now from the L2 cache, and write them to the leaves by fours
//! ```
//!
//! Where boxes lie in clusters, buckets of equal width hold too many. Their row is sorted exactly
//! instead, by an LSD radix sort of all digits of the left edges.
//!
//! Called by the packing only. Invariant: boxes of one bucket keep their order.

use crate::broad::aabb_soa::BLOCK_BOXES;
use crate::broad::leaves::Item;
use crate::broad::leaves::ItemSource;
use crate::broad::leaves::LeafSlice;
use crate::broad::radix_sort::{MAX_DIGIT_BITS, counting_sort};
use crate::broad::row_plan::extent;
use crate::memory::prefetch;
use crate::memory::vec_growth;
use std::iter::once;

/// Boxes that share a bucket with the mean box, itself included, above which the row is sorted
/// exactly. Out-of-order boxes cost the sweep one more step for each block of them. Evenly spread
/// boxes have 2 to 4.
const MAX_PER_BUCKET: u64 = 24;

/// Boxes prefetched ahead of the one gathered. Building 1,000,000 boxes takes 16.2 ms without
/// prefetch, 13.1 ms with 64, 11.9 ms with 128, 12.2 ms with 256 (AMD EPYC, Zen 4).
const GATHER_AHEAD: usize = 128;

#[derive(Clone, Debug, Default)]
pub(super) struct RowSorter {
    left: Vec<i32>,
    bucket_of: Vec<u32>,
    /// The position of the next box of each bucket.
    buckets: Vec<u32>,
    sorted: Vec<u32>,
    /// The left edges with the indices in the exact sort, and room for as many.
    keys: [Vec<u64>; 2],
}

impl RowSorter {
    /// Writes the boxes of a row to `places`, from left to right. Each of `pieces` is a slice of
    /// indices and the number of them that belong to the row. The rest of a slice belongs to
    /// later rows.
    ///
    /// Returns the pixels by which a left edge may be less than an earlier one.
    #[inline(always)]
    pub(super) fn sort_into<'p, I: Item>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)> + Clone,
        source: &ItemSource<'_, I, impl Fn(usize) -> u32>,
        places: &mut LeafSlice<'_, I::Payload>,
    ) -> u32 {
        let len = places.len();
        self.fetch(pieces.clone(), source.boxes, places);
        let min_max = min_max(&self.left);
        let count = (len / 2).next_power_of_two().max(BLOCK_BOXES);
        let scale = scale(count, extent(min_max));
        // Left edges of one bucket differ by less than 2^32 / scale.
        let slack = if scale == u32::MAX { 0 } else { u32::MAX / scale };
        let sharing = self.count(min_max[0], scale, count);
        let is_crowded = sharing > MAX_PER_BUCKET * len as u64 && slack > 0;
        if is_crowded {
            self.sort_exactly(pieces, min_max);
        } else {
            self.sort_by_bucket(pieces);
        }
        places.write(&self.sorted[..len], source);
        if is_crowded { 0 } else { slack }
    }

    /// Gathers the left edges of a row. If the boxes exceed the caches, it also prefetches the
    /// boxes to come and the `places` to be written. Six arrays of a few pages each are too many
    /// for the hardware prefetcher.
    #[inline(always)]
    fn fetch<'p, I: Item>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)>,
        all: &[I],
        places: &LeafSlice<'_, I::Payload>,
    ) {
        let left = &mut self.left;
        left.clear();
        vec_growth::reserve(left, places.len());
        let is_far = prefetch::pays(size_of_val(all));
        // Piece by piece: a flattened iterator has no exact length, and each push would check the
        // capacity.
        for (indices, len) in pieces {
            let (these, get) = (&indices[..len], |&index: &u32| all[index as usize].rect().x0);
            if is_far {
                // A block at a time, so that loads and stores alternate.
                for (block, these) in these.chunks(BLOCK_BOXES).enumerate() {
                    places.prefetch(left.len());
                    let later =
                        indices.get(block * BLOCK_BOXES + GATHER_AHEAD..).unwrap_or_default();
                    let later = later.iter().take(BLOCK_BOXES);
                    later.for_each(|&index| prefetch::item(all, index as usize));
                    left.extend(these.iter().map(get));
                }
            } else {
                left.extend(these.iter().map(get));
            }
        }
    }

    /// Computes the bucket of each box and the start of each of `count` buckets. Returns the number
    /// of pairs of boxes that share a bucket, in either order and with each box itself.
    #[inline(always)]
    fn count(&mut self, first: i32, scale: u32, count: usize) -> u64 {
        let Self { left, bucket_of, buckets, .. } = self;
        let bucket_of = vec_growth::resized_prefix(bucket_of, left.len());
        for (bucket, left) in bucket_of.iter_mut().zip(left) {
            let right = left.wrapping_sub(first) as u32;
            *bucket = ((u64::from(right) * u64::from(scale) + u64::from(scale)) >> 32) as u32;
        }
        buckets.clear();
        buckets.resize(count, 0);
        let buckets = &mut buckets[..];
        bucket_of.iter().for_each(|&bucket| buckets[bucket as usize] += 1);
        let sharing = buckets.iter().map(|&boxes| u64::from(boxes) * u64::from(boxes)).sum();
        let mut next = 0;
        for bucket in buckets {
            next += std::mem::replace(bucket, next);
        }
        sharing
    }

    #[inline(always)]
    fn sort_by_bucket<'p>(&mut self, pieces: impl Iterator<Item = (&'p [u32], usize)>) {
        let Self { left, sorted, bucket_of, buckets, .. } = self;
        let sorted = vec_growth::resized_prefix(sorted, left.len());
        let buckets = &mut buckets[..];
        let mut bucket_of = &bucket_of[..];
        for (indices, len) in pieces {
            let these;
            (these, bucket_of) = bucket_of.split_at(len);
            for (&bucket, &index) in these.iter().zip(&indices[..len]) {
                let next = &mut buckets[bucket as usize];
                sorted[*next as usize] = index;
                *next += 1;
            }
        }
    }

    /// Sorts the boxes of crowded buckets by left edge. The sort is stable.
    #[inline(never)]
    fn sort_exactly<'p>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)>,
        min_max: [i32; 2],
    ) {
        let Self { left, sorted, buckets, keys: [keys, others], .. } = self;
        let len = left.len();
        let (mut from, mut to) =
            (vec_growth::resized_prefix(keys, len), vec_growth::resized_prefix(others, len));
        let indices = pieces.flat_map(|(indices, len)| &indices[..len]);
        for ((key, &edge), &index) in from.iter_mut().zip(&*left).zip(indices) {
            let right = edge.wrapping_sub(min_max[0]) as u32;
            *key = u64::from(right) << 32 | u64::from(index);
        }
        let bits = u64::BITS - (extent(min_max) - 1).leading_zeros();
        let digits = bits.div_ceil(MAX_DIGIT_BITS);
        let width = bits.div_ceil(digits.max(1));
        for digit in 0..digits {
            counting_sort(once(&*from), to, buckets, [32 + digit * width, width]);
            std::mem::swap(&mut from, &mut to);
        }
        let sorted = vec_growth::resized_prefix(sorted, len);
        sorted.iter_mut().zip(from).for_each(|(index, key)| *index = *key as u32);
    }
}

#[inline(always)]
fn min_max(edges: &[i32]) -> [i32; 2] {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for &edge in edges {
        (least, most) = (least.min(edge), most.max(edge));
    }
    [least, most]
}

/// Returns the buckets per pixel, times 2^32, for `count` buckets over `extent` pixels.
///
/// Pixel n (from 0) has the bucket (n + 1) x scale / 2^32, which is at most the last one. With as
/// many buckets as pixels each pixel has its own.
fn scale(count: usize, extent: u64) -> u32 {
    u32::try_from((((count as u64) << 32) - 1) / extent).unwrap_or(u32::MAX)
}
