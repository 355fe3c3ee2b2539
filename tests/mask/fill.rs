//! Masks of filled polygons.

use crate::per_pixel::random_mask;
use hitmask::{CallError, Connectivity, Mask, Point};
use hitmask_scenes::solid;

/// Tests whether an odd number of edges lies to the right of a pixel centre, by cross products.
fn is_inside(polygons: &[Vec<[f32; 2]>], x: i32, y: i32) -> bool {
    let part = |v: f32| i128::from((f64::from(v) * 256.0).round() as i64);
    let [cx, cy] = [x, y].map(|v| i128::from(v) * 256 + 128);
    let crosses = |a: &[f32; 2], b: &[f32; 2]| {
        let ([ax, ay], [bx, by]) = (a.map(part), b.map(part));
        let cross = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        // Only edges to the right of the centre count.
        let is_right = if ay < by { cross > 0 } else { cross < 0 };
        ((ay <= cy) != (by <= cy)) && is_right
    };
    let edges = |corners: &Vec<[f32; 2]>| {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).filter(|(a, b)| crosses(a, b)).count()
    };
    polygons.iter().map(edges).sum::<usize>() % 2 == 1
}

fn filled(polygons: &[Vec<[f32; 2]>]) -> (Mask, Point) {
    Mask::from_polygons(polygons.iter().map(Vec::as_slice)).unwrap()
}

#[test]
fn the_pixels_whose_centres_are_inside_are_set() {
    let mut seed = 7_u32;
    let mut random = |end: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % end
    };
    for round in 0..300 {
        // Quarters of a pixel, so that many centres lie on edges and corners.
        let polygons: Vec<Vec<[f32; 2]>> = (0..1 + round % 3)
            .map(|_| {
                let corner = |_| [0, 1].map(|_| random(90) as f32 / 4.0 - 9.0);
                (0..2 + round % 7).map(corner).collect()
            })
            .collect();
        let (mask, at) = filled(&polygons);
        for (x, y) in (-10..15).flat_map(|y| (-10..15).map(move |x| (x, y))) {
            let is_set = mask.get(x - at.x, y - at.y);
            assert_eq!(is_set, is_inside(&polygons, x, y), "{polygons:?} at {x}, {y}");
        }
    }
}

#[test]
fn the_polygons_of_a_mask_give_the_mask() {
    let mask = random_mask(70, 31, 4);
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let corners = |points: &[Point]| points.iter().map(|p| [p.x as f32, p.y as f32]).collect();
        let polygons: Vec<Vec<[f32; 2]>> =
            mask.polygons(connectivity).iter().map(|polygon| corners(polygon.points())).collect();
        assert_eq!(filled(&polygons), mask.trimmed());
    }
}

#[test]
fn triangles_of_one_square_share_no_pixel() {
    let [a, b, c, d] = [[0.5, 0.5], [20.5, 0.5], [20.5, 20.5], [0.5, 20.5]];
    let halves = [vec![a, b, c], vec![a, c, d]].map(|half| filled(&[half]).0.count());
    assert_eq!(halves.iter().sum::<u64>(), filled(&[vec![a, b, c, d]]).0.count());
}

#[test]
fn polygons_without_area_are_empty_and_bad_corners_are_refused() {
    let none = (Mask::new(0, 0).unwrap(), Point::default());
    for corners in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [9.0, 9.0]]] {
        assert_eq!(filled(&[corners]), none);
    }
    assert_eq!(filled(&[]), none);
    for bad in [f32::NAN, f32::INFINITY, 1.1e9] {
        let refused = Mask::from_polygons([&[[0.0, 0.0], [bad, 1.0], [0.0, 1.0]][..]]);
        assert!(matches!(refused, Err(CallError::Position(_))), "{bad}");
    }
    let wide = Mask::from_polygons([&[[-1e9, 0.0], [1e9, 1.0], [0.0, 1.0]][..]]);
    assert!(matches!(wide, Err(CallError::TooLarge { .. })));
}

#[test]
fn polygons_whose_pixels_fit_a_mask_are_filled() {
    // 32,766 centres lie between 0.6 and 32,767.4, and one more from 0.5 on.
    for (x0, x1, first, width) in [
        (0.6, 32_767.4, 1, 32_766),
        (0.5, 32_767.4, 0, 32_767),
        (0.6, 32_768.4, 1, 32_767),
        (-3.25, 32_763.5, -3, 32_766),
    ] {
        let wide = vec![[x0, 0.25], [x1, 0.25], [x1, 0.75], [x0, 0.75]];
        let turned: Vec<[f32; 2]> = wide.iter().map(|&[x, y]| [y, x]).collect();
        assert_eq!(filled(&[wide]), (solid(width, 1), Point::new(first, 0)));
        assert_eq!(filled(&[turned]), (solid(1, width), Point::new(0, first)));
    }
    let wide = [[0.5, 0.0], [32_768.0, 0.0], [32_768.0, 1.0], [0.5, 1.0]];
    assert!(matches!(Mask::from_polygons([&wide[..]]), Err(CallError::TooLarge { .. })));
}
