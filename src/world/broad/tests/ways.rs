//! Rays, casts and the nearest box, against fractions of whole numbers.

use super::{Level, Numbers, Simd};
use crate::geom::Rect;
use crate::world::broad::nearest::distance;
use crate::world::broad::{BoxTree, Tree};
use std::ops::ControlFlow;

/// Those of `boxes` that a rectangle of `size` meets on its way from one pixel to another, and the
/// exact time at which it meets each, from 0 to 1, as a fraction.
fn brute_cast(
    boxes: &[Rect],
    from: [i32; 2],
    size: [u32; 2],
    to: [i32; 2],
) -> Vec<(u32, [i128; 2])> {
    // Times at which the first pixel crosses an edge on its way, and the middles between them:
    // the pixel is then inside one or other set of boxes. All in parts of 4 |dx| |dy|.
    let wide = |i: usize| i128::from(to[i]) - i128::from(from[i]);
    let (dx, dy) = (wide(0), wide(1));
    let over = 4 * dx.abs().max(1) * dy.abs().max(1);
    let met =
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
                        // 2 from + 1 + 2 by t = 2 edge, exact because over is a multiple of 2 by.
                        let time = (2 * (edge - i128::from(from[i])) - 1) * (over / (2 * by.abs()));
                        times.push(time * by.signum());
                    }
                }
            }
            times.retain(|&time| (0..=over).contains(&time));
            times.sort_unstable();
            // Twice the times, so that the middles are whole numbers.
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
            let first = candidates.into_iter().find(inside)?;
            // Met between two times means met right after the earlier.
            let enter = times.iter().rev().find(|&&time| 2 * time <= first)?;
            Some((id, [*enter, over]))
        });
    met.collect()
}

fn hold_casts(tree: &Tree<Rect>, boxes: &[Rect], from: [i32; 2], size: [u32; 2], to: [i32; 2]) {
    let truth = brute_cast(boxes, from, size, to);
    let way = tree.way(from.into(), size, to.into());
    for level in Simd::available().into_iter().map(Level::of) {
        let mut found = Vec::new();
        if let Some(way) = &way {
            let _: ControlFlow<()> = tree.cast_with(level, way, |at| {
                found.push(tree.leaves().ids[at]);
                ControlFlow::Continue(())
            });
        }
        found.sort_unstable();
        let truth: Vec<u32> = truth.iter().map(|(id, _)| *id).collect();
        assert_eq!(found, truth, "{from:?} {size:?} {to:?} {level:?}");
    }
}

/// Rays, casts and nearest boxes, from and to places beside boxes and anywhere.
pub(super) fn hold_ways(tree: &BoxTree, boxes: &[Rect], seed: u64) {
    let mut r = Numbers(seed);
    // Many boxes take long, and show no more than some hundred.
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
                    assert!(tree.tree.way(from.into(), size, to.into()).is_none());
                    continue;
                }
                hold_casts(&tree.tree, boxes, from, size, to);
            }
            let mut ordered = Vec::new();
            tree.ray(from, to, &mut ordered);
            let mut truth = brute_cast(boxes, from, [1, 1], to);
            truth.sort_unstable_by_key(|&(id, [time, _])| (time, id));
            assert!(ordered.iter().eq(truth.iter().map(|(id, _)| id)), "{from:?} {to:?}");
        }
        let away = |rect: &Rect| {
            let side = |at: i32, [start, end]: [i32; 2]| {
                i128::from(
                    (i64::from(start) - i64::from(at))
                        .max(i64::from(at) - i64::from(end) + 1)
                        .max(0),
                )
            };
            let [x, y] = [side(from[0], [rect.x0, rect.x1]), side(from[1], [rect.y0, rect.y1])];
            x * x + y * y
        };
        let there = boxes.iter().zip(0_u32..).filter(|(rect, _)| !rect.is_empty());
        let nearest = there.map(|(rect, id)| (away(rect), id)).min();
        for within in [0, 1, 30, 70_000, u32::MAX] {
            let limit = i128::from(within) * i128::from(within);
            let truth = nearest.filter(|(distance, _)| *distance <= limit).map(|(_, id)| id);
            assert_eq!(tree.nearest(from, within), truth, "{from:?} within {within}");
            for level in Simd::available().into_iter().map(Level::of) {
                let leaves = tree.tree.leaves();
                let visit = |at: usize| Some(distance(&leaves.rect(at), from.into()));
                let found = tree.tree.nearest_with(level, from.into(), limit as u64, visit);
                assert_eq!(found.map(|(at, _)| leaves.ids[at]), truth, "{level:?}");
            }
        }
    }
}
