//! Questions about the world, in entities and with y up.
//!
//! Called by systems and observers of games. The answers are those of the last synchronisation, so after a move of an
//! entity they follow with the next tick.

use crate::pixel_world::PixelWorld;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Rect, Vec2};
use hitmask::{
    Accuracy, CallError, ColliderId, Filter, Graze, Line, MaskRef, Normal, Side,
    World as HitmaskWorld, Zone,
};

/// Questions about touches, rays, zones and motions.
///
/// Lengths and positions are in pixels of Bevy's world, y up. All answers are exact to the pixel. A question with a
/// number that is not finite, or about an entity without a collider, has an empty answer.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_hitmask::{PixelQuery, QueryFilter};
///
/// fn aim(pixels: PixelQuery, turrets: Query<(Entity, &GlobalTransform), With<Turret>>) {
///     for (turret, transform) in &turrets {
///         let (from, along) = (transform.translation().xy(), transform.right().xy());
///         if let Some(hit) = pixels.ray(from, along * 500.0, QueryFilter::ALL.except(turret)) {
///             println!("{} is in sight at {}", hit.entity, hit.point);
///         }
///     }
/// }
/// # #[derive(Component)]
/// # struct Turret;
/// ```
#[derive(SystemParam)]
pub struct PixelQuery<'w> {
    pixels: Option<Res<'w, PixelWorld>>,
}

/// The colliders that a question considers. [`PixelQuery`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryFilter {
    /// Colliders on at least one of these layers, one bit each.
    pub layers: u32,
    /// Whether sensors are included.
    pub sensors: bool,
    /// An entity to exclude, usually the one that asks.
    pub except: Option<Entity>,
    /// At [`Accuracy::Box`] the boxes of colliders count as solid, otherwise their pixels.
    pub accuracy: Accuracy,
}

impl QueryFilter {
    /// All colliders, tested by their pixels.
    pub const ALL: Self =
        Self { layers: u32::MAX, sensors: true, except: None, accuracy: Accuracy::Exact };
    /// All colliders except sensors: those that block motions.
    pub const SOLID: Self = Self { sensors: false, ..Self::ALL };

    /// Returns the filter without an entity.
    #[must_use]
    pub const fn except(self, entity: Entity) -> Self {
        Self { except: Some(entity), ..self }
    }

    /// Returns the filter for these layers, one bit each.
    #[must_use]
    pub const fn on_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self::ALL
    }
}

/// The overlap of two colliders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityContact {
    /// The tight box around the shared pixels.
    pub rect: Rect,
    /// The number of shared mask pixels.
    pub area: u64,
    /// The centre of the topmost shared pixel; of several in that row the leftmost.
    pub point: Vec2,
    /// The direction in which the first entity leaves the second one most directly. A unit vector.
    pub normal: Vec2,
    /// The side of the first entity on which the second one lies.
    pub side: Side,
}

/// What a ray hits first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The entity.
    pub entity: Entity,
    /// The centre of the first pixel on the ray.
    pub point: Vec2,
    /// Distance from the start of the ray, in pixels.
    pub distance: f32,
    /// The surface normal, a unit vector.
    pub normal: Vec2,
}

/// What a moving collider hits first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The entity.
    pub entity: Entity,
    /// The centre of the first pixel that both have: where a shell carves, or an effect appears.
    pub point: Vec2,
    /// The part of the motion that is free, in pixels.
    pub free: Vec2,
    /// The same as a fraction, from 0 to 1.
    pub time: f32,
    /// The surface normal, a unit vector from the obstacle towards the mover.
    pub normal: Vec2,
}

impl PixelQuery<'_> {
    /// Returns the overlap of two colliders, as of the last synchronisation. `None` if they do not overlap.
    #[must_use]
    pub fn contact(&self, entity: Entity, other: Entity) -> Option<EntityContact> {
        let (world, id) = self.collider(entity)?;
        let other = self.collider(other)?.1;
        let touch = world.pair([id, other])?;
        let (contact, normal) = (touch.contact()?, touch.normal_of(id)?);
        let scale = world.atlas().resolution();
        Some(EntityContact {
            rect: up_rect(contact.rect, scale),
            area: contact.area,
            point: up_point(contact.point, scale),
            normal: up_normal(normal),
            side: normal.side(),
        })
    }

    /// Returns the entities that touch a collider by the rules of the update, at their present places.
    #[must_use]
    pub fn touching(&self, entity: Entity) -> Vec<Entity> {
        let Some((world, id)) = self.collider(entity) else { return Vec::new() };
        self.entities(world.touching_with(id))
    }

    /// Returns the entities with a pixel at a point.
    #[must_use]
    pub fn at_point(&self, point: Vec2, filter: QueryFilter) -> Vec<Entity> {
        self.in_zone(filter, |_| Zone::point(down(point)))
    }

    /// Returns the entities with a pixel whose centre is at most `radius` pixels from a point.
    #[must_use]
    pub fn in_circle(&self, center: Vec2, radius: f32, filter: QueryFilter) -> Vec<Entity> {
        self.in_zone(filter, |_| Zone::circle(down(center), radius))
    }

    /// Returns the entities with a pixel whose centre lies in a rectangle.
    #[must_use]
    pub fn in_rect(&self, rect: Rect, filter: QueryFilter) -> Vec<Entity> {
        self.in_zone(filter, |resolution| {
            let edge = |v: f32| (v * resolution - 0.5).ceil() as i32;
            let ([x0, x1], [y0, y1]) = ([rect.min.x, rect.max.x], [-rect.max.y, -rect.min.y]);
            Ok(Zone::rect(hitmask::Rect::new(edge(x0), edge(y0), edge(x1), edge(y1))))
        })
    }

    /// Returns the entities with a pixel on a line.
    #[must_use]
    pub fn on_line(&self, from: Vec2, to: Vec2, filter: QueryFilter) -> Vec<Entity> {
        self.in_zone(filter, |_| Line::new(down(from), down(to)).map(Zone::line))
    }

    /// Returns the entities that share a pixel with a mask of the game, whose top-left corner is at `corner`.
    #[must_use]
    pub fn with_mask<'m>(
        &self,
        mask: impl Into<MaskRef<'m>>,
        corner: Vec2,
        filter: QueryFilter,
    ) -> Vec<Entity> {
        let Some((world, filter)) = self.filtered(filter) else { return Vec::new() };
        let corner = down(corner).map(|v| (v * world.atlas().resolution()).round() as i32);
        let mask: MaskRef<'_> = mask.into();
        self.entities(world.probe(mask, corner).touching(filter))
    }

    /// Returns the first entity on a ray, which ends at `from + motion`.
    #[must_use]
    pub fn ray(&self, from: Vec2, motion: Vec2, filter: QueryFilter) -> Option<RayHit> {
        let (world, filter) = self.filtered(filter)?;
        let line = Line::new(down(from), down(from + motion)).ok()?;
        let (id, hit) = world.ray(&line, filter).ok()??;
        self.ray_hit(world, from, id, hit)
    }

    /// Returns all entities on a ray, in the order in which it meets them.
    #[must_use]
    pub fn ray_all(&self, from: Vec2, motion: Vec2, filter: QueryFilter) -> Vec<RayHit> {
        let Some((world, filter)) = self.filtered(filter) else { return Vec::new() };
        let line = Line::new(down(from), down(from + motion));
        let hits =
            line.and_then(|line| world.ray_all(&line, filter)).unwrap_or_default().into_iter();
        hits.filter_map(|(id, hit)| self.ray_hit(world, from, id, hit)).collect()
    }

    /// Returns the topmost entity with a pixel at a point, or else the nearest within `radius` pixels. `height` tells
    /// which of two is on top, as the z of its transform does.
    #[must_use]
    pub fn pick<K: PartialOrd>(
        &self,
        point: Vec2,
        radius: f32,
        filter: QueryFilter,
        height: impl Fn(Entity) -> K,
    ) -> Option<Entity> {
        let (world, filter) = self.filtered(filter)?;
        let height = |id| self.entity(id).map(&height);
        world
            .pick(down(point), radius, filter, height)
            .ok()
            .flatten()
            .and_then(|id| self.entity(id))
    }

    /// Returns the entity with the pixel nearest to a point, and its distance. Considers those within `within` pixels.
    #[must_use]
    pub fn nearest(&self, point: Vec2, within: f32, filter: QueryFilter) -> Option<(Entity, f64)> {
        let (world, filter) = self.filtered(filter)?;
        let (id, distance) = world.nearest(down(point), within, filter).ok()??;
        Some((self.entity(id)?, distance))
    }

    /// Returns the entity nearest to another one, and the distance of their nearest pixels: 0 if they touch.
    #[must_use]
    pub fn nearest_to(
        &self,
        entity: Entity,
        within: f32,
        filter: QueryFilter,
    ) -> Option<(Entity, f64)> {
        let id = self.collider(entity)?.1;
        let (world, filter) = self.filtered(filter)?;
        let (id, distance) = world.nearest_to(id, within, filter).ok()??;
        Some((self.entity(id)?, distance))
    }

    /// Returns the distance between the nearest pixels of two colliders, in pixels.
    #[must_use]
    pub fn distance(&self, entity: Entity, other: Entity) -> Option<f64> {
        let (world, id) = self.collider(entity)?;
        world.pair([id, self.collider(other)?.1]).and_then(|pair| pair.distance())
    }

    /// Returns the first entity that a collider hits if it moves by `motion`. Every collider that is no sensor and
    /// whose layers match blocks. The collider stays where it is.
    ///
    /// # Errors
    /// [`CallError`] for a motion that is not finite, or that ends out of range.
    pub fn cast(&self, entity: Entity, motion: Vec2) -> Result<Option<CastHit>, CallError> {
        let Some((world, id)) = self.collider(entity) else { return Ok(None) };
        let Some(hit) = world.cast(id, down(motion), Filter::SOLID)? else { return Ok(None) };
        let scale = world.atlas().resolution();
        let (free, half) = (hit.impact.free_offset, 0.5 / scale);
        Ok(self.entity(hit.collider).map(|entity| CastHit {
            entity,
            point: Vec2::new(hit.point[0] + half, -hit.point[1] - half),
            free: Vec2::new(free.x as f32, -free.y as f32) / scale,
            time: hit.impact.time(),
            normal: up_normal(hit.impact.normal),
        }))
    }

    /// Returns the entities that a collider hits or grazes: those with a pixel within `radius` units of one of its
    /// own. The list is empty if the radius is negative or not finite.
    #[must_use]
    pub fn graze(&self, entity: Entity, radius: f32, filter: QueryFilter) -> Vec<(Entity, Graze)> {
        let (Some((_, id)), Some((world, filter))) = (self.collider(entity), self.filtered(filter))
        else {
            return Vec::new();
        };
        let found = world.graze(id, radius, filter).unwrap_or_default().into_iter();
        found.filter_map(|(id, graze)| Some((self.entity(id)?, graze))).collect()
    }

    fn collider(&self, entity: Entity) -> Option<(&HitmaskWorld, ColliderId)> {
        let pixels = self.pixels.as_deref()?;
        Some((pixels.world()?, pixels.id(entity)?))
    }

    fn filtered(&self, filter: QueryFilter) -> Option<(&HitmaskWorld, Filter<'static>)> {
        let pixels = self.pixels.as_deref()?;
        let QueryFilter { layers, sensors, except, accuracy } = filter;
        let except = except.and_then(|entity| pixels.id(entity));
        Some((pixels.world()?, Filter { layers, sensors, except, accuracy, ..Filter::ALL }))
    }

    fn entity(&self, id: ColliderId) -> Option<Entity> {
        self.pixels.as_deref()?.entity(id)
    }

    fn entities(&self, ids: Vec<ColliderId>) -> Vec<Entity> {
        ids.into_iter().filter_map(|id| self.entity(id)).collect()
    }

    /// Returns the entities in the zone for a resolution; none if it is invalid.
    fn in_zone(
        &self,
        filter: QueryFilter,
        zone: impl FnOnce(f32) -> Result<Zone, CallError>,
    ) -> Vec<Entity> {
        let Some((world, filter)) = self.filtered(filter) else { return Vec::new() };
        let zone = zone(world.atlas().resolution());
        self.entities(zone.and_then(|zone| world.query(&zone, filter)).unwrap_or_default())
    }

    fn ray_hit(
        &self,
        world: &HitmaskWorld,
        from: Vec2,
        id: ColliderId,
        hit: hitmask::LineHit,
    ) -> Option<RayHit> {
        let point = up_point(hit.point, world.atlas().resolution());
        let (entity, normal) = (self.entity(id)?, up_normal(hit.normal));
        Some(RayHit { entity, point, distance: from.distance(point), normal })
    }
}

/// Converts a position or a motion from y up to y down.
fn down(v: Vec2) -> [f32; 2] {
    [v.x, -v.y]
}

/// Returns the centre of a mask pixel, y up.
fn up_point(pixel: hitmask::Point, resolution: f32) -> Vec2 {
    Vec2::new(pixel.x as f32 + 0.5, -(pixel.y as f32 + 0.5)) / resolution
}

/// Converts a rectangle of mask pixels.
pub(crate) fn up_rect(rect: hitmask::Rect, resolution: f32) -> Rect {
    let corner = |x: i32, y: i32| Vec2::new(x as f32, -y as f32) / resolution;
    Rect::from_corners(corner(rect.x0, rect.y0), corner(rect.x1, rect.y1))
}

fn up_normal(normal: Normal) -> Vec2 {
    Vec2::new(normal.x, -normal.y)
}
