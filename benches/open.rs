//! Opening an atlas: in place, copied, from a file, and with every byte verified. Beside it what a
//! game without one does when it starts, which is to pose every sprite. And looking poses up, beside
//! drawing them when they are needed.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitmask::reference::Drawing;
use hitmask::{Atlas, Bake, Flip, Mask, Pivot, Pose, Posed, Sampling};
use hitmask_scenes::{Random, Stage, included, named};
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
        steps.clone().map(move |pose| sprite.posed(0, pose, Flip::NONE).unwrap())
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

/// A thousand sprites of about 60 pixels, each with a hole of its own, at 64 angles.
fn thousand() -> Bake {
    let kinds = ["crescent", "fighter", "hull", "ring", "star"].map(|name| named(name).mask());
    let sprite = |i: usize| -> Mask {
        let mut mask = kinds[i % kinds.len()].clone();
        let solid = (0..mask.height()).flat_map(|y| (0..mask.width()).map(move |x| (x, y)));
        let solid = solid.filter(|&(x, y)| mask.get(x as i32, y as i32));
        let (x, y) = solid.cycle().nth(7 * i).unwrap();
        mask.set(x as i32, y as i32, false);
        mask
    };
    (0..1000).fold(Bake::new(), |bake, i| bake.mask(format!("sprite {i}"), sprite(i)))
}

/// A compact atlas, whose poses are drawn when it opens, on every core, beside the whole one.
fn expanding(c: &mut Criterion) {
    let whole = thousand().to_bytes().unwrap();
    let compact = thousand().compact(true).to_bytes().unwrap();
    assert_eq!(Atlas::from_bytes(&compact).unwrap().as_bytes(), whole);
    let mut group = c.benchmark_group("open/1000 sprites of 64 angles");
    group.sample_size(10);
    group.bench_function("compact", |b| b.iter(|| Atlas::from_bytes(black_box(&compact)).unwrap()));
    group.bench_function("whole", |b| b.iter(|| Atlas::from_bytes(black_box(&whole)).unwrap()));
    group.finish();
}

/// Poses at random angles, by what a game asks for: divide by their number, or read the throughput.
fn looking_up(c: &mut Criterion) {
    let stage = Stage::forty();
    let mut random = Random::new(7);
    let wanted: Vec<(usize, f32)> = (0..10_000)
        .map(|_| (random.below(40) as usize, random.unit() * std::f32::consts::TAU))
        .collect();
    let sprites: Vec<_> = stage.atlas.sprites().collect();
    let looked_up = |&(i, angle): &(usize, f32)| {
        let sprite = sprites[i];
        sprite.nearest(angle, 1.0).and_then(|pose| sprite.posed(0, pose, Flip::NONE)).unwrap()
    };
    let drawn = |&(i, angle): &(usize, f32)| {
        let pose = stage.poses.nearest(angle, 1.0).unwrap();
        let (source, poses) = (&stage.sources[i], &stage.poses);
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, pose).unwrap().posed()
    };
    let some = &wanted[..100];
    for of in some {
        assert_eq!(looked_up(of), drawn(of).as_ref());
    }

    let mut group = c.benchmark_group("pose");
    let mut time = |name: &str, wanted: &[(usize, f32)], pose: &dyn Fn(&(usize, f32))| {
        group.throughput(Throughput::Elements(wanted.len() as u64));
        group.bench_function(name, |b| b.iter(|| wanted.iter().for_each(pose)));
    };
    time("looked up", &wanted, &|of| _ = black_box(looked_up(of)));
    time("naive: drawn", some, &|of| _ = black_box(drawn(of)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = opening, expanding, looking_up
}
criterion_main!(benches);
