//! Plans the rows: maps the top edge of a box to its row, and decides which boxes are giants.
//!
//! ```text
//! sample -> ideal row -> buckets of top edges -> count the boxes of each bucket
//! walk the buckets: close a row when it has its minimum of boxes and height
//! ```
//!
//! Called by the packing only. Invariants: a greater top edge never has a smaller row. Every
//! row but the last holds at least [`MIN_ROW_BOXES`] boxes, which bounds the padding. Rows
//! are at least 1.25 boxes of mean height high, unless that leaves only one.

use crate::broad::leaves::Item;
use crate::geom::Rect;
use crate::memory::prefetch;
use crate::simd::vectorized;

/// Lower bound on boxes of a row. Each row is padded by up to 31 positions, so 64 bounds the
/// growth of memory by one half. Less wastes more memory; more slows a single column of boxes down.
const MIN_ROW_BOXES: usize = 64;

/// Lower bound on the height of a row, in quarters of the mean box height. Lower rows send too
/// many boxes into the rows below; higher rows test too many boxes in vain. 4 to 6 perform
/// alike.
const ROW_HEIGHT_QUARTERS: u64 = 5;

/// The size ratio of giants. A giant is higher than this many rows, or as many times as wide as
/// the greater of a row's height and 1.25 mean widths. Giants move to a class of their own.
///
/// A row is higher than a mean box, so each class has at most 1/8 of the boxes of the one before.
/// A greater ratio lets one wide box slow down a whole row. A smaller one sends merely large
/// boxes the slow way.
const GIANT_RATIO: u64 = 16;

/// Buckets of top edges per row. Rows end at the end of a bucket.
const BUCKETS_PER_ROW: usize = 16;

/// Boxes sampled when buckets of equal height cannot separate the boxes.
const UNEVEN_SAMPLE: usize = 2048;

/// Boxes sampled for the size of a row. More is more exact; 128 take 3 µs.
const SIZE_SAMPLE: usize = 128;

/// Boxes encoded at a time.
const ENCODE_BLOCK: usize = 256;

/// Boxes prefetched ahead of those encoded: further than the hardware prefetcher looks.
const ENCODE_AHEAD: usize = 512;

const BOXES_PER_LINE: usize = 4;

/// The plan of one class of boxes. Kept between updates for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RowPlan {
    /// Upper bounds on height and width of a box of this class, in pixels.
    height: u32,
    width: u32,
    /// Range of top edges of the sample. Edges beyond count in the first or the last bucket.
    top: i32,
    last: i32,
    /// Buckets per pixel, times 2^32.
    scale: u32,
    buckets: usize,
    pub(super) row_of: Vec<u16>,
    /// True if borders separate the buckets instead of a scale.
    uneven: bool,
    /// The first top edge of each bucket but the first, if [`uneven`](Self::uneven).
    borders: Vec<i32>,
    pub(super) counts: Vec<u32>,
    sample: [Vec<i32>; 2],
    ideal: IdealRow,
}

impl RowPlan {
    /// Begins the plan of `boxes`, whose statistics are `all`, with buckets of equal height.
    pub(super) fn begin(&mut self, all: &BoxStats, boxes: &[impl Item]) {
        self.uneven = false;
        self.take_sample(boxes, SIZE_SAMPLE);
        self.set_ideal(all);
        let rows = all.count / self.ideal.boxes + 1;
        self.buckets = (BUCKETS_PER_ROW * rows).next_power_of_two().clamp(64, 8192);
        [self.top, self.last] = all.y0;
        // A bucket is at least one pixel high, and slightly more so that the scale fits 32 bits.
        let buckets = self.buckets as u64;
        self.scale = ((buckets << 32) / extent(all.y0).max(buckets + 1)) as u32;
    }

    /// Begins again, with buckets between quantiles of a sample. Works for any distribution, at the
    /// cost of a binary search per box.
    pub(super) fn begin_uneven(&mut self, all: &BoxStats, boxes: &[impl Item]) {
        self.uneven = true;
        self.take_sample(boxes, UNEVEN_SAMPLE);
        self.set_ideal(all);
        self.borders.clear();
        self.sample[1].sort_unstable();
        let n = self.sample[1].len();
        let rows = (all.count / self.ideal.boxes + 1).min(n);
        let mut last = i64::from(all.y0[0]);
        for row in 1..rows {
            let y = self.sample[1][row * n / rows];
            if i64::from(y) - last >= self.ideal.least as i64 {
                self.borders.push(y);
                last = i64::from(y);
            }
        }
        self.buckets = self.borders.len() + 1;
    }

    /// Returns the number of codes: of the buckets, of giants and of empty boxes.
    pub(super) fn codes(&self) -> usize {
        self.buckets + 2
    }

    /// Returns the code of giants.
    pub(super) fn giant(&self) -> usize {
        self.buckets
    }

    pub(super) fn encode(&self, boxes: &[impl Item], codes: &mut [u16], counts: &mut [u32]) {
        let Self { top, last, scale, .. } = *self;
        if self.uneven {
            let border = |y0: i32| self.borders.partition_point(|&border| border <= y0) as u32;
            return self.encode_by(border, boxes, codes, counts);
        }
        vectorized(
            #[inline(always)]
            || {
                self.encode_by(
                    #[inline(always)]
                    |y0| {
                        let down = y0.clamp(top, last).wrapping_sub(top) as u32;
                        ((u64::from(down) * u64::from(scale)) >> 32) as u32
                    },
                    boxes,
                    codes,
                    counts,
                );
            },
        );
    }

    /// As [`encode`](Self::encode), with a function from a top edge to its bucket.
    #[inline(always)]
    fn encode_by(
        &self,
        bucket: impl Fn(i32) -> u32,
        boxes: &[impl Item],
        codes: &mut [u16],
        counts: &mut [u32],
    ) {
        let Self { height, width, .. } = *self;
        let (giant, empty) = (self.giant() as u32, self.giant() as u32 + 1);
        let (mut found, all) = ([0; ENCODE_BLOCK], boxes);
        let is_far = prefetch::pays(size_of_val(all));
        let blocks = boxes.chunks(ENCODE_BLOCK).zip(codes.chunks_mut(ENCODE_BLOCK));
        for (block, (boxes, codes)) in blocks.enumerate() {
            // Apart from the counting and without a branch, so that the loop is vectorised.
            for (item, code) in boxes.iter().zip(&mut found) {
                let rect = item.rect();
                let (is_giant, bucket) =
                    ((rect.width() > width) | (rect.height() > height), bucket(rect.y0));
                let code_of_some = if is_giant { giant } else { bucket };
                *code = if rect.is_empty() { empty } else { code_of_some };
            }
            let found = &found[..codes.len()];
            if is_far {
                let later = (block * ENCODE_BLOCK + ENCODE_AHEAD..).step_by(BOXES_PER_LINE);
                let lines = codes.chunks_mut(BOXES_PER_LINE).zip(found.chunks(BOXES_PER_LINE));
                for ((codes, found), later) in lines.zip(later) {
                    prefetch::item(all, later);
                    tally(found, codes, counts);
                }
            } else {
                tally(found, codes, counts);
            }
        }
    }

    /// Ends the plan by grouping buckets into rows. `counted` holds the number of boxes of each
    /// code. Returns false if buckets of equal height cannot separate the boxes.
    pub(super) fn end(&mut self, all: &BoxStats, counted: &[u32]) -> bool {
        let (ideal, counted) = (self.ideal, &counted[..self.buckets]);
        // A row is full when it has its minimum of boxes and height. Borders were chosen for
        // both, but the sample may have been unrepresentative.
        let (boxes, height, least) = if self.uneven {
            (MIN_ROW_BOXES, 0, 0)
        } else {
            let height = extent(all.y0).div_ceil(counted.len() as u64);
            let fullest = counted.iter().copied().max().unwrap_or(0) as usize;
            if fullest > 4 * ideal.boxes && height > ideal.least {
                return false;
            }
            (ideal.boxes, height, ideal.least)
        };
        self.counts.clear();
        self.row_of.clear();
        let (mut count, mut high) = (0, 0);
        for &bucket in counted {
            self.row_of.push(self.counts.len() as u16);
            count += bucket;
            high += height;
            if count as usize >= boxes && high >= least {
                self.counts.push(count);
                (count, high) = (0, 0);
            }
        }
        // The last row takes the remainder.
        if count > 0 {
            self.counts.push(count);
        }
        let rows = self.rows() as u16;
        self.row_of.extend([rows, rows + 1]);
        true
    }

    /// Returns the number of rows. The next two numbers stand for giants and for empty boxes.
    pub(super) fn rows(&self) -> usize {
        self.counts.len()
    }

    /// Samples at most `size` left and top edges.
    fn take_sample(&mut self, boxes: &[impl Item], size: usize) {
        let [x, y] = &mut self.sample;
        x.clear();
        y.clear();
        let step = boxes.len().div_ceil(size).max(1);
        let some = boxes.iter().step_by(step).map(Item::rect);
        for rect in some.filter(|rect| !rect.is_empty()) {
            x.push(rect.x0);
            y.push(rect.y0);
        }
    }

    /// Computes the ideal row of the sample, and from it the size limits of this class.
    fn set_ideal(&mut self, all: &BoxStats) {
        // The middle 90% of the sample: outliers must not determine the size of a row.
        let middle = |sample: &mut [i32], whole: [i32; 2]| match sample.len() {
            0 => extent(whole),
            n => {
                let least = *sample.select_nth_unstable(n / 20).1;
                extent([least, *sample.select_nth_unstable(n - 1 - n / 20).1])
            }
        };
        let [x, y] = &mut self.sample;
        let ideal = IdealRow::new(all, middle(x, all.x0), middle(y, all.y0));
        let wide = ROW_HEIGHT_QUARTERS * all.width.div_ceil(all.count.max(1) as u64) / 4;
        let side =
            |pixels: u64| u32::try_from(GIANT_RATIO.saturating_mul(pixels)).unwrap_or(u32::MAX);
        self.height = side(ideal.height);
        self.width = side(ideal.height.max(wide));
        self.ideal = ideal;
    }
}

/// Stores the codes and counts them.
#[inline(always)]
fn tally(found: &[u32], codes: &mut [u16], counts: &mut [u32]) {
    for (to, &code) in codes.iter_mut().zip(found) {
        *to = code as u16;
        counts[code as usize] += 1;
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct IdealRow {
    /// Lower bound on boxes of a row.
    boxes: usize,
    /// Lower bound on the height of a row, in pixels.
    least: u64,
    /// Height of a row with that many boxes, in pixels.
    height: u64,
}

impl IdealRow {
    /// Computes the ideal row for boxes whose corners lie within `width` x `height` pixels.
    ///
    /// Rows of height sqrt(16 area / count) hold boxes in tiles of 4 x 4. A block is then about a
    /// square, and a query reads the least. Wide boxes need flatter rows, because more than a
    /// block of them would overlap the same columns.
    fn new(all: &BoxStats, width: u64, height: u64) -> Self {
        let count = all.count.max(1) as f64;
        let (wide, high) = (all.width as f64 / count, all.height as f64 / count);
        let square = (16.0 * count * width as f64 / height as f64).sqrt();
        let beside = 16.0 * width as f64 / wide.max(1.0);
        let boxes = (square.min(beside) as usize).max(MIN_ROW_BOXES);
        let least = (ROW_HEIGHT_QUARTERS as f64 / 4.0 * high).max(1.0);
        let height = least.max(height as f64 * boxes as f64 / count);
        Self { boxes, least: least as u64, height: height as u64 }
    }
}

/// Lower and upper bound on the number of boxes measured.
const MEASURE_SAMPLE: [usize; 2] = [256, 2048];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoxStats {
    pub(super) count: usize,
    pub(super) x0: [i32; 2],
    pub(super) y0: [i32; 2],
    pub(super) width: u64,
    pub(super) height: u64,
}

impl Default for BoxStats {
    fn default() -> Self {
        let none = [i32::MAX, i32::MIN];
        Self { count: 0, x0: none, y0: none, width: 0, height: 0 }
    }
}

impl BoxStats {
    #[inline(always)]
    pub(super) fn new<'b, I: Item + 'b>(boxes: impl Iterator<Item = &'b I>) -> Self {
        let mut all = Self::default();
        for Rect { x0, y0, x1, y1 } in boxes.map(I::rect) {
            // Empty boxes are rare: the branch is predicted, and the sums stay simple.
            if x0 >= x1 || y0 >= y1 {
                continue;
            }
            all.count += 1;
            all.x0 = [all.x0[0].min(x0), all.x0[1].max(x0)];
            all.y0 = [all.y0[0].min(y0), all.y0[1].max(y0)];
            // The box is not empty, so the differences fit. Neither sum overflows: at most 2^31
            // boxes of less than 2^32 pixels.
            all.width += u64::from(x1.wrapping_sub(x0) as u32);
            all.height += u64::from(y1.wrapping_sub(y0) as u32);
        }
        all
    }

    /// Returns the statistics of a sample scaled to all boxes, and the number of boxes per sampled
    /// box. Edges may lie outside the ranges found, and sums are approximate.
    pub(super) fn sampled(boxes: &[impl Item]) -> (Self, usize) {
        // The fraction of boxes outside the sampled range is about one in the size of the sample.
        // The first and the last row take these boxes: 1/8 of a row, if the rows form a
        // square.
        let some = (2 * boxes.len().isqrt()).clamp(MEASURE_SAMPLE[0], MEASURE_SAMPLE[1]);
        let step = (boxes.len() / some).max(1);
        let some = Self::new(boxes.iter().step_by(step));
        if some.count == 0 {
            return (Self::new(boxes.iter()), 1);
        }
        let each = step as u64;
        // No overflow: the sum of some thousand sides below 2^32, times less than 2^20.
        let (width, height) = (some.width * each, some.height * each);
        (Self { count: some.count * step, width, height, ..some }, step)
    }
}

/// Returns the number of pixels between two edges, both included; at least 1.
pub(super) fn extent([least, most]: [i32; 2]) -> u64 {
    (i64::from(most) - i64::from(least) + 1).max(1) as u64
}
