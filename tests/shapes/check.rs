//! Masks of all kinds, and slow checks of polygons.

use hitmask::{Connectivity, Mask, Rect, ShapePolygon};
use hitmask_scenes::cases;
use proptest::prelude::*;

/// Returns the number of cases of each property: `HITMASK_SHAPES`, or a fast default.
pub(crate) fn config() -> ProptestConfig {
    let named = std::env::var("HITMASK_SHAPES").ok();
    let count = named.map_or(cases(300, 1500), |count| count.parse().expect("a number of cases"));
    ProptestConfig::with_cases(count)
}

/// A corner in sixteenths of a pixel. Corners of shapes in pixels are whole numbers of them.
pub(crate) type Corner = [i64; 2];

pub(crate) fn units(corners: &[[f32; 2]]) -> Vec<Corner> {
    let unit = |v: f32| {
        let units = f64::from(v) * 16.0;
        assert_eq!(units.fract(), 0.0, "a sixteenth of a pixel");
        units as i64
    };
    corners.iter().map(|corner| corner.map(unit)).collect()
}

/// Returns the rings of polygons: borders and holes.
pub(crate) fn rings(polygons: &[ShapePolygon]) -> Vec<Vec<Corner>> {
    let rings = polygons.iter().flat_map(|p| std::iter::once(&p.border).chain(&p.holes));
    rings.map(|ring| units(ring)).collect()
}

pub(crate) fn edges(ring: &[Corner]) -> impl Iterator<Item = [Corner; 2]> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

pub(crate) fn cross(a: Corner, b: Corner, c: Corner) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

pub(crate) fn double_area(ring: &[Corner]) -> i64 {
    edges(ring).map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum()
}

fn on_segment(p: Corner, [a, b]: [Corner; 2]) -> bool {
    let within = |k: usize| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]);
    cross(a, b, p) == 0 && within(0) && within(1)
}

/// Tests whether two segments share a point.
fn meet(one: [Corner; 2], two: [Corner; 2]) -> bool {
    let side = |[a, b]: [Corner; 2], p| cross(a, b, p).signum();
    let crossing =
        side(one, two[0]) * side(one, two[1]) < 0 && side(two, one[0]) * side(two, one[1]) < 0;
    crossing || one.iter().any(|&p| on_segment(p, two)) || two.iter().any(|&p| on_segment(p, one))
}

/// Tests whether a point is inside a ring. Points on the ring count as outside or inside.
pub(crate) fn inside(ring: &[Corner], p: Corner) -> bool {
    let crossed = edges(ring)
        .filter(|&[a, b]| (a[1] > p[1]) != (b[1] > p[1]) && (cross(a, b, p) > 0) == (b[1] > a[1]));
    crossed.count() % 2 == 1
}

/// Asserts that polygons are simple and disjoint, that holes lie in their border, and that every
/// ring runs the right way round.
pub(crate) fn assert_valid(polygons: &[ShapePolygon], mask: &Mask) {
    let all = rings(polygons);
    for (i, ring) in all.iter().enumerate() {
        let edges_i: Vec<_> = edges(ring).collect();
        let n = edges_i.len();
        assert!(n >= 3, "{mask}");
        for (k, &[a, b]) in edges_i.iter().enumerate() {
            assert_ne!(a, b, "{mask}");
            // The next edge starts where this one ends, and shares no other point.
            let [_, c] = edges_i[(k + 1) % n];
            let back = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]);
            assert!(cross(a, b, c) != 0 || back < 0, "folds back at {b:?}\n{mask}");
            for (l, &other) in edges_i.iter().enumerate().skip(k + 2) {
                if (l + 1) % n != k {
                    assert!(!meet([a, b], other), "{:?} meets {other:?}\n{mask}", [a, b]);
                }
            }
            for other in all[i + 1..].iter().flat_map(|ring| edges(ring)) {
                assert!(!meet([a, b], other), "{:?} meets {other:?}\n{mask}", [a, b]);
            }
        }
    }
    for polygon in polygons {
        let border = units(&polygon.border);
        assert!(double_area(&border) > 0, "{mask}");
        for hole in polygon.holes.iter().map(|hole| units(hole)) {
            assert!(double_area(&hole) < 0, "{mask}");
            assert!(inside(&border, hole[0]), "a hole outside its border\n{mask}");
        }
        // A border lies in no polygon but its own.
        for other in polygons.iter().filter(|other| **other != *polygon) {
            let in_hole = |hole: &Vec<[f32; 2]>| inside(&units(hole), border[0]);
            let is_in = inside(&units(&other.border), border[0]);
            assert!(!is_in || other.holes.iter().any(in_hole), "polygons overlap\n{mask}");
        }
    }
}

fn distance(p: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (a[0] + t * dx - p[0]).hypot(a[1] + t * dy - p[1])
}

fn pixels([a, b]: [Corner; 2]) -> [[f64; 2]; 2] {
    [a, b].map(|corner| corner.map(|v| v as f64 / 16.0))
}

/// Returns the greatest distance in pixels of a point of `one` to `other`, by samples 1/4 px apart.
pub(crate) fn farthest(one: &[[Corner; 2]], other: &[[Corner; 2]]) -> f64 {
    let other: Vec<_> = other.iter().map(|&edge| pixels(edge)).collect();
    let mut most = 0.0_f64;
    for [a, b] in one.iter().map(|&edge| pixels(edge)) {
        let steps = ((b[0] - a[0]).hypot(b[1] - a[1]) * 4.0).ceil();
        for i in 0..=steps as i32 {
            let t = f64::from(i) / steps;
            let p = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            most = most.max(other.iter().map(|&edge| distance(p, edge)).fold(f64::MAX, f64::min));
        }
    }
    most
}

/// Returns the exact edges between set and clear pixels.
pub(crate) fn exact_edges(mask: &Mask) -> Vec<[Corner; 2]> {
    let polygons = mask.polygons(Connectivity::Eight);
    let corners = |p: &hitmask::Polygon| -> Vec<Corner> {
        p.points().iter().map(|p| [i64::from(p.x) * 16, i64::from(p.y) * 16]).collect()
    };
    polygons.iter().flat_map(|p| edges(&corners(p)).collect::<Vec<_>>()).collect()
}

/// Returns noise, rings in rings, pinches, diagonals, combs and blobs.
pub(crate) fn masks(side: u32) -> impl Strategy<Value = Mask> {
    (0..7_u32, 1..=side, 1..=side, any::<u64>())
        .prop_map(|(kind, w, h, seed)| mask(kind, w, h, seed))
}

fn mask(kind: u32, w: u32, h: u32, seed: u64) -> Mask {
    let mut state = seed | 1;
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    };
    let mut mask = Mask::new(w, h).unwrap();
    let period = 2 + random(6) as i32;
    let share = 1 + random(9);
    let thick = 1 + random(3) as i32;
    for y in 0..h as i32 {
        for x in 0..w as i32 {
            let (cx, cy) = (x - w as i32 / 2, y - h as i32 / 2);
            let solid = match kind {
                // Noise.
                0 => random(10) < share,
                // Square rings in rings.
                1 => cx.abs().max(cy.abs()) % period < thick,
                // Round rings in rings.
                2 => (f64::from(cx * cx + cy * cy).sqrt() as i32) % period < thick,
                // Squares that meet at corners.
                3 => (x / thick + y / thick) % 2 == 0,
                // Diagonals, some with gaps.
                4 => (x + y * (1 + (seed % 3) as i32)) % (period + 2) < thick && random(20) > 0,
                // Combs.
                5 => y % 17 < 2 || x % period == 0,
                // Noise on a solid block.
                _ => random(12) > 0,
            };
            mask.set(x, y, solid);
        }
    }
    if kind == 6 && w > 6 {
        mask.fill_rect(Rect::new(w as i32 / 3, 0, w as i32 / 3 + thick, h as i32), false);
    }
    mask
}
