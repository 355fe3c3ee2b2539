//! Benchmarks of opening an atlas (in place, copied, from a file, verified) and of pose lookups.
//!
//! The naive counterparts pose every sprite at start-up, and draw each pose on demand. Run with
//! `cargo bench --bench open`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitmask::reference::Drawing;
use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Pivot, Pose, Posed, Sampling};
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
    assert_eq!(atlas.as_bytes().as_ptr(), bytes.as_ptr());
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

/// Returns a bake of 1,000 distinct sprites of about 60 px at 64 angles: 5 shapes, each with one
/// pixel removed.
fn bake_1000_sprites() -> AtlasBuilder {
    let kinds = ["crescent", "fighter", "hull", "ring", "star"].map(|name| named(name).mask());
    let sprite = |i: usize| -> Mask {
        let mut mask = kinds[i % kinds.len()].clone();
        let solid = (0..mask.height()).flat_map(|y| (0..mask.width()).map(move |x| (x, y)));
        let solid = solid.filter(|&(x, y)| mask.get(x as i32, y as i32));
        let (x, y) = solid.cycle().nth(7 * i).unwrap();
        mask.set(x as i32, y as i32, false);
        mask
    };
    (0..1000).fold(AtlasBuilder::new(), |bake, i| bake.mask(format!("sprite {i}"), sprite(i)))
}

/// Opens a compact atlas, draws its poses on every core, and opens the same atlas with stored poses.
fn compact_atlas(c: &mut Criterion) {
    let whole = bake_1000_sprites().to_bytes().unwrap();
    let compact = bake_1000_sprites().compact(true).to_bytes().unwrap();
    assert_eq!(Atlas::from_bytes(&compact).unwrap().drawn().unwrap().as_bytes(), whole);
    let mut group = c.benchmark_group("open/1000 sprites of 64 angles");
    group.sample_size(10);
    group.bench_function("compact", |b| b.iter(|| Atlas::from_bytes(black_box(&compact)).unwrap()));
    let undrawn = Atlas::from_bytes(&compact).unwrap();
    group.bench_function("drawn", |b| b.iter(|| undrawn.drawn().unwrap()));
    group.bench_function("whole", |b| b.iter(|| Atlas::from_bytes(black_box(&whole)).unwrap()));
    group.finish();
}

/// Looks up poses at random angles. The throughput gives the time per pose.
fn pose_lookup(c: &mut Criterion) {
    let stage = Stage::forty();
    let mut random = Random::new(7);
    let queries: Vec<(usize, f32)> = (0..10_000)
        .map(|_| (random.below(40) as usize, random.unit() * std::f32::consts::TAU))
        .collect();
    let sprites: Vec<_> = stage.atlas.sprites().collect();
    let lookup = |&(i, angle): &(usize, f32)| {
        let sprite = sprites[i];
        sprite.nearest(angle, 1.0).and_then(|pose| sprite.posed(0, pose, Flip::NONE)).unwrap()
    };
    let draw = |&(i, angle): &(usize, f32)| {
        let pose = stage.poses.nearest(angle, 1.0).unwrap();
        let (source, poses) = (&stage.sources[i], &stage.poses);
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, pose).unwrap().posed()
    };
    let checked = &queries[..100];
    for of in checked {
        assert_eq!(lookup(of), draw(of).as_ref());
    }

    let mut group = c.benchmark_group("pose");
    let mut time = |name: &str, queries: &[(usize, f32)], pose: &dyn Fn(&(usize, f32))| {
        group.throughput(Throughput::Elements(queries.len() as u64));
        group.bench_function(name, |b| b.iter(|| queries.iter().for_each(pose)));
    };
    time("looked up", &queries, &|of| _ = black_box(lookup(of)));
    time("naive: drawn", checked, &|of| _ = black_box(draw(of)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = opening, compact_atlas, pose_lookup
}
criterion_main!(benches);
