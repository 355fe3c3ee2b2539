//! Masks that move: what parts two of them, what brings them together, when they meet on the way.
//!
//! Everything here is exact to the pixel, and nothing tests one place after the other: see
//! `spans.rs`. [`naive`] does, and is the truth of the tests.
//!
//! Called through the methods of [`MaskRef`](crate::MaskRef), and by worlds.

pub(crate) mod cast;
mod first;
mod impact;
pub(crate) mod naive;
mod nearest;
mod normal;
mod order;
pub(crate) mod push;
mod runs;
mod small;
mod spans;
mod taken;
mod touch;
mod windows;
mod zone;

pub use impact::Impact;
pub use normal::{Normal, Side};
pub use touch::Touch;
pub use zone::LineHit;

use crate::geom::Point;

/// A translation, as what is searched for: the shortest first, of equally short ones that which
/// points farthest up, of those the one farthest left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    square: i128,
    y: i64,
    x: i64,
}

impl Candidate {
    fn new([x, y]: [i64; 2]) -> Self {
        let square = |v: i64| i128::from(v) * i128::from(v);
        Self { square: square(x) + square(y), y, x }
    }

    /// As a point; where it is longer than a point can say, the longest.
    fn point(self) -> Point {
        let end = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Point::new(end(self.x), end(self.y))
    }
}

/// The whole part of the square root of a number that is not negative.
fn root(square: i128) -> i64 {
    let mut root = (square as f64).sqrt() as i64;
    // The nearest f64 may be off by one to either side of a whole number.
    while i128::from(root) * i128::from(root) > square {
        root -= 1;
    }
    while i128::from(root + 1) * i128::from(root + 1) <= square {
        root += 1;
    }
    root
}
