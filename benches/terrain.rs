//! Benchmarks of one large mask: terrain of 1,024 px and 4,096 px, against movers of 65 px, rays,
//! zones and edits.
//!
//! The cost follows the pixels near the question, so both sizes take about as long. Each answer is
//! compared with that of a plain search, which is timed too.
//!
//! ```sh
//! cargo bench --bench terrain              # everything; the record is motion.md
//! cargo bench --bench terrain -- nearest   # one question
//! ```

mod sides;

use criterion::{Criterion, criterion_group, criterion_main};
use hitmask::{
    Atlas, AtlasBuilder, Collider, Filter, Graze, Line, Mask, Pivot, Point, Rect, World, Zone,
    reference,
};
use hitmask_scenes::{Random, Terrain};
use std::fmt::Debug;
use std::time::Duration;

const SIDES: [u32; 2] = [1024, 4096];

/// A terrain, a mover, and positions of the mover.
struct Scene {
    name: String,
    ground: Mask,
    mover: Mask,
    /// Positions at which the mover is free and at most 200 px from the ground.
    free: Vec<Point>,
    /// Positions at which the mover overlaps the ground.
    hit: Vec<Point>,
}

impl Scene {
    fn new(kind: Terrain, side: u32) -> Self {
        let ground = kind.mask(side);
        let mover = Mask::disc(32).unwrap();
        let mut random = Random::new(5);
        let end = (side - mover.width()) as i32;
        let all = (0..4000).map(|_| Point::new(random.within(0, end), random.within(0, end)));
        let touches = |p: &Point| mover.touches(&ground, [-p.x, -p.y]);
        let (hit, free): (Vec<Point>, Vec<Point>) = all.partition(touches);
        let is_near = |p: &&Point| mover.distance(&ground, [-p.x, -p.y]).unwrap() <= 200.0;
        let free: Vec<Point> = free.iter().filter(is_near).take(100).copied().collect();
        let hit: Vec<Point> = hit.into_iter().take(100).collect();
        assert_eq!((free.len(), hit.len()), (100, 100));
        Self { name: format!("{kind:?}/{side}"), ground, mover, free, hit }
    }

    fn all() -> impl Iterator<Item = Self> {
        let kinds = [Terrain::Hills, Terrain::Islands].into_iter();
        kinds.flat_map(|kind| SIDES.map(|side| Self::new(kind, side)))
    }

    /// Times a question and its plain counterpart on the same inputs, after a comparison of the
    /// answers to the first `compared` of them.
    fn bench<I, A: PartialEq + Debug>(
        &self,
        c: &mut Criterion,
        (question, compared): (&str, usize),
        inputs: &[I],
        hitmask: impl Fn(&I) -> A,
        naive: impl Fn(&I) -> A,
    ) {
        let mut group = c.benchmark_group(format!("terrain/{question}"));
        sides::compare(&mut group, (&self.name, compared), inputs, hitmask, naive);
    }
}

/// The nearest contact of a mover, within 200 px. The naive side tests translations ring by ring.
fn nearest(c: &mut Criterion) {
    for scene in Scene::all() {
        let (mover, ground) = (scene.mover.as_ref(), scene.ground.as_ref());
        scene.bench(
            c,
            ("nearest", 5),
            &scene.free,
            |p| mover.nearest(ground, [-p.x, -p.y]).unwrap(),
            |p| reference::nearest(mover, ground, Point::new(-p.x, -p.y)),
        );
    }
}

/// Pushes along a slanted direction. The naive side tests pixel after pixel.
fn push_along(c: &mut Criterion) {
    for scene in Scene::all() {
        let (mover, ground) = (scene.mover.as_ref(), scene.ground.as_ref());
        scene.bench(
            c,
            ("push_along", 20),
            &scene.hit,
            |p| mover.push_along(ground, [-p.x, -p.y], [3, -2]).unwrap(),
            |p| {
                let path = hitmask::PixelPath::new([30_000, -20_000]);
                let is_free = |by: &Point| !mover.touches(ground, [-p.x - by.x, -p.y - by.y]);
                path.pixels().find(is_free).unwrap()
            },
        );
    }
}

/// Rays of 1,000 px, and circles of 300 px radius. The naive sides test every pixel of a ray, and
/// the pixels of a circle row by row.
fn rays_and_zones(c: &mut Criterion) {
    for scene in Scene::all() {
        let ground = scene.ground.as_ref();
        let mut random = Random::new(5);
        let rays: Vec<Line> = (scene.free.iter())
            .map(|p| {
                let (x, y) = (random.unit() * std::f32::consts::TAU).sin_cos();
                Line::ray([p.x as f32, p.y as f32], [x, y], 1000.0).unwrap()
            })
            .collect();
        scene.bench(
            c,
            ("ray_1000px", 100),
            &rays,
            |ray| ground.first_line_hit(ray, [0, 0]).map(|hit| hit.point),
            |ray| ground.line_hits(ray, [0, 0]).next(),
        );
        let circle = |p: &Point| Zone::circle([p.x as f32, p.y as f32], 40.0).unwrap();
        let circles: Vec<Zone> = scene.free.iter().map(circle).collect();
        scene.bench(
            c,
            ("circle_40px", 100),
            &circles,
            |circle| ground.touches_zone(circle, [0, 0]),
            |circle| {
                let bounds = circle.bounds().unwrap();
                let is_set = |y: i32| {
                    circle.row(y).is_some_and(|[x0, x1]| (x0..x1).any(|x| ground.get(x, y)))
                };
                (bounds.y0..bounds.y1).any(is_set)
            },
        );
    }
}

/// Grazes within 100 px. The naive side measures the nearest contact.
fn graze(c: &mut Criterion) {
    for scene in Scene::all() {
        let (mover, ground) = (scene.mover.as_ref(), scene.ground.as_ref());
        scene.bench(
            c,
            ("graze_100px", 100),
            &scene.free,
            |p| mover.graze(ground, [-p.x, -p.y], 100) == Graze::Graze,
            |p| mover.distance(ground, [-p.x, -p.y]).unwrap() <= 100.0,
        );
    }
}

/// The mean of the shared pixels. The naive side draws them into a mask of the ground's size.
fn centroid(c: &mut Criterion) {
    for scene in Scene::all() {
        let (mover, ground) = (scene.mover.as_ref(), scene.ground.as_ref());
        scene.bench(
            c,
            ("centroid", 20),
            &scene.hit,
            |p| ground.overlap(mover, *p).unwrap().centroid(),
            |p| ground.overlap_mask(mover, *p).centroid().unwrap(),
        );
    }
}

/// A hole of 65 px in the ground of a world, and the pixel nearest to a point. The naive sides look
/// at every pixel.
fn world(c: &mut Criterion) {
    for scene in Scene::all() {
        let atlas = AtlasBuilder::new().mask("mover", scene.mover.clone()).to_bytes().unwrap();
        let mut world = World::new(Atlas::from_vec(atlas).unwrap());
        let mask = world.masks_mut().insert(scene.ground.clone(), Pivot::HalfTexels(0, 0)).unwrap();
        let id = world.insert(Collider::from_mask(mask).fixed()).unwrap();
        world.update();
        let rects = scene.ground.rects();
        let away = |v: i32, low: i32, high: i32| f64::from((low - v).max(v - high + 1).max(0));
        scene.bench(
            c,
            ("point_distance", 20),
            &scene.free,
            |p| {
                let at = [p.x as f32 + 0.5, p.y as f32 + 0.5];
                world.nearest(at, 1e6, Filter::ALL).unwrap().unwrap().1
            },
            |p| {
                let square = |r: &Rect| {
                    let (x, y) = (away(p.x, r.x0, r.x1), away(p.y, r.y0, r.y1));
                    x * x + y * y
                };
                rects.iter().map(square).fold(f64::INFINITY, f64::min).sqrt()
            },
        );
        let edited = std::cell::RefCell::new(world);
        scene.bench(
            c,
            ("edit", 20),
            &scene.hit,
            |p| {
                let mut world = edited.borrow_mut();
                world.masks_mut().edit(mask, |ground| ground.erase(&scene.mover, *p));
                world.masks_mut().edit(mask, |ground| ground.draw(&scene.mover, *p));
                world.rect(id).unwrap()
            },
            |_| {
                let world = edited.borrow();
                let ground = world.mask(mask).unwrap();
                let union = |a: Rect, b: Rect| {
                    Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
                };
                ground.rects().into_iter().reduce(union).unwrap()
            },
        );
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(100));
    targets = nearest, push_along, rays_and_zones, graze, centroid, world
}
criterion_main!(benches);
