//! The kernels: AND of shifted rows, eight rows at a time.
//!
//! ```text
//! for each lane:
//!   for each block of 8 rows:
//!     window = near >> shift | far << (64 - shift)
//!     both = window & right
//!     use both: any bit set, the first and last rows and columns
//! ```
//!
//! 1. No tail: past the last row at least one side reads guard words, which are zero.
//! 2. `far << (64 - shift)` is `far << 1 << (63 - shift)`: no shift reaches 64, where hardware
//!    and language disagree. A lane that meets one left strip only skips that half.
//! 3. `touches` starts in the middle of the overlap and walks outwards: sprites are solid inside,
//!    so a hit is found there first. The others need every row and go in order.
//! 4. A right mask that is upside down against the left is read block by block from its end, the
//!    rows of a block put in order by a shuffle; which of the four cases holds is decided once
//!    per lane, outside the loop.

use super::lane::{Lane, Overlap};
use crate::geom::{Point, Rect};
use crate::mask::{BLOCK, WORD};
use wide::u64x8;

const ROWS: usize = BLOCK as usize;

/// Blocks of a lane, as `both` of the pseudo-code.
struct Blocks<'p, const FAR: bool, const REVERSED: bool> {
    near: &'p [[u64; ROWS]],
    far: &'p [[u64; ROWS]],
    right: &'p [[u64; ROWS]],
    shift: u32,
}

impl<'p, const FAR: bool, const REVERSED: bool> Blocks<'p, FAR, REVERSED> {
    #[inline(always)]
    fn new(lane: &Lane<'p>) -> Self {
        let near = lane.near.as_chunks().0;
        let far = lane.far.unwrap_or(lane.near).as_chunks().0;
        let right = lane.right.as_chunks().0;
        // Equal lengths, said so that the loops below need no further checks.
        let n = near.len().min(far.len()).min(right.len());
        Self { near: &near[..n], far: &far[..n], right: &right[..n], shift: lane.shift }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.near.len()
    }

    #[inline(always)]
    fn both(&self, block: usize) -> u64x8 {
        let mut window = u64x8::new(self.near[block]) >> self.shift;
        if FAR {
            window |= (u64x8::new(self.far[block]) << 1) << (WORD - 1 - self.shift);
        }
        let right = if REVERSED {
            let [a, b, c, d, e, f, g, h] = self.right[self.right.len() - 1 - block];
            u64x8::new([h, g, f, e, d, c, b, a])
        } else {
            u64x8::new(self.right[block])
        };
        window & right
    }
}

/// Runs `$body` with `$blocks` bound to the blocks of `$lane`, compiled once for each case.
macro_rules! by_case {
    ($overlap:expr, $lane:expr, $run:ident($($argument:expr),*)) => {
        match ($lane.far.is_some(), $overlap.reversed) {
            (false, false) => $run(Blocks::<false, false>::new($lane), $($argument),*),
            (true, false) => $run(Blocks::<true, false>::new($lane), $($argument),*),
            (false, true) => $run(Blocks::<false, true>::new($lane), $($argument),*),
            (true, true) => $run(Blocks::<true, true>::new($lane), $($argument),*),
        }
    };
}

/// True where any bit is set. (`u64x8::any` looks at sign bits only.)
#[inline(always)]
pub(crate) fn is_set(block: u64x8) -> bool {
    block.to_array().iter().fold(0, |all, row| all | row) != 0
}

/// True where a pixel is set in both.
pub(crate) fn touches(overlap: &Overlap<'_>) -> bool {
    // The middle lane first, for the reason that the middle rows come first.
    let (n, middle) = (overlap.lanes(), overlap.lanes() / 2);
    (0..n).any(|j| {
        let lane = overlap.lane((middle + j) % n);
        by_case!(overlap, &lane, lane_touches())
    })
}

#[inline(always)]
fn lane_touches<const F: bool, const R: bool>(blocks: Blocks<'_, F, R>) -> bool {
    let middle = blocks.len() / 2;
    (middle..blocks.len()).any(|i| is_set(blocks.both(i)))
        || (0..middle).rev().any(|i| is_set(blocks.both(i)))
}

/// What the walk of one lane finds: the rows, as walked, and columns with a pixel in both.
struct Extent {
    first: usize,
    last: usize,
    columns: u64,
}

#[inline(always)]
fn lane_extent<const F: bool, const R: bool>(blocks: Blocks<'_, F, R>) -> Option<Extent> {
    let mut columns = u64x8::from(0);
    let (mut first, mut last) = (None, 0);
    for i in 0..blocks.len() {
        let both = blocks.both(i);
        columns |= both;
        if is_set(both) {
            first.get_or_insert(i);
            last = i;
        }
    }
    let first = first?;
    let row = |i: usize, pick: fn(&[u64; ROWS]) -> Option<usize>| {
        i * ROWS + pick(&blocks.both(i).to_array()).unwrap_or(0)
    };
    Some(Extent {
        first: row(first, |rows| rows.iter().position(|&row| row != 0)),
        last: row(last, |rows| rows.iter().rposition(|&row| row != 0)),
        columns: columns.to_array().iter().fold(0, |all, row| all | row),
    })
}

/// The tight box round the pixels set in both.
pub(crate) fn rect(overlap: &Overlap<'_>) -> Option<Rect> {
    let mut found: Option<Rect> = None;
    for j in 0..overlap.lanes() {
        let lane = overlap.lane(j);
        let Some(extent) = by_case!(overlap, &lane, lane_extent()) else { continue };
        let (top, bottom) = top_and_bottom(overlap, extent.first, extent.last);
        let x = overlap.corner.x + (j * WORD) as i32;
        let x0 = x + extent.columns.trailing_zeros() as i32;
        let x1 = x + (WORD - extent.columns.leading_zeros()) as i32;
        found = Some(match found {
            None => Rect::new(x0, top, x1, bottom + 1),
            Some(r) => Rect::new(r.x0, r.y0.min(top), x1, r.y1.max(bottom + 1)),
        });
    }
    found
}

/// The topmost pixel set in both, and of those the leftmost.
pub(crate) fn point(overlap: &Overlap<'_>) -> Option<Point> {
    let mut best: Option<Point> = None;
    for j in 0..overlap.lanes() {
        let lane = overlap.lane(j);
        let Some((row, word)) = by_case!(overlap, &lane, lane_top(overlap.upwards)) else {
            continue;
        };
        let y = top_and_bottom(overlap, row, row).0;
        // Lanes go from left to right: a later one wins only with a higher row.
        if best.is_none_or(|b| y < b.y) {
            let x = overlap.corner.x + (j * WORD + word.trailing_zeros()) as i32;
            best = Some(Point::new(x, y));
        }
    }
    best
}

/// The top row of a lane with a pixel in both, as walked, and its word.
#[inline(always)]
fn lane_top<const F: bool, const R: bool>(
    blocks: Blocks<'_, F, R>,
    upwards: bool,
) -> Option<(usize, u64)> {
    let found = |i: usize| {
        let rows = blocks.both(i).to_array();
        let row = if upwards {
            rows.iter().rposition(|&row| row != 0)
        } else {
            rows.iter().position(|&row| row != 0)
        };
        row.map(|row| (i * ROWS + row, rows[row]))
    };
    if upwards {
        (0..blocks.len()).rev().find_map(found)
    } else {
        (0..blocks.len()).find_map(found)
    }
}

/// The first and last rows walked, as top and bottom rows in the first mask's pixels.
fn top_and_bottom(overlap: &Overlap<'_>, first: usize, last: usize) -> (i32, i32) {
    let (first, last) = (first as i32, last as i32);
    let end = overlap.rows as i32 - 1;
    let (top, bottom) = if overlap.upwards { (end - last, end - first) } else { (first, last) };
    (overlap.corner.y + top, overlap.corner.y + bottom)
}
