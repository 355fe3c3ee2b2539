//! Two masks as runs of set pixels, and the offsets at which a row of them meets.
//!
//! Two runs, one of each mask, share a pixel at an unbroken range of horizontal offsets: from the
//! first's start less the second's end, to the first's end less the second's start. So for all rows
//! that face each other at a vertical offset, the offsets at which the masks touch are a union of
//! ranges, and one walk over the rows says how far it reaches to either side of a place. That walk
//! is the only loop that push-out, casts and distances have: they never test one offset after the
//! other.
//!
//! ```text
//! row y of a:      ..####...#..          layer 0: 2..=5      layer 1: 9..=9
//! row y' of b:     .##..                 layer 0: 1..=2
//! touch at         0..=4 and 7..=8       of b's corner from a's
//! ```
//!
//! 1. Runs lie in layers, the n-th run of each row in layer n, so that a pair of layers is walked
//!    in plain loops over arrays. Solid sprites have one or two layers. In a window of at most 64
//!    columns a layer is made of all rows at once, without a branch on what they hold.
//! 2. A missing run starts at `FAR` and ends at `-FAR`: it meets nothing and needs no branch.
//! 3. Only a window of each mask is read: what the other can reach. Before its first row and after
//!    its last there are missing runs, so that a walk may begin and end beside it.
//! 4. For motions steeper than 45 degrees the windows are transposed first, so that there are never
//!    more rows of offsets than steps.

use crate::geom::Rect;
use crate::mask::{MaskRef, WORD, transpose};
use crate::narrow::simd_level::vectorized;
use std::ops::{Add, Sub};

/// Rows handled at once: two vectors of the plainest machine, half of one of the widest.
pub(super) const LANES: usize = 16;

/// Rows of one word that are taken apart at once.
const CHUNK: usize = 64;

/// A coordinate inside a window: 16 bits where they suffice, since twice as many fit a vector.
pub(super) trait Coordinate:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Into<i64> + std::fmt::Debug
{
    /// Longest side of a window, and farthest that one moves.
    const LIMIT: i64;
    /// The start of a run that there is not: differences of it and of any other, or of two of
    /// them, moved by two limits, fit, and lie beyond those of all that there are.
    const FAR: Self;
    const MINUS_FAR: Self;
    const MIN: Self;
    const MAX: Self;
    const ZERO: Self;
    const ONE: Self;

    /// `value` cut to -2 LIMIT..=2 LIMIT.
    fn clamped(value: i64) -> Self;

    /// The number of a bit in a word.
    fn of_bit(bit: u32) -> Self;
}

macro_rules! coordinate {
    ($number:ty, limit $limit:expr, far $far:expr) => {
        impl Coordinate for $number {
            const LIMIT: i64 = $limit;
            const FAR: Self = $far;
            const MINUS_FAR: Self = -Self::FAR;
            const MIN: Self = Self::MIN;
            const MAX: Self = Self::MAX;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn clamped(value: i64) -> Self {
                value.clamp(-2 * Self::LIMIT, 2 * Self::LIMIT) as Self
            }

            #[inline(always)]
            fn of_bit(bit: u32) -> Self {
                bit as Self
            }
        }
    };
}

coordinate!(i16, limit 2048, far 12_288);
// No mask is larger.
coordinate!(i32, limit 1 << 15, far 1 << 20);

/// The runs of a window of a mask.
pub(super) struct Spans<T> {
    pub(super) rows: usize,
    /// From one array to the next: the rows, and [`LANES`] missing runs before and after them.
    stride: usize,
    layers: usize,
    /// For each layer the starts of its runs, then their last pixels.
    data: Vec<T>,
}

impl<T: Coordinate> Spans<T> {
    /// The runs of `window`, which lies inside `mask` and is not empty; of its columns instead of
    /// its rows, where `transposed`.
    #[inline(always)]
    pub(super) fn new(mask: MaskRef<'_>, window: Rect, transposed: bool) -> Self {
        let [x0, y0] = [window.x0 as u32, window.y0 as u32];
        let (width, height) = (window.width(), window.height());
        let (skip, shift) = (x0 / WORD, x0 % WORD);
        let last = (x0 + width - 1) / WORD;
        let end = u64::MAX >> ((WORD - width % WORD) % WORD);
        let strips = width.div_ceil(WORD);
        let word = |s: u32, y: u32| {
            let near = mask.word(skip + s, y0 + y) >> shift;
            let far = if skip + s < last { mask.word(skip + s + 1, y0 + y) } else { 0 };
            // Twice, because a shift by 64 would be out of range where shift is 0.
            let both = near | far << 1 << (WORD - 1 - shift);
            if s + 1 == strips { both & end } else { both }
        };
        if !transposed {
            return Self::of_words(width, height, word);
        }
        let turned = turned(width, height, word);
        Self::of_words(height, width, |s, y| turned[(s * width + y) as usize])
    }

    #[inline(always)]
    fn of_words(width: u32, height: u32, word: impl Fn(u32, u32) -> u64) -> Self {
        debug_assert!(i64::from(width) <= T::LIMIT);
        let rows = height as usize;
        let stride = rows + 2 * LANES;
        let mut spans = Self { rows, stride, layers: 0, data: Vec::with_capacity(6 * stride) };
        spans.add_layer();
        let strips = width.div_ceil(WORD);
        if strips > 1 {
            (0..rows).for_each(|y| spans.split(y, strips, |s| word(s, y as u32)));
            return spans;
        }
        for top in (0..rows).step_by(CHUNK) {
            let mut words = [0; CHUNK];
            let words = &mut words[..CHUNK.min(rows - top)];
            for (row, y) in words.iter_mut().zip(top as u32..) {
                *row = word(0, y);
            }
            spans.split_all(top, words);
        }
        spans
    }

    /// Puts the runs of rows of one word each into layers, from row `top` on.
    #[inline(always)]
    fn split_all(&mut self, top: usize, words: &mut [u64]) {
        for layer in 0.. {
            if layer == self.layers {
                self.add_layer();
            }
            let at = 2 * layer * self.stride + LANES + top;
            let (firsts, lasts) = self.data[at..].split_at_mut(self.stride);
            let mut left = 0;
            for ((word, first), last) in words.iter_mut().zip(firsts).zip(lasts) {
                // Adding its lowest bit clears the first run, and sets the bit above it.
                let above = word.wrapping_add(*word & word.wrapping_neg());
                let run = *word & !above;
                let is_run = run != 0;
                *first = if is_run { T::of_bit(run.trailing_zeros()) } else { T::FAR };
                *last = if is_run { T::of_bit(63 ^ run.leading_zeros()) } else { T::MINUS_FAR };
                *word &= above;
                left |= *word;
            }
            if left == 0 {
                break;
            }
        }
    }

    /// Puts the runs of a row into layers; a run may go on from one strip to the next.
    fn split(&mut self, y: usize, strips: u32, word: impl Fn(u32) -> u64) {
        let (mut layer, mut open) = (0, None);
        for s in 0..strips {
            let mut row = word(s);
            let mut at = s * WORD;
            let end = at + WORD;
            while at < end {
                match open {
                    None if row == 0 => break,
                    None => {
                        let skip = row.trailing_zeros();
                        (at, row) = (at + skip, row >> skip);
                        open = Some(at);
                    }
                    Some(start) => {
                        let length = row.trailing_ones().min(end - at);
                        at += length;
                        row = if length == WORD { 0 } else { row >> length };
                        if at < end {
                            self.put(layer, y, start, at - 1);
                            (layer, open) = (layer + 1, None);
                        }
                    }
                }
            }
        }
        if let Some(start) = open {
            self.put(layer, y, start, strips * WORD - 1);
        }
    }

    #[inline(always)]
    fn put(&mut self, layer: usize, y: usize, first: u32, last: u32) {
        if layer == self.layers {
            self.add_layer();
        }
        let at = 2 * layer * self.stride + LANES + y;
        self.data[at] = T::clamped(first.into());
        self.data[at + self.stride] = T::clamped(last.into());
    }

    fn add_layer(&mut self) {
        self.layers += 1;
        let len = self.data.len();
        self.data.resize(len + self.stride, T::FAR);
        self.data.resize(len + 2 * self.stride, T::MINUS_FAR);
    }

    /// The starts and the last pixels of a layer; those of row y lie at `LANES + y`.
    #[inline(always)]
    pub(super) fn layer(&self, layer: usize) -> (&[T], &[T]) {
        self.data[2 * layer * self.stride..][..2 * self.stride].split_at(self.stride)
    }

    #[inline(always)]
    fn layers(&self) -> impl Iterator<Item = (&[T], &[T])> {
        // No chunks: they would cost a division.
        (0..self.layers).map(|layer| self.layer(layer))
    }
}

/// The columns of a window as rows of words: `word(s, y)` is word s of its row y.
fn turned(width: u32, height: u32, word: impl Fn(u32, u32) -> u64) -> Vec<u64> {
    let mut turned = vec![0; (height.div_ceil(WORD) * width) as usize];
    for (s, columns) in (0..).zip(turned.chunks_exact_mut(width as usize)) {
        for (t, columns) in (0..).zip(columns.chunks_mut(WORD as usize)) {
            let mut square = [0; WORD as usize];
            let rows = s * WORD..height.min((s + 1) * WORD);
            for (row, y) in square.iter_mut().zip(rows) {
                *row = word(t, y);
            }
            transpose(&mut square);
            columns.copy_from_slice(&square[..columns.len()]);
        }
    }
    turned
}

/// How far the offsets at which two masks touch reach, in one row of offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<T> {
    /// The least start of a range that ends at or after `left`; MAX where there is none.
    pub(super) first: T,
    /// The greatest end of a range that starts at or before `right`; MIN where there is none.
    pub(super) last: T,
    /// The greatest end of all; below every offset that is, where there is none.
    pub(super) end: T,
    /// The least start of all.
    pub(super) start: T,
}

/// The runs of two masks.
pub(super) struct Facing<T> {
    pub(super) a: Spans<T>,
    pub(super) b: Spans<T>,
}

impl<T: Coordinate> Facing<T> {
    /// Every layer of a with every layer of b.
    #[inline(always)]
    pub(super) fn layers(&self) -> impl Iterator<Item = (usize, usize)> + Clone + use<T> {
        let (a, b) = (self.a.layers, self.b.layers);
        (0..a * b).map(move |pair| (pair / b, pair % b))
    }

    /// One walk over the rows that face each other where b lies `dy` rows below a.
    ///
    /// With `left` and `right` the same offset s: they touch at s if `first <= s <= last`, the
    /// nearest touching offset from s on to the right is max(s, first), to the left min(s, last).
    pub(super) fn reach(&self, dy: i64, left: i64, right: i64) -> Reach<T> {
        vectorized(
            #[inline(always)]
            || self.reach_on(dy, left, right),
        )
    }

    #[inline(always)]
    fn reach_on(&self, dy: i64, left: i64, right: i64) -> Reach<T> {
        let (left, right) = (T::clamped(left), T::clamped(right));
        let mut firsts = [T::MAX; LANES];
        let mut lasts = [T::MIN; LANES];
        let (mut starts, mut ends) = (firsts, lasts);
        let top = dy.max(0);
        let bottom = (self.a.rows as i64).min(dy.saturating_add(self.b.rows as i64));
        if top < bottom {
            let (at_a, at_b) = (LANES + top as usize, LANES + (top - dy) as usize);
            let words = ((bottom - top) as usize).next_multiple_of(LANES);
            for (a_first, a_last) in self.a.layers() {
                let (a_first, a_last) = (blocks(a_first, at_a, words), blocks(a_last, at_a, words));
                for (b_first, b_last) in self.b.layers() {
                    let (b_first, b_last) =
                        (blocks(b_first, at_b, words), blocks(b_last, at_b, words));
                    let rows = a_first.iter().zip(a_last).zip(b_first.iter().zip(b_last));
                    for ((a_first, a_last), (b_first, b_last)) in rows {
                        for i in 0..LANES {
                            let start = a_first[i] - b_last[i];
                            let end = a_last[i] - b_first[i];
                            let first = if end >= left { start } else { T::MAX };
                            let last = if start <= right { end } else { T::MIN };
                            firsts[i] = firsts[i].min(first);
                            lasts[i] = lasts[i].max(last);
                            starts[i] = starts[i].min(start);
                            ends[i] = ends[i].max(end);
                        }
                    }
                }
            }
        }
        let least = |all: [T; LANES]| all.into_iter().fold(T::MAX, T::min);
        let most = |all: [T; LANES]| all.into_iter().fold(T::MIN, T::max);
        Reach { first: least(firsts), last: most(lasts), end: most(ends), start: least(starts) }
    }

    /// The nearest offsets to the left and to the right of `s`, itself counted, at which nothing
    /// touches in row `dy`; gives up a side once it is `limit` away, and then says something farther.
    pub(super) fn free(&self, dy: i64, s: i64, limit: i64) -> [i64; 2] {
        let [mut left, mut right] = [s, s];
        loop {
            let reach = self.reach(dy, left, right);
            let goes_left = reach.first.into() <= left && s - left <= limit;
            let goes_right = reach.last.into() >= right && right - s <= limit;
            if goes_left {
                left = reach.first.into() - 1;
            }
            if goes_right {
                right = reach.last.into() + 1;
            }
            // Past the end of all there is nothing to ask for.
            let open_left = goes_left && left >= reach.start.into();
            let open_right = goes_right && right <= reach.end.into();
            if !open_left && !open_right {
                return [left, right];
            }
        }
    }
}

/// `words` values from `at` on, in blocks.
#[inline(always)]
fn blocks<T>(values: &[T], at: usize, words: usize) -> &[[T; LANES]] {
    values[at..at + words].as_chunks().0
}
