//! The details of an overlap.

use crate::crowd;
use hitmask::{Point, PosedRef};
use hitmask_scenes::overlap;

#[test]
fn every_detail_of_an_overlap_is_that_of_its_pixels() {
    let mut world = crowd(5);
    world.update();
    assert!(world.touching().len() > 20);
    // Every detail of each overlap, against its pixels.
    for pair in world.touching() {
        let touch = overlap(&world, pair).unwrap();
        assert_eq!(Some(touch.contact()), world.contact(pair));
        let pixels: Vec<Point> = touch.pixels().collect();
        assert_eq!(pixels.len() as u64, touch.contact().area);
        assert!(pixels.contains(&touch.contact().point));
        let [a, b] = [pair.a, pair.b].map(|id| world.posed(id).unwrap());
        let has = |posed: &PosedRef<'_>, p: Point| {
            posed.mask.get(p.x - posed.origin.x, p.y - posed.origin.y)
        };
        assert!(pixels.iter().all(|&p| has(&a, p) && has(&b, p)));
        assert_eq!(touch.mask().count(), touch.contact().area);
        let first = |key: fn(&Point) -> [i32; 2]| *pixels.iter().min_by_key(|p| key(p)).unwrap();
        assert_eq!(touch.contact().point, first(|p| [p.y, p.x]));
        let mean = |axis: fn(&Point) -> i32| {
            pixels.iter().map(|p| f64::from(axis(p)) + 0.5).sum::<f64>() / pixels.len() as f64
        };
        let [x, y] = touch.centroid();
        assert!(
            (f64::from(x) - mean(|p| p.x)).abs() < 1e-3
                && (f64::from(y) - mean(|p| p.y)).abs() < 1e-3
        );
        let by = touch.push_out();
        assert!(!a.mask.touches(b.mask, b.origin - a.origin - by));
        assert_eq!(touch.depth(), f64::from(by.x).hypot(f64::from(by.y)) as f32);
    }
}
