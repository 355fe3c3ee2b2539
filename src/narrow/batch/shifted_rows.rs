//! The rows of one job, eight at a time: the vector form of the shifted window.
//!
//! ```text
//! both(i) = (near[i] >> shift | far[i] << (64 - shift)) & right[i]
//! ```
//!
//! 1. A far strip exists only if shift is not 0. So no shift reaches 64, where instruction sets
//!    differ.
//! 2. Beyond the last row of the overlap at least one side reads guard words, which are zero. So
//!    there is no tail loop.
//! 3. The presence of a far strip and the row order of right are type constants. Masking out a
//!    missing far strip takes longer: area 512 px 1.13x, box 1.02x to 1.05x.
//!
//! # Occupied blocks
//!
//! The blocks of a strip that may hold pixels of both masks, from the occupied row ranges stored
//! with each mask.
//!
//! ```text
//! left   = occupied rows of left's strip, and of its next one if the strip extends into it
//! right  = occupied rows of right's strip, counted from the bottom if they run backwards
//! blocks = the blocks of the overlap that intersect both ranges
//! ```
//!
//! Ends are rounded to whole blocks of the overlap, so loads keep their alignment. Rows beyond the
//! overlap are cut off with the blocks, or are zero on one side.

use crate::mask::{BLOCK, MaskPool, RANGE_ENTRIES, RANGE_STRIPS, WORD};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x8, u32x8, u64x8};

pub(crate) const BLOCK_ROWS: usize = BLOCK as usize;

/// The position of a job in the pool: the first words of its rows, and the shift in bits.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) near: u32,
    pub(crate) far: u32,
    pub(crate) right: u32,
    pub(crate) shift: u32,
}

/// The rows of a job: `FAR` into left's next strip, `REVERSED` if right's run backwards.
#[derive(Clone, Copy)]
pub(crate) struct ShiftedRows<'p, S, const FAR: bool, const REVERSED: bool> {
    pub(crate) simd: S,
    near: &'p [[u64; BLOCK_ROWS]],
    far: &'p [[u64; BLOCK_ROWS]],
    right: &'p [[u64; BLOCK_ROWS]],
    shift: u32,
}

impl<'p, S: Simd, const FAR: bool, const REVERSED: bool> ShiftedRows<'p, S, FAR, REVERSED> {
    #[inline(always)]
    pub(crate) fn new(simd: S, pool: &'p [u64], job: Job, blocks: usize) -> Self {
        Self::of_pools(simd, [pool; 2], job, blocks)
    }

    /// Same as [`new`](Self::new), for masks in two pools.
    #[inline(always)]
    pub(crate) fn of_pools(
        simd: S,
        [left, right]: [&'p [u64]; 2],
        job: Job,
        blocks: usize,
    ) -> Self {
        let rows = |pool: &'p [u64], start: u32| {
            let start = start as usize;
            &pool[start..start + blocks * BLOCK_ROWS].as_chunks().0[..blocks]
        };
        let near = rows(left, job.near);
        let far = if FAR { rows(left, job.far) } else { near };
        Self { simd, near, far, right: rows(right, job.right), shift: job.shift }
    }

    /// Returns the pixels set in both masks in block `i`, which must be in range.
    #[inline(always)]
    pub(crate) fn both(&self, i: usize) -> u64x8<S> {
        let load = |rows: &[u64; BLOCK_ROWS]| u64x8::load_array_ref(self.simd, rows);
        let mut window = load(&self.near[i]) >> self.shift;
        if FAR {
            window |= load(&self.far[i]) << ((WORD - self.shift) % WORD);
        }
        if REVERSED {
            window & load(&self.right[self.right.len() - 1 - i]).reverse()
        } else {
            window & load(&self.right[i])
        }
    }
}

impl<S: Simd, const FAR: bool, const REVERSED: bool> ShiftedRows<'_, S, FAR, REVERSED> {
    /// Returns vector `n` of block `i`, in the native width of the level. Both must be in range.
    #[inline(always)]
    pub(crate) fn part(&self, i: usize, n: usize) -> S::u64s {
        let lanes = S::u64s::LEN;
        let load = |rows: &[u64; BLOCK_ROWS], n: usize| {
            S::u64s::from_slice(self.simd, &rows[n * lanes..][..lanes])
        };
        let mut window = load(&self.near[i], n) >> self.shift;
        if FAR {
            window |= load(&self.far[i], n) << ((WORD - self.shift) % WORD);
        }
        if REVERSED {
            let right = &self.right[self.right.len() - 1 - i];
            window & load(right, BLOCK_ROWS / lanes - 1 - n).reverse()
        } else {
            window & load(&self.right[i], n)
        }
    }

    /// Returns the pixels set in both masks in row `row` in walk order, which must be in range.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> u64 {
        let mut window = self.near.as_flattened()[row] >> self.shift;
        if FAR {
            window |= self.far.as_flattened()[row] << ((WORD - self.shift) % WORD);
        }
        let right = self.right.as_flattened();
        window & if REVERSED { right[right.len() - 1 - row] } else { right[row] }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Strips<'p, S, const REVERSED: bool> {
    /// The occupied rows of a tall pair; `None` reads all blocks.
    pub(crate) rows: Option<OccupiedRows<'p, REVERSED>>,
    pub(crate) simd: S,
    /// The pools of the left and of the right mask.
    pub(crate) pools: [&'p [u64]; 2],
    /// The first strip.
    pub(crate) job: Job,
    pub(crate) left_stride: u32,
    pub(crate) right_stride: u32,
    /// Width of the overlap in pixels.
    pub(crate) columns: u32,
    pub(crate) blocks: u32,
}

impl<'p, S: Simd, const REVERSED: bool> Strips<'p, S, REVERSED> {
    /// Returns the number of strips, at least 1.
    #[inline(always)]
    pub(crate) const fn len(&self) -> u32 {
        self.columns.div_ceil(WORD)
    }

    /// Tests whether strip `strip` extends into the next strip of the left mask.
    #[inline(always)]
    pub(crate) const fn is_far(&self, strip: u32) -> bool {
        (self.job.shift != 0) & (self.columns - strip * WORD + self.job.shift > WORD)
    }

    /// Returns the first and the end block that may hold a pixel; empty unless ascending.
    #[inline(always)]
    pub(crate) fn range(&self, strip: u32) -> (u32, u32) {
        match &self.rows {
            Some(rows) => rows.strip(strip, self.is_far(strip)),
            None => (0, self.blocks),
        }
    }

    /// Returns blocks `from..to` of a strip, whose [`is_far`](Self::is_far) is `FAR`.
    #[inline(always)]
    pub(crate) fn window<const FAR: bool>(
        &self,
        strip: u32,
        (from, to): (u32, u32),
    ) -> ShiftedRows<'p, S, FAR, REVERSED> {
        let near = self.job.near + strip * self.left_stride + from * BLOCK;
        let along = if REVERSED { self.blocks - to } else { from };
        let job = Job {
            near,
            far: near + self.left_stride,
            right: self.job.right + strip * self.right_stride + along * BLOCK,
            shift: self.job.shift,
        };
        ShiftedRows::of_pools(self.simd, self.pools, job, (to - from) as usize)
    }
}

#[inline(always)]
pub(crate) fn any_bit<S: Simd>(block: u64x8<S>) -> bool {
    if S::u64s::LEN == 8 {
        return block.simd_ne(u64x8::splat(block.simd, 0)).any_true();
    }
    let (low, high) = block.split();
    let half = low | high;
    let (low, high) = half.split();
    let words = (low | high).to_array();
    words[0] | words[1] != 0
}

/// Returns the OR of blocks `start..end`, at least one.
#[inline(always)]
pub(crate) fn union<S: Simd, const FAR: bool, const REVERSED: bool>(
    window: &ShiftedRows<'_, S, FAR, REVERSED>,
    start: usize,
    end: usize,
) -> u64x8<S> {
    let mut any = window.both(start);
    for block in start + 1..end {
        any |= window.both(block);
    }
    any
}

/// Blocks of a tall pair that are tested at once.
pub(crate) const WALK_BLOCKS: u32 = 4;

/// The occupied rows of a pair. `REVERSED` if the rows of right run backwards.
#[derive(Clone, Copy)]
pub(crate) struct OccupiedRows<'p, const REVERSED: bool> {
    pub(crate) pool: MaskPool<'p>,
    /// The first words of the masks.
    pub(crate) left: u32,
    pub(crate) right: u32,
    /// Strips of left before the overlap.
    pub(crate) across: u32,
    pub(crate) shift: u32,
    pub(crate) blocks: u32,
    /// The row of left at which the walk starts.
    pub(crate) left_row: i32,
    /// The row of right at which the walk starts, or the one below if rows run backwards.
    pub(crate) right_row: i32,
}

impl<const REVERSED: bool> OccupiedRows<'_, REVERSED> {
    /// Returns the first block and the end block that both masks may occupy in strip `strip`; empty
    /// unless the second is greater. `far` if the strip extends into the next one of left.
    #[inline(always)]
    pub(crate) fn strip(&self, strip: u32, far: bool) -> (u32, u32) {
        let rows = |range: u32| ((range & 0xffff) as i32, (range >> 16) as i32);
        let left = self.pool.ranges(self.left, self.across + strip);
        let (near, next) = (rows(left[0]), rows(left[usize::from(far)]));
        let (first, end) = (near.0.min(next.0) - self.left_row, near.1.max(next.1) - self.left_row);
        let (above, below) = rows(self.pool.ranges(self.right, strip)[0]);
        let (other, other_end) = if REVERSED {
            (self.right_row - below, self.right_row - above)
        } else {
            (above - self.right_row, below - self.right_row)
        };
        let from = first.max(other).max(0) as u32 / BLOCK;
        let to = (end.min(other_end).max(0) as u32).div_ceil(BLOCK);
        (from, to.min(self.blocks))
    }

    /// Returns the same for eight strips from `strip` on, of which `columns` columns overlap. The
    /// mask has one bit for each strip with blocks. Each range has the first block in its low half
    /// and the end block in its high half.
    #[inline(always)]
    pub(crate) fn eight_strips<S: Simd>(
        &self,
        simd: S,
        strip: u32,
        columns: u32,
    ) -> (u32, [u32; RANGE_STRIPS]) {
        const STRIP_COLUMNS: [i32; RANGE_STRIPS] = [0, 64, 128, 192, 256, 320, 384, 448];
        let rows = |ranges: u32x8<S>| -> (i32x8<S>, i32x8<S>) {
            ((ranges & 0xffff).bitcast(), (ranges >> 16).bitcast())
        };
        let number = |n: i32| i32x8::splat(simd, n);
        let starts = i32x8::load_array(simd, STRIP_COLUMNS);
        let left: &[u32; RANGE_ENTRIES] = self.pool.ranges(self.left, self.across + strip);
        let near = u32x8::from_slice(simd, &left[..RANGE_STRIPS]);
        let next = u32x8::from_slice(simd, &left[1..]);
        // Strips that start before this column extend into the next one.
        let reach = (columns + self.shift).wrapping_sub(WORD);
        let reach = reach & u32::from(self.shift != 0).wrapping_neg();
        let next = starts.simd_lt(number(reach as i32)).select(next, near);
        let (near, next) = (rows(near), rows(next));
        let left_row = number(self.left_row);
        let (first, end) = (near.0.min(next.0) - left_row, near.1.max(next.1) - left_row);
        let right: &[u32; RANGE_ENTRIES] = self.pool.ranges(self.right, strip);
        let (above, below) = rows(u32x8::from_slice(simd, &right[..RANGE_STRIPS]));
        let right_row = number(self.right_row);
        let (other, other_end) = if REVERSED {
            (right_row - below, right_row - above)
        } else {
            (above - right_row, below - right_row)
        };
        let from = first.max(other).max(number(0)) >> BLOCK.ilog2();
        let to = (end.min(other_end) + number(BLOCK as i32 - 1)) >> BLOCK.ilog2();
        let to = to.min(number(self.blocks as i32));
        let non_empty = from.simd_lt(to) & starts.simd_lt(number(columns as i32));
        let ranges: u32x8<S> = (from | to << 16).bitcast();
        (non_empty.to_bitmask() as u32, ranges.into())
    }
}
