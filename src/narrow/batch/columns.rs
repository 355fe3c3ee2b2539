//! Stage 1 for pairs of masks that lie in columns, each with its corner: four pairs at a time.
//!
//! ```text
//! of four positions on either side: load the masks, and part them: words, sizes
//! right, down: the corner of the second less that of the first
//! ```
//!
//! One by one, with each column asked whether it has the position, it is 41 instructions a pair, and
//! here about 20.

use super::CHUNK;
use super::stage::{Source, Stage};
use crate::mask::HotMask;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u32x4, u64x2};

/// Masks, and the pixel at which the top-left corner of each lies: columns of one length.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) masks: &'a [HotMask],
    pub(crate) x: &'a [i32],
    pub(crate) y: &'a [i32],
}

impl Columns<'_> {
    /// The same, cut to one length where the compiler sees it: one check then stands for three.
    #[inline(always)]
    fn even(self) -> Self {
        let Self { masks, x, y } = self;
        Self { masks, x: &x[..masks.len()], y: &y[..masks.len()] }
    }

    /// The masks at four positions: their words and their sizes.
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
        let HotMask { words, size } = self.masks[at as usize];
        u64::from(words) | u64::from(size) << 32
    }
}

/// Pairs of positions, each with one of either side: one of `first` with that of `second`.
pub(crate) struct Positions<'a> {
    pub(crate) first: &'a [u32],
    pub(crate) second: &'a [u32],
    pub(crate) sides: [Columns<'a>; 2],
}

impl Source for Positions<'_> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, most: usize) -> usize {
        let most = most.min(CHUNK).min(self.first.len()).min(self.second.len());
        let (first, later) = self.first.split_at(most);
        let (second, later_second) = self.second.split_at(most);
        (self.first, self.second) = (later, later_second);
        let sides = self.sides.map(
            #[inline(always)]
            |side| side.even(),
        );
        let (firsts, rest) = first.as_chunks::<4>();
        let (seconds, rest_seconds) = second.as_chunks::<4>();
        for (at, (&a, &b)) in firsts.iter().zip(seconds).enumerate().take(CHUNK / 4) {
            put(simd, stage, at, sides, [a, b]);
        }
        if !rest.is_empty() {
            // Once more the first of them where there is none: what is not asked for is not looked at.
            let (mut a, mut b) = ([rest[0]; 4], [rest_seconds[0]; 4]);
            a[..rest.len()].copy_from_slice(rest);
            b[..rest.len()].copy_from_slice(rest_seconds);
            put(simd, stage, firsts.len() % (CHUNK / 4), sides, [a, b]);
        }
        most
    }
}

/// Puts four pairs into the stage, from 4 `at` on.
#[inline(always)]
fn put<S: Simd>(
    simd: S,
    stage: &mut Stage,
    at: usize,
    [one, other]: [Columns<'_>; 2],
    [a, b]: [[u32; 4]; 2],
) {
    let (mut dx, mut dy) = ([0; 4], [0; 4]);
    for n in 0..4 {
        let (a, b) = (a[n] as usize, b[n] as usize);
        dx[n] = other.x[b].wrapping_sub(one.x[a]);
        dy[n] = other.y[b].wrapping_sub(one.y[a]);
    }
    let masks = [one.masks(simd, a), other.masks(simd, b)];
    stage.put(at, masks, [dx, dy]);
}
