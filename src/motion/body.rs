//! Motions of bodies: all colliders of an owner as one body.
//!
//! ```text
//! pixel path of the part of lowest index, the same for all parts
//!   cast each part along it; the earliest hit ends the motion
//! free to its end: each part snaps to the pixel of its own fraction, if that is free
//! write all positions, or none
//! ```
//!
//! Invariants: the parts never block each other. On the way they
//! move by the same whole pixels. A refused call changes nothing.

use crate::error::CallError;
use crate::geom::{PixelPath, Point};
use crate::ids::ColliderId;
use crate::motion::cast::{Hit, Route, position_of, steps_back};
use crate::narrow::motion::Impact;
use crate::query::{Bodies, Body, Filter, Search};
use crate::scene::{Placement, placement};

/// The first collider hit by the motion of a body.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, World};
/// use hitmask::Body;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "##\n##".parse()?).to_bytes()?)?;
/// # let a = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let hand = world.insert(a.at([0.0, 0.0]).owned_by(7))?;
/// let foot = world.insert(a.at([0.0, 30.0]).owned_by(7))?;
/// let wall = world.insert(a.at([20.0, 30.0]))?;
/// let met = world.move_body(7, [100.0, 0.0], Filter::SOLID)?.unwrap();
/// assert_eq!((met.part, met.body, met.hit.collider), (foot, Body::Collider(wall), wall));
/// assert_eq!(world.get(foot).unwrap().position, [18.0, 30.0]);
/// assert_eq!(world.get(hand).unwrap().position, [18.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyHit {
    /// The part that hits; the one of lowest index if several hit at one step.
    pub part: ColliderId,
    /// The body of the collider that is hit.
    pub body: Body,
    /// The collider that is hit, and the details. The position is that of the part.
    pub hit: Hit,
}

struct MovingPart {
    id: ColliderId,
    route: Route,
}

/// The end of a motion: the hit if any, by its part, and the position of each part.
struct Arrival {
    hit: Option<(usize, ColliderId, Impact)>,
    positions: Vec<[f32; 2]>,
}

/// A motion of all parts of a body: where it ends, and the hit that ended it.
pub(crate) struct BodyMotion {
    pub(crate) ids: Vec<ColliderId>,
    pub(crate) placements: Vec<Placement>,
    pub(crate) hit: Option<BodyHit>,
}

impl Bodies<'_> {
    /// Returns the first collider that a body hits if all its parts move by `motion`, in pixels.
    /// Returns `None` if the way is free for all. Nothing moves.
    ///
    /// Each part is blocked by the rules of [`World::cast`](crate::World::cast), by its own layers and
    /// accuracy. The parts do not block each other. Sensors never block. Sensors and disabled parts
    /// move along and are blocked by nothing.
    ///
    /// All parts follow one [`PixelPath`], that of the part of lowest index. At its end each part
    /// snaps to the pixel of its own position, which may lie one pixel further. If a part is
    /// blocked only there, the hit has one step more than the path.
    ///
    /// Costs one cast for each part.
    ///
    /// # Errors
    /// Returns [`CallError::UnknownOwner`] if the owner has no colliders, and
    /// [`CallError::Position`] if the end of a part is not finite or out of range.
    pub fn cast(
        &self,
        owner: u32,
        motion: impl Into<[f32; 2]>,
        filter: Filter<'_>,
    ) -> Result<Option<BodyHit>, CallError> {
        Ok(self.search.body_motion(owner, motion.into(), filter)?.hit)
    }
}

impl Search<'_> {
    /// Returns the motion of a body by `motion`, in pixels, up to the first obstacle of any part.
    pub(crate) fn body_motion(
        &self,
        owner: u32,
        motion: [f32; 2],
        filter: Filter<'_>,
    ) -> Result<BodyMotion, CallError> {
        let parts = self.moving_parts(owner, motion)?;
        let arrival = self.arrival(&parts, filter);
        let hit = self.body_hit(&parts, &arrival);
        Ok(self.end_of(&parts, &arrival.positions, hit))
    }

    fn end_of(&self, parts: &[MovingPart], at: &[[f32; 2]], hit: Option<BodyHit>) -> BodyMotion {
        let ids: Vec<ColliderId> = parts.iter().map(|part| part.id).collect();
        let placement = |(&id, &position): (&ColliderId, &[f32; 2])| Placement {
            position,
            angle: self.scene.placed.slots.angles[id.slot()],
        };
        let placements = ids.iter().zip(at).map(placement).collect();
        BodyMotion { ids, placements, hit }
    }

    /// Returns the parts of an owner, all of which can end where the motion leads.
    fn moving_parts(&self, owner: u32, motion: [f32; 2]) -> Result<Vec<MovingPart>, CallError> {
        let resolution = self.scene.stock.resolution();
        let part = |id: ColliderId| {
            let start = self.scene.placed.slots.positions[id.slot()];
            Ok(MovingPart { id, route: Route::new(start, motion, resolution)? })
        };
        let parts: Vec<MovingPart> =
            self.scene.placed.parts_of(owner).map(part).collect::<Result<_, _>>()?;
        if parts.is_empty() { Err(CallError::UnknownOwner(owner)) } else { Ok(parts) }
    }

    fn arrival(&self, parts: &[MovingPart], filter: Filter<'_>) -> Arrival {
        let path = parts[0].route.path;
        if let Some((at, collider, impact)) = self.first_hit_of_parts(parts, path, filter) {
            let positions = self.positions_after(parts, (path, impact.step.saturating_sub(1)));
            return Arrival { hit: Some((at, collider, impact)), positions };
        }
        // The way is free. Now each part snaps to the pixel of its own end.
        let snapped = |(at, part): (usize, &MovingPart)| {
            let ahead = path.motion();
            let by = part.route.path.motion() - ahead;
            let (collider, impact) =
                self.part_hit(part, ahead, (PixelPath::new(by), u32::MAX), filter)?;
            let steps = path.steps().saturating_add(1);
            let contact_offset = ahead + impact.contact_offset;
            let (free_offset, point) = (ahead, ahead + impact.point);
            let impact =
                Impact { step: steps, steps, free_offset, contact_offset, point, ..impact };
            Some((at, collider, impact))
        };
        let apart = |(_, part): &(usize, &MovingPart)| part.route.path.motion() != path.motion();
        let hit = parts.iter().enumerate().filter(apart).find_map(snapped);
        let positions = match hit {
            Some(_) => self.positions_after(parts, (path, path.steps())),
            None => parts.iter().map(|part| part.route.end).collect(),
        };
        Arrival { hit, positions }
    }

    /// Returns the first hit of all parts on one path: the part, the collider and the details.
    fn first_hit_of_parts(
        &self,
        parts: &[MovingPart],
        path: PixelPath,
        filter: Filter<'_>,
    ) -> Option<(usize, ColliderId, Impact)> {
        let mut first: Option<(usize, ColliderId, Impact)> = None;
        for (at, part) in parts.iter().enumerate() {
            // A later part counts only if it hits earlier.
            let last = match &first {
                None => path.steps(),
                Some((_, _, impact)) if impact.step == 0 => break,
                Some((_, _, impact)) => impact.step - 1,
            };
            let hit = self.part_hit(part, Point::default(), (path, last), filter);
            first = hit.map(|(collider, impact)| (at, collider, impact)).or(first);
        }
        first
    }

    /// Returns the first collider that a part hits up to `last`, on a path from `ahead` of it.
    fn part_hit(
        &self,
        part: &MovingPart,
        ahead: Point,
        (path, last): (PixelPath, u32),
        filter: Filter<'_>,
    ) -> Option<(ColliderId, Impact)> {
        let slot = part.id.slot();
        if filter.layers == 0 || self.scene.placed.appearance(slot).sensor {
            return None;
        }
        let view = self.scene.view().move_view(slot);
        let blocks = |other| self.blocks_motion(slot, other, filter);
        self.first_hit((view.mask(), view.origin + ahead), (path, last), None, blocks)
    }

    /// Returns the position of each part after a step of a path. Far from the origin, where an f32
    /// cannot represent every pixel, returns those of the last step before that suits all parts.
    fn positions_after(
        &self,
        parts: &[MovingPart],
        (path, step): (PixelPath, u32),
    ) -> Vec<[f32; 2]> {
        let starts = || parts.iter().map(|part| part.route.start).collect();
        let positions = |step| self.positions_at(parts, path.at(step));
        steps_back(step).find_map(positions).unwrap_or_else(starts)
    }

    /// Returns the position of each part after a motion by whole mask pixels, if each has one.
    fn positions_at(&self, parts: &[MovingPart], by: Point) -> Option<Vec<[f32; 2]>> {
        let resolution = self.scene.stock.resolution();
        let lands = |part: &MovingPart, at: [f32; 2]| {
            placement::snap(at, resolution) == Some(part.route.from + by)
        };
        let moved = |start: [f32; 2], by: [f64; 2]| {
            [0, 1].map(|axis| (f64::from(start[axis]) + by[axis]) as f32)
        };
        // The first part ends as a single collider does, and the others keep their distance to it.
        let (start, first) = (parts[0].route.start, parts[0].route.position(by));
        let shift = [0, 1].map(|axis| f64::from(first[axis]) - f64::from(start[axis]));
        let positions: Vec<[f32; 2]> =
            parts.iter().map(|part| moved(part.route.start, shift)).collect();
        if parts.iter().zip(&positions).all(|(part, &at)| lands(part, at)) {
            return Some(positions);
        }
        // The fractions of the parts differ: a shift by whole pixels suits them all.
        let whole = [by.x, by.y].map(|v| f64::from(v) / f64::from(resolution));
        let position = |part: &MovingPart| {
            let both =
                [moved(part.route.start, whole), position_of(part.route.from + by, resolution)];
            both.into_iter().find(|&at| lands(part, at))
        };
        parts.iter().map(position).collect()
    }

    fn body_hit(&self, parts: &[MovingPart], arrival: &Arrival) -> Option<BodyHit> {
        let (at, collider, impact) = arrival.hit?;
        let body = Body::of(collider, self.scene.placed.owner(collider));
        let part = parts[at].id;
        let point = self.scene.view().move_view(part.slot()).origin + impact.point;
        let point = position_of(point, self.scene.stock.resolution());
        let hit = Hit { collider, point, impact, position: arrival.positions[at] };
        Some(BodyHit { part, body, hit })
    }
}
