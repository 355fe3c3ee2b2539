//! Masks as one byte per pixel, and what their overlaps are: the reference of target `masks`.
//!
//! Compiled without coverage, so that it costs little time beside the library.

use hitmask::{Flip, MaskRef, Point, Rect};
use std::ops::Range;

/// The box, the number and the first of some pixels.
pub(crate) type Found = (Rect, u64, Point);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    width: i32,
    height: i32,
    set: Vec<bool>,
}

impl Pixels {
    pub(crate) fn of(mask: MaskRef<'_>) -> Self {
        Self::new(mask.width() as i32, mask.height() as i32, |x, y| mask.get(x, y))
    }

    pub(crate) fn new(width: i32, height: i32, is_set: impl Fn(i32, i32) -> bool) -> Self {
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self { width, height, set: all.map(|(x, y)| is_set(x, y)).collect() }
    }

    pub(crate) fn size(&self) -> [i32; 2] {
        [self.width, self.height]
    }

    /// Returns a pixel. All beyond the edges are clear.
    pub(crate) fn get(&self, x: i32, y: i32) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y) && self.row(y)[x as usize]
    }

    pub(crate) fn flipped(&self, flip: Flip) -> Self {
        let side =
            |at: i32, size: i32, is_flipped: bool| if is_flipped { size - 1 - at } else { at };
        Self::new(self.width, self.height, |x, y| {
            self.get(side(x, self.width, flip.x), side(y, self.height, flip.y))
        })
    }

    /// Returns the pixels after `rule`, of this pixel and that of `other` at `offset`.
    pub(crate) fn changed(
        &self,
        other: &Self,
        offset: Point,
        rule: impl Fn(bool, bool) -> bool,
    ) -> Self {
        let there = |x, y| other.get(x - offset.x, y - offset.y);
        Self::new(self.width, self.height, |x, y| rule(self.get(x, y), there(x, y)))
    }

    pub(crate) fn contact(&self, other: &Self, offset: Point) -> Option<Found> {
        let columns = shared(self.width, other.width, offset.x);
        let mut found: Option<Found> = None;
        if columns.is_empty() {
            return None;
        }
        for y in shared(self.height, other.height, offset.y) {
            let mine = &self.row(y)[columns.start as usize..columns.end as usize];
            let theirs = &other.row(y - offset.y)[(columns.start - offset.x) as usize..];
            let both = |(a, b): (&bool, &bool)| *a && *b;
            let pairs = mine.iter().zip(&theirs[..mine.len()]);
            let count = pairs.clone().map(|(a, b)| u64::from(*a & *b)).sum::<u64>();
            if let Some(first) = pairs.clone().position(both) {
                let last = pairs.clone().rposition(both).unwrap_or(first);
                let (x0, x1) = (columns.start + first as i32, columns.start + last as i32 + 1);
                let start = (Rect::new(x0, y, x1, y), 0, Point::new(x0, y));
                let (rect, sum, _) = found.get_or_insert(start);
                *rect = Rect::new(rect.x0.min(x0), rect.y0, rect.x1.max(x1), y + 1);
                *sum += count;
            }
        }
        found
    }

    /// Returns the shortest motion of these pixels after which one is at a pixel of `other`, at
    /// `offset`; of several the topmost, then the leftmost.
    pub(crate) fn nearest(&self, other: &Self, offset: Point) -> Option<Point> {
        let theirs: Vec<_> = other.places().collect();
        let each = |a: Point| theirs.iter().map(move |&b| b + offset - a);
        let length = |by: &Point| (by.x.pow(2) + by.y.pow(2), by.y, by.x);
        self.places().flat_map(each).min_by_key(length)
    }

    /// Returns, for each pixel, the number of set pixels in a row from `x - half` to `x + half`.
    pub(crate) fn runs(&self) -> impl Fn(i32, i32, i32) -> i32 {
        let [width, height] = self.size();
        let sums: Vec<Vec<i32>> = (0..height)
            .map(|y| {
                let mut sum = 0;
                let add = |set: &bool| {
                    sum += i32::from(*set);
                    sum
                };
                [0].into_iter().chain(self.row(y).iter().map(add)).collect()
            })
            .collect();
        move |x, y, half| {
            let at = |x: i32| x.clamp(0, width) as usize;
            let row = usize::try_from(y).ok().and_then(|y| sums.get(y));
            row.map_or(0, |sums: &Vec<i32>| sums[at(x + half + 1)] - sums[at(x - half)])
        }
    }

    fn places(&self) -> impl Iterator<Item = Point> {
        let width = self.width as usize;
        let point = move |i: usize| Point::new((i % width) as i32, (i / width) as i32);
        self.set.iter().enumerate().filter(|(_, set)| **set).map(move |(i, _)| point(i))
    }

    fn row(&self, y: i32) -> &[bool] {
        let width = self.width as usize;
        &self.set[y as usize * width..][..width]
    }
}

/// Returns what sides of these lengths share, the second one beginning at `offset`.
fn shared(side: i32, other: i32, offset: i32) -> Range<i32> {
    offset.max(0)..side.min(offset + other)
}
