//! The boxes of a strip, put in order from left to right.
//!
//! ```text
//! fetch them from all over memory, once
//! count them per bucket of left edges, two boxes a bucket; find where each bucket starts
//! put each where its bucket goes on, in the cache; write them to the leaves, sixteen at a time
//! ```
//!
//! Called by the packing only. What it keeps true: boxes of one bucket stay in the order they came.

use super::bounds::BLOCK;
use super::item::Item;
use super::leaves::Places;
use super::measure::extent;
use super::source::Source;
use crate::world::{prefetch, room};

/// Boxes of one bucket of left edges from which the strip is sorted outright. A sort costs ten
/// times as much as counting; a block of out-of-order boxes one more step of the sweep for each.
const CROWD: u32 = 64;

/// Boxes prefetched ahead of the one that is fetched. Building a million takes 16.2 ms without, with 64 13.1, 128
/// 11.9, 256 12.2 (AMD EPYC, Zen 4).
const AHEAD: usize = 128;

/// What is known of a strip once it is in order.
pub(super) struct Row {
    /// Least top edge.
    pub(super) top: i32,
    /// Greatest bottom edge.
    pub(super) bottom: i32,
    /// Pixels by which a left edge may be less than one before it.
    pub(super) slack: u32,
}

/// What ordering a strip needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Orderer<I> {
    /// The boxes of a strip, as they come, and whose they are.
    boxes: Vec<I>,
    ids: Vec<u32>,
    /// The same from left to right.
    sorted: Vec<I>,
    sorted_ids: Vec<u32>,
    /// The bucket of each box.
    bucket_of: Vec<u32>,
    /// Where the next box of each bucket goes.
    buckets: Vec<u32>,
    /// Left edges with places among `boxes`, where they are sorted outright.
    edges: Vec<(i32, u32)>,
}

impl<I: Item> Orderer<I> {
    /// Writes the boxes of a strip to its places, from left to right. Their numbers come in `pieces`: of
    /// each so many belong to the strip, and those of later strips follow.
    #[inline(always)]
    pub(super) fn order<'p>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)>,
        source: &Source<'_, I, impl Fn(usize) -> u32>,
        places: &mut Places<'_, I::Payload>,
    ) -> Row {
        let len = places.len();
        self.fetch(pieces, source, places);
        let (x, [top, bottom]) = edges_of(&self.boxes);
        let count = (len / 2).next_power_of_two().max(BLOCK);
        let scale = scale(count, extent(x));
        // Left edges of one bucket differ by less than 2^32 / scale.
        let slack = if scale == u32::MAX { 0 } else { u32::MAX / scale };
        let crowded = self.count(x[0], scale, count) > CROWD && slack > 0;
        if crowded {
            self.sort_outright();
        } else {
            self.sort();
        }
        places.put(&self.sorted[..len], &self.sorted_ids[..len]);
        Row { top, bottom, slack: if crowded { 0 } else { slack } }
    }

    /// Fetches the boxes of a strip, which is to go to these places. Far away, as all of very many are, the places
    /// are prefetched too: six arrays, each a few pages long, are more than the machine foresees.
    #[inline(always)]
    fn fetch<'p>(
        &mut self,
        pieces: impl Iterator<Item = (&'p [u32], usize)>,
        source: &Source<'_, I, impl Fn(usize) -> u32>,
        places: &Places<'_, I::Payload>,
    ) {
        let len = places.len();
        let Self { boxes, ids, sorted, sorted_ids, .. } = self;
        boxes.clear();
        ids.clear();
        room::make(boxes, len);
        room::make(ids, len);
        let Source { boxes: all, id } = source;
        let is_far = prefetch::pays(size_of_val(*all));
        // Piece by piece: of an iterator over all of them nobody knows the length, and each box
        // would be asked whether there is room for it.
        for (numbers, len) in pieces {
            let (these, get) = (&numbers[..len], |&number: &u32| all[number as usize]);
            if is_far {
                // A block at a time, so that what is waited for and what is written takes turns.
                for (block, these) in these.chunks(BLOCK).enumerate() {
                    places.prefetch(boxes.len());
                    let later = numbers.get(block * BLOCK + AHEAD..).unwrap_or_default();
                    let later = later.iter().take(BLOCK);
                    later.for_each(|&number| prefetch::item(all, number as usize));
                    boxes.extend(these.iter().map(get));
                }
            } else {
                boxes.extend(these.iter().map(get));
            }
            ids.extend(these.iter().map(|&number| id(number as usize)));
        }
        room::some(sorted, len);
        room::some(sorted_ids, len);
    }

    /// Finds the bucket of each box, of `count`, and where the boxes of each start; gives how many are
    /// in the fullest.
    #[inline(always)]
    fn count(&mut self, left: i32, scale: u32, count: usize) -> u32 {
        let Self { boxes, bucket_of, buckets, .. } = self;
        let bucket_of = room::some(bucket_of, boxes.len());
        for (bucket, item) in bucket_of.iter_mut().zip(boxes) {
            let right = item.rect().x0.wrapping_sub(left) as u32;
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
    fn sort(&mut self) {
        let Self { boxes, ids, sorted, sorted_ids, bucket_of, buckets, .. } = self;
        let sorted = &mut sorted[..boxes.len()];
        let sorted_ids = &mut sorted_ids[..sorted.len()];
        let buckets = &mut buckets[..];
        for ((&bucket, item), &id) in bucket_of.iter().zip(&*boxes).zip(&*ids) {
            let next = &mut buckets[bucket as usize];
            let to = *next as usize;
            (sorted[to], sorted_ids[to]) = (*item, id);
            *next += 1;
        }
    }

    /// Sorts the boxes by their left edges, where buckets would be too full.
    #[cold]
    fn sort_outright(&mut self) {
        let Self { boxes, ids, sorted, sorted_ids, edges, .. } = self;
        edges.clear();
        edges.extend(boxes.iter().zip(0..).map(|(item, at)| (item.rect().x0, at)));
        edges.sort_unstable();
        for (&(_, at), to) in edges.iter().zip(0..) {
            (sorted[to], sorted_ids[to]) = (boxes[at as usize], ids[at as usize]);
        }
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        (self.boxes.capacity() + self.sorted.capacity()) * size_of::<I>()
            + (self.ids.capacity() + self.sorted_ids.capacity()) * 4
            + (self.bucket_of.capacity() + self.buckets.capacity()) * 4
            + self.edges.capacity() * 8
    }
}

/// The least and the greatest left edge, and what the boxes span downwards.
#[inline(always)]
fn edges_of(boxes: &[impl Item]) -> ([i32; 2], [i32; 2]) {
    // One by one: of arrays the compiler makes no vectors here.
    let (mut left, mut right) = (i32::MAX, i32::MIN);
    let (mut top, mut bottom) = (i32::MAX, i32::MIN);
    for item in boxes {
        let rect = item.rect();
        left = left.min(rect.x0);
        right = right.max(rect.x0);
        top = top.min(rect.y0);
        bottom = bottom.max(rect.y1);
    }
    ([left, right], [top, bottom])
}

/// Buckets per pixel, times 2^32, where `count` share `extent` pixels. The bucket of the pixel with
/// `n` to its left is (n + 1) times that over 2^32: at most the last, and where there are as many
/// buckets as pixels, each pixel's own.
fn scale(count: usize, extent: u64) -> u32 {
    u32::try_from((((count as u64) << 32) - 1) / extent).unwrap_or(u32::MAX)
}
