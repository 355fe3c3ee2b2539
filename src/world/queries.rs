//! Queries of a world: zones, rays, nearest colliders and picks.
//!
//! Numbers in f32 are pixels. Integers and rectangles are mask pixels. The two units differ only if
//! the resolution of the atlas is not 1.

use crate::error::CallError;
use crate::geom::{Line, Zone};
use crate::ids::ColliderId;
use crate::mask::MaskRef;
use crate::narrow::{Graze, LineHit};
use crate::query::{Filter, Probe};
use crate::world::World;

/// # Queries: by zone, line, nearness and order
impl World {
    /// Returns the colliders that have a pixel in a zone, in order of their indices.
    ///
    /// A rectangle with [`Accuracy::Box`](crate::Accuracy::Box) gives the colliders whose tight box
    /// overlaps it: the broad phase alone, for queries of your own. Each query costs one search of
    /// the colliders where they are now, in the middle of a tick too: see
    /// [costs](Self#costs-at-any-moment).
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, World};
    /// use hitmask::{Line, Zone};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let dot = Collider::new(atlas.sprite_id("a").unwrap());
    /// # let mut world = World::new(atlas);
    /// let id = world.insert(dot.at([10.0, 10.0]))?;
    /// assert_eq!(world.query(&Zone::point([10.0, 10.0])?, Filter::ALL)?, [id]);
    /// assert_eq!(world.query(&Zone::circle([12.0, 10.0], 3.0)?, Filter::ALL)?, [id]);
    /// let line = Line::new([0.0, 0.0], [5.0, 5.0])?;
    /// assert_eq!(world.query(&Zone::line(line), Filter::ALL)?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError`] if the zone is beyond 2e9 mask pixels, or a line is longer than 2^31 - 1.
    pub fn query(&self, zone: &Zone, filter: Filter<'_>) -> Result<Vec<ColliderId>, CallError> {
        let zone = zone.scaled(self.atlas().resolution())?;
        Ok(self.search().query(&zone, filter))
    }

    /// Returns the first collider on a line, and where the line meets it, in mask pixels. If several
    /// share the first pixel, the lowest index wins.
    ///
    /// # Errors
    /// Returns the errors of [`query`](Self::query).
    pub fn ray(
        &self,
        line: &Line,
        filter: Filter<'_>,
    ) -> Result<Option<(ColliderId, LineHit)>, CallError> {
        let line = line.scaled(self.atlas().resolution())?;
        Ok(self.search().ray(&line, filter))
    }

    /// Returns every collider on a line, and where the line first meets each: in the order of the
    /// line, then of indices.
    ///
    /// # Errors
    /// Returns the errors of [`query`](Self::query).
    pub fn ray_all(
        &self,
        line: &Line,
        filter: Filter<'_>,
    ) -> Result<Vec<(ColliderId, LineHit)>, CallError> {
        let line = line.scaled(self.atlas().resolution())?;
        Ok(self.search().ray_all(&line, filter))
    }

    /// Returns the colliders that another one hits or grazes. These are the colliders of the filter
    /// with a set pixel within `radius`, in pixels, of one of its own. Distances are from pixel
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
    /// assert_eq!(world.graze(ship, 8.0, Filter::ALL)?, [(near, Graze::Graze)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`CallError::Number`] if `radius` is negative or not finite.
    pub fn graze(
        &self,
        id: ColliderId,
        radius: f32,
        filter: Filter<'_>,
    ) -> Result<Vec<(ColliderId, Graze)>, CallError> {
        self.search().graze(id, radius, filter)
    }

    /// Returns the collider with the pixel nearest to a position, and its distance.
    ///
    /// The distance is measured from the exact position to the centre of the pixel, as in
    /// [`pick`](Self::pick) and [`Zone::circle`]. It is in units of positions,
    /// and at most `within`. Below a position on a set pixel it is at most 0.71 mask pixels. Of
    /// equally near colliders the one of lowest index is returned. Returns `None` if no collider is
    /// within the limit. Distances are in f64: farther than 2^25 mask pixels, colliders whose distances
    /// differ by less than one part in 2^50 may count as equally near.
    ///
    /// Searches squares, each 4 times as wide as the last, until a collider is near enough. Costs
    /// time for every collider in the last square, so a large `within` costs most where no collider
    /// is near.
    ///
    /// # Errors
    /// Returns [`CallError::Position`] if the position is not finite or out of range, and
    /// [`CallError::Number`] if `within` is negative or not finite.
    pub fn nearest(
        &self,
        at: impl Into<[f32; 2]>,
        within: f32,
        filter: Filter<'_>,
    ) -> Result<Option<(ColliderId, f64)>, CallError> {
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
    /// Returns [`CallError::Number`] if `within` is negative or not finite.
    pub fn nearest_to(
        &self,
        id: ColliderId,
        within: f32,
        filter: Filter<'_>,
    ) -> Result<Option<(ColliderId, f64)>, CallError> {
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
    /// Returns [`CallError::Position`] if the position is not finite or out of range, and
    /// [`CallError::Number`] if the radius is negative or not finite.
    pub fn pick<K: PartialOrd>(
        &self,
        at: impl Into<[f32; 2]>,
        radius: f32,
        filter: Filter<'_>,
        height: impl Fn(ColliderId) -> K,
    ) -> Result<Option<ColliderId>, CallError> {
        self.search().pick(at.into(), radius, filter, height)
    }

    /// Returns a probe: a mask that is not in the world, whose top-left pixel is at `at` in mask pixels.
    /// It finds what the mask touches, what it hits on a path, and the nearest free place.
    #[must_use]
    pub fn probe<'w>(&'w self, mask: impl Into<MaskRef<'w>>, at: impl Into<[i32; 2]>) -> Probe<'w> {
        Probe { search: self.search(), mask: mask.into(), at: at.into().into() }
    }
}
