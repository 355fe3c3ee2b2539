//! Benchmarks of drawing a mask at every angle of a full turn: with the rasterizer of the bake, and
//! per pixel.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hitmask::reference::Drawing;
use hitmask::{Mask, Pivot, Pose, PoseSet, Posed, Raster, Sampling};
use hitmask_scenes::named;
use std::time::Duration;

const ANGLES: u32 = 64;

fn fast(mask: &Mask, poses: &PoseSet, sampling: Sampling) -> Vec<Posed> {
    let raster = Raster::new(mask, Pivot::Center, sampling).unwrap();
    raster.poses(poses).unwrap()
}

fn naive(mask: &Mask, poses: &PoseSet, sampling: Sampling) -> Vec<Posed> {
    let drawing =
        |step| Drawing::new(mask, Pivot::Center, sampling, poses, Pose { step, scale: 0 });
    (0..ANGLES).map(|step| drawing(step).unwrap().posed()).collect()
}

fn full_turns(c: &mut Criterion) {
    let poses = PoseSet::new(ANGLES, [1.0]).unwrap();
    for (title, sampling) in
        [("raster/nearest", Sampling::Nearest), ("raster/coverage", Sampling::Coverage25)]
    {
        let mut group = c.benchmark_group(title);
        group.throughput(Throughput::Elements(ANGLES.into())).sample_size(10);
        for name in ["fighter", "hull", "frame", "whale"] {
            let picture = named(name);
            let mask = picture.mask();
            assert_eq!(fast(&mask, &poses, sampling), naive(&mask, &poses, sampling));
            let id = |way| BenchmarkId::new(way, format!("{name}, {} px", picture.width));
            group.bench_function(id("fast"), |b| b.iter(|| fast(&mask, &poses, sampling)));
            group.bench_function(id("naive"), |b| b.iter(|| naive(&mask, &poses, sampling)));
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = full_turns
}
criterion_main!(benches);
