//! From boxes to leaves: into their strips, and each strip from left to right.
//!
//! ```text
//! measure some boxes; plan the strips; count the boxes of each
//! for each box: append it to its strip
//! for each strip: order it by left edge
//! ```
//!
//! 1. Numbers of boxes move, not boxes: a quarter of the bytes go to as many places as there are
//!    strips. A strip's boxes are then fetched from all over memory, once, many at a time, and are
//!    in one piece of the first or second cache while they are ordered.
//! 2. Each worker scatters a part of the boxes to places of its own; a strip is then the pieces
//!    that the workers hold of it, one after the other, which is the order of the boxes again.
//! 3. A strip is ordered by counting its boxes per bucket of left edges, with two boxes a bucket:
//!    boxes of one bucket stay in the order they came. What may be out of order lies within
//!    `slack` pixels, and the sweep reckons with it.
//! 4. The boxes are put in that order within the nearest caches, in the 16 bytes that each has, and
//!    written to the leaves from left to right, sixteen at a time: leaves that were written wherever
//!    a bucket is would each wait for their line of memory, since nothing can tell which will be
//!    next.
//! 5. Where one bucket holds far more than its share, left edges are spread too unevenly for
//!    buckets, and the strip is sorted outright: its slack is then 0.
//!
//! Called by the tree only.

use super::bounds::BLOCK;
use super::chunk::Chunk;
use super::item::Item;
use super::leaves::{Places, Store};
use super::measure::{Measure, extent};
use super::plan::Plan;
use super::source::{Giants, Source};
use crate::narrow::vectorized;
use crate::parallel;
use crate::world::lent::Lent;
use crate::world::room;

/// Boxes of one bucket of left edges from which the strip is sorted outright. A sort costs ten
/// times as much as counting; a block of out-of-order boxes one more step of the sweep for each.
const CROWD: u32 = 64;

/// Boxes from which they are packed by several workers: fewer are packed in little more time than
/// it takes to wake them.
pub(super) const SPREAD: usize = 30_000;

/// Runs of strips that are filled by themselves, at most.
const MOST: usize = 64;

/// How many workers to pack so many boxes with.
pub(super) fn workers(boxes: usize) -> usize {
    if boxes < SPREAD { 1 } else { parallel::threads() }
}

/// A row of boxes, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    /// Position of its first box: a whole number of blocks.
    pub(super) start: u32,
    /// Position after its last box.
    pub(super) end: u32,
    /// Least top edge.
    pub(super) top: i32,
    /// Greatest bottom edge.
    pub(super) bottom: i32,
    /// The greatest of this class so far: a strip may reach further down than the next.
    pub(super) reach: i32,
    /// Pixels by which a left edge may be less than one before it.
    pub(super) slack: u32,
}

impl Strip {
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Position after its padding: up to a whole block, and then a block without any box.
    pub(super) fn padded(&self) -> usize {
        (self.end as usize).next_multiple_of(BLOCK) + BLOCK
    }
}

/// What packing needs besides what it makes. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Packer<I> {
    plan: Plan,
    chunks: Vec<Chunk>,
    /// Boxes of each code, of all chunks.
    totals: Vec<u32>,
    /// The code of each box.
    codes: Vec<u16>,
    /// The numbers of the boxes, strip by strip.
    numbers: Vec<u32>,
    orderers: Lent<Orderer<I>>,
}

impl<I: Item> Packer<I> {
    /// Appends the boxes of `source` that are of one class of sizes, strip by strip, and puts those
    /// that are too large for it into `giants`.
    pub(super) fn pack(
        &mut self,
        workers: usize,
        source: Source<'_, I, impl Fn(usize) -> u32 + Sync>,
        leaves: &mut Store<I::Payload>,
        strips: &mut Vec<Strip>,
        giants: &mut Giants<I>,
    ) {
        let boxes = source.boxes;
        let items = boxes.len();
        let Self { plan, chunks, totals, codes, numbers, orderers } = self;
        if chunks.len() < workers {
            chunks.resize_with(workers, Chunk::default);
        }
        let chunks = &mut chunks[..workers];
        for (i, chunk) in chunks.iter_mut().enumerate() {
            chunk.items = items * i / workers..items * (i + 1) / workers;
        }
        let (mut all, mut each) = Measure::of_some(boxes);
        if all.count == 0 {
            return;
        }
        // Both grow only: all that is read of them is written first.
        if numbers.len() < items {
            room::resize(numbers, items, 0);
            room::resize(codes, items, 0);
        }
        let codes = &mut codes[..items];
        loop {
            plan.begin(&all, boxes);
            count(plan, chunks, boxes, codes, totals);
            if !plan.end(&all, totals) {
                plan.begin_uneven(&all, boxes);
                count(plan, chunks, boxes, codes, totals);
                plan.end(&all, totals);
            }
            // No more can be giants, were the measure that of all: those few tell nothing of most.
            if each == 1 || totals[plan.giant()] as usize <= items / 8 {
                break;
            }
            (all, each) = (Measure::new(boxes.iter()), 1);
        }

        let split = |(codes, numbers), left: &[Chunk], _: &[Chunk]| {
            let len = left.iter().map(|chunk| chunk.items.len()).sum();
            let (codes, other_codes) = <[u16]>::split_at(codes, len);
            let (numbers, other_numbers) = <[u32]>::split_at_mut(numbers, len);
            ((codes, numbers), (other_codes, other_numbers))
        };
        let whole = (&*codes, &mut numbers[..items]);
        parallel::share(chunks, whole, &split, &|chunk, (codes, numbers)| {
            chunk.scatter(plan, codes, numbers);
        });
        for chunk in &*chunks {
            for &number in &numbers[chunk.of_strip(plan.strips())] {
                let number = number as usize;
                giants.push(boxes[number], (source.id)(number));
            }
        }

        let first = strips.len();
        let mut start = strips.last().map_or(0, Strip::padded);
        let new = start;
        for &boxes in &plan.counts {
            let (at, end) = (start as u32, start as u32 + boxes);
            let strip = Strip {
                start: at,
                end,
                top: i32::MAX,
                bottom: i32::MIN,
                reach: i32::MIN,
                slack: 0,
            };
            start = strip.padded();
            strips.push(strip);
        }
        leaves.resize(start);
        // Some more than threads, so that none waits long for the last.
        let workers = if workers == 1 { 1 } else { (4 * workers).min(MOST) };
        let pieces = Pieces { chunks, numbers, source: &source };
        let rows = Rows { first: 0, strips: &mut strips[first..], places: leaves.from(new) };
        parallel::share(&mut [(); MOST][..workers], rows, &Rows::split, &|(), rows| {
            orderers.lend(Orderer::default, |orderer| {
                vectorized(
                    #[inline(always)]
                    || rows.fill(&pieces, orderer),
                );
            });
        });
        let mut reach = i32::MIN;
        for strip in &mut strips[first..] {
            reach = reach.max(strip.bottom);
            strip.reach = reach;
        }
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.plan.heap()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.chunks.iter().map(Chunk::heap).sum::<usize>()
            + self.totals.capacity() * 4
            + self.codes.capacity() * 2
            + self.numbers.capacity() * 4
            + self.orderers.heap(Orderer::heap)
    }
}

/// Finds the codes of the boxes, and counts those of each, by chunk and in all.
fn count(
    plan: &Plan,
    chunks: &mut [Chunk],
    boxes: &[impl Item],
    codes: &mut [u16],
    totals: &mut Vec<u32>,
) {
    let split = |codes, left: &[Chunk], _: &[Chunk]| {
        <[u16]>::split_at_mut(codes, left.iter().map(|chunk| chunk.items.len()).sum())
    };
    parallel::share(chunks, codes, &split, &|chunk, codes| chunk.count(plan, boxes, codes));
    totals.clear();
    totals.resize(plan.codes(), 0);
    for chunk in chunks {
        for (total, &boxes) in totals.iter_mut().zip(&chunk.counts) {
            *total += boxes;
        }
    }
}

/// Scattered boxes, of which each chunk holds a piece of every strip.
struct Pieces<'p, I, F> {
    chunks: &'p [Chunk],
    numbers: &'p [u32],
    source: &'p Source<'p, I, F>,
}

impl<I, F> Pieces<'_, I, F> {
    /// The numbers of a strip's boxes, in order, piece by piece.
    #[inline(always)]
    fn of_strip(&self, strip: usize) -> impl Iterator<Item = &[u32]> {
        self.chunks.iter().map(move |chunk| &self.numbers[chunk.of_strip(strip)])
    }
}

/// Strips to be filled.
struct Rows<'r, P> {
    /// Number of the first.
    first: usize,
    strips: &'r mut [Strip],
    places: Places<'r, P>,
}

impl<P: Copy + Default> Rows<'_, P> {
    /// Two parts, with about as many boxes for each.
    fn split(self, left: &[()], right: &[()]) -> (Self, Self) {
        let start = self.strips.first().map_or(0, |strip| strip.start as usize);
        let end = self.strips.last().map_or(0, Strip::padded);
        let middle = start + (end - start) / (left.len() + right.len()) * left.len();
        let count = self.strips.partition_point(|strip| strip.padded() <= middle);
        let (strips, other) = self.strips.split_at_mut(count);
        let (places, other_places) =
            self.places.split(strips.last().map_or(start, Strip::padded) - start);
        (
            Rows { first: self.first, strips, places },
            Rows { first: self.first + count, strips: other, places: other_places },
        )
    }

    /// Fills the strips, from left to right.
    #[inline(always)]
    fn fill<I: Item<Payload = P>>(
        self,
        pieces: &Pieces<'_, I, impl Fn(usize) -> u32>,
        orderer: &mut Orderer<I>,
    ) {
        let Self { first, strips, mut places } = self;
        for (i, strip) in strips.iter_mut().enumerate() {
            let (these, rest) = places.split(strip.padded() - strip.start as usize);
            let (mut these, mut padding) = these.split(strip.len());
            orderer.order(pieces, first + i, strip, &mut these);
            padding.clear();
            places = rest;
        }
    }
}

/// What ordering a strip needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
struct Orderer<I> {
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
    /// Writes the boxes of the strip of this number to its places, from left to right.
    #[inline(always)]
    fn order(
        &mut self,
        pieces: &Pieces<'_, I, impl Fn(usize) -> u32>,
        number: usize,
        strip: &mut Strip,
        places: &mut Places<'_, I::Payload>,
    ) {
        self.fetch(pieces, number, strip.len());
        let (x, y) = edges_of(&self.boxes);
        [strip.top, strip.bottom] = y;
        let count = (strip.len() / 2).next_power_of_two().max(BLOCK);
        let scale = scale(count, extent(x));
        // Left edges of one bucket differ by less than 2^32 / scale.
        strip.slack = if scale == u32::MAX { 0 } else { u32::MAX / scale };
        let fullest = self.count(x[0], scale, count);
        if fullest > CROWD && strip.slack > 0 {
            strip.slack = 0;
            self.sort_outright();
        } else {
            self.sort();
        }
        places.put(&self.sorted[..self.boxes.len()], &self.sorted_ids[..self.ids.len()]);
    }

    /// Fetches the boxes of a strip, so many.
    #[inline(always)]
    fn fetch(&mut self, pieces: &Pieces<'_, I, impl Fn(usize) -> u32>, number: usize, len: usize) {
        let Self { boxes, ids, sorted, sorted_ids, .. } = self;
        boxes.clear();
        ids.clear();
        room::make(boxes, len);
        room::make(ids, len);
        let Source { boxes: all, id } = pieces.source;
        // Piece by piece: of an iterator over all of them nobody knows the length, and each box
        // would be asked whether there is room for it.
        for piece in pieces.of_strip(number) {
            boxes.extend(piece.iter().map(|&number| all[number as usize]));
            ids.extend(piece.iter().map(|&number| id(number as usize)));
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
    fn heap(&self) -> usize {
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
