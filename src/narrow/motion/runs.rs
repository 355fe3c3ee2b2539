//! The runs of each row of a small window, in layers: as in `spans.rs`, but in bytes, without
//! memory of their own, and with the runs beyond [`LAYERS`] left out.

use crate::geom::Rect;
use crate::mask::{MaskRef, WORD};

/// Longest side of a window.
pub(super) const SIDE: usize = 96;

/// Rows of translations at once.
pub(super) const LANES: usize = 32;

/// Runs of a row that are looked at.
pub(super) const LAYERS: usize = 4;

/// Rows of a window, with missing runs before and after them, so that a walk may begin and end
/// beside it.
const LENGTH: usize = SIDE + 2 * LANES;

/// A number of a column, or between two of them.
pub(super) trait Column: Copy + Ord + Into<i32> {
    /// The start of a run that there is not.
    const FAR: Self;
    /// Its end.
    const MINUS_FAR: Self;
    const ZERO: Self;

    fn cut(value: i64) -> Self;
    fn of_bit(bit: u32) -> Self;
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
            fn of_bit(bit: u32) -> Self {
                bit as Self
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

/// The pixels of a row of a window, its first column least significant.
pub(super) trait Row: Copy + PartialEq {
    const CLEAR: Self;

    /// Row `y` of a window that is not wider than this has bits.
    fn read(mask: MaskRef<'_>, window: Rect, y: u32) -> Self;
    fn of_word(word: u64) -> Self;
    /// The first run, of a row that has one, and the rest.
    fn split(self) -> (Self, Self);
    fn or(self, other: Self) -> Self;
    fn first(self) -> u32;
    fn last(self) -> u32;
}

macro_rules! row {
    ($bits:ty, $read:expr) => {
        impl Row for $bits {
            const CLEAR: Self = 0;

            #[inline(always)]
            fn read(mask: MaskRef<'_>, window: Rect, y: u32) -> Self {
                $read(mask, window, y)
            }

            #[inline(always)]
            fn of_word(word: u64) -> Self {
                word.into()
            }

            #[inline(always)]
            fn split(self) -> (Self, Self) {
                // Adding its lowest bit clears the first run, and sets the bit above it.
                let above = self.wrapping_add(self & self.wrapping_neg());
                (self & !above, self & above)
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn last(self) -> u32 {
                (Self::BITS - 1) ^ self.leading_zeros()
            }
        }
    };
}

row!(u64, |mask, window, y| word(mask, window, y, 0));
row!(u128, |mask, window: Rect, y| {
    let more = if window.width() > WORD { word(mask, window, y, 1) } else { 0 };
    u128::from(word(mask, window, y, 0)) | u128::from(more) << WORD
});

/// Word `s`, inside, of a window's row `y`.
#[inline(always)]
fn word(mask: MaskRef<'_>, window: Rect, y: u32, s: u32) -> u64 {
    let (x, y) = (window.x0 as u32 + s * WORD, window.y0 as u32 + y);
    let (strip, shift) = (x / WORD, x % WORD);
    let near = mask.word(strip, y) >> shift;
    let far = if strip + 1 < mask.strips() { mask.word(strip + 1, y) } else { 0 };
    // Twice, because a shift by 64 would be out of range where shift is 0.
    (near | far << 1 << (WORD - 1 - shift)) & first_columns(window.width() - s * WORD)
}

/// The first `width` columns of a word, or all.
#[inline(always)]
const fn first_columns(width: u32) -> u64 {
    if width >= WORD { u64::MAX } else { (1 << width) - 1 }
}

/// The runs of a window of a mask, in layers; those of row y lie at `LANES + y`.
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

    /// Takes the rows of `window`, which lies inside `mask`, apart.
    #[inline(always)]
    pub(super) fn fill<R: Row>(&mut self, mask: MaskRef<'_>, window: Rect) {
        let mut words = [R::CLEAR; SIDE];
        let words = &mut words[..window.height() as usize];
        if window.x0 == 0 && mask.width() <= WORD && !mask.is_flipped() {
            let inside = first_columns(window.width());
            let stored = &mask.rows(0)[window.y0 as usize..][..words.len()];
            words.iter_mut().zip(stored).for_each(|(word, row)| *word = R::of_word(row & inside));
        } else {
            words.iter_mut().zip(0..).for_each(|(word, y)| *word = R::read(mask, window, y));
        }
        // Almost every row has a first run: without a branch on it.
        let (firsts, lasts, _) = self.add_layer(words.len());
        let mut left = R::CLEAR;
        for ((word, first), last) in words.iter_mut().zip(firsts).zip(lasts) {
            let (run, rest) = word.split();
            let is_run = run != R::CLEAR;
            *first = if is_run { T::of_bit(run.first()) } else { T::FAR };
            *last = if is_run { T::of_bit(run.last()) } else { T::MINUS_FAR };
            (*word, left) = (rest, left.or(rest));
        }
        // Few have others, and these lie together.
        while left != R::CLEAR && self.layers < LAYERS {
            left = R::CLEAR;
            let (mut from, mut to) = (words.len(), 0);
            let (firsts, lasts, rows) = self.add_layer(words.len());
            for (y, ((word, first), last)) in words.iter_mut().zip(firsts).zip(lasts).enumerate() {
                if *word == R::CLEAR {
                    continue;
                }
                (from, to) = (from.min(y), y + 1);
                let (run, rest) = word.split();
                (*first, *last) = (T::of_bit(run.first()), T::of_bit(run.last()));
                (*word, left) = (rest, left.or(rest));
            }
            *rows = [from, to];
        }
    }

    /// The starts, the last pixels and the rows of a new layer.
    #[inline(always)]
    fn add_layer(&mut self, rows: usize) -> (&mut [T], &mut [T], &mut [usize; 2]) {
        let layer = self.layers;
        self.layers += 1;
        self.rows[layer] = [0, rows];
        (
            &mut self.firsts[layer][LANES..][..rows],
            &mut self.lasts[layer][LANES..][..rows],
            &mut self.rows[layer],
        )
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
