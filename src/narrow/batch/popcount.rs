//! The query `Area`, and the population count of blocks.
//!
//! There are three methods, by vector width and number of blocks:
//!
//! ```text
//! by word:     count += popcount of each word                512 bits; 256 bits below 24 blocks
//! by byte:     count += popcount of each byte                contacts with 128 bits
//! carry-save:  for each eight vectors: add them into ones, twos and fours; the carry is an eight
//!              count = 8 * count(eights) + 4 * count(fours) + 2 * count(twos) + count(ones)
//!              where (sum, carry) of three bits: a ^ b ^ c, and whether two of them are set
//! ```
//!
//! 1. Carry-save takes seven additions of five operations and one count of twelve, instead of eight
//!    counts. (Harley and Seal; Mula, Kurz and Lemire, Faster Population Counts Using AVX2
//!    Instructions.)
//! 2. Carry-save works on vectors of the native width of the level, whatever part of a block that
//!    is. Ones, twos, fours and their inputs must stay in registers, of which SSE2 has 16.
//! 3. Counts are kept per byte, and summed before a byte overflows.

use super::shifted_rows::{BLOCK_ROWS, ShiftedRows};
use super::strip_query::{Query, WalkPosition};
use crate::geom::Point;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

#[derive(Clone, Copy)]
pub(crate) struct Area;

impl Query for Area {
    type Found = u32;
    type Answer = u64;
    const NONE: u32 = 0;
    const UNROLLED: u32 = 4;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: ShiftedRows<'_, S, FAR, REVERSED>,
        blocks: usize,
        _: WalkPosition,
        acc: u32,
    ) -> u32 {
        acc + area(&window, blocks)
    }

    #[inline(always)]
    fn answer(self, found: u32, _: Point) -> u64 {
        found.into()
    }
}

/// Returns the number of bits set in both masks in `blocks` blocks, at least one. A mask has fewer
/// than 2^32 bits.
#[inline(always)]
fn area<S: Simd, const FAR: bool, const REVERSED: bool>(
    window: &ShiftedRows<'_, S, FAR, REVERSED>,
    blocks: usize,
) -> u32 {
    if carry_save_pays::<S>(blocks) {
        return carry_save(window, blocks);
    }
    let mut count = Count::new(window.both(0));
    for block in 1..blocks {
        count.add(window.both(block));
    }
    count.total()
}

/// Vectors whose byte counts, at most 8 each, can be added without overflow.
const VECTORS_PER_SUM: u32 = 31;

/// A running bit count of blocks. Vectors of 256 bits and more count words in two or three steps.
/// Vectors of 128 bits have no such vector count, so they count bytes.
pub(crate) struct Count<S: Simd> {
    /// Counts of words, or of the 8 bytes of each word.
    counts: u64x8<S>,
    /// The sum of earlier `counts`, moved here before a byte overflowed.
    carried: u32,
    blocks: u32,
}

impl<S: Simd> Count<S> {
    const BY_WORD: bool = S::u64s::LEN >= 4;

    #[inline(always)]
    pub(crate) fn new(block: u64x8<S>) -> Self {
        Self { counts: Self::of(block), carried: 0, blocks: 1 }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, block: u64x8<S>) {
        self.counts += Self::of(block);
        if !Self::BY_WORD {
            self.blocks += 1;
            if self.blocks == VECTORS_PER_SUM {
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
        if Self::BY_WORD { v.count_ones() } else { bits_by_byte::<S, _>(v) }
    }

    #[inline(always)]
    fn sum(&self) -> u32 {
        if Self::BY_WORD {
            self.counts.reduce_sum() as u32
        } else {
            sum_of_bytes::<S, _>(self.counts)
        }
    }
}

/// Blocks from which carry-save is used with vectors of 256 bits, whose word count looks up
/// half-bytes. Fewer blocks take +12% to +17% with carry-save; strips of 512 px take -14%.
const CARRY_SAVE_AVX2: usize = 24;

/// Tests whether carry-save is faster for `blocks` blocks. With 512 bits it never is, because there
/// is a popcount instruction; with 128 bits it always is.
#[inline(always)]
const fn carry_save_pays<S: Simd>(blocks: usize) -> bool {
    match S::u64s::LEN {
        2 => true,
        4 => blocks >= CARRY_SAVE_AVX2,
        _ => false,
    }
}

/// Returns the number of bits set in both masks in `blocks` blocks, by carry-save adders.
#[inline(always)]
fn carry_save<S: Simd, const F: bool, const R: bool>(
    window: &ShiftedRows<'_, S, F, R>,
    blocks: usize,
) -> u32 {
    let lanes = S::u64s::LEN;
    let parts = BLOCK_ROWS / lanes;
    let nothing = S::u64s::simd_from(window.simd, 0);
    let (mut ones, mut twos, mut fours) = (nothing, nothing, nothing);
    let (mut counts, mut filled, mut eights) = (nothing, 0, 0);
    let mut block = 0;
    // Eight vectors are as many blocks as a vector has lanes.
    while block + lanes <= blocks {
        let part = |n: usize| window.part(block + n / parts, n % parts);
        let (two_a, two_b, two_c, two_d, four_a, four_b, eight);
        (ones, two_a) = add(ones, part(0), part(1));
        (ones, two_b) = add(ones, part(2), part(3));
        (twos, four_a) = add(twos, two_a, two_b);
        (ones, two_c) = add(ones, part(4), part(5));
        (ones, two_d) = add(ones, part(6), part(7));
        (twos, four_b) = add(twos, two_c, two_d);
        (fours, eight) = add(fours, four_a, four_b);
        counts += bits_by_byte::<S, _>(eight);
        filled += 1;
        if filled == VECTORS_PER_SUM {
            eights += sum_of_bytes::<S, _>(counts);
            (counts, filled) = (nothing, 0);
        }
        block += lanes;
    }
    let mut rest = nothing;
    if blocks >= lanes {
        eights += sum_of_bytes::<S, _>(counts);
        rest = bits_by_byte::<S, _>(ones)
            + (bits_by_byte::<S, _>(twos) << 1)
            + (bits_by_byte::<S, _>(fours) << 2);
    }
    // Fewer than eight vectors, so no byte overflows.
    while block < blocks {
        for n in 0..parts {
            rest += bits_by_byte::<S, _>(window.part(block, n));
        }
        block += 1;
    }
    8 * eights + sum_of_bytes::<S, _>(rest)
}

/// Adds three bits in each bit position: sum and carry.
#[inline(always)]
fn add<S: Simd, V: SimdInt<S>>(a: V, b: V, c: V) -> (V, V) {
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}

#[inline(always)]
fn bits_by_byte<S: Simd, V: SimdInt<S, Element = u64>>(v: V) -> V {
    let every = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let v = v - ((v >> 1) & every(0x55));
    let v = (v & every(0x33)) + ((v >> 2) & every(0x33));
    (v + (v >> 4)) & every(0x0f)
}

#[inline(always)]
fn sum_of_bytes<S: Simd, V: SimdInt<S, Element = u64>>(bytes: V) -> u32 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    // Sums of two bytes, at most 2 x 8 x 31, in 16-bit fields; sums of 8 words stay below 2^16.
    let pairs = (bytes & EVEN) + ((bytes >> 8) & EVEN);
    let words = pairs.as_slice().iter().sum::<u64>();
    (words.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}
