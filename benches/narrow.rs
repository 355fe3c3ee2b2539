//! Benchmarks of batches: with flipped masks, and by the number of pairs. `hitmask bench narrow` has every
//! query, size and instruction set beside single pairs, a scalar loop and the raster approaches.
//!
//! Pairs are distinct, their boxes overlap, and offsets are uniform within that: about 70% touch. A time is
//! that of the whole list; the throughput gives the time per pair. Answers are compared before.

mod sides;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hitmask::Simd;
use hitmask_bench::{Loop, Mix, PAIR_QUERIES, PairBench, PairScene};
use std::hint::black_box;
use std::time::Duration;

/// Pairs of a list: more than a branch predictor remembers.
const PAIRS: usize = 24_000;

/// Pairs of which every other mask is flipped vertically.
fn flipped(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/flipped");
    for size in [(16, 16), (64, 64), (128, 128), (512, 512)] {
        let scene = PairScene::new(size, Mix::Natural, PAIRS);
        let (pairs, expected) = scene.flipped();
        let batch = |simd: Simd| {
            let mut batch = scene.atlas().batch().with_simd(simd);
            let mut answers = vec![false; PAIRS];
            batch.touches(&pairs, &mut answers);
            assert_eq!(answers, expected, "{}", simd.name());
            let pairs = &pairs;
            let run = move || batch.touches(pairs, black_box(&mut answers));
            Loop::new(simd.name(), PAIRS, run)
        };
        sides::loops(&mut group, &scene.name, Simd::available().into_iter().map(batch));
    }
}

/// The same pairs in small batches and as single pairs, to find the size from which a batch pays.
fn few(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/batches");
    group.throughput(Throughput::Elements(PAIRS as u64));
    for size in [(64, 64), (128, 128)] {
        let scene = PairScene::new(size, Mix::Natural, PAIRS);
        let expected: Vec<bool> = scene.masks().map(|(a, b, at)| a.touches(b, at)).collect();
        let bench = PairBench::new(&scene, &PAIR_QUERIES[0]).unwrap();
        sides::loops(&mut group, &scene.name, bench.others().into_iter().take(1));
        let mut batch = scene.atlas().batch();
        let mut answers = vec![false; PAIRS];
        for n in [1, 4, 8, 16, 32, 64, 128, 256, 1024] {
            let mut run = || {
                for (pairs, answers) in scene.pairs.chunks(n).zip(answers.chunks_mut(n)) {
                    batch.touches(pairs, black_box(answers));
                }
            };
            run();
            group.bench_function(BenchmarkId::new(&scene.name, n), |b| b.iter(&mut run));
            assert_eq!(answers, expected, "in batches of {n}");
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    targets = flipped, few
}
criterion_main!(benches);
