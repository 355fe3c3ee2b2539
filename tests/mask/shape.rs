//! Centroid, angle, outline and convex hull.

use crate::per_pixel::{background, flood_components, masks, neighbours, pixels, views};
use hitmask::{Connectivity, Mask, Point};
use hitmask_scenes::{all, cases, mask_of};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Returns the cross product of b - a and c - a: positive for a clockwise turn, y down.
fn cross(a: Point, b: Point, c: Point) -> i64 {
    let v = |p: Point, q: Point| (i64::from(q.x - p.x), i64::from(q.y - p.y));
    let ((ax, ay), (bx, by)) = (v(a, b), v(a, c));
    ax * by - ay * bx
}

/// Asserts that the outline walks exactly the outer border of the first component.
///
/// A border pixel is set and has a clear neighbour by an edge that is connected to the outside.
/// Each step of the walk goes to one of the 8 neighbours.
fn assert_outline(view: hitmask::MaskRef<'_>) {
    let walked: Vec<(i32, i32)> = view.outline().map(|p| (p.x, p.y)).collect();
    let parts = flood_components(&pixels(view), Connectivity::Eight);
    let Some(first) = parts.first() else {
        assert!(walked.is_empty());
        return;
    };
    // Other components must not hide the outside, so the background is that of this component
    // alone.
    let mut alone = Mask::new(view.width(), view.height()).unwrap();
    first.iter().for_each(|&(x, y)| alone.set(x, y, true));
    let outside = flood_components(&background(alone.as_ref()), Connectivity::Four).swap_remove(0);
    let is_border = |&pixel: &(i32, i32)| {
        neighbours(Connectivity::Four, pixel).iter().any(|p| outside.contains(p))
    };
    let border: BTreeSet<_> = first.iter().copied().filter(is_border).collect();
    assert_eq!(walked.iter().copied().collect::<BTreeSet<_>>(), border, "{view:?}");
    let start = first.iter().copied().min_by_key(|&(x, y)| (y, x));
    assert_eq!(walked.first().copied(), start);
    let next = walked.iter().cycle().skip(1);
    for (&a, b) in walked.iter().zip(next) {
        assert!(walked.len() == 1 || neighbours(Connectivity::Eight, a).contains(b), "{a:?} {b:?}");
    }
    // The walk passes a pixel at most 4 times, once for each side.
    assert!(walked.iter().all(|p| walked.iter().filter(|q| *q == p).count() <= 4));
}

/// Returns the border by Moore's neighbour tracing, until a state (pixel, backtrack) repeats.
fn moore_outline(mask: &Mask) -> Vec<Point> {
    let ring = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
    let all = (0..mask.height() as i32).flat_map(|y| (0..mask.width() as i32).map(move |x| [x, y]));
    let Some(start) = all.into_iter().find(|&[x, y]| mask.get(x, y)) else { return vec![] };
    let (mut walked, mut here, mut backtrack) = (Vec::new(), start, [start[0] - 1, start[1]]);
    let mut states = BTreeSet::new();
    while states.insert((here, backtrack)) {
        walked.push(Point::from(here));
        let from = ring.iter().position(|s| [here[0] + s[0], here[1] + s[1]] == backtrack).unwrap();
        for k in 1..=8 {
            let step = ring[(from + k) % 8];
            let next = [here[0] + step[0], here[1] + step[1]];
            if mask.get(next[0], next[1]) {
                here = next;
                break;
            }
            backtrack = next;
        }
    }
    walked
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60, 150)))]

    #[test]
    fn the_outline_is_the_outer_border_of_the_first_component(mask in masks()) {
        views(&mask).into_iter().for_each(assert_outline);
    }

    #[test]
    fn the_convex_hull_covers_every_pixel_and_has_corners_of_pixels(mask in masks()) {
        for view in views(&mask) {
            let all = pixels(view);
            let corners: BTreeSet<Point2> = all
                .iter()
                .flat_map(|&(x, y)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)])
                .collect();
            let hull = view.convex_hull();
            prop_assert_eq!(hull.is_some(), !all.is_empty());
            let Some(hull) = hull else { continue };
            let points = hull.points();
            let next = |i: usize| points[(i + 1) % points.len()];
            for (i, &a) in points.iter().enumerate() {
                prop_assert!(corners.contains(&(a.x, a.y)), "not the corner of a pixel");
                prop_assert!(cross(a, next(i), next(i + 1)) > 0, "clockwise and strictly convex");
                for &(x, y) in &corners {
                    prop_assert!(cross(a, next(i), Point::new(x, y)) >= 0, "outside");
                }
            }
            prop_assert_eq!((points[0].y, points[0].x), corners.iter().map(|c| (c.1, c.0)).min().unwrap());
        }
    }

    #[test]
    fn centroid_and_angle_equal_the_moments_of_the_pixels(mask in masks()) {
        for view in views(&mask) {
            let all = pixels(view);
            let n = all.len() as f64;
            let mean = |of: &dyn Fn(f64, f64) -> f64| {
                all.iter().map(|&(x, y)| of(f64::from(x) + 0.5, f64::from(y) + 0.5)).sum::<f64>() / n
            };
            prop_assert_eq!(view.centroid().is_none(), all.is_empty());
            prop_assert_eq!(view.angle().is_none(), all.is_empty());
            let Some([x, y]) = view.centroid() else { continue };
            let (mx, my) = (mean(&|x, _| x), mean(&|_, y| y));
            prop_assert!((f64::from(x) - mx).abs() < 1e-4 && (f64::from(y) - my).abs() < 1e-4);
            let slant = 2.0 * mean(&|x, y| (x - mx) * (y - my));
            let spread = mean(&|x, y| (x - mx).powi(2) - (y - my).powi(2));
            let angle = f64::from(view.angle().unwrap());
            // Compares directions, because the angle jumps by a half turn at 90 degrees and is
            // arbitrary for round shapes.
            let length = slant.hypot(spread);
            prop_assert!(((2.0 * angle).cos() * length - spread).abs() < 1e-3 * (1.0 + length));
            prop_assert!(((2.0 * angle).sin() * length - slant).abs() < 1e-3 * (1.0 + length));
            let half = std::f32::consts::FRAC_PI_2;
            prop_assert!((-half..=half).contains(&view.angle().unwrap()));
        }
    }
}

type Point2 = (i32, i32);

#[test]
fn outlines_of_the_scene_sprites_equal_moore_tracing() {
    for picture in all() {
        let mask = picture.mask();
        let walked: Vec<Point> = mask.outline().collect();
        let expected = moore_outline(&mask);
        // Moore tracing may walk past the start of the second round before a state repeats.
        assert!(expected.starts_with(&walked), "{}", picture.name);
        assert_outline(mask.as_ref());
    }
}

#[test]
fn angles_of_bars_diagonals_and_squares_are_exact() {
    let angle =
        |w, h, solid: fn(i32, i32) -> bool| mask_of(w, h, solid).angle().map(f32::to_degrees);
    assert_eq!(angle(9, 3, |_, _| true), Some(0.0), "wide");
    assert_eq!(angle(3, 9, |_, _| true), Some(90.0), "high");
    assert_eq!(angle(7, 7, |x, y| x == y), Some(45.0), "falling");
    assert_eq!(angle(7, 7, |x, y| x + y == 6), Some(-45.0), "rising");
    assert_eq!(angle(6, 6, |_, _| true), Some(0.0), "square");
    assert_eq!(angle(6, 6, |_, _| false), None);
}

#[test]
fn the_angle_in_degrees_is_near_the_negative_of_pygames_unless_the_mask_is_tiny() {
    let degrees =
        |w, h, solid: fn(i32, i32) -> bool| mask_of(w, h, solid).angle().unwrap().to_degrees();
    // The second numbers are those of `pygame.mask.Mask.angle`, pygame-ce 2.5.8.
    for (angle, pygame) in [
        (degrees(121, 81, |x, y| (2 * x - 3 * y).abs() <= 24), -33.478_947),
        (degrees(121, 81, |x, y| (2 * x - 3 * (80 - y)).abs() <= 24), 33.493_065),
        (degrees(41, 161, |x, y| (4 * x - y).abs() <= 12), -76.097_36),
        (degrees(3, 9, |_, _| true), -90.0),
    ] {
        assert!((angle + pygame).abs() < 0.05, "{angle} {pygame}");
    }
    // pygame divides the sums to whole numbers, and gives 0 for this diagonal.
    assert_eq!(degrees(3, 3, |x, y| x == y), 45.0);
}
