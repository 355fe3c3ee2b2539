//! Coarse levels, called boards in the code: a mask reduced twice to cells of 8 x 8 pixels. A cell
//! of the **outer** board is set where any of its pixels is set. A cell of the **inner** board is
//! set where all of its pixels are set.
//!
//! Used by the atlas, which stores boards, and by the narrow phase, which tests them before pixels.
//!
//! Invariants: where no outer cells overlap, no pixels do. If inner cells overlap, pixels do.
//!
//! A board of w x h cells stores its rows top to bottom. Each row is a field of 8, 16, 32 or a
//! multiple of 64 bits, the least that holds w. Fields are packed into words, least significant
//! first. The inner board follows the outer one. Masks of at most [`NO_BOARD`](super::layout::NO_BOARD) pixels a
//! side have no boards, because their boxes reject nearly as many pairs.

use super::{BoardShape, CELL, MaskRef, WORD};

/// Returns the outer board followed by the inner board; empty where the mask has none.
pub(crate) fn boards_of(mask: MaskRef<'_>) -> Vec<u64> {
    let mut boards = Vec::new();
    add_boards(mask, &mut boards);
    boards
}

/// Appends the [boards](boards_of) of a mask that is not flipped.
pub(crate) fn add_boards(mask: MaskRef<'_>, boards: &mut Vec<u64>) {
    debug_assert!(!mask.is_flipped());
    let Some(shape) = BoardShape::of(mask.width(), mask.height()) else { return };
    let (start, words) = (boards.len(), shape.words() as usize);
    boards.resize(start + 2 * words, 0);
    let (outer, inner) = boards[start..].split_at_mut(words);
    for s in 0..mask.strips() {
        for (y, rows) in (0..).zip(mask.rows(s).chunks(CELL as usize)) {
            let any_set = rows.iter().fold(0, |all, row| all | row);
            // A cell that extends past the last row is never full.
            let is_whole = rows.len() == CELL as usize;
            let all_set =
                if is_whole { rows.iter().fold(u64::MAX, |all, row| all & row) } else { 0 };
            // A strip is 8 cells wide, and those never straddle a word.
            let (word, bit) = shape.place(y, s * (WORD / CELL));
            outer[word] |= nonzero_bytes(any_set) << bit;
            inner[word] |= (nonzero_bytes(!all_set) ^ 0xff) << bit;
        }
    }
}

/// Returns a byte whose bit i is set where byte i of the word is not zero.
const fn nonzero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The highest bit of each byte; the lower seven bits carry into it.
    let highest = (((word & LOW) + LOW) | word) & !LOW;
    // Gathers bit 8 i into bit 56 + i. No two partial products collide on the way.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;

    #[test]
    fn outer_cells_have_any_pixel_set_and_inner_cells_all_pixels() {
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
