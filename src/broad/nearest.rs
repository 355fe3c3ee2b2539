//! The nearest box, or the nearest item inside the boxes.
//!
//! ```text
//! descend from the root into the nearest unvisited child of each node
//! ascend when no child is near enough
//! ```
//!
//! Nodes are compared by float distances that never exceed the exact ones, leaves by exact
//! integers. Called by the tree only.

use crate::broad::aabb_soa::{BLOCK_BOXES, Edges};
use crate::broad::kernels::Kernels;
use crate::broad::nodes::{MAX_LEVELS, Nodes, TOP_BLOCKS};
use crate::geom::{Point, Rect};
use fearless_simd::Simd;

/// Returns the squared distance of two pixels, saturated at `u64::MAX`.
pub(super) fn distance(rect: &Rect, point: Point) -> u64 {
    let side = |at: i32, start: i32, end: i32| {
        u64::from(at.clamp(start, end.saturating_sub(1).max(start)).abs_diff(at))
    };
    let [x, y] = [side(point.x, rect.x0, rect.x1), side(point.y, rect.y0, rect.y1)];
    (x * x).saturating_add(y * y)
}

/// The bits of a key that hold the index of a box within a few blocks.
const LANE_MASK: u32 = (TOP_BLOCKS * BLOCK_BOXES) as u32 - 1;

/// Key of a box that has been visited.
const VISITED: u32 = u32::MAX;

/// Packs distances into sortable keys with the index of the box in the low bits. The minimum of a
/// block is then a vector operation. Non-negative floats sort like their bits. The index replaces
/// the lowest bits of the distance, which never increases it.
#[inline(always)]
fn keys<const N: usize>(distances: [f32; N], first: usize) -> [u32; N] {
    let mut keys = distances.map(f32::to_bits);
    keys.iter_mut().zip(first as u32..).for_each(|(key, lane)| *key = *key & !LANE_MASK | lane);
    keys
}

/// Removes the nearest box. Returns its index and distance, or infinity if none is left.
#[inline(always)]
fn take_nearest<const N: usize>(keys: &mut [u32; N]) -> (usize, f32) {
    let least = keys.iter().copied().fold(VISITED, u32::min);
    let lane = (least & LANE_MASK) as usize;
    keys[lane % N] = VISITED;
    (lane, f32::from_bits((least & !LANE_MASK).min(f32::INFINITY.to_bits())))
}

/// Returns an upper bound on the kernels' distances for squared distances up to `limit`.
fn bound(limit: u64) -> f32 {
    // The kernels compute quarters of squared distances, and round by a few parts in 2^24.
    limit as f32 * 0.25 * 1.000_001
}

impl Nodes {
    /// Returns the leaf with the smallest distance according to `visit`, and that distance. Ties go
    /// to the leaf that is first according to `before`.
    ///
    /// Calls `visit` with positions in tree order, of leaves no farther than `limit`. It returns
    /// the squared distance of the leaf's content, no less than that of the box, or `None` without
    /// content.
    #[inline(always)]
    pub(super) fn nearest<S: Simd>(
        &self,
        kernels: Kernels<S>,
        point: Point,
        leaves: Edges<'_>,
        limit: u64,
        before: impl Fn(usize, usize) -> bool,
        mut visit: impl FnMut(usize) -> Option<u64>,
    ) -> Option<(usize, u64)> {
        // For each level below the top: the start of the block, and the keys of its children.
        let mut path = [(0_usize, [VISITED; BLOCK_BOXES]); MAX_LEVELS];
        let top = self.level_count;
        let mut level = top;
        let mut top_keys = [VISITED; TOP_BLOCKS * BLOCK_BOXES];
        for at in self.top_blocks() {
            let distances = kernels.distances(self.level(top - 1).block(at), point);
            top_keys[at..at + BLOCK_BOXES].copy_from_slice(&keys(distances, at));
        }
        let mut best: Option<(usize, u64)> = None;
        let mut most = bound(limit);
        loop {
            let (at, (nearest, least)) = if level == top {
                (0, take_nearest(&mut top_keys))
            } else {
                let (at, keys) = &mut path[level];
                (*at, take_nearest(keys))
            };
            if least == f32::INFINITY || least > most {
                if level == top {
                    return best;
                }
                level += 1;
                continue;
            }
            let node = at + nearest;
            if level > 1 {
                level -= 1;
                let at = node * BLOCK_BOXES;
                let distances = kernels.distances(self.level(level - 1).block(at), point);
                path[level] = (at, keys(distances, 0));
                continue;
            }
            let at = self.leaves(node);
            // The leaves that are near enough, nearest first (insertion sort).
            let mut near = [(0, 0.0); BLOCK_BOXES];
            let mut count = 0;
            for (lane, &far) in kernels.distances(leaves.block(at), point).iter().enumerate() {
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
