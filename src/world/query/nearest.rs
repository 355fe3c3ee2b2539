//! Nearest colliders, picks under a pointer, and free offsets.
//!
//! Called by users through `World`. Boxes from the index select candidates; pixel distances decide.
//!
//! Invariants: a position is measured to pixel centres, exactly, by `nearest` and `pick` alike. Two
//! colliders are measured from pixel centre to pixel centre, so touching masks have distance 0.
//! Ties are broken by index, so answers do not depend on the order of candidates.

use crate::geom::{Point, Rect, Zone, ZoneError, checked_size};
use crate::mask::MaskRef;
use crate::narrow::motion::nearest::point_distance;
use crate::narrow::motion::push_out;
use crate::world::state::view::ColliderView;
use crate::world::{ColliderId, Filter, World};

/// Radius of the first search square, in mask pixels.
const FIRST_RADIUS_PX: u32 = 64;
/// Factor by which the radius grows from one search to the next.
const RADIUS_FACTOR: u32 = 4;

impl World {
    /// Returns the collider with the pixel nearest to a position, and its distance.
    ///
    /// The distance is measured from the exact position to the centre of the pixel, as in
    /// [`pick`](Self::pick) and [`query_circle`](Self::query_circle). It is in units of positions,
    /// and at most `within`. Below a position on a set pixel it is at most 0.71 mask pixels. Of
    /// equally near colliders the one of lowest index is returned. Returns `None` if no collider is
    /// within the limit.
    ///
    /// Searches squares, each 4 times as wide as the last, until a collider is near enough. Costs
    /// time for every collider in the last square, so a large `within` costs most where no collider
    /// is near.
    ///
    /// # Errors
    /// Returns [`ZoneError::Position`] if the position is not finite or out of range, and
    /// [`ZoneError::Size`] if `within` is negative or not finite.
    pub fn nearest(
        &self,
        at: impl Into<[f32; 2]>,
        within: f32,
        filter: Filter,
    ) -> Result<Option<(ColliderId, f64)>, ZoneError> {
        checked_size(within)?;
        let at = self.pixels(at.into());
        let pixel = self.in_units(Zone::point(at))?.bounds().unwrap_or_default();
        let at = at.map(f64::from);
        Ok(self.nearest_of(pixel, within, (None, filter), |other, most| {
            point_distance((other.mask(), other.origin), at, most)
        }))
    }

    /// Returns the collider nearest to another one, and the distance of their nearest pixels.
    ///
    /// The distance is measured between pixel centres, in units of positions: 0 if the two touch,
    /// and at most `within`. Returns `None` if no collider is within the limit, or if `id` is stale
    /// or disabled, or has no pixels. Only the filter selects the candidates, not the layers of `id`; `id`
    /// itself is excluded. The cost is that of [`nearest`](Self::nearest).
    ///
    /// # Errors
    /// Returns [`ZoneError::Size`] if `within` is negative or not finite.
    pub fn nearest_to(
        &self,
        id: ColliderId,
        within: f32,
        filter: Filter,
    ) -> Result<Option<(ColliderId, f64)>, ZoneError> {
        checked_size(within)?;
        let Some(posed) = self.enabled_mask(id) else { return Ok(None) };
        let (mask, at) = (posed.mask, posed.origin);
        Ok(self.nearest_of(mask.rect_at(at), within, (Some(id), filter), |other, most| {
            let (theirs, offset) = other.beside(at);
            mask.distance_within(theirs, offset, most.ceil() as i64)
        }))
    }

    /// Returns the distance between the nearest pixels of two colliders, from centre to centre, in
    /// units of positions. Returns `None` if an id is stale, or a collider is disabled or has no
    /// pixels.
    #[must_use]
    pub fn distance(&self, a: ColliderId, b: ColliderId) -> Option<f64> {
        let (a, b) = (self.enabled_mask(a)?, self.enabled_mask(b)?);
        let pixels = a.mask.distance(b.mask, b.origin - a.origin)?;
        Some(pixels / f64::from(self.atlas.resolution()))
    }

    /// Returns the collider nearest to `start`. `distance` measures a collider in mask pixels, and
    /// may return `None` for one that is farther than its second argument.
    fn nearest_of(
        &self,
        start: Rect,
        within: f32,
        (own, filter): (Option<ColliderId>, Filter),
        distance: impl Fn(&ColliderView<'_>, f64) -> Option<f64>,
    ) -> Option<(ColliderId, f64)> {
        let resolution = f64::from(self.atlas.resolution());
        // No two pixels are farther apart.
        let limit = (f64::from(within) * resolution).min(4e9);
        let view = self.view();
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

    /// Returns the collider under a pointer: the topmost with a pixel at the position, or else the
    /// nearest within `radius`. The radius is in units of positions. Distances are those of
    /// [`nearest`](Self::nearest): from the exact position to pixel centres.
    ///
    /// The topmost collider has the greatest `height`, or the greatest index if heights are equal.
    /// Of equally near colliders the topmost is returned.
    ///
    /// # Errors
    /// Returns [`ZoneError::Position`] if the position is not finite or out of range, and
    /// [`ZoneError::Size`] if the radius is negative or not finite.
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
            // The list is in order of indices, so the last of equals wins.
            ids.into_iter().reduce(|top, id| if height(id) < height(top) { top } else { id })
        };
        if !here.is_empty() {
            return Ok(topmost(here));
        }
        let (view, most) = (self.view(), f64::from(radius));
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

    /// Returns the shortest translation that frees a mask from every overlap. Returns (0, 0) if the
    /// mask is free already, and `None` if no free place lies within `radius`.
    ///
    /// All values are in mask pixels; `at` is the position of the mask's top-left pixel. Of equally
    /// short translations the one farthest up is returned, then the one farthest left. The result
    /// is exact: it leaves several overlaps at once and enters none. To place something new, ask
    /// with the mask at the preferred position.
    ///
    /// Costs time for every collider within `radius`, even if a free place is near. A longer search
    /// also tests each of those colliders on every row beside the mask. Use the smallest radius
    /// that will do.
    #[must_use]
    pub fn nearest_free_offset<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        at: impl Into<[i32; 2]>,
        radius: u32,
        filter: Filter,
    ) -> Option<Point> {
        let (mask, at) = (mask.into(), Point::from(at.into()));
        // No collider can be farther away.
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

    /// Returns the shortest translation, in mask pixels, that frees a collider from everything that
    /// blocks it. Every non-sensor collider with compatible layers blocks, by its pixels or its box
    /// as in [`cast`](Self::cast).
    ///
    /// Returns (0, 0) if the collider is free. Returns `None` if no free place lies within `radius`
    /// mask pixels, or if `id` is stale. Ties and cost are those of
    /// [`nearest_free_offset`](Self::nearest_free_offset). The collider stays where it is.
    #[must_use]
    pub fn push_out(&self, id: ColliderId, radius: u32) -> Option<Point> {
        let slot = self.slots.find(id)?;
        let view = self.view();
        let own = view.move_view(slot);
        let radius = radius.min(1 << 30);
        let around = self.slots.rect(slot).grown(radius);
        let mut others = Vec::new();
        self.each_near(around, |other| {
            if self.blocks_motion(slot, other) {
                others.push(view.move_view(other.slot()));
            }
        });
        let others: Vec<_> = others.iter().map(|seen| seen.beside(own.origin)).collect();
        push_out::out_of_all(own.mask(), &others, radius)
    }
}
