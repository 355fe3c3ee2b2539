//! What a world is asked: every query against each collider's pixels, one by one, and motions
//! against steps of one pixel.

use hitmask::{
    Accuracy, Angle, Atlas, Bake, Collider, ColliderId, Filter, First, Line, Mask, MoveRules, Pair,
    Path, Pivot, PlaceError, Point, PosedRef, Rect, World, Zone, ZoneError,
};
use hitmask_sprites::{Random, all, scene};
use std::cmp::Reverse;
use std::collections::BTreeSet;

const SIDE: f32 = 700.0;

fn atlas() -> Atlas {
    let bake = all()
        .into_iter()
        .fold(Bake::new().angles(16), |bake, picture| bake.mask(picture.name, picture.mask()));
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

/// A crowd, some of it changed after the update, with sensors, layers and fixed ones.
fn crowd(seed: u64) -> World {
    let atlas = atlas();
    let sprites: Vec<_> = atlas.sprites().map(|sprite| sprite.id()).collect();
    let mut world = World::new(atlas);
    let mut random = Random::new(seed);
    let mut ids = Vec::new();
    for placed in scene(seed, 120, sprites.len(), SIDE) {
        let collider = Collider::new(sprites[placed.sprite])
            .at(placed.at)
            .turned(placed.angle)
            .flipped(placed.flip_x, placed.flip_y)
            .on_layers(1 << random.below(3), [u32::MAX, 0b110][random.below(2) as usize]);
        let sensor = random.below(5) == 0;
        let fixed = random.below(4) == 0;
        ids.push(world.insert(Collider { sensor, fixed, ..collider }).unwrap());
    }
    world.update();
    for &id in ids.iter().step_by(7) {
        let [x, y] = [random.unit() * SIDE, random.unit() * SIDE];
        world.set(id, world.get(id).unwrap().at([x, y])).unwrap();
    }
    for &id in ids.iter().step_by(31) {
        world.remove(id);
    }
    world
}

fn filters() -> [Filter; 4] {
    [
        Filter::ALL,
        Filter::SOLID,
        Filter { layers: 0b101, ..Filter::ALL },
        Filter { layers: 0, ..Filter::ALL },
    ]
}

/// Those of the world whom a filter lets through, with what they show.
fn shown(world: &World, filter: Filter) -> Vec<(ColliderId, PosedRef<'_>)> {
    let wanted = |id: &ColliderId| {
        let collider = world.get(*id).unwrap();
        collider.layers & filter.layers != 0
            && (filter.sensors || !collider.sensor)
            && filter.except != Some(*id)
    };
    world.ids().filter(wanted).map(|id| (id, world.posed(id).unwrap())).collect()
}

fn has(posed: &PosedRef<'_>, p: Point) -> bool {
    posed.mask.get(p.x - posed.origin.x, p.y - posed.origin.y)
}

#[test]
fn every_query_finds_who_has_a_pixel_in_its_zone() {
    for seed in 0..3 {
        let world = crowd(seed);
        let mut random = Random::new(seed + 100);
        let mut found_any = 0;
        for _ in 0..25 {
            let mut at = || [random.unit() * SIDE, random.unit() * SIDE];
            let (a, b) = (at(), at());
            let radii = [random.unit() * 40.0, random.unit() * 90.0];
            let corner = Point::new(a[0] as i32, a[1] as i32);
            let rect = Rect::new(corner.x, corner.y, corner.x + radii[0] as i32, corner.y + 30);
            let line = Line::new(a, b).unwrap();
            for filter in filters() {
                let zones = [
                    (Zone::point(a).unwrap(), world.query_point(a, filter).unwrap()),
                    (Zone::rect(rect), world.query_rect(rect, filter)),
                    (
                        Zone::circle(a, radii[0]).unwrap(),
                        world.query_circle(a, radii[0], filter).unwrap(),
                    ),
                    (
                        Zone::ellipse(b, radii).unwrap(),
                        world.query_ellipse(b, radii, filter).unwrap(),
                    ),
                    (Zone::line(line), world.query_line(a, b, filter).unwrap()),
                ];
                for (zone, answer) in zones {
                    let pixels: Vec<Point> = zone
                        .bounds()
                        .iter()
                        .flat_map(|r| {
                            (r.y0..r.y1)
                                .flat_map(move |y| (r.x0..r.x1).map(move |x| Point::new(x, y)))
                        })
                        .filter(|p| zone.contains(*p))
                        .collect();
                    let truth: Vec<ColliderId> = shown(&world, filter)
                        .into_iter()
                        .filter(|(_, posed)| pixels.iter().any(|&p| has(posed, p)))
                        .map(|(id, _)| id)
                        .collect();
                    assert_eq!(answer, truth, "{zone:?}");
                    assert_eq!(world.query(&zone, filter), truth, "{zone:?}");
                    found_any += truth.len();
                    // A zone as a mask asks the same.
                    let (mask, corner) = Mask::of_zone(&zone).unwrap();
                    assert_eq!(
                        world.query_mask(&mask, corner, filter),
                        truth,
                        "{zone:?} as a mask"
                    );
                    assert_eq!(mask.count(), pixels.len() as u64);
                }
                // Along the line, in order.
                let mut truth = Vec::new();
                for (id, posed) in shown(&world, filter) {
                    let step = line.pixels().position(|p| has(&posed, p));
                    truth.extend(step.map(|step| (step as u32, id)));
                    let on: Vec<Point> = line.pixels().filter(|&p| has(&posed, p)).collect();
                    assert_eq!(posed.mask.line_hits(&line, posed.origin).collect::<Vec<_>>(), on);
                }
                truth.sort_unstable();
                let hits = world.ray_all(&line, filter);
                assert_eq!(hits.iter().map(|(id, hit)| (hit.step, *id)).collect::<Vec<_>>(), truth);
                let first = world.ray(&line, filter);
                assert_eq!(first.map(|(id, hit)| (hit.step, id)), truth.first().copied());
                for (id, hit) in hits {
                    assert_eq!(hit.point, line.pixels().nth(hit.step as usize).unwrap());
                    assert!((hit.normal.x.hypot(hit.normal.y) - 1.0).abs() < 1e-6);
                    // Away from the set pixels around, as far as these say anything.
                    let posed = world.posed(id).unwrap();
                    let around = (-3..=3).flat_map(|y| (-3..=3).map(move |x| Point::new(x, y)));
                    let set = around.filter(|&by| has(&posed, hit.point + by));
                    let (x, y) = set.fold((0, 0), |(x, y), by| (x - by.x, y - by.y));
                    if (x, y) != (0, 0) {
                        let (x, y) = (f64::from(x), f64::from(y));
                        let truth = [x, y].map(|v| (v / x.hypot(y)) as f32);
                        assert!((hit.normal.x - truth[0]).abs() < 1e-6, "{hit:?} {truth:?}");
                        assert!((hit.normal.y - truth[1]).abs() < 1e-6, "{hit:?} {truth:?}");
                    }
                }
            }
        }
        assert!(found_any > 200, "the queries met too few: {found_any}");
    }
}

/// The same world, but every collider that has a pixel, other than `but`, shows its box.
fn boxed(world: &World, but: Option<ColliderId>) -> World {
    let mut boxes = world.clone();
    for (id, collider) in world.iter().filter(|(id, _)| Some(*id) != but) {
        let Some(rect) = world.rect(id) else { continue };
        let mut mask = Mask::new(rect.width(), rect.height()).unwrap();
        mask.fill();
        let mask = boxes.insert_mask(mask, Pivot::HalfTexels(0, 0)).unwrap();
        let Collider { layers, collides_with, sensor, fixed, .. } = collider;
        let shown = Collider::from_mask(mask).at([rect.x0 as f32, rect.y0 as f32]);
        let shown = Collider { layers, collides_with, sensor, fixed, ..shown };
        boxes.set(id, shown).unwrap();
        assert_eq!(boxes.rect(id), Some(rect));
    }
    boxes
}

#[test]
fn a_filter_by_boxes_is_answered_as_by_a_world_of_boxes() {
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
                world.query_mask(&card, corner, asked),
                boxes.query_mask(&card, corner, exact)
            );
            assert_eq!(world.ray(&line, asked), boxes.ray(&line, exact));
            assert_eq!(world.ray_all(&line, asked), boxes.ray_all(&line, exact));
            let by = line.path.motion();
            assert_eq!(
                world.cast_mask(&card, corner, by, asked),
                boxes.cast_mask(&card, corner, by, exact)
            );
            assert_eq!(world.nearest(a, 90.0, asked), boxes.nearest(a, 90.0, exact));
            assert_eq!(
                world.find_free(&card, corner, 40, asked),
                boxes.find_free(&card, corner, 40, exact)
            );
            let height = |id: ColliderId| id.index() % 5;
            assert_eq!(world.pick(a, 25.0, asked, height), boxes.pick(a, 25.0, exact, height));
        }
    }
    assert!(differ > 20, "a box is not what it holds: {differ}");
    // Who asks is there with its pixels.
    for id in world.ids().step_by(9) {
        let others = boxed(&world, Some(id));
        let asked = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
        assert_eq!(world.graze(id, 9, asked), others.graze(id, 9, Filter::ALL));
        let nearest = |world: &World, filter| world.nearest_to(id, 80.0, filter).unwrap();
        assert_eq!(nearest(&world, asked), nearest(&others, Filter::ALL));
    }
}

#[test]
fn a_slanting_line_meets_a_dot_on_each_of_its_pixels_and_none_beside() {
    let bake = Bake::new().mask("dot", "#".parse::<Mask>().unwrap());
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let dot = Collider::new(atlas.sprite("dot").unwrap());
    for to in [[900, 350], [-350, 901], [601, -599], [-777, -112], [300, 300]] {
        let line = Line { from: Point::new(3, -5), path: Path::new(to) };
        let mut world = World::new(atlas.clone());
        for Point { x, y } in line.pixels() {
            for beside in [[0, 0], [2, -2], [-2, 2]] {
                let at = [x + beside[0], y + beside[1]].map(|v| v as f32);
                world.insert(dot.at(at)).unwrap();
            }
        }
        let on: Vec<Point> = line.pixels().collect();
        for _ in 0..2 {
            // Before an update all are looked at; after it the index is asked.
            let hits = world.ray_all(&line, Filter::ALL);
            let mut met: Vec<Point> = hits.iter().map(|(_, hit)| hit.point).collect();
            met.dedup();
            assert_eq!(met, on, "{to:?}");
            assert!(hits.iter().all(|(id, hit)| world.rect(*id).unwrap().contains(hit.point)));
            assert_eq!(world.ray(&line, Filter::ALL).unwrap().1.step, 0);
            world.update();
        }
    }
}

#[test]
fn a_ray_goes_as_far_as_asked_whatever_the_length_of_its_direction() {
    let line = Line::new([1.0, 2.0], [7.0, -6.0]).unwrap();
    for direction in [[3.0, -4.0], [0.375, -0.5], [0.6, -0.8]] {
        assert_eq!(Line::ray([1.0, 2.0], direction, 10.0), Ok(line), "{direction:?}");
    }
    assert_eq!(Zone::line(line).bounds(), Some(Rect::new(1, -6, 8, 3)));
}

#[test]
fn a_ray_without_an_end_takes_no_longer_for_it() {
    let mut world = crowd(3);
    world.update();
    let mut met = 0;
    for i in 0..400 {
        let from = [SIDE * (i % 20) as f32 / 20.0, SIDE * (i / 20) as f32 / 20.0];
        let (x, y) = (i as f32).sin_cos();
        let [short, endless] = [2000.0, 1e9].map(|l| Line::ray(from, [x, y], l).unwrap());
        // The same pixels within the crowd, but where a direction in f32 bends over so long a way.
        let hit = world.ray(&endless, Filter::ALL);
        met += usize::from(hit.is_some());
        let truth = world.ray_all(&endless, Filter::ALL).first().copied();
        assert_eq!(hit, truth);
        assert_eq!(world.ray(&short, Filter::ALL).is_some(), hit.is_some(), "{from:?} {x} {y}");
    }
    assert!(met > 200, "{met}");
}

#[test]
fn those_touched_are_those_that_an_update_finds() {
    let mut world = crowd(5);
    let mut now: BTreeSet<Pair> = BTreeSet::new();
    let ids: Vec<ColliderId> = world.ids().collect();
    for &id in &ids {
        assert!(world.touched_by(id).is_sorted());
        assert!(world.graze(id, 60, Filter::ALL).is_sorted_by_key(|(other, _)| *other));
        for other in world.touched_by(id) {
            now.insert(Pair { a: id.min(other), b: id.max(other) });
            assert!(world.touched_by(other).contains(&id), "both or neither");
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
    assert_eq!(world.between(&evens, &odds), truth);
    assert_eq!(world.between(&odds, &evens), truth);
    assert_eq!(world.between(&[], &odds), []);
    // In any order, and both ways round: each once.
    let backwards: Vec<ColliderId> = odds.iter().rev().copied().collect();
    assert_eq!(world.between(&evens, &backwards), truth);
    assert_eq!(world.between(&ids, &ids), now.iter().copied().collect::<Vec<_>>());
    // All about one of them.
    for pair in world.touching() {
        let touch = world.touch(pair).unwrap();
        assert_eq!(Some(touch.contact()), world.contact(pair));
        let pixels: Vec<Point> = touch.pixels().collect();
        assert_eq!(pixels.len() as u64, touch.contact().area);
        let [a, b] = [pair.a, pair.b].map(|id| world.posed(id).unwrap());
        assert!(pixels.iter().all(|&p| has(&a, p) && has(&b, p)));
        assert_eq!(touch.mask().count(), touch.contact().area);
        let first = |key: fn(&Point) -> [i32; 2]| *pixels.iter().min_by_key(|p| key(p)).unwrap();
        assert_eq!(touch.first(First::Top), first(|p| [p.y, p.x]));
        assert_eq!(touch.first(First::Bottom), first(|p| [-p.y, p.x]));
        assert_eq!(touch.first(First::Left), first(|p| [p.x, p.y]));
        assert_eq!(touch.first(First::Right), first(|p| [-p.x, p.y]));
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

#[test]
fn the_nearest_is_who_has_the_nearest_pixel() {
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
fn a_pick_takes_the_topmost_under_the_finger_and_else_the_nearest() {
    let atlas = atlas();
    let [frame, hull] = ["frame", "hull"].map(|name| atlas.sprite(name).unwrap());
    let mut world = World::new(atlas);
    let low = world.insert(Collider::new(hull).at([100.0, 100.0])).unwrap();
    let high = world.insert(Collider::new(hull).at([110.0, 100.0])).unwrap();
    let around = world.insert(Collider::new(frame).at([100.0, 100.0])).unwrap();
    let pick = |at: [f32; 2], radius: f32| {
        world.pick(at, radius, Filter::ALL, |id| if id == low { 2 } else { 1 }).unwrap()
    };
    assert_eq!(pick([105.0, 100.0], 0.0), Some(low), "the higher of two");
    assert_eq!(pick([130.0, 90.0], 0.0), Some(high), "the only one here");
    assert_eq!(pick([100.0, 40.0], 0.0), Some(around));
    // Between the hulls and the frame: who is nearer.
    assert_eq!(pick([100.0, 46.0], 0.0), None);
    assert_eq!(pick([100.0, 46.0], 10.0), Some(around));
    assert_eq!(pick([5000.0, 46.0], 10.0), None);
}

#[test]
fn of_equally_high_ones_the_pick_is_the_last() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite("hull").unwrap());
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
    assert_eq!(pick(under, 0.0, [7, 7, 2, 9, 9, 9]), Some(ids[1]), "of the two highest");
    assert_eq!(pick(under, 0.0, [7, 2, 7, 9, 9, 9]), Some(ids[2]));
    // Equally near, within the radius alone.
    assert_eq!(pick(beside, 0.0, [0; 6]), None);
    assert_eq!(pick(beside, 90.0, [0; 6]), Some(ids[5]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 4, 1]), Some(ids[4]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 1, 1]), Some(ids[3]));
}

#[test]
fn filters_hold_for_whatever_is_asked() {
    let mut found = [0; 4];
    for seed in 60..63 {
        let world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.ids().collect();
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
                let path = Path::new(by);
                let truth = path
                    .pixels()
                    .zip(0..)
                    .find_map(|(along, step)| meets(mine + along).map(|&(other, _)| (other, step)));
                let hit = world.cast_mask(own.mask, mine, by, filter);
                assert_eq!(hit.map(|(other, impact)| (other, impact.step)), truth, "{filter:?}");

                let ways = (-12..=12_i32).flat_map(|y| (-12..=12_i32).map(move |x| (y, x)));
                let truth = ways
                    .filter(|&(y, x)| {
                        x * x + y * y <= 144 && meets(pixels + Point::new(x, y)).is_none()
                    })
                    .min_by_key(|&(y, x)| (x * x + y * y, y, x));
                let free = world.find_free(own.mask, pixels, 12, filter);
                assert_eq!(free, truth.map(|(y, x)| Point::new(x, y)), "{filter:?}");

                let others = shown.iter().filter(|(other, _)| *other != id);
                let truth = others
                    .filter_map(|(other, _)| Some((world.distance(id, *other)?, *other)))
                    .filter(|(distance, _)| *distance <= 30.0)
                    .min_by(|a, b| a.partial_cmp(b).unwrap());
                let nearest = world.nearest_to(id, 30.0, filter).unwrap();
                assert_eq!(nearest.map(|(other, distance)| (distance, other)), truth, "{filter:?}");

                // Many are equally high.
                let height = |id: ColliderId| id.index() % 3;
                let finger: Mask = "#".parse().unwrap();
                let far = |met: &PosedRef<'_>| finger.distance(met.mask, met.origin - pixels);
                let circle = Zone::circle(at, 15.0).unwrap();
                let reached = |met: &PosedRef<'_>| met.mask.meets(&circle, met.origin);
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

#[test]
fn a_pick_is_what_looking_at_every_pixel_around_finds() {
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
                // All its pixels count for who is met, and the nearest of them for how far it is.
                places.iter().find(|&&p| has(&posed, p))?;
                let mut dot = Mask::new(1, 1).unwrap();
                dot.fill();
                let by = dot.as_ref().nearest(posed.mask, posed.origin - pixel).unwrap();
                Some((by.x * by.x + by.y * by.y, Reverse((height(id), id))))
            });
            let truth = truth.min();
            let found = world.pick(at, radius, filter, height).unwrap();
            assert_eq!(found, truth.map(|(_, Reverse((_, id)))| id), "{at:?} {radius}");
            beside += usize::from(truth.is_some_and(|(square, _)| square > 0));
        }
    }
    assert!(beside > 20, "{beside}");
}

#[test]
fn the_nearest_is_found_at_just_the_distance_asked_for_and_beside_the_first_look() {
    let atlas = Atlas::from_vec(Bake::new().mask("dot", "#".parse().unwrap()).to_bytes().unwrap());
    let atlas = atlas.unwrap();
    let dot = Collider::new(atlas.sprite("dot").unwrap());
    let mut world = World::new(atlas);
    let near = world.insert(dot.at([70.0, 0.0])).unwrap();
    // In the corner of the square that is looked at first, and farther than one beside it.
    let corner = world.insert(dot.at([-60.0, -60.0])).unwrap();
    assert_eq!(world.nearest([0.5, 0.5], 1000.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 70.0, Filter::ALL), Ok(Some((near, 70.0))));
    assert_eq!(world.nearest([0.5, 0.5], 69.75, Filter::ALL), Ok(None));
    assert_eq!(world.nearest_to(corner, 1000.0, Filter::ALL).unwrap().unwrap().0, near);
}

#[test]
fn at_another_resolution_places_and_distances_are_in_the_units_of_positions() {
    let mut block = Mask::new(4, 4).unwrap();
    block.fill();
    for factor in [0.5, 1.0, 2.0, 4.0] {
        let bake = Bake::new().resolution(factor).mask("block", block.clone());
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let block = Collider::new(atlas.sprite("block").unwrap());
        let mut world = World::new(atlas);
        let [one, two] = [[0.0, 0.0], [30.0, 0.0]].map(|at| world.insert(block.at(at)).unwrap());
        // From the last pixel of the one to the first of the other.
        let apart = 26.0 + 1.0 / f64::from(factor);
        assert_eq!(world.distance(one, two), Some(apart), "{factor}");
        let found = world.nearest_to(one, apart as f32, Filter::ALL);
        assert_eq!(found, Ok(Some((two, apart))), "{factor}");
        assert_eq!(world.nearest_to(one, apart as f32 - 0.125, Filter::ALL), Ok(None), "{factor}");
        let found = world.nearest([20.0, 0.0], 8.0, Filter::ALL);
        assert_eq!(found, Ok(Some((two, 8.0))), "{factor}");
        let pick = |radius: f32| world.pick([24.0, 0.0], radius, Filter::ALL, |id| id.index());
        assert_eq!([pick(4.0), pick(6.0)], [Ok(None), Ok(Some(two))], "{factor}");
        let hit = world.cast(one, [100.0, 0.0]).unwrap().unwrap();
        assert_eq!((hit.other, hit.position), (two, [26.0, 0.0]), "{factor}");
        let moved = world.move_and_slide(one, [100.0, 0.0]).unwrap();
        assert_eq!(moved.position, [26.0, 0.0], "{factor}");
    }
}

/// True where the mover, `by` from where it is, touches one who is in its way.
fn blocked(world: &World, id: ColliderId, by: Point) -> bool {
    let me = world.get(id).unwrap();
    let mine = world.posed(id).unwrap();
    shown(world, Filter { except: Some(id), ..Filter::SOLID }).iter().any(|(other, posed)| {
        let met = world.get(*other).unwrap();
        me.layers & met.collides_with != 0
            && met.layers & me.collides_with != 0
            && mine.mask.touches(posed.mask, posed.origin - mine.origin - by)
    })
}

#[test]
fn a_cast_meets_whom_stepping_meets_first() {
    for seed in 20..24 {
        let world = crowd(seed);
        let mut random = Random::new(seed);
        for id in world.ids() {
            let mut reach = || (random.unit() - 0.5) * 1200.0;
            for motion in [[reach(), reach()], [reach(), 0.0], [0.0, reach()], [0.0, 0.0]] {
                let [x, y] = world.get(id).unwrap().position;
                let snap = |v: f32| (f64::from(v) + 0.5).floor() as i32;
                let path =
                    Path::new([snap(x + motion[0]) - snap(x), snap(y + motion[1]) - snap(y)]);
                let truth = path.pixels().position(|by| blocked(&world, id, by));
                let hit = world.cast(id, motion).unwrap();
                assert_eq!(hit.map(|hit| hit.impact.step as usize), truth, "{motion:?}");
                if let Some(hit) = hit {
                    let free = path.at(hit.impact.step.saturating_sub(1));
                    assert_eq!(hit.position.map(snap), [snap(x) + free.x, snap(y) + free.y]);
                }
                let posed = world.posed(id).unwrap();
                if let Some(hit) = hit {
                    let met = world.posed(hit.other).unwrap();
                    let offset = met.origin - posed.origin;
                    let alone = posed.mask.cast(met.mask, offset, path.motion());
                    assert_eq!(alone, Some(hit.impact), "as if nobody else were there");
                }
                // A mask of one's own, at the same place.
                let filter = Filter { except: Some(id), ..filters()[random.below(4) as usize] };
                let met = world.cast_mask(posed.mask, posed.origin, path.motion(), filter);
                let truth = path.pixels().find_map(|by| {
                    let met = world.query_mask(posed.mask, posed.origin + by, filter);
                    met.first().copied()
                });
                assert_eq!(met.map(|(id, _)| id), truth, "by a mask {filter:?}");
            }
        }
    }
}

#[test]
fn a_hit_has_the_normal_of_the_face_that_it_is_on() {
    let solid = |w, h| {
        let mut mask = Mask::new(w, h).unwrap();
        mask.fill();
        mask
    };
    let slope = {
        let mut mask = Mask::new(40, 40).unwrap();
        (0..40).for_each(|x| (39 - x..40).for_each(|y| mask.set(x, y, true)));
        mask
    };
    let bake = Bake::new().mask("hero", solid(8, 8)).mask("wall", solid(40, 40));
    let atlas = Atlas::from_vec(bake.mask("slope", slope).to_bytes().unwrap()).unwrap();
    let [hero, wall, slope] = ["hero", "wall", "slope"].map(|name| atlas.sprite(name).unwrap());
    let mut world = World::new(atlas);
    let hero = world.insert(Collider::new(hero)).unwrap();
    let wall = world.insert(Collider::new(wall).at([1000.0, 0.0])).unwrap();
    let slope = world.insert(Collider::new(slope).at([0.0, 1000.0])).unwrap();
    for ([x, y], normal) in [
        ([1.0, 0.0], [-1.0, 0.0]),
        ([-1.0, 0.0], [1.0, 0.0]),
        ([0.0, 1.0], [0.0, -1.0]),
        ([0.0, -1.0], [0.0, 1.0]),
    ] {
        // From each side, and from two pixels deep in it.
        for (away, step) in [(50.0, 27), (22.0, 0)] {
            let at = [1000.0 - away * x, -away * y];
            world.set(hero, world.get(hero).unwrap().at(at)).unwrap();
            let hit = world.cast(hero, [100.0 * x, 100.0 * y]).unwrap().unwrap();
            assert_eq!((hit.other, hit.impact.step), (wall, step));
            assert_eq!(<[f32; 2]>::from(hit.impact.normal), normal, "{away} away");
        }
    }
    for (at, motion) in [([-30.0, 1000.0], [60.0, 0.0]), ([0.0, 970.0], [0.0, 60.0])] {
        world.set(hero, world.get(hero).unwrap().at(at)).unwrap();
        let hit = world.cast(hero, motion).unwrap().unwrap();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert_eq!((hit.other, <[f32; 2]>::from(hit.impact.normal)), (slope, [-half, -half]));
    }
}

#[test]
fn a_move_ends_free_and_flat_and_never_sticks() {
    let mut moved_far = 0;
    for seed in 30..33 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.ids().collect();
        for &id in &ids {
            for rules in [
                MoveRules::default(),
                MoveRules { climb: 0, slip: 0, one_way: 0 },
                MoveRules { climb: 2, slip: 1, one_way: 0 },
                MoveRules { climb: 0, slip: 1, one_way: 0b10 },
            ] {
                let free_before = !blocked(&world, id, Point::default());
                let motion = [(random.unit() - 0.5) * 60.0, (random.unit() - 0.5) * 60.0];
                let before = world.get(id).unwrap();
                let moved = world.move_by_rules(id, motion, rules).unwrap();
                let after = world.get(id).unwrap();
                assert_eq!(after.position, moved.position);
                assert_eq!(Collider { position: before.position, ..after }, before);
                if free_before && rules.one_way == 0 {
                    assert!(!blocked(&world, id, Point::default()), "free stays free");
                }
                let straight = [before.position[0] + motion[0], before.position[1] + motion[1]];
                if moved.met.is_empty() && free_before && rules.climb + rules.slip == 0 {
                    assert_eq!(moved.position, straight, "met nobody: all of it");
                }
                moved_far += usize::from(moved.by != Point::default());
                // What is at rest stays so to the bit.
                let rest = world.move_by_rules(id, [0.0, 0.0], rules).unwrap();
                if free_before && rules.one_way == 0 {
                    assert_eq!((rest.position, rest.met.len()), (moved.position, 0));
                }
            }
        }
    }
    assert!(moved_far > 500);
}

/// Where a move without climbing or giving way leads, one pixel after the other: on along one axis
/// for as long as the other is blocked.
fn step_by_step(world: &World, id: ColliderId, mut rest: Point) -> Point {
    let (none, mut by) = (Point::default(), Point::default());
    let free = |by: Point| !blocked(world, id, by);
    'way: while rest != none {
        let path = Path::new(rest);
        let Some(step) = (1..=path.steps()).find(|&step| !free(by + path.at(step))) else {
            return by + rest;
        };
        let before = path.at(step - 1);
        (by, rest) = (by + before, rest - before);
        let Point { x, y } = path.at(step) - before;
        let parts = [(Point::new(x, 0), Point::new(0, y)), (Point::new(0, y), Point::new(x, 0))];
        let slants = x != 0 && y != 0;
        if let Some((part, other)) = parts.into_iter().find(|p| slants && free(by + p.0)) {
            loop {
                (by, rest) = (by + part, rest - part);
                let left = part.x * rest.x + part.y * rest.y;
                if left == 0 || free(by + other) || !free(by + part) {
                    continue 'way;
                }
            }
        }
        if y != 0 { rest.y = 0 } else { rest.x = 0 }
    }
    by
}

#[test]
fn a_slide_ends_where_going_pixel_by_pixel_does() {
    let mut slid = 0;
    for seed in 50..54 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.ids().collect();
        for &id in &ids {
            if blocked(&world, id, Point::default()) {
                continue;
            }
            let before = world.get(id).unwrap();
            let motion = [random.within(-90, 91), random.within(-90, 91)].map(|v| v as f32);
            let snap = |v: f32| (f64::from(v) + 0.5).floor() as i32;
            let [x, y] = [0, 1].map(|axis| {
                let start = before.position[axis];
                snap(start + motion[axis]) - snap(start)
            });
            let truth = step_by_step(&world, id, Point::new(x, y));
            let rules = MoveRules { climb: 0, slip: 0, one_way: 0 };
            let moved = world.move_by_rules(id, motion, rules).unwrap();
            assert_eq!(moved.by, truth, "{motion:?} of {before:?}");
            slid += usize::from(moved.by != Point::new(x, y) && moved.by.x != 0 && moved.by.y != 0);
            world.set(id, before).unwrap();
        }
    }
    assert!(slid > 20, "{slid}");
}

#[test]
fn errors_of_queries_speak_in_the_units_of_positions() {
    let bake = Bake::new().resolution(2.0).mask("dot", "#".parse().unwrap());
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let dot = atlas.sprite("dot").unwrap();
    let mut world = World::new(atlas);
    let far = [1.5e9, 0.0];
    let place = ZoneError::Position(far);
    assert_eq!(world.query_point(far, Filter::ALL), Err(place.clone()));
    assert_eq!(world.nearest(far, 1.0, Filter::ALL), Err(place.clone()));
    assert_eq!(world.pick(far, 1.0, Filter::ALL, |_| 0), Err(place.clone()));
    assert_eq!(world.query_line(far, [0.0; 2], Filter::ALL), Err(place));
    let size = world.query_circle([0.0; 2], -1.0, Filter::ALL);
    assert_eq!(size, Err(ZoneError::Size(-1.0)));
    let size = world.query_ellipse([0.0; 2], [1.0, -3.0], Filter::ALL);
    assert_eq!(size, Err(ZoneError::Size(-3.0)));
    let refused = world.insert(Collider::new(dot).at([0.6e9, 0.0])).unwrap_err();
    assert!(refused.to_string().contains("times the resolution"), "{refused}");
}

#[test]
fn several_overlaps_are_left_at_once() {
    for seed in 40..42 {
        let world = crowd(seed);
        for id in world.ids() {
            let found = world.push_out(id, 24);
            let mut truth: Option<(i32, i32, i32)> = None;
            for y in -24..=24_i32 {
                for x in -24..=24_i32 {
                    let key = (x * x + y * y, y, x);
                    let better = key.0 <= 24 * 24 && truth.is_none_or(|best| key < best);
                    if better && !blocked(&world, id, Point::new(x, y)) {
                        truth = Some(key);
                    }
                }
            }
            assert_eq!(found, truth.map(|(_, y, x)| Point::new(x, y)), "{id:?}");
        }
        // The same by a mask of one's own, beside everybody and among them.
        let disc = Mask::disc(9).unwrap();
        let mut random = Random::new(seed);
        for _ in 0..30 {
            let at = Point::new(random.within(0, 700), random.within(0, 700));
            let around = (-12..=12_i32).flat_map(|y| (-12..=12_i32).map(move |x| (y, x)));
            let truth = around
                .map(|(y, x)| (x * x + y * y, y, x))
                .filter(|&(square, y, x)| {
                    let there = at + Point::new(x, y);
                    square <= 12 * 12 && world.query_mask(&disc, there, Filter::ALL).is_empty()
                })
                .min();
            let found = world.find_free(&disc, at, 12, Filter::ALL);
            assert_eq!(found, truth.map(|(_, y, x)| Point::new(x, y)), "{at:?}");
        }
        let free = world
            .find_free(&"###\n###\n###".parse::<Mask>().unwrap(), [350, 350], 400, Filter::ALL)
            .unwrap();
        let at = Point::new(350, 350) + free;
        assert_eq!(
            world.query_mask(&"###\n###\n###".parse::<Mask>().unwrap(), at, Filter::ALL),
            []
        );
    }
}

#[test]
fn bad_input_is_refused_or_has_a_defined_answer() {
    let mut world = crowd(1);
    let id = world.ids().next().unwrap();
    let gone = id;
    let collider = world.get(id).unwrap();
    for bad in [f32::NAN, f32::INFINITY, 3e9] {
        assert!(matches!(world.query_point([bad, 0.0], Filter::ALL), Err(ZoneError::Position(_))));
        assert!(matches!(
            world.query_line([bad, 0.0], [0.0; 2], Filter::ALL),
            Err(ZoneError::Position(_))
        ));
        assert!(matches!(world.cast(id, [bad, 0.0]), Err(PlaceError::Position(_))));
        assert!(matches!(world.move_and_slide(id, [0.0, bad]), Err(PlaceError::Position(_))));
        assert_eq!(world.get(id), Some(collider), "it is where it was");
    }
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(world.query_circle([0.0; 2], bad, Filter::ALL), Err(ZoneError::Size(_))));
        assert!(matches!(world.nearest([0.0; 2], bad, Filter::ALL), Err(ZoneError::Size(_))));
        assert!(matches!(world.pick([0.0; 2], bad, Filter::ALL, |_| 0), Err(ZoneError::Size(_))));
    }
    assert_eq!(world.query_rect(Rect::new(5, 5, 5, 9), Filter::ALL), []);
    world.remove(id);
    assert_eq!(world.touched_by(gone), []);
    assert_eq!(world.push_out(gone, 9), None);
    assert_eq!(world.graze(gone, 9, Filter::ALL), []);
    assert!(world.touch(&Pair { a: gone, b: gone }).is_none());
    assert_eq!(world.distance(gone, gone), None);
    assert_eq!(world.nearest_to(gone, 9.0, Filter::ALL), Ok(None));
    assert!(matches!(world.cast(gone, [1.0, 0.0]), Err(PlaceError::Stale(_))));
    assert!(matches!(world.move_until_contact(gone, [1.0, 0.0]), Err(PlaceError::Stale(_))));
    assert!(matches!(world.move_and_slide(gone, [1.0, 0.0]), Err(PlaceError::Stale(_))));
    // What has no pixel goes where it likes.
    let empty = world.atlas().sprite("empty").unwrap();
    let ghost = world.insert(Collider::new(empty).at([10.0, 10.0]).turned(Angle::Turn(0))).unwrap();
    assert_eq!(world.move_and_slide(ghost, [500.0, 1.5]).unwrap().position, [510.0, 11.5]);
    assert_eq!(world.push_out(ghost, 5), Some(Point::new(0, 0)));
    assert_eq!(world.graze(ghost, 1000, Filter::ALL), []);
    assert_eq!(world.nearest_to(ghost, 9.0, Filter::ALL), Ok(None));
    // The far ends of the world.
    let far = world.insert(collider.at([1e9, -1e9])).unwrap();
    assert!(world.cast(far, [-2e9, 2e9]).is_ok());
    let all = world.query_rect(Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX), Filter::ALL);
    let with_pixels = world.ids().filter(|&id| world.rect(id).is_some());
    assert_eq!(all, with_pixels.collect::<Vec<_>>());
}
