//! Benchmarks of outlines and convex pieces: sprites of 48 to 80 px, and terrain of 2,048 px with a
//! crater of 33 px.
//!
//! The naive way traces the whole terrain again after each crater. Its cells are compared with those of
//! the grid that traces the changed cells.
//!
//! ```sh
//! cargo bench --features shapes --bench shapes    # the record is shapes.md
//! ```

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use hitmask::{Mask, Rect, Shape, ShapeGrid};
use hitmask_scenes::{Random, Terrain, all};
use std::hint::black_box;
use std::time::Duration;

const SIDE: u32 = 2048;

fn pieces(shape: &Shape) -> usize {
    shape.pieces().pieces.len()
}

fn sprites(c: &mut Criterion) {
    let sizes = 48..=80;
    let masks: Vec<Mask> = all()
        .into_iter()
        .filter(|picture| sizes.contains(&picture.width) && sizes.contains(&picture.height))
        .map(|picture| picture.mask())
        .collect();
    let mut group = c.benchmark_group(format!("{} sprites of 48 to 80 px", masks.len()));
    for error in [0.5, 1.0, 2.0] {
        group.bench_function(format!("outlines within {error} px"), |b| {
            b.iter(|| masks.iter().for_each(|mask| drop(black_box(mask.shape(error)))));
        });
        let shapes: Vec<Shape> = masks.iter().map(|mask| mask.shape(error).unwrap()).collect();
        for (mask, shape) in masks.iter().zip(&shapes) {
            // Pieces are the shape, and fewer than the rectangles of the exact mask.
            let area: f64 =
                shape.pieces().pieces.iter().map(|p| hitmask::Mass::of([&p[..]]).area).sum();
            assert!((area - shape.mass().area).abs() < 1e-6 && pieces(shape) <= mask.rects().len());
        }
        group.bench_function(format!("pieces at {error} px"), |b| {
            b.iter(|| shapes.iter().map(pieces).sum::<usize>());
        });
    }
    group.finish();
}

fn assert_same(one: &ShapeGrid, two: &ShapeGrid) {
    for id in 0..one.len() as u32 {
        let [one, two] = [one, two].map(|grid| grid.cell(id).unwrap());
        assert_eq!(one.shape().polygons(), two.shape().polygons(), "cell {id}");
        assert_eq!((one.pieces(), one.chains()), (two.pieces(), two.chains()), "cell {id}");
    }
}

fn terrain(c: &mut Criterion) {
    for kind in [Terrain::Hills, Terrain::Islands] {
        let ground = kind.mask(SIDE);
        let shell = Mask::disc(16).unwrap();
        let [w, h] = [shell.width(), shell.height()].map(|side| side as i32);
        // Craters at the surface, where cells have outlines.
        let mut random = Random::new(7);
        let mut places = Vec::new();
        while places.len() < 64 {
            let [x, y] = [w, h].map(|side| random.within(0, SIDE as i32 - side));
            if (1..shell.count()).contains(&ground.overlap_area(&shell, [x, y])) {
                places.push([x, y]);
            }
        }
        let area = |[x, y]: [i32; 2]| Rect::new(x, y, x + w, y + h);
        let mut carved = ground.clone();
        let mut grid = ShapeGrid::new(&carved, 64, 1.0).unwrap();
        for &at in &places {
            carved.erase(&shell, at);
            grid.update(&carved, area(at)).unwrap();
        }
        assert_same(&grid, &ShapeGrid::new(&carved, 64, 1.0).unwrap());

        let mut group = c.benchmark_group(format!("{kind:?} of {SIDE} px"));
        group.sample_size(20).measurement_time(Duration::from_secs(3));
        group.bench_function("naive: trace all", |b| b.iter(|| ShapeGrid::new(&ground, 64, 1.0)));
        group.bench_function("one polygon set, with pieces", |b| {
            b.iter(|| pieces(&ground.shape(1.0).unwrap()));
        });
        group.bench_function("64 craters", |b| {
            let fresh = || (ground.clone(), ShapeGrid::new(&ground, 64, 1.0).unwrap());
            let carve = |(mut ground, mut grid): (Mask, ShapeGrid)| {
                for &at in &places {
                    ground.erase(&shell, at);
                    black_box(grid.update(&ground, area(at)).unwrap());
                }
                (ground, grid)
            };
            b.iter_batched(fresh, carve, BatchSize::LargeInput);
        });
        group.finish();
    }
}

criterion_group!(benches, sprites, terrain);
criterion_main!(benches);
