//! Benchmarks of the broad phase alone: all pairs of moving boxes on one core and on two, moving
//! boxes among fixed ones, and queries.
//!
//! The counterpart is rstar, bulk-loaded and joined with itself over the same boxes. Other crates
//! and a grid are in `tools/bench`. A side `naive` is that of rstar.

mod sides;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hitmask::{BoxTree, Rect};
use hitmask_bench::Boxes;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rstar::{AABB, RTree, RTreeObject};
use std::hint::black_box;
use std::time::Duration;

struct Leaf(u32, Rect);

impl RTreeObject for Leaf {
    type Envelope = AABB<[i64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let Rect { x0, y0, x1, y1 } = self.1;
        // Closed boxes, in i64 because rstar multiplies sides.
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

fn rstar_tree(boxes: &[Rect]) -> RTree<Leaf> {
    RTree::bulk_load(boxes.iter().zip(0..).map(|(&rect, index)| Leaf(index, rect)).collect())
}

fn rstar_pairs(boxes: &[Rect]) -> usize {
    let tree = rstar_tree(boxes);
    // The join of a tree with itself yields each pair twice, and each box with itself.
    tree.intersection_candidates_with_other_tree(&tree).filter(|(a, b)| a.0 < b.0).count()
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads")
}

/// Packs the tree and finds all pairs, on this thread.
fn pairs(tree: &mut BoxTree, boxes: &[Rect]) -> usize {
    let mut pairs = 0;
    tree.pack(black_box(boxes));
    tree.each_pair(|found| pairs += black_box(found).len());
    pairs
}

fn all_pairs(c: &mut Criterion) {
    let one = pool(1);
    for scene in Boxes::ALL {
        let mut group = c.benchmark_group(format!("broad/{}", scene.name()));
        group.sample_size(10);
        for count in [1_000, 10_000, 100_000, 1_000_000] {
            let boxes = scene.draw(1, count);
            let mut tree = BoxTree::new();
            let expected = rstar_pairs(&boxes);
            assert_eq!(one.install(|| pairs(&mut tree, &boxes)), expected);
            group.bench_function(BenchmarkId::new("one core", count), |b| {
                one.install(|| b.iter(|| pairs(&mut tree, &boxes)))
            });
            group.bench_function(BenchmarkId::new("one core, pack only", count), |b| {
                one.install(|| b.iter(|| tree.pack(black_box(&boxes))))
            });
            let mut list = Vec::new();
            group.bench_function(BenchmarkId::new("one core, ordered list", count), |b| {
                one.install(|| {
                    b.iter(|| {
                        tree.pack(black_box(&boxes));
                        tree.pairs(&mut list);
                    })
                })
            });
            group.bench_function(BenchmarkId::new("rstar", count), |b| {
                b.iter(|| rstar_pairs(black_box(&boxes)))
            });
        }
    }
}

fn queries(c: &mut Criterion) {
    let boxes = Boxes::Uniform.draw(1, 100_000);
    let mut tree = BoxTree::new();
    tree.pack(&boxes);
    let rstar = rstar_tree(&boxes);
    let mut group = c.benchmark_group("broad/query");
    for (name, side) in [("point", 1), ("64 px", 64)] {
        // Beside the corner of some box, and not in tree order.
        let beside = |b: &Rect| Rect::new(b.x0 + 90, b.y0 - 70, b.x0 + 90 + side, b.y0 - 70 + side);
        let rects: Vec<Rect> = boxes.iter().map(beside).collect();
        let mut found = Vec::new();
        sides::compare(
            &mut group,
            (name, 1000),
            &rects,
            |&rect| {
                found.clear();
                tree.query_rect(rect, &mut found);
                found.len()
            },
            |&rect| rstar.locate_in_envelope_intersecting(Leaf(0, rect).envelope()).count(),
        );
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(50))
        .without_plots();
    targets = queries, all_pairs
}
criterion_main!(benches);
