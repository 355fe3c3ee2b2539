//! The queries `TightBox`, `FirstPoint` and `WholeContact`: box, first pixel, or box, area and
//! first pixel of an overlap.
//!
//! Run by `dispatch.rs` for batches, and by `one_pair.rs`.
//!
//! ```text
//! for each block: columns |= block, rows |= one bit for each of its 8 rows that is not zero
//! box: the first and last set bits of rows and columns
//! first pixel: the first row, then one word read again
//! ```
//!
//! 1. The box reads every block of a strip, without an early exit, because it needs the bottom as
//!    well as the top. With three and more strips some blocks are skipped: `wide_bounds.rs`.
//! 2. The first pixel from the top or bottom is searched from that end, up to the row that another
//!    strip has found. From the left or right, strips are read in that order, up to the first one
//!    with a pixel.
//! 3. With one strip of up to 8 blocks, as for sprites up to 64 px, all rows fit one word. Nothing
//!    is joined: 0.68x to 0.77x as long up to 64 px.
//! 4. Unrolled kernels gain nothing here.
//! 5. Answers are computed even without a pixel, because its presence is unpredictable.

use super::shifted_rows::{BLOCK_ROWS, ShiftedRows, Strips};
use super::strip_kernels::{
    Bounds, WORD_BLOCKS, columns, first_row, last_row, rows, up_to_8_blocks, walk,
};
use super::strip_query::{Query, WalkPosition, query_strip};
use super::wide_bounds::wide_bounds;
use crate::geom::{Point, Rect};
use crate::mask::WORD;
use crate::narrow::{Contact, ScanOrder};
use fearless_simd::Simd;

/// The tight box around the pixels set in both masks.
#[derive(Clone, Copy)]
pub(crate) struct TightBox;

impl Query for TightBox {
    type Found = Bounds;
    type Answer = Option<Rect>;
    const NONE: Bounds = Bounds::NONE;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: Bounds,
    ) -> Bounds {
        acc.join(Bounds::new(&walk::<S, FAR, REVERSED, false>(&window, blocks), at))
    }

    #[inline(always)]
    fn single_strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
    ) -> Bounds {
        if blocks > WORD_BLOCKS {
            return self.strip(window, blocks, at, Bounds::NONE);
        }
        let (rows, columns, _) = up_to_8_blocks::<S, FAR, REVERSED, false>(&window, blocks);
        Bounds::of_up_to_8_blocks(rows, columns, at)
    }

    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        at: WalkPosition,
    ) -> Bounds {
        if strips.len() > 2 {
            return wide_bounds(&strips, at);
        }
        // Not a loop, which takes 1.05x to 1.09x as long with AVX-512.
        let bounds = query_strip(self, strips, 0, at, Bounds::NONE);
        if strips.len() == 1 {
            return bounds;
        }
        query_strip(self, strips, 1, at, bounds)
    }

    #[inline(always)]
    fn answer(self, found: Bounds, corner: Point) -> Option<Rect> {
        found.is_some().then_some(found.rect(corner))
    }
}

/// Returns the pixel of a rank in an overlap whose corner is `at`; an arbitrary point without a
/// pixel.
#[inline(always)]
const fn point(order: ScanOrder, rank: u32, at: Point) -> Point {
    let (x, y) = order.pixel(rank);
    Point::new(at.x.wrapping_add(x as i32), at.y.wrapping_add(y as i32))
}

/// The first pixel set in both masks.
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
    // The search stops at the first pixel and rarely reaches blocks that could be skipped.
    const SKIPS_EMPTY_BLOCKS: bool = false;

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
    type Found = (Bounds, u32, u32);
    type Answer = Option<Contact>;
    const NONE: (Bounds, u32, u32) = (Bounds::NONE, 0, u32::MAX);

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
        acc: (Bounds, u32, u32),
    ) -> (Bounds, u32, u32) {
        let extent = walk::<S, FAR, REVERSED, true>(&window, blocks);
        if extent.columns == 0 {
            return acc;
        }
        let top = if at.upwards { extent.last } else { extent.first };
        let column = window.row(top as usize).trailing_zeros();
        let rank = ScanOrder::Top.rank(at.column + column, at.row(top));
        (acc.0.join(Bounds::new(&extent, at)), acc.1 + extent.area, acc.2.min(rank))
    }

    #[inline(always)]
    fn single_strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        at: WalkPosition,
    ) -> (Bounds, u32, u32) {
        if blocks > WORD_BLOCKS {
            return self.strip(window, blocks, at, Self::NONE);
        }
        let (rows, columns, area) = up_to_8_blocks::<S, FAR, REVERSED, true>(&window, blocks);
        let bounds = Bounds::of_up_to_8_blocks(rows, columns, at);
        let top =
            if at.upwards { (WORD - 1) ^ rows.leading_zeros() } else { rows.trailing_zeros() };
        // Clamped, so that it is in range without a pixel too.
        let top = top.min((BLOCK_ROWS * blocks) as u32 - 1);
        let column = window.row(top as usize).trailing_zeros();
        let rank = ScanOrder::Top.rank(column, at.row(top));
        (bounds, area, if rows == 0 { u32::MAX } else { rank })
    }

    #[inline(always)]
    fn answer(self, (bounds, area, rank): (Bounds, u32, u32), corner: Point) -> Option<Contact> {
        let (rect, point) = (bounds.rect(corner), point(ScanOrder::Top, rank, corner));
        bounds.is_some().then_some(Contact { rect, area: area.into(), point })
    }
}
