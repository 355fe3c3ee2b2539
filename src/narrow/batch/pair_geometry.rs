//! Stage 2: from two boxes at an offset to where the rows of their strips lie.
//!
//! ```text
//! swap a and b where dx < 0                          left is the one farther left
//! where left is upside down: turn both over          left is then walked downwards
//! rows, columns = overlap of the boxes
//! blocks = ceil(rows / 8), m = the strip in which the middle column lies; without a probe 0
//! near  = left's strip dx / 64 + m, at the overlap's first row
//! right = right's strip m, likewise, or where it is upside down: the lowest word that is read
//! ```
//!
//! 1. No branch: swaps are x ^ ((x ^ y) & mask), and every lane does all of it, also for pairs that do not
//!    overlap. The compiler turns the loop into vectors as wide as the level has, but only a loop of fixed
//!    length: hence [`LANES`] at a time, whatever the count.
//! 2. Turning a pair over (both masks upside down and the offset mirrored: dy becomes
//!    left height - right height - dy) changes no answer but the order of rows. So there are two
//!    cases, not four: rows run alike, or right's run backwards.
//! 3. Sums wrap. The offset is inside if -right height < dy < left height: after a shift of the origin one
//!    comparison of unsigned numbers, which holds for any i32.

use super::job_buckets::{
    BUCKETS_PER_KEY, FAR, NO_OVERLAP, PROBE_REVERSED, PROBE_TALL, PROBE_WIDE, PROBES, REVERSED,
    STRIP_CLASSES, STRIP_UNIT, slot,
};
use super::occupied_blocks::{OccupiedRows, WALK_BLOCKS};
use super::shifted_rows::{Job, Strips};
use super::staging::{LANES, Lanes, PASSES, Stage};
use super::strip_query::WalkPosition;
use crate::geom::Point;
use crate::mask::{BLOCK, MaskSize, Pool, TALL, WORD, stride_of};
use bytemuck::Zeroable;
use fearless_simd::Simd;

/// Pairs of more blocks than this are probed first; blocks of far strips count, too. Lower, and probes that
/// settle nothing cost more than they save; higher, and hits read more blocks than they need. Since most narrow
/// overlaps of large masks end before (`diagonal_reject.rs`), 64 px take 8.7 ns, and 9.2 with 8 and (3, 40); with
/// AVX2 10.7 and 12.0, with SSE2 15.3 and 16.6; 32 px and 100 px up the same. With 3, 4 or 6 within 3%.
const PROBED: u32 = 5;

/// Pairs of more blocks than the first number that are wider than the second, in pixels, are probed, too: a
/// probe of a wide overlap is likely to hit.
const PROBED_WIDE: (u32, u32) = (2, 32);

/// Returns the product of a number of strips and their stride or blocks. Masked to 15 bits, which both fit:
/// vectors multiply halves of a lane in one step, but whole lanes, without SSE4.1, in six.
#[inline(always)]
const fn times(strips: u32, stride: u32) -> u32 {
    (strips & 0x7fff) * (stride & 0x7fff)
}

/// Pairs that overlap in more blocks than this may be tall: each strip is then cut to the rows in which both
/// masks have pixels.
const TALL_BLOCKS: u32 = 8;

// Both masks of such a pair have ranges, and it has the blocks of a step.
const _: () = assert!(TALL_BLOCKS * BLOCK >= TALL && TALL_BLOCKS >= WALK_BLOCKS);

/// With a probe, pairs of more blocks than this, those of all strips, are tall. Lower, and finding the rows
/// costs more than it saves: with 0, 128 px 17.3 -> 20.3 ns, 160 px 21.2 -> 23.8. Higher, and 512 px
/// 45.9 -> 48 with 48 (AVX2, Zen 4).
const TALL_PROBED: u32 = 24;

/// The same pair by pair, where branches are predicted the better the more pairs are alike: with 24, 256 px
/// 128 -> 132 ns for the area and 125 -> 135 for the box; with 96, 512 px 319 -> 326 and 226 -> 239.
pub(crate) const TALL_WALKED: u32 = 72;

/// True where a pair of `blocks` blocks and `strips` strips is tall.
#[inline(always)]
pub(crate) const fn is_tall(blocks: u32, strips: u32, limit: u32) -> bool {
    (blocks > TALL_BLOCKS) & (times(strips, blocks) > limit)
}

/// Where the pairs of a chunk overlap, one array a number.
#[derive(Zeroable)]
pub(crate) struct Geometry {
    /// Word of the left mask at which the walk of the present strip starts.
    pub(crate) near: Lanes<u32>,
    /// Word of the right mask that meets it; where rows run backwards, 8 words before the end of the last
    /// block's.
    pub(crate) right: Lanes<u32>,
    /// Word of the left mask's next strip at which the walk starts, where the present strip reaches into it;
    /// else 0, where one block of zeros lies.
    pub(crate) far: Lanes<u32>,
    /// Column of the near strip that the right strip's column 0 meets.
    pub(crate) shift: Lanes<u32>,
    /// Words from one strip of the left mask to the next.
    pub(crate) left_stride: Lanes<u32>,
    /// The same for the right mask.
    pub(crate) right_stride: Lanes<u32>,
    /// Width of the overlap in pixels.
    pub(crate) columns: Lanes<u32>,
    /// Blocks of 8 rows; 0 where the boxes do not overlap.
    pub(crate) blocks: Lanes<u32>,
    /// The bucket of the present strip.
    pub(crate) key: Lanes<u32>,
    /// The bucket that the pair goes to at first. With a probe: that of its key, or [`PROBES`] and up where
    /// it is probed, or [`NO_OVERLAP`] and up. Without: that of its key, and [`STRIP_UNIT`] times the number
    /// of its strips less 1.
    pub(crate) first: Lanes<u32>,
    /// 1 where the boxes overlap. Not filled with a probe.
    pub(crate) open: Lanes<u32>,
    /// As near, far and right, for the block that is probed.
    probe_near: Lanes<u32>,
    probe_far: Lanes<u32>,
    probe_right: Lanes<u32>,
    /// Rows of the overlap.
    pub(crate) rows: Lanes<u32>,
    /// Left edge of the overlap in the first mask's pixels.
    x: Lanes<u32>,
    /// Top edge of the overlap in the first mask's pixels.
    y: Lanes<u32>,
    /// 1 where the walk goes from the bottom of the overlap to its top.
    pub(crate) upwards: Lanes<u32>,
}

impl Geometry {
    /// Computes the first `n` pairs. With `PROBE` the present strip is the middle one, and long pairs are
    /// held back for a probe; else it is the first. `NEEDS_POSITION` fills the last four arrays, too, which only
    /// queries that tell a place read.
    #[inline(always)]
    pub(crate) fn fill<const PROBE: bool, const NEEDS_POSITION: bool>(
        &mut self,
        stage: &Stage,
        n: usize,
    ) {
        for pass in 0..n.div_ceil(LANES).min(PASSES) {
            self.pass::<PROBE, NEEDS_POSITION>(stage, pass);
        }
    }

    #[inline(always)]
    fn pass<const PROBE: bool, const NEEDS_POSITION: bool>(&mut self, stage: &Stage, pass: usize) {
        let [a_words, a_size] = [&stage.a_words, &stage.a_size].map(|lanes| lanes.pass(pass));
        let [b_words, b_size] = [&stage.b_words, &stage.b_size].map(|lanes| lanes.pass(pass));
        let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
        let near = self.near.pass_mut(pass);
        let far = self.far.pass_mut(pass);
        let right = self.right.pass_mut(pass);
        let shift = self.shift.pass_mut(pass);
        let left_stride = self.left_stride.pass_mut(pass);
        let right_stride = self.right_stride.pass_mut(pass);
        let columns = self.columns.pass_mut(pass);
        let blocks = self.blocks.pass_mut(pass);
        let key = self.key.pass_mut(pass);
        let first = self.first.pass_mut(pass);
        let open = self.open.pass_mut(pass);
        let probe_near = self.probe_near.pass_mut(pass);
        let probe_far = self.probe_far.pass_mut(pass);
        let probe_right = self.probe_right.pass_mut(pass);
        let rows = self.rows.pass_mut(pass);
        let x = self.x.pass_mut(pass);
        let y = self.y.pass_mut(pass);
        let upwards = self.upwards.pass_mut(pass);
        for i in 0..LANES {
            let swap = dx[i] >> 31;
            let sorted = |a: u32, b: u32| {
                let differ = (a ^ b) & swap as u32;
                (a ^ differ, b ^ differ)
            };
            let (left_words, right_words) = sorted(a_words[i], b_words[i]);
            let (left, other) = sorted(a_size[i], b_size[i]);
            let across = (dx[i] ^ swap).wrapping_sub(swap) as u32;
            let down = (dy[i] ^ swap).wrapping_sub(swap);

            let (left, other) = (MaskSize(left), MaskSize(other));
            let (left_w, right_w) = (left.width(), other.width());
            let (left_h, right_h) = (left.height(), other.height());
            let over = left.flip_bit();
            let reversed = left.flip_bit() ^ other.flip_bit();

            let turned = (left_h as i32 - right_h as i32).wrapping_sub(down);
            let down = down ^ ((down ^ turned) & (over as i32).wrapping_neg());
            let meet_y = (down as u32).wrapping_add(right_h.wrapping_sub(1))
                < (left_h + right_h).wrapping_sub(1);
            let meet = u32::from(meet_y) & u32::from(across < left_w) & u32::from(right_w != 0);

            let left_row = down.max(0) as u32;
            let right_row = down.wrapping_neg().max(0) as u32;
            let high = (left_h.wrapping_sub(left_row) as i32)
                .min(right_h.wrapping_sub(right_row) as i32) as u32;
            let wide = (left_w.wrapping_sub(across) as i32).min(right_w as i32) as u32;
            let n = high.wrapping_add(BLOCK - 1) / BLOCK;
            let m = if PROBE { wide.wrapping_sub(1) / (2 * WORD) } else { 0 };
            let (step, other_step) = (stride_of(left_h), stride_of(right_h));

            let bend = across % WORD;
            let backwards = right_h.wrapping_sub(right_row).wrapping_sub(n.wrapping_mul(BLOCK));
            let start = right_row ^ ((right_row ^ backwards) & reversed.wrapping_neg());
            let begin = left_words
                .wrapping_add(times((across / WORD).wrapping_add(m), step))
                .wrapping_add(left_row);
            near[i] = begin;
            let other_begin = right_words.wrapping_add(times(m, other_step)).wrapping_add(start);
            right[i] = other_begin;
            shift[i] = bend;
            left_stride[i] = step;
            right_stride[i] = other_step;
            columns[i] = wide;
            blocks[i] = n & meet.wrapping_neg();
            let reaches =
                u32::from(wide.wrapping_sub(m.wrapping_mul(WORD)).wrapping_add(bend) > WORD)
                    & u32::from(bend != 0);
            far[i] = begin.wrapping_add(step) & reaches.wrapping_neg();
            let (copy, is_wide) = (i as u32 % BUCKETS_PER_KEY, u32::from(wide > WORD));
            let bucket = slot(n, copy) | (reaches * FAR) | (reversed * REVERSED);
            key[i] = bucket;
            if PROBE {
                let is_probed = u32::from(n.wrapping_add(n & reaches.wrapping_neg()) > PROBED)
                    | is_wide
                    | u32::from(n > PROBED_WIDE.0) & u32::from(wide > PROBED_WIDE.1);
                let middle = n / 2;
                let down = middle * BLOCK;
                let up = n.wrapping_sub(1).wrapping_sub(middle).wrapping_mul(BLOCK);
                probe_near[i] = begin.wrapping_add(down);
                probe_far[i] = begin.wrapping_add(step).wrapping_add(down) & reaches.wrapping_neg();
                let along = down ^ ((down ^ up) & reversed.wrapping_neg());
                probe_right[i] = other_begin.wrapping_add(along);
                let strips = wide.wrapping_add(WORD - 1) / WORD;
                let is_tall = u32::from(is_tall(n, strips, TALL_PROBED));
                let kind =
                    (is_wide * PROBE_WIDE) | (is_tall * PROBE_TALL) | (reversed * PROBE_REVERSED);
                let probe = PROBES | kind | copy;
                let wanted = bucket ^ ((bucket ^ probe) & is_probed.wrapping_neg());
                let none = NO_OVERLAP | copy;
                first[i] = none ^ ((none ^ wanted) & meet.wrapping_neg());
            } else {
                let strips =
                    (wide.wrapping_add(WORD - 1) / WORD).wrapping_sub(1).min(STRIP_CLASSES - 1);
                first[i] = bucket | (strips * STRIP_UNIT);
                open[i] = meet;
            }
            if NEEDS_POSITION {
                rows[i] = high;
                x[i] = dx[i].max(0) as u32;
                y[i] = dy[i].max(0) as u32;
                upwards[i] = over;
            }
        }
    }

    /// Moves pair `i` on to its next strip: turn 0 is the middle one, as `fill` leaves it, turn 1 the one
    /// after it, and after the last comes the first. `turn` is less than the number of strips.
    #[inline(always)]
    pub(crate) fn advance_strip(&mut self, i: usize, visit: u32) {
        let strips = self.columns.0[i].div_ceil(WORD);
        // One strip to the right, or from the last one back to the first.
        let wrapped = |strip: u32| if strip < strips { strip } else { strip - strips };
        let now = wrapped((self.columns.0[i] - 1) / (2 * WORD) + visit);
        let before = if now == 0 { strips - 1 } else { now - 1 };
        let moved = |from: u32, stride: u32| {
            from.wrapping_add(now.wrapping_sub(before).wrapping_mul(stride))
        };
        self.near.0[i] = moved(self.near.0[i], self.left_stride.0[i]);
        self.right.0[i] = moved(self.right.0[i], self.right_stride.0[i]);
        let shift = self.shift.0[i];
        let far = (shift != 0) & (self.columns.0[i] - now * WORD + shift > WORD);
        self.far.0[i] = self.near.0[i].wrapping_add(self.left_stride.0[i]);
        self.key.0[i] = (self.key.0[i] & !FAR) | (u32::from(far) * FAR);
    }

    /// Returns where the first strip of pair `i` starts in left and in right. The present strip is the middle
    /// one, as [`fill`](Self::fill) with a probe leaves it.
    #[inline(always)]
    pub(crate) fn first_strip(&self, i: usize) -> (u32, u32) {
        let middle = (self.columns.0[i] - 1) / (2 * WORD);
        let back = |at: u32, stride: u32| at.wrapping_sub(middle.wrapping_mul(stride));
        (back(self.near.0[i], self.left_stride.0[i]), back(self.right.0[i], self.right_stride.0[i]))
    }

    /// Returns which rows of pair `i` hold pixels. Its first strip starts at these words of left and of right.
    #[inline(always)]
    pub(crate) fn rows<'p, const R: bool>(
        &self,
        stage: &Stage,
        pool: Pool<'p>,
        i: usize,
        (near, first): (u32, u32),
    ) -> OccupiedRows<'p, R> {
        let dx = stage.dx.0[i];
        let (a, b) = (stage.a_words.0[i], stage.b_words.0[i]);
        let differ = (a ^ b) & (dx >> 31) as u32;
        let (left, right) = (a ^ differ, b ^ differ);
        let across = dx.unsigned_abs() / WORD;
        let blocks = self.blocks.0[i];
        let before = across.wrapping_mul(self.left_stride.0[i]);
        let below = if R { blocks * BLOCK } else { 0 };
        OccupiedRows {
            pool,
            left,
            right,
            across,
            shift: self.shift.0[i],
            blocks,
            left_row: near.wrapping_sub(left).wrapping_sub(before) as i32,
            right_row: first.wrapping_sub(right).wrapping_add(below) as i32,
        }
    }

    /// Returns the present strip of pair `i`.
    #[inline(always)]
    pub(crate) fn job(&self, i: usize) -> Job {
        Job {
            near: self.near.0[i],
            far: self.far.0[i],
            right: self.right.0[i],
            shift: self.shift.0[i],
        }
    }

    /// Returns all strips of pair `i`, of which the present one is the first.
    #[inline(always)]
    pub(crate) fn strips<'p, S: Simd, const R: bool>(
        &self,
        simd: S,
        pool: &'p [u64],
        rows: Option<OccupiedRows<'p, R>>,
        i: usize,
    ) -> Strips<'p, S, R> {
        Strips {
            rows,
            simd,
            pools: [pool; 2],
            job: self.job(i),
            left_stride: self.left_stride.0[i],
            right_stride: self.right_stride.0[i],
            columns: self.columns.0[i],
            blocks: self.blocks.0[i],
        }
    }

    /// Returns the block of pair `i` that is probed.
    #[inline(always)]
    pub(crate) fn probe(&self, i: usize) -> Job {
        Job {
            near: self.probe_near.0[i],
            far: self.probe_far.0[i],
            right: self.probe_right.0[i],
            shift: self.shift.0[i],
        }
    }

    /// Returns where the walk of pair `i` lies.
    #[inline(always)]
    pub(crate) fn position(&self, i: usize) -> WalkPosition {
        WalkPosition { column: 0, rows: self.rows.0[i], upwards: self.upwards.0[i] != 0, before: 0 }
    }

    /// Returns the top-left pixel of the overlap of pair `i` in the first mask's pixels.
    #[inline(always)]
    pub(crate) fn corner(&self, i: usize) -> Point {
        Point::new(self.x.0[i] as i32, self.y.0[i] as i32)
    }
}
