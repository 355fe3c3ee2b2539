/// How a sheet is cut into frames of one size: row by row, from the top-left corner on.
///
/// ```
/// use hitmask::Grid;
/// let walk = Grid { spacing: [2, 2], count: Some(6), ..Grid::of([32, 48]) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Width and height of a frame in texels; not 0.
    pub tile: [u32; 2],
    /// Texels left of and above the first frame.
    pub margin: [u32; 2],
    /// Texels between two frames, across and down.
    pub spacing: [u32; 2],
    /// Number of frames to take; without it all that lie whole on the sheet.
    pub count: Option<u32>,
}

impl Grid {
    /// A grid of frames of `tile` texels, all that fit, with nothing round or between them.
    #[must_use]
    pub const fn of(tile: [u32; 2]) -> Self {
        Self { tile, margin: [0, 0], spacing: [0, 0], count: None }
    }

    /// Frames across and down that lie whole on a sheet of `size`.
    pub(super) fn fits(&self, size: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|axis| {
            let room = u64::from(size[axis].saturating_sub(self.margin[axis]));
            let step = u64::from(self.tile[axis]) + u64::from(self.spacing[axis]);
            let frames = (room + u64::from(self.spacing[axis])).checked_div(step).unwrap_or(0);
            // Not more than the sheet has texels on this axis, unless the tile has none.
            if self.tile[axis] == 0 { 0 } else { frames as u32 }
        })
    }

    /// The corner of frame `index` on a sheet with `columns` frames across.
    pub(super) fn corner(&self, index: u32, columns: u32) -> [u32; 2] {
        let cell = [index % columns, index / columns];
        [0, 1].map(|axis| self.margin[axis] + cell[axis] * (self.tile[axis] + self.spacing[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_frames_that_lie_whole_on_the_sheet_count() {
        let grid = Grid { margin: [1, 2], spacing: [3, 0], ..Grid::of([10, 5]) };
        assert_eq!(grid.fits([24, 12]), [2, 2]);
        assert_eq!(grid.fits([23, 11]), [1, 1]);
        assert_eq!(grid.fits([0, 0]), [0, 0]);
        assert_eq!(grid.corner(3, 2), [14, 7]);
        assert_eq!(Grid::of([0, 4]).fits([9, 9]), [0, 2]);
        let vast = Grid { spacing: [u32::MAX; 2], ..Grid::of([u32::MAX; 2]) };
        assert_eq!(vast.fits([16_384, 16_384]), [0, 0]);
        assert_eq!(Grid { margin: [9, 0], ..Grid::of([4, 4]) }.fits([8, 8]), [0, 2]);
    }
}
