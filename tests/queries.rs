//! What a world is asked: every query against each collider's pixels, one by one, and motions
//! against steps of one pixel.

use hitmask::{
    Angle, Atlas, Bake, Collider, ColliderId, Filter, Line, Mask, MoveRules, Pair, Path, Pivot,
    PlaceError, Point, PosedRef, Rect, Side, World, Zone, ZoneError,
};
use hitmask_sprites::{Random, all, scene};
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
fn those_touched_are_those_that_an_update_finds() {
    let mut world = crowd(5);
    let mut now: BTreeSet<Pair> = BTreeSet::new();
    let ids: Vec<ColliderId> = world.ids().collect();
    for &id in &ids {
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
    // All about one of them.
    for pair in world.touching() {
        let touch = world.touch(pair).unwrap();
        assert_eq!(Some(touch.contact()), world.contact(pair));
        let pixels: Vec<Point> = touch.pixels().collect();
        assert_eq!(pixels.len() as u64, touch.contact().area);
        let [a, b] = [pair.a, pair.b].map(|id| world.posed(id).unwrap());
        assert!(pixels.iter().all(|&p| has(&a, p) && has(&b, p)));
        assert_eq!(touch.mask().count(), touch.contact().area);
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
                // A mask of one's own, at the same place.
                let posed = world.posed(id).unwrap();
                let filter = Filter { except: Some(id), ..Filter::ALL };
                let met = world.cast_mask(posed.mask, posed.origin, path.motion(), filter);
                let truth = path.pixels().find_map(|by| {
                    let met = world.query_mask(posed.mask, posed.origin + by, filter);
                    met.first().copied()
                });
                assert_eq!(met.map(|(id, _)| id), truth, "by a mask");
            }
        }
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

/// A box of the given size in a world of its own sprites, solid.
fn room(parts: &[(u32, u32, [f32; 2], u32)]) -> (World, Vec<ColliderId>) {
    let atlas = Atlas::from_vec(Bake::new().mask("dot", solid(1, 1)).to_bytes().unwrap()).unwrap();
    let mut world = World::new(atlas);
    let mut ids = Vec::new();
    for &(w, h, at, layers) in parts {
        let mask = world.insert_mask(solid(w, h), Pivot::HalfTexels(0, 0)).unwrap();
        let collider = Collider::from_mask(mask).at(at).on_layers(layers, u32::MAX);
        ids.push(world.insert(collider).unwrap());
    }
    world.update();
    (world, ids)
}

fn solid(w: u32, h: u32) -> Mask {
    let mut mask = Mask::new(w, h).unwrap();
    mask.fill();
    mask
}

#[test]
fn a_box_stops_flat_at_walls_slides_along_them_and_keeps_its_fraction() {
    let (mut world, ids) = room(&[
        (10, 10, [0.25, 0.25], 1),
        (20, 200, [50.0, -50.0], 1),
        (200, 20, [-100.0, 40.0], 1),
    ]);
    let moved = world.move_and_slide(ids[0], [1000.0, 5.5]).unwrap();
    assert_eq!(moved.position, [40.0, 5.75]);
    assert_eq!(moved.met, [(ids[1], Side::Right)]);
    // Into the corner: both, and the rest is nothing.
    let moved = world.move_and_slide(ids[0], [30.0, 300.0]).unwrap();
    assert_eq!(moved.position, [40.0, 30.0]);
    assert!(moved.touched(Side::Right) && moved.touched(Side::Below));
    for _ in 0..10 {
        let again = world.move_and_slide(ids[0], [3.0, 9.8]).unwrap();
        assert_eq!(again.position, moved.position, "no creeping");
    }
    // Away from it at once: it does not stick.
    let away = world.move_and_slide(ids[0], [-7.5, -2.25]).unwrap();
    assert_eq!((away.position, away.met.len()), ([32.5, 27.75], 0));
    // Slow motions add up.
    let (mut world, ids) = room(&[(4, 4, [0.0, 0.0], 1), (1, 99, [9.0, 0.0], 1)]);
    for _ in 0..40 {
        world.move_and_slide(ids[0], [0.25, 0.25]).unwrap();
    }
    // At 5.5 it would be at the pixel 6, and in the wall.
    assert_eq!(world.get(ids[0]).unwrap().position, [5.25, 10.0]);
}

#[test]
fn a_slide_goes_on_slanting_as_soon_as_the_floor_ends() {
    let (mut world, ids) =
        room(&[(10, 10, [0.0, 30.0], 1), (100, 8, [0.0, 40.0], 1), (8, 400, [300.0, -200.0], 1)]);
    let moved = world.move_and_slide(ids[0], [200.0, 20.0]).unwrap();
    assert_eq!((moved.position, moved.met.len()), ([200.0, 50.0], 0), "past its edge, and down");
    // Along a wall that ends: what was left of the way to the right is gone on then.
    world.set(ids[0], world.get(ids[0]).unwrap().at([290.0, 0.0])).unwrap();
    let moved = world.move_and_slide(ids[0], [30.0, 260.0]).unwrap();
    assert_eq!((moved.position, moved.met.len()), ([320.0, 260.0], 0));
}

#[test]
fn masks_at_the_ends_of_the_range_and_without_pixels_have_an_answer() {
    let (mut world, ids) = room(&[(8, 8, [0.0, 0.0], 1)]);
    let (dot, none) = (solid(3, 3), Mask::new(0, 5).unwrap());
    let ends = [i32::MIN, i32::MAX];
    for at in ends.into_iter().flat_map(|x| ends.map(|y| Point::new(x, y))) {
        assert_eq!(world.query_mask(&dot, at, Filter::ALL), []);
        let free = world.find_free(&dot, at, u32::MAX, Filter::ALL);
        assert_eq!(free, Some(Point::default()));
        assert_eq!(world.cast_mask(&dot, at, [i32::MAX, 0], Filter::ALL), None);
        assert_eq!(world.cast_mask(&dot, at, [0, i32::MIN], Filter::ALL), None);
    }
    // From far out to the middle.
    let far = 2_000_000_000;
    let (id, impact) = world.cast_mask(&dot, [-far, 0], [i32::MAX, 0], Filter::ALL).unwrap();
    assert_eq!((id, impact.met), (ids[0], Point::new(far - 2, 0)));
    assert_eq!(world.query_mask(&none, [1, 1], Filter::ALL), []);
    assert_eq!(world.cast_mask(&none, [-9, 0], [99, 0], Filter::ALL), None);
    assert_eq!(world.find_free(&none, [1, 1], 9, Filter::ALL), Some(Point::default()));
    assert_eq!(world.cast_mask(&dot, [0, 0], [0, 0], Filter::ALL).unwrap().1.step, 0);
    // Rules without end: it climbs out of the box at once, and goes on.
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 40.0])).unwrap();
    let mover = world.insert_mask(solid(4, 4), Pivot::HalfTexels(0, 0)).unwrap();
    let mover = world.insert(Collider::from_mask(mover).at([-20.0, 40.0])).unwrap();
    let rules = MoveRules { climb: u32::MAX, slip: u32::MAX, one_way: 0 };
    let over = world.move_by_rules(mover, [40.0, 0.0], rules).unwrap();
    assert_eq!((over.by, over.met.len()), (Point::new(40, -4), 0));
}

#[test]
fn one_way_platforms_hold_what_comes_from_above_alone() {
    let platform = 0b10;
    let (mut world, ids) = room(&[(8, 8, [10.0, 60.0], 1), (60, 4, [0.0, 40.0], platform)]);
    let rules = MoveRules { one_way: platform, ..MoveRules::default() };
    let up = world.move_by_rules(ids[0], [0.0, -25.0], rules).unwrap();
    assert_eq!((up.position, up.met.len()), ([10.0, 35.0], 0), "through it from below");
    let aside = world.move_by_rules(ids[0], [20.0, 0.0], rules).unwrap();
    assert_eq!(aside.position, [30.0, 35.0], "sideways within it");
    let down = world.move_by_rules(ids[0], [0.0, 2.0], rules).unwrap();
    assert_eq!(down.position, [30.0, 37.0], "out of it downwards");
    world.move_by_rules(ids[0], [0.0, -30.0], rules).unwrap();
    let land = world.move_by_rules(ids[0], [3.0, 500.0], rules).unwrap();
    assert_eq!(land.position[1], 32.0, "onto it from above, however fast");
    assert!(land.touched(Side::Below));
    // Past its edge, sideways and down, it comes from the side.
    let (mut world, ids) = room(&[(8, 8, [-20.0, 36.0], 1), (60, 4, [0.0, 40.0], platform)]);
    let past = world.move_by_rules(ids[0], [30.0, 3.0], rules).unwrap();
    assert_eq!(past.position, [10.0, 39.0]);
}

#[test]
fn slopes_are_climbed_by_walkers_and_slipped_along_by_gliders() {
    let mut ground = Mask::new(200, 120).unwrap();
    for x in 0..200_u32 {
        (100 - x.min(100)..120).for_each(|y| ground.set(x, y, true));
    }
    let (mut world, ids) = room(&[(10, 10, [0.0, 0.0], 1)]);
    let ground = world.insert_mask(ground, Pivot::HalfTexels(0, 0)).unwrap();
    world.insert(Collider::from_mask(ground).fixed()).unwrap();
    // Placed above the foot of the slope, falls on it, stands.
    world.set(ids[0], world.get(ids[0]).unwrap().at([-5.0, 0.0])).unwrap();
    let land = world.move_and_slide(ids[0], [0.0, 500.0]).unwrap();
    assert!(land.touched(Side::Below));
    let stay = world.move_and_slide(ids[0], [0.0, 10.0]).unwrap();
    assert_eq!(stay.position, land.position, "it stands");
    let climb = world.move_and_slide(ids[0], [30.0, 2.0]).unwrap();
    assert_eq!(climb.by, Point::new(30, -30), "and walks up");
    let none = MoveRules { climb: 0, ..MoveRules::default() };
    let wall = world.move_by_rules(ids[0], [30.0, 0.0], none).unwrap();
    assert_eq!((wall.by, wall.touched(Side::Right)), (Point::new(0, 0), true));
    let slip = MoveRules { climb: 0, slip: 1, one_way: 0 };
    let down = world.move_by_rules(ids[0], [0.0, 20.0], slip).unwrap();
    assert_eq!(down.by, Point::new(-20, 20), "seen from above, it glides along");
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
        // The same by a mask: room for a dot.
        let free = world.find_free(&solid(3, 3), [350, 350], 400, Filter::ALL).unwrap();
        let at = Point::new(350, 350) + free;
        assert_eq!(world.query_mask(&solid(3, 3), at, Filter::ALL), []);
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
    assert_eq!(world.nearest_to(ghost, 9.0, Filter::ALL), Ok(None));
    // The far ends of the world.
    let far = world.insert(collider.at([1e9, -1e9])).unwrap();
    assert!(world.cast(far, [-2e9, 2e9]).is_ok());
    let all = world.query_rect(Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX), Filter::ALL);
    let with_pixels = world.ids().filter(|&id| world.rect(id).is_some());
    assert_eq!(all, with_pixels.collect::<Vec<_>>());
}
