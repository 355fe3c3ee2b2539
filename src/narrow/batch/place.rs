//! Where a strip lies in the overlap of its pair.

/// Where the walk of a strip lies in its overlap.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Columns of the overlap to the left of the strip.
    pub(crate) column: u32,
    /// Rows of the overlap.
    pub(crate) rows: u32,
    /// The first row walked is the overlap's last.
    pub(crate) upwards: bool,
    /// Rows of the overlap before the first that is walked.
    pub(crate) before: u32,
}

impl Place {
    /// The row, from the overlap's top, that is walked as number `row`; and the other way round, where
    /// no row is before the first.
    #[inline(always)]
    pub(crate) const fn row(self, row: u32) -> u32 {
        let row = row.wrapping_add(self.before);
        if self.upwards { self.rows.wrapping_sub(1).wrapping_sub(row) } else { row }
    }
}
