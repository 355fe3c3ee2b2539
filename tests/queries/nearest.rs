//! The nearest collider to a point and to a collider.

use hitmask::{Atlas, AtlasBuilder, Filter, Pivot, Point, Rect, Zone};
use hitmask_scenes::{open, world_of};

#[test]
fn a_position_is_measured_to_pixel_centres_by_nearest_and_pick_alike() {
    let dot = AtlasBuilder::new().pivot(Pivot::HalfTexels(0, 0)).mask("dot", "#".parse().unwrap());
    let (mut world, dot) = world_of(open(&dot), "dot");
    let id = world.insert(dot.at([1.0, 0.0])).unwrap();
    assert_eq!(world.rect(id), Some(Rect::new(1, 0, 2, 1)));
    for at in [[0.0, 0.0], [0.5, 0.5], [0.0, 0.9], [1.5, 0.5], [2.0, 0.0], [-3.25, 7.0]] {
        let distance = center_distance(Point::new(1, 0), at);
        assert_eq!(world.nearest(at, 100.0, Filter::ALL), Ok(Some((id, distance))), "{at:?}");
        // The same limit for both, and for circles. Under the pointer any radius picks.
        let under = at == [1.5, 0.5];
        for radius in [0.0, 1.0, 1.5, 1.58, 1.59, 2.0, distance as f32] {
            let near = distance <= f64::from(radius);
            let nearest = world.nearest(at, radius, Filter::ALL).unwrap();
            let picked = world.pick(at, radius, Filter::ALL, |_| 0).unwrap();
            let circle = world.query(&Zone::circle(at, radius).unwrap(), Filter::ALL).unwrap();
            assert_eq!(nearest.is_some(), near, "{at:?} {radius}");
            assert_eq!(picked.is_some(), near || under, "{at:?} {radius}");
            assert_eq!(!circle.is_empty(), near, "{at:?} {radius}");
        }
    }
    // From (0, 0) the centre at (1.5, 0.5) is 1.58 px away.
    assert_eq!(world.pick([0.0, 0.0], 1.0, Filter::ALL, |_| 0), Ok(None));
    assert_eq!(world.nearest([0.0, 0.0], 1.0, Filter::ALL), Ok(None));
    // Two colliders are measured from centre to centre.
    let other = world.insert(dot).unwrap();
    assert_eq!(
        (world.pair([id, other]).and_then(|pair| pair.distance()), other.index()),
        (Some(1.0), 1)
    );
}

#[test]
fn a_point_just_left_of_an_edge_is_nearest_to_the_pixel_on_its_left() {
    let row =
        AtlasBuilder::new().pivot(Pivot::HalfTexels(4, 0)).mask("row", "####".parse().unwrap());
    let (mut world, row) = world_of(open(&row), "row");
    let id = world.insert(row.at([0.0, 0.0])).unwrap();
    assert_eq!(world.rect(id), Some(Rect::new(-2, 0, 2, 1)));
    // As an f64, 2 more than the first number is 2.
    let at = [-7.1402575e-17, 2.63207e-6];
    let [left, right] = [-1, 0].map(|x| center_distance(Point::new(x, 0), at));
    assert!(left < right);
    assert_eq!(world.nearest(at, 100.0, Filter::ALL), Ok(Some((id, left))));
}

fn center_distance(pixel: Point, [x, y]: [f32; 2]) -> f64 {
    let (dx, dy) =
        (f64::from(pixel.x) + 0.5 - f64::from(x), f64::from(pixel.y) + 0.5 - f64::from(y));
    (dx * dx + dy * dy).sqrt()
}

#[test]
fn the_nearest_is_found_at_the_exact_limit_and_outside_the_first_search_square() {
    let atlas =
        Atlas::from_vec(AtlasBuilder::new().mask("dot", "#".parse().unwrap()).to_bytes().unwrap());
    let (mut world, dot) = world_of(atlas.unwrap(), "dot");
    let near = world.insert(dot.at([70.0, 0.0])).unwrap();
    // In the corner of the first search square, and farther than a dot beside that square.
    let corner = world.insert(dot.at([-60.0, -60.0])).unwrap();
    assert_eq!(world.nearest([0.5, 0.5], 1000.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 70.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 69.75, Filter::ALL), Ok(None));
    assert_eq!(world.nearest_to(corner, 1000.0, Filter::ALL).unwrap().unwrap().0, near);
}
