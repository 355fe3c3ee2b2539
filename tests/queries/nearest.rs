//! The nearest collider to a point and to a collider.

use crate::{crowd, filters, shown};
use hitmask::{Atlas, Bake, Collider, Filter, Point, PosedRef, World};
use hitmask_scenes::Random;

#[test]
fn the_nearest_collider_has_the_nearest_pixel() {
    let world = crowd(8);
    let mut random = Random::new(3);
    for filter in filters() {
        for _ in 0..40 {
            let at = [random.unit() * 1400.0 - 350.0, random.unit() * 1400.0 - 350.0];
            let pixel = Point::new(at[0].floor() as i32, at[1].floor() as i32);
            let within = random.unit() * 300.0;
            let square = |posed: &PosedRef<'_>| {
                let mut best = i64::MAX;
                for y in 0..posed.mask.height() as i32 {
                    for x in 0..posed.mask.width() as i32 {
                        if posed.mask.get(x, y) {
                            let (dx, dy) =
                                (posed.origin.x + x - pixel.x, posed.origin.y + y - pixel.y);
                            best = best.min(i64::from(dx).pow(2) + i64::from(dy).pow(2));
                        }
                    }
                }
                best
            };
            let truth = shown(&world, filter)
                .iter()
                .map(|(id, posed)| (square(posed), *id))
                .min()
                .filter(|(square, _)| (*square as f64).sqrt() <= f64::from(within));
            let found = world.nearest(at, within, filter).unwrap();
            assert_eq!(found.map(|(id, _)| id), truth.map(|(_, id)| id), "{at:?} {within}");
            if let (Some((_, distance)), Some((square, _))) = (found, truth) {
                assert!((distance - (square as f64).sqrt()).abs() < 1e-9);
            }
        }
    }
    let id = world.ids().next().unwrap();
    let (other, distance) = world.nearest_to(id, 1e6, Filter::ALL).unwrap().unwrap();
    let least = world.ids().filter(|&o| o != id).filter_map(|o| Some((world.distance(id, o)?, o)));
    let least = least.min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    assert_eq!((distance, other), least);
}

#[test]
fn the_nearest_is_found_at_the_exact_limit_and_outside_the_first_search_square() {
    let atlas = Atlas::from_vec(Bake::new().mask("dot", "#".parse().unwrap()).to_bytes().unwrap());
    let atlas = atlas.unwrap();
    let dot = Collider::new(atlas.sprite_id("dot").unwrap());
    let mut world = World::new(atlas);
    let near = world.insert(dot.at([70.0, 0.0])).unwrap();
    // In the corner of the first search square, and farther than a dot beside that square.
    let corner = world.insert(dot.at([-60.0, -60.0])).unwrap();
    assert_eq!(world.nearest([0.5, 0.5], 1000.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 70.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 69.75, Filter::ALL), Ok(None));
    assert_eq!(world.nearest_to(corner, 1000.0, Filter::ALL).unwrap().unwrap().0, near);
}
