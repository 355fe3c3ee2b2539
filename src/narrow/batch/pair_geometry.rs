//! Stage 2: from the boxes and the offset of a pair to the position of its rows in the pool.
//!
//! `narrow/single_pair.rs` derives the same for one pair.
//!
//! ```text
//! swap a and b if dx < 0                             left is the mask farther left
//! if left is flipped: flip both                      left is then walked downwards
//! rows, columns = intersection of the boxes
//! blocks = ceil(rows / 8)
//! m = the strip of the middle column; 0 without a probe
//! near  = strip dx / 64 + m of left, at the first row of the overlap
//! right = strip m of right, likewise; if right is reversed: the lowest word that is read
//! ```
//!
//! 1. No branches: a swap is x ^ ((x ^ y) & mask), and every lane computes everything, even for
//!    pairs that do not overlap. The compiler vectorises the loop to the width of the level, but
//!    only at a fixed length. So it handles [`LANES`] pairs at a time, whatever the count.
//! 2. Flipping both masks and mirroring the offset (dy becomes left height - right height - dy)
//!    changes only the order of rows. So there are two cases, not four: rows run alike, or the rows
//!    of right run backwards.
//! 3. Sums wrap. The offset is inside if -right height < dy < left height. With the origin shifted,
//!    that is one unsigned comparison, which is right for every i32.

use super::job_buckets::{
    BUCKETS_PER_KEY, FAR, NO_OVERLAP, PROBE_REVERSED, PROBE_TALL, PROBE_WIDE, PROBES, REVERSED,
    STRIP_CLASSES, STRIP_UNIT, slot,
};
use super::shifted_rows::{Job, Strips};
use super::shifted_rows::{OccupiedRows, WALK_BLOCKS};
use super::staging::{LANES, Lanes, PASSES, Stage};
use crate::mask::{BLOCK, MAX_SIDE, MaskPool, MaskSize, TALL_ROWS, WORD, stride_of, strips_of};
use bytemuck::Zeroable;
use fearless_simd::Simd;

/// Blocks above which a pair is probed first; blocks of far strips count too. Lower: probes that
/// settle nothing cost more than they save. Higher: hits read more blocks than they need.
///
/// `staging.rs` ends most narrow overlaps of large masks earlier. Since then 64 px take 8.7
/// ns, against 9.2 ns with 8 and (3, 40). With AVX2 it is 10.7 ns against 12.0 ns, with SSE2 15.3
/// ns against 16.6 ns. 32 px, and 100 px and more, do not change. With 3, 4 or 6 the times are
/// within 3%.
const PROBED: u32 = 5;

/// Pairs with more blocks than the first number and wider than the second, in pixels, are probed
/// too. A probe of a wide overlap is likely to hit.
const PROBED_WIDE: (u32, u32) = (2, 32);

/// Returns the product of a number of strips and a number of blocks. Both are masked to 15 bits,
/// which they fit. Vectors multiply 16-bit halves of a lane in one instruction, but whole lanes,
/// without SSE4.1, in six.
#[inline(always)]
const fn times(strips: u32, blocks: u32) -> u32 {
    (strips & 0x7fff) * (blocks & 0x7fff)
}

/// Returns the words of `strips` strips of a stride. The product is one of blocks, because the stride
/// of the highest masks has more than 15 bits.
#[inline(always)]
const fn words_across(strips: u32, stride: u32) -> u32 {
    times(strips, stride / BLOCK).wrapping_mul(BLOCK)
}

// The strips and the blocks of the largest mask have 15 bits.
const _: () = assert!(stride_of(MAX_SIDE) / BLOCK <= 0x7fff && strips_of(MAX_SIDE) <= 0x7fff);

/// Blocks above which a pair may be tall: its strips are cut to rows occupied in both masks.
const TALL_BLOCKS: u32 = 8;

// Both masks of a tall pair have stored row ranges, and at least the blocks of one step.
const _: () = assert!(TALL_BLOCKS * BLOCK >= TALL_ROWS && TALL_BLOCKS >= WALK_BLOCKS);

/// Total blocks of all strips above which a pair is tall, with a probe. Lower: finding the occupied
/// rows costs more than it saves (with 0: 128 px 17.3 ns -> 20.3 ns, 160 px 21.2 ns -> 23.8 ns).
/// Higher: 512 px 45.9 ns -> 48 ns with 48 (AVX2, Zen 4).
const TALL_PROBED: u32 = 24;

/// The same limit for pair-by-pair queries, where branches are the more predictable the more pairs
/// are alike. With 24, 256 px: area 128 ns -> 132 ns, box 125 ns -> 135 ns. With 96, 512 px: area
/// 319 ns -> 326 ns, box 226 ns -> 239 ns.
pub(crate) const TALL_WALKED: u32 = 72;

#[inline(always)]
pub(crate) const fn is_tall(blocks: u32, strips: u32, limit: u32) -> bool {
    (blocks > TALL_BLOCKS) & (times(strips, blocks) > limit)
}

#[derive(Zeroable)]
pub(crate) struct Geometry {
    /// The first word of the current strip of the left mask.
    pub(crate) near: Lanes<u32>,
    /// The word of right that faces `near`; the first of its last block if rows run backwards.
    pub(crate) right: Lanes<u32>,
    /// The first word of the next strip of the left mask, if the current strip extends into it.
    /// Else 0, where the pool has one block of zeros.
    pub(crate) far: Lanes<u32>,
    /// The column of the near strip that column 0 of the right strip faces.
    pub(crate) shift: Lanes<u32>,
    /// Words from one strip of the left mask to the next.
    pub(crate) left_stride: Lanes<u32>,
    /// Words from one strip of the right mask to the next.
    pub(crate) right_stride: Lanes<u32>,
    /// Width of the overlap in pixels.
    pub(crate) columns: Lanes<u32>,
    /// Blocks of 8 rows; 0 if the boxes do not overlap.
    pub(crate) blocks: Lanes<u32>,
    /// The bucket of the current strip.
    pub(crate) key: Lanes<u32>,
    /// The first bucket of the pair. With a probe: the bucket of its key, [`PROBES`] and up if it
    /// is probed, or [`NO_OVERLAP`] and up. Without: the bucket of its key, plus [`STRIP_UNIT`]
    /// times the number of its strips minus 1.
    pub(crate) first: Lanes<u32>,
    /// 1 if the boxes overlap. Not filled with a probe.
    pub(crate) open: Lanes<u32>,
    /// Near, far and right word of the probed block.
    probe_near: Lanes<u32>,
    probe_far: Lanes<u32>,
    probe_right: Lanes<u32>,
}

impl Geometry {
    /// Computes the first `n` pairs. With `PROBE` the current strip is the middle one, and large
    /// pairs are assigned to probe buckets; else the current strip is the first.
    #[inline(always)]
    pub(crate) fn fill<const PROBE: bool>(&mut self, stage: &Stage, n: usize) {
        for pass in 0..n.div_ceil(LANES).min(PASSES) {
            self.pass::<PROBE>(stage, pass);
        }
    }

    #[inline(always)]
    fn pass<const PROBE: bool>(&mut self, stage: &Stage, pass: usize) {
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
        for i in 0..LANES {
            let swap = dx[i] >> 31;
            let left_right = |a: u32, b: u32| {
                let differ = (a ^ b) & swap as u32;
                (a ^ differ, b ^ differ)
            };
            let (left_words, right_words) = left_right(a_words[i], b_words[i]);
            let (left, right_size) = left_right(a_size[i], b_size[i]);
            let across = (dx[i] ^ swap).wrapping_sub(swap) as u32;
            let down = (dy[i] ^ swap).wrapping_sub(swap);

            let (left, right_size) = (MaskSize(left), MaskSize(right_size));
            let (left_w, right_w) = (left.width(), right_size.width());
            let (left_h, right_h) = (left.height(), right_size.height());
            let left_flipped = left.flip_bit();
            let reversed = left.flip_bit() ^ right_size.flip_bit();

            let flipped_down = (left_h as i32 - right_h as i32).wrapping_sub(down);
            let down = down ^ ((down ^ flipped_down) & (left_flipped as i32).wrapping_neg());
            let overlaps_y = (down as u32).wrapping_add(right_h.wrapping_sub(1))
                < (left_h + right_h).wrapping_sub(1);
            let overlaps =
                u32::from(overlaps_y) & u32::from(across < left_w) & u32::from(right_w != 0);

            let left_row = down.max(0) as u32;
            let right_row = down.wrapping_neg().max(0) as u32;
            let overlap_rows = (left_h.wrapping_sub(left_row) as i32)
                .min(right_h.wrapping_sub(right_row) as i32) as u32;
            let overlap_columns = (left_w.wrapping_sub(across) as i32).min(right_w as i32) as u32;
            let n = overlap_rows.wrapping_add(BLOCK - 1) / BLOCK;
            let m = if PROBE { overlap_columns.wrapping_sub(1) / (2 * WORD) } else { 0 };
            let (step, right_step) = (stride_of(left_h), stride_of(right_h));

            let shift_bits = across % WORD;
            let backwards = right_h.wrapping_sub(right_row).wrapping_sub(n.wrapping_mul(BLOCK));
            let start = right_row ^ ((right_row ^ backwards) & reversed.wrapping_neg());
            let near_word = left_words
                .wrapping_add(words_across((across / WORD).wrapping_add(m), step))
                .wrapping_add(left_row);
            near[i] = near_word;
            let right_word =
                right_words.wrapping_add(words_across(m, right_step)).wrapping_add(start);
            right[i] = right_word;
            shift[i] = shift_bits;
            left_stride[i] = step;
            right_stride[i] = right_step;
            columns[i] = overlap_columns;
            blocks[i] = n & overlaps.wrapping_neg();
            let reaches = u32::from(
                overlap_columns.wrapping_sub(m.wrapping_mul(WORD)).wrapping_add(shift_bits) > WORD,
            ) & u32::from(shift_bits != 0);
            far[i] = near_word.wrapping_add(step) & reaches.wrapping_neg();
            let (copy, is_wide) = (i as u32 % BUCKETS_PER_KEY, u32::from(overlap_columns > WORD));
            let bucket = slot(n, copy) | (reaches * FAR) | (reversed * REVERSED);
            key[i] = bucket;
            if PROBE {
                let is_probed = u32::from(n.wrapping_add(n & reaches.wrapping_neg()) > PROBED)
                    | is_wide
                    | u32::from(n > PROBED_WIDE.0) & u32::from(overlap_columns > PROBED_WIDE.1);
                let middle = n / 2;
                let down = middle * BLOCK;
                let up = n.wrapping_sub(1).wrapping_sub(middle).wrapping_mul(BLOCK);
                probe_near[i] = near_word.wrapping_add(down);
                probe_far[i] =
                    near_word.wrapping_add(step).wrapping_add(down) & reaches.wrapping_neg();
                let along = down ^ ((down ^ up) & reversed.wrapping_neg());
                probe_right[i] = right_word.wrapping_add(along);
                let strips = overlap_columns.wrapping_add(WORD - 1) / WORD;
                let is_tall = u32::from(is_tall(n, strips, TALL_PROBED));
                let kind =
                    (is_wide * PROBE_WIDE) | (is_tall * PROBE_TALL) | (reversed * PROBE_REVERSED);
                let probe = PROBES | kind | copy;
                let bucket_or_probe = bucket ^ ((bucket ^ probe) & is_probed.wrapping_neg());
                let none = NO_OVERLAP | copy;
                first[i] = none ^ ((none ^ bucket_or_probe) & overlaps.wrapping_neg());
            } else {
                let strips = (overlap_columns.wrapping_add(WORD - 1) / WORD)
                    .wrapping_sub(1)
                    .min(STRIP_CLASSES - 1);
                first[i] = bucket | (strips * STRIP_UNIT);
                open[i] = overlaps;
            }
        }
    }

    /// Advances pair `i` to its next strip. Visit 0 is the middle strip, as `fill` leaves it.
    /// Visits go on to the last strip, and then from the first. `visit` is less than the number of
    /// strips.
    #[inline(always)]
    pub(crate) fn advance_strip(&mut self, i: usize, visit: u32) {
        let strips = self.columns.0[i].div_ceil(WORD);
        // Wraps from the last strip to the first.
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

    /// Returns the first words of pair `i`. The current strip must be the middle one.
    #[inline(always)]
    pub(crate) fn first_strip(&self, i: usize) -> (u32, u32) {
        let middle = (self.columns.0[i] - 1) / (2 * WORD);
        let back = |at: u32, stride: u32| at.wrapping_sub(middle.wrapping_mul(stride));
        (back(self.near.0[i], self.left_stride.0[i]), back(self.right.0[i], self.right_stride.0[i]))
    }

    /// Returns the occupied rows of pair `i`, whose first strips start at `near` and `first`.
    #[inline(always)]
    pub(crate) fn rows<'p, const R: bool>(
        &self,
        stage: &Stage,
        pool: MaskPool<'p>,
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

    #[inline(always)]
    pub(crate) fn job(&self, i: usize) -> Job {
        Job {
            near: self.near.0[i],
            far: self.far.0[i],
            right: self.right.0[i],
            shift: self.shift.0[i],
        }
    }

    /// Returns all strips of pair `i`. The current one must be the first.
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

    #[inline(always)]
    pub(crate) fn probe(&self, i: usize) -> Job {
        Job {
            near: self.probe_near.0[i],
            far: self.probe_far.0[i],
            right: self.probe_right.0[i],
            shift: self.shift.0[i],
        }
    }
}
