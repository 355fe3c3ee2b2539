//! Masks from and to text (`#` for a set pixel, `.` for a clear one), packed bits and bytes.
//!
//! Invariant: `from_bits` and `to_bits` are inverse, except for bits past the width.

use super::{Mask, MaskRef, WORD, inside};
use crate::error::CallError;
use std::fmt;
use std::str::FromStr;

/// Parses rows of `#` (set) and `.` (clear). Indentation and blank lines are ignored, so that a
/// picture can be indented in source code. Text without rows is the 0 x 0 mask.
impl FromStr for Mask {
    type Err = CallError;

    fn from_str(text: &str) -> Result<Self, CallError> {
        let rows: Vec<(usize, usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(i, line)| {
                (i + 1, line.chars().take_while(|c| c.is_whitespace()).count(), line.trim())
            })
            .filter(|(.., row)| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, |(.., row)| row.chars().count());
        let side = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut mask = Self::new(side(width), side(rows.len()))?;
        for (y, &(line, indent, row)) in rows.iter().enumerate() {
            let got = row.chars().count();
            if got != width {
                return Err(CallError::RaggedRow { line, expected: width, got });
            }
            for (x, found) in row.chars().enumerate() {
                match found {
                    '#' => mask.set(x as i32, y as i32, true),
                    '.' => {}
                    _ => {
                        let column = indent + x + 1;
                        return Err(CallError::BadCharacter { found, line, column });
                    }
                }
            }
        }
        Ok(mask)
    }
}

/// One line per row, `#` for a set pixel and `.` for a clear one.
impl<P: AsRef<[u64]>> fmt::Display for Mask<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.height() as i32 {
            let row: String =
                (0..self.width() as i32).map(|x| if self.get(x, y) { '#' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl Mask {
    /// Builds a mask from packed bits, row by row from the top. Each row takes `width / 8` bytes,
    /// rounded up, with the leftmost pixel in a byte's highest bit. PBM (P4), 1-bit PNG and
    /// `numpy.packbits(axis=1)` use the same layout. Bits past the width are ignored.
    ///
    /// For one byte per pixel, use [`from_alpha`](Self::from_alpha) with
    /// [`AlphaRule::Above(0)`](crate::AlphaRule::Above).
    ///
    /// # Errors
    /// [`CallError::TooLarge`], or [`CallError::WrongLength`] where `bits` has another length.
    pub fn from_bits(width: u32, height: u32, bits: &[u8]) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        let row_bytes = width.div_ceil(8) as usize;
        let expected = row_bytes * height as usize;
        if bits.len() != expected {
            return Err(CallError::WrongLength { expected, got: bits.len() });
        }
        let mut mask = Self::clear_of(width, height);
        if expected == 0 {
            return Ok(mask);
        }
        for (y, row) in bits.chunks_exact(row_bytes).enumerate() {
            for (s, bytes) in (0..).zip(row.chunks((WORD / 8) as usize)) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                // The leftmost pixel is the highest bit: the big-endian number holds the row from
                // right to left.
                let word = u64::from_be_bytes(word).reverse_bits();
                mask.rows_mut(s)[y] = word & inside(width, s);
            }
        }
        Ok(mask)
    }

    /// Builds a mask from words of 64 pixels. `word(s, y)` returns those of row y from column 64 s
    /// on, with the leftmost in the lowest bit. Bits past the width are ignored.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let rows = [0b0110, 0b1001];
    /// let mask = Mask::from_words(4, 2, |_, y| rows[y as usize])?;
    /// assert_eq!(mask.to_string(), ".##.\n#..#\n");
    /// assert_eq!(mask.words(0), rows);
    /// # Ok::<(), hitmask::CallError>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::TooLarge`].
    pub fn from_words(
        width: u32,
        height: u32,
        word: impl Fn(u32, u32) -> u64,
    ) -> Result<Self, CallError> {
        Self::check_size(width, height)?;
        Ok(Self::filled_by(width, height, word))
    }

    /// Returns the pixels from column 64 `strip` on, with a word of 64 for each row from the top. The
    /// bits are those of [`from_words`](Self::from_words). Bits past the width are 0.
    ///
    /// # Panics
    /// Panics if the mask has no such column, or no row.
    #[must_use]
    pub fn words(&self, strip: u32) -> &[u64] {
        let mask = self.as_ref();
        assert!(strip < mask.strips(), "the mask has no strip {strip}");
        mask.rows(strip)
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the pixels as packed bits, in the order of [`Mask::from_bits`]; bits past the width
    /// are 0.
    #[must_use]
    pub fn to_bits(&self) -> Vec<u8> {
        fn of(mask: MaskRef<'_>) -> Vec<u8> {
            let row_bytes = mask.width().div_ceil(8) as usize;
            let mut bits = vec![0; row_bytes * mask.height() as usize];
            for (y, row) in (0..).zip(bits.chunks_exact_mut(row_bytes.max(1))) {
                for (s, bytes) in (0..).zip(row.chunks_mut((WORD / 8) as usize)) {
                    let word = mask.word(s, y).reverse_bits().to_be_bytes();
                    bytes.copy_from_slice(&word[..bytes.len()]);
                }
            }
            bits
        }
        of(self.as_ref())
    }

    /// Returns one byte per pixel, row by row from the top: 255 where set, 0 where clear.
    /// [`Mask::from_alpha`] reads them back under any rule that tells 0 from 255.
    #[must_use]
    pub fn to_alpha(&self) -> Vec<u8> {
        fn of(mask: MaskRef<'_>) -> Vec<u8> {
            let width = mask.width() as usize;
            let mut alpha = vec![0; width * mask.height() as usize];
            for (y, row) in (0..).zip(alpha.chunks_exact_mut(width.max(1))) {
                for (s, bytes) in (0..).zip(row.chunks_mut(WORD as usize)) {
                    let word = mask.word(s, y);
                    for (x, byte) in bytes.iter_mut().enumerate() {
                        *byte = if word >> x & 1 == 1 { 255 } else { 0 };
                    }
                }
            }
            alpha
        }
        of(self.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{MAX_SIDE, dotted};

    #[test]
    fn masks_of_words_are_the_masks_that_had_them() {
        for (width, height) in [(1, 1), (64, 3), (65, 2), (200, 9), (3, 0), (0, 3)] {
            let mask = dotted(width, height);
            let copy = Mask::from_words(width, height, |s, y| {
                mask.words(s)[y as usize] | u64::MAX << 1 << (width - s * WORD - 1).min(63)
            });
            assert_eq!(copy.unwrap(), mask, "{width} x {height}");
        }
        assert!(Mask::from_words(MAX_SIDE + 1, 1, |_, _| 0).is_err());
    }
}
