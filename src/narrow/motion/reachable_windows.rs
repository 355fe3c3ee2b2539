//! The parts of two masks that can touch while one moves, and the offsets at which their rows
//! touch.
//!
//! Two runs, one of each mask, share a pixel at a contiguous range of horizontal offsets. With runs
//! f and s, the range goes from f.start - s.end to f.end - s.start. So for all rows that face each
//! other at a vertical offset, the offsets at which the masks touch are a union of ranges. One walk
//! over the rows finds how far that union extends to either side of an offset. So casts, distances
//! and push-outs along a direction do not test offsets one by one.
//!
//! ```text
//! row y of a:      ..####...#..
//! row y' of b:     .##..
//! touch at         0..=4 and 7..=8       offset of b's corner from a's
//! ```

use super::row_runs::{Coordinate, PADDING_ROWS, RowRuns};
use crate::geom::{Point, Rect};
use crate::mask::MaskRef;
use crate::simd::vectorized;

/// Rows per step of a walk: two vectors of the narrowest SIMD level, half of one of the widest.
const WALK_ROWS: usize = 16;
const _: () = assert!(WALK_ROWS <= PADDING_ROWS);

/// The windows of two masks that can touch while the first moves within some distance.
#[derive(Clone, Copy)]
pub(super) struct Windows<'a> {
    a: MaskRef<'a>,
    b: MaskRef<'a>,
    in_a: Rect,
    in_b: Rect,
    /// The offset of the window of b from that of a, before the first mask moves.
    pub(super) offset: [i64; 2],
    /// Both windows are the whole masks.
    pub(super) whole: bool,
}

impl<'a> Windows<'a> {
    /// Returns the windows of masks while `a` moves by `low` to `high`; `None` if they stay apart.
    pub(super) fn new(
        a: MaskRef<'a>,
        b: MaskRef<'a>,
        offset: Point,
        low: [i64; 2],
        high: [i64; 2],
    ) -> Option<Self> {
        let d = [i64::from(offset.x), i64::from(offset.y)];
        let (size_a, size_b) = (size(a), size(b));
        // Returns the part of a span of `one` pixels that a span of `other` pixels can reach from
        // `at`.
        let reachable = |one: i64, other: i64, at: i64, low: i64, high: i64| {
            let (start, end) = ((at + low).max(0), (at + high + other).min(one));
            (start < end).then_some((start as i32, end as i32))
        };
        let (ax, ay) = (
            reachable(size_a[0], size_b[0], d[0], -high[0], -low[0])?,
            reachable(size_a[1], size_b[1], d[1], -high[1], -low[1])?,
        );
        let (bx, by) = (
            reachable(size_b[0], size_a[0], -d[0], low[0], high[0])?,
            reachable(size_b[1], size_a[1], -d[1], low[1], high[1])?,
        );
        let in_a = Rect::new(ax.0, ay.0, ax.1, ay.1);
        let in_b = Rect::new(bx.0, by.0, bx.1, by.1);
        let whole = |window: Rect, size: [i64; 2]| {
            [i64::from(window.width()), i64::from(window.height())] == size
        };
        Some(Self {
            a,
            b,
            in_a,
            in_b,
            offset: [
                d[0] + i64::from(in_b.x0) - i64::from(in_a.x0),
                d[1] + i64::from(in_b.y0) - i64::from(in_a.y0),
            ],
            whole: whole(in_a, size_a) && whole(in_b, size_b),
        })
    }

    /// Returns the windows cropped to their set pixels; `None` if one of them has none.
    pub(super) fn cropped(self) -> Option<Self> {
        let (in_a, in_b) = (self.a.bounds_in(self.in_a)?, self.b.bounds_in(self.in_b)?);
        let moved = |from: Rect, to: Rect| {
            [i64::from(to.x0) - i64::from(from.x0), i64::from(to.y0) - i64::from(from.y0)]
        };
        let ([ax, ay], [bx, by]) = (moved(self.in_a, in_a), moved(self.in_b, in_b));
        let [x, y] = self.offset;
        Some(Self { in_a, in_b, offset: [x + bx - ax, y + by - ay], ..self })
    }

    /// Returns the least and the greatest vertical translation at which rows face each other.
    pub(super) fn facing_rows(&self) -> [i64; 2] {
        let (a, b) = (i64::from(self.in_a.height()), i64::from(self.in_b.height()));
        [self.offset[1] - a + 1, self.offset[1] + b - 1]
    }

    /// Tests whether a coordinate type holds every column, or every row if `transposed`.
    pub(super) fn fit<T: Coordinate>(&self, transposed: bool) -> bool {
        let longest = |window: Rect| if transposed { window.height() } else { window.width() };
        i64::from(longest(self.in_a).max(longest(self.in_b))) <= T::LIMIT
    }

    /// Returns the runs of the rows of both windows, or of their columns if `transposed`.
    pub(super) fn run_pair<T: Coordinate>(&self, transposed: bool) -> RunPair<T> {
        RunPair {
            a: RowRuns::new(self.a, self.in_a, transposed),
            b: RowRuns::new(self.b, self.in_b, transposed),
        }
    }
}

pub(super) fn size(mask: MaskRef<'_>) -> [i64; 2] {
    [mask.width().into(), mask.height().into()]
}

/// The extent of the offsets at which two masks touch, in one row of offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct TouchRange<T> {
    /// The least start of a range that ends at or after `left`; MAX if there is none.
    pub(super) first: T,
    /// The greatest end of a range that starts at or before `right`; MIN if there is none.
    pub(super) last: T,
    /// The greatest end of all ranges; below every possible offset if there is none.
    pub(super) end: T,
    /// The least start of all ranges.
    pub(super) start: T,
}

pub(super) struct RunPair<T> {
    pub(super) a: RowRuns<T>,
    pub(super) b: RowRuns<T>,
}

impl<T: Coordinate> RunPair<T> {
    /// Returns every pair of a layer of a and a layer of b.
    #[inline(always)]
    pub(super) fn layers(&self) -> impl Iterator<Item = (usize, usize)> + Clone + use<T> {
        let (a, b) = (self.a.layers.len(), self.b.layers.len());
        (0..a * b).map(move |pair| (pair / b, pair % b))
    }

    /// Walks the rows that face each other if b lies `dy` rows below a.
    ///
    /// Let `left` and `right` be the same offset s. Then the masks touch at s if `first <= s <=
    /// last`. The nearest touching offset to the right of s is max(s, first), to the left min(s,
    /// last).
    pub(super) fn touch_range(&self, dy: i64, left: i64, right: i64) -> TouchRange<T> {
        vectorized(
            #[inline(always)]
            || self.touch_range_inlined(dy, left, right),
        )
    }

    #[inline(always)]
    fn touch_range_inlined(&self, dy: i64, left: i64, right: i64) -> TouchRange<T> {
        let (left, right) = (T::clamped(left), T::clamped(right));
        let mut firsts = [T::MAX; WALK_ROWS];
        let mut lasts = [T::MIN; WALK_ROWS];
        let (mut starts, mut ends) = (firsts, lasts);
        let top = dy.max(0);
        let bottom = (self.a.rows as i64).min(dy.saturating_add(self.b.rows as i64));
        if top < bottom {
            let (at_a, at_b) = (PADDING_ROWS + top as usize, PADDING_ROWS + (top - dy) as usize);
            let words = ((bottom - top) as usize).next_multiple_of(WALK_ROWS);
            for (a_first, a_last) in layers(&self.a) {
                let (a_first, a_last) = (blocks(a_first, at_a, words), blocks(a_last, at_a, words));
                for (b_first, b_last) in layers(&self.b) {
                    let (b_first, b_last) =
                        (blocks(b_first, at_b, words), blocks(b_last, at_b, words));
                    let rows = a_first.iter().zip(a_last).zip(b_first.iter().zip(b_last));
                    for ((a_first, a_last), (b_first, b_last)) in rows {
                        for i in 0..WALK_ROWS {
                            let start = a_first[i].minus(b_last[i]);
                            let end = a_last[i].minus(b_first[i]);
                            let first = if end >= left { start } else { T::MAX };
                            let last = if start <= right { end } else { T::MIN };
                            firsts[i] = firsts[i].min(first);
                            lasts[i] = lasts[i].max(last);
                            starts[i] = starts[i].min(start);
                            ends[i] = ends[i].max(end);
                        }
                    }
                }
            }
        }
        let least = |all: [T; WALK_ROWS]| all.into_iter().fold(T::MAX, T::min);
        let most = |all: [T; WALK_ROWS]| all.into_iter().fold(T::MIN, T::max);
        TouchRange {
            first: least(firsts),
            last: most(lasts),
            end: most(ends),
            start: least(starts),
        }
    }

    /// Returns the nearest free offsets to the left and to the right of `s`, `s` included, in row
    /// `dy`. Gives up a side beyond `limit`, and then returns an offset farther away than that.
    pub(super) fn free(&self, dy: i64, s: i64, limit: i64) -> [i64; 2] {
        let [mut left, mut right] = [s, s];
        loop {
            let range = self.touch_range(dy, left, right);
            let goes_left = range.first.into() <= left && s - left <= limit;
            let goes_right = range.last.into() >= right && right - s <= limit;
            if goes_left {
                left = range.first.into() - 1;
            }
            if goes_right {
                right = range.last.into() + 1;
            }
            // Beyond the end of all ranges the offset is free without another walk.
            let open_left = goes_left && left >= range.start.into();
            let open_right = goes_right && right <= range.end.into();
            if !open_left && !open_right {
                return [left, right];
            }
        }
    }
}

/// Returns the arrays of each layer. Not chunks of one slice, which cost a division.
#[inline(always)]
fn layers<T: Coordinate>(runs: &RowRuns<T>) -> impl Iterator<Item = (&[T], &[T])> {
    (0..runs.layers.len()).map(|layer| runs.layer(layer))
}

#[inline(always)]
fn blocks<T>(values: &[T], at: usize, words: usize) -> &[[T; WALK_ROWS]] {
    values[at..at + words].as_chunks().0
}
