//! Benchmarks of mask operations.
//!
//! The counterparts are the same operation per pixel. All answers are compared before they are timed.
//! `hitmask bench narrow` has overlaps.
//!
//! ```sh
//! cargo bench --bench mask              # everything
//! cargo bench --bench mask -- outline   # one question
//! ```

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hitmask::{Connectivity, Graze, GrowShape, Mask, Point};
use hitmask_scenes::named;
use std::time::Duration;

fn per_pixel(width: u32, height: u32, solid: impl Fn(i32, i32) -> bool) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, solid(x as i32, y as i32));
        }
    }
    mask
}

/// A sprite of 256 px with lumps and holes.
fn sprite() -> Mask {
    named("blob").mask().scaled(256, 230).unwrap()
}

/// Textbook border following, pixel by pixel.
fn naive_outline(mask: &Mask) -> Vec<Point> {
    let ring = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
    let mut all =
        (0..mask.height() as i32).flat_map(|y| (0..mask.width() as i32).map(move |x| [x, y]));
    let Some(start) = all.find(|&[x, y]| mask.get(x, y)) else { return vec![] };
    let (mut border, mut current, mut search_start) = (Vec::new(), start, 5);
    loop {
        border.push(Point::from(current));
        let step = |k: usize| [current[0] + ring[k % 8][0], current[1] + ring[k % 8][1]];
        let next = (search_start..search_start + 8).find(|&k| mask.get(step(k)[0], step(k)[1]));
        if let Some(k) = next {
            (current, search_start) = (step(k), (k + if k % 2 == 0 { 7 } else { 6 }) % 8);
        }
        // Sufficient for this sprite, which is wider than one pixel at the start of the border.
        if current == start {
            return border;
        }
    }
}

fn outline(c: &mut Criterion) {
    let mask = sprite();
    assert_eq!(mask.outline().collect::<Vec<_>>(), naive_outline(&mask));
    let mut group = c.benchmark_group("outline, 256 px");
    group.bench_function("fast", |b| b.iter(|| mask.outline().collect::<Vec<_>>()));
    group.bench_function("naive", |b| b.iter(|| naive_outline(&mask)));
    group.bench_function("polygons", |b| b.iter(|| mask.polygons(Connectivity::Eight)));
    group.bench_function("convex hull", |b| b.iter(|| mask.convex_hull()));
    group.finish();
}

/// Returns the number of components and the area of the largest, by a flood fill from each pixel.
fn naive_components(mask: &Mask) -> (usize, u64) {
    let mut left = mask.clone();
    let (mut number, mut largest) = (0, 0);
    for y in 0..mask.height() as i32 {
        for x in 0..mask.width() as i32 {
            let (mut open, mut area) = (vec![(x, y)], 0);
            while let Some((x, y)) = open.pop() {
                if left.get(x, y) {
                    left.set(x, y, false);
                    area += 1;
                    open.extend((-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))));
                }
            }
            number += usize::from(area > 0);
            largest = largest.max(area);
        }
    }
    (number, largest)
}

fn components(c: &mut Criterion) {
    // A checkerboard with a hole and a star: squares joined at corners, fragments, and one sprite.
    let mut mask = named("checker").mask().scaled(256, 256).unwrap();
    mask.erase(&sprite(), [0, 0]);
    mask.draw(&named("star").mask(), [90, 80]);
    let found = |mask: &Mask| {
        let parts = mask.components(Connectivity::Eight);
        (parts.iter().len(), parts.largest().map_or(0, |part| part.area()))
    };
    assert_eq!(found(&mask), naive_components(&mask));
    let mut group = c.benchmark_group("components, 256 px");
    group.bench_function("fast", |b| b.iter(|| found(&mask)));
    group.bench_function("naive", |b| b.iter(|| naive_components(&mask)));
    group.finish();
}

/// Sets every pixel of the disc around each set pixel.
fn naive_grown(mask: &Mask, radius: i32) -> Mask {
    let side = |side: u32| side + 2 * radius as u32;
    let mut grown = Mask::new(side(mask.width()), side(mask.height())).unwrap();
    for y in 0..mask.height() as i32 {
        for x in (0..mask.width() as i32).filter(|&x| mask.get(x, y)) {
            for dy in -radius..=radius {
                for dx in (-radius..=radius).filter(|dx| dx * dx + dy * dy <= radius * radius) {
                    grown.set(x + dx + radius, y + dy + radius, true);
                }
            }
        }
    }
    grown
}

fn grow(c: &mut Criterion) {
    for (name, mask) in [("64 px", named("hull").mask()), ("256 px", sprite())] {
        let grown = mask.grown(8, GrowShape::Disc).unwrap();
        assert_eq!(grown, naive_grown(&mask, 8));
        assert!(mask.shrunk(8, GrowShape::Disc).count() > 0);
        let mut group = c.benchmark_group(format!("grow by 8, {name}"));
        group.bench_function("disc", |b| b.iter(|| mask.grown(8, GrowShape::Disc)));
        group.bench_function("naive", |b| b.iter(|| naive_grown(&mask, 8)));
        group.bench_function("square", |b| b.iter(|| mask.grown(8, GrowShape::Square)));
        group.bench_function("shrink, disc", |b| b.iter(|| mask.shrunk(8, GrowShape::Disc)));
        group.finish();
    }
}

/// A round shot of 15 px around a ship of 64 px, with a graze radius of 8 px.
fn graze(c: &mut Criterion) {
    let (ship, shot) = (named("hull").mask(), Mask::disc(7).unwrap());
    let positions: Vec<[i32; 2]> =
        (0..2_000).map(|i| [i * 37 % 104 - 24, i * 61 % 104 - 24]).collect();
    let grown = ship.grown(8, GrowShape::Disc).unwrap();
    let naive = |&[x, y]: &[i32; 2]| {
        let near = |u: i32, v: i32| {
            (-8..=8).any(|dy: i32| {
                (-8..=8).any(|dx: i32| dx * dx + dy * dy <= 64 && ship.get(u + dx, v + dy))
            })
        };
        let mut solid =
            (0..15).flat_map(|v| (0..15).map(move |u| (u, v))).filter(|&(u, v)| shot.get(u, v));
        match (ship.touches(&shot, [x, y]), solid.any(|(u, v)| near(u + x, v + y))) {
            (true, _) => Graze::Hit,
            (false, true) => Graze::Graze,
            (false, false) => Graze::Clear,
        }
    };
    let one_call = |&[x, y]: &[i32; 2]| ship.graze(&shot, [x, y], 8);
    let with_grown_mask = |&[x, y]: &[i32; 2]| match grown.touches(&shot, [x + 8, y + 8]) {
        true if ship.touches(&shot, [x, y]) => Graze::Hit,
        true => Graze::Graze,
        false => Graze::Clear,
    };
    assert!(
        positions.iter().all(|at| one_call(at) == naive(at) && with_grown_mask(at) == naive(at))
    );
    let count = |test: &dyn Fn(&[i32; 2]) -> Graze| {
        positions.iter().filter(|at| test(at) == Graze::Graze).count()
    };
    let mut group = c.benchmark_group("graze");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("fast", |b| b.iter(|| count(&one_call)));
    group.bench_function("with the grown mask kept", |b| b.iter(|| count(&with_grown_mask)));
    group.bench_function("naive", |b| b.iter(|| count(&naive)));
    group.finish();
}

/// 64 px craters all over a terrain of 2048 x 512 px.
fn erase(c: &mut Criterion) {
    let mut terrain = Mask::new(2048, 512).unwrap();
    terrain.fill();
    let crater = Mask::disc(32).unwrap();
    let positions: Vec<[i32; 2]> =
        (0..64).map(|i| [i * 613 % 2048 - 32, i * 337 % 512 - 32]).collect();
    let naive = |terrain: &mut Mask, [x, y]: [i32; 2]| {
        for v in 0..65 {
            for u in (0..65).filter(|&u| crater.get(u, v)) {
                if let (x @ 0..2048, y @ 0..512) = (x + u, y + v) {
                    terrain.set(x, y, false);
                }
            }
        }
    };
    let (mut fast, mut slow) = (terrain.clone(), terrain);
    positions.iter().for_each(|&at| fast.erase(&crater, at));
    positions.iter().for_each(|&at| naive(&mut slow, at));
    assert_eq!(fast, slow);
    let mut group = c.benchmark_group("erase a disc of 65 px");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("fast", |b| {
        b.iter(|| positions.iter().for_each(|&at| fast.erase(&crater, at)));
    });
    group.bench_function("naive", |b| {
        b.iter(|| positions.iter().for_each(|&at| naive(&mut slow, at)))
    });
    group.finish();
}

fn convolve(c: &mut Criterion) {
    let (a, b) = (named("hull").mask(), named("star").mask());
    let (right, down) = (b.width() as i32 - 1, b.height() as i32 - 1);
    let (width, height) = (a.width() + right as u32, a.height() + down as u32);
    let offset_by_offset = || per_pixel(width, height, |x, y| a.touches(&b, [x - right, y - down]));
    assert_eq!(a.convolve(&b).unwrap(), offset_by_offset());
    let mut group = c.benchmark_group("convolve, 64 and 80 px");
    group.bench_function("fast", |bench| bench.iter(|| a.convolve(&b)));
    group.bench_function("offset by offset", |bench| bench.iter(offset_by_offset));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(100));
    targets = outline, components, grow, graze, erase, convolve
}
criterion_main!(benches);
