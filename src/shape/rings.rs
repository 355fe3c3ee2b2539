//! The exact borders of the pixels of a rectangle, as rings of corners.
//!
//! A ring runs clockwise on screen around set pixels, and counterclockwise around a hole. Where two
//! pixels meet only at a corner, the border passes the corner twice (a pinch). Each pass is moved
//! apart from the other by at most a quarter of a pixel per axis, so no two rings touch.
//!
//! ```text
//!   ##..        ##..
//!   ##..   ->   ##\_    8-connected: both passes move into the clear pixels, and leave a neck
//!   ..##        _\##    4-connected: both move into the set pixels, and leave a gap
//! ```
//!
//! A **seam** is a part of the border where the pixel on the other side is set too: it lies outside
//! the rectangle. Seams keep their exact ends, so that shapes of adjacent rectangles fit.
//!
//! Invariants: a ring starts at the first corner of a seam, if it has one. Consecutive corners are
//! distinct.

use super::UNIT;
use crate::geom::Rect;
use crate::mask::{Connectivity, Mask, MaskRef};
use std::ops::Range;

/// A corner of an exact border, in units of 1 / [`UNIT`] px.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    /// The corner of a pixel.
    pub exact: [i32; 2],
    /// The corner of the ring: the same place, or moved away from a pinch.
    pub at: [i32; 2],
    /// The edge that starts here is a seam.
    pub is_seam: bool,
    /// The corner must stay: a seam starts or ends here.
    pub is_fixed: bool,
}

/// A closed border.
pub(super) struct Ring {
    /// Its corners in [`Rings::corners`].
    pub corners: Range<usize>,
    /// The enclosed area in square pixels, without what moved at pinches; negative for a hole.
    pub area: i64,
    /// Index of the outer border that this ring is a hole of, or its own index.
    pub border: usize,
}

impl Ring {
    pub(super) fn is_hole(&self) -> bool {
        self.area < 0
    }
}

/// The rings of a rectangle of a mask. Borders precede their holes.
#[derive(Default)]
pub(super) struct Rings {
    pub corners: Vec<Corner>,
    pub rings: Vec<Ring>,
    /// Islands and holes that are too small.
    pub left_out: [u32; 2],
}

/// How borders are followed.
#[derive(Clone, Copy)]
pub(super) struct Tracing {
    pub connectivity: Connectivity,
    /// How far a pass of a pinch moves on each axis, in units.
    pub gap: i32,
    /// Rings that enclose less are left out, in square pixels. Rings with a seam remain.
    pub min_area: u32,
}

/// Steps to the right, down, left and up: each is the one before rotated clockwise.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The pixel ahead of a corner on the right-hand side, for each of [`STEPS`]. The pixel on the
/// left-hand side is the entry of the step before.
const RIGHT: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];

/// What is followed: the pixels of `region`. Pixels of the mask outside it make seams.
#[derive(Clone, Copy)]
struct Area<'a> {
    mask: MaskRef<'a>,
    region: Rect,
    tracing: Tracing,
}

impl Rings {
    /// Traces the pixels of `region`, a rectangle within the mask.
    pub(super) fn of(mask: MaskRef<'_>, region: Rect, tracing: Tracing) -> Self {
        let area = Area { mask, region, tracing };
        let mut rings = Self::default();
        let mut tops = area.tops();
        for y in region.y0..region.y1 {
            loop {
                let next = tops.as_ref().runs(y as u32).next();
                let Some((x, _)) = next else { break };
                rings.walk(area, [x as i32, y], &mut tops);
            }
        }
        rings.find_borders();
        rings
    }

    /// Walks the border to the right of `start`, clockwise, and removes its edges from `tops`.
    fn walk(&mut self, area: Area<'_>, start: [i32; 2], tops: &mut Mask) {
        let first = self.corners.len();
        let (mut at, mut step) = (start, 0);
        let mut double_area = 0;
        let mut has_seam = false;
        // The first edge has a clear pixel above it, or is a seam at the top of the region.
        let first_is_seam = area.is_seam(at, step);
        let mut was_seam = first_is_seam;
        loop {
            if step == 0 {
                tops.set(at[0], at[1], false);
            }
            let [dx, dy] = STEPS[step];
            at = [at[0] + dx, at[1] + dy];
            double_area += i64::from(at[0]) * i64::from(dy) - i64::from(at[1]) * i64::from(dx);
            let pixel = |[x, y]: [i32; 2]| area.get(at[0] + x, at[1] + y);
            let (right, left) = (pixel(RIGHT[step]), pixel(RIGHT[(step + 3) % 4]));
            let is_pinch = !right && left;
            let turn = match (right, left) {
                (true, false) => 0,
                (true, true) => 3,
                (false, true) if area.tracing.connectivity == Connectivity::Eight => 3,
                (false, _) => 1,
            };
            let next = (step + turn) % 4;
            let is_last = at == start && next == 0;
            let is_seam = if is_last { first_is_seam } else { area.is_seam(at, next) };
            has_seam |= is_seam;
            if turn != 0 || is_seam != was_seam {
                let exact = at.map(|v| v * UNIT);
                let mut to = exact;
                if is_pinch {
                    // Back along the edge, and towards the side of the turn.
                    let [nx, ny] = STEPS[next];
                    let gap = area.tracing.gap;
                    to = [to[0] + (nx - dx) * gap, to[1] + (ny - dy) * gap];
                }
                let is_fixed = is_seam || was_seam;
                self.corners.push(Corner { exact, at: to, is_seam, is_fixed });
            }
            (step, was_seam) = (next, is_seam);
            if is_last {
                break;
            }
        }
        let area_px = double_area / 2;
        if !has_seam && area_px.unsigned_abs() < u64::from(area.tracing.min_area) {
            self.corners.truncate(first);
            self.left_out[usize::from(area_px < 0)] += 1;
            return;
        }
        // The walk ends with its first corner, if that is one. Rotate it to the front, or the first
        // corner of a seam.
        let corners = &mut self.corners[first..];
        corners.rotate_right(1);
        if let Some(fixed) = corners.iter().position(|corner| corner.is_fixed) {
            corners.rotate_left(fixed);
        }
        let own = self.rings.len();
        let corners = first..self.corners.len();
        self.rings.push(Ring { corners, area: area_px, border: own });
    }
}

impl Rings {
    /// Returns the edges of a ring, each as the corners at its two ends.
    pub(super) fn edges(&self, ring: usize) -> impl Iterator<Item = [Corner; 2]> + '_ {
        let corners = &self.corners[self.rings[ring].corners.clone()];
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(&a, &b)| [a, b])
    }

    /// Finds the outer border of each hole. The pixel to the left of the hole's first pixel is set. The
    /// run of set pixels that it ends starts at an edge of the same component: of its outer border, or
    /// of a hole that starts before this one.
    fn find_borders(&mut self) {
        /// A hole, and the nearest edge to the left of its first pixel.
        struct Search {
            row: i32,
            x: i32,
            hole: usize,
            found: Option<(i32, usize)>,
        }
        let first = |hole: usize| {
            let corners = &self.corners[self.rings[hole].corners.clone()];
            corners.iter().map(|corner| (corner.exact[1], corner.exact[0])).min()
        };
        let holes = (0..self.rings.len()).filter(|&ring| self.rings[ring].is_hole());
        let mut searches: Vec<Search> = holes
            .filter_map(|hole| {
                let (row, x) = first(hole)?;
                Some(Search { row, x, hole, found: None })
            })
            .collect();
        if searches.is_empty() {
            return;
        }
        searches.sort_unstable_by_key(|search| (search.row, search.x));
        for ring in 0..self.rings.len() {
            for [a, b] in self.edges(ring) {
                // Edges with set pixels on their right lead up.
                let (x, top, bottom) = (a.exact[0], b.exact[1], a.exact[1]);
                let start = searches.partition_point(|search| search.row < top);
                for search in searches[start..].iter_mut().take_while(|search| search.row < bottom)
                {
                    let is_nearer = search.found.is_none_or(|(nearest, _)| nearest < x);
                    if x < search.x && is_nearer {
                        search.found = Some((x, ring));
                    }
                }
            }
        }
        for search in searches {
            if let Some((_, ring)) = search.found {
                self.rings[search.hole].border = self.rings[ring].border;
            }
        }
    }
}

impl Area<'_> {
    fn get(self, x: i32, y: i32) -> bool {
        self.region.contains([x, y]) && self.mask.get(x, y)
    }

    /// Tests whether the pixel to the left of the edge from `at` is set, outside the region.
    fn is_seam(self, [x, y]: [i32; 2], step: usize) -> bool {
        let [dx, dy] = RIGHT[(step + 3) % 4];
        let pixel = [x + dx, y + dy];
        !self.region.contains(pixel) && self.mask.get(pixel[0], pixel[1])
    }

    /// Returns the pixels of the region with an edge above. Every border, also that of a hole, has
    /// such a pixel.
    fn tops(self) -> Mask {
        let Rect { x0, y0, x1, y1 } = self.region;
        let (mask, rows) = (self.mask, y0 as u32..y1 as u32);
        let mut tops = Mask::filled_by(mask.width(), y1 as u32, |s, y| {
            let above = if y <= rows.start { 0 } else { mask.word(s, y - 1) };
            if rows.contains(&y) { mask.word(s, y) & !above } else { 0 }
        });
        let height = y1;
        tops.fill_rect(Rect::new(0, 0, x0, height), false);
        tops.fill_rect(Rect::new(x1, 0, mask.width() as i32, height), false);
        tops
    }
}
