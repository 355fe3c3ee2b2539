//! `touches` of one pair.
//!
//! ```text
//! where the boxes overlap: columns and rows; leave unless there are some of both
//! leave if the middle 15 rows of the middle strip share a pixel, or are all there is:
//!   (near >> shift | far << (64 - shift)) & right
//! large masks: leave if their boards decide
//! the walk of all that there is                                                   one_pair.rs
//! ```
//!
//! 1. The costs are mispredicted branches and, after them, set-up: a pair has few rows, and its
//!    answer is as good as random. So the only branch before the look at the middle is whether the
//!    boxes overlap. Conditional moves order the masks, as late as possible, and zeros take the place
//!    of a missing far strip.
//! 2. So the geometry is derived here once more: with [`PairGeometry`](super::pair_geometry), which
//!    orders the masks first, pairs of 16 and 32 px took 1.03x to 1.05x of the time, in turn.
//! 3. 15 rows, because a strip has at least 7 zeros before and behind it: as many rows round the middle
//!    of any overlap, be it a single row, are rows of it or zeros of one of the two.
//! 4. The rare cases start again behind a call that is never inlined, with the widest instructions of
//!    the machine, chosen at run time. No register is kept for them.
//! 5. Two masks upside down are two upright masks at the mirrored offset. One of the two upside
//!    down goes to `one_pair`, which can walk rows backwards.

use super::batch::touches_query::Touches;
use super::{Certainty, coarse, one_pair};
use crate::geom::Point;
use crate::mask::{MaskRef, WORD};
use std::hint::select_unpredictable;
use wide::u64x8;

/// Rows that are looked at first.
const ROWS: usize = 15;

/// Two masks that are no wider than this have one strip each, and a way of their own. Not 64: in a
/// scene of one size the processor learns which way it goes, but for sprites of 80 pixels, some of
/// which are narrower than a strip, that would be as good as random.
const SMALL: u32 = 48;

/// What takes the place of a far strip.
static NOTHING: [u64; ROWS] = [0; ROWS];

/// Words of the smaller mask from which the coarse boards are asked before the pixels. Lower, and
/// boards cost more than the pixels they save; higher, and large misses are walked in full.
const LARGE: u32 = 1024;

/// True where a pixel is set in both `a` at (0, 0) and `b` at `offset`.
#[inline(never)]
pub(crate) fn touches<'p>(a: &MaskRef<'p>, b: &MaskRef<'p>, offset: Point) -> bool {
    let (dx, mut dy) = (i64::from(offset.x), i64::from(offset.y));
    if a.is_flipped() | b.is_flipped() {
        if a.is_flipped() != b.is_flipped() {
            return walk(a, b, offset);
        }
        dy = i64::from(a.height()) - i64::from(b.height()) - dy;
    }
    // Columns and rows of each that lie before the overlap.
    let (a_x, a_y) = (dx.max(0), dy.max(0));
    let (b_x, b_y) = (a_x - dx, a_y - dy);
    let columns = (i64::from(a.width()) - a_x).min(i64::from(b.width()) - b_x);
    let rows = (i64::from(a.height()) - a_y).min(i64::from(b.height()) - b_y);
    if columns <= 0 || rows <= 0 {
        return false;
    }
    // Sides are below 2^15: from here on all fits in 32 bits.
    let (columns, rows) = (columns as u32, rows as u32);
    let first = (rows as i32 - ROWS as i32) >> 1;
    let (a_row, b_row) = (a_y as i32 + first, b_y as i32 + first);
    let (swap, across) = (dx < 0, dx.unsigned_abs() as u32);
    let from = |mask: &MaskRef<'p>, strip: u32, row: i32| {
        let (pool, start) = mask.strip(strip);
        (pool, (start as u32).wrapping_add_signed(row))
    };
    let hit = if a.width().max(b.width()) <= SMALL {
        let [(a_pool, a_from), (b_pool, b_from)] = [from(a, 0, a_row), from(b, 0, b_row)];
        let (near, right) = in_order(swap, Look::of(a_pool, a_from), Look::of(b_pool, b_from));
        let in_both = |row: usize| near.eight(row) >> across & right.eight(row);
        is_set(in_both(0) | in_both(ROWS - 8))
    } else {
        // The strip that the middle column lies in.
        let middle = (columns - 1) / (2 * WORD);
        let (a_pool, a_from) = from(a, a_x as u32 / WORD + middle, a_row);
        let (b_pool, b_from) = from(b, b_x as u32 / WORD + middle, b_row);
        let (near, right) = in_order(swap, Look::of(a_pool, a_from), Look::of(b_pool, b_from));
        let shift = across % WORD;
        let is_far = shift + (columns - middle * WORD).min(WORD) > WORD;
        // Where there is no far strip the near one once more, which surely lies in the pool.
        let stride = select_unpredictable(swap, b.stride(), a.stride()) as u32;
        let far = Look::of(
            select_unpredictable(swap, b_pool, a_pool),
            select_unpredictable(swap, b_from, a_from) + select_unpredictable(is_far, stride, 0),
        );
        let far = Look(select_unpredictable(is_far, far.0, &NOTHING));
        let in_both = |row: usize| {
            let window = near.eight(row) >> shift | far.eight(row) << ((WORD - shift) % WORD);
            window & right.eight(row)
        };
        is_set(in_both(0) | in_both(ROWS - 8))
    };
    // In one branch: what it looked at may have been all.
    if hit | ((rows <= ROWS as u32) & (columns <= WORD)) {
        return hit;
    }
    walk(a, b, offset)
}

/// The [`ROWS`] rows of a strip that are looked at.
#[derive(Clone, Copy)]
struct Look<'p>(&'p [u64; ROWS]);

impl<'p> Look<'p> {
    /// Those from word `from` on.
    #[inline(always)]
    fn of(pool: &'p [u64], from: u32) -> Self {
        let from = from as usize;
        Self(pool[from..from + ROWS].first_chunk().unwrap())
    }

    #[inline(always)]
    fn eight(self, from: usize) -> u64x8 {
        u64x8::new(*self.0[from..from + 8].first_chunk().unwrap())
    }
}

/// The left one and the right one.
#[inline(always)]
fn in_order<'p>(swap: bool, a: Look<'p>, b: Look<'p>) -> (Look<'p>, Look<'p>) {
    (Look(select_unpredictable(swap, b.0, a.0)), Look(select_unpredictable(swap, a.0, b.0)))
}

/// True where any bit is set. (`u64x8::any` looks at sign bits only.)
#[inline(always)]
fn is_set(block: u64x8) -> bool {
    block.to_array().iter().fold(0, |all, row| all | row) != 0
}

/// The same of all rows and strips. Not that it never happens: told that it is rare, the compiler
/// keeps nothing for it.
#[cold]
#[inline(never)]
fn walk(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> bool {
    let words = |mask: &MaskRef<'_>| mask.strips() * mask.height();
    if words(a).min(words(b)) >= LARGE {
        match coarse::certainty(*a, *b, offset) {
            Certainty::No => return false,
            Certainty::Yes => return true,
            Certainty::Maybe => {}
        }
    }
    one_pair::ask(Touches, a, b, offset)
}
