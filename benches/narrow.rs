//! Benchmarks of the narrow phase with warm and cold caches.
//!
//! Batches run on every SIMD level of the machine. The counterparts in the same run are a scalar
//! loop over the same strips, single pairs, and the raster approaches.
//!
//! ```sh
//! cargo bench --bench narrow                      # everything, in about four minutes
//! cargo bench --bench narrow -- touches/natural   # one query and mix
//! ```
//!
//! Scenes: sprites of the project at random angles, scaled until the longer side of their trimmed
//! box has the size of the case. As many as fit 512 KiB, which the L2 cache holds. Pairs are
//! distinct, their boxes overlap, and offsets are uniform within that: about 70% touch.
//!
//! - `cold`: 48 MiB of masks, queried in random order and grouped by the first mask.
//! - `flipped`: every other mask is flipped vertically.
//!
//! A time is that of the whole list; the throughput gives the time per pair. All implementations
//! must give the same answers before they are timed. `hitmask bench narrow` prints the same loops as a
//! table, and `benches/levels.rs` compares masks with coarse levels and without.

mod sides;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hitmask::{PosePair, Simd};
use hitmask_scenes::{Loop, Mix, PairBench, PairQuery, PairScene, PoolScene};
use sides::Group;
use std::hint::black_box;
use std::time::Duration;

/// Pairs of a list: more than a branch predictor remembers.
const PAIRS: usize = 24_000;

/// A short list of natural pairs. A branch predictor learns it, which favours code with branches.
const SHORT: &str = "short";

/// Times a query in every implementation.
fn query(group: &mut Group<'_>, scene: &PairScene, query: &PairQuery) {
    let bench = PairBench::new(scene, query).unwrap();
    let batches = Simd::available().into_iter().map(|simd| bench.batch(simd).unwrap());
    sides::loops(group, &scene.name, batches.chain(bench.others()));
}

fn touches(c: &mut Criterion) {
    for (name, mix) in
        [("natural", Mix::Natural), ("hit", Mix::Hit), ("miss", Mix::Miss), (SHORT, Mix::Natural)]
    {
        let mut group = c.benchmark_group(format!("touches/{name}"));
        let is_asked = |&(from, to): &(u32, u32)| {
            name == "natural" || from == to && [16, 64, 128, 256, 512].contains(&from)
        };
        for size in PairScene::SIZES.into_iter().filter(is_asked) {
            let scene = PairScene::new(size, mix, if name == SHORT { 4_000 } else { PAIRS });
            query(&mut group, &scene, &PairQuery::ALL[0]);
        }
    }
}

/// The queries beyond `touches`: area, box, first pixel, contact.
fn others(c: &mut Criterion) {
    let sizes = PairScene::SIZES.map(|size| PairScene::new(size, Mix::Natural, PAIRS));
    for asked in &PairQuery::ALL[1..] {
        let mut group = c.benchmark_group(format!("{}/natural", asked.name));
        sizes.iter().for_each(|scene| query(&mut group, scene, asked));
    }
}

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

/// Masks that are in neither the L1 nor the L2 cache.
fn cold(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/cold");
    for size in [32, 64, 128, 256] {
        let scene = PoolScene::new(size, 48 << 20, PAIRS);
        let strips = scene.strips();
        let scalar = |&(a, b, offset): &(usize, usize, _)| strips[a].touches(&strips[b], offset);
        let expected: Vec<bool> = scene.questions.iter().map(scalar).collect();
        let mut order: Vec<usize> = (0..PAIRS).collect();
        order.sort_by_key(|&i| scene.questions[i].0);
        let grouped: Vec<PosePair> = order.iter().map(|&i| scene.pairs[i]).collect();
        let batches = [("random", &scene.pairs), ("grouped", &grouped)].map(|(name, pairs)| {
            let mut batch = scene.without_levels[0].batch();
            let mut answers = vec![false; PAIRS];
            batch.touches(&scene.pairs, &mut answers);
            assert_eq!(answers, expected);
            Loop::new(name, PAIRS, move || batch.touches(pairs, black_box(&mut answers)))
        });
        let all = || scene.questions.iter().filter(|q| scalar(q)).count();
        let loops = batches.into_iter().chain([Loop::new("scalar", PAIRS, all)]);
        sides::loops(&mut group, &size.to_string(), loops);
    }
}

/// The same pairs in small batches and as single pairs, to find the size from which a batch pays.
fn few(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/batches");
    group.throughput(Throughput::Elements(PAIRS as u64));
    for size in [(64, 64), (128, 128)] {
        let scene = PairScene::new(size, Mix::Natural, PAIRS);
        let expected: Vec<bool> = scene.masks().map(|(a, b, at)| a.touches(b, at)).collect();
        let bench = PairBench::new(&scene, &PairQuery::ALL[0]).unwrap();
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
    targets = touches, flipped, cold, others, few
}
criterion_main!(benches);
