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
//! At the end a table of ns per pair is printed, for the record in `narrow.md`.
//!
//! Scenes: sprites of the project at random angles, scaled until the longer side of their trimmed
//! box has the size of the case. As many as fit 512 KiB, which the L2 cache holds. Pairs are
//! distinct, their boxes overlap, and offsets are uniform within that: about 70% touch.
//!
//! - `cold`: 48 MiB of masks, queried in random order and grouped by the first mask.
//! - `flipped`: every other mask is flipped vertically.
//!
//! A time is that of the whole list; the throughput gives the time per pair. All implementations
//! must give the same answers before they are timed.

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use hitmask::reference::Canvas;
use hitmask::{Atlas, Certainty, PosePair, ScanOrder, Simd};
use hitmask_scenes::{ColdScene, Mix, PairScene, Question, without_levels};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Pairs of a list: more than a branch predictor remembers.
const PAIRS: usize = 24_000;

/// A short list of natural pairs. A branch predictor learns it, which favours code with branches.
const SHORT: &str = "short";

/// Pairs for the raster approach, which takes about 1,000 times as long.
const RASTER_PAIRS: usize = 240;

type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Times `run_query`, which writes the answers, on every SIMD level.
fn batches<T: Clone + PartialEq + std::fmt::Debug>(
    group: &mut Group<'_>,
    scene: &PairScene,
    expected: &[T],
    nothing: T,
    run_query: impl Fn(&mut hitmask::Batch<'_>, &[PosePair], &mut [T]),
) {
    group.throughput(Throughput::Elements(scene.pairs.len() as u64));
    for simd in Simd::available() {
        let mut batch = scene.atlas().batch().with_simd(simd);
        let mut answers = vec![nothing.clone(); expected.len()];
        run_query(&mut batch, &scene.pairs, &mut answers);
        assert_eq!(answers, expected, "{}", simd.name());
        group.bench_function(format!("{}/{}", scene.name, simd.name()), |b| {
            b.iter(|| run_query(&mut batch, &scene.pairs, black_box(&mut answers)));
        });
    }
}

/// Times `run_query` on single pairs.
fn pair_by_pair<T: PartialEq + std::fmt::Debug>(
    group: &mut Group<'_>,
    (scene, name): (&PairScene, &str),
    expected: &[T],
    run_query: impl Fn(&Question) -> T,
) {
    assert!(
        scene.questions.iter().zip(expected).all(|(q, expected)| run_query(q) == *expected),
        "{name}"
    );
    group.throughput(Throughput::Elements(scene.questions.len() as u64));
    group.bench_function(format!("{}/{name}", scene.name), |b| {
        b.iter(|| scene.questions.iter().for_each(|q| drop(black_box(run_query(q)))));
    });
}

/// Times both raster approaches: redrawing on the first [`RASTER_PAIRS`] pairs, prepared images on
/// all pairs.
fn raster(group: &mut Group<'_>, scene: &PairScene, expected: &[bool]) {
    let (mut canvas, sides) = (Canvas::default(), scene.sides());
    pair_by_pair(group, (scene, "prepared"), expected, |q| {
        sides.images[q.a].touches(&sides.images[q.b], q.offset)
    });
    let mut run_query = |q: &Question| sides.drawn_point(&mut canvas, q).is_some();
    let questions = &scene.questions[..RASTER_PAIRS];
    assert!(
        questions.iter().zip(expected).all(|(q, &expected)| run_query(q) == expected),
        "raster"
    );
    group.throughput(Throughput::Elements(RASTER_PAIRS as u64));
    group.bench_function(format!("{}/raster", scene.name), |b| {
        b.iter(|| questions.iter().for_each(|q| _ = black_box(run_query(q))));
    });
}

fn touches(c: &mut Criterion) {
    for (name, mix) in
        [("natural", Mix::Natural), ("hit", Mix::Hit), ("miss", Mix::Miss), (SHORT, Mix::Natural)]
    {
        let mut group = c.benchmark_group(format!("touches/{name}"));
        for size in PairScene::SIZES {
            if name != "natural" && (size.0 != size.1 || ![16, 64, 128, 256, 512].contains(&size.0))
            {
                continue;
            }
            let scene = PairScene::new(size, mix, if name == SHORT { 4_000 } else { PAIRS });
            let expected: Vec<bool> = scene.masks().map(|(a, b, at)| a.touches(b, at)).collect();
            batches(&mut group, &scene, &expected, false, |batch, pairs, answers| {
                batch.touches(pairs, answers);
            });
            let strips = &scene.strips;
            pair_by_pair(&mut group, (&scene, "scalar"), &expected, |q| {
                strips[q.a].touches(&strips[q.b], q.offset)
            });
            let masks = scene.sides().masks;
            pair_by_pair(&mut group, (&scene, "single"), &expected, |q| {
                masks[q.a].touches(masks[q.b], q.offset)
            });
            if name == "natural" {
                raster(&mut group, &scene, &expected);
            }
        }
        group.finish();
    }
}

/// Pairs of which every other mask is flipped vertically.
fn flipped(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/flipped");
    for size in [(16, 16), (64, 64), (128, 128), (512, 512)] {
        let mut scene = PairScene::new(size, Mix::Natural, PAIRS);
        let (pairs, expected) = scene.flipped();
        scene.pairs = pairs;
        batches(&mut group, &scene, &expected, false, |batch, pairs, answers| {
            batch.touches(pairs, answers);
        });
    }
    group.finish();
}

/// The same pairs with coarse levels and without, and the levels alone. `benches/levels.rs` compares
/// sizes below those that a bake gives levels.
fn levels(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/levels");
    for (name, mix) in [("natural", Mix::Natural), ("miss", Mix::Miss)] {
        for size in [(128, 128), (256, 256), (512, 512)] {
            let scene = PairScene::new(size, mix, PAIRS);
            compare_levels(
                &mut group,
                &format!("{name}/{}", scene.name),
                scene.atlas(),
                &scene.pairs,
            );
        }
    }
    for size in [256, 512] {
        let scene = ColdScene::new(size, PAIRS);
        compare_levels(&mut group, &format!("cold/{size}"), scene.atlas(), &scene.random);
    }
    group.finish();
}

fn compare_levels(group: &mut Group<'_>, name: &str, atlas: &Atlas, pairs: &[PosePair]) {
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let plain = without_levels(atlas);
    let mut expected = vec![false; pairs.len()];
    plain.batch().touches(pairs, &mut expected);
    for simd in Simd::available() {
        let mut answers = vec![false; pairs.len()];
        for (kind, atlas) in [("with", atlas), ("without", &plain)] {
            let mut batch = atlas.batch().with_simd(simd);
            batch.touches(pairs, &mut answers);
            assert_eq!(answers, expected, "{name}, {kind}");
            group.bench_function(format!("{name}/{}/{kind}", simd.name()), |b| {
                b.iter(|| batch.touches(pairs, black_box(&mut answers)));
            });
        }
        let mut batch = atlas.batch().with_simd(simd);
        let mut certain = vec![Certainty::Maybe; pairs.len()];
        batch.coarse(pairs, &mut certain);
        let is_right = |(&certain, &touches): (&Certainty, &bool)| match certain {
            Certainty::No => !touches,
            Certainty::Maybe => true,
            Certainty::Yes => touches,
        };
        assert!(certain.iter().zip(&expected).all(is_right), "{name}");
        group.bench_function(format!("{name}/{}/coarse", simd.name()), |b| {
            b.iter(|| batch.coarse(pairs, black_box(&mut certain)));
        });
    }
}

/// Masks that are in neither the L1 nor the L2 cache.
fn cold(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/cold");
    group.throughput(Throughput::Elements(PAIRS as u64));
    for size in [32, 64, 128, 256] {
        let scene = ColdScene::new(size, PAIRS);
        let scalar =
            |&(a, b, offset): &(usize, usize, _)| scene.strips[a].touches(&scene.strips[b], offset);
        let expected: Vec<bool> = scene.questions.iter().map(scalar).collect();
        let mut batch = scene.atlas().batch();
        let mut answers = vec![false; PAIRS];
        batch.touches(&scene.random, &mut answers);
        assert_eq!(answers, expected);
        for (order, pairs) in [("random", &scene.random), ("grouped", &scene.grouped)] {
            group.bench_function(format!("{size}/{order}"), |b| {
                b.iter(|| batch.touches(pairs, black_box(&mut answers)));
            });
        }
        group.bench_function(format!("{size}/scalar"), |b| {
            b.iter(|| scene.questions.iter().filter(|q| scalar(q)).count());
        });
    }
    group.finish();
}

/// The queries beyond `touches`: area, box, first pixel, contact.
fn others(c: &mut Criterion) {
    let sizes = PairScene::SIZES.map(|size| PairScene::new(size, Mix::Natural, PAIRS));
    let few = || sizes.iter().filter(|scene| ["16", "64", "128", "512"].contains(&&*scene.name));
    let mut group = c.benchmark_group("area/natural");
    for scene in &sizes {
        let expected: Vec<u64> = scene.masks().map(|(a, b, at)| a.overlap_area(b, at)).collect();
        batches(&mut group, scene, &expected, 0, |batch, pairs, answers| {
            batch.overlap_area(pairs, answers);
        });
        let strips = &scene.strips;
        pair_by_pair(&mut group, (scene, "scalar"), &expected, |q| {
            strips[q.a].area(&strips[q.b], q.offset)
        });
    }
    group.finish();
    let mut group = c.benchmark_group("rect/natural");
    for scene in &sizes {
        let expected: Vec<_> = scene.masks().map(|(a, b, at)| a.overlap_rect(b, at)).collect();
        batches(&mut group, scene, &expected, None, |batch, pairs, answers| {
            batch.overlap_rect(pairs, answers);
        });
        let strips = &scene.strips;
        pair_by_pair(&mut group, (scene, "scalar"), &expected, |q| {
            strips[q.a].rect(&strips[q.b], q.offset)
        });
    }
    group.finish();
    for (name, order) in [("top", ScanOrder::Top), ("left", ScanOrder::Left)] {
        let mut group = c.benchmark_group(format!("{name}/natural"));
        for scene in
            sizes.iter().filter(|scene| name == "top" || few().any(|s| s.name == scene.name))
        {
            let expected: Vec<_> =
                scene.masks().map(|(a, b, at)| a.first_overlap(order, b, at)).collect();
            batches(&mut group, scene, &expected, None, |batch, pairs, answers| {
                batch.first_overlap(order, pairs, answers);
            });
            if order == ScanOrder::Top {
                let strips = &scene.strips;
                pair_by_pair(&mut group, (scene, "scalar"), &expected, |q| {
                    strips[q.a].top(&strips[q.b], q.offset)
                });
            }
        }
        group.finish();
    }
    let mut group = c.benchmark_group("contact/natural");
    for scene in few() {
        let expected: Vec<_> = scene.masks().map(|(a, b, at)| a.contact(b, at)).collect();
        batches(&mut group, scene, &expected, None, |batch, pairs, answers| {
            batch.contact(pairs, answers);
        });
        let masks = scene.sides().masks;
        pair_by_pair(&mut group, (scene, "single"), &expected, |q| {
            masks[q.a].contact(masks[q.b], q.offset)
        });
    }
    group.finish();
}

/// The same pairs in small batches and as single pairs, to find the size from which a batch pays.
fn few(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/batches");
    for size in [(64, 64), (128, 128)] {
        let scene = PairScene::new(size, Mix::Natural, PAIRS);
        let expected: Vec<bool> = scene.masks().map(|(a, b, at)| a.touches(b, at)).collect();
        let masks = scene.sides().masks;
        pair_by_pair(&mut group, (&scene, "single"), &expected, |q| {
            masks[q.a].touches(masks[q.b], q.offset)
        });
        let mut batch = scene.atlas().batch();
        let mut answers = vec![false; PAIRS];
        for n in [1, 4, 8, 16, 32, 64, 128, 256, 1024] {
            answers.fill(false);
            for (pairs, answers) in scene.pairs.chunks(n).zip(answers.chunks_mut(n)) {
                batch.touches(pairs, answers);
            }
            assert_eq!(answers, expected, "in batches of {n}");
            group.bench_function(format!("{}/{n}", scene.name), |b| {
                b.iter(|| {
                    for (pairs, answers) in scene.pairs.chunks(n).zip(answers.chunks_mut(n)) {
                        batch.touches(pairs, black_box(answers));
                    }
                });
            });
        }
    }
    group.finish();
}

/// Prints the results of this run of criterion: one line per query, mix and size. Each line has the
/// median of each implementation in ns per pair, and the time of the scalar strip loop relative to
/// the first one.
fn print_record(since: SystemTime) {
    let mut lines: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    let root = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let written = |path: &Path| path.metadata().and_then(|meta| meta.modified());
    let mut folders = vec![Path::new(&root).join("criterion")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else { continue };
        folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
        let file = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        if !folder.ends_with("new")
            || written(&folder.join("estimates.json")).is_ok_and(|t| t < since)
        {
            continue;
        }
        let (about, estimates) = (file("benchmark.json"), file("estimates.json"));
        let after = |text: &str, key: &str| text.split(key).nth(1).map(ToOwned::to_owned);
        let number = |text: String| text.split([',', '}']).next()?.parse::<f64>().ok();
        let median = after(&estimates, "\"median\":")
            .and_then(|text| after(&text, "\"point_estimate\":"))
            .and_then(number);
        let pairs = after(&about, "\"Elements\":").and_then(number);
        let title =
            after(&about, "\"full_id\":\"").and_then(|t| Some(t.split('"').next()?.to_owned()));
        if let (Some(median), Some(pairs), Some(title)) = (median, pairs, title)
            && let Some((case, name)) = title.rsplit_once('/')
        {
            let entry = (name.to_owned(), median / pairs);
            match lines.iter_mut().find(|(known, _)| known == case) {
                Some((_, times)) => times.push(entry),
                None => lines.push((case.to_owned(), vec![entry])),
            }
        }
    }
    let rank = |case: &str| {
        let (query, size) = case.rsplit_once('/').unwrap_or((case, ""));
        (query.to_owned(), size.parse::<u32>().unwrap_or(u32::MAX))
    };
    lines.sort_by_key(|(case, _)| rank(case));
    let order = [
        "avx512", "avx2", "sse2", "neon", "wasm", "fallback", "random", "grouped", "scalar",
        "single", "prepared", "raster",
    ];
    println!();
    for (case, mut times) in lines {
        times.sort_by_key(|(name, _)| {
            (order.iter().position(|o| o == name), name.parse::<u32>().unwrap_or(0))
        });
        let (query, size) = rank(&case);
        let size =
            if size == u32::MAX { case[query.len() + 1..].to_owned() } else { size.to_string() };
        let columns: String =
            times.iter().map(|(name, ns)| format!(" {name:>7} {ns:>8.2}")).collect();
        let scalar = times.iter().find(|(name, _)| name == "scalar");
        let ratio = scalar.map_or_else(String::new, |(_, ns)| format!("  x{:.2}", ns / times[0].1));
        println!("{query:<18} {size:>7}{columns}{ratio}");
    }
}

fn main() {
    let since = SystemTime::now();
    let mut c = Criterion::default()
        .configure_from_args()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    touches(&mut c);
    flipped(&mut c);
    levels(&mut c);
    cold(&mut c);
    others(&mut c);
    few(&mut c);
    c.final_summary();
    print_record(since);
}
