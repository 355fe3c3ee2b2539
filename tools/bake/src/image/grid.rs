//! The tiles of a grid: [`Grid`], and the frames that it cuts from an image.
//!
//! Part of the public API. Called by `frame_source`.

use super::cut::Cut;
use super::image_file::DecodedImage;
use crate::error::{BakeError, BakeFault};
use crate::limits::{BakeLimits, Cost};
use hitmask::baking::Frame;
use std::path::Path;

/// A grid that cuts a sheet into frames of one size, from the top-left corner.
///
/// ```
/// use hitmask_bake::Grid;
/// let walk = Grid { spacing: [2, 2], count: Some(6), ..Grid::of([32, 48]) };
/// let run = Grid::divided([8, 2]); // 8 columns and 2 rows
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Width and height of a frame in texels. 0 divides the sheet by `columns` or `rows`.
    pub tile: [u32; 2],
    /// Texels to the left of and above the first frame.
    pub margin: [u32; 2],
    /// Texels between two frames, across and down.
    pub spacing: [u32; 2],
    /// Number of frames to take. `None` takes all whole frames of the columns and rows.
    pub count: Option<u32>,
    /// Number of frames across. `None` takes as many as fit.
    pub columns: Option<u32>,
    /// Number of frames down. `None` takes as many as fit.
    pub rows: Option<u32>,
    /// The order of the frames.
    pub order: GridOrder,
}

/// The order in which a [`Grid`] takes frames.
///
/// ```
/// use hitmask_bake::{Grid, GridOrder};
/// let walk = Grid { order: GridOrder::Columns, ..Grid::of([32, 32]) };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GridOrder {
    /// Row by row, each from left to right.
    #[default]
    Rows,
    /// Column by column, each from top to bottom.
    Columns,
}

impl Grid {
    /// Returns a grid of frames of `tile` texels, without margin or spacing. Takes all whole
    /// frames.
    #[must_use]
    pub const fn of(tile: [u32; 2]) -> Self {
        let (margin, spacing, order) = ([0, 0], [0, 0], GridOrder::Rows);
        Self { tile, margin, spacing, count: None, columns: None, rows: None, order }
    }

    /// Returns a grid that divides a sheet into this number of columns and rows.
    #[must_use]
    pub const fn divided([columns, rows]: [u32; 2]) -> Self {
        Self { columns: Some(columns), rows: Some(rows), ..Self::of([0, 0]) }
    }

    /// Returns the grid with a tile of texels, on a sheet of `size`. `None` if the columns or rows do not
    /// divide the sheet.
    fn on(mut self, size: [u32; 2]) -> Option<Self> {
        for (axis, frames) in [self.columns, self.rows].into_iter().enumerate() {
            if let (0, Some(frames)) = (self.tile[axis], frames) {
                let spacing = u64::from(self.spacing[axis]);
                let available = u64::from(size[axis].checked_sub(self.margin[axis])?);
                let all = available.saturating_add(spacing);
                let step = all.checked_div(frames.into())?;
                let is_whole = step.checked_mul(frames.into()) == Some(all);
                let tile = step.checked_sub(spacing).filter(|&tile| tile > 0 && is_whole)?;
                self.tile[axis] = u32::try_from(tile).ok()?;
            }
        }
        Some(self)
    }

    /// Returns the number of whole frames across and down on a sheet of `size`.
    fn fits(&self, size: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|axis| {
            let available = u64::from(size[axis].saturating_sub(self.margin[axis]));
            // No sum of 32 bits overflows 64.
            let spacing = u64::from(self.spacing[axis]);
            let step = spacing.saturating_add(self.tile[axis].into());
            let frames = available.saturating_add(spacing).checked_div(step).unwrap_or(0);
            // At most one frame per texel. A tile without texels gives no frames.
            if self.tile[axis] == 0 { 0 } else { frames as u32 }
        })
    }

    /// Returns the corner of frame `index` on a sheet of `size`, or `None` if the sheet has no such frame.
    pub(super) fn place(&self, index: u32, size: [u32; 2]) -> Option<[u32; 2]> {
        let grid = self.on(size)?;
        let fit = grid.fits(size);
        let cells = [grid.columns.unwrap_or(fit[0]), grid.rows.unwrap_or(fit[1])];
        (index < cells[0].saturating_mul(cells[1])).then(|| grid.corner(index, cells))
    }

    /// Returns the corner of frame `index` on a sheet with `[columns, rows]` frames.
    fn corner(&self, index: u32, [columns, rows]: [u32; 2]) -> [u32; 2] {
        let along = if self.order == GridOrder::Rows { columns } else { rows };
        debug_assert_ne!(along, 0, "no frame fits");
        let (near, far) = (
            index.checked_rem(along).unwrap_or_default(),
            index.checked_div(along).unwrap_or_default(),
        );
        let cell = if self.order == GridOrder::Rows { [near, far] } else { [far, near] };
        [0, 1].map(|axis| {
            // A frame that lies on the sheet. Its spacing may exceed 32 bits, if it is alone.
            let step = self.tile[axis].saturating_add(self.spacing[axis]);
            self.margin[axis].saturating_add(cell[axis].saturating_mul(step))
        })
    }
}

/// Cuts a region of the only image of a file into the tiles of a grid.
pub(super) fn tiles(
    path: &Path,
    grid: Grid,
    [x, y, width, height]: [u32; 4],
    sheets: &[DecodedImage],
    limits: &BakeLimits,
) -> Result<Vec<Frame>, BakeError> {
    let [sheet] = sheets else {
        let cause = format!("a grid cuts one image, but the file has {} frames", sheets.len());
        let help = "remove the grid, because the frames of the file are those of the sprite; or export one of them as an image";
        return Err(BakeError::unsupported(path, cause, help));
    };
    if sheet.pivot.is_some() {
        let cause = "a slice gives a pivot for the whole image, but a grid cuts the image";
        let help = "remove the pivot of the slice in Aseprite, and give the pivot of the tiles in the settings";
        return Err(BakeError::unsupported(path, cause, help));
    }
    cut_tiles(path, grid, [x, y, width, height], sheet, limits)
}

/// Cuts a region of an image into the tiles of a grid.
pub(super) fn cut_tiles(
    path: &Path,
    grid: Grid,
    [x, y, width, height]: [u32; 4],
    sheet: &DecodedImage,
    limits: &BakeLimits,
) -> Result<Vec<Frame>, BakeError> {
    let has_no_tile =
        |axis: usize| grid.tile[axis] == 0 && [grid.columns, grid.rows][axis].is_none();
    if has_no_tile(0) || has_no_tile(1) {
        let (path_text, [width, height]) = (path.display(), grid.tile);
        let cause = format!("the grid for {path_text} has tiles of {width} x {height} texels");
        let help = "set both sides of the tile to at least 1 texel";
        return Err(BakeError::new(BakeFault::Option, cause, help).of(path));
    }
    let frames = |frames: Option<u32>| frames.map_or("all".to_owned(), |frames| frames.to_string());
    let Some(grid) = grid.on([width, height]) else {
        let rest = format_args!(
            " has {width} x {height} texels, which {} columns and {} rows do not divide",
            frames(grid.columns),
            frames(grid.rows)
        );
        let help = "check columns, rows, margin and spacing, or give the tile in texels";
        return Err(BakeError::of_file(BakeFault::Option, path, rest, help));
    };
    let fit = grid.fits([width, height]);
    let cells = [grid.columns.unwrap_or(fit[0]), grid.rows.unwrap_or(fit[1])];
    if fit.contains(&0) {
        let ([tile_width, tile_height], [left, top]) = (grid.tile, grid.margin);
        let rest = format_args!(
            " has {width} x {height} texels, in which no tile of {tile_width} x {tile_height} fits after a margin of {left} x {top}"
        );
        return Err(BakeError::of_file(BakeFault::Option, path, rest, "check tile and margin"));
    }
    // At most one frame per texel of the sheet.
    let all = cells[0].saturating_mul(cells[1]);
    let count = grid.count.unwrap_or(all);
    if count == 0 || count > all || cells[0] > fit[0] || cells[1] > fit[1] {
        let fit = fit[0].saturating_mul(fit[1]).min(all);
        let rest = format_args!(
            " has {width} x {height} texels and {fit} whole frames of the grid, but {count} are requested"
        );
        let help = "check tile, margin, spacing, columns, rows and count";
        return Err(BakeError::of_file(BakeFault::Option, path, rest, help));
    }
    limits.check(Cost::Frames, count.into(), path)?;
    let cut = |i| {
        let [left, top] = grid.corner(i, cells);
        Cut::whole([x.saturating_add(left), y.saturating_add(top)], grid.tile).frame(sheet)
    };
    Ok((0..count).map(cut).collect())
}
