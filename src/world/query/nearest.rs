//! Who is nearest, who is on top, and where there is room.

use crate::geom::{Point, Zone, ZoneError, checked_size};
use crate::mask::{Mask, MaskRef};
use crate::narrow::motion::push_out;
use crate::world::{ColliderId, Filter, World};

/// Pixels around a place that are searched first for who is nearest.
const NEAR: u32 = 64;
/// How much farther each time.
const FARTHER: u32 = 4;

impl World {
    /// The collider that has the pixel nearest to the one in which a point lies, and how far it is,
    /// from centre to centre: at most `within`, in the units of positions, as the answer is. Of
    /// several equally near that of lowest index. `None` where nobody is.
    ///
    /// Looks around in squares, each four times as wide as the one before, until somebody is near enough,
    /// and takes time for everybody in the last of them: where nobody is near, a large `within` costs most.
    ///
    /// # Errors
    /// [`ZoneError::Position`], and [`ZoneError::Size`] where `within` is negative or not finite.
    pub fn nearest(
        &self,
        at: impl Into<[f32; 2]>,
        within: f32,
        filter: Filter,
    ) -> Result<Option<(ColliderId, f64)>, ZoneError> {
        checked_size(within)?;
        let point = self.in_units(Zone::point(self.pixels(at.into())))?;
        let bounds = point.bounds().unwrap_or_default();
        let dot = Mask::full(1, 1);
        let at = Point::new(bounds.x0, bounds.y0);
        Ok(self.nearest_of((dot.as_ref(), at), within, (None, filter)))
    }

    /// The collider nearest to another, and how far their nearest pixels are apart, from centre to
    /// centre, in the units of positions: 0 where they touch, at most `within`. `None` where nobody
    /// is, or where `id` is no longer in the world or has no pixel. The filter alone says whom it
    /// may be; `id` itself is left out. A large `within` costs what it does for
    /// [`nearest`](Self::nearest).
    ///
    /// # Errors
    /// [`ZoneError::Size`] where `within` is negative or not finite.
    pub fn nearest_to(
        &self,
        id: ColliderId,
        within: f32,
        filter: Filter,
    ) -> Result<Option<(ColliderId, f64)>, ZoneError> {
        checked_size(within)?;
        let Some(posed) = self.posed(id) else { return Ok(None) };
        Ok(self.nearest_of((posed.mask, posed.origin), within, (Some(id), filter)))
    }

    /// The distance between the nearest pixels of two colliders, from centre to centre, in the units
    /// of positions; `None`
    /// where one is no longer in the world or has no pixel.
    #[must_use]
    pub fn distance(&self, a: ColliderId, b: ColliderId) -> Option<f64> {
        let (a, b) = (self.posed(a)?, self.posed(b)?);
        let pixels = a.mask.distance(b.mask, b.origin - a.origin)?;
        Some(pixels / f64::from(self.atlas.resolution()))
    }

    fn nearest_of(
        &self,
        (mask, at): (MaskRef<'_>, Point),
        within: f32,
        (own, filter): (Option<ColliderId>, Filter),
    ) -> Option<(ColliderId, f64)> {
        let resolution = f64::from(self.atlas.resolution());
        // No two places are farther apart.
        let limit = (f64::from(within) * resolution).min(4e9);
        let view = self.view();
        let mut radius = NEAR;
        loop {
            let around = mask.rect_at(at).grown(radius);
            let mut best: Option<(f64, ColliderId)> = None;
            self.visit_filtered(around, filter, |id| {
                if own == Some(id) {
                    return;
                }
                let other = view.collider_view(id.slot(), filter.accuracy);
                let (theirs, offset) = other.beside(at);
                let distance = mask.distance(theirs, offset);
                if let Some(found) = distance.map(|distance| (distance, id)) {
                    best = Some(best.map_or(found, |best| if found < best { found } else { best }));
                }
            });
            // Whoever was not looked at is farther away than the radius.
            let settled = best.is_some_and(|(distance, _)| distance <= radius.into());
            if settled || f64::from(radius) >= limit || radius == u32::MAX {
                let best = best.filter(|(distance, _)| *distance <= limit);
                return best.map(|(distance, id)| (id, distance / resolution));
            }
            radius = radius.saturating_mul(FARTHER);
        }
    }

    /// Who is under a finger: of those that have the pixel in which the point lies, the topmost;
    /// where nobody has it, whoever is nearest within `radius`, in the units of positions, of
    /// equally near ones the topmost. Topmost is who has the greatest `height`, of equals that of
    /// greatest index.
    ///
    /// # Errors
    /// [`ZoneError::Position`], and [`ZoneError::Size`] where the radius is negative or not finite.
    pub fn pick<K: PartialOrd>(
        &self,
        at: impl Into<[f32; 2]>,
        radius: f32,
        filter: Filter,
        height: impl Fn(ColliderId) -> K,
    ) -> Result<Option<ColliderId>, ZoneError> {
        let at = self.pixels(at.into());
        let radius = radius * self.atlas.resolution();
        let point = self.in_units(Zone::point(at))?;
        let around = self.in_units(Zone::circle(at, radius))?;
        let here = self.query(&point, filter);
        let topmost = |ids: Vec<ColliderId>| {
            // In order of indices: of equals the last stays.
            ids.into_iter().reduce(|top, id| if height(id) < height(top) { top } else { id })
        };
        if !here.is_empty() {
            return Ok(topmost(here));
        }
        let bounds = point.bounds().unwrap_or_default();
        let dot = Mask::full(1, 1);
        let corner = Point::new(bounds.x0, bounds.y0);
        let view = self.view();
        let far = |id: ColliderId| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            let (mask, offset) = seen.beside(corner);
            dot.distance(mask, offset)
        };
        let near: Vec<_> =
            self.query(&around, filter).into_iter().map(|id| (far(id), id)).collect();
        let least = near.iter().filter_map(|(far, _)| *far).fold(f64::INFINITY, f64::min);
        let nearest = near.into_iter().filter(|(far, _)| *far == Some(least)).map(|(_, id)| id);
        Ok(topmost(nearest.collect()))
    }

    /// The shortest translation, of at most `radius` mask pixels, by which a mask whose top-left
    /// pixel is `at`, all in mask pixels, comes free of everybody: (0, 0) where it is free already,
    /// `None` where there is no room that near. Of equally short ones the one that points farthest
    /// up, of those the one farthest left.
    ///
    /// Exact: several overlaps are left at once, and into none. For a place to put something new,
    /// ask with the mask at the place that would be best.
    ///
    /// Takes time for everybody within `radius`, even where there is room near, and, the farther it has
    /// to look, for each of them at every row beside it: ask with the least radius that will do.
    #[must_use]
    pub fn nearest_free_offset<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        radius: u32,
        filter: Filter,
    ) -> Option<Point> {
        let (mask, at) = (mask.into(), Point::from(at.into()));
        // Nothing in the world is farther away.
        let radius = radius.min(1 << 30);
        let around = mask.rect_at(at).grown(radius);
        let view = self.view();
        let mut others = Vec::new();
        self.visit_filtered(around, filter, |id| {
            others.push(view.collider_view(id.slot(), filter.accuracy));
        });
        let others: Vec<_> = others.iter().map(|seen| seen.beside(at)).collect();
        push_out::out_of_all(mask, &others, radius)
    }

    /// The shortest translation, in mask pixels and of at most `radius` of them, by which a
    /// collider comes free of all that are in its way: those that it may meet by the layers of
    /// both, but for sensors. (0, 0) where it is free, `None` where there is no room that near, or
    /// where `id` is no longer in the world. As [`nearest_free_offset`](Self::nearest_free_offset), its cost too; the
    /// collider stays where it is.
    #[must_use]
    pub fn push_out(&self, id: ColliderId, radius: u32) -> Option<Point> {
        let slot = self.slots.find(id)?;
        let view = self.view();
        let us = view.pixels(slot);
        let appearance = self.appearances.get(self.slots.appearances[slot]);
        let radius = radius.min(1 << 30);
        let around = self.slots.rect(slot).grown(radius);
        let mut others = Vec::new();
        self.each_near(around, |other| {
            let slot = other.slot();
            let met = self.appearances.get(self.slots.appearances[slot]);
            if other != id && !met.sensor && appearance.can_collide(met) {
                others.push(view.pixels(slot));
            }
        });
        let others: Vec<_> = others.iter().map(|seen| seen.beside(us.origin)).collect();
        push_out::out_of_all(us.mask(), &others, radius)
    }
}
