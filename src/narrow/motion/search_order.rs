//! The order of translations in all searches, and the steps of a search.

use crate::geom::Point;

/// Factor of the search radius from one search to the next.
pub(super) const RADIUS_GROWTH: i64 = 4;
pub(super) const TRY_STEPS: u32 = 8;

/// A translation in the order of all searches: by length, then topmost, then leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) square: i128,
    pub(super) y: i64,
    pub(super) x: i64,
}

impl Candidate {
    pub(crate) fn new([x, y]: [i64; 2]) -> Self {
        let square = |v: i64| i128::from(v) * i128::from(v);
        Self { square: square(x) + square(y), y, x }
    }

    /// Returns the translation as a point, each axis clamped to the range of `i32`.
    pub(crate) fn point(self) -> Point {
        let end = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Point::new(end(self.x), end(self.y))
    }
}

/// Returns 0, -1, 1, -2, 2, ... up to `limit` on either side.
pub(super) fn outwards(limit: i64) -> impl Iterator<Item = i64> {
    (0..=limit).flat_map(|size| [-size, size].into_iter().skip(usize::from(size == 0)))
}

/// Returns the floor of the square root of a number that is not negative.
pub(super) fn floor_sqrt(square: i128) -> i64 {
    let mut root = (square as f64).sqrt() as i64;
    // The nearest f64 may be one too small or one too large.
    while i128::from(root) * i128::from(root) > square {
        root -= 1;
    }
    while i128::from(root + 1) * i128::from(root + 1) <= square {
        root += 1;
    }
    root
}
