//! Where do they overlap? Box, first pixel, or both and the area.
//!
//! ```text
//! for each block: columns |= block, rows |= one bit for each of its 8 rows that is not zero
//! the box from the first and last bits of both; the first pixel from one word looked up again
//! ```
//!
//! 1. For the box every block of a strip is looked at, without an exit: it needs the bottom as well
//!    as the top. Of three strips and more not all have to be read: `across.rs`.
//! 2. The first pixel from the top or bottom is looked for from there, no farther than one that is
//!    known from another strip; from the left or right in the strips in that order, up to the
//!    first that has one.
//! 3. Where there is one strip of up to 8 blocks, as of sprites up to 64 pixels, its rows fit one word
//!    and there is nothing to join: a quarter less time.

use super::across::across;
use super::place::Place;
use super::query::{Query, Reply, one};
use super::span::Span;
use super::strip::{GROUP, columns, few_blocks, first_row, last_row, rows, walk};
use super::window::{ROWS, Strips, Window};
use crate::geom::{Point, Rect};
use crate::mask::WORD;
use crate::narrow::{Contact, First};
use fearless_simd::Simd;

/// The tight box round the pixels set in both.
#[derive(Clone, Copy)]
pub(crate) struct Box;

impl Query for Box {
    type Found = Span;
    const NONE: Span = Span::NONE;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: Span,
    ) -> Span {
        known.join(Span::new(&walk::<S, FAR, REVERSED, false>(&window, blocks), place))
    }

    #[inline(always)]
    fn only<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> Span {
        if blocks > GROUP {
            return self.strip(window, blocks, place, Span::NONE);
        }
        let (rows, columns, _) = few_blocks::<S, FAR, REVERSED, false>(&window, blocks);
        Span::of_few_blocks(rows, columns, place)
    }

    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        place: Place,
    ) -> Span {
        if strips.len() > 2 {
            return across(&strips, place);
        }
        let span = one(self, strips, 0, place, Span::NONE);
        if strips.len() == 1 {
            return span;
        }
        one(self, strips, 1, place, span)
    }
}

impl Reply for Box {
    type Answer = Option<Rect>;
    const PLACE: bool = true;

    #[inline(always)]
    fn answer(self, found: Span, corner: Point) -> Option<Rect> {
        found.rect(corner)
    }
}

#[inline(always)]
fn point(order: First, rank: u32, at: Point) -> Option<Point> {
    (rank != u32::MAX).then(|| {
        let (x, y) = order.pixel(rank);
        Point::new(at.x + x as i32, at.y + y as i32)
    })
}

/// The first pixel set in both.
#[derive(Clone, Copy)]
pub(crate) struct FirstPoint(pub(crate) First);

impl FirstPoint {
    /// The rank of the topmost or bottommost pixel of a strip of up to 8 blocks, without a branch:
    /// a walk to the first pixel would end where nobody can foresee it.
    #[inline(always)]
    fn of_few_blocks<S: Simd, const F: bool, const R: bool>(
        self,
        window: &Window<'_, S, F, R>,
        blocks: usize,
        place: Place,
        from_start: bool,
    ) -> u32 {
        let rows = rows(window, blocks, u64::MAX);
        let row =
            if from_start { rows.trailing_zeros() } else { (WORD - 1) ^ rows.leading_zeros() };
        // Inside, though nothing is there.
        let row = row.min((ROWS * blocks) as u32 - 1);
        let column = window.row(row as usize).trailing_zeros();
        let rank = self.0.rank(place.column + column, place.row(row));
        if rows == 0 { u32::MAX } else { rank }
    }
}

impl Query for FirstPoint {
    /// [`First::rank`].
    type Found = u32;
    const NONE: u32 = u32::MAX;
    // It stops at the first pixel, and seldom comes to what could be left out.
    const CUT: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: u32,
    ) -> u32 {
        let order = self.0;
        let (row, column) = match order {
            First::Top | First::Bottom => {
                let from_start = (order == First::Top) != place.upwards;
                if blocks <= GROUP {
                    return known.min(self.of_few_blocks(&window, blocks, place, from_start));
                }
                // Blocks behind a row that is known from another strip do not matter. Of a damaged atlas
                // that row may be one of the guards, outside.
                let of_known = |none: usize, plus: usize| match known {
                    Self::NONE => none,
                    _ => (place.row(order.pixel(known).1) as usize / ROWS + plus).min(blocks),
                };
                let row = if from_start {
                    first_row(&window, (0, of_known(blocks, 1)), u64::MAX)
                } else {
                    last_row(&window, (of_known(0, 0), blocks), u64::MAX)
                };
                let Some(row) = row else { return known };
                (row, window.row(row as usize).trailing_zeros())
            }
            First::Left | First::Right => {
                let columns = columns(&window, blocks);
                let column = if order == First::Left {
                    columns.trailing_zeros()
                } else {
                    (WORD - 1) ^ columns.leading_zeros()
                };
                // Inside, though nothing is there.
                let column = column.min(WORD - 1);
                let (wanted, all) = (1 << column, (0, blocks));
                let row = if blocks <= GROUP {
                    let rows = rows(&window, blocks, wanted);
                    if place.upwards {
                        (WORD - 1) ^ rows.leading_zeros()
                    } else {
                        rows.trailing_zeros()
                    }
                } else if place.upwards {
                    last_row(&window, all, wanted).unwrap_or_default()
                } else {
                    first_row(&window, all, wanted).unwrap_or_default()
                };
                let rank = order.rank(place.column + column, place.row(row));
                return if columns == 0 { known } else { known.min(rank) };
            }
        };
        known.min(order.rank(place.column + column, place.row(row)))
    }

    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        place: Place,
    ) -> u32 {
        let (mut known, n) = (Self::NONE, strips.len());
        for i in 0..n {
            let strip = if self.0 == First::Right { n - 1 - i } else { i };
            known = one(self, strips, strip, place, known);
            if matches!(self.0, First::Left | First::Right) && known != Self::NONE {
                break;
            }
        }
        known
    }
}

impl Reply for FirstPoint {
    type Answer = Option<Point>;
    const PLACE: bool = true;

    #[inline(always)]
    fn answer(self, found: u32, corner: Point) -> Option<Point> {
        point(self.0, found, corner)
    }
}

/// Box, area and topmost pixel in one walk.
#[derive(Clone, Copy)]
pub(crate) struct Whole;

impl Query for Whole {
    type Found = (Span, u32, u32);
    const NONE: (Span, u32, u32) = (Span::NONE, 0, u32::MAX);

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: (Span, u32, u32),
    ) -> (Span, u32, u32) {
        let extent = walk::<S, FAR, REVERSED, true>(&window, blocks);
        if extent.columns == 0 {
            return known;
        }
        let top = if place.upwards { extent.last } else { extent.first };
        let column = window.row(top as usize).trailing_zeros();
        let rank = First::Top.rank(place.column + column, place.row(top));
        (known.0.join(Span::new(&extent, place)), known.1 + extent.area, known.2.min(rank))
    }

    #[inline(always)]
    fn only<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> (Span, u32, u32) {
        if blocks > GROUP {
            return self.strip(window, blocks, place, Self::NONE);
        }
        let (rows, columns, area) = few_blocks::<S, FAR, REVERSED, true>(&window, blocks);
        let span = Span::of_few_blocks(rows, columns, place);
        let top =
            if place.upwards { (WORD - 1) ^ rows.leading_zeros() } else { rows.trailing_zeros() };
        // Inside, though nothing is there.
        let top = top.min((ROWS * blocks) as u32 - 1);
        let column = window.row(top as usize).trailing_zeros();
        let rank = First::Top.rank(column, place.row(top));
        (span, area, if rows == 0 { u32::MAX } else { rank })
    }
}

impl Reply for Whole {
    type Answer = Option<Contact>;
    const PLACE: bool = true;

    #[inline(always)]
    fn answer(self, (span, area, rank): (Span, u32, u32), corner: Point) -> Option<Contact> {
        let rect = span.rect(corner)?;
        let point = point(First::Top, rank, corner)?;
        Some(Contact { rect, area: area.into(), point })
    }
}
