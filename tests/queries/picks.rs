//! Picks: the topmost collider under a pointer, or else the nearest.

use crate::{SIDE, atlas, crowd, filters, has, shown};
use hitmask::{Collider, ColliderId, Filter, Point, Rect, World, Zone};
use hitmask_scenes::Random;
use std::cmp::Reverse;

#[test]
fn a_pick_takes_the_topmost_under_the_pointer_or_else_the_nearest() {
    let atlas = atlas();
    let [frame, hull] = ["frame", "hull"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let low = world.insert(Collider::new(hull).at([100.0, 100.0])).unwrap();
    let high = world.insert(Collider::new(hull).at([110.0, 100.0])).unwrap();
    let around = world.insert(Collider::new(frame).at([100.0, 100.0])).unwrap();
    let pick = |at: [f32; 2], radius: f32| {
        world.pick(at, radius, Filter::ALL, |id| if id == low { 2 } else { 1 }).unwrap()
    };
    assert_eq!(pick([105.0, 100.0], 0.0), Some(low), "the higher of two under the pointer");
    assert_eq!(pick([130.0, 90.0], 0.0), Some(high), "the only one under the pointer");
    assert_eq!(pick([100.0, 40.0], 0.0), Some(around));
    // Between the hulls and the frame, the nearer one is picked.
    assert_eq!(pick([100.0, 46.0], 0.0), None);
    assert_eq!(pick([100.0, 46.0], 10.0), Some(around));
    assert_eq!(pick([5000.0, 46.0], 10.0), None);
}

#[test]
fn the_pick_of_equal_heights_is_the_newest() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let mut world = World::new(atlas);
    let at = |x: f32| hull.at([x, 100.0]);
    let ids: Vec<ColliderId> =
        [100.0, 102.0, 104.0, 500.0, 500.0, 500.0].map(|x| world.insert(at(x)).unwrap()).into();
    let pick = |at: [f32; 2], radius, heights: [i32; 6]| {
        let height = |id: ColliderId| heights[id.index() as usize];
        world.pick(at, radius, Filter::ALL, height).unwrap()
    };
    let rect = world.rect(ids[3]).unwrap();
    let (under, beside) = ([102.0, 100.0], [rect.x1 as f32 + 2.5, 100.0]);
    assert_eq!(pick(under, 0.0, [0; 6]), Some(ids[2]));
    assert_eq!(pick(under, 0.0, [7, 7, 2, 9, 9, 9]), Some(ids[1]), "the newer of the two highest");
    assert_eq!(pick(under, 0.0, [7, 2, 7, 9, 9, 9]), Some(ids[2]));
    // Equally near, and only within the radius.
    assert_eq!(pick(beside, 0.0, [0; 6]), None);
    assert_eq!(pick(beside, 90.0, [0; 6]), Some(ids[5]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 4, 1]), Some(ids[4]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 1, 1]), Some(ids[3]));
}

#[test]
fn a_pick_agrees_with_a_search_of_every_pixel() {
    let world = crowd(9);
    let mut random = Random::new(4);
    let height = |id: ColliderId| id.index() % 3;
    let mut beside = 0;
    for filter in filters() {
        for _ in 0..60 {
            let at = [random.unit() * SIDE, random.unit() * SIDE];
            let pixel = Point::new(at[0].floor() as i32, at[1].floor() as i32);
            let radius = random.unit() * 30.0;
            let finger = Zone::circle(at, radius).unwrap();
            let near = Rect::new(pixel.x - 32, pixel.y - 32, pixel.x + 33, pixel.y + 33);
            let places = (near.y0..near.y1)
                .flat_map(|y| (near.x0..near.x1).map(move |x| Point::new(x, y)))
                .filter(|p| *p == pixel || finger.contains(*p));
            let places: Vec<Point> = places.collect();
            let truth = shown(&world, filter).into_iter().filter_map(|(id, posed)| {
                // Under the pointer, or else by the nearest pixel centre within the radius.
                let square = |p: &Point| {
                    let (dx, dy) = (
                        f64::from(p.x) + 0.5 - f64::from(at[0]),
                        f64::from(p.y) + 0.5 - f64::from(at[1]),
                    );
                    if *p == pixel { 0.0 } else { dx * dx + dy * dy }
                };
                let pixels = places.iter().filter(|&&p| has(&posed, p)).map(square);
                Some((pixels.reduce(f64::min)?, Reverse((height(id), id))))
            });
            let truth = truth.min_by(|a, b| a.partial_cmp(b).unwrap());
            let found = world.pick(at, radius, filter, height).unwrap();
            assert_eq!(found, truth.map(|(_, Reverse((_, id)))| id), "{at:?} {radius}");
            beside += usize::from(truth.is_some_and(|(square, _)| square > 0.0));
        }
    }
    assert!(beside > 20, "{beside}");
}
