//! The boxes of a strip, put in order from left to right.
//!
//! ```text
//! fetch their left edges from all over memory
//! count them per bucket of left edges, two boxes a bucket; find where each bucket starts
//! put each one's number where its bucket goes on, in the first cache
//! fetch them in that sort_into, now from the second cache, and write them to the leaves, four at a time
//! ```
//!
//! Called by the packing only. What it keeps true: boxes of one bucket stay in the order they came.

use crate::broad::aabb_soa::BLOCK;
use crate::broad::item::Item;
use crate::broad::item::ItemSource;
use crate::broad::leaves::LeafSlice;
use crate::broad::strip_plan::extent;
use crate::memory::prefetch;
use crate::memory::vec_growth;

/// Boxes of one bucket of left edges from which the strip is sorted outright. A sort costs ten
/// times as much as counting; a block of out-of-order boxes one more step of the sweep for each.
const MAX_PER_BUCKET: u32 = 64;

/// Boxes prefetched ahead of the one that is fetched. Building a million takes 16.2 ms without, with 64 13.1, 128
/// 11.9, 256 12.2 (AMD EPYC, Zen 4).
const PREFETCH_AHEAD: usize = 128;

/// What ordering a strip needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct StripSorter {
    /// The left edges of a strip's boxes, as they come.
    left: Vec<i32>,
    /// The bucket of each box.
    bucket_of: Vec<u32>,
    /// Where the next box of each bucket goes.
    buckets: Vec<u32>,
    /// The numbers of the boxes from left to right.
    sorted: Vec<u32>,
    /// Left edges and numbers, where they are sorted outright.
    edges: Vec<(i32, u32)>,
}

impl StripSorter {
    /// Writes the boxes of a strip to its places, from left to right. Their numbers come in `pieces`: of
    /// each so many belong to the strip, and those of later strips follow. Gives the pixels by which a left
    /// edge may be less than one before it.
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
        let count = (len / 2).next_power_of_two().max(BLOCK);
        let scale = scale(count, extent(min_max));
        // Left edges of one bucket differ by less than 2^32 / scale.
        let slack = if scale == u32::MAX { 0 } else { u32::MAX / scale };
        let is_crowded = self.count(min_max[0], scale, count) > MAX_PER_BUCKET && slack > 0;
        if is_crowded {
            self.sort_by_edge(pieces);
        } else {
            self.sort_by_bucket(pieces);
        }
        places.write(&self.sorted[..len], source);
        if is_crowded { 0 } else { slack }
    }

    /// Fetches the left edges of a strip, which is to go to these places. Far away, as all of very many are, the
    /// places are prefetched too: six arrays, each a few pages long, are more than the machine foresees.
    #[inline(always)]
    fn fetch<'p, I: Item>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)>,
        all: &[I],
        places: &LeafSlice<'_, I::Payload>,
    ) {
        let left = &mut self.left;
        left.clear();
        vec_growth::make(left, places.len());
        let is_far = prefetch::pays(size_of_val(all));
        // Piece by piece: of an iterator over all of them nobody knows the length, and each box
        // would be asked whether there is room for it.
        for (numbers, len) in pieces {
            let (these, get) = (&numbers[..len], |&number: &u32| all[number as usize].rect().x0);
            if is_far {
                // A block at a time, so that what is waited for and what is written takes turns.
                for (block, these) in these.chunks(BLOCK).enumerate() {
                    places.prefetch(left.len());
                    let later = numbers.get(block * BLOCK + PREFETCH_AHEAD..).unwrap_or_default();
                    let later = later.iter().take(BLOCK);
                    later.for_each(|&number| prefetch::item(all, number as usize));
                    left.extend(these.iter().map(get));
                }
            } else {
                left.extend(these.iter().map(get));
            }
        }
    }

    /// Finds the bucket of each box, of `count`, and where the boxes of each start; gives how many are
    /// in the fullest.
    #[inline(always)]
    fn count(&mut self, first: i32, scale: u32, count: usize) -> u32 {
        let Self { left, bucket_of, buckets, .. } = self;
        let bucket_of = vec_growth::some(bucket_of, left.len());
        for (bucket, left) in bucket_of.iter_mut().zip(left) {
            let right = left.wrapping_sub(first) as u32;
            *bucket = ((u64::from(right) * u64::from(scale) + u64::from(scale)) >> 32) as u32;
        }
        buckets.clear();
        buckets.resize(count, 0);
        let buckets = &mut buckets[..];
        bucket_of.iter().for_each(|&bucket| buckets[bucket as usize] += 1);
        let (mut next, mut fullest) = (0, 0);
        for bucket in buckets {
            let boxes = std::mem::replace(bucket, next);
            next += boxes;
            fullest = fullest.max(boxes);
        }
        fullest
    }

    /// Sorts the boxes by their buckets.
    #[inline(always)]
    fn sort_by_bucket<'p>(&mut self, pieces: impl Iterator<Item = (&'p [u32], usize)>) {
        let Self { left, sorted, bucket_of, buckets, .. } = self;
        let sorted = vec_growth::some(sorted, left.len());
        let buckets = &mut buckets[..];
        let mut bucket_of = &bucket_of[..];
        for (numbers, len) in pieces {
            let these;
            (these, bucket_of) = bucket_of.split_at(len);
            for (&bucket, &number) in these.iter().zip(&numbers[..len]) {
                let next = &mut buckets[bucket as usize];
                sorted[*next as usize] = number;
                *next += 1;
            }
        }
    }

    /// Sorts the boxes by their left edges, where buckets would be too full.
    #[cold]
    fn sort_by_edge<'p>(&mut self, pieces: impl Iterator<Item = (&'p [u32], usize)>) {
        let Self { left, sorted, edges, .. } = self;
        edges.clear();
        let numbers = pieces.flat_map(|(numbers, len)| &numbers[..len]);
        edges.extend(left.iter().copied().zip(numbers.copied()));
        edges.sort_unstable();
        for (to, &(_, number)) in vec_growth::some(sorted, left.len()).iter_mut().zip(&*edges) {
            *to = number;
        }
    }
}

/// The least and the greatest.
#[inline(always)]
fn min_max(edges: &[i32]) -> [i32; 2] {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for &edge in edges {
        (least, most) = (least.min(edge), most.max(edge));
    }
    [least, most]
}

/// Buckets per pixel, times 2^32, where `count` share `extent` pixels. The bucket of the pixel with
/// `n` to its left is (n + 1) times that over 2^32: at most the last, and where there are as many
/// buckets as pixels, each pixel's own.
fn scale(count: usize, extent: u64) -> u32 {
    u32::try_from((((count as u64) << 32) - 1) / extent).unwrap_or(u32::MAX)
}
