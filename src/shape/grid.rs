//! The shape of a large mask in square cells, so that an edit traces few of them again.
//!
//! A cell holds the shape of its own pixels. A border between two cells is a **seam** where the pixels on
//! both sides are set. Both shapes end in the same straight seam, so their pieces meet without a gap.
//!
//! Seams are no ground. A **chain** is a part of an outline between two seams. Physics engines join
//! chains by the points before and after them (ghost points), which lie in other cells.
//!
//! Invariants: the shape of a cell depends on its pixels and on those next to it alone. A version
//! changes when the shape or a ghost point of the cell does.

use super::pieces::{Cutter, Pieces};
use super::{Shape, ShapeOptions};
use crate::error::CallError;
use crate::geom::Rect;
use crate::mask::MaskRef;

/// The shapes of a large mask, cell by cell, for terrain that changes. For a runtime mask, pass
/// [`World::mask`](crate::World::mask).
///
/// Each cell is simplified by itself. Where an outline runs along a border of two cells, a crack of up to about
/// `max_error` can open between their pieces. A body wider than the crack rolls over it. Lower
/// [`ShapeOptions::max_error`] if smaller ones move on the terrain.
///
/// ```
/// use hitmask::{Mask, Rect, ShapeGrid};
/// let mut ground = Mask::solid(512, 256)?;
/// let mut grid = ShapeGrid::new(&ground, 64, 1.0)?;
/// let shell = Mask::disc(16)?;
/// ground.erase(&shell, [100, 20]);
/// let hole = Rect::new(100, 20, 100 + shell.width() as i32, 20 + shell.height() as i32);
/// for id in grid.update(&ground, hole)? {
///     let cell = grid.cell(id).unwrap();
///     // Replace the body of this cell by these pieces.
///     assert!(cell.version() == 1 && !cell.pieces().pieces.is_empty());
/// }
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShapeGrid {
    options: ShapeOptions,
    side: u32,
    size: [u32; 2],
    columns: u32,
    cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
struct Cell {
    rect: Rect,
    shape: Shape,
    pieces: Pieces,
    version: u32,
    lines: Vec<Line>,
}

impl Cell {
    /// Returns a cell without ghost points.
    fn new(rect: Rect, shape: Shape, version: u32, cutter: &mut Cutter) -> Self {
        let (pieces, lines) = (cutter.pieces(&shape), lines(&shape));
        Self { rect, shape, pieces, version, lines }
    }
}

/// A part of an outline, in units.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    points: Vec<[i32; 2]>,
    /// The points before and after an open line; `None` where the line is closed.
    ghosts: Option<[[i32; 2]; 2]>,
}

/// A cell of a [`ShapeGrid`]. Corners are in the output coordinates of the whole mask.
#[derive(Clone, Copy, Debug)]
pub struct ShapeCell<'a> {
    grid: &'a ShapeGrid,
    id: u32,
}

/// A part of an outline, for chains of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeChain {
    /// The points in order, in output units. The ground is on the left with y up, as in Box2D.
    pub points: Vec<[f32; 2]>,
    /// The points before and after, in other cells. `None` where the chain is a closed ring, whose last
    /// point is joined to the first.
    pub ghosts: Option<[[f32; 2]; 2]>,
}

impl ShapeGrid {
    /// Returns the shapes of a mask in cells of `side` x `side` pixels, 8 to 1,024. 64 suits most
    /// games: it divides the words of a mask.
    ///
    /// # Errors
    /// [`CallError::Number`] where the side or an option is out of range.
    pub fn new<'a>(
        mask: impl Into<MaskRef<'a>>,
        side: u32,
        options: impl Into<ShapeOptions>,
    ) -> Result<Self, CallError> {
        let (mask, options): (MaskRef<'_>, ShapeOptions) = (mask.into(), options.into());
        options.check()?;
        CallError::check_number("cell side", side as f32, 8.0, 1024.0)?;
        let size = [mask.width(), mask.height()];
        let [columns, rows] = size.map(|size| size.div_ceil(side));
        let mut grid = Self { options, side, size, columns, cells: Vec::new() };
        let mut cutter = Cutter::default();
        for id in 0..columns * rows {
            let (rect, shape) = grid.trace(mask, id);
            grid.cells.push(Cell::new(rect, shape, 0, &mut cutter));
        }
        for id in 0..grid.cells.len() {
            grid.link(id);
        }
        Ok(grid)
    }

    /// Traces the cells near `changed` again, and returns the ids of those whose shape or ghost points
    /// are different, in ascending order.
    ///
    /// `changed` covers every pixel that was edited since the last call, in pixels of the mask; it may
    /// reach beyond the mask. Costs as much as the cells that it meets, whatever the mask's size.
    ///
    /// # Errors
    /// [`CallError::SizeChanged`] where the mask has another size than the first one. The grid is left
    /// unchanged.
    pub fn update<'a>(
        &mut self,
        mask: impl Into<MaskRef<'a>>,
        changed: Rect,
    ) -> Result<Vec<u32>, CallError> {
        let mask: MaskRef<'_> = mask.into();
        let got = [mask.width(), mask.height()];
        if got != self.size {
            return Err(CallError::SizeChanged { expected: self.size, got });
        }
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        // A pixel next to a cell makes seams in it.
        let traced: Vec<u32> = self.cells_in(changed.grown(1)).collect();
        let (mut different, mut cutter) = (Vec::new(), Cutter::default());
        for &id in &traced {
            let (rect, shape) = self.trace(mask, id);
            let old = &mut self.cells[id as usize];
            if shape.outlines != old.shape.outlines {
                *old = Cell::new(rect, shape, old.version, &mut cutter);
                different.push(id);
            } else {
                // The number of what is left out may be another one.
                old.shape = shape;
            }
        }
        let mut reported = different.clone();
        let near = |&id: &u32| self.cells_in(self.cells[id as usize].rect.grown(1));
        let mut linked: Vec<u32> = different.iter().flat_map(near).collect();
        linked.sort_unstable();
        linked.dedup();
        reported.extend(linked.into_iter().filter(|&id| self.link(id as usize)));
        reported.sort_unstable();
        reported.dedup();
        for &id in &reported {
            let version = &mut self.cells[id as usize].version;
            *version = version.wrapping_add(1);
        }
        Ok(reported)
    }

    /// Returns the number of cells. Ids are below it, row by row.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns true if the mask has no pixels.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns a cell, or `None` for an id from [`len`](Self::len) on.
    #[must_use]
    pub fn cell(&self, id: u32) -> Option<ShapeCell<'_>> {
        ((id as usize) < self.cells.len()).then_some(ShapeCell { grid: self, id })
    }

    /// Returns the ids of the cells that a rectangle meets, row by row.
    fn cells_in(&self, rect: Rect) -> impl Iterator<Item = u32> + use<> {
        let (side, columns) = (self.side as i32, self.columns);
        let whole = Rect::new(0, 0, self.size[0] as i32, self.size[1] as i32);
        let rect = rect.intersection(whole).unwrap_or_default();
        let range = |from: i32, to: i32| (from / side) as u32..((to + side - 1) / side) as u32;
        let across = range(rect.x0, rect.x1);
        range(rect.y0, rect.y1)
            .flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }

    /// Returns the pixels of a cell and their shape.
    fn trace(&self, mask: MaskRef<'_>, id: u32) -> (Rect, Shape) {
        let side = self.side as i32;
        let at = [id % self.columns, id / self.columns].map(|place| place as i32 * side);
        let end = |k: usize| (at[k] + side).min(self.size[k] as i32);
        let rect = Rect::new(at[0], at[1], end(0), end(1));
        // The cell and the pixels next to it.
        let offset = [at[0] - 1, at[1] - 1];
        let near = mask.cut(rect.grown(1));
        let region = rect.translated(offset.map(|v| -v));
        (rect, Shape::of(near.as_ref(), region, offset, self.options))
    }

    /// Finds the ghost points of a cell. Returns true if one is different.
    fn link(&mut self, id: usize) -> bool {
        let cells = self.cells_in(self.cells[id].rect.grown(1));
        let near: Vec<&Line> = cells.flat_map(|id| &self.cells[id as usize].lines).collect();
        let ghosts: Vec<Option<[[i32; 2]; 2]>> = self.cells[id]
            .lines
            .iter()
            .map(|line| {
                line.ghosts?;
                let [first, second, ..] = line.points[..] else { return None };
                let [.., second_last, last] = line.points[..] else { return None };
                // Where nothing follows, the ghost point continues the line.
                let beyond = |end: [i32; 2], from: [i32; 2]| [0, 1].map(|k| 2 * end[k] - from[k]);
                let open = || {
                    near.iter().filter(|line| line.ghosts.is_some()).map(|line| &line.points[..])
                };
                // Another line ends where this one starts, and one starts where it ends.
                let before = open().find_map(|points| match points {
                    [.., before, end] if *end == first => Some(*before),
                    _ => None,
                });
                let after = open().find_map(|points| match points {
                    [start, after, ..] if *start == last => Some(*after),
                    _ => None,
                });
                let before = before.unwrap_or_else(|| beyond(first, second));
                Some([before, after.unwrap_or_else(|| beyond(last, second_last))])
            })
            .collect();
        let lines = self.cells[id].lines.iter_mut();
        let mut is_different = false;
        for (line, ghosts) in lines.zip(ghosts) {
            is_different |= line.ghosts != ghosts;
            line.ghosts = ghosts;
        }
        is_different
    }
}

/// Returns the parts of a shape's outlines that are no seams.
fn lines(shape: &Shape) -> Vec<Line> {
    let mut lines = Vec::new();
    for ring in 0..shape.outlines.rings.len() {
        let corners = shape.outlines.ring(ring);
        // A ring with a seam starts at an end of one.
        if !corners.iter().any(|corner| corner.is_seam) {
            let points = corners.iter().map(|corner| corner.at).collect();
            lines.push(Line { points, ghosts: None });
            continue;
        }
        let mut points = Vec::new();
        let around = corners.iter().chain(&corners[..1]);
        for corner in around {
            if !points.is_empty() || !corner.is_seam {
                points.push(corner.at);
            }
            if corner.is_seam && points.len() > 1 {
                lines.push(Line {
                    points: std::mem::take(&mut points),
                    ghosts: Some([[i32::MIN; 2]; 2]),
                });
            }
            if corner.is_seam {
                points.clear();
            }
        }
        if points.len() > 1 {
            lines.push(Line { points, ghosts: Some([[i32::MIN; 2]; 2]) });
        }
    }
    lines
}

impl<'a> ShapeCell<'a> {
    fn cell(&self) -> &'a Cell {
        &self.grid.cells[self.id as usize]
    }

    /// Returns the id: the index of the cell, row by row.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Returns the pixels of the cell.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.cell().rect
    }

    /// Returns the number of updates that changed the cell.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.cell().version
    }

    /// Returns the shape of the cell's pixels.
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        &self.cell().shape
    }

    /// Returns the convex pieces of the cell's pixels.
    #[must_use]
    pub fn pieces(&self) -> &'a Pieces {
        &self.cell().pieces
    }

    /// Returns the outlines of the ground within the cell, without the seams to other cells.
    #[must_use]
    pub fn chains(&self) -> Vec<ShapeChain> {
        let Cell { shape, lines, .. } = self.cell();
        let chain = |line: &Line| {
            let points = shape.output(line.points.iter().copied());
            let ghosts =
                line.ghosts.and_then(|ghosts| shape.output(ghosts.into_iter()).try_into().ok());
            ShapeChain { points, ghosts }
        };
        lines.iter().map(chain).collect()
    }
}
