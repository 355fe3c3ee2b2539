//! Masks with the largest sides: every operation moves and counts the set pixels as a list of them does.

use hitmask::{Connectivity, GrowShape, MAX_SIDE, Mask, Point, Rect};
use hitmask_scenes::{LARGE_SIZES, Random, pixels, solid, sparse};
use std::collections::HashSet;

const SIDE: i32 = MAX_SIDE as i32;

fn sorted(pixels: impl IntoIterator<Item = Point>) -> Vec<Point> {
    let mut pixels: Vec<Point> = pixels.into_iter().collect();
    pixels.sort_unstable_by_key(|p| (p.y, p.x));
    pixels
}

fn masks() -> Vec<(Mask, Vec<Point>)> {
    let mut random = Random::new(17);
    let sizes = LARGE_SIZES.into_iter().chain([[2_048, MAX_SIDE]]);
    sizes
        .map(|[w, h]| {
            let mask = sparse(w, h, &mut random);
            let pixels = sorted(pixels(mask.as_ref()));
            (mask, pixels)
        })
        .collect()
}

#[test]
fn flips_turns_parts_and_bytes_keep_each_pixel_of_the_largest_masks() {
    for (mask, pixels) in masks() {
        let (w, h) = (mask.width() as i32, mask.height() as i32);
        let is = |found: &Mask, map: &dyn Fn(Point) -> Point| {
            let expected = sorted(pixels.iter().map(|&p| map(p)));
            assert!(sorted(self::pixels(found.as_ref())) == expected, "{w} x {h}");
        };
        assert_eq!(mask.count(), pixels.len() as u64);
        assert_eq!(mask.bounds(), Some(Rect::new(0, 0, w, h)));
        is(&mask.flip_x(), &|p| Point::new(w - 1 - p.x, p.y));
        is(&mask.flip_y(), &|p| Point::new(p.x, h - 1 - p.y));
        is(&mask.quarter_turned(), &|p| Point::new(h - 1 - p.y, p.x));
        assert!(Mask::from_bits(mask.width(), mask.height(), &mask.to_bits()).unwrap() == mask);
        let (union, at) = Mask::union([(&mask, [-SIDE, 40_000])]).unwrap();
        assert!(union == mask && at == Point::new(-SIDE, 40_000));
        let mut copy = mask.clone();
        copy.toggle(&mask, [0, 0]);
        assert_eq!(copy.count(), 0);
        copy.draw(&mask, [1 - w, 1 - h]);
        assert_eq!(copy.bounds(), Some(Rect::new(0, 0, 1, 1)));
        copy.draw(&mask, [w - 1, h - 1]);
        assert!(copy.get(w - 1, h - 1));
        let end = mask.cropped(Rect::new(w - 1, h - 1, w + 5, h + 5)).unwrap();
        assert_eq!(end.bounds(), Some(Rect::new(0, 0, 1, 1)));
        let halved = mask.scaled(mask.width().div_ceil(2), mask.height().div_ceil(2)).unwrap();
        let back = halved.scaled(mask.width(), mask.height()).unwrap();
        assert_eq!((back.width(), back.height()), (mask.width(), mask.height()));
    }
}

#[test]
fn shapes_of_the_largest_masks_are_those_of_their_pixels() {
    for (mask, pixels) in masks() {
        let (w, h) = (i64::from(mask.width()), i64::from(mask.height()));
        let hull = mask.convex_hull().unwrap();
        assert_eq!(hull.double_area(), 2 * w * h);
        let sum = |of: fn(&Point) -> i32| pixels.iter().map(|p| i128::from(of(p))).sum::<i128>();
        let n = pixels.len() as i128;
        let mean = |sum: i128| ((2 * sum + n) as f64 / (2 * n) as f64) as f32;
        assert_eq!(mask.centroid(), Some([mean(sum(|p| p.x)), mean(sum(|p| p.y))]));
        let product = |of: fn(i128, i128) -> i128| {
            pixels.iter().map(|p| of(p.x.into(), p.y.into())).sum::<i128>() * n
        };
        let (x, y) = (sum(|p| p.x), sum(|p| p.y));
        let spread = product(|x, _| x * x) - x * x - (product(|_, y| y * y) - y * y);
        let slant = 2 * (product(|x, y| x * y) - x * y);
        let angle = (0.5 * (slant as f64).atan2(spread as f64)) as f32;
        assert_eq!(mask.angle(), Some(angle));
        // The pixels of each component, and each pixel in one of them.
        let set: HashSet<Point> = pixels.iter().copied().collect();
        let parts = mask.components(Connectivity::Four);
        assert_eq!(parts.iter().map(|part| part.area()).sum::<u64>(), pixels.len() as u64);
        for &p in &pixels {
            let index = parts.at(p).unwrap().index();
            for by in
                [[1, 0], [0, 1]].map(Point::from).into_iter().filter(|&by| set.contains(&(p + by)))
            {
                assert_eq!(parts.at(p + by).unwrap().index(), index);
            }
        }
        let polygons = mask.polygons(Connectivity::Four);
        let area: i64 = polygons.iter().map(|polygon| polygon.double_area()).sum();
        assert_eq!(area, 2 * pixels.len() as i64);
        let corners: Vec<Vec<[f32; 2]>> = polygons
            .iter()
            .map(|polygon| polygon.points().iter().map(|p| [p.x as f32, p.y as f32]).collect())
            .collect();
        // Each of the 4,000 edges is compared with each row.
        if w * h <= 130 * i64::from(MAX_SIDE) {
            let (filled, at) = Mask::from_polygons(corners.iter().map(Vec::as_slice)).unwrap();
            assert!(filled == mask && at == Point::default(), "{w} x {h}");
        }
    }
}

#[test]
fn long_diagonals_of_polygons_are_filled() {
    let side = MAX_SIDE as f32;
    for triangle in [
        [[0.0, 0.0], [side, 0.0], [0.0, 300.0]],
        [[0.0, 0.0], [300.0, side], [0.0, side]],
        [[side, 0.0], [side, 100.0], [0.0, 100.0]],
    ] {
        let (mask, at) = Mask::from_polygons([&triangle[..]]).unwrap();
        let [x, y] = [at.x, at.y].map(i64::from);
        // A centre is inside if it is on the same side of all edges, in half-pixels.
        let corners = triangle.map(|corner| corner.map(|v| 2 * v as i64));
        let is_inside = |px: i64, py: i64| {
            let cross = |i: usize| {
                let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % 3]);
                (bx - ax) * (2 * py + 1 - ay) - (by - ay) * (2 * px + 1 - ax)
            };
            [0, 1, 2].map(|i| cross(i).signum())
        };
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let [px, py] = [mask.width(), mask.height()].map(|side| i64::from(random.below(side)));
            let signs = is_inside(x + px, y + py);
            if !signs.contains(&0) {
                let inside = signs == [1; 3] || signs == [-1; 3];
                assert_eq!(mask.get(px as i32, py as i32), inside, "{px} {py} of {triangle:?}");
            }
        }
    }
}

#[test]
fn growing_shrinking_and_convolving_work_up_to_the_largest_side() {
    for (width, height) in [(MAX_SIDE - 40, 30), (30, MAX_SIDE - 40)] {
        let (w, h) = (width as i32, height as i32);
        let bar = solid(width, height);
        for shape in [GrowShape::Disc, GrowShape::Square] {
            let grown = bar.grown(20, shape).unwrap();
            assert_eq!(grown.bounds(), Some(Rect::new(0, 0, w + 40, h + 40)));
            let shrunk = grown.shrunk(20, shape);
            assert!(shrunk.cropped(Rect::new(20, 20, 20 + w, 20 + h)).unwrap() == bar);
            assert_eq!(shrunk.count(), bar.count());
            assert!(bar.grown(21, shape).is_err());
            assert_eq!(
                bar.shrunk(5, shape).count(),
                u64::from(width - 10) * u64::from(height - 10)
            );
        }
        let dots = Mask::from_bits(41, 41, &[&[0x80][..], &[0; 244], &[0x80]].concat());
        let dots = dots.unwrap();
        let sum = bar.convolve(&dots).unwrap();
        assert_eq!((sum.width(), sum.height()), (width + 40, height + 40));
        assert_eq!(sum.count(), dots.count() * bar.count());
    }
}
