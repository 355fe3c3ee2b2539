//! Opening an atlas: in place, copied, from a file, and with every byte verified. Beside it what a
//! game without one does when it starts, which is to pose every sprite.

use criterion::{Criterion, criterion_group, criterion_main};
use hitmask::naive::Drawing;
use hitmask::{Atlas, Pivot, Pose, Posed, Sampling};
use hitmask_sprites::{Stage, included};
use std::hint::black_box;
use std::time::Duration;

fn naive(stage: &Stage) -> Vec<Posed> {
    let steps = (0..stage.poses.angles()).map(|step| Pose { step, scale: 0 });
    let all = stage.sources.iter().flat_map(|source| steps.clone().map(move |pose| (source, pose)));
    all.map(|(source, pose)| {
        Drawing::new(source, Pivot::Center, Sampling::Nearest, &stage.poses, pose)
    })
    .map(|drawing| drawing.unwrap().posed())
    .collect()
}

fn opening(c: &mut Criterion) {
    let stage = Stage::new(..);
    let bytes = included(stage.atlas.as_bytes());
    let path = std::env::temp_dir().join(format!("hitmask-open-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();

    let atlas = Atlas::from_static(bytes).unwrap();
    assert!(atlas.is_in_place());
    let posed = naive(&stage);
    let steps = (0..stage.poses.angles()).map(|step| Pose { step, scale: 0 });
    let stored = atlas.sprites().flat_map(|sprite| {
        steps.clone().map(move |pose| sprite.posed(0, pose, false, false).unwrap())
    });
    assert!(stored.eq(posed.iter().map(Posed::as_ref)));

    let mut group = c.benchmark_group("open");
    group.sample_size(10);
    group.bench_function("in place", |b| b.iter(|| Atlas::from_static(black_box(bytes)).unwrap()));
    group.bench_function("copied", |b| b.iter(|| Atlas::from_bytes(black_box(bytes)).unwrap()));
    group.bench_function("from a file", |b| b.iter(|| Atlas::open(&path).unwrap()));
    group.bench_function("verified", |b| b.iter(|| atlas.verify().unwrap()));
    group.bench_function("naive: posing all", |b| b.iter(|| naive(&stage)));
    group.finish();
    let _ = std::fs::remove_file(path);
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = opening
}
criterion_main!(benches);
