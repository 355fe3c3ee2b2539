//! What a motion meets first.
//!
//! A long way is walked in parts: who is near each is asked of the index, those whose boxes are
//! entered first are looked at first, and none whose box is entered after a touch that was found.

use crate::geom::{PixelPath, Point, Rect};
use crate::mask::MaskRef;
use crate::narrow::Accuracy;
use crate::narrow::motion::{Impact, cast};
use crate::world::query::candidates::{Region, along};
use crate::world::state::placement;
use crate::world::state::view::ColliderView;
use crate::world::{ColliderId, Filter, PlaceError, World};

/// What a collider met on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// Who was met; of several met at one step that of lowest index.
    pub collider: ColliderId,
    /// Where, and which way out, in mask pixels.
    pub impact: Impact,
    /// Where the collider can go: its position after the steps that are free. Beyond 2^24 mask
    /// pixels from the origin f32 cannot name every pixel, and it may snap to the one beside.
    pub position: [f32; 2],
}

/// What may be in the way.
pub(crate) struct Near<'w> {
    pub(crate) id: ColliderId,
    pub(crate) seen: ColliderView<'w>,
    pub(crate) rect: Rect,
    /// In the way of what comes down on it, and of nobody else.
    pub(crate) one_way: bool,
}

impl Near<'_> {
    /// True where a mask whose corner is at a place shares a pixel with it.
    pub(crate) fn is_touched_by(&self, (mask, at): (MaskRef<'_>, Point)) -> bool {
        let (other, offset) = self.seen.beside(at);
        mask.touches(other, offset)
    }
}

impl World {
    /// What a collider meets first if it moves by `motion`, in the units of positions: mask pixel
    /// after mask pixel, along the
    /// [`PixelPath`] from the pixel that its position snaps to, to the one that its position plus the
    /// motion snaps to. `None` where it meets nobody. Nothing is passed through at any speed.
    ///
    /// In its way is whom it may meet by the layers of both, but for sensors. Whom it touches from
    /// the beginning is met at step 0. Pixels decide, whatever accuracies and least overlaps
    /// [say](Self#which-calls-follow-accuracies). The collider stays where it is.
    ///
    /// # Errors
    /// [`PlaceError::Stale`], and [`PlaceError::Position`] where the end is not finite or too far
    /// from the origin.
    pub fn cast(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Option<Hit>, PlaceError> {
        self.cast_with(id, motion, |_| true)
    }

    /// As [`cast`](Self::cast), and asks `keep` of those near its way whether they count: a door that
    /// lets its owner through. Asked in no order, of some more than once and of some who are not met.
    ///
    /// # Errors
    /// As [`cast`](Self::cast).
    pub fn cast_with(
        &self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<Option<Hit>, PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let start = self.slots.positions[slot];
        let way = Way::new(start, motion.into(), self.atlas.resolution())?;
        let us = self.view().pixels(slot);
        let in_way = |other| self.is_in_way(slot, other) && keep(other);
        let found = self.first_met((us.mask(), us.origin), way.path, Accuracy::Exact, in_way);
        Ok(found.map(|(collider, impact)| Hit {
            collider,
            impact,
            position: way.position(impact.free_offset),
        }))
    }

    /// What a mask whose top-left pixel is `at` meets first on its way along `motion`, both
    /// in mask pixels; of several met at one step that of lowest index. The whole mask has to lie
    /// within the range of i32: what is beyond meets nobody. Pixels decide, as in [`cast`](Self::cast).
    #[must_use]
    pub fn cast_mask<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
        filter: Filter,
    ) -> Option<(ColliderId, Impact)> {
        let (mover, path) = ((mask.into(), Point::from(at.into())), PixelPath::new(motion));
        self.first_met(mover, path, filter.accuracy, |id| self.is_wanted(id, filter))
    }

    /// True where `other` is in the way of the collider in this slot.
    pub(crate) fn is_in_way(&self, slot: usize, other: ColliderId) -> bool {
        let there = other.slot();
        let [mine, met] =
            [slot, there].map(|slot| self.appearances.get(self.slots.appearances[slot]));
        there != slot && !met.sensor && mine.can_collide(met)
    }

    /// Who of those in the way is met first.
    fn first_met(
        &self,
        mover: (MaskRef<'_>, Point),
        path: PixelPath,
        accuracy: Accuracy,
        is_in_way: impl Fn(ColliderId) -> bool,
    ) -> Option<(ColliderId, Impact)> {
        let mut near = Vec::new();
        along(frame(mover)?, path, |part| {
            near.clear();
            self.gather(part, (accuracy, 0), &is_in_way, &mut near);
            let (step, met) = first_of(&near, mover, path, part.last)?;
            Some((met.id, impact(met, mover, path, step)))
        })
    }

    /// Adds to `near` whoever has a box in a region and is in the way, as it is seen at this accuracy; who
    /// is on one of the layers `one_way` only of what comes down.
    pub(crate) fn gather<'w>(
        &'w self,
        region: impl Into<Region>,
        (accuracy, one_way): (Accuracy, u32),
        is_in_way: impl Fn(ColliderId) -> bool,
        near: &mut Vec<Near<'w>>,
    ) {
        let view = self.view();
        self.each_near(region, |id| {
            if is_in_way(id) {
                let slot = id.slot();
                let layers = self.appearances.get(self.slots.appearances[slot]).layers;
                let (seen, rect) = (view.collider_view(slot, accuracy), self.slots.rect(slot));
                near.push(Near { id, seen, rect, one_way: layers & one_way != 0 });
            }
        });
    }
}

/// The box of a mask whose corner is at a place; `None` where it has no pixels.
pub(crate) fn frame((mask, at): (MaskRef<'_>, Point)) -> Option<Rect> {
    let frame = mask.rect_at(at);
    (!frame.is_empty()).then_some(frame)
}

/// Who is met first up to step `last`, and after which step; of several the one of lowest index.
pub(crate) fn first_of<'n, 'w>(
    near: &'n [Near<'w>],
    (mask, at): (MaskRef<'_>, Point),
    path: PixelPath,
    last: u32,
) -> Option<(u32, &'n Near<'w>)> {
    let start = frame((mask, at))?;
    let entered = |met: &'n Near<'w>| Some((entry(start, met.rect, path)?, met));
    let mut near: Vec<(u32, &Near<'_>)> = near.iter().filter_map(entered).collect();
    near.sort_unstable_by_key(|(entry, met)| (*entry, met.id));
    let mut best: Option<(u32, &Near<'_>)> = None;
    for (entry, met) in near {
        let to = best.map_or(last, |(step, _)| step);
        if entry > to {
            break;
        }
        let Some(step) = first_step((mask, at), met, path, (entry, to)) else { continue };
        if best.is_none_or(|(before, other)| (step, met.id) < (before, other.id)) {
            best = Some((step, met));
        }
    }
    best
}

/// The first step, from one to another, that somebody is in the way of.
fn first_step(
    (mask, at): (MaskRef<'_>, Point),
    met: &Near<'_>,
    path: PixelPath,
    (first, last): (u32, u32),
) -> Option<u32> {
    let (other, offset) = met.seen.beside(at);
    let mut step = cast::first_touch(mask, other, offset, path, (first, last))?;
    // Whom it is in without having come down on, it may leave, and come down on later.
    while met.one_way && !comes_down(mask, other, offset, path, step) {
        if step == last {
            return None;
        }
        step += 1;
        if !mask.touches(other, offset - path.at(step)) {
            step = cast::first_touch(mask, other, offset, path, (step, last))?;
        }
    }
    Some(step)
}

/// All about a step that meets somebody.
pub(crate) fn impact(
    met: &Near<'_>,
    (mask, at): (MaskRef<'_>, Point),
    path: PixelPath,
    step: u32,
) -> Impact {
    let (other, offset) = met.seen.beside(at);
    Impact::new(mask, other, offset, path, step)
}

/// The first step of a way after which what has the box `start` may overlap `rect`.
fn entry(start: Rect, rect: Rect, path: PixelPath) -> Option<u32> {
    let span = |start: i32, end: i32, low: i32, high: i32| {
        [i64::from(low) - i64::from(end) + 1, i64::from(high) - i64::from(start) - 1]
    };
    let x = span(start.x0, start.x1, rect.x0, rect.x1);
    let y = span(start.y0, start.y1, rect.y0, rect.y1);
    path.steps_within(x, y).map(|(first, _)| first)
}

/// True where a mask meets another with a step of `path` because the step leads down.
fn comes_down(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, path: PixelPath, step: u32) -> bool {
    let Some(before) = step.checked_sub(1).map(|before| path.at(before)) else { return false };
    let met = path.at(step);
    met.y > before.y && !a.touches(b, offset - Point::new(met.x, before.y))
}

/// The way of a position: the pixels that it snaps to, from start to end.
pub(crate) struct Way {
    start: [f32; 2],
    end: [f32; 2],
    from: Point,
    resolution: f32,
    pub(crate) path: PixelPath,
}

impl Way {
    pub(crate) fn new(
        start: [f32; 2],
        motion: [f32; 2],
        resolution: f32,
    ) -> Result<Self, PlaceError> {
        let end = [start[0] + motion[0], start[1] + motion[1]];
        let snap = |at| placement::snap(at, resolution).ok_or(PlaceError::Position(at));
        let (from, to) = (snap(start)?, snap(end)?);
        Ok(Self { start, end, from, resolution, path: PixelPath::new(to - from) })
    }

    /// A position that snaps to the pixel `by` from the start. On each axis it is the start or the
    /// end of the way, fraction and all, where it snaps to that pixel, and else the pixel itself.
    pub(crate) fn position(&self, by: Point) -> [f32; 2] {
        let motion = self.path.motion();
        let axis = |by: i32, motion: i32, from: i32, start: f32, end: f32| {
            if by == motion {
                end
            } else if by == 0 {
                start
            } else {
                // A power of two: the quotient is exact.
                from.saturating_add(by) as f32 / self.resolution
            }
        };
        [
            axis(by.x, motion.x, self.from.x, self.start[0], self.end[0]),
            axis(by.y, motion.y, self.from.y, self.start[1], self.end[1]),
        ]
    }
}
