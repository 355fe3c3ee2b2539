//! The same, one place after the other.

use super::Candidate;
use crate::geom::{Path, Point};
use crate::mask::MaskRef;

/// The first step of a motion's path after which `a`, at (0, 0), touches `b`, at `offset`: every
/// pixel of the path is tried.
#[must_use]
pub fn cast(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, motion: Point) -> Option<u32> {
    (0..).zip(Path::new(motion).pixels()).find(|(_, at)| a.touches(b, offset - *at)).map(|s| s.0)
}

/// The shortest translation after which they do not touch: all are tried, ring by ring.
#[must_use]
pub fn push_out(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    a.touches(b, offset).then(|| search(|by| !a.touches(b, offset - by)))
}

/// The shortest translation after which they touch; neither is without pixels.
#[must_use]
pub fn nearest(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Point {
    search(|by| a.touches(b, offset - by))
}

/// Square rings outwards, until none farther out can be shorter than what was found.
fn search(is_good: impl Fn(Point) -> bool) -> Point {
    let mut best: Option<Candidate> = None;
    for ring in 0_i64.. {
        if best.is_some_and(|best| best.square < i128::from(ring).pow(2)) {
            break;
        }
        for y in -ring..=ring {
            for x in (-ring..=ring).step_by(if y.abs() == ring { 1 } else { 2 * ring as usize }) {
                if is_good(Point::new(x as i32, y as i32)) {
                    let found = Candidate::new([x, y]);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }
    best.map(Candidate::point).unwrap_or_default()
}
