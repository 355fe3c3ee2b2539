//! Benchmarks of casts, push-outs, free positions and character moves.
//!
//! Each has a naive counterpart in the same run, with the same answers: testing one position after
//! another. `hitmask bench walk` times ticks of walkers, and `hitmask bench calls` each call of a world after many
//! colliders moved.
//!
//! ```sh
//! cargo bench --bench motion               # everything; the record is motion.md
//! cargo bench --bench motion -- push_out   # one question
//! ```

mod sides;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hitmask::{
    Collider, ColliderId, Filter, Mask, MaskRef, PixelPath, Point, Side, SpriteId, World, reference,
};
use hitmask_bench::{Mix, PairScene};
use hitmask_scenes::{Crowd, Random, Stage};
use std::hint::black_box;
use std::time::Duration;

/// The push-out of two overlapping sprites of 64 px. One list has all random overlaps, the other
/// those at most 8 px deep, which are typical of a game that tests every tick.
fn push_out(c: &mut Criterion) {
    let scene = PairScene::new((64, 64), Mix::Hit, 2_000);
    let all: Vec<(MaskRef<'_>, MaskRef<'_>, Point)> = scene.masks().collect();
    let length = |p: Point| p.x * p.x + p.y * p.y;
    let depth =
        |&(a, b, at): &(MaskRef<'_>, MaskRef<'_>, Point)| length(a.push_out(b, at).unwrap());
    let shallow: Vec<_> = all.iter().filter(|pair| depth(pair) <= 64).copied().collect();
    assert!(shallow.len() > 200, "{} shallow pairs", shallow.len());
    let mut group = c.benchmark_group("motion/push_out_64px");
    for (name, pairs) in [("any_depth", &all), ("to_8px", &shallow)] {
        sides::compare(
            &mut group,
            (name, 100),
            pairs,
            |&(a, b, at)| a.push_out(b, at),
            |&(a, b, at)| reference::push_out(a, b, at),
        );
    }
}

/// One mask cast past another from 1,000 px away, near enough for their boxes to overlap.
fn cast_at_mask(c: &mut Criterion) {
    let scene = PairScene::new((64, 64), Mix::Natural, 500);
    let mut random = Random::new(4);
    let casts: Vec<_> = scene
        .masks()
        .map(|(a, b, at)| {
            let (x, y) = (random.within(-999, 1000), random.within(-999, 1000));
            let motion = if random.below(3) == 0 { Point::new(1000, 0) } else { Point::new(x, y) };
            (a, b, at + motion, Point::new(motion.x + motion.x / 20, motion.y + motion.y / 20))
        })
        .collect();
    sides::compare(
        &mut c.benchmark_group("motion/cast_64px_at_one_mask"),
        ("1000px", casts.len()),
        &casts,
        |&(a, b, at, motion)| a.cast(b, at, motion).map(|impact| impact.step),
        |&(a, b, at, motion)| reference::cast(a, b, at, motion),
    );
}

/// Moves a bullet one pixel at a time, and queries the colliders of the world at each position.
fn step_through(
    world: &World,
    bullet: &Mask,
    from: Point,
    motion: Point,
) -> Option<(usize, ColliderId)> {
    PixelPath::new(motion).pixels().enumerate().find_map(|(step, by)| {
        let hits = world.probe(bullet, from + by).touching(Filter::ALL);
        hits.first().map(|&id| (step, id))
    })
}

/// A bullet of 16 px over 1,000 px in random directions, through 10,000 colliders of 30 px to 80
/// px. A sparse crowd lets it fly far, a packed one stops it soon.
fn cast_through_world(c: &mut Criterion) {
    let stage = Stage::new(30..=80);
    let (bullet, _) = Mask::from_zone(&hitmask::Zone::circle([8.0, 8.0], 8.0).unwrap()).unwrap();
    assert_eq!((bullet.width(), bullet.height()), (16, 16));
    let mut group = c.benchmark_group("motion/cast_16px_1000px_10000_colliders");
    for (name, spacing) in [("sparse", 400.0), ("packed", 80.0)] {
        let crowd = Crowd::new(&stage, 10_000, spacing).unwrap();
        let mut world = crowd.world;
        world.update();
        let mut random = Random::new(9);
        let side = crowd.side as i32;
        let casts: Vec<(Point, Point)> = (0..400)
            .map(|_| {
                let angle = random.unit() * std::f32::consts::TAU;
                let motion = [angle.cos() * 1000.0, angle.sin() * 1000.0].map(|v| v as i32);
                (Point::new(random.within(0, side), random.within(0, side)), motion.into())
            })
            .collect();
        sides::compare(
            &mut group,
            (name, casts.len()),
            &casts,
            |&(from, motion)| {
                let hit = world.probe(&bullet, from).cast(motion, Filter::ALL);
                hit.map(|(id, impact)| (impact.step as usize, id))
            },
            |&(from, motion)| step_through(&world, &bullet, from, motion),
        );
    }
}

/// The nearest free position of a sprite of 16 px within 120 px: on a block covered with sprites,
/// and in a crowd. The naive counterpart runs one query per translation, the shortest first.
fn nearest_free_offset(c: &mut Criterion) {
    let stage = Stage::new(30..=40);
    let crowd = Crowd::new(&stage, 10_000, 36.0).unwrap();
    let (mut world, side) = (crowd.world, crowd.side);
    let mut block = Mask::new(900, 900).unwrap();
    block.fill();
    let block = world.masks_mut().insert(block, hitmask::Pivot::HalfTexels(0, 0)).unwrap();
    world.insert(Collider::from_mask(block).at([0.0, 0.0]).fixed()).unwrap();
    world.update();
    let card = Mask::disc(8).unwrap();
    let mut offsets: Vec<Point> = (-120..=120)
        .flat_map(|y| (-120..=120).map(move |x| Point::new(x, y)))
        .filter(|by| by.x * by.x + by.y * by.y <= 120 * 120)
        .collect();
    offsets.sort_by_key(|by| (by.x * by.x + by.y * by.y, by.y, by.x));
    let mut group = c.benchmark_group("motion/nearest_free_offset_16px_within_120");
    group.sample_size(10);
    for (name, low, high) in [("on a block", 150.0, 700.0), ("in a crowd", 1050.0, side - 200.0)] {
        let mut random = Random::new(4);
        let positions: Vec<Point> = (0..40)
            .map(|_| {
                let [x, y] = [0; 2].map(|_| (low + random.unit() * (high - low)) as i32);
                Point::new(x, y)
            })
            .collect();
        sides::compare(
            &mut group,
            (name, 10),
            &positions,
            |&at| world.probe(&card, at).push_out(120, Filter::ALL),
            |&at| {
                let is_free =
                    |by: &&Point| world.probe(&card, at + **by).touching(Filter::ALL).is_empty();
                offsets.iter().find(is_free).copied()
            },
        );
    }
}

/// Moves by single pixels, each axis on its own, until both axes are blocked.
fn step_and_slide(world: &mut World, id: ColliderId, motion: Point) -> [f32; 2] {
    let posed = world.posed(id).unwrap();
    let filter = Filter { except: Some(id), ..Filter::SOLID };
    let mut by = Point::default();
    let path = PixelPath::new(motion);
    let (mut blocked_x, mut blocked_y) = (false, false);
    for step in 1..=path.steps() {
        let step_motion = path.at(step) - path.at(step - 1);
        for (part, blocked) in [
            (Point::new(step_motion.x, 0), &mut blocked_x),
            (Point::new(0, step_motion.y), &mut blocked_y),
        ] {
            if part != Point::default() && !*blocked {
                let next_offset = by + part;
                *blocked = !world
                    .probe(posed.mask, posed.origin + next_offset)
                    .touching(filter)
                    .is_empty();
                by = if *blocked { by } else { next_offset };
            }
        }
    }
    let collider = world.get(id).unwrap();
    let [x, y] = collider.position;
    let position = [x + by.x as f32, y + by.y as f32];
    world.set(id, collider.at(position)).unwrap();
    position
}

/// A sprite of 64 px that falls and runs against a wall, among 10,000 colliders.
fn move_and_slide(c: &mut Criterion) {
    let stage = Stage::new(30..=80);
    let crowd = Crowd::new(&stage, 10_000, 80.0).unwrap();
    let mut world = crowd.world;
    let wall = {
        let mut wall = Mask::new(2000, 2000).unwrap();
        wall.fill_rect(hitmask::Rect::new(0, 1900, 2000, 2000), true);
        wall.fill_rect(hitmask::Rect::new(1900, 0, 2000, 2000), true);
        wall
    };
    let wall = world.masks_mut().insert(wall, hitmask::Pivot::HalfTexels(0, 0)).unwrap();
    world.insert(Collider::from_mask(wall).at([-2500.0, -2500.0]).fixed()).unwrap();
    // The sprite ids of a stage follow the order of its pictures.
    let hull = stage.pictures.iter().position(|picture| picture.name == "hull").unwrap();
    let hull = SpriteId::new(hull as u32);
    let mut group = c.benchmark_group("motion/move_and_slide");
    for (name, at, motion) in [
        ("8px_free", [-1500.0, -1500.0], [8.0, 6.0]),
        ("8px_at_wall_and_floor", [-632.0, -631.0], [8.0, 6.0]),
        ("400px_to_wall_and_floor", [-900.0, -900.0], [400.0, 380.0]),
        ("1700px_to_wall_and_floor", [-2300.0, -2300.0], [1700.0, 1690.0]),
        ("1700px_along_floor", [-2400.0, -626.0], [1700.0, 8.0]),
    ] {
        let start = Collider::new(hull).at(at);
        let id = world.insert(start).unwrap();
        world.update();
        let moved = world.move_and_slide(id, motion).unwrap();
        let to = Point::new(motion[0] as i32, motion[1] as i32);
        world.set(id, start).unwrap();
        assert_eq!(moved.position, step_and_slide(&mut world, id, to), "{name}");
        assert_eq!(moved.blocked_on(Side::Below), name != "8px_free");
        group.bench_function(BenchmarkId::new("hitmask", name), |bench| {
            bench.iter(|| {
                world.set(id, start).unwrap();
                black_box(world.move_and_slide(id, motion).unwrap().position)
            });
        });
        group.bench_function(BenchmarkId::new("naive", name), |bench| {
            bench.iter(|| {
                world.set(id, start).unwrap();
                black_box(step_and_slide(&mut world, id, to))
            });
        });
        world.remove(id);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(200));
    targets = push_out, nearest_free_offset, cast_at_mask, cast_through_world, move_and_slide
}
criterion_main!(benches);
