//! Motions of compounds against steps of one pixel of all parts.

use crate::{blocked, crowd};
use hitmask::{Accuracy, Body, Collider, ColliderId, Filter, PixelPath, Point, World};
use hitmask_scenes::Random;

/// Returns a crowd in which some colliders are parts of the owners 1 to 20.
fn compounds(seed: u64) -> World {
    let (mut world, mut random) = (crowd(seed), Random::new(seed + 500));
    // Fewer obstacles, so that most compounds are free at first.
    let all: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    for id in all.into_iter().filter(|id| id.index() % 3 != 0) {
        world.remove(id);
    }
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    for owner in 1..=20 {
        let center = [random.unit() * 700.0, random.unit() * 700.0];
        for _ in 0..=random.below(3) {
            let id = ids[random.below(ids.len() as u32) as usize];
            let part = world.get(id).unwrap();
            // Fractions of one compound may differ.
            let fraction = [0.0, 0.25, 0.5, 0.75][random.below(4) as usize];
            let mut near = |at: f32| at + random.within(-40, 41) as f32 + fraction;
            let at = center.map(&mut near);
            let accuracy = [Accuracy::Exact, Accuracy::Box][random.below(2) as usize];
            let part = Collider { accuracy, ..part.at(at).owned_by(owner) };
            world.set(id, part).unwrap();
        }
        if owner == 10 {
            world.update();
        }
    }
    world
}

fn snap(at: [f32; 2]) -> Point {
    let [x, y] = at.map(|v| (f64::from(v) + 0.5).floor() as i32);
    Point::new(x, y)
}

fn sum(at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    [at[0] + by[0], at[1] + by[1]]
}

#[test]
fn a_compound_stops_where_the_first_of_its_parts_stops() {
    let (mut hits, mut free, mut at_the_end) = (0, 0, 0);
    for seed in 60..70 {
        let mut current = compounds(seed);
        let mut random = Random::new(seed);
        for owner in 1..=20 {
            // After a long motion short ones, whose pixels differ by the fractions of the parts.
            for scale in [900.0, 2.0, 1.0, 1.0, 1.0, 60.0, 2.0, 1.0, 1.0, 1.0] {
                let world = current.clone();
                let parts = world.bodies().parts(owner);
                if parts.is_empty() {
                    continue;
                }
                let start = |id: ColliderId| world.get(id).unwrap().position;
                let motion = [0, 1].map(|_| (random.unit() - 0.5) * scale);
                let moved = |id| snap(sum(start(id), motion)) - snap(start(id));
                let path = PixelPath::new(moved(parts[0]));
                let meets = |id: &&ColliderId, by: Point| {
                    !world.get(**id).unwrap().sensor && blocked(&world, **id, by)
                };
                let on_the_way = path.pixels().enumerate().find_map(|(step, by)| {
                    let part = parts.iter().find(|id| meets(id, by))?;
                    Some((step as u32, *part))
                });
                let at_end = || {
                    let apart = parts.iter().filter(|id| moved(**id) != path.motion());
                    let part = apart.copied().find(|id| meets(&id, moved(*id)))?;
                    Some((path.steps() + 1, part))
                };
                let truth = on_the_way.or_else(at_end);
                let hit = world.bodies().cast(owner, motion, Filter::SOLID).unwrap();
                assert_eq!(
                    hit.map(|hit| (hit.hit.impact.step, hit.part)),
                    truth,
                    "{motion:?} of owner {owner}"
                );
                let mut after = world.clone();
                assert_eq!(after.move_body(owner, motion, Filter::SOLID), Ok(hit));
                assert_eq!(after.validate(), Ok(()));
                let end = |id: ColliderId| after.get(id).unwrap().position;
                for (id, collider) in world.iter() {
                    let expected =
                        if parts.contains(&id) { collider.at(end(id)) } else { collider };
                    assert_eq!(after.get(id), Some(expected), "only positions of parts change");
                }
                match hit {
                    None => {
                        parts.iter().for_each(|&id| assert_eq!(end(id), sum(start(id), motion)));
                        free += 1;
                    }
                    Some(hit) => {
                        let other = hit.hit.collider;
                        let single = Body::Collider(other);
                        assert_eq!(
                            hit.body,
                            world
                                .get(other)
                                .map(|collider| Body::of(other, collider.owner))
                                .unwrap_or(single)
                        );
                        let by = path.at(hit.hit.impact.step.saturating_sub(1));
                        assert_eq!(hit.hit.impact.free_offset, by);
                        assert_eq!(hit.hit.position, end(hit.part));
                        let first = parts[0];
                        for &id in &parts {
                            assert_eq!(snap(end(id)), snap(start(id)) + by);
                            // The parts keep their distances.
                            for axis in 0..2 {
                                let apart = |at: &dyn Fn(ColliderId) -> [f32; 2]| {
                                    at(id)[axis] - at(first)[axis]
                                };
                                let change = apart(&end) - apart(&start);
                                assert!(change.abs() < 1e-3, "{change}");
                            }
                        }
                        hits += usize::from(hit.hit.impact.step > 0);
                        at_the_end += usize::from(hit.hit.impact.step > path.steps());
                    }
                }
                // A compound of one part moves as the collider alone.
                current = after.clone();
                if let ([id], false) = (&parts[..], world.get(parts[0]).unwrap().sensor) {
                    let mut alone = world.clone();
                    assert_eq!(
                        alone.move_until_contact(*id, motion, Filter::SOLID),
                        Ok(hit.map(|hit| hit.hit))
                    );
                    assert_eq!(alone.state_hash(), after.state_hash());
                }
            }
        }
    }
    assert!(hits > 40 && free > 50 && at_the_end > 0, "{hits} {free} {at_the_end}");
}
