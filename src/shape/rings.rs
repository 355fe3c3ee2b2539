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

use crate::geom::Rect;
use crate::mask::{BorderTracer, Connectivity, MaskRef, RIGHT, STEPS};
use std::ops::Range;

/// Units of a corner's coordinates per pixel.
pub(super) const UNIT: i32 = 16;

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

/// How rings are made.
#[derive(Clone, Copy)]
pub(super) struct Tracing {
    pub connectivity: Connectivity,
    /// How far a pass of a pinch moves on each axis, in units.
    pub gap: i32,
    /// Rings that enclose less are left out, in square pixels. Rings with a seam remain.
    pub min_area: u32,
}

impl Rings {
    /// Traces the pixels of `region`, a rectangle within the mask. Pixels of the mask outside it make
    /// seams.
    pub(super) fn of(mask: MaskRef<'_>, region: Rect, tracing: Tracing) -> Self {
        let mut tracer = BorderTracer::new(mask, region, tracing.connectivity);
        let mut rings = Self::default();
        while let Some(start) = tracer.next_start() {
            rings.add((mask, region), tracing, start, &mut tracer);
        }
        rings.find_borders();
        rings
    }

    /// Adds the ring that starts at `start`.
    fn add(
        &mut self,
        (mask, region): (MaskRef<'_>, Rect),
        tracing: Tracing,
        start: [i32; 2],
        tracer: &mut BorderTracer<'_>,
    ) {
        let first = self.corners.len();
        // The pixel on the left of an edge is beyond the border.
        let is_seam = |[x, y]: [i32; 2], step: usize| {
            let [dx, dy] = RIGHT[(step + 3) % 4];
            let beyond = [x + dx, y + dy];
            !region.contains(beyond) && mask.get(beyond[0], beyond[1])
        };
        let mut double_area = 0;
        let mut was_seam = is_seam(start, 0);
        tracer.follow(start, |at, [step, next], is_pinch| {
            let [dx, dy] = STEPS[step];
            double_area += i64::from(at[0]) * i64::from(dy) - i64::from(at[1]) * i64::from(dx);
            let is_seam = is_seam(at, next);
            if next != step || is_seam != was_seam {
                let gap = if is_pinch { tracing.gap } else { 0 };
                // A pass of a pinch moves back along its edge, and to the side of its turn.
                let [nx, ny] = STEPS[next];
                let exact = at.map(|v| v * UNIT);
                let at = [exact[0] + (nx - dx) * gap, exact[1] + (ny - dy) * gap];
                self.corners.push(Corner { exact, at, is_seam, is_fixed: is_seam || was_seam });
            }
            was_seam = is_seam;
        });
        let area = double_area / 2;
        let corners = &mut self.corners[first..];
        let has_seam = corners.iter().any(|corner| corner.is_seam);
        if !has_seam && area.unsigned_abs() < u64::from(tracing.min_area) {
            self.corners.truncate(first);
            self.left_out[usize::from(area < 0)] += 1;
            return;
        }
        // The last corner is the first one, if that is a corner. Rotate it to the front, or the first
        // end of a seam.
        corners.rotate_right(1);
        if let Some(fixed) = corners.iter().position(|corner| corner.is_fixed) {
            corners.rotate_left(fixed);
        }
        let border = self.rings.len();
        self.rings.push(Ring { corners: first..self.corners.len(), area, border });
    }

    /// Returns the edges of a ring, each as the corners at its two ends.
    pub(super) fn edges(&self, ring: usize) -> impl Iterator<Item = [Corner; 2]> + '_ {
        let corners = &self.corners[self.rings[ring].corners.clone()];
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(&a, &b)| [a, b])
    }

    /// Finds the outer border of each hole. The pixel to the left of the hole's first pixel is set. It
    /// ends a run of set pixels, which starts at an edge of the same component. That edge is part of the
    /// outer border, or of a hole that starts before this one.
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
