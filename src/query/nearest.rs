//! Nearest colliders, picks under a pointer, and grazes.
//!
//! Boxes from the index select candidates; pixel distances decide.
//!
//! Invariants: a position is measured to pixel centres, exactly, by `nearest` and `pick` alike. Two
//! colliders are measured from pixel centre to pixel centre, so touching masks have distance 0.
//! Ties are broken by index, so answers do not depend on the order of candidates.

use crate::error::CallError;
use crate::geom::{Rect, Zone, checked_size};
use crate::ids::ColliderId;
use crate::narrow::graze::{Graze, graze};
use crate::narrow::motion::nearest::point_distance;
use crate::query::filter::Filter;
use crate::query::search::Search;
use crate::scene::view::ColliderView;

/// Radius of the first search square, in mask pixels.
const FIRST_RADIUS_PX: u32 = 64;
/// Factor by which the radius grows from one search to the next.
const RADIUS_FACTOR: u32 = 4;

impl Search<'_> {
    /// Returns the collider with the pixel nearest to a position, and its distance.
    pub(crate) fn nearest(
        &self,
        at: [f32; 2],
        within: f32,
        filter: Filter<'_>,
    ) -> Result<Option<(ColliderId, f64)>, CallError> {
        checked_size(within)?;
        let at = self.scene.stock.mask_pixels(at);
        let pixel = self
            .scene
            .stock
            .in_pixels(Zone::point(at).and_then(|zone| zone.scaled(1.0)))?
            .bounds()
            .unwrap_or_default();
        let at = at.map(f64::from);
        Ok(self.nearest_of(pixel, within, (None, filter), |other, most| {
            point_distance((other.mask(), other.origin), at, most)
        }))
    }

    /// Returns the collider nearest to another one, and the distance of their nearest pixels.
    pub(crate) fn nearest_to(
        &self,
        id: ColliderId,
        within: f32,
        filter: Filter<'_>,
    ) -> Result<Option<(ColliderId, f64)>, CallError> {
        checked_size(within)?;
        let Some(posed) = self.scene.enabled_mask(id) else { return Ok(None) };
        let (mask, at) = (posed.mask, posed.origin);
        Ok(self.nearest_of(mask.rect_at(at), within, (Some(id), filter), |other, most| {
            let (theirs, offset) = other.beside(at);
            mask.distance_within(theirs, offset, most.ceil() as i64)
        }))
    }

    /// Returns the collider nearest to `start`. `distance` measures a collider in mask pixels, and
    /// may return `None` for one that is farther than its second argument.
    fn nearest_of(
        &self,
        start: Rect,
        within: f32,
        (own, filter): (Option<ColliderId>, Filter<'_>),
        distance: impl Fn(&ColliderView<'_>, f64) -> Option<f64>,
    ) -> Option<(ColliderId, f64)> {
        let resolution = f64::from(self.scene.stock.resolution());
        // No two pixels are farther apart.
        let limit = (f64::from(within) * resolution).min(4e9);
        let view = self.scene.view();
        let mut radius = FIRST_RADIUS_PX;
        loop {
            let around = start.grown(radius);
            let mut best: Option<(f64, ColliderId)> = None;
            self.visit_filtered(around, filter, |id| {
                if own == Some(id) {
                    return;
                }
                let other = view.collider_view(id.slot(), filter.accuracy);
                let distance = distance(&other, best.map_or(limit, |(most, _)| most));
                if let Some(found) = distance.map(|distance| (distance, id)) {
                    best = Some(best.map_or(found, |best| if found < best { found } else { best }));
                }
            });
            // Every collider outside the search square is farther away than `radius`.
            let settled = best.is_some_and(|(distance, _)| distance <= radius.into());
            if settled || f64::from(radius) >= limit || radius == u32::MAX {
                let best = best.filter(|(distance, _)| *distance <= limit);
                return best.map(|(distance, id)| (id, distance / resolution));
            }
            radius = radius.saturating_mul(RADIUS_FACTOR);
        }
    }

    /// Returns the topmost collider at a position, or the nearest within `radius`, in pixels.
    pub(crate) fn pick<K: PartialOrd>(
        &self,
        at: [f32; 2],
        radius: f32,
        filter: Filter<'_>,
        height: impl Fn(ColliderId) -> K,
    ) -> Result<Option<ColliderId>, CallError> {
        // A radius beyond f32 reaches all pixels.
        let radius = (checked_size(radius)? * self.scene.stock.resolution()).min(f32::MAX);
        let at = self.scene.stock.mask_pixels(at);
        let point =
            self.scene.stock.in_pixels(Zone::point(at).and_then(|zone| zone.scaled(1.0)))?;
        let around = self.scene.stock.in_pixels(Zone::circle(at, radius))?;
        let here = self.query(&point, filter);
        let topmost = |ids: Vec<ColliderId>| {
            // The list is in order of indices, so the last of equals wins.
            ids.into_iter().reduce(|top, id| if height(id) < height(top) { top } else { id })
        };
        if !here.is_empty() {
            return Ok(topmost(here));
        }
        let (view, most) = (self.scene.view(), f64::from(radius));
        let at = at.map(f64::from);
        let mut near: Vec<(f64, ColliderId)> = Vec::new();
        self.visit_filtered(around.bounds().unwrap_or_default(), filter, |id| {
            let seen = view.collider_view(id.slot(), filter.accuracy);
            let distance = point_distance((seen.mask(), seen.origin), at, most);
            near.extend(distance.filter(|far| *far <= most).map(|far| (far, id)));
        });
        near.sort_unstable_by_key(|(_, id)| *id);
        let least = near.iter().map(|(far, _)| *far).fold(f64::INFINITY, f64::min);
        let nearest = near.into_iter().filter(|(far, _)| *far == least).map(|(_, id)| id);
        Ok(topmost(nearest.collect()))
    }

    /// Returns the square of a radius in mask pixels. No two pixels are farther apart than its cap.
    pub(crate) fn square(&self, radius: f32) -> Result<u64, CallError> {
        let resolution = f64::from(self.scene.stock.resolution());
        Ok((f64::from(checked_size(radius)?) * resolution).min(4e9).powi(2) as u64)
    }

    /// Returns the colliders with a pixel within a radius of one of another's.
    pub(crate) fn graze(
        &self,
        id: ColliderId,
        radius: f32,
        filter: Filter<'_>,
    ) -> Result<Vec<(ColliderId, Graze)>, CallError> {
        let square = self.square(radius)?;
        let slot = self.scene.placed.enabled_slot(id);
        let Some((slot, rect)) = slot
            .map(|slot| (slot, self.scene.placed.slots.rect(slot)))
            .filter(|(_, rect)| !rect.is_empty())
        else {
            return Ok(Vec::new());
        };
        let view = self.scene.view();
        let own = view.pixels(slot);
        let mut found = Vec::new();
        self.visit_filtered(rect.grown(square.isqrt() as u32), filter, |other| {
            let met = view.collider_view(other.slot(), filter.accuracy);
            let (theirs, offset) = met.beside(own.origin);
            let graze = graze(own.mask(), theirs, offset, square);
            if other != id && graze != Graze::Clear {
                found.push((other, graze));
            }
        });
        found.sort_unstable_by_key(|(other, _)| *other);
        Ok(found)
    }
}
