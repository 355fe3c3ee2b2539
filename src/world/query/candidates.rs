//! How queries find colliders: by a region of the plane, and long straight ways part by part.
//!
//! A query that stops at the first hit would search in vain behind it, and the bounding box of a long
//! slanted way is mostly empty. So a way is searched in parts, and each part of it along the line.

use crate::geom::{PixelPath, Point, Rect};
use crate::world::{ColliderId, World};
use std::ops::ControlFlow;

impl World {
    /// Returns the colliders whose tight box overlaps `rect`, in order of their indices: the broad phase
    /// alone, for queries of your own. `rect` is in mask pixels.
    ///
    /// Costs one search of the index of the last [`update`](Self::update). Colliders that changed since
    /// then are tested one by one.
    #[must_use]
    pub fn query_aabb(&self, rect: Rect) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.query_aabb_into(rect, &mut found);
        found
    }

    /// Replaces the contents of `found` by the colliders of [`query_aabb`](Self::query_aabb).
    pub fn query_aabb_into(&self, rect: Rect, found: &mut Vec<ColliderId>) {
        found.clear();
        let _: ControlFlow<()> = self.visit_near(rect, |slot| {
            found.push(self.slots.id(slot));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
    }

    /// Calls `visit` with the slot of every collider whose tight box overlaps a region, as they are
    /// placed now, until it breaks: in no order that means anything, but one that depends on the
    /// calls made alone. Of a way, some who are merely near are visited too.
    ///
    /// Quick for what was there at the last update; colliders that changed since are looked at one
    /// by one, and after a change of very many at once all are.
    pub(crate) fn visit_near<B>(
        &self,
        region: impl Into<Region>,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region = region.into();
        let bounds = region.bounds();
        let Some(changed) = self.dirty.slots() else {
            return self.slots.occupied().try_for_each(|slot| self.meet(slot, bounds, &mut visit));
        };
        for tree in [&self.finder.moving, &self.finder.fixed] {
            let ids = tree.leaves().ids;
            // The index has the box of whoever has not changed since.
            let visit = |at| match ids[at] {
                slot if self.dirty.contains(slot) => ControlFlow::Continue(()),
                slot => visit(slot),
            };
            match region {
                Region::Rect(rect) => tree.query_rect(rect, visit)?,
                Region::Way { from, size, to, .. } => tree.cast((from, size, to), visit)?,
            }
        }
        changed.iter().try_for_each(|&slot| self.meet(slot, bounds, &mut visit))
    }

    fn meet<B>(
        &self,
        slot: u32,
        rect: Rect,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.slots.rect(slot as usize).intersection(rect) {
            Some(_) => visit(slot),
            None => ControlFlow::Continue(()),
        }
    }
}

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
    path: PixelPath,
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
