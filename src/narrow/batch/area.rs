use super::carry_save;
use super::place::Place;
use super::query::{Query, Reply};
use super::window::Window;
use crate::geom::Point;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// How many pixels are set in both?
#[derive(Clone, Copy)]
pub(crate) struct Area;

impl Query for Area {
    type Found = u32;
    const NONE: u32 = 0;
    const UNROLLED: bool = true;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        _: Place,
        known: u32,
    ) -> u32 {
        known + area(&window, blocks)
    }
}

impl Reply for Area {
    type Answer = u64;
    const PLACE: bool = false;

    #[inline(always)]
    fn answer(self, found: u32, _: Point) -> u64 {
        found.into()
    }
}

/// The number of bits set in both, in `blocks` blocks, at least one: a mask has fewer than 2^32.
#[inline(always)]
pub(crate) fn area<S: Simd, const FAR: bool, const REVERSED: bool>(
    window: &Window<'_, S, FAR, REVERSED>,
    blocks: usize,
) -> u32 {
    if carry_save::pays::<S>(blocks) {
        return carry_save::count(window, blocks);
    }
    let mut count = Count::new(window.both(0));
    for block in 1..blocks {
        count.add(window.both(block));
    }
    count.total()
}

/// Counts the bits of blocks. Vectors of 256 bits and more count each word in two or three steps;
/// for those of 128 bits, where it would be one word after the other, bytes are counted side by
/// side and summed at the end.
pub(crate) struct Count<S: Simd> {
    /// By words, or by the 8 bytes of each word.
    counts: u64x8<S>,
    /// What was in `counts` before its bytes ran full.
    carried: u32,
    blocks: u32,
}

impl<S: Simd> Count<S> {
    const BY_WORD: bool = S::u64s::LEN >= 4;

    /// Blocks whose counts, at most 8 to a byte, fit into a byte.
    const FULL: u32 = 31;

    #[inline(always)]
    pub(crate) fn new(block: u64x8<S>) -> Self {
        Self { counts: Self::of(block), carried: 0, blocks: 1 }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, block: u64x8<S>) {
        self.counts += Self::of(block);
        if !Self::BY_WORD {
            self.blocks += 1;
            if self.blocks == Self::FULL {
                self.carried += self.sum();
                self.counts = u64x8::splat(block.simd, 0);
                self.blocks = 0;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn total(&self) -> u32 {
        self.carried + self.sum()
    }

    #[inline(always)]
    fn of(v: u64x8<S>) -> u64x8<S> {
        if Self::BY_WORD {
            return v.count_ones();
        }
        let every = |byte: u8| u64x8::splat(v.simd, u64::from_ne_bytes([byte; 8]));
        let v = v - ((v >> 1) & every(0x55));
        let v = (v & every(0x33)) + ((v >> 2) & every(0x33));
        (v + (v >> 4)) & every(0x0f)
    }

    #[inline(always)]
    fn sum(&self) -> u32 {
        if Self::BY_WORD {
            return self.counts.reduce_sum() as u32;
        }
        const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
        // Sums of two bytes, at most 2 x 8 x 31, in fields of 16 bits; of 8 words, below 2^16.
        let pairs = (self.counts & EVEN) + ((self.counts >> 8) & EVEN);
        let words = pairs.to_array().iter().sum::<u64>();
        (words.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }
}
