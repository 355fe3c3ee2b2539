//! A rectangle swept along a straight line: rays and box casts.
//!
//! ```text
//! for the 16 children of a node: those whose box the line may cross; if they are larger than the box
//! of the line, those that overlap it
//! for a block of leaves: those whose box the line crosses
//! ```
//!
//! 1. Every cast is a cast of one pixel. A rectangle of w x h pixels overlaps a box exactly if its
//!    first pixel lies in the grown box. That box has w - 1 more columns on the left and h - 1 more
//!    rows at the top.
//! 2. Nodes are tested in f32, with slack for rounding. Boxes are clipped to the section of the
//!    line inside the tree and measured from its middle. The slack is then a millionth of that
//!    section, wherever it lies. Integers decide leaves whose corner is closer to the line than the
//!    slack.
//!
//! Invariant: each box that the rectangle overlaps on its way is visited once, and no other box.

use crate::broad::aabb_soa::{BLOCK_BOXES, BoxBlock, Edges};
use crate::broad::kernels::{CastLine, Kernels, with_kernels};
use crate::broad::nodes::{MAX_LEVELS, Nodes, Visit};
use crate::geom::{Point, Rect};
use fearless_simd::{Level, Simd};
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug)]
pub(super) struct SweptRect {
    from: Point,
    /// Displacement of the first pixel.
    by: [i64; 2],
    /// Width and height minus 1.
    grow: [i64; 2],
    line: CastLine,
}

fn clamp(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl SweptRect {
    /// Returns the sweep of a rectangle of `size`, which is not 0, whose first pixel moves from
    /// `from` to `to`. Returns `None` if it overlaps nothing inside `root`.
    pub(super) fn new(from: Point, size: [u32; 2], to: Point, root: Rect) -> Option<Self> {
        let by = [i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y)];
        let grow = size.map(|side| i64::from(side) - 1);
        // Clamping the ends is safe, because no box contains the last pixel of the range.
        let covered = |a: i32, b: i32| [a.min(b), a.max(b).saturating_add(1)];
        let [[x0, x1], [y0, y1]] = [covered(from.x, to.x), covered(from.y, to.y)];
        let grown = |edge: i32, grow: i64| clamp(i64::from(edge) - grow);
        let root = Rect::new(grown(root.x0, grow[0]), grown(root.y0, grow[1]), root.x1, root.y1);
        let whole = Rect::new(x0, y0, x1, y1);
        let mut clip = whole.intersection(root)?;

        let [dx, dy] = by.map(|by| by as f64);
        let mut at = [f64::from(from.x) + 0.5, f64::from(from.y) + 0.5];
        if clip != whole {
            // The section of the line inside the clip box, with a margin of one pixel.
            let (mut t0, mut t1) = (0.0_f64, 1.0_f64);
            for (at, by, [near, far]) in
                [(at[0], dx, [clip.x0, clip.x1]), (at[1], dy, [clip.y0, clip.y1])]
            {
                if by != 0.0 {
                    let a = (f64::from(near) - 1.0 - at) / by;
                    let b = (f64::from(far) + 1.0 - at) / by;
                    (t0, t1) = (t0.max(a.min(b)), t1.min(a.max(b)));
                }
            }
            if t0 > t1 {
                return None;
            }
            let [near, far] = [t0, t1].map(|t| [at[0] + t * dx, at[1] + t * dy]);
            let low = |i: usize| (near[i].min(far[i]) - 1.0).floor() as i32;
            let high = |i: usize| (near[i].max(far[i]) + 1.0).ceil() as i32;
            clip = clip.intersection(Rect::new(low(0), low(1), high(0), high(1)))?;
            at = near;
        }
        let (width, height) = (clip.width(), clip.height());
        // Rounded up: no edge of the whole range is then farther than i32 holds.
        let middle = Point::new(
            clip.x0.wrapping_add_unsigned(width.div_ceil(2)),
            clip.y0.wrapping_add_unsigned(height.div_ceil(2)),
        );
        let length = (dx * dx + dy * dy).sqrt();
        let direction = if length > 0.0 { [dx / length, dy / length] } else { [0.0; 2] };
        let [x, y] = [at[0] - f64::from(middle.x), at[1] - f64::from(middle.y)];
        let added = |edge: i32, grow: i64| clamp(i64::from(edge) + grow);
        let first = Point::new(added(clip.x0, grow[0]), added(clip.y0, grow[1]));
        let beyond = i64::from(clip.x0) + grow[0] > i32::MAX.into()
            || i64::from(clip.y0) + grow[1] > i32::MAX.into();
        // At the end of the range a grown corner may not fit; then only the bounding boxes decide.
        let slack = if beyond {
            f32::INFINITY
        } else {
            width.max(height) as f32 * (0.5_f32).powi(20) + 0.015_625
        };
        let line = CastLine {
            near: Rect::new(clip.x0, clip.y0, added(clip.x1, grow[0]), added(clip.y1, grow[1])),
            clip,
            first,
            middle,
            grown_middle: Point::new(
                middle.x.wrapping_add(grow[0] as i32),
                middle.y.wrapping_add(grow[1] as i32),
            ),
            direction: direction.map(|d| d as f32),
            offset: (direction[0] * y - direction[1] * x) as f32,
            slack,
            // A box that shares columns, rows and both sides of the line with the whole path is
            // crossed: there is no other separating axis.
            margin: if clip == whole { slack } else { f32::INFINITY },
        };
        Some(Self { from, by, grow, line })
    }

    /// Returns true if the rectangle overlaps `rect` on its way.
    ///
    /// In half pixels the first pixel moves from a = 2 from + 1 to a + 2 by. It enters the columns
    /// x0 <= x < x1 at (2 x0 - a) / 2 by and leaves them at (2 x1 - a) / 2 by. Moving left swaps
    /// the two times. The rows have an interval too. The rectangle overlaps `rect` if the two
    /// intervals intersect.
    pub(super) fn overlaps(&self, rect: &Rect) -> bool {
        let [x, y] = self.intervals(rect);
        match (x, y) {
            (Some(x), Some(y)) => x.enters_before(&y) && y.enters_before(&x),
            _ => false,
        }
    }

    /// Returns a bit for each crossed box of a block, and maybe more unless `is_exact`.
    #[inline(always)]
    fn crossed_boxes(
        &self,
        kernels: Kernels<impl Simd>,
        block: BoxBlock<'_>,
        is_exact: bool,
    ) -> u32 {
        let [may, sure] = kernels.crossed_by(block, &self.line);
        if is_exact { may & !self.missed_boxes(block, may & !sure) } else { may }
    }

    /// Returns those of `boxes`, a bit for each box of a block, that the rectangle does not cross.
    #[inline(always)]
    fn missed_boxes(&self, block: BoxBlock<'_>, mut boxes: u32) -> u32 {
        let mut missed_boxes = 0;
        while boxes != 0 {
            let i = boxes.trailing_zeros();
            boxes &= boxes - 1;
            missed_boxes |= u32::from(!self.overlaps(&block.get(i as usize))) << i;
        }
        missed_boxes
    }

    /// Returns the times at which the first pixel is in the columns and in the rows of the box.
    fn intervals(&self, rect: &Rect) -> [Option<Interval>; 2] {
        let [columns, rows] = self.edges(rect);
        [
            Interval::new(self.from.x, self.by[0], columns),
            Interval::new(self.from.y, self.by[1], rows),
        ]
    }

    /// Returns the columns and the rows of the grown box, each as a half-open range.
    fn edges(&self, Rect { x0, y0, x1, y1 }: &Rect) -> [[i64; 2]; 2] {
        let [right, down] = self.grow;
        [[i64::from(*x0) - right, i64::from(*x1)], [i64::from(*y0) - down, i64::from(*y1)]]
    }
}

/// One instruction; a product of two i128 takes several.
#[inline(always)]
fn product(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// Returns the times at which a pixel passes two edges on one axis, the earlier first. The unit is
/// half a pixel of the path: 1 / (2 |by|) of the whole.
#[inline(always)]
fn passes(from: i64, by: i64, edges: [i64; 2]) -> [i64; 2] {
    let [start, end] = edges.map(|edge| 2 * (edge - from) - 1);
    if by < 0 { [-end, -start] } else { [start, end] }
}

/// The interval in which a pixel is between two edges, in units of 1 / `over`.
#[derive(Clone, Copy)]
struct Interval {
    enter: i64,
    leave: i64,
    over: i64,
    /// True if the interval includes `enter` and excludes `leave`; false for the reverse.
    forward: bool,
}

impl Interval {
    /// Returns `None` if the pixel is never between the edges.
    #[inline(always)]
    fn new(from: i32, by: i64, [start, end]: [i64; 2]) -> Option<Self> {
        let from = i64::from(from);
        let (low, high) = (from.min(from + by), from.max(from + by));
        if start > high || end <= low {
            return None;
        }
        let [enter, leave] = passes(from, by, [start, end]);
        Some(Self { enter, leave, over: 2 * by.abs(), forward: by >= 0 })
    }

    /// Returns true if this interval begins before the other ends.
    #[inline(always)]
    fn enters_before(&self, other: &Self) -> bool {
        if self.over == 0 || other.over == 0 {
            // One axis does not move: its pixel is between the edges all the time.
            return true;
        }
        let (enter, leave) = (product(self.enter, other.over), product(other.leave, self.over));
        enter < leave || (enter == leave && self.forward && !other.forward)
    }
}

/// Capacity of the queue: two blocks a level of nodes, four of leaves, and the roots.
const QUEUE_LEN: usize = (2 * MAX_LEVELS + 5) * BLOCK_BOXES;

impl Nodes {
    /// Calls `visit` with the position of each leaf that `swept_rect` crosses, in ascending order.
    ///
    /// Descends with several boxes of a level at a time, not with one. Their blocks are read side
    /// by side, and the only unpredictable branch is the end of the group.
    pub(super) fn cast_on(
        &self,
        level: Level,
        swept_rect: &SweptRect,
        leaves: Edges<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        with_kernels!(level, kernels => self.cast(kernels, swept_rect, leaves, visit))
    }

    /// As [`cast_on`](Self::cast_on), with kernels.
    #[inline(always)]
    fn cast<S: Simd, B>(
        &self,
        kernels: Kernels<S>,
        swept_rect: &SweptRect,
        leaves: Edges<'_>,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // Level 0 holds the leaves. The level above the top has one box for each block of the top.
        let top = self.level_count + 1;
        // From this level up, test only the overlap with the box of the line: the line misses few
        // such boxes.
        let overlap_only_from = self.larger_than(swept_rect.line.near);
        // The boxes of a level follow the remaining boxes of the level above it.
        let (mut boxes, mut ranges) = ([0_u32; QUEUE_LEN], [(0, 0); MAX_LEVELS + 2]);
        let mut level = top;
        for at in self.top_blocks() {
            boxes[ranges[top].1] = (at / BLOCK_BOXES) as u32;
            ranges[top].1 += 1;
        }
        loop {
            let (mut next, end) = ranges[level];
            if level > 0 && next < end {
                level -= 1;
                let edges = if level == 0 { leaves } else { self.level(level - 1) };
                let most = if level == 0 { QUEUE_LEN - BLOCK_BOXES } else { end + BLOCK_BOXES };
                let mut found = end;
                let is_overlap_only = level >= overlap_only_from;
                while next < end && found <= most {
                    let node = boxes[next] as usize;
                    let at = if level == 0 { self.leaves(node) } else { node * BLOCK_BOXES };
                    let block = edges.block(at);
                    let crossed = if is_overlap_only {
                        kernels.overlapping(block, swept_rect.line.near)
                    } else {
                        swept_rect.crossed_boxes(kernels, block, level == 0)
                    };
                    found += kernels.unpack(crossed, at, &mut boxes[found..]);
                    next += 1;
                }
                ranges[level + 1].0 = next;
                ranges[level] = (end, found);
                continue;
            }
            if level == 0 {
                for &leaf in &boxes[next..end] {
                    visit(leaf as usize)?;
                }
            }
            if level == top {
                return ControlFlow::Continue(());
            }
            level += 1;
        }
    }
}
