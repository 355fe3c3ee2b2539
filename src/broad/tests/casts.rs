//! Rays and casts, tested against exact fractions.

use crate::broad::tests::{Numbers, Simd};
use crate::broad::{BoxTree, Tree};
use crate::geom::Rect;
use std::ops::ControlFlow;

/// Returns those of `boxes` that a rectangle of `size` overlaps on its way from one pixel to another.
fn brute_cast(boxes: &[Rect], from: [i32; 2], size: [u32; 2], to: [i32; 2]) -> Vec<u32> {
    // The times at which the first pixel crosses an edge, and the middles between them. Between two
    // such times the set of overlapped boxes is constant. The unit is 1 / (4 |dx| |dy|).
    let wide = |i: usize| i128::from(to[i]) - i128::from(from[i]);
    let (dx, dy) = (wide(0), wide(1));
    let over = 4 * dx.abs().max(1) * dy.abs().max(1);
    let hits =
        boxes.iter().zip(0..).filter(|(rect, _)| !rect.is_empty()).filter_map(|(rect, id)| {
            let edges = [
                [i128::from(rect.x0) - i128::from(size[0]) + 1, rect.x1.into()],
                [i128::from(rect.y0) - i128::from(size[1]) + 1, rect.y1.into()],
            ];
            let mut times = vec![0, over];
            for i in 0..2 {
                let by = wide(i);
                if by != 0 {
                    for edge in edges[i] {
                        // Solves 2 from + 1 + 2 by t = 2 edge. Exact, because `over` is a multiple
                        // of 2 by.
                        let time = (2 * (edge - i128::from(from[i])) - 1) * (over / (2 * by.abs()));
                        times.push(time * by.signum());
                    }
                }
            }
            times.retain(|&time| (0..=over).contains(&time));
            times.sort_unstable();
            // Twice the times, so that the middles are integers.
            let mut candidates: Vec<i128> = times.iter().map(|time| 2 * time).collect();
            candidates.extend(times.windows(2).map(|pair| pair[0] + pair[1]));
            candidates.sort_unstable();
            let inside = |time: &i128| {
                (0..2).all(|i| {
                    let at = (2 * i128::from(from[i]) + 1) * over + wide(i) * time;
                    let [start, end] = edges[i].map(|edge| 2 * edge * over);
                    start <= at && at < end
                })
            };
            candidates.iter().any(inside).then_some(id)
        });
    hits.collect()
}

fn check_casts(tree: &Tree<Rect>, boxes: &[Rect], from: [i32; 2], size: [u32; 2], to: [i32; 2]) {
    let truth = brute_cast(boxes, from, size, to);
    let swept_rect = tree.swept_rect(from.into(), size, to.into());
    for level in Simd::available().into_iter().filter_map(Simd::level) {
        let mut found = Vec::new();
        if let Some(swept_rect) = &swept_rect {
            let _: ControlFlow<()> = tree.cast_with(level, swept_rect, |at| {
                found.push(tree.leaves().ids[at]);
                ControlFlow::Continue(())
            });
        }
        found.sort_unstable();
        assert_eq!(found, truth, "{from:?} {size:?} {to:?} {level:?}");
    }
}

/// Checks rays and casts, between points beside boxes and points anywhere.
pub(super) fn check_rays_and_casts(tree: &BoxTree, boxes: &[Rect], seed: u64) {
    let mut r = Numbers(seed);
    // Many boxes take long and test no more than some hundred do.
    let rounds = if boxes.is_empty() { 0 } else { 1 + 8_000 / (boxes.len() + 600) };
    for _ in 0..rounds {
        let mut place = || {
            let rect = boxes[r.below(boxes.len() as i64) as usize];
            let near = [[rect.x0, rect.y0], [rect.x1, rect.y0], [rect.x0, rect.y1]]
                [r.below(3) as usize]
                .map(|edge| edge.saturating_add(r.below(3) - 1));
            let far = [r.below(1 << 32), r.below(1 << 32)];
            [near, far][usize::from(r.below(8) == 0)]
        };
        let [from, to] = [place(), place()];
        for to in [to, [to[0], from[1]], [from[0], to[1]], from] {
            for size in [[1, 1], [40, 25], [3, 60], [0, 3]] {
                if size.contains(&0) {
                    assert!(tree.tree.swept_rect(from.into(), size, to.into()).is_none());
                    continue;
                }
                check_casts(&tree.tree, boxes, from, size, to);
            }
        }
    }
}

const PLANE: Rect = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);

#[test]
fn a_cast_of_a_rectangle_as_wide_as_the_plane_hits_all_boxes_it_covers() {
    let (low, high) = (i32::MIN, i32::MAX);
    let some = [low, low + 60, -70, 0, 1000, high - 70, high - 12];
    let boxes: Vec<Rect> =
        some.iter().flat_map(|&x| some.map(|y| Rect::new(x, y, x + 12, y + 12))).collect();
    let mut tree = BoxTree::new();
    tree.pack(&boxes);
    for size in [[u32::MAX, 1], [1, u32::MAX], [u32::MAX; 2], [1 << 31, 9], [9, 1 << 31]] {
        for x in some {
            for y in some {
                for [dx, dy] in [[0, 0], [11, 0], [0, 11], [11, 7], [5, -9], [-6, 11]] {
                    let to = [x.saturating_add(dx), y.saturating_add(dy)];
                    check_casts(&tree.tree, &boxes, [x, y], size, to);
                }
            }
        }
    }
}

#[test]
fn lines_across_the_whole_range_hit_the_boxes_on_them() {
    let (low, high) = (i32::MIN, i32::MAX);
    let some = [low, low + 13, -1_000_000_000, -7, 0, 5, 1_300_000_000, high - 24, high - 12];
    // The sides of the plane and of a strip are those of the line, so nothing is clipped.
    let mut boxes = vec![PLANE, Rect::new(low, -3, high, 4), Rect::new(2, low, 9, high)];
    boxes.extend(some.iter().flat_map(|&x| some.map(|y| Rect::new(x, y, x + 12, y + 12))));
    let mut tree = BoxTree::new();
    tree.pack(&boxes);
    let ends = [low, low + 1, -1, 0, 6, high - 1, high];
    let places = || ends.into_iter().flat_map(|x| ends.map(|y| [x, y]));
    for (from, to) in places().flat_map(|from| places().map(move |to| (from, to))) {
        // No box contains the last pixel of the range.
        check_casts(&tree.tree, &boxes, from, [1, 1], to);
    }
}
