//! The naive slide, which the naive world and the benches of walks share.

use hitmask::{PixelPath, Point};

/// Returns how far a slide by `rest` goes that starts free. It moves pixel by pixel, along one axis while
/// the other is blocked, and climbs up to `climb` pixels, 0 or 1, per pixel sideways.
#[must_use]
pub fn slide(mut rest: Point, climb: i32, free: impl Fn(Point) -> bool) -> Point {
    let (none, mut by) = (Point::default(), Point::default());
    'way: while rest != none {
        let path = PixelPath::new(rest);
        let Some(step) = (1..=path.steps()).find(|&step| !free(by + path.at(step))) else {
            return by + rest;
        };
        let before = path.at(step - 1);
        (by, rest) = (by + before, rest - before);
        let Point { x, y } = path.at(step) - before;
        let parts = [(Point::new(x, 0), Point::new(0, y)), (Point::new(0, y), Point::new(x, 0))];
        let slants = x != 0 && y != 0;
        if let Some((part, other)) = parts.into_iter().find(|p| slants && free(by + p.0)) {
            loop {
                (by, rest) = (by + part, rest - part);
                let left = part.x * rest.x + part.y * rest.y;
                if left == 0 || free(by + other) || !free(by + part) {
                    continue 'way;
                }
            }
        }
        let (up, aside) = (Point::new(0, -climb), Point::new(x, 0));
        if y != 0 {
            rest.y = 0;
        } else if up != none && free(by + up) && free(by + up + aside) {
            (by, rest) = (by + up + aside, rest - aside);
        } else {
            rest.x = 0;
        }
    }
    by
}
