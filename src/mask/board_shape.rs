use super::WORD;

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
