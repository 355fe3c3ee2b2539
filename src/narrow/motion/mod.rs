//! Motions of masks: the shortest way out of another mask, the shortest way to it, and the first
//! contact on a path.
//!
//! Every answer is exact to the pixel. No search tests one translation after the other: both masks
//! are split into runs (`row_runs.rs`), and runs that face each other give ranges of translations.
//!
//! | question | file |
//! |---|---|
//! | shortest way out, way out along a direction | `push_out.rs`, `blocked_ranges.rs` |
//! | first contact on a path | `cast.rs`, `reachable_windows.rs` |
//! | shortest way to a contact | `nearest.rs`, `reachable_windows.rs` |
//!
//! Called through the methods of [`MaskRef`](crate::MaskRef), and by worlds.

mod blocked_ranges;
pub(crate) mod cast;
mod first_run;
mod motion_api;
mod nearest;
mod normal;
mod overlap_details;
pub(crate) mod push_out;
mod reachable_windows;
mod row_runs;
mod shape_queries;

pub use motion_api::Impact;
pub use normal::{Normal, Side};
pub use overlap_details::Overlap;
pub use shape_queries::LineHit;

use crate::geom::Point;

/// A translation, as what is searched for: the shortest first, of equally short ones that which
/// points farthest up, of those the one farthest left.
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

    /// As a point; where it is longer than a point can say, the longest.
    pub(super) fn point(self) -> Point {
        let end = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Point::new(end(self.x), end(self.y))
    }
}

/// Returns 0, -1, 1, -2, 2, ... to `limit` on either side.
fn outwards(limit: i64) -> impl Iterator<Item = i64> {
    (0..=limit).flat_map(|size| [-size, size].into_iter().skip(usize::from(size == 0)))
}

/// The whole part of the square root of a number that is not negative.
fn floor_sqrt(square: i128) -> i64 {
    let mut floor_sqrt = (square as f64).sqrt() as i64;
    // The nearest f64 may be off by one to either side of a whole number.
    while i128::from(floor_sqrt) * i128::from(floor_sqrt) > square {
        floor_sqrt -= 1;
    }
    while i128::from(floor_sqrt + 1) * i128::from(floor_sqrt + 1) <= square {
        floor_sqrt += 1;
    }
    floor_sqrt
}
