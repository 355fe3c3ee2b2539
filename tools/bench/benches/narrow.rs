//! Compares pair tests: hitmask, the naive raster approach, and other crates.
//!
//! Bit rasters must agree on every pair. Polygons cannot agree: hulls close holes and notches,
//! outlines miss a sprite inside another, and shapes with a common edge count as touching. The
//! number of pairs on which they differ is printed before the timing.

#[path = "../../../benches/sides/mod.rs"]
mod sides;

use binary_raster::BinaryRaster;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hitmask::{MaskRef, Point, Simd};
use hitmask_bench::{Mix, PAIR_QUERIES, PairBench, PairScene, Question};
use parry2d::math::{IVector, Pose, Vector};
use parry2d::query::intersection_test;
use parry2d::shape::{ConvexPolygon, Polyline, Shape, Voxels};
use std::time::Duration;

/// Number of distinct pairs: too many for a branch predictor to learn.
const PAIRS: usize = 20_000;
/// Number of pairs for the slower approaches.
const SLOW_PAIRS: usize = 1_000;

/// One posed mask in the format of each crate.
struct Forms {
    raster: BinaryRaster,
    /// With a margin on every side, because lookups need offsets of at least 0.
    padded: BinaryRaster,
    hull: Option<ConvexPolygon>,
    outline: Polyline,
    voxels: Voxels,
}

impl Forms {
    fn new(mask: MaskRef<'_>, margin: i32) -> Self {
        let (w, h) = (mask.width() as i32, mask.height() as i32);
        let rows = |from: i32, w: i32, h: i32| -> BinaryRaster {
            let pixels = (from..h).flat_map(|y| (from..w).map(move |x| u8::from(mask.get(x, y))));
            BinaryRaster::from_raster(&pixels.collect::<Vec<_>>(), (w - from) as usize)
        };
        let set: Vec<(i32, i32)> = (0..h)
            .flat_map(|y| (0..w).map(move |x| (x, y)))
            .filter(|&(x, y)| mask.get(x, y))
            .collect();
        let vector = |(x, y): (i32, i32)| Vector::new(x as f32, y as f32);
        let corners = |&(x, y): &(i32, i32)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        let points: Vec<Vector> = set.iter().flat_map(corners).map(vector).collect();
        let mut edges = Vec::new();
        for &(x, y) in &set {
            for (dx, dy, from, to) in [
                (0, -1, (x, y), (x + 1, y)),
                (0, 1, (x, y + 1), (x + 1, y + 1)),
                (-1, 0, (x, y), (x, y + 1)),
                (1, 0, (x + 1, y), (x + 1, y + 1)),
            ] {
                if !mask.get(x + dx, y + dy) {
                    edges.extend([vector(from), vector(to)]);
                }
            }
        }
        let indices = (0..edges.len() as u32 / 2).map(|i| [2 * i, 2 * i + 1]).collect();
        let cells: Vec<IVector> = set.iter().map(|&(x, y)| IVector::new(x, y)).collect();
        Self {
            raster: rows(0, w, h),
            padded: rows(-margin, w + margin, h + margin),
            hull: ConvexPolygon::from_convex_hull(&points),
            outline: Polyline::new(edges, Some(indices)),
            voxels: Voxels::new(Vector::new(1.0, 1.0), &cells),
        }
    }
}

/// All sprites of a scene in all formats.
struct Peers {
    scene: PairScene,
    forms: Vec<Forms>,
    margin: i32,
}

impl Peers {
    fn new(size: u32) -> Self {
        let scene = PairScene::new((size, size), Mix::Natural, PAIRS);
        let margin = 2 * size as i32;
        let forms =
            scene.shown.iter().map(|shown| Forms::new(shown.mask.as_ref(), margin)).collect();
        Self { scene, forms, margin }
    }

    fn binary_raster(&self, q: &Question) -> bool {
        let at = [q.offset.x, q.offset.y].map(|v| (v + self.margin) as usize);
        self.forms[q.a].padded.collision_check_at(&self.forms[q.b].raster, (at[0], at[1]))
    }

    fn parry(&self, q: &Question, shape: AsShape) -> bool {
        let (Some(a), Some(b)) = (shape(&self.forms[q.a]), shape(&self.forms[q.b])) else {
            return false;
        };
        let at = Pose::translation(q.offset.x as f32, q.offset.y as f32);
        intersection_test(&Pose::IDENTITY, a, &at, b).is_ok_and(|answer| answer.intersecting)
    }
}

/// Selects one format of a mask.
type AsShape = fn(&Forms) -> Option<&dyn Shape>;

fn touches(c: &mut Criterion) {
    for size in [32, 64, 128, 256] {
        let peers = Peers::new(size);
        let some = &peers.scene.questions[..SLOW_PAIRS];
        let bench = PairBench::new(&peers.scene, &PAIR_QUERIES[0]).unwrap();
        let single = |(a, b, offset): (MaskRef<'_>, MaskRef<'_>, Point)| a.touches(b, offset);
        let truth: Vec<bool> = peers.scene.masks().take(SLOW_PAIRS).map(single).collect();
        let hits = truth.iter().filter(|hit| **hit).count();
        println!("{size} px: {hits} of {SLOW_PAIRS} pairs touch");
        let disagree = |answer: &dyn Fn(&Question) -> bool| {
            some.iter().zip(&truth).filter(|(q, truth)| answer(q) != **truth).count()
        };
        assert_eq!(disagree(&|q| peers.binary_raster(q)), 0);

        let mut group = c.benchmark_group(format!("peers/touches/{size}"));
        group.sample_size(10);
        let batch = bench.batch(Simd::preferred()).unwrap();
        sides::loops(&mut group, "hitmask", [batch].into_iter().chain(bench.others()));
        group.throughput(Throughput::Elements(SLOW_PAIRS as u64));
        group.bench_function("binary_raster", |b| {
            b.iter(|| some.iter().filter(|q| peers.binary_raster(q)).count());
        });
        let shapes: [(&str, AsShape); 3] = [
            ("hull", |forms| forms.hull.as_ref().map(|hull| hull as &dyn Shape)),
            ("polyline", |forms| Some(&forms.outline)),
            ("voxels", |forms| Some(&forms.voxels)),
        ];
        for (name, shape) in shapes {
            let wrong = disagree(&|q| peers.parry(q, shape));
            println!("parry2d {name}: differs on {wrong} of {SLOW_PAIRS} pairs");
            group.bench_function(BenchmarkId::new("parry2d", name), |b| {
                b.iter(|| some.iter().filter(|q| peers.parry(q, shape)).count());
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(200));
    targets = touches
}
criterion_main!(benches);
