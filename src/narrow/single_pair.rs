//! Queries of one pair of masks: `touches`, area, first pixel, contact.
//!
//! `batch/pair_geometry.rs` derives the geometry for vectors of pairs.
//!
//! `touches` probes the middle rows, and walks only if they do not decide:
//!
//! ```text
//! intersect the boxes; return false if it is empty
//! AND the middle 15 rows of the middle strip:  (near >> shift | far << (64 - shift)) & right
//! return if a bit is set, or if these rows are the whole overlap
//! walk all rows and strips, as the other queries do
//! ```
//!
//! The other queries walk every row of the overlap:
//!
//! ```text
//! derive the intersection of the boxes
//! walk the strips with the kernel of the batch: one strip, or all            batch/strip_query.rs
//! ```
//!
//! 1. The SIMD level is selected once per call, which costs about as much as 4 blocks. `touches`
//!    needs fewer blocks on average, so it starts with the `wide` crate.
//! 2. One walk computes box, area and first pixel together, at little more than the cost of one of
//!    them.
//! 3. The remaining cost of a walk is three unpredictable branches: the number of blocks, a far
//!    strip or none, and a pixel or none.
//!
//! # Touches
//!
//! 1. The cost is branch mispredictions, then set-up: a pair has few rows, and its answer is
//!    unpredictable. So the only branch before the probe of the middle rows tests whether the boxes
//!    overlap. Conditional moves order the masks as late as possible, and zeros replace a missing
//!    far strip.
//! 2. The geometry is derived again, because [`PairGeometry`] orders the masks first. With it, pairs
//!    of 16 px and 32 px took 1.03x to 1.05x as long in alternating runs.
//! 3. 15 rows, because a strip has at least 7 zero words before and behind it. So 15 rows around
//!    the middle of any overlap, even of a single row, are rows of it or zeros of one of the two.
//! 4. The rare cases run in a function that is never inlined, with the widest vector instructions
//!    of the machine. No register is reserved for them.
//! 5. Two flipped masks equal two upright masks at the mirrored offset. If only one is flipped, the
//!    pair is walked, because a walk can go backwards.

use super::batch::bounds_queries::{FirstPoint, WholeContact};
use super::batch::popcount::Area;
use super::batch::shifted_rows::{Job, Strips};
use super::batch::strip_query::{Query, WalkPosition};
use super::batch::touches_query::Touches;
use super::{Contact, ScanOrder};
use crate::geom::Point;
use crate::mask::{BLOCK, MaskRef, WORD};
use crate::simd::{self, with_level};
use fearless_simd::{Level, Simd};
use std::hint::select_unpredictable;
use wide::u64x8;

/// The intersection of the boxes of a pair, and its position in both masks.
///
/// Rows are walked in the order in which the left mask stores them. If the left mask is flipped,
/// the walk goes upwards, as if both masks were flipped.
#[derive(Clone, Copy)]
pub(super) struct PairGeometry {
    /// The second mask is the left one.
    swap: bool,
    /// The column of the left mask that faces the first column of the right one.
    pub(super) dx: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// The first row of the walk in each mask, counted in the order of the walk.
    pub(super) left_row: u32,
    pub(super) right_row: u32,
    /// The rows of the right mask are stored against the order of the walk.
    pub(super) reversed: bool,
    /// The walk goes from the bottom of the overlap to its top.
    pub(super) upwards: bool,
    /// The top-left pixel of the overlap, in the pixels of the first mask.
    pub(super) corner: Point,
}

impl PairGeometry {
    /// Returns the geometry of `a` and `b`, at (`dx`, `dy`); `None` if the boxes are apart.
    #[inline(always)]
    pub(super) fn new(a: &MaskRef<'_>, b: &MaskRef<'_>, dx: i32, dy: i32) -> Option<Self> {
        let (swap, y) = (dx < 0, dy);
        let (left, right) = order(swap, a, b);
        let across = dx.unsigned_abs();
        let dy = select_unpredictable(swap, dy.wrapping_neg(), dy);
        let (left_h, right_h) = (left.height() as i32, right.height() as i32);
        // Sides are below 2^15, so a pair that passes has an offset of that size, and 32 bits
        // suffice.
        let meet = (across < left.width()) & (right.width() != 0) & (left_h != 0) & (right_h != 0);
        if !(meet & (dy < left_h) & (dy > -right_h)) {
            return None;
        }
        let upwards = left.is_flipped();
        let down = if upwards { left_h - right_h - dy } else { dy };
        let (left_row, right_row) = (down.max(0) as u32, (-down).max(0) as u32);
        Some(Self {
            swap,
            dx: across,
            columns: (left.width() - across).min(right.width()),
            rows: (left.height() - left_row).min(right.height() - right_row),
            left_row,
            right_row,
            reversed: upwards != right.is_flipped(),
            upwards,
            corner: Point::new(dx.max(0), y.max(0)),
        })
    }

    /// Returns the left and the right of two values given for the first and the second mask.
    #[inline(always)]
    pub(super) fn order<M: Copy>(&self, a: M, b: M) -> (M, M) {
        order(self.swap, a, b)
    }
}

/// Swaps without a branch, because it is unpredictable which mask is left.
#[inline(always)]
fn order<M: Copy>(swap: bool, a: M, b: M) -> (M, M) {
    (select_unpredictable(swap, b, a), select_unpredictable(swap, a, b))
}

// Not generic, so that each query is compiled once, here, and not in the calling crate.

pub(super) fn area(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    run(Area, a, b, offset)
}

/// Returns the first pixel set in both, by `order`.
pub(super) fn first_point(
    order: ScanOrder,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Option<Point> {
    run(FirstPoint(order), a, b, offset)
}

pub(super) fn contact(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Option<Contact> {
    run(WholeContact, a, b, offset)
}

/// Runs `query` on `a`, at (0, 0), and `b`, at `offset`.
#[inline(always)]
pub(super) fn run<Q: Query>(
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    run_at_level(simd::preferred(), query, a, b, offset)
}

#[inline(always)]
fn run_at_level<Q: Query>(
    level: Level,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    // Packed into one register: a wide load right after two narrow stores defeats store forwarding.
    let offset = u64::from(offset.x as u32) | u64::from(offset.y as u32) << 32;
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(simd) => run_outlined(simd, query, a, b, offset),
        level => with_level!(level, simd => simd.vectorize(
            #[inline(always)]
            || run_with_simd(simd, query, a, b, offset),
        )),
    }
}

/// Same as [`run_with_simd`], for the level that the whole program is compiled for. Not inlined,
/// because its locals would take registers from the caller.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(never)]
fn run_outlined<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: u64,
) -> Q::Answer {
    run_with_simd(simd, query, a, b, offset)
}

#[inline(always)]
fn run_with_simd<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: u64,
) -> Q::Answer {
    let Some(overlap) = PairGeometry::new(a, b, offset as i32, (offset >> 32) as i32) else {
        return query.answer(Q::NONE, Point::default());
    };
    let PairGeometry { columns, rows, upwards, reversed, .. } = overlap;
    let (left, right) = overlap.order(a, b);
    let blocks = rows.div_ceil(BLOCK);
    let position = WalkPosition { column: 0, rows, upwards, before: 0 };
    let (left_pool, near) = left.strip(overlap.dx / WORD);
    let (right_pool, right_start) = right.strip(0);
    // The lowest word that is read: if rows run backwards, that of the last block.
    let start = if reversed {
        right.height().wrapping_sub(overlap.right_row).wrapping_sub(blocks * BLOCK)
    } else {
        overlap.right_row
    };
    let near = near as u32 + overlap.left_row;
    let job = Job {
        near,
        far: near + left.stride() as u32,
        right: (right_start as u32).wrapping_add(start),
        shift: overlap.dx % WORD,
    };
    let strips = PairStrips {
        pools: [left_pool, right_pool],
        job,
        left_stride: left.stride() as u32,
        right_stride: right.stride() as u32,
        columns,
        blocks,
    };
    let found = match (reversed, columns <= WORD) {
        (false, true) => run_single_strip::<S, Q, false>(query, strips.of(simd), position),
        (false, false) => run_all_strips::<S, Q, false>(query, strips, simd, position),
        (true, _) => run_all_strips::<S, Q, true>(query, strips, simd, position),
    };
    query.answer(found, overlap.corner)
}

/// The position of the strips of a pair in their pools.
#[derive(Clone, Copy)]
struct PairStrips<'p> {
    pools: [&'p [u64]; 2],
    job: Job,
    left_stride: u32,
    right_stride: u32,
    columns: u32,
    blocks: u32,
}

impl<'p> PairStrips<'p> {
    #[inline(always)]
    fn of<S: Simd, const R: bool>(self, simd: S) -> Strips<'p, S, R> {
        let Self { pools, job, left_stride, right_stride, columns, blocks } = self;
        Strips { rows: None, simd, pools, job, left_stride, right_stride, columns, blocks }
    }
}

#[inline(always)]
fn run_single_strip<S: Simd, Q: Query, const R: bool>(
    query: Q,
    strips: Strips<'_, S, R>,
    position: WalkPosition,
) -> Q::Found {
    let blocks = strips.blocks;
    if strips.is_far(0) {
        query.single_strip(strips.window::<true>(0, (0, blocks)), blocks as usize, position)
    } else {
        query.single_strip(strips.window::<false>(0, (0, blocks)), blocks as usize, position)
    }
}

/// A separate `vectorize`, so that the common case of one strip stays small.
#[inline(always)]
fn run_all_strips<S: Simd, Q: Query, const R: bool>(
    query: Q,
    shape: PairStrips<'_>,
    simd: S,
    position: WalkPosition,
) -> Q::Found {
    simd.vectorize(
        #[inline(always)]
        || query.pair(shape.of::<S, R>(simd), position),
    )
}

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

/// Tests all rows and strips. Not rare, but `#[cold]` reserves no registers for it.
#[cold]
#[inline(never)]
fn test_all_rows(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> bool {
    run(Touches, a, b, offset)
}
