//! Exact and simplified polygons of the borders of a mask.

use crate::per_pixel::{background, flood_components, masks, views};
use hitmask::{Connectivity, Mask, MaskError, Point, Polygon};
use hitmask_scenes::{all, cases, named};
use proptest::prelude::*;

type Edge = [[f64; 2]; 2];

fn edges(polygon: &Polygon) -> Vec<Edge> {
    let at = |p: &Point| [f64::from(p.x), f64::from(p.y)];
    let next = polygon.points().iter().cycle().skip(1);
    polygon.points().iter().zip(next).map(|(a, b)| [at(a), at(b)]).collect()
}

/// Returns the x coordinates at which the polygons cross the centre line of a row.
///
/// By the even-odd rule, a pixel is inside if an odd number of crossings lies right of its centre.
fn crossings(polygons: &[Polygon], row: i32) -> Vec<f64> {
    let y = f64::from(row) + 0.5;
    let crossing = polygons.iter().flat_map(edges).filter(|[a, b]| (a[1] > y) != (b[1] > y));
    crossing.map(|[a, b]| a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])).collect()
}

/// Returns the distance of a point to a line segment.
fn distance(p: [f64; 2], [a, b]: Edge) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx * dx + dy * dy;
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length).clamp(0.0, 1.0);
    (a[0] + t * dx - p[0]).hypot(a[1] + t * dy - p[1])
}

/// Returns the one-sided Hausdorff distance from `one` to `other`, sampled every 1/8 px.
fn one_sided_hausdorff(one: &Polygon, other: &Polygon) -> f64 {
    let others = edges(other);
    let mut most = 0.0_f64;
    for [a, b] in edges(one) {
        let steps = ((b[0] - a[0]).hypot(b[1] - a[1]) * 8.0).ceil();
        for i in 0..=steps as i32 {
            let t = f64::from(i) / steps;
            let p = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            most = most.max(others.iter().map(|&l| distance(p, l)).fold(f64::MAX, f64::min));
        }
    }
    most
}

/// Tests whether two edges of the polygon cross, other than at their ends.
fn crosses_itself(polygon: &Polygon) -> bool {
    let all = edges(polygon);
    let side = |[a, b]: Edge, p: [f64; 2]| {
        ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])).signum()
            * f64::from(u8::from((b[0] - a[0]) * (p[1] - a[1]) != (b[1] - a[1]) * (p[0] - a[0])))
    };
    all.iter().enumerate().any(|(i, &one)| {
        all[i + 1..].iter().any(|&two| {
            side(one, two[0]) * side(one, two[1]) < 0.0
                && side(two, one[0]) * side(two, one[1]) < 0.0
        })
    })
}

/// Asserts the area, the pixels, the holes and the corners of the exact polygons of a mask.
fn assert_polygons(mask: &Mask) {
    for view in views(mask) {
        for (connectivity, background_connectivity) in
            [(Connectivity::Four, Connectivity::Eight), (Connectivity::Eight, Connectivity::Four)]
        {
            let polygons = view.polygons(connectivity);
            let areas = polygons.iter().map(Polygon::double_area);
            assert_eq!(areas.sum::<i64>(), 2 * view.count() as i64, "area");
            for y in -1..=view.height() as i32 {
                let crossings = crossings(&polygons, y);
                for x in -1..=view.width() as i32 {
                    let right = crossings.iter().filter(|&&at| at > f64::from(x) + 0.5).count();
                    assert_eq!(right % 2 == 1, view.get(x, y), "{x}, {y} of {view:?}");
                }
            }
            let holes = polygons.iter().filter(|polygon| polygon.is_hole()).count();
            // The background has the other connectivity. Its first component is the outside.
            assert_eq!(
                holes,
                flood_components(&background(view), background_connectivity).len() - 1,
                "holes of {view:?}"
            );
            let parts = view.components(connectivity);
            assert_eq!(polygons.len() - holes, parts.iter().len(), "borders");
            for part in parts.iter() {
                let own = part.mask().polygons(connectivity);
                assert_eq!(
                    own.iter().position(|p| !p.is_hole()),
                    Some(0),
                    "the outer border is first"
                );
                assert_eq!(own.iter().filter(|p| !p.is_hole()).count(), 1, "one outer border");
            }
            for polygon in &polygons {
                let points = polygon.points();
                for (i, a) in points.iter().enumerate() {
                    let (b, c) = (points[(i + 1) % points.len()], points[(i + 2) % points.len()]);
                    assert!((a.x == b.x) != (a.y == b.y), "along pixel edges");
                    assert!((a.x == b.x) != (b.x == c.x), "a corner turns");
                }
            }
        }
    }
}

/// Asserts that simplified polygons keep the tolerance, the orientation and simple borders.
fn assert_simplified(mask: &Mask, tolerance: f32) {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for exact in mask.polygons(connectivity) {
            let simple = exact.simplified(tolerance).unwrap();
            assert!(simple.points().len() >= 3 && simple.points().len() <= exact.points().len());
            // 1e-9 px is rounding of f64 coordinates.
            let limit = f64::from(tolerance) + 1e-9;
            assert!(one_sided_hausdorff(&exact, &simple) <= limit, "{exact:?}\n{simple:?}\n{mask}");
            assert!(one_sided_hausdorff(&simple, &exact) <= limit, "{exact:?}\n{simple:?}\n{mask}");
            assert!(!crosses_itself(&simple), "{simple:?}\n{mask}");
            assert_eq!(simple.is_hole(), exact.is_hole(), "{simple:?}\n{mask}");
            assert_ne!(simple.double_area(), 0);
            assert!(simple.points().iter().all(|p| exact.points().contains(p)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(30, 60)))]

    #[test]
    fn filled_polygons_equal_the_mask(mask in masks()) {
        assert_polygons(&mask);
    }

    #[test]
    fn simplified_polygons_stay_within_the_tolerance(mask in masks(), tolerance in 0.1_f32..9.0) {
        assert_simplified(&mask, tolerance);
    }
}

#[test]
fn polygons_of_the_scene_sprites_are_exact_and_simplify_within_the_tolerance() {
    // The checks compare all pairs of edges, so sprites of 120 px and more are left out.
    for picture in all().into_iter().filter(|picture| picture.width < 120) {
        assert_polygons(&picture.mask());
        for tolerance in [0.01, 0.5, 1.0, 3.0, 40.0, f32::MAX, f32::INFINITY] {
            assert_simplified(&picture.mask(), tolerance);
        }
    }
}

#[test]
fn two_squares_that_share_a_corner_join_by_eight_and_part_by_four() {
    let corner: Mask = "
        #.
        .#
    "
    .parse()
    .unwrap();
    let points = |connectivity| -> Vec<Vec<[i32; 2]>> {
        let all = corner.polygons(connectivity);
        all.iter().map(|p| p.points().iter().map(|&p| p.into()).collect()).collect()
    };
    assert_eq!(
        points(Connectivity::Four),
        [vec![[0, 0], [1, 0], [1, 1], [0, 1]], vec![[1, 1], [2, 1], [2, 2], [1, 2]],]
    );
    assert_eq!(
        points(Connectivity::Eight),
        [vec![[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [1, 2], [1, 1], [0, 1]]]
    );
}

#[test]
fn masks_without_pixels_have_no_polygons() {
    for (w, h) in [(0, 0), (0, 5), (5, 0), (70, 5)] {
        let none = Mask::new(w, h).unwrap();
        assert_eq!(none.polygons(Connectivity::Eight), []);
        assert_eq!(none.convex_hull(), None);
        assert_eq!(none.rects(), []);
    }
}

#[test]
fn a_tolerance_that_is_not_above_zero_is_refused() {
    let polygon = named("hull").mask().polygons(Connectivity::Eight).swap_remove(0);
    for tolerance in [0.0, -0.0, -1.0, f32::NEG_INFINITY] {
        assert_eq!(polygon.simplified(tolerance), Err(MaskError::Tolerance(tolerance)));
    }
    assert!(matches!(polygon.simplified(f32::NAN), Err(MaskError::Tolerance(t)) if t.is_nan()));
}

#[test]
fn a_disc_and_a_diagonal_simplify_to_few_corners() {
    let corners = |name: &str, tolerance| {
        let exact = named(name).mask().polygons(Connectivity::Eight).swap_remove(0);
        (exact.points().len(), exact.simplified(tolerance).unwrap().points().len())
    };
    // A disc of radius 31 within 1 px: in theory about pi / acos(1 - 1/31) = 12.3 corners.
    let (exact, simple) = corners("ring", 1.0);
    assert!(exact > 100 && (8..=20).contains(&simple), "{exact} {simple}");
    // Each of the 48 pixels has 4 corners in the exact border. At most 8 corners remain.
    let (exact, simple) = corners("diagonal", 1.0);
    assert!(exact == 4 * 48 - 2 + 2 && simple <= 8, "{exact} {simple}");
}

#[test]
fn an_edge_undone_because_of_a_crossing_keeps_the_tolerance() {
    // A chain of corners may keep the tolerance to its edge while a part of it exceeds the
    // tolerance to an edge of its own.
    let noise: Mask = "
        .#####.#.#.#....####.###..#.#.##..###.#.#.#.....#..###..#####....##.#.#.#...#####...##.##.#.##...#.###...#.......#.##..#
        #.##.#..#.#...##...#.#.#.#####..#..#...#..#...#...##.#.###..#..##..#.########.###...###.#...#.#........#..###....#.#####
        ..#...#...#..#.#.##..#..###.##.##....#...#####...#.##..#.####..###..#.....#..##.#.###.#..#.###.#...##.#...##...#.##.####
        ##....#...#.###..##..#.#..##...##..#.#.#.#..#....####.......#..#.######.##....##.#....#######..#.....#.###.#.#####.#....
    "
    .parse()
    .unwrap();
    assert_simplified(&noise, 1.910_388_7);
}
