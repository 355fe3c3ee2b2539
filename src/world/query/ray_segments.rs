//! Straight ways, part by part: what is asked of the index for rays, lines and casts.
//!
//! Who stops at the first that is met would look in vain at all that lies behind it; and the box round a
//! long way that slants holds mostly what is nowhere near. So a way is asked about in parts, and of each
//! part the index is asked who is near the line itself.

use crate::geom::{Path, Point, Rect};

/// Steps of the first part; each has twice as many as the one before, so that a way without an end takes
/// few. More, and much is found that lies behind the first; fewer, and the index is asked more often.
const PART: u32 = 256;
/// Pixels that a way may stray from a straight line along an axis and still be asked about as a
/// rectangle, which is quicker.
const SLIM: u32 = 48;

/// A part of the way of a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The box where the part starts.
    start: Rect,
    /// How far it goes.
    by: Point,
    /// The step of the whole way that ends it.
    pub(crate) last: u32,
}

impl Part {
    /// Round the box at all its steps.
    fn bounds(&self) -> Rect {
        let (a, b) = (self.start, self.start.translated(self.by));
        Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
    }
}

/// Walks the way of a box in parts: `ask` gets each, and ends the walk where it has an answer.
pub(crate) fn along<R>(
    start: Rect,
    path: Path,
    mut ask: impl FnMut(&Part) -> Option<R>,
) -> Option<R> {
    let steps = path.steps();
    let (mut first, mut length) = (0_u32, PART);
    loop {
        let last = first.saturating_add(length).min(steps);
        let from = path.at(first);
        let part = Part { start: start.translated(from), by: path.at(last) - from, last };
        if let Some(answer) = ask(&part) {
            return Some(answer);
        }
        if last == steps {
            return None;
        }
        (first, length) = (last, length.saturating_mul(2));
    }
}

/// Where somebody may be: what the index is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Region {
    /// In a rectangle.
    Rect(Rect),
    /// On the way of a rectangle whose first pixel goes straight from one to another, and within
    /// `bounds`.
    Way { from: Point, size: [u32; 2], to: Point, bounds: Rect },
}

impl Region {
    /// A rectangle round all of it.
    pub(crate) const fn bounds(&self) -> Rect {
        match *self {
            Self::Rect(rect) | Self::Way { bounds: rect, .. } => rect,
        }
    }
}

impl From<Rect> for Region {
    fn from(rect: Rect) -> Self {
        Self::Rect(rect)
    }
}

impl From<&Part> for Region {
    fn from(part: &Part) -> Self {
        let bounds = part.bounds();
        if part.by.x.unsigned_abs().min(part.by.y.unsigned_abs()) <= SLIM {
            return Self::Rect(bounds);
        }
        // Whole pixels are half a pixel from the straight line that they stand for; and so are the ends
        // of a part, which the index takes for exact.
        let around = part.start.grown(1);
        let from = Point::new(around.x0, around.y0);
        Self::Way { from, size: [around.width(), around.height()], to: from + part.by, bounds }
    }
}
