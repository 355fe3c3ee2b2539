//! Stage 2: from two boxes at an offset to where the rows of their middle strips lie.
//!
//! ```text
//! swap a and b where dx < 0                          left is the one farther left
//! where left is upside down: turn the picture over   left is then walked downwards
//! rows, columns = overlap of the boxes
//! blocks = ceil(rows / 8), m = the strip in which the middle column lies
//! near  = left's strip dx / 64 + m, at the overlap's first row
//! right = right's strip m, likewise, or where it is upside down: the lowest word it will read
//! ```
//!
//! 1. No branch: swaps are x ^ ((x ^ y) & mask), and every lane does all of it, pairs that do not
//!    meet too. The compiler turns the loop into vectors of whatever width the level has, which
//!    it does only for loops of fixed length: hence `LANES` at a time, whatever the count.
//! 2. Turning a pair over (both masks upside down and the offset mirrored: dy becomes
//!    left height - right height - dy) changes no answer but the order of rows. So there are two
//!    cases, not four: rows run alike, or right's run backwards.
//! 3. Sums wrap. The offset is inside if -right height < dy < left height, one comparison of
//!    unsigned numbers after a shift of the origin, which holds for any i32.

use super::CHUNK;
use super::bucket::KEYS;
use super::query::Place;
use super::stage::{LANES, Lanes, PASSES, Stage};
use super::window::Job;
use crate::geom::Point;
use crate::mask::{BLOCK, HotMask, WORD, stride_of};

/// Blocks of rows told apart by a bucket of their own: 256 rows. Jobs of more share one.
pub(crate) const BLOCKS: u32 = 32;

/// Pairs are probed first if they have more than this many blocks, those of far strips counted too.
/// Lower, and probes that settle nothing cost more than they save; higher, and hits take more
/// blocks than they need. 64 px: 6.5 ns at 8 alone, 6.0 with [`PROBED_WIDE`]; 6 and 5 alone cost
/// 0.5 to 1 ns from 80 px on, where overlaps high and narrow are mostly misses.
const PROBED: u32 = 8;

/// Or if they have more blocks than the first and are wider than the second, in pixels: a probe
/// of a wide overlap is likely to hit.
const PROBED_WIDE: (u32, u32) = (3, 40);

/// Bits of a key, beside the number of blocks less one: see [`Geometry::key`].
pub(crate) const FAR: u32 = 64;
pub(crate) const REVERSED: u32 = 128;

/// Pairs that overlap in more columns than this, and in more than 8 blocks, are run one by one,
/// not strip by strip among others. Less, and pairs of two and three strips pay a misprediction
/// each: 2 ns at 80 to 160 px. More, and strips of very large masks are fetched twice.
pub(crate) const LARGE: u32 = 4 * WORD;

#[inline(always)]
pub(crate) const fn is_large(blocks: u32, columns: u32) -> bool {
    (blocks > 8) & (columns > LARGE)
}

pub(crate) struct Geometry {
    /// Word of the left mask at which the walk of the present strip starts.
    pub(crate) near: Lanes<u32>,
    /// Word of the right mask with which it meets; where rows run backwards, 8 words before the
    /// end of the last block's.
    pub(crate) right: Lanes<u32>,
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
    /// The bucket of the present strip: min(blocks - 1, BLOCKS), [`FAR`] where the strip reaches
    /// into the left mask's next one, [`REVERSED`] where right's rows run backwards.
    pub(crate) key: Lanes<u32>,
    /// The bucket that the pair goes to at first: that of its key, or where it is probed, or does
    /// not meet, one that nobody runs.
    pub(crate) first: Lanes<u32>,
    /// 1 where the first bucket may not be all: the pair is probed, or has further strips.
    pub(crate) open: Lanes<u32>,
    /// Columns of the overlap to the left of the present strip.
    pub(crate) column: Lanes<u32>,
    /// Rows of the overlap.
    pub(crate) rows: Lanes<u32>,
    /// Left edge of the overlap in the first mask's pixels.
    pub(crate) x: Lanes<u32>,
    /// Top edge of the overlap in the first mask's pixels.
    pub(crate) y: Lanes<u32>,
    /// 1 where the walk goes from the bottom of the overlap to its top.
    pub(crate) upwards: Lanes<u32>,
}

impl Geometry {
    pub(crate) const fn new() -> Self {
        let none = Lanes([0; CHUNK]);
        Self {
            near: none,
            right: none,
            shift: none,
            left_stride: none,
            right_stride: none,
            columns: none,
            blocks: none,
            key: none,
            first: none,
            open: none,
            column: none,
            rows: none,
            x: none,
            y: none,
            upwards: none,
        }
    }

    /// Works out the first `n` pairs. With `PROBE` long ones are held back for a probe; `PLACE`
    /// fills the last five arrays, too, which only queries that say *where* read.
    #[inline(always)]
    pub(crate) fn fill<const PROBE: bool, const PLACE: bool>(&mut self, stage: &Stage, n: usize) {
        for pass in 0..n.div_ceil(LANES).min(PASSES) {
            self.pass::<PROBE, PLACE>(stage, pass);
        }
    }

    #[inline(always)]
    fn pass<const PROBE: bool, const PLACE: bool>(&mut self, stage: &Stage, pass: usize) {
        let [a_words, a_size] = [&stage.a_words, &stage.a_size].map(|lanes| lanes.pass(pass));
        let [b_words, b_size] = [&stage.b_words, &stage.b_size].map(|lanes| lanes.pass(pass));
        let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
        let near = self.near.pass_mut(pass);
        let right = self.right.pass_mut(pass);
        let shift = self.shift.pass_mut(pass);
        let left_stride = self.left_stride.pass_mut(pass);
        let right_stride = self.right_stride.pass_mut(pass);
        let columns = self.columns.pass_mut(pass);
        let blocks = self.blocks.pass_mut(pass);
        let key = self.key.pass_mut(pass);
        let first = self.first.pass_mut(pass);
        let open = self.open.pass_mut(pass);
        let column = self.column.pass_mut(pass);
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

            let (left_w, right_w) = (left & HotMask::WIDTH, other & HotMask::WIDTH);
            let height = |size: u32| (size >> HotMask::HEIGHT_SHIFT) & HotMask::HEIGHT;
            let (left_h, right_h) = (height(left), height(other));
            let over = left >> HotMask::FLIP_SHIFT;
            let reversed = (left ^ other) >> HotMask::FLIP_SHIFT;

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
            let m = wide.wrapping_sub(1) / (2 * WORD);
            let (step, other_step) = (stride_of(left_h), stride_of(right_h));

            let bend = across % WORD;
            let backwards = right_h.wrapping_sub(right_row).wrapping_sub(n.wrapping_mul(BLOCK));
            let start = right_row ^ ((right_row ^ backwards) & reversed.wrapping_neg());
            near[i] = left_words
                .wrapping_add((across / WORD).wrapping_add(m).wrapping_mul(step))
                .wrapping_add(left_row);
            right[i] = right_words.wrapping_add(m.wrapping_mul(other_step)).wrapping_add(start);
            shift[i] = bend;
            left_stride[i] = step;
            right_stride[i] = other_step;
            columns[i] = wide;
            blocks[i] = n & meet.wrapping_neg();
            let far = u32::from(wide.wrapping_sub(m.wrapping_mul(WORD)).wrapping_add(bend) > WORD)
                & u32::from(bend != 0);
            let bucket = n.wrapping_sub(1).min(BLOCKS) | (far * FAR) | (reversed * REVERSED);
            let is_long = if PROBE {
                u32::from(n.wrapping_add(n.wrapping_mul(far)) > PROBED)
                    | u32::from(wide > WORD)
                    | u32::from(n > PROBED_WIDE.0) & u32::from(wide > PROBED_WIDE.1)
            } else {
                u32::from(is_large(n, wide))
            };
            key[i] = bucket;
            open[i] = (is_long | u32::from(wide > WORD)) & meet;
            let direct = (meet & !is_long).wrapping_neg();
            let nobody = KEYS as u32 + i as u32 % 8;
            first[i] = nobody ^ ((nobody ^ bucket) & direct);
            if PLACE {
                column[i] = m.wrapping_mul(WORD);
                rows[i] = high;
                x[i] = dx[i].max(0) as u32;
                y[i] = dy[i].max(0) as u32;
                upwards[i] = over;
            }
        }
    }

    /// Moves pair `i` on to its next strip: turn 0 is the middle one, which `fill` left, turn 1
    /// the one after it, and after the last the first. `turn` is less than the number of strips.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, i: usize, turn: u32) {
        let strips = self.columns.0[i].div_ceil(WORD);
        // One strip to the right, or from the last one back to the first.
        let wrapped = |strip: u32| if strip < strips { strip } else { strip - strips };
        let now = wrapped((self.columns.0[i] - 1) / (2 * WORD) + turn);
        let before = if now == 0 { strips - 1 } else { now - 1 };
        let moved = |from: u32, stride: u32| {
            from.wrapping_add(now.wrapping_sub(before).wrapping_mul(stride))
        };
        self.near.0[i] = moved(self.near.0[i], self.left_stride.0[i]);
        self.right.0[i] = moved(self.right.0[i], self.right_stride.0[i]);
        let shift = self.shift.0[i];
        let far = (shift != 0) & (self.columns.0[i] - now * WORD + shift > WORD);
        self.column.0[i] = now * WORD;
        self.key.0[i] = (self.key.0[i] & !FAR) | (u32::from(far) * FAR);
    }

    /// The present strip of pair `i`.
    #[inline(always)]
    pub(crate) fn job(&self, i: usize) -> Job {
        let near = self.near.0[i];
        Job {
            near,
            far: near.wrapping_add(self.left_stride.0[i]),
            right: self.right.0[i],
            shift: self.shift.0[i],
        }
    }

    /// Where the present strip of pair `i` lies.
    #[inline(always)]
    pub(crate) fn place(&self, i: usize) -> Place {
        Place { column: self.column.0[i], rows: self.rows.0[i], upwards: self.upwards.0[i] != 0 }
    }

    /// Top-left pixel of the overlap of pair `i`, which has one, in the first mask's pixels.
    #[inline(always)]
    pub(crate) fn corner(&self, i: usize) -> Point {
        Point::new(self.x.0[i] as i32, self.y.0[i] as i32)
    }
}
