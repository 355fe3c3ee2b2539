//! Coarse boards: a mask shrunk to cells of 8 x 8 pixels, twice. A cell of the **outer** board is
//! set where any of its pixels is, a cell of the **inner** board where all of them are. So boards
//! never lie: where outer cells do not meet no pixel can, and where inner cells meet, pixels do.
//!
//! A board of w x h cells holds its rows top to bottom, each in a field of 8, 16, 32 or a
//! multiple of 64 bits (the least that holds w), packed least significant first into words.
//! The inner board follows the outer one. Masks of at most [`NO_BOARD`](NO_BOARD) pixels a side have none:
//! their boxes say nearly as much.

use super::{MaskRef, WORD};

/// Pixels along one side of a cell.
pub(crate) const CELL: u32 = 8;

/// Masks with both sides up to this many pixels have no boards.
pub(crate) const NO_BOARD: u32 = 16;

/// The shape of the boards of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardShape {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    row_bits: u32,
}

impl BoardShape {
    /// The shape for a mask of `width` x `height` pixels; `None` where it has no boards.
    pub(crate) const fn of(width: u32, height: u32) -> Option<Self> {
        if width == 0 || height == 0 || (width <= NO_BOARD && height <= NO_BOARD) {
            return None;
        }
        let (columns, rows) = (width.div_ceil(CELL), height.div_ceil(CELL));
        let row_bits = match columns {
            0..=8 => 8,
            9..=16 => 16,
            17..=32 => 32,
            _ => columns.next_multiple_of(WORD),
        };
        Some(Self { columns, rows, row_bits })
    }

    /// Words that one board takes.
    pub(crate) const fn words(self) -> u32 {
        (self.rows * self.row_bits).div_ceil(WORD)
    }

    /// Words in one row: 1 where a row is a part of a word.
    pub(crate) const fn row_words(self) -> u32 {
        self.row_bits.div_ceil(WORD)
    }

    /// The word and the bit in it of column `x` of row `y`.
    pub(crate) const fn place(self, y: u32, x: u32) -> (usize, u32) {
        let bit = y * self.row_bits + x;
        ((bit / WORD) as usize, bit % WORD)
    }

    /// The 64 cells of row `y` from column 64 `i` on, both inside, out of one board's words.
    pub(crate) fn word(self, board: &[u64], y: u32, i: u32) -> u64 {
        let (word, bit) = self.place(y, i * WORD);
        let word = board[word];
        if self.row_bits < WORD { word >> bit & ((1 << self.row_bits) - 1) } else { word }
    }
}

/// The outer and the inner board of a mask, one after the other; empty where it has none.
pub(crate) fn boards_of(mask: MaskRef<'_>) -> Vec<u64> {
    let mut boards = Vec::new();
    add_boards(mask, &mut boards);
    boards
}

/// Appends the [boards](boards_of) of a mask that is not upside down.
pub(crate) fn add_boards(mask: MaskRef<'_>, boards: &mut Vec<u64>) {
    debug_assert!(!mask.is_flipped());
    let Some(shape) = BoardShape::of(mask.width(), mask.height()) else { return };
    let (start, words) = (boards.len(), shape.words() as usize);
    boards.resize(start + 2 * words, 0);
    let (outer, inner) = boards[start..].split_at_mut(words);
    for s in 0..mask.strips() {
        for (y, rows) in (0..).zip(mask.rows(s).chunks(CELL as usize)) {
            let any = rows.iter().fold(0, |all, row| all | row);
            // A cell beyond the last row is never full.
            let whole = rows.len() == CELL as usize;
            let all = if whole { rows.iter().fold(u64::MAX, |all, row| all & row) } else { 0 };
            // A strip is 8 cells wide, which never straddles a word.
            let (word, bit) = shape.place(y, s * (WORD / CELL));
            outer[word] |= nonzero_bytes(any) << bit;
            inner[word] |= (nonzero_bytes(!all) ^ 0xff) << bit;
        }
    }
}

/// Bit i is set where byte i of the word is not zero.
const fn nonzero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of each byte, which the lower seven carry into.
    let highest = (((word & LOW) + LOW) | word) & !LOW;
    // From bit 8 i to bit 56 + i, none meeting another on the way.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;

    #[test]
    fn outer_cells_hold_any_pixel_and_inner_cells_all_of_them() {
        for (w, h) in [(17, 3), (64, 64), (65, 30), (129, 20), (300, 40), (600, 33)] {
            let mut mask = Mask::new(w, h).unwrap();
            for y in 0..h {
                for x in 0..w {
                    mask.set(x as i32, y as i32, (x / 11 + y / 9) % 3 != 0);
                }
            }
            let boards = boards_of(mask.as_ref());
            let shape = BoardShape::of(w, h).unwrap();
            let (outer, inner) = boards.split_at(shape.words() as usize);
            for cy in 0..shape.rows {
                for cx in 0..shape.columns {
                    let pixels = (0..CELL * CELL)
                        .map(|i| (cx * CELL + i % CELL, cy * CELL + i / CELL))
                        .map(|(x, y)| mask.get(x as i32, y as i32));
                    let (any, all) = (pixels.clone().any(|p| p), pixels.clone().all(|p| p));
                    let bit = |board| shape.word(board, cy, cx / WORD) >> (cx % WORD) & 1 == 1;
                    assert_eq!((bit(outer), bit(inner)), (any, all), "{w} x {h} at {cx}, {cy}");
                }
            }
        }
    }

    #[test]
    fn small_and_empty_masks_have_no_board() {
        for (w, h) in [(0, 0), (0, 99), (16, 16), (1, 1)] {
            assert!(boards_of(Mask::new(w, h).unwrap().as_ref()).is_empty(), "{w} x {h}");
        }
    }
}
