//! Filters in every query: which colliders are tested, and at which accuracy.

use crate::{SIDE, crowd, filters, has, shown};
use hitmask::{
    Accuracy, Collider, ColliderId, Filter, Line, Mask, Pivot, PixelPath, Point, PosedRef, Rect,
    World, Zone,
};
use hitmask_scenes::Random;

/// Returns a copy of the world in which every collider with pixels, except `but`, shows its filled
/// box.
fn boxed(world: &World, but: Option<ColliderId>) -> World {
    let mut boxes = world.clone();
    for (id, collider) in world.iter().filter(|(id, _)| Some(*id) != but) {
        let Some(rect) = world.rect(id) else { continue };
        let mut mask = Mask::new(rect.width(), rect.height()).unwrap();
        mask.fill();
        let mask = boxes.masks_mut().insert(mask, Pivot::HalfTexels(0, 0)).unwrap();
        let Collider { layers, collides_with, sensor, fixed, .. } = collider;
        let shown = Collider::from_mask(mask).at([rect.x0 as f32, rect.y0 as f32]);
        let shown = Collider { layers, collides_with, sensor, fixed, ..shown };
        boxes.set(id, shown).unwrap();
        assert_eq!(boxes.rect(id), Some(rect));
    }
    boxes
}

#[test]
fn a_box_filter_gives_the_answers_of_a_world_of_boxes() {
    let world = crowd(4);
    let boxes = boxed(&world, None);
    let mut random = Random::new(9);
    let card = Mask::disc(6).unwrap();
    let mut differ = 0;
    for _ in 0..40 {
        let mut at = || [random.unit() * SIDE, random.unit() * SIDE];
        let (a, b) = (at(), at());
        let corner = Point::new(a[0] as i32, a[1] as i32);
        let rect = Rect::new(corner.x, corner.y, corner.x + 30, corner.y + 7);
        let line = Line::new(a, b).unwrap();
        for exact in filters() {
            let asked = Filter { accuracy: Accuracy::Box, ..exact };
            let zones = [
                Zone::point(a).unwrap(),
                Zone::rect(rect),
                Zone::ellipse(b, [21.0, 33.5]).unwrap(),
                Zone::line(line),
            ];
            for zone in zones {
                let truth = boxes.query(&zone, exact);
                differ += usize::from(world.query(&zone, exact) != truth);
                assert_eq!(world.query(&zone, asked), truth, "{zone:?}");
            }
            assert_eq!(
                world.probe(&card, corner).touching(asked),
                boxes.probe(&card, corner).touching(exact)
            );
            assert_eq!(world.ray(&line, asked).unwrap(), boxes.ray(&line, exact).unwrap());
            assert_eq!(world.ray_all(&line, asked).unwrap(), boxes.ray_all(&line, exact).unwrap());
            let by = line.path().motion();
            assert_eq!(
                world.probe(&card, corner).cast(by, asked),
                boxes.probe(&card, corner).cast(by, exact)
            );
            assert_eq!(world.nearest(a, 90.0, asked), boxes.nearest(a, 90.0, exact));
            assert_eq!(
                world.probe(&card, corner).push_out(40, asked),
                boxes.probe(&card, corner).push_out(40, exact)
            );
            let height = |id: ColliderId| id.index() % 5;
            assert_eq!(world.pick(a, 25.0, asked, height), boxes.pick(a, 25.0, exact, height));
        }
    }
    assert!(differ > 20, "boxes and pixels differ in only {differ} queries");
    // The asking collider takes part with its pixels.
    for id in world.iter().map(|(id, _)| id).step_by(9) {
        let others = boxed(&world, Some(id));
        let asked = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
        assert_eq!(world.graze(id, 9, asked), others.graze(id, 9, Filter::ALL));
        let nearest = |world: &World, filter| world.nearest_to(id, 80.0, filter).unwrap();
        assert_eq!(nearest(&world, asked), nearest(&others, Filter::ALL));
    }
}

#[test]
fn filters_apply_to_every_query() {
    let mut found = [0; 4];
    for seed in 60..63 {
        let world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in ids.iter().step_by(6) {
            let own = world.posed(id).unwrap();
            let by = Point::new(random.within(-200, 200), random.within(-200, 200));
            let [mine, pixels] = [own.origin, own.origin + by];
            let at = [pixels.x as f32 + 0.5, pixels.y as f32 + 0.5];
            let excepting = ids[random.below(ids.len() as u32) as usize];
            let except = Filter { except: Some(excepting), ..Filter::ALL };
            for filter in filters().into_iter().chain([except]) {
                let shown = shown(&world, filter);
                let meets = |at: Point| {
                    shown.iter().find(|(_, met)| own.mask.touches(met.mask, met.origin - at))
                };
                let path = PixelPath::new(by);
                let truth = path
                    .pixels()
                    .zip(0..)
                    .find_map(|(along, step)| meets(mine + along).map(|&(other, _)| (other, step)));
                let hit = world.probe(own.mask, mine).cast(by, filter);
                assert_eq!(hit.map(|(other, impact)| (other, impact.step)), truth, "{filter:?}");

                let ways = (-12..=12_i32).flat_map(|y| (-12..=12_i32).map(move |x| (y, x)));
                let truth = ways
                    .filter(|&(y, x)| {
                        x * x + y * y <= 144 && meets(pixels + Point::new(x, y)).is_none()
                    })
                    .min_by_key(|&(y, x)| (x * x + y * y, y, x));
                let free = world.probe(own.mask, pixels).push_out(12, filter);
                assert_eq!(free, truth.map(|(y, x)| Point::new(x, y)), "{filter:?}");

                let others = shown.iter().filter(|(other, _)| *other != id);
                let truth = others
                    .filter_map(|(other, _)| {
                        Some((world.pair([id, *other]).and_then(|pair| pair.distance())?, *other))
                    })
                    .filter(|(distance, _)| *distance <= 30.0)
                    .min_by(|a, b| a.partial_cmp(b).unwrap());
                let nearest = world.nearest_to(id, 30.0, filter).unwrap();
                assert_eq!(nearest.map(|(other, distance)| (distance, other)), truth, "{filter:?}");

                // Many colliders have equal heights.
                let height = |id: ColliderId| id.index() % 3;
                let finger: Mask = "#".parse().unwrap();
                let far = |met: &PosedRef<'_>| finger.distance(met.mask, met.origin - pixels);
                let circle = Zone::circle(at, 15.0).unwrap();
                let reached = |met: &PosedRef<'_>| met.mask.touches_zone(&circle, met.origin);
                let near: Vec<_> = shown
                    .iter()
                    .filter(|(_, met)| has(met, pixels) || reached(met))
                    .map(|(other, met)| (far(met).unwrap(), *other))
                    .collect();
                let least = near.iter().map(|(far, _)| *far).fold(f64::INFINITY, f64::min);
                let truth = near
                    .iter()
                    .filter(|(far, _)| *far == least)
                    .map(|(_, other)| *other)
                    .max_by_key(|&other| (height(other), other.index()));
                assert_eq!(world.pick(at, 15.0, filter, height).unwrap(), truth, "{filter:?}");
                let answers = [hit.is_some(), free.is_some(), nearest.is_some(), truth.is_some()];
                (0..4).for_each(|i| found[i] += usize::from(answers[i]));
            }
        }
    }
    assert!(found.iter().all(|&found| found > 100), "{found:?}");
}
