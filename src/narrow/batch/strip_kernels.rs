//! Walks of one strip: the rows and columns with a pixel in both masks, and their tight box.
//!
//! Called by `bounds_queries.rs` and `wide_bounds.rs`.
//!
//! ```text
//! for each block: columns |= block, rows |= one bit for each of its 8 rows that is not zero
//! first row = trailing zeros of rows, left column = trailing zeros of columns; the others likewise
//! ```
//!
//! 1. Rows are counted in walk order. The rows of 8 blocks fit one word; longer strips fill one
//!    word after another.
//! 2. Row bits are shifted into place, at four instructions per block. Rotating the word by 8 bits
//!    per block takes two, but forms a dependency chain: box 16 px 1.07x, contact 256 px 1.11x as
//!    long.

use super::popcount::Count;
use super::shifted_rows::{BLOCK_ROWS, ShiftedRows};
use super::strip_query::WalkPosition;
use crate::geom::{Point, Rect};
use crate::mask::WORD;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Blocks whose row bits fit one word.
pub(crate) const WORD_BLOCKS: usize = WORD as usize / BLOCK_ROWS;

/// The first and last row, in walk order, and the columns of a strip with a pixel in both masks.
pub(crate) struct Extent {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) columns: u64,
    pub(crate) area: u32,
}

/// Walks a strip of any number of blocks. Without a pixel `columns` is 0 and the other fields are
/// arbitrary.
#[inline(always)]
pub(crate) fn walk<S: Simd, const F: bool, const R: bool, const AREA: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> Extent {
    let nothing = u64x8::splat(window.simd, 0);
    let mut all = nothing;
    let mut count = Count::new(nothing);
    let (mut first, mut last) = (u32::MAX, 0);
    let mut start = 0;
    while start < blocks {
        let end = (start + WORD_BLOCKS).min(blocks);
        let mut rows = 0;
        for block in start..end {
            let both = window.both(block);
            all |= both;
            rows |= bits(both) << (BLOCK_ROWS * (block - start));
            if AREA {
                count.add(both);
            }
        }
        let row = (start * BLOCK_ROWS) as u32;
        let lowest = if rows == 0 { u32::MAX } else { row + rows.trailing_zeros() };
        let highest = if rows == 0 { 0 } else { row + (WORD - 1) - rows.leading_zeros() };
        first = first.min(lowest);
        last = last.max(highest);
        start = end;
    }
    Extent { first, last, columns: union(all), area: if AREA { count.total() } else { 0 } }
}

/// Walks up to [`WORD_BLOCKS`] blocks. Returns one bit for each row and one for each column with a
/// pixel in both masks, and the area.
#[inline(always)]
pub(crate) fn up_to_8_blocks<S: Simd, const F: bool, const R: bool, const AREA: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> (u64, u64, u32) {
    let nothing = u64x8::splat(window.simd, 0);
    let (mut all, mut rows, mut count) = (nothing, 0, Count::new(nothing));
    for block in 0..blocks {
        let both = window.both(block);
        all |= both;
        rows |= bits(both) << (BLOCK_ROWS * block);
        if AREA {
            count.add(both);
        }
    }
    (rows, union(all), if AREA { count.total() } else { 0 })
}

/// Returns the columns with a pixel in both masks.
#[inline(always)]
pub(crate) fn columns<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> u64 {
    let mut all = u64x8::splat(window.simd, 0);
    for block in 0..blocks {
        all |= window.both(block);
    }
    union(all)
}

/// Returns one bit for each row that is not zero.
#[inline(always)]
pub(crate) fn bits<S: Simd>(block: u64x8<S>) -> u64 {
    block.simd_ne(u64x8::splat(block.simd, 0)).to_bitmask()
}

/// Returns the OR of all rows.
#[inline(always)]
fn union<S: Simd>(block: u64x8<S>) -> u64 {
    let (low, high) = block.split();
    let (low, high) = (low | high).split();
    let [a, b] = (low | high).to_array();
    a | b
}

/// Returns one bit for each row with a pixel in `columns`, of up to [`WORD_BLOCKS`] blocks.
#[inline(always)]
pub(crate) fn rows<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
    columns: u64,
) -> u64 {
    let in_columns = u64x8::splat(window.simd, columns);
    let mut rows = 0;
    for block in 0..blocks {
        rows |= bits(window.both(block) & in_columns) << (BLOCK_ROWS * block);
    }
    rows
}

/// Returns the first row, in walk order, of blocks `from..to` with a pixel in `columns`.
#[inline(always)]
pub(crate) fn first_row<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    (from, to): (usize, usize),
    columns: u64,
) -> Option<u32> {
    let in_columns = u64x8::splat(window.simd, columns);
    for block in from..to {
        let rows = bits(window.both(block) & in_columns);
        if rows != 0 {
            return Some((block * BLOCK_ROWS) as u32 + rows.trailing_zeros());
        }
    }
    None
}

/// Returns the last row, in walk order, of blocks `from..to` with a pixel in `columns`.
#[inline(always)]
pub(crate) fn last_row<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    (from, to): (usize, usize),
    columns: u64,
) -> Option<u32> {
    let in_columns = u64x8::splat(window.simd, columns);
    for block in (from..to).rev() {
        let rows = bits(window.both(block) & in_columns);
        if rows != 0 {
            return Some((block * BLOCK_ROWS) as u32 + (WORD - 1) - rows.leading_zeros());
        }
    }
    None
}

/// The tight box of the pixels found so far, relative to the corner of the overlap. Without a pixel
/// its sides are inverted, so that `join` needs no special case.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(super) x0: u32,
    pub(super) y0: u32,
    pub(super) x1: u32,
    pub(super) y1: u32,
}

impl Bounds {
    pub(super) const NONE: Self = Self { x0: u32::MAX, y0: u32::MAX, x1: 0, y1: 0 };

    #[inline(always)]
    pub(super) fn new(extent: &Extent, at: WalkPosition) -> Self {
        let (a, b) = (at.row(extent.first), at.row(extent.last));
        let some = Self {
            x0: at.column + extent.columns.trailing_zeros(),
            y0: a.min(b),
            x1: at.column + WORD - extent.columns.leading_zeros(),
            y1: a.max(b).wrapping_add(1),
        };
        if extent.columns == 0 { Self::NONE } else { some }
    }

    /// Returns the box of a single strip of up to [`WORD_BLOCKS`] blocks. Nothing is joined, and
    /// without a pixel the counts of zeros invert the sides on their own.
    #[inline(always)]
    pub(super) fn of_up_to_8_blocks(rows: u64, columns: u64, at: WalkPosition) -> Self {
        let (first, end) = (rows.trailing_zeros(), WORD - rows.leading_zeros());
        let turned = |row: u32| at.rows.wrapping_sub(row);
        Self {
            x0: columns.trailing_zeros(),
            y0: if at.upwards { turned(end) } else { first },
            x1: WORD - columns.leading_zeros(),
            y1: if at.upwards { turned(first) } else { end },
        }
    }

    #[inline(always)]
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Returns true if a pixel was found.
    #[inline(always)]
    pub(super) const fn is_some(self) -> bool {
        self.x0 < self.x1
    }

    /// Returns the box of an overlap whose corner is `at`; an arbitrary rectangle without a pixel.
    #[inline(always)]
    pub(super) const fn rect(self, at: Point) -> Rect {
        Rect::new(
            at.x.wrapping_add(self.x0 as i32),
            at.y.wrapping_add(self.y0 as i32),
            at.x.wrapping_add(self.x1 as i32),
            at.y.wrapping_add(self.y1 as i32),
        )
    }
}
