use super::spans::{Coordinate, Facing, Spans};
use crate::geom::{Point, Rect};
use crate::mask::MaskRef;

/// The parts of two masks that can meet while the first moves within some distance.
#[derive(Clone, Copy)]
pub(super) struct Windows<'a> {
    a: MaskRef<'a>,
    b: MaskRef<'a>,
    in_a: Rect,
    in_b: Rect,
    /// From the corner of the one window to that of the other, before the first mask moves.
    pub(super) offset: [i64; 2],
    /// Both windows are the whole masks.
    pub(super) whole: bool,
}

impl<'a> Windows<'a> {
    /// For `a` at (0, 0) that moves by `low` to `high` on each axis, and `b` at `offset`. `None`
    /// where they cannot meet.
    pub(super) fn new(
        a: MaskRef<'a>,
        b: MaskRef<'a>,
        offset: Point,
        low: [i64; 2],
        high: [i64; 2],
    ) -> Option<Self> {
        let d = [i64::from(offset.x), i64::from(offset.y)];
        let (size_a, size_b) = (size(a), size(b));
        // What of a span of `one` pixels the other, `at` from its start, can reach.
        let reached = |one: i64, other: i64, at: i64, low: i64, high: i64| {
            let (start, end) = ((at + low).max(0), (at + high + other).min(one));
            (start < end).then_some((start as i32, end as i32))
        };
        let (ax, ay) = (
            reached(size_a[0], size_b[0], d[0], -high[0], -low[0])?,
            reached(size_a[1], size_b[1], d[1], -high[1], -low[1])?,
        );
        let (bx, by) = (
            reached(size_b[0], size_a[0], -d[0], low[0], high[0])?,
            reached(size_b[1], size_a[1], -d[1], low[1], high[1])?,
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

    /// The masks, and the windows in them.
    #[inline(always)]
    pub(super) const fn parts(&self) -> ((MaskRef<'a>, Rect), (MaskRef<'a>, Rect)) {
        ((self.a, self.in_a), (self.b, self.in_b))
    }

    /// True where 16 bits hold every coordinate.
    pub(super) fn are_small(&self, transposed: bool) -> bool {
        let longest = |window: Rect| if transposed { window.height() } else { window.width() };
        i64::from(longest(self.in_a).max(longest(self.in_b))) <= i16::LIMIT
    }

    /// Their runs; of columns instead of rows, where `transposed`.
    #[inline(always)]
    pub(super) fn facing<T: Coordinate>(&self, transposed: bool) -> Facing<T> {
        Facing {
            a: Spans::new(self.a, self.in_a, transposed),
            b: Spans::new(self.b, self.in_b, transposed),
        }
    }
}

/// Width and height of a mask.
pub(super) fn size(mask: MaskRef<'_>) -> [i64; 2] {
    [mask.width().into(), mask.height().into()]
}
