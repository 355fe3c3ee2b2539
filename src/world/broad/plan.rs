//! Where the strips lie: how a box's top edge names its strip, and which boxes are too large for
//! strips of this size.
//!
//! Called by the build only. What it keeps true: the strip of a greater top edge is never a
//! smaller one; a strip other than the last holds at least [`LEAST`] boxes, whatever the boxes
//! are, which bounds the padding; strips are as high as 1.25 boxes of mean height, wherever that
//! leaves more than one.

use super::measure::{Measure, extent};
use crate::geom::Rect;

/// Boxes of a strip, at least. Each strip is padded by up to 31 places: with 64, memory grows by
/// half at worst. Fewer would waste more, more would make a single column of boxes slower.
const LEAST: usize = 64;

/// Height of a strip in boxes of mean height, at least, times four. Lower strips send too many
/// boxes into the strips below, higher ones test too many in vain; 4 to 6 are alike.
const QUARTERS: u64 = 5;

/// A box more than so many times as high as a strip, or as wide as a mean box and a strip are
/// high, is a giant: it leaves for a class of its own. Since a strip is higher than a mean box,
/// each class is at most an eighth as many as the one before. Higher, and one wide box makes a whole strip look back that far; lower, and
/// boxes that are merely large take the slower way.
const GIANT: u64 = 16;

/// Buckets per strip in which top edges are counted: strips end where a bucket does.
const BUCKETS: usize = 16;

/// Boxes sampled where they are spread so unevenly that buckets of one height cannot part them.
const SAMPLE: usize = 2048;

/// Boxes sampled for the size of a strip. More is more exact, and 128 take 3 microseconds.
const GLANCE: usize = 128;

/// The plan of one class of boxes. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Greatest height and width of a box of this class, in pixels.
    height: u32,
    width: u32,
    /// Top edge of the first bucket.
    top: i32,
    /// Buckets per pixel, times 2^32.
    scale: u64,
    /// The strip of each bucket.
    strip_of: Vec<u16>,
    /// Boxes are spread so unevenly that borders part the strips, not buckets.
    uneven: bool,
    /// First top edge of each strip but the first, where they do.
    borders: Vec<i32>,
    /// Boxes of each strip.
    pub(super) counts: Vec<u32>,
    buckets: Vec<u32>,
    /// Left edges and top edges of some boxes, each in order.
    sample: [Vec<i32>; 2],
}

impl Plan {
    /// Plans the strips of the boxes of `rects` whose measure is `all`, and adds the indices of
    /// those that are too large for them to `giants`.
    pub(super) fn draw(
        &mut self,
        all: &Measure,
        rects: impl ExactSizeIterator<Item = (u32, Rect)> + Clone,
        giants: &mut Vec<u32>,
    ) {
        self.take_sample(rects.clone(), GLANCE);
        let ideal = self.fix(all);
        let strips = all.count / ideal.boxes + 1;
        let buckets = (BUCKETS * strips).next_power_of_two().clamp(64, 8192);
        self.uneven = false;
        self.top = all.y0[0];
        self.scale = ((buckets as u64) << 32) / extent(all.y0);
        let first_giant = giants.len();
        self.buckets.clear();
        self.buckets.resize(buckets, 0);
        let mut counted = std::mem::take(&mut self.buckets);
        let buckets_of = &mut counted[..];
        for (index, rect) in rects.clone() {
            // One branch for what is rare, so that the loop has one.
            if rect.is_empty() | self.is_giant(&rect) {
                if !rect.is_empty() {
                    giants.push(index);
                }
                continue;
            }
            buckets_of[self.bucket(rect.y0)] += 1;
        }
        self.buckets = counted;
        let bucket_height = extent(all.y0).div_ceil(buckets as u64);
        let fullest = self.buckets.iter().copied().max().unwrap_or(0) as usize;
        if fullest > 4 * ideal.boxes && bucket_height > ideal.least {
            giants.truncate(first_giant);
            return self.draw_from_sample(all, rects, giants);
        }
        // A strip is full when it has its boxes and its height.
        self.strip_of.clear();
        self.counts.clear();
        let (mut count, mut height) = (0, 0);
        for &bucket in &self.buckets {
            self.strip_of.push(self.counts.len() as u16);
            count += bucket;
            height += bucket_height;
            if count as usize >= ideal.boxes && height >= ideal.least {
                self.counts.push(count);
                (count, height) = (0, 0);
            }
        }
        // The last strip takes what is left.
        self.counts.push(count);
    }

    /// Borders from the order of a sample: right for any spread, at a search per box.
    fn draw_from_sample(
        &mut self,
        all: &Measure,
        rects: impl ExactSizeIterator<Item = (u32, Rect)> + Clone,
        giants: &mut Vec<u32>,
    ) {
        self.uneven = true;
        self.borders.clear();
        self.take_sample(rects.clone(), SAMPLE);
        let ideal = self.fix(all);
        let n = self.sample[1].len();
        let strips = (all.count / ideal.boxes + 1).min(n);
        let mut last = i64::from(all.y0[0]);
        for strip in 1..strips {
            let y = self.sample[1][strip * n / strips];
            if i64::from(y) - last >= ideal.least as i64 {
                self.borders.push(y);
                last = i64::from(y);
            }
        }
        let first_giant = giants.len();
        loop {
            giants.truncate(first_giant);
            self.counts.clear();
            self.counts.resize(self.borders.len() + 1, 0);
            for (index, rect) in rects.clone() {
                if rect.is_empty() {
                    continue;
                }
                if self.is_giant(&rect) {
                    giants.push(index);
                    continue;
                }
                let strip = self.strip_between_borders(rect.y0);
                self.counts[strip] += 1;
            }
            // The sample may have been unlucky: a strip too thin for its padding loses its border.
            let (mut kept, mut count) = (0, 0);
            for strip in 0..self.borders.len() {
                count += self.counts[strip] as usize;
                if count >= LEAST {
                    self.borders[kept] = self.borders[strip];
                    (kept, count) = (kept + 1, 0);
                }
            }
            if kept == self.borders.len() {
                break;
            }
            self.borders.truncate(kept);
        }
    }

    /// About `size` left and top edges, in order.
    fn take_sample(&mut self, rects: impl ExactSizeIterator<Item = (u32, Rect)>, size: usize) {
        let [x, y] = &mut self.sample;
        x.clear();
        y.clear();
        let step = (rects.len() / size).max(1);
        for (_, rect) in rects.step_by(step).filter(|(_, rect)| !rect.is_empty()) {
            x.push(rect.x0);
            y.push(rect.y0);
        }
        x.sort_unstable();
        y.sort_unstable();
    }

    /// The ideal strip of the sample, and from it the greatest box of this class.
    fn fix(&mut self, all: &Measure) -> Ideal {
        // Where nine in ten lie: what strays far must not set the size of a strip.
        let middle = |sorted: &[i32], whole: [i32; 2]| match sorted.len() {
            0 => extent(whole),
            n => extent([sorted[n / 20], sorted[n - 1 - n / 20]]),
        };
        let [x, y] = &self.sample;
        let ideal = Ideal::new(all, middle(x, all.x0), middle(y, all.y0));
        let wide = QUARTERS * all.width.div_ceil(all.count.max(1) as u64) / 4;
        let side = |pixels: u64| u32::try_from(GIANT.saturating_mul(pixels)).unwrap_or(u32::MAX);
        self.height = side(ideal.height);
        self.width = side(ideal.height.max(wide));
        ideal
    }

    /// True for a box that is not of this class.
    #[inline(always)]
    pub(super) fn is_giant(&self, rect: &Rect) -> bool {
        (rect.height() > self.height) | (rect.width() > self.width)
    }

    #[inline(always)]
    fn bucket(&self, y0: i32) -> usize {
        let down = y0.wrapping_sub(self.top) as u32;
        ((u64::from(down) * self.scale) >> 32) as usize
    }

    #[inline(always)]
    fn strip_between_borders(&self, y0: i32) -> usize {
        self.borders.partition_point(|&border| border <= y0)
    }

    /// The strip of a box of this class.
    #[inline(always)]
    pub(super) fn strip(&self, y0: i32) -> usize {
        if self.uneven {
            self.strip_between_borders(y0)
        } else {
            usize::from(self.strip_of[self.bucket(y0)])
        }
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.strip_of.capacity() * 2
            + self.borders.capacity() * 4
            + self.counts.capacity() * 4
            + self.buckets.capacity() * 4
            + self.sample.iter().map(|edges| edges.capacity() * 4).sum::<usize>()
    }
}

/// The strip that a spread of boxes asks for.
struct Ideal {
    /// Boxes of a strip, at least.
    boxes: usize,
    /// Height of a strip, at least, in pixels.
    least: u64,
    /// Height of a strip of so many boxes, in pixels.
    height: u64,
}

impl Ideal {
    /// For boxes whose corners lie within `width` x `height` pixels.
    ///
    /// Strips of height sqrt(16 area / count) hold boxes in tiles of four by four, a block being a
    /// square: what a query reads is then least. But where boxes are so wide that such a strip
    /// would have more than a block of them side by side, strips are flatter.
    fn new(all: &Measure, width: u64, height: u64) -> Self {
        let count = all.count.max(1) as f64;
        let (wide, high) = (all.width as f64 / count, all.height as f64 / count);
        let square = (16.0 * count * width as f64 / height as f64).sqrt();
        let beside = 16.0 * width as f64 / wide.max(1.0);
        let boxes = (square.min(beside) as usize).max(LEAST);
        let least = (QUARTERS as f64 / 4.0 * high).max(1.0);
        let height = least.max(height as f64 * boxes as f64 / count);
        Self { boxes, least: least as u64, height: height as u64 }
    }
}
