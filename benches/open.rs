//! Benchmarks of opening compact atlases and of pose lookups. The naive counterpart draws each pose on demand.
//! `hitmask bench open` has the ways to open an atlas.

mod sides;

use criterion::{Criterion, criterion_group, criterion_main};
use hitmask::reference::Drawing;
use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Pivot, Sampling};
use hitmask_bench::Loop;
use hitmask_scenes::{Random, Stage, named};
use std::hint::black_box;
use std::time::Duration;

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
    let stage = Stage::forty_up_to(64);
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
    let looked_up = || queries.iter().for_each(|of| _ = black_box(lookup(of)));
    let drawn = || checked.iter().for_each(|of| _ = black_box(draw(of)));
    let loops = [
        Loop::new("looked up", queries.len(), looked_up),
        Loop::new("naive: drawn", checked.len(), drawn),
    ];
    sides::loops(&mut c.benchmark_group("pose"), "", loops);
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    targets = compact_atlas, pose_lookup
}
criterion_main!(benches);
