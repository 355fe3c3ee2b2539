//! The shortest way apart of two masks of up to [`SIDE`] pixels: what is searched in `push.rs` row by
//! row of translations, here for [`LANES`] such rows at once and without memory of its own.
//!
//! ```text
//! runs of each row, in layers, as in spans.rs, in bytes
//! for each block of LANES rows of translations, the middle one first:
//!   for each layer of a and of b:
//!     walk over the rows of a: in each lane, from where to where all translations are taken
//!     try the nearest that is not known to be; if it is free, the block is done
//! ```
//!
//! 1. Bytes suffice for windows of at most 64 columns whose boxes overlap: sums of two columns and
//!    of what lies between the windows reach from -127 to 127. A missing run saturates, on the side
//!    where it changes nothing. Wider ones take twice as many.
//! 2. What it costs is the taking apart of rows, two fifths, and the walks, a third: most searches
//!    take two blocks and two walks of each.
//! 3. Rows of more than [`LAYERS`] runs lose the others. So what is known to be taken is so still,
//!    and what is tried is tried on the masks; but a search may get stuck, and then says so.

use super::Candidate;
use super::spans::vectorized;
use super::windows::Windows;
use crate::geom::Rect;
use crate::mask::{MaskRef, WORD};

/// Longest side of a window.
pub(super) const SIDE: usize = 96;

/// Rows of translations at once.
const LANES: usize = 32;

/// Runs of a row that are looked at.
const LAYERS: usize = 4;

/// Rows of a window, with missing runs before and after them, so that a walk may begin and end
/// beside it.
const LENGTH: usize = SIDE + 2 * LANES;

/// Rows between two looks at whether all lanes are taken.
const LOOK: usize = 32;

/// A number of a column, or between two of them.
trait Column: Copy + Ord + Into<i32> {
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
trait Row: Copy + PartialEq {
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
struct Runs<T> {
    layers: usize,
    firsts: [[T; LENGTH]; LAYERS],
    lasts: [[T; LENGTH]; LAYERS],
    /// For each layer the rows in which there are any: from, and up to.
    rows: [[usize; 2]; LAYERS],
}

impl<T: Column> Runs<T> {
    #[inline(always)]
    const fn new() -> Self {
        Self {
            layers: 0,
            firsts: [[T::FAR; LENGTH]; LAYERS],
            lasts: [[T::MINUS_FAR; LENGTH]; LAYERS],
            rows: [[0; 2]; LAYERS],
        }
    }

    /// Takes the rows of `window`, which lies inside `mask`, apart.
    #[inline(always)]
    fn fill<R: Row>(&mut self, mask: MaskRef<'_>, window: Rect) {
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
    fn turn(&mut self, x: i64) {
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

/// Which translations are taken, for rows of them from `top` on.
struct Taken<T> {
    top: i64,
    /// In each, all from 0 up to, not including, this one.
    right: [T; LANES],
    /// The same to the left: all from 0 down to, not including, this one.
    left: [T; LANES],
}

impl<T: Column> Taken<T> {
    /// Walks over the runs of one layer of a, turned, and one of b, which lies `dy` rows below;
    /// once all lanes are taken beyond `limit` to both sides nothing farther is looked for.
    #[inline(always)]
    fn walk(
        &mut self,
        (a, in_a): (&Runs<T>, usize),
        (b, in_b): (&Runs<T>, usize),
        dy: i64,
        limit: T,
    ) {
        // Row i of a faces row i + down of b in the first lane.
        let down = self.top - dy;
        let [[a_from, a_to], [b_from, b_to]] =
            [a.rows[in_a], b.rows[in_b]].map(|rows| rows.map(|row| row as i64));
        let from = (b_from + 1 - LANES as i64 - down).clamp(a_from, a_to);
        let to = (b_to - down).clamp(from, a_to);
        let (above, below) = (&a.firsts[in_a], &a.lasts[in_a]);
        let (firsts, lasts) = (&b.firsts[in_b], &b.lasts[in_b]);
        // From the middle on, where masks are widest.
        for (mut row, end) in [((from + to) / 2, to), (from, (from + to) / 2)] {
            while row < end {
                let n = LOOK.min((end - row) as usize);
                let (at_a, at_b) = (row as usize + LANES, (row + down + LANES as i64) as usize);
                let faced = n + LANES - 1;
                self.meet(
                    (&below[at_a..][..n], &above[at_a..][..n]),
                    (&firsts[at_b..][..faced], &lasts[at_b..][..faced]),
                );
                if self.are_beyond(limit) {
                    return;
                }
                row += n as i64;
            }
        }
    }

    /// Takes what runs of a and those of b that they face meet at.
    #[inline(always)]
    fn meet(&mut self, a: (&[T], &[T]), b: (&[T], &[T])) {
        // Copies, which stay in registers.
        let (mut rights, mut lefts) = (self.right, self.left);
        let faced = b.0.windows(LANES).zip(b.1.windows(LANES));
        for ((&below, &above), (firsts, lasts)) in a.0.iter().zip(a.1).zip(faced) {
            let (Some(firsts), Some(lasts)) =
                (firsts.first_chunk::<LANES>(), lasts.first_chunk::<LANES>())
            else {
                break;
            };
            for i in 0..LANES {
                let (before, after) = (firsts[i].plus(below), lasts[i].plus(above));
                let (right, left) = (rights[i], lefts[i]);
                rights[i] = right.max(if right > before { after } else { T::ZERO });
                lefts[i] = left.min(if after > left { before } else { T::ZERO });
            }
        }
        (self.right, self.left) = (rights, lefts);
    }

    /// True where all lanes are taken beyond a limit.
    #[inline(always)]
    fn are_beyond(&self, limit: T) -> bool {
        let mut all = true;
        for (&right, &left) in self.right.iter().zip(&self.left) {
            all &= (right > limit) & (left < T::ZERO.minus(limit));
        }
        all
    }

    /// The shortest translation that is not known to be taken: of equally short ones the one
    /// farthest up, of those the one farthest left.
    #[inline(always)]
    fn nearest(&self) -> Candidate {
        // Squares are below 2^16: a lane fits beside them.
        let mut least = u32::MAX;
        for i in 0..LANES {
            let (right, left): (i32, i32) = (self.right[i].into(), self.left[i].into());
            let (x, y) = (right.min(-left), self.top as i32 + i as i32);
            least = least.min(((x * x + y * y) as u32) * LANES as u32 + i as u32);
        }
        let lane = least as usize % LANES;
        let (right, left): (i32, i32) = (self.right[lane].into(), self.left[lane].into());
        let x = if -left <= right { left } else { right };
        Candidate::new([x.into(), self.top + lane as i64])
    }
}

/// The shortest translation that `is_free`, or `best` if there is none that is better, which lies
/// within reach of the windows; `None` where they are too large, or have rows of too many runs.
pub(super) fn out(
    windows: &Windows<'_>,
    best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    let (a, b) = windows.parts();
    let width = a.1.width().max(b.1.width());
    if width.max(a.1.height()).max(b.1.height()) > SIDE as u32 {
        return None;
    }
    vectorized(
        #[inline(always)]
        || {
            if width <= WORD {
                search::<i8, u64>(a, b, windows.offset, best, is_free)
            } else {
                search::<i16, u128>(a, b, windows.offset, best, is_free)
            }
        },
    )
}

#[inline(always)]
fn search<T: Column, R: Row>(
    (a, in_a): (MaskRef<'_>, Rect),
    (b, in_b): (MaskRef<'_>, Rect),
    [dx, dy]: [i64; 2],
    mut best: Candidate,
    is_free: impl Fn(Candidate) -> bool,
) -> Option<Candidate> {
    // Filled where they lie: moving them would cost as much.
    let (mut of_a, mut of_b) = (Runs::<T>::new(), Runs::<T>::new());
    of_a.fill::<R>(a, in_a);
    of_a.turn(dx);
    of_b.fill::<R>(b, in_b);
    let lanes = LANES as i64;
    for block in 0_i64.. {
        // The middle one, then one below and one above in turn, each farther away.
        let away = (block + 1) / 2 * lanes;
        let (top, nearest) = match block % 2 {
            1 => (away - lanes / 2, away - lanes / 2),
            _ => (-away - lanes / 2, (away + 1 - lanes / 2).max(0)),
        };
        let left_over = best.square as i64 - nearest * nearest;
        if left_over < 0 {
            break;
        }
        let limit = T::cut((left_over as f64).sqrt().ceil() as i64);
        let mut taken = Taken { top, right: [T::ZERO; LANES], left: [T::ZERO; LANES] };
        let (mut tried, mut walks) = (None, 0);
        for (in_a, in_b) in pairs(of_a.layers, of_b.layers).cycle() {
            taken.walk((&of_a, in_a), (&of_b, in_b), dy, limit);
            walks += 1;
            let found = taken.nearest();
            if found >= best {
                break;
            }
            if tried != Some(found) {
                if is_free(found) {
                    best = found;
                    break;
                }
                (tried, walks) = (Some(found), 0);
            } else if walks > of_a.layers * of_b.layers {
                // What takes it is a run that is not looked at.
                return None;
            }
        }
    }
    Some(best)
}

/// Every layer of a with every layer of b.
#[inline(always)]
fn pairs(a: usize, b: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..a * b).map(move |pair| (pair / b, pair % b))
}
