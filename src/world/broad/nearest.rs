//! The nearest box, or what is nearest inside the boxes.
//!
//! ```text
//! from the root: of a node's children not yet seen, the nearest; up again where none is near enough
//! ```
//!
//! Nodes are asked in floats that never exceed the distance, leaves in whole numbers. Called by the
//! tree only.

use super::bounds::{BLOCK, Edges};
use super::lanes::Lanes;
use super::nodes::{LEVELS, Nodes};
use crate::geom::{Point, Rect};

/// The distance of the pixel `point` from the nearest pixel of `rect`, squared; the greatest number
/// there is where it is greater still.
pub(super) fn distance(rect: &Rect, point: Point) -> u64 {
    let side = |at: i32, start: i32, end: i32| {
        u64::from(at.clamp(start, end.saturating_sub(1).max(start)).abs_diff(at))
    };
    let [x, y] = [side(point.x, rect.x0, rect.x1), side(point.y, rect.y0, rect.y1)];
    (x * x).saturating_add(y * y)
}

/// No distance that the kernels make of `limit`, a squared distance, or less is greater.
fn bound(limit: u64) -> f32 {
    // They reckon in halves of pixels' distance, and round by a few parts in 2^24.
    limit as f32 * 0.25 * 1.000_001
}

impl Nodes {
    /// The least of what `visit` makes of leaves, and which: of several the one that comes first
    /// in `before`. It is called for leaves nearer than `limit`, at positions in tree order, and
    /// gives the true distance, squared, no less than that of the box; `None` where there is none.
    #[inline(always)]
    pub(super) fn nearest<L: Lanes>(
        &self,
        lanes: L,
        point: Point,
        leaves: Edges<'_>,
        limit: u64,
        before: impl Fn(usize, usize) -> bool,
        mut visit: impl FnMut(usize) -> Option<u64>,
    ) -> Option<(usize, u64)> {
        // On each level: the block, and how far each of its children is; nowhere, once seen.
        let mut path = [(0_usize, [f32::INFINITY; BLOCK]); LEVELS + 1];
        let top = self.used();
        let mut level = top;
        path[level].1 = lanes.distances(self.level(level - 1).block(0), point);
        let mut best: Option<(usize, u64)> = None;
        let mut most = bound(limit);
        loop {
            let (at, distances) = &mut path[level];
            let (mut nearest, mut least) = (0, f32::INFINITY);
            for (lane, &distance) in distances.iter().enumerate() {
                (nearest, least) =
                    if distance < least { (lane, distance) } else { (nearest, least) };
            }
            if least == f32::INFINITY || least > most {
                if level == top {
                    return best;
                }
                level += 1;
                continue;
            }
            distances[nearest] = f32::INFINITY;
            let at = (*at + nearest) * BLOCK;
            if level > 1 {
                level -= 1;
                path[level] = (at, lanes.distances(self.level(level - 1).block(at), point));
                continue;
            }
            // The leaves that are near enough, nearest first.
            let mut near = [(0, 0.0); BLOCK];
            let mut count = 0;
            for (lane, &far) in lanes.distances(leaves.block(at), point).iter().enumerate() {
                if far <= most && far < f32::INFINITY {
                    let mut place = count;
                    while place > 0 && near[place - 1].1 > far {
                        near[place] = near[place - 1];
                        place -= 1;
                    }
                    near[place] = (at + lane, far);
                    count += 1;
                }
            }
            for &(leaf, _) in &near[..count] {
                let so_far = best.map_or(limit, |(_, distance)| distance);
                if distance(&leaves.get(leaf), point) > so_far {
                    continue;
                }
                if let Some(distance) = visit(leaf).filter(|&distance| distance <= so_far)
                    && best.is_none_or(|(at, least)| distance < least || before(leaf, at))
                {
                    best = Some((leaf, distance));
                    most = bound(distance);
                }
            }
        }
    }
}
