//! Benchmarks of drawing a mask at every angle of a full turn: with the rasterizer of the bake, and
//! per pixel at every 8th angle. The throughput gives the time per pose.

mod sides;

use criterion::{Criterion, criterion_group, criterion_main};
use hitmask::Sampling;
use hitmask_scenes::{full_turn, named};
use std::time::Duration;

fn full_turns(c: &mut Criterion) {
    for (title, sampling) in
        [("raster/nearest", Sampling::Nearest), ("raster/coverage", Sampling::Coverage25)]
    {
        let mut group = c.benchmark_group(title);
        group.sample_size(10);
        for name in ["fighter", "hull", "frame", "whale"] {
            let title = format!("{name}, {} px", named(name).width);
            sides::loops(&mut group, &title, full_turn(name, sampling).unwrap());
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = full_turns
}
criterion_main!(benches);
