//! The broad phase alone: all boxes moved, every pair that overlaps. Beside it rstar, bulk-loaded
//! and joined with itself, and a grid filled by a counting sort, over the same boxes.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hitmask::{BoxTree, Rect};
use hitmask_sprites::Boxes;
use rstar::{AABB, RTree, RTreeObject};
use std::hint::black_box;
use std::time::Duration;

struct Leaf(u32, Rect);

impl RTreeObject for Leaf {
    type Envelope = AABB<[i64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let Rect { x0, y0, x1, y1 } = self.1;
        // Closed boxes, in i64 because sides are multiplied.
        AABB::from_corners([x0.into(), y0.into()], [i64::from(x1) - 1, i64::from(y1) - 1])
    }
}

fn rstar_pairs(boxes: &[Rect]) -> usize {
    let leaves = boxes.iter().zip(0..).map(|(&rect, index)| Leaf(index, rect)).collect();
    let tree = RTree::bulk_load(leaves);
    // The join of a tree with itself gives each pair twice, and each box with itself.
    tree.intersection_candidates_with_other_tree(&tree).filter(|(a, b)| a.0 < b.0).count()
}

/// A uniform grid: each box is listed in every cell it covers, by a counting sort, and a pair
/// counts in the cell that holds the corner of its intersection.
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
        // Each cell from its end, so that its end becomes its start.
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
                    // Corners left of or above the cell belong to another.
                    pairs += usize::from(meet & (x >= corner[0]) & (y >= corner[1]));
                }
            }
        }
        pairs
    }
}

/// Side of a cell in pixels, the best of 32, 64, 96, 128 and 192 for each scene.
const fn cell(scene: Boxes) -> i32 {
    match scene {
        Boxes::Uniform => 96,
        Boxes::Clustered | Boxes::Mixed => 64,
    }
}

fn all_pairs(c: &mut Criterion) {
    for scene in Boxes::ALL {
        let mut group = c.benchmark_group(format!("broad/{}", scene.name()));
        group.sample_size(10);
        for count in [1_000, 10_000, 100_000, 1_000_000] {
            let boxes = scene.draw(1, count);
            let (mut tree, mut grid) = (BoxTree::new(), Grid::default());
            let run = |tree: &mut BoxTree| {
                let mut pairs = 0;
                tree.pack(black_box(&boxes));
                tree.each_pair(|found| pairs += black_box(found).len());
                pairs
            };
            let truth = rstar_pairs(&boxes);
            assert_eq!(run(&mut tree), truth);
            assert_eq!(grid.pairs(&boxes, cell(scene)), truth);
            group.bench_function(BenchmarkId::new("hitmask", count), |b| b.iter(|| run(&mut tree)));
            group.bench_function(BenchmarkId::new("hitmask, pack only", count), |b| {
                b.iter(|| tree.pack(black_box(&boxes)))
            });
            let mut list = Vec::new();
            group.bench_function(BenchmarkId::new("hitmask, ordered list", count), |b| {
                b.iter(|| {
                    tree.pack(black_box(&boxes));
                    tree.pairs(&mut list);
                })
            });
            group.bench_function(BenchmarkId::new("grid", count), |b| {
                b.iter(|| grid.pairs(black_box(&boxes), cell(scene)))
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
    let leaves = boxes.iter().zip(0..).map(|(&rect, index)| Leaf(index, rect)).collect();
    let rstar = RTree::bulk_load(leaves);
    let mut group = c.benchmark_group("broad/query");
    for (name, side) in [("point", 1), ("64 px", 64)] {
        let mut asked = boxes.iter().cycle().map(|b| {
            // Beside the corner of a box somewhere, and not in tree order.
            Rect::new(b.x0 + 90, b.y0 - 70, b.x0 + 90 + side, b.y0 - 70 + side)
        });
        let mut found = Vec::new();
        for rect in asked.by_ref().take(1000) {
            found.clear();
            tree.meeting(rect, &mut found);
            let near = rstar.locate_in_envelope_intersecting(Leaf(0, rect).envelope());
            assert_eq!(found.len(), near.count());
        }
        group.bench_function(BenchmarkId::new("hitmask", name), |b| {
            b.iter(|| {
                found.clear();
                tree.meeting(asked.next().unwrap_or_default(), &mut found);
                found.len()
            })
        });
        group.bench_function(BenchmarkId::new("rstar", name), |b| {
            b.iter(|| {
                let rect = Leaf(0, asked.next().unwrap_or_default());
                rstar.locate_in_envelope_intersecting(rect.envelope()).count()
            })
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(200));
    targets = all_pairs, queries
}
criterion_main!(benches);
