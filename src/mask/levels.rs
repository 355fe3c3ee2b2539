//! Coarse levels: three masks of cells of 8 x 8 pixels that stand for a mask. Cells count from the
//! top-left pixel of the upright mask.
//!
//! - **outer**: a cell is set where any of its pixels is set.
//! - **dilated**: a cell is set where the outer cell at its place, or the one to the right, below or
//!   diagonally right below is set. It has one more column and row, to the left and above.
//! - **inner**: a cell is set where all of its pixels are set. A cell beyond the mask is never set.
//!
//! Invariants, for two masks at an offset, and the offset in whole cells, rounded down:
//! - no shared cell of one's dilated and the other's outer level: no shared pixel;
//! - a shared cell of both inner levels: a shared pixel.
//!
//! Proof of the first: let the offset be 8 q + f pixels, with f from 0 to 7. Cell i of the second
//! mask then covers pixels of cells i + q and i + q + 1 of the first. A dilated cell combines these
//! two. A mask that is flipped top to bottom has its cells flipped with it.

use super::{BLOCK, MaskRef, WORD, stride_of, strips_of};
use crate::geom::Point;

/// Side of a cell in pixels.
pub(crate) const CELL: u32 = 8;

/// Least side, in pixels, of masks that get levels. Smaller masks take few cache lines, so levels
/// cost more than they save. At 128 px they take 1.4x the time in a warm pool, and 1.05x in one of
/// 1 GiB. `benches/levels.md` has the figures.
pub(crate) const LEVEL_SIDE: u32 = 240;

/// Tests whether a mask has levels, if sides of `level_side` pixels or more have them.
#[inline(always)]
pub(crate) const fn has_levels(width: u32, height: u32, level_side: u32) -> bool {
    (width >= level_side) | (height >= level_side)
}

/// The sizes of the levels of a mask, in cells and in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelShape {
    /// Columns and rows of the outer and of the inner level.
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl LevelShape {
    pub(crate) const fn of(width: u32, height: u32) -> Self {
        Self { columns: width.div_ceil(CELL), rows: height.div_ceil(CELL) }
    }

    /// Returns the words of the outer or of the inner level, with guards.
    const fn words_each(self) -> u32 {
        strips_of(self.columns) * stride_of(self.rows)
    }

    /// Returns the words of the dilated level, with guards.
    const fn words_dilated(self) -> u32 {
        strips_of(self.columns + 1) * stride_of(self.rows + 1)
    }

    /// Returns the words of the levels of a mask, 0 if its sides are below `level_side`.
    pub(crate) const fn words_before(width: u32, height: u32, level_side: u32) -> u32 {
        if has_levels(width, height, level_side) { Self::of(width, height).words() } else { 0 }
    }

    /// Returns the words of all three levels, a multiple of [`BLOCK`].
    pub(crate) const fn words(self) -> u32 {
        self.words_dilated() + 2 * self.words_each()
    }
}

/// The levels of a mask, each as a mask of cells.
#[derive(Clone, Copy)]
pub(crate) struct Levels<'a> {
    /// Its first cell is one column left of and one row above that of the others.
    pub(crate) dilated: MaskRef<'a>,
    pub(crate) outer: MaskRef<'a>,
    pub(crate) inner: MaskRef<'a>,
    /// Row of pixels of the mask at which its first row of cells starts. It is above the mask if the
    /// mask is flipped and its height is no multiple of 8, else 0.
    pub(crate) top: i32,
}

impl<'a> Levels<'a> {
    /// Returns the levels before the mask at word `words` of `pool`.
    pub(crate) fn before(pool: &'a [u64], words: u32, (width, height): (u32, u32)) -> Self {
        let shape = LevelShape::of(width, height);
        let LevelShape { columns, rows } = shape;
        let (inner, each) = (words - shape.words_each(), shape.words_each());
        let outer = inner - each;
        let dilated = outer - shape.words_dilated();
        let at =
            |words, columns, rows| MaskRef::in_pool(pool, words, stride_of(rows), columns, rows);
        Self {
            dilated: at(dilated, columns + 1, rows + 1),
            outer: at(outer, columns, rows),
            inner: at(inner, columns, rows),
            top: 0,
        }
    }

    /// Returns the levels of the mask of `height` pixels flipped top to bottom.
    pub(crate) fn flip_y(self, height: u32) -> Self {
        let Self { dilated, outer, inner, .. } = self;
        let top = height as i32 - (outer.height() * CELL) as i32;
        Self { dilated: dilated.flip_y(), outer: outer.flip_y(), inner: inner.flip_y(), top }
    }

    /// Returns the offset in cells of the levels of `other`, whose mask is at `offset` in pixels.
    pub(crate) fn cells_to(self, other: Self, offset: Point) -> Point {
        let down = i64::from(offset.y) + i64::from(other.top) - i64::from(self.top);
        // A quotient by 8 of a sum of 33 bits fits an i32.
        Point::new(offset.x.div_euclid(CELL as i32), down.div_euclid(CELL.into()) as i32)
    }
}

impl<'a> MaskRef<'a> {
    /// Returns the levels, if there are any, and the mask.
    pub(crate) fn and_levels(self) -> impl Iterator<Item = Self> {
        let levels = self.levels().map(|levels| [levels.dilated, levels.outer, levels.inner]);
        levels.into_iter().flatten().chain([self])
    }

    /// Returns the levels; `None` where the mask has none.
    pub(crate) fn levels(self) -> Option<Levels<'a>> {
        let (pool, words) = self.place_with_levels()?;
        let levels = Levels::before(pool, words, (self.width(), self.height()));
        Some(if self.is_flipped() { levels.flip_y(self.height()) } else { levels })
    }
}

/// Writes the levels of an upright mask to `out`, zeroed words of [`LevelShape::words`].
pub(crate) fn write_levels(mask: MaskRef<'_>, out: &mut [u64]) {
    debug_assert!(!mask.is_flipped());
    let shape = LevelShape::of(mask.width(), mask.height());
    let each = shape.words_each() as usize;
    let (dilated, rest) = out.split_at_mut(shape.words_dilated() as usize);
    let (outer, inner) = rest.split_at_mut(each);
    let (stride, dilated_stride) =
        (stride_of(shape.rows) as usize, stride_of(shape.rows + 1) as usize);
    const CELLS_PER_STRIP: u32 = WORD / CELL;
    for s in 0..mask.strips() {
        let (strip, bit) = ((s / CELLS_PER_STRIP) as usize, s % CELLS_PER_STRIP * CELLS_PER_STRIP);
        for (y, rows) in mask.rows(s).chunks(CELL as usize).enumerate() {
            let any_set = rows.iter().fold(0, |all, row| all | row);
            // A cell that extends past the last row is never full.
            let is_whole = rows.len() == CELL as usize;
            let all_set =
                if is_whole { rows.iter().fold(u64::MAX, |all, row| all & row) } else { 0 };
            outer[strip * stride + y] |= nonzero_bytes(any_set) << bit;
            inner[strip * stride + y] |= (nonzero_bytes(!all_set) ^ 0xff) << bit;
        }
    }
    for strip in 0..strips_of(shape.columns) as usize {
        for y in 0..shape.rows as usize {
            let cells = outer[strip * stride + y];
            // Column x of the outer level is columns x and x + 1 of the dilated one; so with rows.
            let (wide, carried) = (cells | cells << 1, cells >> (WORD - 1));
            for row in [y, y + 1] {
                dilated[strip * dilated_stride + row] |= wide;
                if carried != 0 {
                    dilated[(strip + 1) * dilated_stride + row] |= carried;
                }
            }
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

// Each level starts at a block, as the mask behind them does.
const _: () = assert!(LevelShape::of(100, 100).words().is_multiple_of(BLOCK));
