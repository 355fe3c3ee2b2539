//! Benchmarks of a world of 100,000 colliders: poses drawn on demand, changes of atlases, rules, and queries by zones
//! and lines.
//!
//! The counterpart of queries is an rstar tree over the same boxes. `hitmask bench world` times placing and updates of
//! any number of colliders, of which a share moves, at each accuracy.

mod sides;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, Collider, ColliderId, Filter, InUse, Line, MinOverlap,
    Pair, Placement, Rect, SpriteId, World, Zone,
};
use hitmask_scenes::{Crowd, Random, Stage, named};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{RTree, RTreeObject};
use std::time::{Duration, Instant};

/// Side in pixels of the square per collider: boxes of 1.2 other colliders overlap on average.
const SPACING: f32 = 80.0;
/// The same density for sprites of 30 px to 64 px: 1.2 pairs of boxes per collider.
const CLOSE: f32 = 56.4;

/// All colliders, tested by their boxes: the broad phase alone.
const BOXES: Filter = Filter { accuracy: Accuracy::Box, ..Filter::ALL };

/// Returns the time of `steps` updates, placing included. The new positions are computed outside of
/// the timed part.
fn timed(steps: u64, crowd: &mut Crowd, mut update: impl FnMut(&mut Crowd)) -> Duration {
    let step = |_| {
        crowd.think();
        let begin = Instant::now();
        crowd.place().unwrap();
        update(crowd);
        begin.elapsed()
    };
    (0..steps).map(step).sum()
}

/// Returns an atlas of 500 different hulls of 64 px at 64 angles.
fn hulls(name: &str, compact: bool) -> Atlas {
    let sprites = (0..500_u32).map(|i| {
        let mut hull = named("hull").mask();
        hull.set((i % 30) as i32, (i / 30) as i32 + 20, i % 2 == 0);
        (format!("{name} {i}"), hull)
    });
    let bake = AtlasBuilder::new().compact(compact);
    let bake = sprites.fold(bake, |bake, (name, mask)| bake.mask(name, mask));
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

/// Poses drawn on demand: the first showing of a 64-px pose, and frames of 100,000 colliders of which
/// a share shows another pose. The counterpart has all poses in its atlas.
fn on_demand(c: &mut Criterion) {
    let forms = [false, true].map(|compact| hulls("hull", compact));
    let mut group = c.benchmark_group("world/on demand");
    group.sample_size(10);
    let turned = |i: u64| {
        let (sprite, step) = (SpriteId::new((i / 64) as u32), (i % 64) as u16);
        Collider::new(sprite).turned(Angle::turn(step << 10))
    };
    for (name, atlas) in ["stored", "drawn first"].into_iter().zip(&forms) {
        group.bench_function(name, |b| {
            b.iter_custom(|poses| {
                let mut all = Duration::ZERO;
                for first in (0..poses).step_by(32_000) {
                    let mut world = World::new(atlas.clone());
                    let id = world.insert(turned(0)).unwrap();
                    let count = (poses - first).min(32_000);
                    let begin = Instant::now();
                    (0..count).for_each(|i| world.set(id, turned(i)).unwrap());
                    all += begin.elapsed();
                    let draws = if atlas.is_drawn() { 0 } else { count.max(1) };
                    assert_eq!(world.pose_stats().draws, draws);
                }
                all
            });
        });
    }
    // The same poses in one call, and again when all are drawn: time per pose.
    let shown: Vec<Collider> = (0..32_000).map(turned).collect();
    let drawn = {
        let mut world = World::new(forms[1].clone());
        world.atlases_mut().draw_ahead(&shown, |_| true).unwrap();
        world
    };
    for (name, before) in [("ahead", &World::new(forms[1].clone())), ("ahead again", &drawn)] {
        group.throughput(Throughput::Elements(shown.len() as u64));
        group.bench_function(name, |b| {
            let draw = |mut world: World| {
                assert_eq!(world.atlases_mut().draw_ahead(&shown, |_| true), Ok(32_000))
            };
            b.iter_batched(|| before.clone(), draw, BatchSize::PerIteration);
        });
    }
    /// Frames of a run. In these, up to 10% of the colliders show a pose that was not drawn.
    const FRAMES: u32 = 8;
    let count = 100_000_usize;
    let side = (count as f32).sqrt() * SPACING;
    for (share, share_name) in [(0.0, "0%"), (0.1, "10%")] {
        let mut worlds = forms.each_ref().map(|atlas| World::new(atlas.clone()));
        let mut random = Random::new(9);
        let mut places = Vec::new();
        for i in 0..count {
            let position = [random.unit() * side, random.unit() * side];
            places.push(Placement { position, angle: Angle::turn(0) });
            let collider = Collider::new(SpriteId::new((i % 500) as u32)).at(position);
            worlds.iter_mut().for_each(|world| _ = world.insert(collider).unwrap());
        }
        let ids: Vec<ColliderId> = worlds[0].iter().map(|(id, _)| id).collect();
        let frame = |world: &mut World, places: &mut [Placement], random: &mut Random| {
            for place in &mut *places {
                let [x, y] = place.position;
                place.position = [x + random.unit() - 0.5, y + random.unit() - 0.5];
                if random.unit() < share {
                    place.angle = Angle::turn(random.bits() as u16);
                }
            }
            let begin = Instant::now();
            world.set_placements(&ids, places).unwrap();
            world.update();
            begin.elapsed()
        };
        // The first frames, because most poses are drawn in them. `is_ahead`: their poses are drawn before.
        let run = |world: &World, count: u32, is_ahead: bool| {
            let (mut world, mut places, mut random) =
                (world.clone(), places.clone(), Random::new(10));
            world.set_placements(&ids, &places).unwrap();
            world.update();
            if is_ahead {
                let (mut copy, mut places, mut random) =
                    (world.clone(), places.clone(), random.clone());
                for _ in 0..count {
                    frame(&mut copy, &mut places, &mut random);
                    let shown: Vec<Collider> = copy.iter().map(|(_, collider)| collider).collect();
                    assert_eq!(world.atlases_mut().draw_ahead(&shown, |_| true), Ok(shown.len()));
                }
                assert_eq!(world.pose_stats().poses, copy.pose_stats().poses);
                // The same caches as between frames.
                world.set_placements(&ids, &places).unwrap();
                world.update();
            }
            let all = (0..count).map(|_| frame(&mut world, &mut places, &mut random));
            let frames: Vec<Duration> = all.collect();
            (frames, world.state_hash())
        };
        let [stored, on_demand] = &worlds;
        let states = [(stored, false), (on_demand, false), (on_demand, true)];
        for (name, (world, is_ahead)) in ["stored", "on demand", "drawn ahead"].iter().zip(states) {
            for first in [1, 2] {
                let id = BenchmarkId::new(format!("{name}, frame {first}"), share_name);
                group.bench_function(id, |b| {
                    let one = |_| run(world, 2, is_ahead).0[first - 1];
                    b.iter_custom(|times| (0..times).map(one).sum());
                });
            }
            let id = BenchmarkId::new(format!("{name}, {FRAMES} frames"), share_name);
            group.bench_function(id, |b| {
                let mean = |_| run(world, FRAMES, is_ahead).0.iter().sum::<Duration>() / FRAMES;
                b.iter_custom(|times| (0..times).map(mean).sum());
            });
        }
        let [stored, drawn, ahead] = states.map(|(world, is_ahead)| run(world, FRAMES, is_ahead).1);
        assert_eq!((stored, stored), (drawn, ahead));
    }
    group.finish();
}

/// Updates of 1,000,000 moving colliders of which some are replaced by others at each tick, as shots and monsters are.
/// The pairs of the freed slots are compared by the ids of their colliders, all others by their slots.
fn replaced(c: &mut Criterion) {
    let all = Crowd::new(&Stage::new(30..=80), 1_000_000, SPACING).unwrap();
    let mut group = c.benchmark_group("world/replaced");
    group.sample_size(10);
    for count in [0, 1, 1_000] {
        let mut crowd = all.clone();
        let side = crowd.side;
        let mut random = Random::new(8);
        let mut shot =
            || Collider::new(SpriteId::new(0)).at([random.unit() * side, random.unit() * side]);
        let mut shots: Vec<ColliderId> =
            (0..count).map(|_| crowd.world.insert(shot()).unwrap()).collect();
        let mut update = |crowd: &mut Crowd| {
            for id in &mut shots {
                crowd.world.remove(*id).unwrap();
                *id = crowd.world.insert(shot()).unwrap();
            }
            crowd.world.update();
        };
        for _ in 0..2 {
            update(&mut crowd);
        }
        let mut fresh = World::new(crowd.world.atlas().clone());
        for (_, collider) in crowd.world.iter() {
            fresh.insert(collider).unwrap();
        }
        fresh.update();
        assert_eq!(crowd.world.touching().len(), fresh.touching().len());
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter_custom(|steps| timed(steps, &mut crowd, &mut update));
        });
    }
    group.finish();
}

/// Inserts of many colliders in one call, which checks all before the first one, and one by one.
fn inserts(c: &mut Criterion) {
    let atlas = hulls("hull", false);
    let mut group = c.benchmark_group("world/insert");
    group.sample_size(10);
    for count in [1_000_u32, 100_000] {
        let mut random = Random::new(4);
        let colliders: Vec<Collider> = (0..count)
            .map(|i| {
                let at = [random.unit() * 25_000.0, random.unit() * 25_000.0];
                Collider::new(SpriteId::new(i % 500)).at(at).turned(random.unit())
            })
            .collect();
        let one_by_one = |mut world: World| -> (World, Vec<ColliderId>) {
            let ids = colliders.iter().map(|collider| world.insert(*collider).unwrap()).collect();
            (world, ids)
        };
        let all = |mut world: World| {
            let ids = world.insert_all(&colliders).unwrap();
            (world, ids)
        };
        let empty = World::new(atlas.clone());
        assert_eq!(all(empty.clone()).1, one_by_one(empty.clone()).1);
        group.throughput(Throughput::Elements(count.into()));
        group.bench_function(BenchmarkId::new("all", count), |b| {
            b.iter_batched(|| empty.clone(), all, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("one by one", count), |b| {
            b.iter_batched(|| empty.clone(), one_by_one, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// Changes of atlases in a world of 100,000 colliders that shows 32,000 poses of an undrawn atlas.
/// The counterpart of adding is dropping, which places every collider again.
fn atlases(c: &mut Criterion) {
    let [main, level] = ["hull", "level"].map(|name| hulls(name, true));
    let mut world = World::new(main);
    let mut random = Random::new(9);
    for i in 0..100_000 {
        let sprite = SpriteId::new(i % 500);
        let position = [random.unit() * 25_000.0, random.unit() * 25_000.0];
        let collider = Collider::new(sprite).at(position).turned(Angle::turn(random.bits() as u16));
        world.insert(collider).unwrap();
    }
    world.update();
    let (touching, id) = (world.touching().to_vec(), level.id());
    let mut group = c.benchmark_group("world/atlases");
    group.sample_size(10);
    for (name, is_adding) in [("add", true), ("drop", false)] {
        group.bench_function(name, |b| {
            b.iter_custom(|times| {
                let mut all = Duration::ZERO;
                for _ in 0..times {
                    let level = level.clone();
                    let begin = Instant::now();
                    world.atlases_mut().add(level).unwrap();
                    world.update();
                    all += if is_adding { begin.elapsed() } else { Duration::ZERO };
                    let begin = Instant::now();
                    world.atlases_mut().drop(id, InUse::Refuse).unwrap();
                    world.update();
                    all += if is_adding { Duration::ZERO } else { begin.elapsed() };
                    assert_eq!(world.touching(), touching);
                }
                all
            });
        });
    }
    group.finish();
}

/// Whole frames of 100,000 colliders of which half have rules, next to the same frames without
/// rules.
fn rules(c: &mut Criterion) {
    let stage = Stage::forty_up_to(64);
    let mut plain = Crowd::new(&stage, 100_000, CLOSE).unwrap();
    plain.place().unwrap();
    plain.world.update();
    let with_rules = |rule: &dyn Fn(Collider) -> Collider| {
        let mut crowd = Crowd::new(&stage, 100_000, CLOSE).unwrap();
        for id in plain.world.iter().map(|(id, _)| id) {
            // A pseudo-random half.
            if id.index().wrapping_mul(0x9e37_79b1) >> 31 == 0 {
                crowd.world.set(id, rule(plain.world.get(id).unwrap())).unwrap();
            }
        }
        crowd.place().unwrap();
        crowd.world.update();
        crowd
    };
    let layered = with_rules(&|c| Collider { layers: 2, collides_with: !2, ..c });
    let counted = with_rules(&|c| c.with_min_overlap(20));
    let check_pairs = |keep: &dyn Fn(&Pair, &Collider, &Collider) -> bool, world: &World| {
        let of = |id| world.get(id).unwrap();
        let kept = plain.world.touching().iter().filter(|p| keep(p, &of(p.a), &of(p.b))).count();
        assert!(kept < plain.world.touching().len());
        assert_eq!(kept, world.touching().len());
    };
    check_pairs(&|_, a, b| a.layers != 2 || b.layers != 2, &layered.world);
    let area = |pair: &Pair| plain.world.contact(pair).unwrap().area;
    check_pairs(
        &|pair, a, b| {
            let least = |c: &Collider| match c.min_overlap {
                MinOverlap::Pixels(pixels) => pixels,
                MinOverlap::Size { .. } => 0,
            };
            area(pair) >= least(a).max(least(b)).into()
        },
        &counted.world,
    );
    let mut group = c.benchmark_group("world/rules");
    group.sample_size(10);
    for (name, mut crowd) in [("none", plain), ("layers", layered), ("overlap", counted)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                crowd.step().unwrap();
                crowd.world.update();
            });
        });
    }
}

/// Returns the pixels of a box as a closed rstar rectangle.
fn envelope(rect: Rect) -> Rectangle<[i64; 2]> {
    let Rect { x0, y0, x1, y1 } = rect;
    Rectangle::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
}

/// Points and rectangles among 100,000 colliders, exact to the pixel. The counterparts are an rstar
/// tree of the same boxes with the same pixel test, and the box query alone.
fn zones(c: &mut Criterion) {
    let stage = Stage::forty_up_to(64);
    let mut crowd = Crowd::new(&stage, 100_000, CLOSE).unwrap();
    crowd.place().unwrap();
    crowd.world.update();
    let (world, side) = (&crowd.world, crowd.side);
    let boxes = world
        .iter()
        .map(|(id, _)| id)
        .filter_map(|id| Some(GeomWithData::new(envelope(world.rect(id)?), id)));
    let rstar = RTree::bulk_load(boxes.collect());
    let mut group = c.benchmark_group("world/zones");
    for (name, width) in [("point", 1), ("64 px", 64)] {
        let mut random = Random::new(5);
        let rects: Vec<Rect> = (0..10_000)
            .map(|_| {
                let [x, y] = [0; 2].map(|_| (random.unit() * side) as i32);
                Rect::new(x, y, x + width, y + width)
            })
            .collect();
        let with_rstar = |rect: Rect, found: &mut Vec<ColliderId>| {
            let zone = Zone::rect(rect);
            let shows = |id: ColliderId| {
                world.posed(id).is_some_and(|posed| posed.mask.touches_zone(&zone, posed.origin))
            };
            found.clear();
            let candidates = rstar.locate_in_envelope_intersecting(envelope(rect).envelope());
            let candidates = candidates.map(|leaf| leaf.data);
            found.extend(candidates.filter(|&id| shows(id)));
            found.len()
        };
        let mut found = Vec::new();
        let mut hits = 0;
        for &rect in &rects {
            with_rstar(rect, &mut found);
            found.sort_unstable();
            assert_eq!(world.query(&Zone::rect(rect), Filter::ALL).unwrap(), found);
            hits += found.len();
        }
        assert!(hits > 0);
        let all = |rect: &Rect| world.query(&Zone::rect(*rect), Filter::ALL).unwrap();
        sides::time(&mut group, ["hitmask", name], &rects, all);
        let boxes = |rect: &Rect| world.query(&Zone::rect(*rect), BOXES).unwrap();
        sides::time(&mut group, ["boxes alone", name], &rects, boxes);
        sides::time(&mut group, ["rstar", name], &rects, |&rect| with_rstar(rect, &mut found));
    }
}

/// Lines and rays among 100,000 colliders. The naive counterpart tests every collider in the box of
/// the line.
fn lines(c: &mut Criterion) {
    let stage = Stage::forty_up_to(64);
    let mut crowd = Crowd::new(&stage, 100_000, CLOSE).unwrap();
    crowd.place().unwrap();
    crowd.world.update();
    let (world, side) = (&crowd.world, crowd.side);
    let mut group = c.benchmark_group("world/lines");
    for length in [400_u16, 4000] {
        let length = f32::from(length);
        let mut random = Random::new(3);
        let lines: Vec<Line> = (0..200)
            .map(|_| {
                let from = [0; 2].map(|_| length + random.unit() * (side - 2.0 * length));
                let (x, y) = (random.unit() * std::f32::consts::TAU).sin_cos();
                Line::ray(from, [x, y], length).unwrap()
            })
            .collect();
        let naive = |line: &Line, candidates: &mut Vec<ColliderId>| {
            *candidates = world.query(&Zone::rect(line.bounds()), BOXES).unwrap();
            candidates.retain(|&id| {
                let posed = world.posed(id).unwrap();
                posed.mask.first_line_hit(line, posed.origin).is_some()
            });
            candidates.len()
        };
        let all = |line: &Line| world.query(&Zone::line(*line), Filter::ALL).unwrap();
        let mut candidates = Vec::new();
        for line in &lines {
            let hits = world.ray_all(line, Filter::ALL).unwrap();
            naive(line, &mut candidates);
            assert_eq!(all(line), candidates);
            assert_eq!(
                world.ray(line, Filter::ALL).unwrap().map(|(id, _)| id),
                hits.first().map(|hit| hit.0)
            );
            assert_eq!(hits.len(), candidates.len());
        }
        let name = &*format!("{length}");
        let first = |line: &Line| world.ray(line, Filter::ALL).unwrap();
        sides::time(&mut group, ["first met", name], &lines, first);
        sides::time(&mut group, ["all met", name], &lines, all);
        sides::time(&mut group, ["naive", name], &lines, |line| naive(line, &mut candidates));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(300));
    targets = replaced, on_demand, inserts, atlases, rules, zones, lines
}
criterion_main!(benches);
