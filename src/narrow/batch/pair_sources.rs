//! Stage 1, four pairs at a time: the two sources of pairs.
//!
//! [`Listed`] serves the batch of an atlas, [`Positions`] the pair finder of a world.
//!
//! ```text
//! list:     load four pairs of four words, and transpose: first masks, second masks, dx, dy
//!           for four mask numbers: load the records, and transpose: first words, sizes
//! indexed:  for four positions on either side: load the masks, and transpose: first words, sizes
//!           dx, dy: corner of the second mask minus corner of the first
//! ```
//!
//! 1. Each vector that is stored holds one field of four pairs, as stage 2 reads it: about 20
//!    instructions per pair. Pair by pair, each field would be one load and one store: 41
//!    instructions per pair.
//! 2. A list is tested for large masks once per chunk, and the result applies to the next chunk.
//!    Lists are mostly uniform, and lists of small sprites skip the diagonal extents.
//! 3. Out-of-range indices go to a `#[cold]` function: selecting between two addresses costs 5
//!    instructions more per pair.
//! 4. No closure is called per pair, because it would be compiled without the instructions of the
//!    level (64 px 1.56x, 16 px 1.9x as long).

use super::staging::{Source, Stage};
use super::{CHUNK, diagonal_reject};
use crate::mask::{MaskDescriptor, MaskSize};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x4, u32x4, u64x2};

/// The pairs of a list. Their masks are numbered entries of a table: the poses of an atlas.
pub(crate) struct Listed<'a, P, F> {
    pub(crate) pairs: &'a [P],
    /// Returns the words of a pair: the number of the first mask, the number of the second mask, dx
    /// and dy. [`MaskSize::FLIPPED`] is set in the number of a flipped mask.
    pub(crate) words: F,
    /// The table of masks: the [`MaskDescriptor`] in words 0 and 2, the
    /// [`Diagonals`](crate::mask::Diagonals) in words 1 and 3.
    pub(crate) masks: &'a [[u32; 4]],
    /// The previous chunk had large masks, so pairs are tested by their diagonal extents first.
    pub(crate) large: bool,
    /// Whether pairs are tested by their diagonal extents at all.
    pub(crate) by_diagonals: bool,
}

impl<P, F: Fn(&P) -> [u32; 4]> Source for Listed<'_, P, F> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize {
        let (now, later) = self.pairs.split_at(limit.min(CHUNK).min(self.pairs.len()));
        self.pairs = later;
        // Locals, so that they stay in registers.
        let (words, masks) = (&self.words, self.masks);
        if self.large && self.by_diagonals {
            put_all::<S, P, F, true>(simd, stage, (words, masks), now);
            diagonal_reject::reject(stage, now.len());
        } else {
            put_all::<S, P, F, false>(simd, stage, (words, masks), now);
        }
        self.large = diagonal_reject::are_large(stage, now.len());
        now.len()
    }
}

/// Stages pairs, at most one chunk.
#[inline(always)]
fn put_all<S: Simd, P, F: Fn(&P) -> [u32; 4], const DIAGONALS: bool>(
    simd: S,
    stage: &mut Stage,
    (words, masks): (&F, &[[u32; 4]]),
    pairs: &[P],
) {
    let (fours, rest) = pairs.as_chunks::<4>();
    for (at, four) in fours.iter().enumerate().take(CHUNK / 4) {
        let [p, q, r, s] = four;
        let four = [words(p), words(q), words(r), words(s)];
        put_listed::<S, DIAGONALS>(simd, stage, at, masks, four);
    }
    if !rest.is_empty() {
        let mut four = [[0; 4]; 4];
        for (four, pair) in four.iter_mut().zip(rest) {
            *four = words(pair);
        }
        put_listed::<S, DIAGONALS>(simd, stage, fours.len() % (CHUNK / 4), masks, four);
    }
}

/// Stages `four` pairs from index 4 x `at` on.
#[inline(always)]
fn put_listed<S: Simd, const DIAGONALS: bool>(
    simd: S,
    stage: &mut Stage,
    at: usize,
    masks: &[[u32; 4]],
    four: [[u32; 4]; 4],
) {
    let [p, q, r, s] = four;
    let numbers = [[p[0], q[0], r[0], s[0]], [p[1], q[1], r[1], s[1]]];
    let (p, q) = (u32x4::load_array(simd, p), u32x4::load_array(simd, q));
    let (r, s) = (u32x4::load_array(simd, r), u32x4::load_array(simd, s));
    let (low, odd_low) = (p.zip_low(r), q.zip_low(s));
    let (high, odd_high) = (p.zip_high(r), q.zip_high(s));
    let (a, b) = (low.zip_low(odd_low), low.zip_high(odd_low));
    let right: i32x4<S> = high.zip_low(odd_high).bitcast();
    let down: i32x4<S> = high.zip_high(odd_high).bitcast();
    let [a, b] = [columns_of(simd, masks, a, numbers[0]), columns_of(simd, masks, b, numbers[1])];
    stage.put(at, [(a[0], a[2]), (b[0], b[2])], [right.into(), down.into()]);
    if DIAGONALS {
        stage.put_diagonals(at, [[a[1], a[3]], [b[1], b[3]]]);
    }
}

/// Returns the table columns of four masks. A number out of range stands for an empty mask.
#[inline(always)]
fn columns_of<S: Simd>(
    simd: S,
    masks: &[[u32; 4]],
    numbers: u32x4<S>,
    four: [u32; 4],
) -> [u32x4<S>; 4] {
    let [p, q, r, s] = four;
    let (p, q) = (record(simd, masks, p), record(simd, masks, q));
    let (r, s) = (record(simd, masks, r), record(simd, masks, s));
    // Not an unzip, which crosses the halves of wide vectors with AVX-512.
    let (even, odd) = (p.zip_low(r), q.zip_low(s));
    let (words, falling) = (even.zip_low(odd), even.zip_high(odd));
    let (even, odd) = (p.zip_high(r), q.zip_high(s));
    let (size, rising) = (even.zip_low(odd), even.zip_high(odd));
    [words, falling, size | (numbers & MaskSize::FLIPPED), rising]
}

#[inline(always)]
fn record<S: Simd>(simd: S, masks: &[[u32; 4]], number: u32) -> u32x4<S> {
    match masks.get((number & !MaskSize::FLIPPED) as usize) {
        Some(mask) => u32x4::load_array_ref(simd, mask),
        None => u32x4::load_array(simd, empty_mask()),
    }
}

/// Returns the record of an empty mask. A call, so that the hot path prepares nothing for it.
#[cold]
#[inline(never)]
const fn empty_mask() -> [u32; 4] {
    [0; 4]
}

/// Masks and the positions of their top-left corners: columns of equal length.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) masks: &'a [MaskDescriptor],
    pub(crate) x: &'a [i32],
    pub(crate) y: &'a [i32],
}

impl Columns<'_> {
    /// Returns the same columns, sliced to one length, so that one bounds check replaces three.
    #[inline(always)]
    fn even(self) -> Self {
        let Self { masks, x, y } = self;
        Self { masks, x: &x[..masks.len()], y: &y[..masks.len()] }
    }

    /// Returns the first words and the sizes of the masks at four positions.
    #[inline(always)]
    fn masks<S: Simd>(self, simd: S, at: [u32; 4]) -> (u32x4<S>, u32x4<S>) {
        let low = [self.mask(at[0]), self.mask(at[1])];
        let high = [self.mask(at[2]), self.mask(at[3])];
        let low: u32x4<S> = u64x2::load_array(simd, low).bitcast();
        let high: u32x4<S> = u64x2::load_array(simd, high).bitcast();
        let (even, odd) = (low.zip_low(high), low.zip_high(high));
        (even.zip_low(odd), even.zip_high(odd))
    }

    #[inline(always)]
    fn mask(self, at: u32) -> u64 {
        let MaskDescriptor { words, size } = self.masks[at as usize];
        u64::from(words) | u64::from(size.0) << 32
    }
}

/// Pairs of positions, one of `first` with one of `second`, each in the columns of its side:
/// colliders of a world.
pub(crate) struct Positions<'a> {
    pub(crate) first: &'a [u32],
    pub(crate) second: &'a [u32],
    pub(crate) sides: [Columns<'a>; 2],
}

impl Source for Positions<'_> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize {
        let limit = limit.min(CHUNK).min(self.first.len()).min(self.second.len());
        let (first, later) = self.first.split_at(limit);
        let (second, later_second) = self.second.split_at(limit);
        (self.first, self.second) = (later, later_second);
        let sides = self.sides.map(
            #[inline(always)]
            |side| side.even(),
        );
        let (firsts, rest) = first.as_chunks::<4>();
        let (seconds, rest_seconds) = second.as_chunks::<4>();
        for (at, (&a, &b)) in firsts.iter().zip(seconds).enumerate().take(CHUNK / 4) {
            put_four(simd, stage, at, sides, [a, b]);
        }
        if !rest.is_empty() {
            // Padded with a valid pair, whose answer is not read.
            let (mut a, mut b) = ([rest[0]; 4], [rest_seconds[0]; 4]);
            a[..rest.len()].copy_from_slice(rest);
            b[..rest.len()].copy_from_slice(rest_seconds);
            put_four(simd, stage, firsts.len() % (CHUNK / 4), sides, [a, b]);
        }
        limit
    }
}

/// Stages four pairs from index 4 x `at` on.
#[inline(always)]
fn put_four<S: Simd>(
    simd: S,
    stage: &mut Stage,
    at: usize,
    [first_columns, second_columns]: [Columns<'_>; 2],
    [a, b]: [[u32; 4]; 2],
) {
    let (mut dx, mut dy) = ([0; 4], [0; 4]);
    for n in 0..4 {
        let (a, b) = (a[n] as usize, b[n] as usize);
        dx[n] = second_columns.x[b].wrapping_sub(first_columns.x[a]);
        dy[n] = second_columns.y[b].wrapping_sub(first_columns.y[a]);
    }
    let masks = [first_columns.masks(simd, a), second_columns.masks(simd, b)];
    stage.put(at, masks, [dx, dy]);
}
