//! Queries by zone: boxes, points, rectangles, circles, ellipses, lines, rays, and touching
//! colliders.
//!
//! Boxes from the index select candidates, then pixels decide, unless the filter asks for boxes.
//! The colliders' own accuracies do not matter, except for the touching queries.

use crate::geom::{Line, Point, Rect, Zone};
use crate::ids::ColliderId;
use crate::narrow::{Accuracy, LineHit};
use crate::query::filter::Filter;
use crate::query::search::{Search, along};
use crate::scene::pair_rule::may_meet;
use crate::scene::{Pair, SceneView};

impl Search<'_> {
    /// Returns the colliders of a zone, in order of their indices.
    pub(crate) fn query(&self, zone: &Zone, filter: Filter<'_>) -> Vec<ColliderId> {
        if let Some(line) = zone.to_line() {
            let met = self.met_by_line(&line, filter);
            let mut found: Vec<ColliderId> = met.into_iter().map(|(_, id)| id).collect();
            found.sort_unstable();
            return found;
        }
        let Some(bounds) = zone.bounds() else { return Vec::new() };
        if filter.accuracy == Accuracy::Box {
            return self.all_near(bounds, filter, |id| {
                zone.meets(self.scene.placed.slots.rect(id.slot()))
            });
        }
        let view = self.scene.view();
        self.all_near(bounds, filter, |id| {
            let seen = view.pixels(id.slot());
            seen.mask().touches_zone(zone, seen.origin)
        })
    }

    /// Replaces the contents of `found` by the colliders that touch one of them.
    pub(crate) fn touching_with_into(&self, id: ColliderId, found: &mut Vec<ColliderId>) {
        found.clear();
        let Some(slot) = self.scene.placed.enabled_slot(id) else { return };
        let view = self.scene.view();
        self.each_near(self.scene.placed.slots.rect(slot), |other| {
            let there = other.slot();
            if other != id && may_meet(view.placed, [slot, there]) && view.touch(slot, there) {
                found.push(other);
            }
        });
        found.sort_unstable();
    }

    /// Returns the touching pairs of two groups in order, by the rules of `touching_with`.
    pub(crate) fn touching_between(
        &self,
        group: &[ColliderId],
        others: &[ColliderId],
    ) -> Vec<Pair> {
        let mut others = others.to_vec();
        others.sort_unstable();
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        for &id in group {
            self.touching_with_into(id, &mut found);
            let both = found.iter().filter(|other| others.binary_search(other).is_ok());
            pairs.extend(both.map(|&other| Pair::from([id, other])));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns the first collider on a line of mask pixels, at a tie that of the lowest index.
    pub(crate) fn ray(&self, line: &Line, filter: Filter<'_>) -> Option<(ColliderId, LineHit)> {
        let (view, mut near) = (self.scene.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            near.clear();
            self.visit_filtered(part, filter, |id| near.push(id));
            let mut first: Option<(u32, ColliderId)> = None;
            for &id in &near {
                // Searches no farther than the best hit so far.
                let last = first.map_or(part.last, |(step, _)| step);
                let step = first_step(view, id, line, last, filter.accuracy);
                let met = step.map(|step| (step, id));
                first = [first, met].into_iter().flatten().min();
            }
            let (step, id) = first?;
            let seen = view.collider_view(id.slot(), filter.accuracy);
            Some((id, seen.mask().line_hit(line, seen.origin, step)))
        })
    }

    /// Returns every collider on a line, in the order of the line, then of indices.
    pub(crate) fn ray_all(&self, line: &Line, filter: Filter<'_>) -> Vec<(ColliderId, LineHit)> {
        let view = self.scene.view();
        let hit = |(step, id): (u32, ColliderId)| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            (id, seen.mask().line_hit(line, seen.origin, step))
        };
        self.met_by_line(line, filter).into_iter().map(hit).collect()
    }

    /// Returns the colliders on a line, each with its first step, in order.
    fn met_by_line(&self, line: &Line, filter: Filter<'_>) -> Vec<(u32, ColliderId)> {
        let (view, mut met) = (self.scene.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            self.visit_filtered(part, filter, |id| {
                let step = first_step(view, id, line, part.last, filter.accuracy);
                met.extend(step.map(|step| (step, id)));
            });
            None::<()>
        });
        // A collider in several parts of the line was found in each, with the same step.
        met.sort_unstable();
        met.dedup();
        met
    }

    /// Returns the colliders whose box overlaps `rect` and for which `is_met` holds, in order.
    pub(super) fn all_near(
        &self,
        rect: Rect,
        filter: Filter<'_>,
        is_met: impl Fn(ColliderId) -> bool,
    ) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.visit_filtered(rect, filter, |id| {
            if is_met(id) {
                found.push(id);
            }
        });
        found.sort_unstable();
        found
    }
}

/// Returns the step of a line, up to `last`, at which it first meets a collider.
fn first_step(
    view: SceneView<'_>,
    id: ColliderId,
    line: &Line,
    last: u32,
    accuracy: Accuracy,
) -> Option<u32> {
    if accuracy == Accuracy::Box {
        let (first, _) = line.steps_in(view.placed.slots.rect(id.slot()))?;
        return (first <= last).then_some(first);
    }
    let seen = view.pixels(id.slot());
    seen.mask().first_step_on(line, seen.origin, last)
}

fn first_box(line: &Line) -> Rect {
    let end = line.from + Point::new(1, 1);
    Rect::new(line.from.x, line.from.y, end.x, end.y)
}
