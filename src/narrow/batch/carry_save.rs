//! Counting set bits where no instruction does it: eight vectors are added up bit by bit, and only
//! every eighth one is counted.
//!
//! ```text
//! (sum, carry) of three bits: a ^ b ^ c, and whether two of them are set
//! for each eight vectors: ones, twos and fours take them in; what carries over is an eight
//! count = 8 * count(eights) + 4 * count(fours) + 2 * count(twos) + count(ones)
//! ```
//!
//! 1. Seven additions of five operations each and one count of twelve, instead of eight counts.
//!    (Harley and Seal; Muła, Kurz and Lemire, Faster Population Counts Using AVX2 Instructions.)
//! 2. By vectors of the level's own width, whatever part of a block that is: ones, twos, fours and
//!    what they take in must stay in registers, of which SSE2 has 16.
//! 3. Counts are kept byte by byte, and summed before a byte runs full.

use super::window::{ROWS, Window};
use fearless_simd::Simd;
use fearless_simd::prelude::*;

/// Vectors of eights whose counts, at most 8 to a byte, fit into a byte.
const FULL: u32 = 31;

/// Blocks from which it pays with vectors of 256 bits, which count bits by looking up halves of bytes:
/// fewer cost 12 to 17% more this way, and strips of 512-pixel masks 14% less.
const LONG: usize = 24;

/// Whether so many blocks are counted faster this way. With 512 bits never, there being an instruction
/// that counts; with 128 bits always.
#[inline(always)]
pub(crate) const fn pays<S: Simd>(blocks: usize) -> bool {
    match S::u64s::LEN {
        2 => true,
        4 => blocks >= LONG,
        _ => false,
    }
}

/// The number of bits set in both, in `blocks` blocks.
#[inline(always)]
pub(crate) fn count<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
) -> u32 {
    let lanes = S::u64s::LEN;
    let parts = ROWS / lanes;
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
        counts += by_byte::<S>(eight);
        filled += 1;
        if filled == FULL {
            eights += sum::<S>(counts);
            (counts, filled) = (nothing, 0);
        }
        block += lanes;
    }
    let mut rest = nothing;
    if blocks >= lanes {
        eights += sum::<S>(counts);
        rest = by_byte::<S>(ones) + (by_byte::<S>(twos) << 1) + (by_byte::<S>(fours) << 2);
    }
    // Fewer than eight vectors: no byte runs full.
    while block < blocks {
        for n in 0..parts {
            rest += by_byte::<S>(window.part(block, n));
        }
        block += 1;
    }
    8 * eights + sum::<S>(rest)
}

#[inline(always)]
fn add<V>(a: V, b: V, c: V) -> (V, V)
where
    V: Copy
        + std::ops::BitAnd<Output = V>
        + std::ops::BitOr<Output = V>
        + std::ops::BitXor<Output = V>,
{
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}

/// The number of bits set in each byte.
#[inline(always)]
fn by_byte<S: Simd>(v: S::u64s) -> S::u64s {
    let every = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let v = v - ((v >> 1) & every(0x55));
    let v = (v & every(0x33)) + ((v >> 2) & every(0x33));
    (v + (v >> 4)) & every(0x0f)
}

/// The sum of all bytes.
#[inline(always)]
fn sum<S: Simd>(bytes: S::u64s) -> u32 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    // Sums of two bytes in fields of 16 bits; of all lanes, below 2^16.
    let pairs = (bytes & EVEN) + ((bytes >> 8) & EVEN);
    let words = pairs.as_slice().iter().sum::<u64>();
    (words.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}
