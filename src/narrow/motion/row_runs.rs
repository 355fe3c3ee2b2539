//! The runs of set pixels in each row of a window of a mask.
//!
//! ```text
//! row y:      ..####...#..          layer 0: 2..=5      layer 1: 9..=9
//! row y + 1:  .##.........          layer 0: 1..=2      layer 1: missing
//! ```
//!
//! 1. Run n of each row lies in layer n, so that a pair of layers is walked in plain loops over
//!    arrays. Solid sprites have 1 or 2 layers.
//! 2. A missing run starts at `MISSING_FIRST` and ends at `MISSING_LAST`. It overlaps nothing and
//!    needs no branch.
//! 3. Each layer has [`PADDING_ROWS`] missing runs before its first row and after its last, so that
//!    a walk may start and end outside the window.
//! 4. Motions steeper than 45 degrees use the columns of the window instead of its rows. So there
//!    are never more rows of offsets than steps.
//!
//! # First runs
//!
//! The first run of set pixels in each of 8 rows at once.
//!
//! ```text
//! lowest = row & -row            the first pixel
//! above = row + lowest           carries through the first run, to the pixel after it
//! run = row & !above             the first run; the rest is row & above
//! first = ones(lowest - 1), last = first + ones(run) - 1
//! ```
//!
//! 1. There is no branch on the content of a row.
//! 2. Only set bits are counted, because vectors have an instruction for that.

use crate::geom::Rect;
use crate::mask::{MaskRef, WORD, inside, shifted, transpose};
use crate::simd::{preferred, with_level};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, mask64x8, u64x8};

/// Rows of translations that a push-out search handles at once.
pub(super) const SEARCH_ROWS: usize = 32;

/// Missing runs before the first row of a layer, and after its last.
pub(super) const PADDING_ROWS: usize = SEARCH_ROWS;

/// Rows and columns of the bit tile that is read from a mask at once.
const BIT_TILE: usize = WORD as usize;

/// A column or a difference of two. A narrower type fits more values into a vector.
pub(super) trait Coordinate: Copy + Ord + Into<i64> {
    /// The longest row of a window, and the longest translation of a search.
    const LIMIT: i64;
    const MIN: Self;
    const MAX: Self;
    const ZERO: Self;
    /// The start of a missing run, beyond every real start wherever it is moved.
    const MISSING_FIRST: Self;
    const MISSING_LAST: Self;
    /// The type of [`key`](Self::key): 32 bits where that fits, for more in a vector.
    type Key: Copy + Ord + Into<u64>;

    /// Returns a key that sorts translations by the length of (`self`, `y`), then by `lane`.
    fn key(self, y: i64, lane: usize) -> Self::Key;
    fn farthest() -> Self::Key;
    /// Returns `value`, clamped so that differences of two columns compare right.
    fn clamped(value: i64) -> Self;
    /// Returns the number in the lowest bits of a word.
    fn of_bits(word: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
}

macro_rules! coordinate {
    ($number:ty, $key:ty, limit $limit:expr, missing_first $missing_first:expr, $missing_last:expr, $plus:ident, $minus:ident) => {
        impl Coordinate for $number {
            const LIMIT: i64 = $limit;
            const MIN: Self = Self::MIN;
            const MAX: Self = Self::MAX;
            const ZERO: Self = 0;
            const MISSING_FIRST: Self = $missing_first;
            const MISSING_LAST: Self = $missing_last;
            type Key = $key;

            #[inline(always)]
            fn key(self, y: i64, lane: usize) -> $key {
                // Unsigned wrapping arithmetic gives the right square of a negative number.
                let (x, y) = (self as $key, y as $key);
                let square = x.wrapping_mul(x).wrapping_add(y.wrapping_mul(y));
                square.wrapping_mul(SEARCH_ROWS as $key) | lane as $key
            }

            #[inline(always)]
            fn farthest() -> $key {
                <$key>::MAX
            }

            #[inline(always)]
            fn clamped(value: i64) -> Self {
                value.clamp(-2 * Self::LIMIT, 2 * Self::LIMIT - 1) as Self
            }

            #[inline(always)]
            fn of_bits(word: u64) -> Self {
                word as Self
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.$plus(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.$minus(other)
            }
        }
    };
}

// Between two windows that overlap, sums of two columns and the window offset range from -127 to
// 127. Vectors of 8-bit and 16-bit lanes have saturating sums; those of 32-bit lanes have not.
coordinate!(i8, u32, limit 64, missing_first i8::MAX, i8::MIN, saturating_add, saturating_sub);
coordinate!(i16, u32, limit 2048, missing_first i16::MAX, i16::MIN, saturating_add, saturating_sub);
// The largest side of a mask.
coordinate!(i32, u64, limit 1 << 15, missing_first 1 << 20, -(1 << 20), wrapping_add, wrapping_sub);

pub(super) struct RowRuns<T> {
    pub(super) rows: usize,
    /// For each layer the first row with a run in it, and the end row.
    pub(super) layers: Vec<[usize; 2]>,
    /// Values from one array to the next: the rows, and [`PADDING_ROWS`] on either side.
    stride: usize,
    /// For each layer the first pixels of its runs, then their last pixels.
    data: Vec<T>,
}

impl<T: Coordinate> RowRuns<T> {
    /// Returns the runs of the rows of `window`, not empty, or of its columns if `transposed`.
    pub(super) fn new(mask: MaskRef<'_>, window: Rect, transposed: bool) -> Self {
        with_level!(preferred(), simd => simd.vectorize(
            #[inline(always)]
            || Self::with_simd(simd, mask, window, transposed),
        ))
    }

    #[inline(always)]
    fn with_simd<S: Simd>(simd: S, mask: MaskRef<'_>, window: Rect, transposed: bool) -> Self {
        let (mut width, mut rows) = (window.width() as usize, window.height() as usize);
        if transposed {
            (width, rows) = (rows, width);
        }
        debug_assert!(width as i64 <= T::LIMIT);
        let stride = rows + 2 * PADDING_ROWS;
        let data = Vec::with_capacity(6 * stride);
        let mut runs = Self { rows, layers: Vec::with_capacity(4), stride, data };
        let words = width.div_ceil(BIT_TILE);
        let (mut small, mut large) = ([[0; BIT_TILE]; 2], Vec::new());
        let tiles = if words <= small.len() {
            &mut small[..words]
        } else {
            large.resize(words, [0; BIT_TILE]);
            &mut large
        };
        for top in (0..rows).step_by(BIT_TILE) {
            for (column, tile) in (0..).step_by(BIT_TILE).zip(tiles.iter_mut()) {
                if transposed {
                    read(mask, window, [top, column], tile);
                    transpose(tile);
                } else {
                    read(mask, window, [column, top], tile);
                }
            }
            // The common case of one word per row, without loops over words.
            if let [tile] = &mut *tiles {
                runs.split(simd, top, std::slice::from_mut(tile));
            } else {
                runs.split(simd, top, tiles);
            }
        }
        runs
    }

    /// Splits up to 64 rows from row `top` on into layers. `tiles` holds the words of each row.
    #[inline(always)]
    fn split<S: Simd>(&mut self, simd: S, top: usize, tiles: &mut [[u64; BIT_TILE]]) {
        let (mut from, mut to) = (0, BIT_TILE.min(self.rows - top));
        for layer in 0.. {
            if layer == self.layers.len() {
                self.add_layer();
            }
            let [first, end] = &mut self.layers[layer];
            (*first, *end) = ((*first).min(top + from), (*end).max(top + to));
            // One bit for each row that has more runs.
            let mut more = 0_u64;
            let (firsts, lasts) = self.data[2 * layer * self.stride..].split_at_mut(self.stride);
            for at in (from / STEP_ROWS * STEP_ROWS..to).step_by(STEP_ROWS) {
                let run = FirstRun::of(simd, tiles, at);
                more |= run.more << at;
                let [missing_first, missing_last] =
                    [T::MISSING_FIRST, T::MISSING_LAST].map(|missing_first| {
                        let missing_first: i64 = missing_first.into();
                        u64x8::splat(simd, missing_first as u64)
                    });
                let first: [u64; STEP_ROWS] = run.has_run.select(run.first, missing_first).into();
                let last: [u64; STEP_ROWS] = run.has_run.select(run.last, missing_last).into();
                let firsts = &mut firsts[PADDING_ROWS + top + at..][..STEP_ROWS];
                let lasts = &mut lasts[PADDING_ROWS + top + at..][..STEP_ROWS];
                for i in 0..STEP_ROWS {
                    (firsts[i], lasts[i]) = (T::of_bits(first[i]), T::of_bits(last[i]));
                }
            }
            if more == 0 {
                break;
            }
            (from, to) = (more.trailing_zeros() as usize, BIT_TILE - more.leading_zeros() as usize);
        }
    }

    fn add_layer(&mut self) {
        self.layers.push([usize::MAX, 0]);
        let len = self.data.len();
        self.data.resize(len + self.stride, T::MISSING_FIRST);
        self.data.resize(len + 2 * self.stride, T::MISSING_LAST);
    }

    /// Returns the first and the last pixels of a layer; row y is at `PADDING_ROWS + y`.
    #[inline(always)]
    pub(super) fn layer(&self, layer: usize) -> (&[T], &[T]) {
        self.data[2 * layer * self.stride..][..2 * self.stride].split_at(self.stride)
    }

    /// Replaces first columns by x + 1 - first, and last columns by x - 1 - last. Added to the
    /// columns of a mask that lies `x` to the right, they give the ends of a range of translations.
    #[inline(always)]
    pub(super) fn reflect(&mut self, x: i64) {
        let (more, less) = (T::clamped(x + 1), T::clamped(x - 1));
        for both in self.data.chunks_exact_mut(2 * self.stride) {
            let (firsts, lasts) = both.split_at_mut(self.stride);
            for (first, last) in firsts.iter_mut().zip(lasts) {
                let is_run = *first != T::MISSING_FIRST;
                *last = if is_run { less.minus(*last) } else { T::MISSING_FIRST };
                *first = if is_run { more.minus(*first) } else { T::MISSING_LAST };
            }
        }
    }
}

/// Reads a tile of a window from column and row `at` on. The first column is the least significant
/// bit of each word. Pixels outside the window are clear.
#[inline(always)]
fn read(mask: MaskRef<'_>, window: Rect, at: [usize; 2], words: &mut [u64; BIT_TILE]) {
    let x = window.x0 as u32 + at[0] as u32;
    let (strip, shift) = (x / WORD, x % WORD);
    let top = window.y0 as usize + at[1];
    let rows = (window.height() as usize - at[1]).min(BIT_TILE);
    let stored = if mask.is_flipped() { mask.height() as usize - top - rows } else { top };
    let near = &mask.rows(strip)[stored..][..rows];
    let is_far = strip + 1 < mask.strips();
    let far = if is_far { &mask.rows(strip + 1)[stored..][..rows] } else { near };
    let keep_far = if is_far { u64::MAX } else { 0 };
    let keep = inside(window.width(), at[0] as u32 / WORD);
    let word = |(&near, &far): (&u64, &u64)| shifted(near, far & keep_far, shift) & keep;
    let (words, rest) = words.split_at_mut(rows);
    rest.fill(0);
    let parts = near.iter().zip(far);
    if mask.is_flipped() {
        words.iter_mut().zip(parts.rev()).for_each(|(out, parts)| *out = word(parts));
    } else {
        words.iter_mut().zip(parts).for_each(|(out, parts)| *out = word(parts));
    }
}

pub(super) const STEP_ROWS: usize = 8;

pub(super) struct FirstRun<S: Simd> {
    /// Set for rows that have a run. Without a run, `first` and `last` are arbitrary.
    pub(super) has_run: mask64x8<S>,
    pub(super) first: u64x8<S>,
    pub(super) last: u64x8<S>,
    pub(super) more: u64,
}

impl<S: Simd> FirstRun<S> {
    /// Removes the first run from each of the 8 rows from `at` on, and returns the runs. `words`
    /// holds the words of each row; the first pixel is the least significant bit.
    #[inline(always)]
    pub(super) fn of<const LEN: usize>(simd: S, words: &mut [[u64; LEN]], at: usize) -> Self {
        let [zero, one] = [0, 1].map(|number| u64x8::splat(simd, number));
        let (mut any, mut more, mut first, mut ones) = (zero, zero, zero, zero);
        // `carry` is added to the next word. `none` is all ones in rows without a pixel so far.
        let (mut carry, mut none) = (zero, !zero);
        for words in words {
            let words = &mut words[at..][..STEP_ROWS];
            let row = u64x8::from_slice(simd, words);
            let lowest = row & (zero - row) & none;
            let above = row + lowest + carry;
            let (run, rest) = (row & !above, row & above);
            rest.store_slice(words);
            first += ((lowest - one) & none).count_ones();
            ones += run.count_ones();
            (any, more) = (any | row, more | rest);
            // Zero after the addition is an overflow: the first run extends to the end of the word.
            let is_empty = row.simd_eq(zero);
            carry = (!is_empty & above.simd_eq(zero)).select(one, zero);
            none &= is_empty.select(!zero, zero);
        }
        Self {
            has_run: any.simd_ne(zero),
            first,
            last: first + ones - one,
            more: more.simd_ne(zero).to_bitmask(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::dotted;
    use crate::simd::with_level;

    /// Returns the runs of the rows of a window, or of its columns, found pixel by pixel.
    fn by_pixel(mask: MaskRef<'_>, window: Rect, transposed: bool) -> Vec<Vec<[i64; 2]>> {
        let (width, height) = (window.width() as i32, window.height() as i32);
        let (length, rows) = if transposed { (height, width) } else { (width, height) };
        let is_set = |x: i32, y: i32| {
            let (x, y) = if transposed { (y, x) } else { (x, y) };
            mask.get(window.x0 + x, window.y0 + y)
        };
        let runs = |y: i32| {
            let mut runs: Vec<[i64; 2]> = Vec::new();
            for x in (0..length).filter(|&x| is_set(x, y)) {
                let x = i64::from(x);
                match runs.last_mut() {
                    Some([_, last]) if *last + 1 == x => *last = x,
                    _ => runs.push([x; 2]),
                }
            }
            runs
        };
        (0..rows).map(runs).collect()
    }

    fn check<T: Coordinate>(runs: &RowRuns<T>, expected: &[Vec<[i64; 2]>], context: &str) {
        assert_eq!(runs.rows, expected.len(), "{context}");
        assert_eq!(
            runs.layers.len(),
            expected.iter().map(Vec::len).max().unwrap().max(1),
            "{context}"
        );
        for (layer, &[from, to]) in runs.layers.iter().enumerate() {
            let (firsts, lasts) = runs.layer(layer);
            for (i, both) in firsts.iter().zip(lasts).enumerate() {
                let both = [*both.0, *both.1];
                let row = i.checked_sub(PADDING_ROWS).filter(|&y| y < runs.rows);
                match row.and_then(|y| Some((y, expected[y].get(layer)?))) {
                    Some((y, run)) => {
                        assert_eq!(
                            both.map(Into::<i64>::into),
                            *run,
                            "row {y} of {layer} {context}"
                        );
                        assert!((from..to).contains(&y), "row {y} of {layer} {context}");
                    }
                    None => assert!(
                        both == [T::MISSING_FIRST, T::MISSING_LAST],
                        "{i} of {layer} {context}"
                    ),
                }
            }
        }
    }

    #[test]
    fn runs_equal_a_per_pixel_scan_at_every_level() {
        let mut solid = crate::mask::Mask::new(300, 150).unwrap();
        solid.fill();
        for mask in [dotted(300, 150), solid] {
            for mask in [mask.as_ref(), mask.as_ref().flip_y()] {
                for window in [[0, 0, 64, 64], [7, 3, 50, 8], [60, 9, 131, 150], [0, 0, 300, 70]] {
                    let [x0, y0, x1, y1] = window;
                    let window = Rect::new(x0, y0, x1, y1);
                    for simd in crate::simd::Simd::available() {
                        for transposed in [false, true] {
                            let context = format!("{window:?} {transposed} {}", simd.name());
                            let expected = by_pixel(mask, window, transposed);
                            with_level!(simd.level().unwrap(), simd => {
                                let runs = RowRuns::<i16>::with_simd(simd, mask, window, transposed);
                                check(&runs, &expected, &context);
                                let runs = RowRuns::<i32>::with_simd(simd, mask, window, transposed);
                                check(&runs, &expected, &context);
                            });
                        }
                    }
                }
            }
        }
    }
}
