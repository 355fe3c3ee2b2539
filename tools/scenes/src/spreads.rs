//! Distributions of boxes for tests, and the random numbers that they use.

use hitmask::Rect;

/// A deterministic random number generator (LCG).
pub struct Numbers(pub u64);

impl Numbers {
    /// Returns a number from 0 to `end - 1`.
    pub fn below(&mut self, end: i64) -> i32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((i128::from(self.0 >> 32) * i128::from(end)) >> 32) as i32
    }

    /// Returns a rectangle of up to `[w, h]` pixels whose corner lies within `[x, y]`.
    pub fn rect(&mut self, [x, y]: [i64; 2], [w, h]: [i64; 2]) -> Rect {
        let (x, y) = (self.below(x), self.below(y));
        Rect::new(x, y, x + 1 + self.below(w), y + 1 + self.below(h))
    }

    /// Returns `n` rectangles as of [`rect`](Self::rect).
    pub fn rects(&mut self, n: usize, area: [i64; 2], size: [i64; 2]) -> Vec<Rect> {
        (0..n).map(|_| self.rect(area, size)).collect()
    }
}

/// Returns distributions of about `n` boxes, each with its own risk.
pub fn box_spreads(n: usize) -> Vec<(&'static str, Vec<Rect>)> {
    let mut r = Numbers(n as u64);
    let side = (n as f64).sqrt() as i64 * 60 + 1;
    let few = (n / 50 + 1) as i64;
    let world = 1 << 30;
    let far = Rect::new(1_020_000_000, 1_020_000_000, 1_020_000_030, 1_020_000_020);
    let giant = Rect::new(-1_020_000_000, -1_020_000_000, 1_020_000_000, 1_020_000_000);
    let uniform = r.rects(n, [side, side], [70, 70]);
    let with = |extra: &[Rect]| [&uniform[..], extra].concat();
    let column = (0..n as i32).map(|i| Rect::new(5, 20 * i, 25, 20 * i + 21)).collect();
    let touching =
        (0..n as i32).map(|i| Rect::new(i % 9 * 8, i / 9 * 8, i % 9 * 8 + 8, i / 9 * 8 + 8));
    let mixed = (0..n).map(|i| {
        let size = [4, 30, 300, 3000][[0, 0, 0, 0, 0, 1, 1, 2, 3][i % 9]];
        r.rect([side, side], [size, size])
    });
    let mixed = mixed.collect();
    let clusters = (0..n).map(|i| {
        let corner = [[0, 0], [900_000_000, 5], [40, -1_000_000_000], [2_000, 2_000]][i % 4];
        r.rect([few * 4, few * 4], [30, 30]).translated(corner)
    });
    let clusters = clusters.collect();
    let mut c = Numbers(n as u64 + 1);
    let centres: Vec<[i32; 2]> = (0..9).map(|_| [c.below(world), c.below(few)]).collect();
    let clusters_in_rows =
        (0..n).map(|i| c.rect([few * 4, few * 4], [30, 30]).translated(centres[i % 9])).collect();
    vec![
        ("one giant among dust", with(&[giant])),
        (
            "giants of both shapes",
            with(&[
                giant,
                Rect::new(-900, 40, 1_000_000, 43),
                Rect::new(77, -1_000_000_000, 78, 1_000_000_000),
                Rect::new(0, 0, 3 * side as i32, 3 * side as i32),
            ]),
        ),
        ("one stray far away", with(&[far])),
        ("strays on both sides", with(&[far, Rect::new(-1_020_000_000, 3, -1_019_999_000, 9)])),
        ("uniform", uniform),
        ("a row", r.rects(n, [60 * n as i64, 1], [70, 30])),
        ("a column", column),
        ("a column, uneven", r.rects(n, [3, 20 * n as i64], [30, 50])),
        ("touching, never overlapping", touching.collect()),
        ("on one spot", vec![Rect::new(-3, 7, 12, 9); n.min(300)]),
        ("nearly on one spot", r.rects(n.min(300), [9, 9], [20, 20])),
        ("a sparse world", r.rects(n, [world, world], [60, 60])),
        ("a sparse row", r.rects(n, [world, 20], [60, 60])),
        ("wide and flat", r.rects(n.min(900), [world, 60 * n as i64], [world / 9, 9])),
        ("narrow and high", r.rects(n.min(900), [60 * n as i64, world], [9, world / 9])),
        ("clusters far apart", clusters),
        ("clusters side by side, far apart", clusters_in_rows),
        ("sizes over four powers of ten", mixed),
        (
            "every other one empty",
            r.rects(n, [side, side], [70, 70])
                .into_iter()
                .enumerate()
                .map(|(i, rect)| {
                    if i % 2 == 0 {
                        rect
                    } else {
                        [Rect::default(), Rect::new(9, 9, 5, 30)][i / 2 % 2]
                    }
                })
                .collect(),
        ),
        ("all empty", vec![Rect::new(5, 5, 5, 9); n]),
    ]
}
