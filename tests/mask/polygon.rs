//! Exact polygons of the borders of a mask.

use crate::per_pixel::{background, flood_components, masks, views};
use hitmask::{Connectivity, Mask, Point, Polygon};
use hitmask_scenes::cases;
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
            let holes = polygons.iter().filter(|polygon| polygon.double_area() < 0).count();
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
                    own.iter().position(|p| p.double_area() > 0),
                    Some(0),
                    "the outer border is first"
                );
                assert_eq!(
                    own.iter().filter(|p| p.double_area() > 0).count(),
                    1,
                    "one outer border"
                );
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(30, 60)))]

    #[test]
    fn filled_polygons_equal_the_mask(mask in masks()) {
        assert_polygons(&mask);
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
