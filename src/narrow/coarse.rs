//! Tests of two masks at an offset on their coarse levels alone.
//!
//! Called by [`MaskRef::coarse`] and by the scalar `touches` for large masks. Invariant: `No` and
//! `Yes` equal the answer of the pixels.
//!
//! A coarse level is stored as a board: one bit per cell of 8 x 8 pixels. Let q = floor(dx / 8) and
//! f = dx mod 8. Cell i of the second board covers pixels of cell i + q of the first board. If f is
//! not 0, it also covers pixels of cell i + q + 1. The same holds for rows. So one board is dilated
//! by one cell to one side, and not at all along an axis on which the cells are aligned.
//!
//! - Outer boards (cells with any pixel) that do not overlap this way: no pixel is set in both.
//! - Inner boards (cells that are full) that overlap this way share a pixel, so the pair is a hit.

use super::Certainty;
use crate::geom::Point;
use crate::mask::{BoardShape, CELL, MaskRef, WORD, shifted};

/// The offset of the cells of one board from those of another, along one axis.
#[derive(Clone, Copy)]
struct CellOffset {
    cells: i64,
    /// The cells are not aligned: each cell faces two cells of the other board.
    straddles: bool,
}

impl CellOffset {
    const fn new(pixels: i64) -> Self {
        let cell = CELL as i64;
        Self { cells: pixels.div_euclid(cell), straddles: pixels.rem_euclid(cell) != 0 }
    }

    /// Returns the cells that face cell `i`.
    fn cells_facing(self, i: u32) -> impl Iterator<Item = i64> {
        let first = i64::from(i) + self.cells;
        first..=first + i64::from(self.straddles)
    }
}

/// Tests the boards of `a`, at (0, 0), and `b`, at `offset`. Returns `Maybe` if a mask has no
/// boards.
pub(crate) fn certainty(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Certainty {
    let (Some((shape_a, outer_a, inner_a)), Some((shape_b, outer_b, inner_b))) =
        (a.boards(), b.boards())
    else {
        return Certainty::Maybe;
    };
    // A flipped mask has its cells aligned with the bottom edge, so the topmost cell may extend
    // beyond the top.
    let top = |mask: MaskRef<'_>, shape: BoardShape| {
        let above = i64::from(shape.rows * CELL) - i64::from(mask.height());
        if mask.is_flipped() { -above } else { 0 }
    };
    let dx = CellOffset::new(i64::from(offset.x));
    let dy = CellOffset::new(i64::from(offset.y) + top(b, shape_b) - top(a, shape_a));
    let overlap = |board_a, board_b| {
        let a = Board { shape: shape_a, cells: board_a, flipped: a.is_flipped() };
        let b = Board { shape: shape_b, cells: board_b, flipped: b.is_flipped() };
        boards_overlap(a, b, dx, dy)
    };
    if !overlap(outer_a, outer_b) {
        Certainty::No
    } else if overlap(inner_a, inner_b) {
        Certainty::Yes
    } else {
        Certainty::Maybe
    }
}

#[derive(Clone, Copy)]
struct Board<'a> {
    shape: BoardShape,
    cells: &'a [u64],
    flipped: bool,
}

impl Board<'_> {
    /// Returns the cells of row `y`, which lies inside, from column 64 x `i`; columns outside are
    /// zero.
    fn word(self, y: u32, i: i64) -> u64 {
        let y = if self.flipped { self.shape.rows - 1 - y } else { y };
        match u32::try_from(i) {
            Ok(i) if i < self.shape.row_words() => self.shape.word(self.cells, y, i),
            _ => 0,
        }
    }

    /// Returns the 64 cells of row `y` from column `x` on; `x` may lie outside the board.
    fn window(self, y: u32, x: i64) -> u64 {
        let (word, shift) = (x.div_euclid(i64::from(WORD)), x.rem_euclid(i64::from(WORD)) as u32);
        shifted(self.word(y, word), self.word(y, word + 1), shift)
    }
}

fn boards_overlap(a: Board<'_>, b: Board<'_>, dx: CellOffset, dy: CellOffset) -> bool {
    (0..b.shape.rows).any(|y| {
        let rows = dy.cells_facing(y).filter(|row| (0..i64::from(a.shape.rows)).contains(row));
        rows.map(|row| row as u32).any(|row| {
            (0..b.shape.row_words()).any(|i| {
                let facing = dx.cells_facing(i * WORD).fold(0, |all, x| all | a.window(row, x));
                facing & b.word(y, i64::from(i)) != 0
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::mask::{Mask, boards_of};
    use proptest::prelude::*;

    /// Returns a mask of solid lumps, so that all three answers occur, or of single distant dots,
    /// so that a wrong neighbour cell is noticed.
    fn lumps(width: u32, height: u32, seed: u32) -> Mask {
        let mut mask = Mask::new(width, height).unwrap();
        for y in 0..height {
            for x in 0..width {
                let lump = (x + seed % 13) / 19 + (y + seed % 7) / 23;
                let dot = x % 29 == seed % 29 && y % 31 == seed % 31;
                mask.set(
                    x as i32,
                    y as i32,
                    if seed.is_multiple_of(2) { lump % 3 != seed % 3 } else { dot },
                );
            }
        }
        mask
    }

    /// Returns set pixel `n` modulo the number of set pixels.
    fn nth_pixel(mask: MaskRef<'_>, n: u32) -> Option<Point> {
        let all = (0..mask.height() as i32)
            .flat_map(|y| (0..mask.width() as i32).map(move |x| Point::new(x, y)));
        let set: Vec<Point> = all.filter(|p| mask.get(p.x, p.y)).collect();
        set.get(n as usize % set.len().max(1)).copied()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_coarse_answer_is_never_wrong(
            (aw, ah, bw, bh) in (17_u32..150, 1_u32..150, 17_u32..600, 1_u32..60),
            (seed_a, seed_b) in (0_u32..100, 0_u32..100),
            (flip_a, flip_b) in (any::<bool>(), any::<bool>()),
            (pixel_a, pixel_b) in any::<(u32, u32)>(),
            (dx, dy) in (-2_i32..=2, -2_i32..=2),
        ) {
            let (a, b) = (lumps(aw, ah, seed_a), lumps(bw, bh, seed_b));
            let (boards_a, boards_b) = (boards_of(a.as_ref()), boards_of(b.as_ref()));
            let a = a.as_ref().with_boards(&boards_a);
            let b = b.as_ref().with_boards(&boards_b);
            let a = if flip_a { a.flip_y() } else { a };
            let b = if flip_b { b.flip_y() } else { b };
            // At these offsets one chosen pixel of each mask coincides, give or take 2 px: the
            // hardest case.
            let (Some(p), Some(q)) = (nth_pixel(a, pixel_a), nth_pixel(b, pixel_b)) else {
                return Ok(());
            };
            let (dx, dy) = (p.x - q.x + dx, p.y - q.y + dy);
            let expected = reference::contact(a, b, [dx, dy]).is_some();
            match a.coarse(b, [dx, dy]) {
                Certainty::No => prop_assert!(!expected),
                Certainty::Yes => prop_assert!(expected),
                Certainty::Maybe => {}
            }
            prop_assert_eq!(a.touches(b, [dx, dy]), expected);
            prop_assert_eq!(a.coarse(b, [dx, dy]), b.coarse(a, [-dx, -dy]));
        }
    }

    #[test]
    fn all_three_answers_occur() {
        let mask = lumps(64, 64, 2);
        let boards = boards_of(mask.as_ref());
        let view = mask.as_ref().with_boards(&boards);
        let mut counts = [0; 3];
        for dx in -64..64 {
            for dy in -64..64 {
                counts[match view.coarse(view, [dx, dy]) {
                    Certainty::No => 0,
                    Certainty::Maybe => 1,
                    Certainty::Yes => 2,
                }] += 1;
            }
        }
        assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
    }
}
