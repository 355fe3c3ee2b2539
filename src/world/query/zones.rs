//! Queries by zone: points, rectangles, circles, ellipses, lines, rays, masks, and touching
//! colliders.
//!
//! Called by users through `World`; the other queries share [`World::visit_filtered`]. Boxes from
//! the index select candidates, then pixels decide, unless the filter asks for boxes. The
//! colliders' own accuracies do not matter, except for the touching queries.
//!
//! Invariants: answers are for the current placements, and in order of indices. Numbers in f32 are
//! in units of positions. Integers, rectangles, zones and lines are in mask pixels. The two units
//! differ only if the resolution of the atlas is not 1.

use crate::geom::{Line, Point, Rect, Zone, ZoneError};
use crate::mask::MaskRef;
use crate::narrow::{Accuracy, LineHit, Overlap};
use crate::world::query::candidates::{Region, along};
use crate::world::state::view::WorldView;
use crate::world::{ColliderId, Pair, World};
use std::ops::ControlFlow;

/// The colliders that a query considers.
///
/// Build it from [`Filter::ALL`] or [`Filter::SOLID`] with `..`, because later versions may add
/// fields.
///
/// ```
/// use hitmask::Filter;
/// let enemies = Filter { layers: 0b10, ..Filter::ALL };
/// let boxes = Filter { accuracy: hitmask::Accuracy::Box, ..Filter::SOLID };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// Colliders on at least one of these layers, one bit each.
    pub layers: u32,
    /// Whether sensors are included.
    pub sensors: bool,
    /// A collider to exclude, usually the one that asks.
    pub except: Option<ColliderId>,
    /// How closely colliders are tested. At [`Accuracy::Box`] their tight boxes count as solid;
    /// otherwise their pixels count. [`tested_at`](Self::tested_at) names the level. The accuracies
    /// for [updates](World#which-calls-follow-accuracies) are not used.
    pub accuracy: Accuracy,
}

impl Filter {
    /// All colliders, sensors included, tested by pixels.
    pub const ALL: Self =
        Self { layers: u32::MAX, sensors: true, except: None, accuracy: Accuracy::Exact };

    /// All colliders except sensors: those that block motions.
    pub const SOLID: Self = Self { sensors: false, ..Self::ALL };
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

impl World {
    /// Returns the colliders that have a pixel in a zone, in order of their indices. The zone is in
    /// mask pixels.
    #[must_use]
    pub fn query(&self, zone: &Zone, filter: Filter) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.query_into(zone, filter, &mut found);
        found
    }

    /// Replaces the contents of `found` by the colliders of [`query`](Self::query).
    pub fn query_into(&self, zone: &Zone, filter: Filter, found: &mut Vec<ColliderId>) {
        found.clear();
        if let Some(line) = zone.to_line() {
            self.on_line(&line, filter, found);
            return;
        }
        let Some(bounds) = zone.bounds() else { return };
        if filter.accuracy == Accuracy::Box {
            self.all_near(bounds, filter, found, |id| zone.meets(self.slots.rect(id.slot())));
            return;
        }
        let view = self.view();
        self.all_near(bounds, filter, found, |id| {
            let seen = view.pixels(id.slot());
            seen.mask().touches_zone(zone, seen.origin)
        });
    }

    /// Returns the colliders that have a set pixel at a position.
    ///
    /// # Errors
    /// Returns [`ZoneError::Position`] if the position is not finite or out of range.
    pub fn query_point(
        &self,
        at: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::point(self.pixels(at.into()));
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// Returns the colliders that have a pixel in a rectangle, in mask pixels. An empty rectangle
    /// gives none.
    #[must_use]
    pub fn query_rect(&self, rect: Rect, filter: Filter) -> Vec<ColliderId> {
        self.query(&Zone::rect(rect), filter)
    }

    /// Returns the colliders that have a pixel whose centre is at most `radius` from `center`, both
    /// in the units of positions.
    ///
    /// # Errors
    /// Returns the errors of [`Zone::circle`].
    pub fn query_circle(
        &self,
        center: impl Into<[f32; 2]>,
        radius: f32,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::circle(self.pixels(center.into()), radius * self.atlas.resolution());
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// Returns the colliders that have a pixel whose centre lies in an ellipse, which is in the
    /// units of positions.
    ///
    /// # Errors
    /// Returns the errors of [`Zone::ellipse`].
    pub fn query_ellipse(
        &self,
        center: impl Into<[f32; 2]>,
        radii: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::ellipse(self.pixels(center.into()), self.pixels(radii.into()));
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// Returns the colliders that have a pixel on a line, whose ends are in the units of positions.
    /// [`ray_all`](Self::ray_all) also returns the pixels.
    ///
    /// # Errors
    /// Returns the errors of [`Line::new`].
    pub fn query_line(
        &self,
        from: impl Into<[f32; 2]>,
        to: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let line = self.in_units(Line::new(self.pixels(from.into()), self.pixels(to.into())))?;
        Ok(self.query(&Zone::line(line), filter))
    }

    /// Returns the colliders that share a pixel with a mask, whose top-left pixel is at `at` in
    /// mask pixels.
    #[must_use]
    pub fn query_mask<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        filter: Filter,
    ) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.query_mask_into(mask, at, filter, &mut found);
        found
    }

    /// Replaces the contents of `found` by the colliders of [`query_mask`](Self::query_mask).
    pub fn query_mask_into<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        filter: Filter,
        found: &mut Vec<ColliderId>,
    ) {
        found.clear();
        let (mask, at) = (mask.into(), Point::from(at.into()));
        let bounds = mask.rect_at(at);
        if filter.accuracy == Accuracy::Box {
            self.all_near(bounds, filter, found, |id| {
                let Rect { x0, y0, x1, y1 } = self.slots.rect(id.slot());
                let side = |v: i32, at: i32| i64::from(v) - i64::from(at);
                mask.has_any([x0, x1].map(|x| side(x, at.x)), [y0, y1].map(|y| side(y, at.y)))
            });
            return;
        }
        let view = self.view();
        self.all_near(bounds, filter, found, |id| {
            let seen = view.pixels(id.slot());
            seen.mask().touches(mask, at - seen.origin)
        });
    }

    /// Returns the colliders that touch `id` at the current placements, by the rules of
    /// [`update`](Self::update): layers, accuracies and `min_overlap` of both.
    ///
    /// Pairs of two fixed colliders count here. A stale or disabled `id` gives none.
    #[must_use]
    pub fn touching_with(&self, id: ColliderId) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.touching_with_into(id, &mut found);
        found
    }

    /// Replaces the contents of `found` by the colliders of [`touching_with`](Self::touching_with).
    pub fn touching_with_into(&self, id: ColliderId, found: &mut Vec<ColliderId>) {
        found.clear();
        let Some(slot) = self.enabled_slot(id) else { return };
        let view = self.view();
        let appearance = |slot: usize| view.appearances.get(view.slots.appearances[slot]);
        self.each_near(self.slots.rect(slot), |other| {
            let there = other.slot();
            if other != id
                && appearance(slot).can_collide(appearance(there))
                && !view.slots.share_owner(slot, there)
                && view.touch(slot, there)
            {
                found.push(other);
            }
        });
        found.sort_unstable();
    }

    /// Returns the pairs of a collider of `group` and one of `others` that touch at the current
    /// placements, by the rules of [`touching_with`](Self::touching_with). Each pair is returned
    /// once, in order. Stale ids are in no pair.
    #[must_use]
    pub fn touching_between(&self, group: &[ColliderId], others: &[ColliderId]) -> Vec<Pair> {
        let mut others = others.to_vec();
        others.sort_unstable();
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        for &id in group {
            self.touching_with_into(id, &mut found);
            let both = found.iter().filter(|other| others.binary_search(other).is_ok());
            pairs.extend(both.map(|&other| Pair { a: id.min(other), b: id.max(other) }));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns the first collider on a line, and where the line meets it. If several share the
    /// first pixel, the lowest index wins. The line is in mask pixels: [`Line::new`] or
    /// [`Line::ray`].
    #[must_use]
    pub fn ray(&self, line: &Line, filter: Filter) -> Option<(ColliderId, LineHit)> {
        let (view, mut near) = (self.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            near.clear();
            self.visit_filtered(part, filter, |id| near.push(id));
            let mut first: Option<(u32, ColliderId)> = None;
            for &id in &near {
                // Searches no farther than the best hit so far.
                let last = first.map_or(part.last, |(step, _)| step);
                let step = view.first_step(id, line, last, filter.accuracy);
                let met = step.map(|step| (step, id));
                first = [first, met].into_iter().flatten().min();
            }
            let (step, id) = first?;
            let seen = view.collider_view(id.slot(), filter.accuracy);
            Some((id, seen.mask().line_hit(line, seen.origin, step)))
        })
    }

    /// Returns every collider on a line, and where the line first meets each: in the order of the
    /// line, then of indices.
    #[must_use]
    pub fn ray_all(&self, line: &Line, filter: Filter) -> Vec<(ColliderId, LineHit)> {
        let view = self.view();
        let hit = |(step, id): (u32, ColliderId)| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            (id, seen.mask().line_hit(line, seen.origin, step))
        };
        self.met_by_line(line, filter).into_iter().map(hit).collect()
    }

    /// Returns the details of the overlap of two colliders' pixels at their current placements, in
    /// mask pixels. Returns `None` if they share no pixel, if one is disabled, or if an id is stale.
    /// Accuracies are not used.
    #[must_use]
    pub fn overlap(&self, pair: &Pair) -> Option<Overlap<'_>> {
        let [a, b] = [self.enabled_mask(pair.a)?, self.enabled_mask(pair.b)?];
        Overlap::new((a.mask, a.origin), (b.mask, b.origin))
    }

    /// Returns a position in mask pixels: the resolution of the atlas is mask pixels per unit.
    pub(crate) fn pixels(&self, position: [f32; 2]) -> [f32; 2] {
        // Exact, because the resolution is a power of two.
        position.map(|v| v * self.atlas.resolution())
    }

    /// Converts an error about [`pixels`](Self::pixels) to the units of positions.
    pub(crate) fn in_units<T>(&self, made: Result<T, ZoneError>) -> Result<T, ZoneError> {
        made.map_err(|cause| cause.in_units(self.atlas.resolution()))
    }

    /// Returns the colliders on a line, each with the step at which the line first meets it: in the
    /// order of steps, then of indices.
    fn met_by_line(&self, line: &Line, filter: Filter) -> Vec<(u32, ColliderId)> {
        let (view, mut met) = (self.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            self.visit_filtered(part, filter, |id| {
                let step = view.first_step(id, line, part.last, filter.accuracy);
                met.extend(step.map(|step| (step, id)));
            });
            None::<()>
        });
        // A collider in several parts of the line was found in each, with the same step.
        met.sort_unstable();
        met.dedup();
        met
    }

    /// Appends the colliders on a line, in order of their indices.
    fn on_line(&self, line: &Line, filter: Filter, found: &mut Vec<ColliderId>) {
        found.extend(self.met_by_line(line, filter).into_iter().map(|(_, id)| id));
        found.sort_unstable();
    }

    /// Appends the colliders whose box overlaps `rect` and for which `is_met` holds, in order.
    fn all_near(
        &self,
        rect: Rect,
        filter: Filter,
        found: &mut Vec<ColliderId>,
        is_met: impl Fn(ColliderId) -> bool,
    ) {
        self.visit_filtered(rect, filter, |id| {
            if is_met(id) {
                found.push(id);
            }
        });
        found.sort_unstable();
    }

    /// Calls `visit` with every collider whose box overlaps a region, in the order of
    /// [`visit_near`](Self::visit_near).
    pub(crate) fn each_near(&self, region: impl Into<Region>, mut visit: impl FnMut(ColliderId)) {
        let _: ControlFlow<()> = self.visit_near(region, |slot| {
            visit(self.slots.id(slot));
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with the colliders whose box overlaps a region and that pass the filter.
    pub(crate) fn visit_filtered(
        &self,
        region: impl Into<Region>,
        filter: Filter,
        mut visit: impl FnMut(ColliderId),
    ) {
        let region = region.into();
        if region.bounds().is_empty() {
            return;
        }
        self.each_near(region, |id| {
            if self.is_wanted(id, filter) {
                visit(id);
            }
        });
    }

    /// Tests whether a collider passes the filter.
    pub(crate) fn is_wanted(&self, id: ColliderId, filter: Filter) -> bool {
        let appearance = self.appearances.get(self.slots.appearances[id.slot()]);
        appearance.enabled
            && appearance.layers & filter.layers != 0
            && (filter.sensors || !appearance.sensor)
            && filter.except != Some(id)
    }
}

impl WorldView<'_> {
    /// Returns the step of a line, up to `last`, at which it first meets a collider.
    fn first_step(
        &self,
        id: ColliderId,
        line: &Line,
        last: u32,
        accuracy: Accuracy,
    ) -> Option<u32> {
        if accuracy == Accuracy::Box {
            let (first, _) = line.steps_in(self.slots.rect(id.slot()))?;
            return (first <= last).then_some(first);
        }
        let seen = self.pixels(id.slot());
        seen.mask().first_step_on(line, seen.origin, last)
    }
}

/// Returns the box of the first pixel of a line.
fn first_box(line: &Line) -> Rect {
    let end = line.from + Point::new(1, 1);
    Rect::new(line.from.x, line.from.y, end.x, end.y)
}
