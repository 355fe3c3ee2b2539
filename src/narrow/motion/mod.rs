//! Motion queries on masks: the shortest push-out, the nearest contact, and the first contact on a
//! path.
//!
//! Invariant: every answer is exact to the pixel. No search tests all translations one by one: both
//! masks are split into runs (`row_runs.rs`), and runs that face each other give ranges of
//! translations.
//!
//! | query | file |
//! |---|---|
//! | shortest push-out, push-out along a direction | `push_out.rs`, `row_bits.rs` |
//! | first contact on a path | `cast.rs`, `reachable_windows.rs` |
//! | shortest translation to a contact | `nearest.rs`, `reachable_windows.rs` |
//! | distance from a point | `nearest.rs` |

pub(crate) mod cast;
mod motion_api;
pub(crate) mod nearest;
mod normal;
mod overlap;
pub(crate) mod push_out;
mod reachable_windows;
mod row_bits;
mod row_runs;
mod shape_queries;

pub use motion_api::Impact;
pub use normal::{Normal, Side};
pub use overlap::{LocalContact, LocalOverlap, Overlap};
pub use shape_queries::LineHit;

use crate::geom::Point;

/// Factor of the search radius from one search to the next.
const RADIUS_GROWTH: i64 = 4;
const TRY_STEPS: u32 = 8;

/// A translation in the order of all searches: by length, then topmost, then leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) square: i128,
    y: i64,
    x: i64,
}

impl Candidate {
    pub(super) fn new([x, y]: [i64; 2]) -> Self {
        let square = |v: i64| i128::from(v) * i128::from(v);
        Self { square: square(x) + square(y), y, x }
    }

    /// Returns the translation as a point, each axis clamped to the range of `i32`.
    pub(super) fn point(self) -> Point {
        let end = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Point::new(end(self.x), end(self.y))
    }
}

/// Returns 0, -1, 1, -2, 2, ... up to `limit` on either side.
fn outwards(limit: i64) -> impl Iterator<Item = i64> {
    (0..=limit).flat_map(|size| [-size, size].into_iter().skip(usize::from(size == 0)))
}

/// Returns the floor of the square root of a number that is not negative.
fn floor_sqrt(square: i128) -> i64 {
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
