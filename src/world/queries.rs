//! Queries of a world: zones, rays, nearest colliders and picks.
//!
//! Numbers in f32 are in pixels. Integers, rectangles, zones and lines are in mask pixels. The two
//! units differ only if the resolution of the atlas is not 1.

use crate::geom::{Line, Point, Rect, Zone, ZoneError};
use crate::mask::MaskRef;
use crate::narrow::{Graze, LineHit};
#[cfg(feature = "rstar")]
use crate::query::ColliderBox;
use crate::query::Filter;
use crate::scene::ColliderId;
use crate::world::World;

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
        self.search().query_into(zone, filter, found);
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
        let zone = Zone::point(self.scene.mask_pixels(at.into()));
        Ok(self.query(&self.scene.in_pixels(zone)?, filter))
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
        let radius = radius * self.atlas().resolution();
        let zone = Zone::circle(self.scene.mask_pixels(center.into()), radius);
        Ok(self.query(&self.scene.in_pixels(zone)?, filter))
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
        let [center, radii] = [center.into(), radii.into()].map(|at| self.scene.mask_pixels(at));
        Ok(self.query(&self.scene.in_pixels(Zone::ellipse(center, radii))?, filter))
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
        let [from, to] = [from.into(), to.into()].map(|at| self.scene.mask_pixels(at));
        Ok(self.query(&Zone::line(self.scene.in_pixels(Line::new(from, to))?), filter))
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
        self.search().query_mask_into(mask.into(), at.into().into(), filter, found);
    }

    /// Returns the colliders whose tight box overlaps `rect`, in order of their indices: the broad
    /// phase alone, for queries of your own. `rect` is in mask pixels.
    ///
    /// Costs one search of the index of the last [`update`](Self::update). Colliders that changed
    /// since then are tested one by one.
    #[must_use]
    pub fn query_aabb(&self, rect: Rect) -> Vec<ColliderId> {
        let mut found = Vec::new();
        self.query_aabb_into(rect, &mut found);
        found
    }

    /// Replaces the contents of `found` by the colliders of [`query_aabb`](Self::query_aabb).
    pub fn query_aabb_into(&self, rect: Rect, found: &mut Vec<ColliderId>) {
        self.search().query_aabb_into(rect, found);
    }

    /// Returns the first collider on a line, and where the line meets it. If several share the
    /// first pixel, the lowest index wins. The line is in mask pixels: [`Line::new`] or
    /// [`Line::ray`].
    #[must_use]
    pub fn ray(&self, line: &Line, filter: Filter) -> Option<(ColliderId, LineHit)> {
        self.search().ray(line, filter)
    }

    /// Returns every collider on a line, and where the line first meets each: in the order of the
    /// line, then of indices.
    #[must_use]
    pub fn ray_all(&self, line: &Line, filter: Filter) -> Vec<(ColliderId, LineHit)> {
        self.search().ray_all(line, filter)
    }

    /// Returns the colliders that another one hits or grazes. These are the colliders of the filter
    /// with a set pixel within `radius` mask pixels of one of its own. Distances are from pixel
    /// centre to pixel centre.
    ///
    /// The result is in order of indices, for the current placements. It is empty if `id` is stale
    /// or disabled, or has no pixels. A radius of 0 finds only hits.
    ///
    /// The filter alone selects the candidates, and `id` itself is excluded. Costs one search of
    /// the index, plus one [`Mask::graze`](crate::Mask::graze) per collider whose box is near
    /// enough.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, Graze, Mask, World};
    /// # let bytes = AtlasBuilder::new().mask("ship", "####\n####".parse()?).mask("shot", Mask::disc(0)?);
    /// # let atlas = Atlas::from_vec(bytes.to_bytes()?)?;
    /// # let [ship, shot] = ["ship", "shot"].map(|name| atlas.sprite_id(name).unwrap());
    /// # let mut world = World::new(atlas);
    /// let ship = world.insert(Collider::new(ship))?;
    /// let near = world.insert(Collider::new(shot).at([0.0, 4.0]))?;
    /// let far = world.insert(Collider::new(shot).at([0.0, 40.0]))?;
    /// assert_eq!(world.graze(ship, 8, Filter::ALL), [(near, Graze::Graze)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn graze(&self, id: ColliderId, radius: u32, filter: Filter) -> Vec<(ColliderId, Graze)> {
        self.search().graze(id, radius, filter)
    }

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
        self.search().nearest(at.into(), within, filter)
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
        self.search().nearest_to(id, within, filter)
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
        self.search().pick(at.into(), radius, filter, height)
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
        self.search().nearest_free_offset(mask.into(), at.into().into(), radius, filter)
    }

    /// Returns an index of the boxes of all enabled colliders with pixels, at their current placements. The
    /// index does not follow later moves.
    #[cfg(feature = "rstar")]
    #[must_use]
    pub fn to_rtree(&self) -> rstar::RTree<ColliderBox> {
        self.scene.to_rtree()
    }
}
