//! Casts: the first collider that a moving collider or mask hits, or all of them.
//!
//! A piercing cast searches the whole path once, because nothing ends it. For the first hit, a long path
//! is searched in parts along the line. In each part, obstacles are tested in the order in which the
//! mover's box enters theirs. The search stops at the first box that is entered after the best hit.
//!
//! Invariants: the result equals that of testing every pixel step in order. Of several obstacles
//! hit at one step, the one of lowest index is reported.

use crate::error::CallError;
use crate::geom::{PixelPath, Point, Rect};
use crate::ids::ColliderId;
use crate::mask::MaskRef;
use crate::narrow::Accuracy;
use crate::narrow::motion::{Impact, cast, push_out};
use crate::query::{Filter, PathPart, Probe, Region, Search, along};
use crate::scene::pair_rule::may_meet;
use crate::scene::placement;
use crate::scene::view::ColliderView;

/// The first collider hit by a motion.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Filter, World};
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "##\n##".parse()?).to_bytes()?)?;
/// # let a = Collider::new(atlas.sprite_id("a").unwrap());
/// # let mut world = World::new(atlas);
/// let mover = world.insert(a)?;
/// let wall = world.insert(a.at([10.0, 0.0]))?;
/// let hit = world.cast(mover, [50.0, 0.0], Filter::SOLID)?.unwrap();
/// assert_eq!((hit.collider, hit.position), (wall, [8.0, 0.0]));
/// assert_eq!(hit.point, [9.0, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit {
    /// The collider hit. Of several hit at one step, a cast for the first hit reports the one of
    /// lowest index.
    pub collider: ColliderId,
    /// The pixel where the two meet, in pixels of the world: its top-left corner, so a position of
    /// integers at resolution 1. It is [`Impact::point`], a pixel that both have set at contact.
    /// Carve there, or place an effect there with [`Collider::at`](crate::Collider::at). Farther
    /// than 2^24 mask pixels from the origin an f32 may name a neighbouring pixel.
    pub point: [f32; 2],
    /// Step, offsets and normal of the hit, in mask pixels.
    pub impact: Impact,
    /// Free position of the mover: its position after the last free step, in pixels.
    /// Farther than 2^24 mask pixels from the origin an f32 cannot represent every pixel. The
    /// position is then that of the last free step that it can represent. From 2^29 on, where it
    /// represents each 64th pixel of an axis, only the last 4,096 steps are tried, before the start.
    pub position: [f32; 2],
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Hits {
    First,
    All,
}

/// A collider near the path, as the narrow phase sees it.
pub(crate) struct Obstacle<'w> {
    pub(crate) id: ColliderId,
    pub(crate) view: ColliderView<'w>,
    pub(crate) rect: Rect,
    /// Is a platform that can be jumped through: see [`MoveRules`](crate::MoveRules).
    pub(crate) one_way: bool,
}

impl Obstacle<'_> {
    /// Tests whether a mask whose top-left pixel is at a point shares a pixel with the obstacle.
    pub(crate) fn is_touched_by(&self, (mask, at): (MaskRef<'_>, Point)) -> bool {
        let (other, offset) = self.view.beside(at);
        mask.touches(other, offset)
    }
}

impl<'w> Search<'w> {
    /// Returns what a collider hits of those that it may meet and that pass the filter.
    pub(crate) fn cast(
        &self,
        id: ColliderId,
        motion: [f32; 2],
        which: Hits,
        filter: Filter<'_>,
    ) -> Result<Vec<Hit>, CallError> {
        let slot = self.scene.placed.slots.find(id).ok_or(CallError::Stale(id))?;
        let start = self.scene.placed.slots.positions[slot];
        let route = Route::new(start, motion, self.scene.stock.resolution())?;
        let mover = self.scene.view().move_view(slot);
        let meets = |other| self.can_meet(slot, other) && self.is_wanted(other, filter);
        let hits = self.hits((mover.mask(), mover.origin), route.path, which, None, meets);
        Ok(hits.into_iter().map(|hit| route.hit(hit, mover.origin)).collect())
    }

    /// Returns the hits with colliders for which `meets` holds, at `accuracy` or that for moves.
    fn hits(
        &self,
        mover: (MaskRef<'_>, Point),
        path: PixelPath,
        which: Hits,
        accuracy: Option<Accuracy>,
        meets: impl Fn(ColliderId) -> bool,
    ) -> Vec<(ColliderId, Impact)> {
        match which {
            Hits::First => {
                let hit = self.first_hit(mover, (path, u32::MAX), accuracy, meets);
                hit.into_iter().collect()
            }
            Hits::All => self.all_hits(mover, path, accuracy, meets),
        }
    }

    pub(crate) fn blocks_motion(&self, slot: usize, other: ColliderId, filter: Filter<'_>) -> bool {
        let filter = Filter { sensors: false, ..filter };
        self.can_meet(slot, other) && self.is_wanted(other, filter)
    }

    /// Tests whether a motion of the collider in `slot` can meet `other`, a sensor or an obstacle.
    pub(crate) fn can_meet(&self, slot: usize, other: ColliderId) -> bool {
        other.slot() != slot && may_meet(&self.scene.placed, [slot, other.slot()])
    }

    pub(crate) fn is_sensor(&self, id: ColliderId) -> bool {
        self.scene.placed.appearance(id.slot()).sensor
    }

    /// Returns the first obstacle on the path up to the step `last`, and the details of the hit.
    pub(crate) fn first_hit(
        &self,
        mover: (MaskRef<'_>, Point),
        (path, last): (PixelPath, u32),
        accuracy: Option<Accuracy>,
        blocks_motion: impl Fn(ColliderId) -> bool,
    ) -> Option<(ColliderId, Impact)> {
        let mut obstacles = Vec::new();
        let found = along(frame(mover)?, path, |part| {
            obstacles.clear();
            self.collect_obstacles(part, (accuracy, 0), &blocks_motion, &mut obstacles);
            let hit = first_hit_of(&obstacles, mover, path, part.last.min(last), |_, _| true);
            let hit = hit.map(|(step, other)| (other.id, impact(other, mover, path, step)));
            (hit.is_some() || part.last >= last).then_some(hit)
        });
        found.flatten()
    }

    /// Returns the first contact with each collider for which `meets` holds.
    fn all_hits(
        &self,
        mover: (MaskRef<'_>, Point),
        path: PixelPath,
        accuracy: Option<Accuracy>,
        meets: impl Fn(ColliderId) -> bool,
    ) -> Vec<(ColliderId, Impact)> {
        let Some(start) = frame(mover) else { return Vec::new() };
        let ((mask, at), view) = (mover, self.scene.view());
        let mut hits = Vec::new();
        self.each_near(&PathPart::whole(start, path), |id| {
            let Some(entry) = box_entry(start, self.scene.placed.slots.rect(id.slot()), path)
            else {
                return;
            };
            if !meets(id) {
                return;
            }
            let met = view.view_in_motion(id.slot(), accuracy);
            let (other, offset) = met.beside(at);
            if let Some(step) = cast::first_touch(mask, other, offset, path, (entry, path.steps()))
            {
                hits.push((id, Impact::new(mask, other, offset, path, step)));
            }
        });
        hits.sort_unstable_by_key(|&(id, impact)| (impact.step, id));
        hits
    }

    /// Adds the colliders near a region that block motion, each at `accuracy` or that for moves.
    /// Those on a layer of `one_way` are marked.
    pub(crate) fn collect_obstacles(
        &self,
        region: impl Into<Region>,
        (accuracy, one_way): (Option<Accuracy>, u32),
        blocks_motion: impl Fn(ColliderId) -> bool,
        obstacles: &mut Vec<Obstacle<'w>>,
    ) {
        self.each_near(region, |id| {
            if blocks_motion(id) {
                let (slot, view) = (id.slot(), self.scene.view());
                let layers = self.scene.placed.appearance(slot).layers;
                let (view, rect) =
                    (view.view_in_motion(slot, accuracy), self.scene.placed.slots.rect(slot));
                obstacles.push(Obstacle { id, view, rect, one_way: layers & one_way != 0 });
            }
        });
    }

    /// Returns the shortest translation that frees a collider from all that blocks it.
    pub(crate) fn push_out(
        &self,
        id: ColliderId,
        radius: f32,
        filter: Filter<'_>,
    ) -> Result<Option<[f32; 2]>, CallError> {
        let square = self.square(radius)?;
        let Some(slot) = self.scene.placed.slots.find(id) else { return Ok(None) };
        let view = self.scene.view();
        let own = view.move_view(slot);
        // Rounded up, because a diagonal can be shorter than a radius with a fraction.
        let radius = (square.isqrt() as u32 + 1).min(1 << 30);
        let around = self.scene.placed.slots.rect(slot).grown(radius);
        let mut others = Vec::new();
        self.each_near(around, |other| {
            if self.blocks_motion(slot, other, filter) {
                others.push(view.move_view(other.slot()));
            }
        });
        let others: Vec<_> = others.iter().map(|seen| seen.beside(own.origin)).collect();
        let by = push_out::out_of_all(own.mask(), &others, radius);
        let by =
            by.filter(|&Point { x, y }| i64::from(x).pow(2) + i64::from(y).pow(2) <= square as i64);
        Ok(by.map(|by| [by.x, by.y].map(|v| v as f32 / self.scene.stock.resolution())))
    }
}

impl Probe<'_> {
    /// Returns the first collider that the mask hits if it moves by `motion`. Of several hit at one
    /// step, the one of lowest index is returned.
    #[must_use]
    pub fn cast(
        &self,
        motion: impl Into<[i32; 2]>,
        filter: Filter<'_>,
    ) -> Option<(ColliderId, Impact)> {
        self.hits(motion.into(), Hits::First, filter).into_iter().next()
    }

    /// Returns every collider that the mask meets if it moves by `motion`. The order is that of
    /// [`World::cast_all`](crate::World::cast_all).
    #[must_use]
    pub fn cast_all(
        &self,
        motion: impl Into<[i32; 2]>,
        filter: Filter<'_>,
    ) -> Vec<(ColliderId, Impact)> {
        self.hits(motion.into(), Hits::All, filter)
    }

    fn hits(&self, by: [i32; 2], which: Hits, filter: Filter<'_>) -> Vec<(ColliderId, Impact)> {
        let (mover, path) = ((self.mask, self.at), PixelPath::new(by));
        let is_wanted = |id| self.search.is_wanted(id, filter);
        self.search.hits(mover, path, which, Some(filter.accuracy), is_wanted)
    }
}

/// Returns the box of a mask whose top-left pixel is at a point; `None` if the mask is empty.
pub(crate) fn frame((mask, at): (MaskRef<'_>, Point)) -> Option<Rect> {
    let frame = mask.rect_at(at);
    (!frame.is_empty()).then_some(frame)
}

/// Obstacles that [`first_hit_of`] orders on the stack.
const FEW_OBSTACLES: usize = 8;

/// Returns the first hit up to step `last`, with its step; of several at one step, the one of
/// lowest index.
///
/// `blocks` tells whether an obstacle that is touched at a step, and was not touched before, is
/// hit. A refused obstacle is asked about again after the mover has left it.
pub(crate) fn first_hit_of<'n, 'w>(
    obstacles: &'n [Obstacle<'w>],
    (mask, at): (MaskRef<'_>, Point),
    path: PixelPath,
    last: u32,
    blocks: impl Fn(&Obstacle<'w>, u32) -> bool,
) -> Option<(u32, &'n Obstacle<'w>)> {
    let start = frame((mask, at))?;
    let entered =
        |obstacle: &'n Obstacle<'w>| Some((box_entry(start, obstacle.rect, path)?, obstacle));
    // Few obstacles are near most movers, and take no allocation.
    let (mut few, mut many) = ([None; FEW_OBSTACLES], Vec::new());
    let entered = obstacles.iter().filter_map(entered);
    let ahead = if obstacles.len() <= FEW_OBSTACLES {
        let count = few.iter_mut().zip(entered).map(|(to, one)| *to = Some(one)).count();
        &mut few[..count]
    } else {
        many.extend(entered.map(Some));
        &mut many[..]
    };
    if ahead.len() > 1 {
        ahead.sort_unstable_by_key(|one| one.map(|(entry, obstacle)| (entry, obstacle.id)));
    }
    let mut best: Option<(u32, &Obstacle<'_>)> = None;
    for &(entry, obstacle) in ahead.iter().flatten() {
        let to = best.map_or(last, |(step, _)| step);
        if entry > to {
            break;
        }
        let blocks = |step| blocks(obstacle, step);
        let Some(step) = first_step((mask, at), obstacle, path, (entry, to), blocks) else {
            continue;
        };
        if best.is_none_or(|(before, other)| (step, obstacle.id) < (before, other.id)) {
            best = Some((step, obstacle));
        }
    }
    best
}

/// Returns the first step in the range `first..=last` that the obstacle blocks.
fn first_step(
    (mask, at): (MaskRef<'_>, Point),
    obstacle: &Obstacle<'_>,
    path: PixelPath,
    (first, last): (u32, u32),
    blocks: impl Fn(u32) -> bool,
) -> Option<u32> {
    let (other, offset) = obstacle.view.beside(at);
    let mut step = cast::first_touch(mask, other, offset, path, (first, last))?;
    // A mover that is inside an obstacle may leave it and hit it later.
    while !blocks(step) {
        if step == last {
            return None;
        }
        step += 1;
        if !mask.touches(other, offset - path.at(step)) {
            step = cast::first_touch(mask, other, offset, path, (step, last))?;
        }
    }
    Some(step)
}

pub(crate) fn impact(
    obstacle: &Obstacle<'_>,
    (mask, at): (MaskRef<'_>, Point),
    path: PixelPath,
    step: u32,
) -> Impact {
    let (other, offset) = obstacle.view.beside(at);
    Impact::new(mask, other, offset, path, step)
}

/// Returns the first step after which a mover with the box `start` may overlap `rect`.
pub(super) fn box_entry(start: Rect, rect: Rect, path: PixelPath) -> Option<u32> {
    let span = |start: i32, end: i32, low: i32, high: i32| {
        [i64::from(low) - i64::from(end) + 1, i64::from(high) - i64::from(start) - 1]
    };
    let x = span(start.x0, start.x1, rect.x0, rect.x1);
    let y = span(start.y0, start.y1, rect.y0, rect.y1);
    path.steps_within(x, y).map(|(first, _)| first)
}

/// Returns the steps from `last` back that are tried for a place whose pixel an f32 can represent.
pub(crate) fn steps_back(last: u32) -> impl Iterator<Item = u32> {
    (last.saturating_sub(MAX_STEPS_BACK)..=last).rev()
}

/// Returns the top-left corner of a mask pixel, in pixels. The resolution is a power of two, so the
/// quotient is exact.
pub(crate) fn position_of(Point { x, y }: Point, resolution: f32) -> [f32; 2] {
    [x, y].map(|v| v as f32 / resolution)
}

/// Upper bound on [`steps_back`]. An f32 represents at least each 64th pixel on either axis.
const MAX_STEPS_BACK: u32 = 64 * 64;

/// Magnitude up to which an f32 represents every pixel.
const MAX_EXACT: u32 = 1 << f32::MANTISSA_DIGITS;

/// The path of a position: the pixels from the start's to the end's.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) start: [f32; 2],
    pub(crate) end: [f32; 2],
    pub(crate) from: Point,
    pub(crate) resolution: f32,
    pub(crate) path: PixelPath,
}

impl Route {
    pub(crate) fn new(
        start: [f32; 2],
        motion: [f32; 2],
        resolution: f32,
    ) -> Result<Self, CallError> {
        let end = [start[0] + motion[0], start[1] + motion[1]];
        let Some(from) = placement::snap(start, resolution) else {
            return Err(CallError::Position(start));
        };
        let Some(to) = placement::snap(end, resolution) else {
            return Err(CallError::Position(end));
        };
        Ok(Self { start, end, from, resolution, path: PixelPath::new(to - from) })
    }

    /// Returns the hit of a collider on this path. The top-left pixel of the mover starts at `at`.
    fn hit(&self, (collider, impact): (ColliderId, Impact), at: Point) -> Hit {
        let point = position_of(at + impact.point, self.resolution);
        let (start, last) = (Point::default(), impact.step.saturating_sub(1));
        let free = self.last_named(start, self.path, last).unwrap_or_default();
        Hit { collider, point, impact, position: self.position(free) }
    }

    /// Tests whether the position `by` from the start snaps to that very pixel. A position out of range
    /// counts as such, because placing it is refused.
    pub(crate) fn names(&self, by: Point) -> bool {
        let pixel = self.from + by;
        pixel.x.unsigned_abs().max(pixel.y.unsigned_abs()) <= MAX_EXACT
            || placement::snap(self.position(by), self.resolution).is_none_or(|at| at == pixel)
    }

    /// Returns the last place on a path, up to a step, that a position [names](Self::names). The path
    /// begins `before` the start.
    pub(crate) fn last_named(&self, before: Point, path: PixelPath, last: u32) -> Option<Point> {
        steps_back(last).map(|step| before + path.at(step)).find(|&by| self.names(by))
    }

    /// Returns a position that snaps to the pixel `by` from the start, if there is one. On each axis
    /// the exact start or end, fraction included, is preferred if it snaps to that pixel.
    pub(crate) fn position(&self, by: Point) -> [f32; 2] {
        let motion = self.path.motion();
        let axis = |by: i32, motion: i32, from: i32, start: f32, end: f32| {
            if by == motion {
                end
            } else if by == 0 {
                start
            } else {
                from.saturating_add(by) as f32 / self.resolution
            }
        };
        [
            axis(by.x, motion.x, self.from.x, self.start[0], self.end[0]),
            axis(by.y, motion.y, self.from.y, self.start[1], self.end[1]),
        ]
    }
}
