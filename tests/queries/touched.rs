//! Touching queries of one collider and of groups, and the details of an overlap.

use crate::{crowd, has};
use hitmask::{ColliderId, Filter, Pair, Point, ScanOrder};
use std::collections::BTreeSet;

#[test]
fn touching_queries_agree_with_the_update() {
    let mut world = crowd(5);
    let mut now: BTreeSet<Pair> = BTreeSet::new();
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    for &id in &ids {
        assert!(world.touching_with(id).is_sorted());
        assert!(world.graze(id, 60, Filter::ALL).is_sorted_by_key(|(other, _)| *other));
        for other in world.touching_with(id) {
            now.insert(Pair { a: id.min(other), b: id.max(other) });
            assert!(world.touching_with(other).contains(&id), "touching is symmetric");
        }
    }
    world.update();
    let fixed = |id: ColliderId| world.get(id).unwrap().fixed;
    let moving: Vec<Pair> = now.iter().filter(|p| !(fixed(p.a) && fixed(p.b))).copied().collect();
    assert_eq!(moving, world.touching());
    assert!(moving.len() > 20);
    // One group against another.
    let (evens, odds): (Vec<_>, Vec<_>) = ids.iter().partition(|id| id.index() % 2 == 0);
    let truth: Vec<Pair> =
        now.iter().filter(|p| p.a.index() % 2 != p.b.index() % 2).copied().collect();
    assert_eq!(world.touching_between(&evens, &odds), truth);
    assert_eq!(world.touching_between(&odds, &evens), truth);
    assert_eq!(world.touching_between(&[], &odds), []);
    // In any order and in both directions, each pair is reported once.
    let backwards: Vec<ColliderId> = odds.iter().rev().copied().collect();
    assert_eq!(world.touching_between(&evens, &backwards), truth);
    assert_eq!(world.touching_between(&ids, &ids), now.iter().copied().collect::<Vec<_>>());
    // Every detail of each overlap, against its pixels.
    for pair in world.touching() {
        let touch = world.pair(pair).and_then(|pair| pair.overlap()).unwrap();
        assert_eq!(Some(touch.contact()), world.contact(pair));
        let pixels: Vec<Point> = touch.pixels().collect();
        assert_eq!(pixels.len() as u64, touch.contact().area);
        let [a, b] = [pair.a, pair.b].map(|id| world.posed(id).unwrap());
        assert!(pixels.iter().all(|&p| has(&a, p) && has(&b, p)));
        assert_eq!(touch.mask().count(), touch.contact().area);
        let first = |key: fn(&Point) -> [i32; 2]| *pixels.iter().min_by_key(|p| key(p)).unwrap();
        assert_eq!(touch.first(ScanOrder::Top), first(|p| [p.y, p.x]));
        assert_eq!(touch.first(ScanOrder::Bottom), first(|p| [-p.y, p.x]));
        assert_eq!(touch.first(ScanOrder::Left), first(|p| [p.x, p.y]));
        assert_eq!(touch.first(ScanOrder::Right), first(|p| [-p.x, p.y]));
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
