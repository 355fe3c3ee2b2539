//! Queries of a world: single calls, and a fixed round of all.

use super::Bench;
use super::calls::{Call, numbers};
use super::truth::{check_cast, check_line, check_nearest, check_zone};
use crate::art;
use hitmask::{ColliderId, Filter, Line, Pair, Point, Rect, World, Zone};

impl Bench {
    pub(super) fn question(&self, question: Call) {
        let world = &self.world;
        match question {
            Call::Cast(id, by) => {
                let _ = world.cast(self.id(id), numbers(by), Filter::SOLID);
            }
            Call::CastMask(at, by) => check_cast(world, Point::from(at.map(i32::from)), by.into()),
            Call::Query(shape) => {
                if let Some(zone) = shape.zone() {
                    check_zone(world, &zone);
                }
                if let Some(line) = shape.line() {
                    check_line(world, &line);
                }
            }
            Call::Nearest(at, within) => check_nearest(world, numbers(at), within.get()),
            Call::Pick(at, radius) => {
                let height = |id: ColliderId| id.index() % 3;
                let _ = world.pick(numbers(at), radius.get(), Filter::ALL, height);
                let _ = Zone::point(numbers(at)).and_then(|zone| world.query(&zone, Filter::SOLID));
                let _ = Zone::circle(numbers(at), radius.get())
                    .and_then(|zone| world.query(&zone, Filter::ALL));
            }
            Call::PushOut(id, radius) => {
                let _ = world.push_out(self.id(id), radius >> (radius & 31), Filter::SOLID);
                let _ = world.touching_with(self.id(id));
                let _ = world.nearest_to(self.id(id), radius as f32, Filter::ALL);
            }
            Call::FindFree(at, radius) => {
                let at = at.map(i32::from);
                let free =
                    world.probe(&art::arrow(), at).push_out(radius >> (radius & 31), Filter::ALL);
                if let Some(by) = free {
                    let at = Point::from(at) + by;
                    let found = world.probe(&art::arrow(), at).touching(Filter::ALL);
                    assert!(found.is_empty(), "a free position overlaps a collider");
                }
            }
            Call::Graze(id, radius) => {
                let _ = world.graze(self.id(id), radius >> (radius & 31), Filter::ALL);
            }
            Call::Pair(a, b) => {
                let (a, b) = (self.id(a), self.id(b));
                let pair = Pair { a, b };
                let touch = world.pair(pair).and_then(|pair| pair.overlap()).map(|touch| {
                    let _ = (touch.push_out(), touch.normal(), touch.mask(), touch.depth());
                    touch.contact()
                });
                if let Some(explained) = world.pair(pair).and_then(|pair| pair.explain()) {
                    assert_eq!(explained.pixels, touch);
                    let _ = (explained.to_string(), explained.to_scene());
                }
                let _ = (
                    world.contact(pair),
                    world.pair([a, b]).and_then(|pair| pair.distance()),
                    world.touching_between(&[a], &[b, a]),
                );
            }
            _ => {}
        }
    }
}

/// Runs a fixed round of queries on a world. Compares them with tests of every collider if the atlas
/// is sound: queries may or may not count set pixels in guards and padding of a damaged atlas.
pub fn ask(world: &mut World, is_sound: bool) {
    let line = |from: [f32; 2], to: [f32; 2]| Line::new(from, to).expect("a line");
    for line in [line([-30.5, 4.0], [90.0, 12.0]), line([3.0, -1e9], [-2.0, 1e9])] {
        let _ = (world.ray(&line, Filter::ALL), world.ray_all(&line, Filter::SOLID));
        if is_sound {
            check_line(world, &line);
        }
    }
    let circle = Zone::circle([4.0, 3.0], 12.5).expect("a circle");
    let across = Zone::rect(Rect::new(i32::MIN, -9, i32::MAX, 9));
    for zone in [circle, across, Zone::rect(Rect::new(-9, -9, 3, 5))] {
        let _ = world.query(&zone, Filter::ALL);
        if is_sound {
            check_zone(world, &zone);
        }
    }
    let _ = world.nearest([-40.0, 30.0], 1e9, Filter::ALL);
    let at = Point::new(-60, -8);
    for by in [Point::new(150, 31), Point::new(i32::MAX, i32::MIN)] {
        let _ = world.probe(&art::arrow(), at).cast(by, Filter::ALL);
        if is_sound {
            check_cast(world, at, by);
        }
    }
    if is_sound {
        check_nearest(world, [-40.0, 30.0], 1e9);
    }
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).take(12).collect();
    for (&id, &other) in ids.iter().zip(ids.iter().skip(1)) {
        let pair = Pair { a: id, b: other };
        let _ = (
            world.pair(pair).and_then(|pair| pair.explain()).map(|why| why.to_scene()),
            world.pair([id, other]).and_then(|pair| pair.distance()),
        );
        let _ = (
            world.cast(id, [9.5, -4.0], Filter::SOLID),
            world.push_out(id, 40, Filter::SOLID),
            world.touching_with(id),
        );
        let _ = (world.graze(id, 5, Filter::ALL), world.nearest_to(id, 60.0, Filter::SOLID));
    }
    for &id in &ids {
        let _ = world.move_and_slide(id, [7.0, -3.5]);
        let _ = world.move_until_contact(id, [-2.0, 30.0], Filter::SOLID);
    }
    world.validate().expect("after the moves");
}
