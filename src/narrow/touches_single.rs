//! `touches` of one pair.
//!
//! Called by [`Mask::touches`], and through it by worlds.
//!
//! ```text
//! intersect the boxes; return false if it is empty
//! AND the middle 15 rows of the middle strip:  (near >> shift | far << (64 - shift)) & right
//! return if a bit is set, or if these rows are the whole overlap
//! walk all rows and strips                                                      one_pair.rs
//! ```
//!
//! 1. The cost is branch mispredictions, then set-up: a pair has few rows, and its answer is
//!    unpredictable. So the only branch before the probe of the middle rows tests whether the boxes
//!    overlap. Conditional moves order the masks as late as possible, and zeros replace a missing
//!    far strip.
//! 2. The geometry is derived here again, because [`PairGeometry`](super::pair_geometry) orders the
//!    masks first. With it, pairs of 16 px and 32 px took 1.03x to 1.05x as long in alternating
//!    runs.
//! 3. 15 rows, because a strip has at least 7 zero words before and behind it. So 15 rows around
//!    the middle of any overlap, even of a single row, are rows of it or zeros of one of the two.
//! 4. The rare cases run in a function that is never inlined, with the widest vector instructions
//!    of the machine. No register is reserved for them.
//! 5. Two flipped masks equal two upright masks at the mirrored offset. If only one is flipped,
//!    `one_pair` handles the pair, because it can walk rows backwards.

use super::batch::touches_query::Touches;
use super::one_pair;
use crate::geom::Point;
use crate::mask::{MaskRef, WORD};
use std::hint::select_unpredictable;
use wide::u64x8;

/// Rows of the probe.
const PROBE_ROWS: usize = 15;

/// Width in pixels up to which both masks are handled as one strip, with a code path of its own.
/// Not 64: in a scene of one size the branch is predictable. Sprites of 80 px have some poses
/// narrower than a strip, and the branch would be unpredictable.
const SMALL_WIDTH: u32 = 48;

/// The rows of a missing far strip.
static ZERO_ROWS: [u64; PROBE_ROWS] = [0; PROBE_ROWS];

/// Tests whether a pixel is set in both `a`, at (0, 0), and `b`, at `offset`.
#[inline(never)]
pub(crate) fn touches<'p>(a: &MaskRef<'p>, b: &MaskRef<'p>, offset: Point) -> bool {
    let (dx, mut dy) = (i64::from(offset.x), i64::from(offset.y));
    if a.is_flipped() | b.is_flipped() {
        if a.is_flipped() != b.is_flipped() {
            return test_all_rows(a, b, offset);
        }
        dy = i64::from(a.height()) - i64::from(b.height()) - dy;
    }
    // Columns and rows of each mask before the overlap.
    let (a_x, a_y) = (dx.max(0), dy.max(0));
    let (b_x, b_y) = (a_x - dx, a_y - dy);
    let columns = (i64::from(a.width()) - a_x).min(i64::from(b.width()) - b_x);
    let rows = (i64::from(a.height()) - a_y).min(i64::from(b.height()) - b_y);
    if columns <= 0 || rows <= 0 {
        return false;
    }
    // Sides are below 2^15, so everything from here on fits in 32 bits.
    let (columns, rows) = (columns as u32, rows as u32);
    let first = (rows as i32 - PROBE_ROWS as i32) >> 1;
    let (a_row, b_row) = (a_y as i32 + first, b_y as i32 + first);
    let (swap, across) = (dx < 0, dx.unsigned_abs() as u32);
    let from = |mask: &MaskRef<'p>, strip: u32, row: i32| {
        let (pool, start) = mask.strip(strip);
        (pool, (start as u32).wrapping_add_signed(row))
    };
    let hit = if a.width().max(b.width()) <= SMALL_WIDTH {
        let [(a_pool, a_from), (b_pool, b_from)] = [from(a, 0, a_row), from(b, 0, b_row)];
        let (near, right) =
            in_order(swap, ProbeRows::of(a_pool, a_from), ProbeRows::of(b_pool, b_from));
        let in_both = |row: usize| near.eight(row) >> across & right.eight(row);
        any_bit(in_both(0) | in_both(PROBE_ROWS - 8))
    } else {
        // The strip that contains the middle column.
        let middle = (columns - 1) / (2 * WORD);
        let (a_pool, a_from) = from(a, a_x as u32 / WORD + middle, a_row);
        let (b_pool, b_from) = from(b, b_x as u32 / WORD + middle, b_row);
        let (near, right) =
            in_order(swap, ProbeRows::of(a_pool, a_from), ProbeRows::of(b_pool, b_from));
        let shift = across % WORD;
        let is_far = shift + (columns - middle * WORD).min(WORD) > WORD;
        // Without a far strip the near strip is addressed again, which always lies in the pool.
        let stride = select_unpredictable(swap, b.stride(), a.stride()) as u32;
        let far = ProbeRows::of(
            select_unpredictable(swap, b_pool, a_pool),
            select_unpredictable(swap, b_from, a_from) + select_unpredictable(is_far, stride, 0),
        );
        let far = ProbeRows(select_unpredictable(is_far, far.0, &ZERO_ROWS));
        let in_both = |row: usize| {
            let window = near.eight(row) >> shift | far.eight(row) << ((WORD - shift) % WORD);
            window & right.eight(row)
        };
        any_bit(in_both(0) | in_both(PROBE_ROWS - 8))
    };
    // One branch for both conditions: a hit, and a probe that covered the whole overlap.
    if hit | ((rows <= PROBE_ROWS as u32) & (columns <= WORD)) {
        return hit;
    }
    test_all_rows(a, b, offset)
}

/// The [`PROBE_ROWS`] rows of one strip.
#[derive(Clone, Copy)]
struct ProbeRows<'p>(&'p [u64; PROBE_ROWS]);

impl<'p> ProbeRows<'p> {
    /// Returns the rows from word `from` on.
    #[inline(always)]
    fn of(pool: &'p [u64], from: u32) -> Self {
        let from = from as usize;
        Self(pool[from..from + PROBE_ROWS].first_chunk().unwrap())
    }

    #[inline(always)]
    fn eight(self, from: usize) -> u64x8 {
        u64x8::new(*self.0[from..from + 8].first_chunk().unwrap())
    }
}

/// Returns the rows of the left mask and of the right mask.
#[inline(always)]
fn in_order<'p>(swap: bool, a: ProbeRows<'p>, b: ProbeRows<'p>) -> (ProbeRows<'p>, ProbeRows<'p>) {
    (
        ProbeRows(select_unpredictable(swap, b.0, a.0)),
        ProbeRows(select_unpredictable(swap, a.0, b.0)),
    )
}

/// Tests whether any bit is set. (`u64x8::any` tests sign bits only.)
#[inline(always)]
fn any_bit(block: u64x8) -> bool {
    block.to_array().iter().fold(0, |all, row| all | row) != 0
}

/// Tests all rows and strips. Marked `#[cold]` so that the compiler reserves no registers for it,
/// although it is not rare.
#[cold]
#[inline(never)]
fn test_all_rows(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> bool {
    one_pair::run(Touches, a, b, offset)
}
