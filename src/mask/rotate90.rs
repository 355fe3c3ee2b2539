//! Quarter turns, by transposing squares of 64 x 64 bits.
//!
//! Called by [`Mask::quarter_turned`] and by `raster`, which draws a quarter of a full turn and
//! rotates it for the rest.

use super::{Mask, MaskRef, WORD, stride_of};

/// Words in a square of 64 x 64 bits.
const SIDE: usize = WORD as usize;

impl Mask {
    /// Returns a copy rotated a quarter turn clockwise on screen: pixel (x, y) becomes (h - 1 - y,
    /// x).
    ///
    /// Works on squares of 64 x 64 pixels.
    #[must_use]
    pub fn quarter_turned(&self) -> Self {
        let mut turned = Self::clear_of(self.height(), self.width());
        quarter_turn(self.as_ref(), turned.strips_mut());
        turned
    }
}

/// Rotates `mask`, which must not be flipped, a quarter turn clockwise into `strips`. `strips` are
/// the zeroed words of the rotated mask.
pub(crate) fn quarter_turn(mask: MaskRef<'_>, strips: &mut [u64]) {
    debug_assert!(!mask.is_flipped());
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    if width == 0 || height == 0 {
        return;
    }
    for (strip, columns) in strips.chunks_exact_mut(stride_of(mask.width()) as usize).enumerate() {
        for (s, out) in columns[..width].chunks_mut(SIDE).enumerate() {
            let rows = mask.rows(s as u32);
            let mut square = [0; SIDE];
            // Column 64 strip + i of the rotated mask is row h - 1 - (64 strip + i) of this one.
            let end = height - strip * SIDE;
            for (word, row) in square.iter_mut().zip(rows[..end].iter().rev()) {
                *word = *row;
            }
            transpose(&mut square);
            out.copy_from_slice(&square[..out.len()]);
        }
    }
}

/// Transposes 64 x 64 bits: bit j of word i becomes bit i of word j. Six rounds swap squares of
/// half the size each (Warren, Hacker's Delight, 2nd edition, section 7-3).
pub(crate) fn transpose(square: &mut [u64; SIDE]) {
    round::<32>(square);
    round::<16>(square);
    round::<8>(square);
    round::<4>(square);
    round::<2>(square);
    round::<1>(square);
}

/// Swaps the upper right and the lower left quarter of every square of 2 `HALF` bits.
#[inline(always)]
fn round<const HALF: usize>(square: &mut [u64; SIDE]) {
    // Ones in the lower half of every 2 HALF bits.
    let low = u64::MAX / ((1 << HALF) + 1);
    for both in square.chunks_exact_mut(2 * HALF) {
        let (upper, lower) = both.split_at_mut(HALF);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped = (*upper >> HALF ^ *lower) & low;
            *upper ^= swapped << HALF;
            *lower ^= swapped;
        }
    }
}
