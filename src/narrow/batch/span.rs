use super::place::Place;
use super::strip::Extent;
use crate::geom::{Point, Rect};
use crate::mask::WORD;

/// The tight box of an overlap, from the overlap's top-left corner; without a pixel its sides are
/// the wrong way round, so that joining needs no case for it.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(super) x0: u32,
    pub(super) y0: u32,
    pub(super) x1: u32,
    pub(super) y1: u32,
}

impl Span {
    pub(super) const NONE: Self = Self { x0: u32::MAX, y0: u32::MAX, x1: 0, y1: 0 };

    #[inline(always)]
    pub(super) fn new(extent: &Extent, place: Place) -> Self {
        let (a, b) = (place.row(extent.first), place.row(extent.last));
        let some = Self {
            x0: place.column + extent.columns.trailing_zeros(),
            y0: a.min(b),
            x1: place.column + WORD - extent.columns.leading_zeros(),
            y1: a.max(b).wrapping_add(1),
        };
        if extent.columns == 0 { Self::NONE } else { some }
    }

    /// Of the only strip, up to [`GROUP`](super::strip::GROUP) blocks of it: nothing to join, and without a pixel the
    /// counts of zeros have the sides the wrong way round by themselves.
    #[inline(always)]
    pub(super) fn of_few_blocks(rows: u64, columns: u64, place: Place) -> Self {
        let (first, end) = (rows.trailing_zeros(), WORD - rows.leading_zeros());
        let turned = |row: u32| place.rows.wrapping_sub(row);
        Self {
            x0: columns.trailing_zeros(),
            y0: if place.upwards { turned(end) } else { first },
            x1: WORD - columns.leading_zeros(),
            y1: if place.upwards { turned(first) } else { end },
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

    /// The box, of an overlap whose corner is `at`.
    #[inline(always)]
    pub(super) fn rect(self, at: Point) -> Option<Rect> {
        let x = |x: u32| at.x + x as i32;
        let y = |y: u32| at.y + y as i32;
        (self.x0 < self.x1).then(|| Rect::new(x(self.x0), y(self.y0), x(self.x1), y(self.y1)))
    }
}
