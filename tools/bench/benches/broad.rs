//! Compares broad phases: hitmask, other crates, and a uniform grid.
//!
//! All boxes have moved since the last update, and every overlapping pair is counted. The bench
//! fails if the counts differ. Other crates are used as their documentation recommends for many
//! moving boxes: parry2d's tree rebuilt, and refitted; broccoli's and geo-index's trees rebuilt.
//! The grid is filled by a counting sort, with the best of several cell sizes. All use one thread.

use broccoli::rect;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTreeBuilder, RTreeIndex};
use hitmask::{BoxTree, Rect};
use hitmask_bench::Boxes;
use hitmask_scenes::Random;
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::hint::black_box;
use std::time::Duration;

/// A uniform grid. A counting sort lists each box in every cell that it covers. A pair counts in
/// the cell that contains the corner of its intersection.
#[derive(Default)]
struct Grid {
    starts: Vec<u32>,
    listed: Vec<(u32, Rect)>,
}

impl Grid {
    fn pairs(&mut self, boxes: &[Rect], cell: i32) -> usize {
        let edge = |edge: fn(&Rect) -> i32| boxes.iter().map(edge);
        let (Some(left), Some(top)) = (edge(|b| b.x0).min(), edge(|b| b.y0).min()) else {
            return 0;
        };
        let right = edge(|b| b.x1).max().unwrap_or(left);
        let bottom = edge(|b| b.y1).max().unwrap_or(top);
        let columns = ((right - left) / cell + 1) as usize;
        let rows = ((bottom - top) / cell + 1) as usize;
        let cells = |b: &Rect| {
            let [x, y] = [(b.x0 - left) / cell, (b.y0 - top) / cell].map(|i| i as usize);
            let [u, v] = [(b.x1 - 1 - left) / cell, (b.y1 - 1 - top) / cell].map(|i| i as usize);
            (y..=v).flat_map(move |row| (x..=u).map(move |column| row * columns + column))
        };
        self.starts.clear();
        self.starts.resize(columns * rows + 1, 0);
        boxes.iter().for_each(|b| cells(b).for_each(|cell| self.starts[cell + 1] += 1));
        for cell in 0..columns * rows {
            self.starts[cell + 1] += self.starts[cell];
        }
        let count = self.starts[columns * rows] as usize;
        self.listed.resize(count, (0, Rect::default()));
        // Fills each cell from its end, so that the end offset becomes the start offset.
        for (b, index) in boxes.iter().zip(0..) {
            for cell in cells(b) {
                self.starts[cell + 1] -= 1;
                self.listed[self.starts[cell + 1] as usize] = (index, *b);
            }
        }
        let mut pairs = 0;
        for cell_index in 0..columns * rows {
            let start = self.starts[cell_index + 1] as usize;
            let end = self.starts.get(cell_index + 2).map_or(count, |&end| end as usize);
            let [column, row] = [cell_index % columns, cell_index / columns];
            let corner = [left + column as i32 * cell, top + row as i32 * cell];
            for i in start..end {
                let (_, a) = self.listed[i];
                for (_, b) in &self.listed[i + 1..end] {
                    let (x, y) = (a.x0.max(b.x0), a.y0.max(b.y0));
                    let meet = (x < a.x1.min(b.x1)) & (y < a.y1.min(b.y1));
                    // A corner left of or above the cell is counted in another cell.
                    pairs += usize::from(meet & (x >= corner[0]) & (y >= corner[1]));
                }
            }
        }
        pairs
    }
}

/// Returns the cell side in pixels: the best of 32, 64, 96, 128 and 192 for the scene.
const fn cell(scene: Boxes) -> i32 {
    match scene {
        Boxes::Uniform => 96,
        Boxes::Clustered | Boxes::Mixed => 64,
    }
}

/// Converts a box, with its end reduced by 0.5, so that boxes with a common edge do not overlap
/// whether ends are inclusive or not. Exact, because no scene is 2^22 pixels wide.
fn aabb(b: &Rect) -> Aabb {
    let end = |edge: i32| edge as f32 - 0.5;
    Aabb::new(Vector::new(b.x0 as f32, b.y0 as f32), Vector::new(end(b.x1), end(b.y1)))
}

fn parry_pairs(bvh: &Bvh, workspace: &mut BvhWorkspace) -> usize {
    let mut pairs = 0;
    bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |_, _| pairs += 1);
    pairs
}

/// Returns the boxes moved by up to 3 px.
fn moved(boxes: &[Rect]) -> Vec<Rect> {
    let mut random = Random::new(7);
    boxes.iter().map(|b| b.translated([random.within(-3, 4), random.within(-3, 4)])).collect()
}

fn hitmask_pairs(tree: &mut BoxTree, boxes: &[Rect]) -> usize {
    let mut pairs = 0;
    tree.pack(boxes);
    tree.each_pair(|found| pairs += black_box(found).len());
    pairs
}

fn geo_index_pairs(boxes: &[Rect]) -> usize {
    let mut builder = RTreeBuilder::<f32>::new(boxes.len() as u32);
    for b in boxes {
        let Aabb { mins, maxs } = aabb(b);
        builder.add(mins.x, mins.y, maxs.x, maxs.y);
    }
    let tree = builder.finish::<HilbertSort>();
    // Drops the second copy of each pair, and the pair of each box with itself.
    tree.intersection_candidates_with_other_tree(&tree).filter(|(a, b)| a < b).count()
}

fn broccoli_pairs(boxes: &[Rect]) -> usize {
    // Doubled, with the end reduced by 1: correct whether ends are inclusive or not.
    let leaf = |(b, i): (&Rect, u32)| (rect(2 * b.x0, 2 * b.x1 - 1, 2 * b.y0, 2 * b.y1 - 1), i);
    let mut leaves: Vec<_> = boxes.iter().zip(0..).map(leaf).collect();
    let mut tree = broccoli::Tree::new(&mut leaves);
    let mut pairs = 0;
    tree.find_colliding_pairs(|_, _| pairs += 1);
    pairs
}

fn all_pairs(c: &mut Criterion) {
    // One thread for hitmask, because the other crates use one.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let alone = alone.expect("a pool of one thread");
    for scene in Boxes::ALL {
        let mut group = c.benchmark_group(format!("broad/{}", scene.name()));
        group.sample_size(10);
        for count in [10_000, 100_000, 1_000_000] {
            let boxes = scene.draw(1, count);
            let (mut tree, mut grid) = (BoxTree::new(), Grid::default());
            let truth = alone.install(|| hitmask_pairs(&mut tree, &boxes));
            group.bench_function(BenchmarkId::new("hitmask", count), |b| {
                alone.install(|| b.iter(|| hitmask_pairs(&mut tree, black_box(&boxes))))
            });
            assert_eq!(grid.pairs(&boxes, cell(scene)), truth, "grid");
            group.bench_function(BenchmarkId::new("grid", count), |b| {
                b.iter(|| grid.pairs(black_box(&boxes), cell(scene)))
            });
            assert_eq!(broccoli_pairs(&boxes), truth, "broccoli");
            group.bench_function(BenchmarkId::new("broccoli", count), |b| {
                b.iter(|| broccoli_pairs(black_box(&boxes)))
            });
            assert_eq!(geo_index_pairs(&boxes), truth, "geo-index");
            group.bench_function(BenchmarkId::new("geo-index", count), |b| {
                b.iter(|| geo_index_pairs(black_box(&boxes)))
            });
            let mut workspace = BvhWorkspace::default();
            let mut built = || {
                let leaves: Vec<Aabb> = boxes.iter().map(aabb).collect();
                let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
                (parry_pairs(&bvh, &mut workspace), bvh)
            };
            let (pairs, mut bvh) = built();
            assert_eq!(pairs, truth, "parry2d");
            group.bench_function(BenchmarkId::new("parry2d, built", count), |b| {
                b.iter(|| built().0)
            });
            // Alternates between two sets of boxes, so that each refit has work.
            let moments = [moved(&boxes), boxes.clone()];
            let truths = moments.each_ref().map(|boxes| hitmask_pairs(&mut tree, boxes));
            let mut tick = 0;
            let mut refitted = || {
                let boxes = &moments[tick % 2];
                for (b, i) in boxes.iter().zip(0..) {
                    bvh.insert_or_update_partially(aabb(b), i, 0.0);
                }
                bvh.refit(&mut workspace);
                let pairs = parry_pairs(&bvh, &mut workspace);
                assert_eq!(pairs, truths[tick % 2], "parry2d, refitted");
                tick += 1;
                pairs
            };
            group.bench_function(BenchmarkId::new("parry2d, refitted", count), |b| {
                b.iter(&mut refitted)
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(50))
        .without_plots();
    targets = all_pairs
}
criterion_main!(benches);
