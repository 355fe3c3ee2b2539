//! One update of a world: every pair that touches, all colliders having moved. Beside it the naive
//! raster approach, which finds the same pairs of boxes and draws each of them.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hitmask::naive::Canvas;
use hitmask::{Accuracy, World};
use hitmask_sprites::{Crowd, Stage};
use std::time::Duration;

/// Pixels of a square that each collider has to itself: 1.2 others are near it on average.
const SPACING: f32 = 80.0;

/// The number of touching pairs among those that `boxes` finds, by drawing each.
fn naive(stage: &Stage, world: &World, boxes: &mut World, canvas: &mut Canvas) -> usize {
    boxes.update();
    boxes.touching().iter().filter(|pair| stage.naive_touches(canvas, world, pair)).count()
}

fn updates(c: &mut Criterion) {
    let stage = Stage::new(30..=80);
    let mut group = c.benchmark_group("world/update");
    group.sample_size(10);
    for count in [1_000, 10_000, 100_000] {
        let mut world = Crowd::new(&stage, count, SPACING).unwrap().world;
        let mut boxes = world.clone();
        boxes.set_accuracy(Accuracy::Box);
        let mut canvas = Canvas::default();
        world.update();
        assert_eq!(naive(&stage, &world, &mut boxes, &mut canvas), world.touching().len());
        group.bench_function(BenchmarkId::new("hitmask", count), |b| b.iter(|| world.update()));
        // The naive side of the largest scene takes half a second an update, and scales as the rest.
        if count <= 10_000 {
            group.bench_function(BenchmarkId::new("naive", count), |b| {
                b.iter(|| naive(&stage, &world, &mut boxes, &mut canvas))
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(300));
    targets = updates
}
criterion_main!(benches);
