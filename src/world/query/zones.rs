//! Who is at a place: points, rectangles, circles, ellipses, lines, masks, and colliders
//! themselves.
//!
//! Boxes from the index, then pixels. Every answer is in order of ids' indices, and of what is
//! placed now, updated or not. Sprites count with their pixels unless the filter says otherwise,
//! whatever accuracy they ask for.
//!
//! Numbers in f32 are in the units of positions; whole numbers, rectangles, zones and lines are in
//! mask pixels. The two differ only where an atlas has a resolution other than 1.

use crate::geom::{Line, Point, Rect, Zone, ZoneError};
use crate::mask::MaskRef;
use crate::narrow::{Accuracy, LineHit, Overlap};
use crate::world::query::candidates::{Region, along};
use crate::world::state::view::WorldView;
use crate::world::{ColliderId, Pair, World};
use std::ops::ControlFlow;

/// Whom a query is about.
///
/// ```
/// use hitmask::Filter;
/// let enemies = Filter { layers: 0b10, ..Filter::ALL };
/// let boxes = Filter { accuracy: hitmask::Accuracy::Box, ..Filter::SOLID };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Colliders on at least one of these layers, one bit each.
    pub layers: u32,
    /// Sensors too.
    pub sensors: bool,
    /// One who is left out: the one who asks.
    pub except: Option<ColliderId>,
    /// How closely colliders are looked at. At [`Accuracy::Box`] their tight boxes count, all pixels
    /// set; otherwise their pixels, whatever accuracy they and the world have for
    /// [updates](World#who-follows-accuracies).
    pub accuracy: Accuracy,
}

impl Filter {
    /// Everybody.
    pub const ALL: Self =
        Self { layers: u32::MAX, sensors: true, except: None, accuracy: Accuracy::Exact };

    /// Everybody who is in the way: no sensors.
    pub const SOLID: Self = Self { sensors: false, ..Self::ALL };
}

impl Default for Filter {
    fn default() -> Self {
        Self::ALL
    }
}

impl World {
    /// The colliders that have a pixel in a zone, which is in mask pixels.
    #[must_use]
    pub fn query(&self, zone: &Zone, filter: Filter) -> Vec<ColliderId> {
        if let Some(line) = zone.to_line() {
            return self.on_line(&line, filter);
        }
        let Some(bounds) = zone.bounds() else { return Vec::new() };
        if filter.accuracy == Accuracy::Box {
            return self.all_near(bounds, filter, |id| zone.meets(self.slots.rect(id.slot())));
        }
        let view = self.view();
        self.all_near(bounds, filter, |id| {
            let seen = view.pixels(id.slot());
            seen.mask().touches_zone(zone, seen.origin)
        })
    }

    /// The colliders that have the pixel in which a point lies.
    ///
    /// # Errors
    /// [`ZoneError::Position`] where it is not finite or too far away.
    pub fn query_point(
        &self,
        at: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::point(self.pixels(at.into()));
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// The colliders that have a pixel in a rectangle, in mask pixels; nobody where it is empty.
    #[must_use]
    pub fn query_rect(&self, rect: Rect, filter: Filter) -> Vec<ColliderId> {
        self.query(&Zone::rect(rect), filter)
    }

    /// The colliders that have a pixel whose centre is at most `radius` from `center`, both in the
    /// units of positions.
    ///
    /// # Errors
    /// As [`Zone::circle`].
    pub fn query_circle(
        &self,
        center: impl Into<[f32; 2]>,
        radius: f32,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::circle(self.pixels(center.into()), radius * self.atlas.resolution());
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// The colliders that have a pixel whose centre lies in an ellipse, given in the units of
    /// positions.
    ///
    /// # Errors
    /// As [`Zone::ellipse`].
    pub fn query_ellipse(
        &self,
        center: impl Into<[f32; 2]>,
        radii: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let zone = Zone::ellipse(self.pixels(center.into()), self.pixels(radii.into()));
        Ok(self.query(&self.in_units(zone)?, filter))
    }

    /// The colliders that have a pixel on a line of pixels; see [`ray`](Self::ray) for where.
    ///
    /// # Errors
    /// As [`Line::new`].
    pub fn query_line(
        &self,
        from: impl Into<[f32; 2]>,
        to: impl Into<[f32; 2]>,
        filter: Filter,
    ) -> Result<Vec<ColliderId>, ZoneError> {
        let line = Line::new(self.pixels(from.into()), self.pixels(to.into()));
        Ok(self.on_line(&self.in_units(line)?, filter))
    }

    /// The colliders that share a pixel with a mask of mask pixels whose top-left one is `at`.
    #[must_use]
    pub fn query_mask<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        filter: Filter,
    ) -> Vec<ColliderId> {
        let (mask, at) = (mask.into(), Point::from(at.into()));
        let bounds = mask.rect_at(at);
        let view = self.view();
        self.all_near(bounds, filter, |id| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            seen.mask().touches(mask, at - seen.origin)
        })
    }

    /// The colliders that a collider touches now, by the rules of [`update`](Self::update): layers,
    /// accuracies and least overlaps of both. Fixed ones are found by fixed ones as well. Nobody
    /// where `id` is no longer in the world.
    #[must_use]
    pub fn touching_with(&self, id: ColliderId) -> Vec<ColliderId> {
        let Some(slot) = self.slots.find(id) else { return Vec::new() };
        let view = self.view();
        let appearance = |slot: usize| view.appearances.get(view.slots.appearances[slot]);
        let mut found = Vec::new();
        self.each_near(self.slots.rect(slot), |other| {
            let there = other.slot();
            if other != id
                && appearance(slot).can_collide(appearance(there))
                && view.touch(slot, there)
            {
                found.push(other);
            }
        });
        found.sort_unstable();
        found
    }

    /// The pairs that touch now, one of each of two groups, by the rules of
    /// [`touching_with`](Self::touching_with): in order, each once. Ids that are no longer in the world
    /// touch nobody.
    #[must_use]
    pub fn touching_between(&self, group: &[ColliderId], others: &[ColliderId]) -> Vec<Pair> {
        let mut others = others.to_vec();
        others.sort_unstable();
        let mut pairs: Vec<Pair> = group
            .iter()
            .flat_map(|&id| self.touching_with(id).into_iter().map(move |other| (id, other)))
            .filter(|(_, other)| others.binary_search(other).is_ok())
            .map(|(a, b)| Pair { a: a.min(b), b: a.max(b) })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The first collider on a line of pixels, and where it is met; of several at one pixel that
    /// of lowest index. Make the line with [`Line::new`] or [`Line::ray`].
    #[must_use]
    pub fn ray(&self, line: &Line, filter: Filter) -> Option<(ColliderId, LineHit)> {
        let (view, mut near) = (self.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            near.clear();
            self.visit_filtered(part, filter, |id| near.push(id));
            let mut first: Option<(u32, ColliderId)> = None;
            for &id in &near {
                // No farther than the best so far.
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

    /// Every collider on a line of pixels, and where each is first met: in the order of the line,
    /// then of indices.
    #[must_use]
    pub fn ray_all(&self, line: &Line, filter: Filter) -> Vec<(ColliderId, LineHit)> {
        let view = self.view();
        let hit = |(step, id): (u32, ColliderId)| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            (id, seen.mask().line_hit(line, seen.origin, step))
        };
        self.met_by_line(line, filter).into_iter().map(hit).collect()
    }

    /// All about the overlap of two colliders' pixels, in mask pixels, as they are placed now,
    /// whatever their accuracy; `None` where they share none, or where one is no longer in the
    /// world.
    #[must_use]
    pub fn overlap(&self, pair: &Pair) -> Option<Overlap<'_>> {
        let [a, b] = [self.posed(pair.a)?, self.posed(pair.b)?];
        Overlap::new((a.mask, a.origin), (b.mask, b.origin))
    }

    /// A position in pixels of the masks, of which there are as many to each of the positions'
    /// units as the atlas's resolution says.
    pub(crate) fn pixels(&self, position: [f32; 2]) -> [f32; 2] {
        // A power of two: exact.
        position.map(|v| v * self.atlas.resolution())
    }

    /// What was made of [`pixels`](Self::pixels); what is wrong with it, in the units of positions.
    pub(crate) fn in_units<T>(&self, made: Result<T, ZoneError>) -> Result<T, ZoneError> {
        made.map_err(|cause| cause.in_units(self.atlas.resolution()))
    }

    /// The colliders that a line meets, each after the step at which it is first met: in the order of
    /// steps, then of indices.
    fn met_by_line(&self, line: &Line, filter: Filter) -> Vec<(u32, ColliderId)> {
        let (view, mut met) = (self.view(), Vec::new());
        along(first_box(line), line.path, |part| {
            self.visit_filtered(part, filter, |id| {
                let step = view.first_step(id, line, part.last, filter.accuracy);
                met.extend(step.map(|step| (step, id)));
            });
            None::<()>
        });
        // Who lies in several parts of the line was found in each, met after the same step.
        met.sort_unstable();
        met.dedup();
        met
    }

    /// The colliders that a line meets, in order of their indices.
    fn on_line(&self, line: &Line, filter: Filter) -> Vec<ColliderId> {
        let met = self.met_by_line(line, filter).into_iter();
        let mut found: Vec<ColliderId> = met.map(|(_, id)| id).collect();
        found.sort_unstable();
        found
    }

    /// The colliders near `rect` that `is_met` takes, in order.
    fn all_near(
        &self,
        rect: Rect,
        filter: Filter,
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

    /// Calls `visit` with every collider whose box overlaps a region, as [`visit_near`](Self::visit_near).
    pub(crate) fn each_near(&self, region: impl Into<Region>, mut visit: impl FnMut(ColliderId)) {
        let _: ControlFlow<()> = self.visit_near(region, |slot| {
            visit(self.slots.id(slot));
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with the colliders whose box overlaps a region and whom the query is about.
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

    /// True for whom a query is about.
    pub(crate) fn is_wanted(&self, id: ColliderId, filter: Filter) -> bool {
        let appearance = self.appearances.get(self.slots.appearances[id.slot()]);
        appearance.layers & filter.layers != 0
            && (filter.sensors || !appearance.sensor)
            && filter.except != Some(id)
    }
}

impl WorldView<'_> {
    /// The step of a line, up to `last`, after which it first meets a collider.
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

/// The first pixel of a line.
fn first_box(line: &Line) -> Rect {
    let end = line.from + Point::new(1, 1);
    Rect::new(line.from.x, line.from.y, end.x, end.y)
}
