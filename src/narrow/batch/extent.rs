//! Where do they overlap? Box, first pixel, or both and the area.
//!
//! ```text
//! for each block: columns |= block, rows |= one bit for each of its 8 rows that is not zero
//! the box from the first and last bits of both; the first pixel from one word looked up again
//! ```
//!
//! 1. Every block is looked at, without an exit: the box needs the bottom as well as the top.
//! 2. 8 blocks give the 64 bits of one word of `rows`; longer strips take one such word after the
//!    other. So the first row is one count of trailing zeros.

use super::area::Count;
use super::geometry::Geometry;
use super::query::{Place, Query};
use super::window::{ROWS, Window};
use crate::geom::{Point, Rect};
use crate::mask::WORD;
use crate::narrow::{Contact, First};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Blocks whose rows fit a word.
const GROUP: usize = WORD as usize / ROWS;

/// Rows as walked, and columns of a strip, with a pixel in both.
struct Extent {
    first: u32,
    last: u32,
    columns: u64,
    area: u32,
}

/// Walks a strip. Rows count where `block & columns` is not zero; without a pixel `columns` is 0
/// and the rest means nothing.
#[inline(always)]
fn walk<S: Simd, const F: bool, const R: bool, const AREA: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
    columns: u64,
) -> Extent {
    let nothing = u64x8::splat(window.simd, 0);
    let wanted = u64x8::splat(window.simd, columns);
    let mut all = nothing;
    let mut count = Count::new(nothing);
    let (mut first, mut last) = (u32::MAX, 0);
    let mut start = 0;
    while start < blocks {
        let end = (start + GROUP).min(blocks);
        let mut rows = 0;
        for block in start..end {
            let both = window.both(block) & wanted;
            all |= both;
            rows |= bits(both) << (ROWS * (block - start));
            if AREA {
                count.add(both);
            }
        }
        let row = (start * ROWS) as u32;
        let lowest = if rows == 0 { u32::MAX } else { row + rows.trailing_zeros() };
        let highest = if rows == 0 { 0 } else { row + (WORD - 1) - rows.leading_zeros() };
        first = first.min(lowest);
        last = last.max(highest);
        start = end;
    }
    Extent { first, last, columns: union(all), area: if AREA { count.total() } else { 0 } }
}

/// One bit for each row that is not zero.
#[inline(always)]
fn bits<S: Simd>(block: u64x8<S>) -> u64 {
    block.simd_ne(u64x8::splat(block.simd, 0)).to_bitmask()
}

/// All rows in one.
#[inline(always)]
fn union<S: Simd>(block: u64x8<S>) -> u64 {
    let (low, high) = block.split();
    let (low, high) = (low | high).split();
    let [a, b] = (low | high).to_array();
    a | b
}

/// The tight box of an overlap, from the overlap's top-left corner; without a pixel its sides are
/// the wrong way round, so that joining needs no case for it.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    x0: u32,
    y0: u32,
    x1: u32,
    y1: u32,
}

impl Span {
    const NONE: Self = Self { x0: u32::MAX, y0: u32::MAX, x1: 0, y1: 0 };

    #[inline(always)]
    fn new(extent: &Extent, place: Place) -> Self {
        let (a, b) = (place.row(extent.first), place.row(extent.last));
        let some = Self {
            x0: place.column + extent.columns.trailing_zeros(),
            y0: a.min(b),
            x1: place.column + WORD - extent.columns.leading_zeros(),
            y1: a.max(b).wrapping_add(1),
        };
        if extent.columns == 0 { Self::NONE } else { some }
    }

    #[inline(always)]
    fn join(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    #[inline(always)]
    fn rect(self, geometry: &Geometry, i: usize) -> Option<Rect> {
        let at = geometry.corner(i);
        let x = |x: u32| at.x + x as i32;
        let y = |y: u32| at.y + y as i32;
        (self.x0 < self.x1).then(|| Rect::new(x(self.x0), y(self.y0), x(self.x1), y(self.y1)))
    }
}

/// The tight box round the pixels set in both.
#[derive(Clone, Copy)]
pub(crate) struct Box;

impl Query for Box {
    type Found = Span;
    type Answer = Option<Rect>;
    const NONE: Span = Span::NONE;
    const PLACE: bool = true;
    const UNROLLED: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> Span {
        Span::new(&walk::<S, FAR, REVERSED, false>(&window, blocks, u64::MAX), place)
    }

    #[inline(always)]
    fn join(a: Span, b: Span) -> Span {
        a.join(b)
    }

    #[inline(always)]
    fn answer(self, found: Span, geometry: &Geometry, i: usize) -> Option<Rect> {
        found.rect(geometry, i)
    }
}

/// The rank of a strip's first pixel, `u32::MAX` where it has none.
#[inline(always)]
fn rank<S: Simd, const F: bool, const R: bool>(
    order: First,
    window: &Window<'_, S, F, R>,
    blocks: usize,
    place: Place,
    extent: &Extent,
) -> u32 {
    if extent.columns == 0 {
        return u32::MAX;
    }
    let highest = |extent: &Extent| if place.upwards { extent.last } else { extent.first };
    let lowest = |extent: &Extent| if place.upwards { extent.first } else { extent.last };
    let (row, column) = match order {
        First::Top | First::Bottom => {
            let row = if order == First::Top { highest(extent) } else { lowest(extent) };
            (row, window.row(row as usize).trailing_zeros())
        }
        First::Left | First::Right => {
            let column = if order == First::Left {
                extent.columns.trailing_zeros()
            } else {
                WORD - 1 - extent.columns.leading_zeros()
            };
            let rows = walk::<S, F, R, false>(window, blocks, 1 << column);
            (highest(&rows), column)
        }
    };
    order.rank(place.column + column, place.row(row))
}

#[inline(always)]
fn point(order: First, rank: u32, geometry: &Geometry, i: usize) -> Option<Point> {
    (rank != u32::MAX).then(|| {
        let (at, (x, y)) = (geometry.corner(i), order.pixel(rank));
        Point::new(at.x + x as i32, at.y + y as i32)
    })
}

/// The first pixel set in both.
#[derive(Clone, Copy)]
pub(crate) struct FirstPoint(pub(crate) First);

impl Query for FirstPoint {
    /// [`First::rank`].
    type Found = u32;
    type Answer = Option<Point>;
    const NONE: u32 = u32::MAX;
    const PLACE: bool = true;
    const UNROLLED: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> u32 {
        let extent = walk::<S, FAR, REVERSED, false>(&window, blocks, u64::MAX);
        rank(self.0, &window, blocks, place, &extent)
    }

    #[inline(always)]
    fn join(a: u32, b: u32) -> u32 {
        a.min(b)
    }

    #[inline(always)]
    fn answer(self, found: u32, geometry: &Geometry, i: usize) -> Option<Point> {
        point(self.0, found, geometry, i)
    }
}

/// Box, area and topmost pixel in one walk.
#[derive(Clone, Copy)]
pub(crate) struct Whole;

impl Query for Whole {
    type Found = (Span, u32, u32);
    type Answer = Option<Contact>;
    const NONE: (Span, u32, u32) = (Span::NONE, 0, u32::MAX);
    const PLACE: bool = true;
    const UNROLLED: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> (Span, u32, u32) {
        let extent = walk::<S, FAR, REVERSED, true>(&window, blocks, u64::MAX);
        let rank = rank(First::Top, &window, blocks, place, &extent);
        (Span::new(&extent, place), extent.area, rank)
    }

    #[inline(always)]
    fn join(a: (Span, u32, u32), b: (Span, u32, u32)) -> (Span, u32, u32) {
        (a.0.join(b.0), a.1 + b.1, a.2.min(b.2))
    }

    #[inline(always)]
    fn answer(
        self,
        (span, area, rank): (Span, u32, u32),
        geometry: &Geometry,
        i: usize,
    ) -> Option<Contact> {
        let rect = span.rect(geometry, i)?;
        let point = point(First::Top, rank, geometry, i)?;
        Some(Contact { rect, area: area.into(), point })
    }
}
