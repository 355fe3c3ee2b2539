//! From boxes to leaves: into their strips, and each strip from left to right.
//!
//! ```text
//! for each box: append it to its strip
//! for each strip: order it by left edge
//! ```
//!
//! 1. Whole records move, 20 bytes each, not indices: what a strip needs is then in one piece of
//!    the first or second cache, and nothing is gathered from all over memory.
//! 2. A strip is ordered by counting its boxes per bucket of left edges, with two boxes a bucket:
//!    boxes of one bucket stay in the order they came. What may be out of order lies within
//!    `slack` pixels, and the sweep reckons with it.
//! 3. Where one bucket holds far more than its share, left edges are spread too unevenly for
//!    buckets, and the strip is sorted outright: its slack is then 0.
//!
//! Called by the build only.

use super::bounds::{BLOCK, Bounds};
use super::measure::extent;
use super::plan::Plan;
use crate::geom::Rect;

/// Boxes of one bucket of left edges from which the strip is sorted outright. A sort costs ten
/// times as much as counting; a block of out-of-order boxes one more step of the sweep for each.
const CROWD: u32 = 64;

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
    /// Pixels by which a left edge may be less than one before it.
    pub(super) slack: u32,
}

impl Strip {
    /// Position after its padding: up to a whole block, and then a block without any box.
    pub(super) fn padded(&self) -> usize {
        (self.end as usize).next_multiple_of(BLOCK) + BLOCK
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    rect: Rect,
    id: u32,
}

/// What packing needs besides what it makes. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Packer {
    records: Vec<Record>,
    /// Where the next record of each strip goes.
    next: Vec<u32>,
    /// Where the next box of each bucket goes.
    buckets: Vec<u32>,
}

impl Packer {
    /// Appends the boxes of `rects` that are of the plan's class, strip by strip.
    pub(super) fn pack(
        &mut self,
        plan: &Plan,
        rects: impl Iterator<Item = (u32, Rect)>,
        bounds: &mut Bounds,
        ids: &mut Vec<u32>,
        strips: &mut Vec<Strip>,
    ) {
        self.next.clear();
        let mut count = 0;
        for &boxes in &plan.counts {
            self.next.push(count);
            count += boxes;
        }
        // Grows only: all that is read of it is written first.
        if self.records.len() < count as usize {
            self.records.resize(count as usize, Record::default());
        }
        // Slices, because a vector would be asked for its pointer at every store.
        let (next, records) = (&mut self.next[..], &mut self.records[..]);
        for (id, rect) in rects {
            if rect.is_empty() | plan.is_giant(&rect) {
                continue;
            }
            let next = &mut next[plan.strip(rect.y0)];
            records[*next as usize] = Record { rect, id };
            *next += 1;
        }
        let first = strips.len();
        let mut start = strips.last().map_or(0, Strip::padded);
        for &boxes in plan.counts.iter().filter(|&&boxes| boxes > 0) {
            let (at, end) = (start as u32, start as u32 + boxes);
            let strip = Strip { start: at, end, top: i32::MAX, bottom: i32::MIN, slack: 0 };
            start = strip.padded();
            strips.push(strip);
        }
        bounds.resize(start);
        ids.resize(start, u32::MAX);
        let mut records = &mut self.records[..];
        for strip in &mut strips[first..] {
            let (these, rest) = records.split_at_mut((strip.end - strip.start) as usize);
            order(these, &mut self.buckets, strip, bounds, ids);
            bounds.clear(strip.end as usize..strip.padded());
            ids[strip.end as usize..strip.padded()].fill(u32::MAX);
            records = rest;
        }
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
            + (self.next.capacity() + self.buckets.capacity()) * 4
    }
}

/// Writes one strip's records to its places, from left to right.
fn order(
    records: &mut [Record],
    buckets: &mut Vec<u32>,
    strip: &mut Strip,
    bounds: &mut Bounds,
    ids: &mut [u32],
) {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for Record { rect, .. } in &*records {
        least = least.min(rect.x0);
        most = most.max(rect.x0);
        strip.top = strip.top.min(rect.y0);
        strip.bottom = strip.bottom.max(rect.y1);
    }
    let places = strip.start as usize..strip.end as usize;
    let x0 = &mut bounds.x0[places.clone()];
    let y0 = &mut bounds.y0[places.clone()];
    let x1 = &mut bounds.x1[places.clone()];
    let y1 = &mut bounds.y1[places.clone()];
    let ids = &mut ids[places];
    let mut put = |at: usize, record: &Record| {
        x0[at] = record.rect.x0;
        y0[at] = record.rect.y0;
        x1[at] = record.rect.x1;
        y1[at] = record.rect.y1;
        ids[at] = record.id;
    };

    let count = (records.len() / 2).next_power_of_two().max(BLOCK);
    let scale = ((count as u64) << 32) / extent([least, most]);
    let bucket = |x0: i32| ((u64::from(x0.wrapping_sub(least) as u32) * scale) >> 32) as usize;
    buckets.clear();
    buckets.resize(count, 0);
    let buckets = &mut buckets[..];
    for record in &*records {
        buckets[bucket(record.rect.x0)] += 1;
    }
    let (mut next, mut fullest) = (0, 0);
    for bucket in &mut *buckets {
        let boxes = std::mem::replace(bucket, next);
        next += boxes;
        fullest = fullest.max(boxes);
    }
    // Left edges of one bucket differ by less than 2^32 / scale.
    strip.slack = (u64::from(u32::MAX) / scale) as u32;
    if fullest > CROWD && strip.slack > 0 {
        strip.slack = 0;
        records.sort_unstable_by_key(|record| (record.rect.x0, record.id));
        for (at, record) in records.iter().enumerate() {
            put(at, record);
        }
        return;
    }
    for record in &*records {
        let next = &mut buckets[bucket(record.rect.x0)];
        put(*next as usize, record);
        *next += 1;
    }
}
