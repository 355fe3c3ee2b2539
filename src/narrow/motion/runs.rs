//! The runs of each row of a small window, in layers: as in `spans.rs`, but in bytes, without
//! memory of their own, and with the runs beyond [`LAYERS`] left out.

use super::first::{First, ROWS};
use crate::geom::Rect;
use crate::mask::{MaskRef, WORD};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Longest side of a window.
pub(super) const SIDE: usize = 96;

/// Missing runs before and after those of a window, so that a walk may begin and end beside it: as
/// many as there are rows of translations at once.
pub(super) const BESIDE: usize = 64;

/// Runs of a row that are looked at.
pub(super) const LAYERS: usize = 4;

const LENGTH: usize = SIDE + 2 * BESIDE;

/// A number of a column, or between two of them.
pub(super) trait Column: Copy + Ord + Into<i32> {
    /// The start of a run that there is not.
    const FAR: Self;
    /// Its end.
    const MINUS_FAR: Self;
    const ZERO: Self;

    fn cut(value: i64) -> Self;
    /// As it is in the lowest bits of a word.
    fn of_bits(word: u64) -> Self;
    fn bits(self) -> u64;
    /// The sum, or the end of the range where it is beyond.
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
}

macro_rules! column {
    ($number:ty) => {
        impl Column for $number {
            const FAR: Self = Self::MAX;
            const MINUS_FAR: Self = Self::MIN;
            const ZERO: Self = 0;

            #[inline(always)]
            fn cut(value: i64) -> Self {
                value.clamp(Self::MIN.into(), Self::MAX.into()) as Self
            }

            #[inline(always)]
            fn of_bits(word: u64) -> Self {
                word as Self
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

column!(i8);
column!(i16);

/// Writes the words `s` of a window's rows, its first column least significant.
#[inline(always)]
fn read(mask: MaskRef<'_>, window: Rect, s: u32, words: &mut [u64]) {
    let Some(columns @ 1..) = window.width().checked_sub(s * WORD) else { return };
    let x = window.x0 as u32 + s * WORD;
    let (strip, shift) = (x / WORD, x % WORD);
    let rows = window.height() as usize;
    let top = window.y0 as usize;
    let stored = if mask.is_flipped() { mask.height() as usize - top - rows } else { top };
    let near = &mask.rows(strip)[stored..][..rows];
    let is_far = (shift != 0) & (strip + 1 < mask.strips());
    let far = if is_far { &mask.rows(strip + 1)[stored..][..rows] } else { near };
    let inside = if columns >= WORD { u64::MAX } else { (1 << columns) - 1 };
    let inside_far = if is_far { inside } else { 0 };
    let window =
        |near: u64, far: u64| near >> shift & inside | far << ((WORD - shift) % WORD) & inside_far;
    if mask.is_flipped() {
        for ((word, &near), &far) in words.iter_mut().zip(near.iter().rev()).zip(far.iter().rev()) {
            *word = window(near, far);
        }
    } else {
        for ((word, &near), &far) in words.iter_mut().zip(near).zip(far) {
            *word = window(near, far);
        }
    }
}

/// The runs of a window of a mask, in layers; those of row y lie at `BESIDE + y`.
pub(super) struct Runs<T> {
    pub(super) layers: usize,
    pub(super) firsts: [[T; LENGTH]; LAYERS],
    pub(super) lasts: [[T; LENGTH]; LAYERS],
    /// For each layer the rows in which there are any: from, and up to.
    pub(super) rows: [[usize; 2]; LAYERS],
}

impl<T: Column> Runs<T> {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            layers: 0,
            firsts: [[T::FAR; LENGTH]; LAYERS],
            lasts: [[T::MINUS_FAR; LENGTH]; LAYERS],
            rows: [[0; 2]; LAYERS],
        }
    }

    /// Takes the rows of `window`, which lies inside `mask` and is not wider than `WORDS` words,
    /// apart.
    #[inline(always)]
    pub(super) fn fill<S: Simd, const WORDS: usize>(
        &mut self,
        simd: S,
        mask: MaskRef<'_>,
        window: Rect,
    ) {
        let mut words = [[0; SIDE]; WORDS];
        for (s, words) in words.iter_mut().enumerate() {
            read(mask, window, s as u32, words);
        }
        let mut rows = [0, window.height() as usize];
        while rows[0] < rows[1] && self.layers < LAYERS {
            let layer = self.layers;
            (self.layers, self.rows[layer]) = (layer + 1, rows);
            // One bit for each row that has more runs.
            let mut more = [0; 2];
            for block in rows[0] / ROWS..rows[1].div_ceil(ROWS) {
                let at = block * ROWS;
                let run = First::of(simd, &mut words, at);
                more[at / 64] |= run.more << (at % 64);
                let [firsts, lasts] = [&mut self.firsts, &mut self.lasts]
                    .map(|columns| &mut columns[layer][BESIDE + at..][..ROWS]);
                let (far, minus_far) = (u64x8::splat(simd, T::FAR.bits()), T::MINUS_FAR.bits());
                let first: [u64; ROWS] = run.some.select(run.first, far).into();
                let last: [u64; ROWS] =
                    run.some.select(run.last, u64x8::splat(simd, minus_far)).into();
                for i in 0..ROWS {
                    (firsts[i], lasts[i]) = (T::of_bits(first[i]), T::of_bits(last[i]));
                }
            }
            let more = u128::from(more[0]) | u128::from(more[1]) << 64;
            rows = [more.trailing_zeros() as usize, (u128::BITS - more.leading_zeros()) as usize];
        }
    }

    /// Puts in the place of first and last columns what makes ends of ranges of those of the other
    /// mask, which lies `x` columns to the right: x + 1 - first, and x - 1 - last.
    #[inline(always)]
    pub(super) fn turn(&mut self, x: i64) {
        let (more, less) = (T::cut(x + 1), T::cut(x - 1));
        let layers = self.firsts.iter_mut().zip(&mut self.lasts).take(self.layers);
        for (firsts, lasts) in layers {
            for (first, last) in firsts.iter_mut().zip(lasts) {
                let is_run = *first != T::FAR;
                *last = if is_run { less.minus(*last) } else { T::FAR };
                *first = if is_run { more.minus(*first) } else { T::MINUS_FAR };
            }
        }
    }
}
