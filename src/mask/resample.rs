//! Quarter turns, by transposing squares of 64 x 64 bits, and nearest-neighbour scaling to a given
//! size.
//!
//! `raster` draws a quarter of a full turn and rotates it for the rest. The baker does not use the
//! scaling, because `raster` scales about the pivot.

use super::{Mask, MaskRef, WORD, stride_of};
use crate::error::CallError;
use crate::geom::Rect;

/// Words in a square of 64 x 64 bits.
const SQUARE_SIDE: usize = WORD as usize;

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

/// Rotates an upright mask a quarter turn clockwise into zeroed `strips`.
pub(crate) fn quarter_turn(mask: MaskRef<'_>, strips: &mut [u64]) {
    debug_assert!(!mask.is_flipped());
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    if width == 0 || height == 0 {
        return;
    }
    for (strip, columns) in strips.chunks_exact_mut(stride_of(mask.width()) as usize).enumerate() {
        for (s, out) in columns[..width].chunks_mut(SQUARE_SIDE).enumerate() {
            let rows = mask.rows(s as u32);
            let mut square = [0; SQUARE_SIDE];
            // Column 64 strip + i of the rotated mask is row h - 1 - (64 strip + i) of this one.
            let end = height - strip * SQUARE_SIDE;
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
pub(crate) fn transpose(square: &mut [u64; SQUARE_SIDE]) {
    round::<32>(square);
    round::<16>(square);
    round::<8>(square);
    round::<4>(square);
    round::<2>(square);
    round::<1>(square);
}

/// Swaps the upper right and the lower left quarter of every square of 2 `HALF` bits.
#[inline(always)]
fn round<const HALF: usize>(square: &mut [u64; SQUARE_SIDE]) {
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

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns a copy scaled to `width` x `height` pixels. Each pixel takes the texel that contains
    /// its centre, computed in integers. Column x takes column floor((2x + 1) W / 2 w), with W the
    /// width of this mask and w the new one; rows likewise. Doubling repeats every pixel. A mask
    /// without pixels scales to a clear one.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] where a side exceeds [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn scaled(&self, width: u32, height: u32) -> Result<Mask, CallError> {
        fn of(mask: MaskRef<'_>, width: u32, height: u32) -> Result<Mask, CallError> {
            let mut scaled = Mask::new(width, height)?;
            if mask.width() == 0 || mask.height() == 0 {
                return Ok(scaled);
            }
            // Returns the first new column or row whose centre is at or past the old edge `at`.
            let new = |at: u32, old: u32, new: u32| {
                (2 * u64::from(new) * u64::from(at))
                    .saturating_sub(old.into())
                    .div_ceil(2 * u64::from(old)) as i32
            };
            for y in 0..mask.height() {
                let y0 = new(y, mask.height(), height);
                let y1 = new(y + 1, mask.height(), height);
                if y0 == y1 {
                    continue;
                }
                for (x0, x1) in mask.runs(y) {
                    let (x0, x1) = (new(x0, mask.width(), width), new(x1, mask.width(), width));
                    scaled.fill_rect(Rect::new(x0, y0, x1, y1), true);
                }
            }
            Ok(scaled)
        }
        of(self.as_ref(), width, height)
    }
}
