//! The queries `FirstPoint` and `WholeContact`: the first pixel, or box, area and first pixel of an
//! overlap.
//!
//! ```text
//! for each block: columns |= block, rows |= one bit for each of its 8 rows that is not zero
//! box: the first and last set bits of rows and columns
//! first pixel: the first row, then one word read again
//! ```
//!
//! 1. The box reads every block of a strip, without an early exit, because it needs the bottom as
//!    well as the top.
//! 2. The first pixel from the top or bottom is searched from that end, up to the row that another
//!    strip has found. From the left or right, strips are read in that order, up to the first one
//!    with a pixel.
//! 3. With one strip of up to 8 blocks, as for sprites up to 64 px, all rows fit one word. Nothing
//!    is joined: 0.68x to 0.77x as long up to 64 px.
//! 4. Answers are computed even without a pixel, because its presence is unpredictable.
//!
//! # Walks of one strip
//!
//! A walk finds the rows and columns of a strip with a pixel in both masks, and their tight box.
//!
//! 1. Rows are counted in walk order. The rows of 8 blocks fit one word; longer strips fill one
//!    word after another.
//! 2. Row bits are shifted into place, at four instructions per block. Rotating the word by 8 bits
//!    per block takes two, but forms a dependency chain: box 16 px 1.07x, contact 256 px 1.11x as
//!    long.

use super::popcount::Count;
use super::shifted_rows::{BLOCK_ROWS, ShiftedRows, Strips};
use super::strip_query::{Query, WalkPosition, query_strip};
use crate::geom::{Point, Rect};
use crate::mask::WORD;
use crate::narrow::{Contact, ScanOrder};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Returns the pixel of a rank in an overlap whose corner is `at`.
#[inline(always)]
const fn point(order: ScanOrder, rank: u32, at: Point) -> Point {
    let (x, y) = order.pixel(rank);
    Point::new(at.x.wrapping_add(x as i32), at.y.wrapping_add(y as i32))
}

#[derive(Clone, Copy)]
pub(crate) struct FirstPoint(pub(crate) ScanOrder);

impl FirstPoint {
    /// Returns the rank of the topmost or bottommost pixel of a strip of up to 8 blocks, without a
    /// branch. A walk to the first pixel would end unpredictably (64 px: 10.5 ns -> 19.3 ns).
    #[inline(always)]
    fn of_up_to_8_blocks<S: Simd, const F: bool, const R: bool>(
        self,
        window: &ShiftedRows<'_, S, F, R>,
        blocks: usize,
        at: WalkPosition,
        from_start: bool,
    ) -> u32 {
        let rows = rows(window, blocks, u64::MAX);
        let row =
            if from_start { rows.trailing_zeros() } else { (WORD - 1) ^ rows.leading_zeros() };
        // Clamped, so that it is in range without a pixel too.
        let row = row.min((BLOCK_ROWS * blocks) as u32 - 1);
        let column = window.row(row as usize).trailing_zeros();
        let rank = self.0.rank(at.column + column, at.row(row));
        if rows == 0 { u32::MAX } else { rank }
    }
}

impl Query for FirstPoint {
    /// A [`ScanOrder::rank`].
    type Found = u32;
    type Answer = Option<Point>;
    const NONE: u32 = u32::MAX;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: u32,
    ) -> u32 {
        let order = self.0;
        let (row, column) = match order {
            ScanOrder::Top | ScanOrder::Bottom => {
                let from_start = (order == ScanOrder::Top) != at.upwards;
                if blocks <= WORD_BLOCKS {
                    return acc.min(self.of_up_to_8_blocks(&window, blocks, at, from_start));
                }
                // Blocks beyond the row found in another strip do not matter. In a damaged atlas
                // that row may be a guard row outside the overlap.
                let limit_of_acc = |none: usize, plus: usize| match acc {
                    Self::NONE => none,
                    _ => (at.row(order.pixel(acc).1) as usize / BLOCK_ROWS + plus).min(blocks),
                };
                let row = if from_start {
                    first_row(&window, (0, limit_of_acc(blocks, 1)), u64::MAX)
                } else {
                    last_row(&window, (limit_of_acc(0, 0), blocks), u64::MAX)
                };
                let Some(row) = row else { return acc };
                (row, window.row(row as usize).trailing_zeros())
            }
            ScanOrder::Left | ScanOrder::Right => {
                let columns = columns(&window, blocks);
                let column = if order == ScanOrder::Left {
                    columns.trailing_zeros()
                } else {
                    (WORD - 1) ^ columns.leading_zeros()
                };
                // Clamped, so that it is in range without a pixel too.
                let column = column.min(WORD - 1);
                let (in_columns, all) = (1 << column, (0, blocks));
                let row = if blocks <= WORD_BLOCKS {
                    let rows = rows(&window, blocks, in_columns);
                    if at.upwards {
                        (WORD - 1) ^ rows.leading_zeros()
                    } else {
                        rows.trailing_zeros()
                    }
                } else if at.upwards {
                    last_row(&window, all, in_columns).unwrap_or_default()
                } else {
                    first_row(&window, all, in_columns).unwrap_or_default()
                };
                let rank = order.rank(at.column + column, at.row(row));
                return if columns == 0 { acc } else { acc.min(rank) };
            }
        };
        acc.min(order.rank(at.column + column, at.row(row)))
    }

    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        at: WalkPosition,
    ) -> u32 {
        let (mut acc, n) = (Self::NONE, strips.len());
        for i in 0..n {
            let strip = if self.0 == ScanOrder::Right { n - 1 - i } else { i };
            acc = query_strip(self, strips, strip, at, acc);
            if matches!(self.0, ScanOrder::Left | ScanOrder::Right) && acc != Self::NONE {
                break;
            }
        }
        acc
    }

    #[inline(always)]
    fn answer(self, found: u32, corner: Point) -> Option<Point> {
        (found != Self::NONE).then_some(point(self.0, found, corner))
    }
}

/// Box, area and topmost pixel in one walk.
#[derive(Clone, Copy)]
pub(crate) struct WholeContact;

impl Query for WholeContact {
    type Found = (PixelBounds, u32, u32);
    type Answer = Option<Contact>;
    const NONE: (PixelBounds, u32, u32) = (PixelBounds::NONE, 0, u32::MAX);

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: (PixelBounds, u32, u32),
    ) -> (PixelBounds, u32, u32) {
        let extent = walk(&window, blocks);
        if extent.columns == 0 {
            return acc;
        }
        let top = if at.upwards { extent.last } else { extent.first };
        let column = window.row(top as usize).trailing_zeros();
        let rank = ScanOrder::Top.rank(at.column + column, at.row(top));
        (acc.0.join(PixelBounds::new(&extent, at)), acc.1 + extent.area, acc.2.min(rank))
    }

    #[inline(always)]
    fn single_strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
    ) -> (PixelBounds, u32, u32) {
        if blocks > WORD_BLOCKS {
            return self.strip(window, blocks, at, Self::NONE);
        }
        let (rows, columns, area) = up_to_8_blocks(&window, blocks);
        let bounds = PixelBounds::of_up_to_8_blocks(rows, columns, at);
        let top =
            if at.upwards { (WORD - 1) ^ rows.leading_zeros() } else { rows.trailing_zeros() };
        // Clamped, so that it is in range without a pixel too.
        let top = top.min((BLOCK_ROWS * blocks) as u32 - 1);
        let column = window.row(top as usize).trailing_zeros();
        let rank = ScanOrder::Top.rank(column, at.row(top));
        (bounds, area, if rows == 0 { u32::MAX } else { rank })
    }

    #[inline(always)]
    fn answer(
        self,
        (bounds, area, rank): (PixelBounds, u32, u32),
        corner: Point,
    ) -> Option<Contact> {
        let (rect, point) = (bounds.rect(corner), point(ScanOrder::Top, rank, corner));
        bounds.is_some().then_some(Contact { rect, area: area.into(), point })
    }
}

/// Blocks whose row bits fit one word.
pub(crate) const WORD_BLOCKS: usize = WORD as usize / BLOCK_ROWS;

/// The first and last row, in walk order, and the columns of a strip with a pixel in both masks.
pub(crate) struct Extent {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) columns: u64,
    pub(crate) area: u32,
}

/// Walks a strip of any number of blocks; `columns` is 0 without a pixel.
#[inline(always)]
pub(crate) fn walk<S: Simd, const F: bool, const R: bool>(
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
            count.add(both);
        }
        let row = (start * BLOCK_ROWS) as u32;
        let lowest = if rows == 0 { u32::MAX } else { row + rows.trailing_zeros() };
        let highest = if rows == 0 { 0 } else { row + (WORD - 1) - rows.leading_zeros() };
        first = first.min(lowest);
        last = last.max(highest);
        start = end;
    }
    Extent { first, last, columns: union(all), area: count.total() }
}

/// Walks up to [`WORD_BLOCKS`] blocks. Returns one bit for each row and one for each column with a
/// pixel in both masks, and the area.
#[inline(always)]
pub(crate) fn up_to_8_blocks<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> (u64, u64, u32) {
    let nothing = u64x8::splat(window.simd, 0);
    let (mut all, mut rows, mut count) = (nothing, 0, Count::new(nothing));
    for block in 0..blocks {
        let both = window.both(block);
        all |= both;
        rows |= bits(both) << (BLOCK_ROWS * block);
        count.add(both);
    }
    (rows, union(all), count.total())
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
pub(crate) struct PixelBounds {
    pub(super) x0: u32,
    pub(super) y0: u32,
    pub(super) x1: u32,
    pub(super) y1: u32,
}

impl PixelBounds {
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
