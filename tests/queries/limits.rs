//! World queries with arguments at the limits of i32: nothing overflows.

use crate::atlas;
use hitmask::{Accuracy, Filter, Line, Mask, PixelPath, Point, Rect, Zone};
use hitmask_scenes::{overlap, world_of};

const EDGES: [i32; 7] = [i32::MIN, i32::MIN + 70, -1, 0, 1, i32::MAX - 70, i32::MAX];

fn places() -> impl Iterator<Item = Point> {
    EDGES.into_iter().flat_map(|x| EDGES.map(|y| Point::new(x, y)))
}

#[test]
fn queries_at_the_limits_of_i32_do_not_overflow() {
    let (mut world, hull) = world_of(atlas(), "hull");
    let corner = hitmask::MAX_POSITION;
    for at in [[0.0, 0.0], [corner, corner], [-corner, corner], [-corner, -corner]] {
        world.insert(hull.at(at)).unwrap();
    }
    let mask: Mask = format!("{}\n", "#".repeat(70)).repeat(66).parse().unwrap();
    for dirty in [true, false] {
        if !dirty {
            world.update();
        }
        for at in places() {
            // The hull at the origin holds the pixels around it.
            let near = [at.x, at.y].iter().all(|v| v.unsigned_abs() <= 1);
            let found = world.probe(&mask, at).touching(Filter::ALL);
            assert_eq!(found.len(), usize::from(near), "{at:?}");
            let _ = world.probe(&mask, at).push_out(u32::MAX, Filter::ALL);
            for to in places() {
                let rect = Rect::new(at.x, at.y, to.x, to.y);
                let line = Line::along(at, PixelPath::new(to));
                let _ = (
                    world
                        .query(&Zone::rect(rect), Filter { accuracy: Accuracy::Box, ..Filter::ALL })
                        .unwrap(),
                    world.query(&Zone::rect(rect), Filter::ALL).unwrap(),
                );
                let _ = (
                    world.ray(&line, Filter::ALL).unwrap(),
                    world.ray_all(&line, Filter::ALL).unwrap(),
                );
                let _ = world.query(&Zone::line(line), Filter::ALL);
                let _ = world.probe(&mask, at).cast(to, Filter::ALL);
            }
        }
        let ids: Vec<_> = world.iter().map(|(id, _)| id).collect();
        for &a in &ids {
            let _ = world.nearest_to(a, f32::MAX, Filter::ALL);
            let near = world.graze(a, f32::MAX, Filter::ALL).unwrap();
            assert_eq!(near.len(), 3, "all others are within the largest radius");
            for &b in &ids {
                let _ = (
                    world.pair([a, b]).and_then(|pair| pair.distance()),
                    overlap(&world, hitmask::Pair { a, b }),
                );
            }
            for motion in [[2.0 * corner, 0.0], [-2.0 * corner, -2.0 * corner], [0.0, f32::MAX]] {
                let _ = world.cast(a, motion, Filter::SOLID);
            }
        }
        let _ = world.nearest([corner, -corner], f32::MAX, Filter::ALL);
        let _ = world.pick([-corner, 0.0], f32::MAX, Filter::ALL, |_| 0);
    }
}
