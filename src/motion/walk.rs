//! A move in progress: motions that end at an obstacle, or slide along it.
//!
//! ```text
//! push the collider out of overlaps, and up with a platform that has risen
//! while some of the motion is left:
//!   advance to the step before the first obstacle
//!   the blocked step was diagonal and one of its parts is free:
//!     slide along that axis while the other is blocked             along a wall or floor
//!   the blocked step was vertical:   drop that axis, or slip       a floor or ceiling
//!   the blocked step was sideways:   climb, slip or drop the axis  a wall
//! ```
//!
//! `contact_rules` decides which obstacles block a step. Each turn of the loop uses up a step or drops an
//! axis, so it ends.
//!
//! Invariants: all steps are whole pixels, so a collider at rest keeps its position to the bit. A
//! mover that starts free ends free, one-way obstacles and refused contacts aside.
//!
//! How long an axis stays blocked is not tested pixel by pixel. A pixel that hits an obstacle keeps
//! hitting it along the obstacle's run of set pixels. A flat wall takes one cast along it.

use crate::error::CallError;
use crate::geom::{PixelPath, Point, Rect};
use crate::ids::ColliderId;
use crate::mask::MaskRef;
use crate::motion::cast::{Obstacle, Route, first_hit_of, frame};
use crate::motion::move_rules::{MoveResult, MoveRules};
use crate::narrow::motion::cast::first_touch;
use crate::narrow::motion::push_out;
use crate::narrow::{ScanOrder, Side};
use crate::query::{Filter, MoveContact, Search};
use std::cell::RefCell;

const MAX_PUSH_OUT_PX: u32 = 16;
/// Upper bound on the pixels that one step climbs, slips or rises: no mask is higher.
pub(super) const MAX_ASIDE_PX: u32 = 1 << 15;

/// Returns whether an obstacle blocks a contact.
type KeepContact<'k> = &'k dyn Fn(&MoveContact) -> bool;

pub(super) struct Walk<'w> {
    pub(super) mask: MaskRef<'w>,
    /// Top-left pixel of the mask at the start.
    pub(super) at: Point,
    /// Distance moved so far, in mask pixels.
    pub(super) by: Point,
    /// The last distance moved that a position [names](Route::names).
    named: Point,
    route: Route,
    pub(super) obstacles: Vec<Obstacle<'w>>,
    /// Sensors near the move that were not met yet.
    pub(super) sensors: Vec<Obstacle<'w>>,
    pub(super) rules: MoveRules,
    pub(super) keep: Option<KeepContact<'w>>,
    pub(super) contacts: Vec<(ColliderId, Side)>,
    pub(super) passed: Vec<ColliderId>,
    /// Obstacles that the mover could not be pushed out of.
    stuck: Vec<Obstacle<'w>>,
}

/// Where a collider ends, and what that depends on.
pub(crate) struct Walked {
    pub(crate) result: MoveResult,
    /// The position at which the walk starts.
    pub(crate) start: [f32; 2],
    /// The box of all obstacles and sensors that were considered, the mover included. `None` for a mover
    /// without pixels.
    pub(crate) area: Option<Rect>,
}

impl Search<'_> {
    /// Returns where a collider ends that moves by `motion`, in pixels.
    pub(crate) fn walk(
        &self,
        id: ColliderId,
        motion: [f32; 2],
        rules: MoveRules,
        filter: Filter<'_>,
    ) -> Result<Walked, CallError> {
        let Some(slot) = self.scene.placed.slots.find(id) else { return Err(CallError::Stale(id)) };
        let route = Route::new(
            self.scene.placed.slots.positions[slot],
            motion,
            self.scene.stock.resolution(),
        )?;
        let view = self.scene.view();
        let mover = view.move_view(slot);
        let mut walk = Walk::new((mover.mask(), mover.origin), route, rules, filter.contacts);
        let by = route.path.motion();
        let mut area = None;
        if let Some(start) = frame((mover.mask(), mover.origin)) {
            let sensors = RefCell::new(Vec::new());
            let blocks = |other| {
                let meets = self.can_meet(slot, other);
                if meets && self.is_sensor(other) {
                    sensors.borrow_mut().push(other);
                    return false;
                }
                meets && self.is_wanted(other, filter)
            };
            let collect = |area: Rect| {
                sensors.borrow_mut().clear();
                let mut obstacles = Vec::new();
                self.collect_obstacles(area, (None, rules.one_way), blocks, &mut obstacles);
                obstacles
            };
            // Few movers overlap anything, and the area of a push out has several times the obstacles.
            let mut searched = walk.area(start, by, 0);
            walk.obstacles = collect(searched);
            let overlaps = walk.obstacles.iter().any(|obstacle| walk.is_overlapped(obstacle));
            if overlaps {
                searched = walk.area(start, by, MAX_PUSH_OUT_PX);
                walk.obstacles = collect(searched);
            }
            area = Some(searched);
            walk.sensors.extend(sensors.into_inner().into_iter().map(|id| Obstacle {
                id,
                view: view.move_view(id.slot()),
                rect: self.scene.placed.slots.rect(id.slot()),
                one_way: false,
            }));
            if walk.obstacles.is_empty() && walk.sensors.is_empty() {
                // Nothing is near most walkers.
                walk.go(route.path, route.path.steps());
            } else {
                if overlaps {
                    walk.push_out_of_overlaps(by);
                }
                if motion[1] >= 0.0 {
                    walk.rise_with_platforms();
                }
                walk.advance(by);
            }
        } else {
            walk.place(by);
        }
        let stuck_in = walk.stuck_in();
        let Walk { named: by, contacts, passed, .. } = walk;
        let position = route.position(by);
        let result = MoveResult { position, translation: by, contacts, passed, stuck_in };
        Ok(Walked { result, start: route.start, area })
    }
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        (mask, at): (MaskRef<'w>, Point),
        route: Route,
        rules: MoveRules,
        keep: Option<KeepContact<'w>>,
    ) -> Self {
        Self {
            mask,
            at,
            by: Point::default(),
            named: Point::default(),
            route,
            obstacles: Vec::new(),
            sensors: Vec::new(),
            rules,
            keep,
            contacts: Vec::new(),
            passed: Vec::new(),
            stuck: Vec::new(),
        }
    }

    /// Returns a box of all pixels that the move can reach after a push out by at most `push_px`, and of
    /// the ground beneath them.
    pub(super) fn area(&self, start: Rect, motion: Point, push_px: u32) -> Rect {
        let MoveRules { climb, slip, rise, .. } = self.rules;
        let aside = |along: i32, pixels: u32, more: u32| {
            let most = u64::from(along.unsigned_abs()) * u64::from(pixels)
                + u64::from(push_px)
                + u64::from(more);
            most.min(1 << 30) as i32
        };
        let x = aside(motion.y, slip, 0);
        let up = aside(motion.x, climb.max(slip), rise);
        let down = aside(motion.x, slip, self.ground_reach());
        Rect::new(
            start.x0.saturating_add(motion.x.min(0)).saturating_sub(x),
            start.y0.saturating_add(motion.y.min(0)).saturating_sub(up),
            start.x1.saturating_add(motion.x.max(0)).saturating_add(x),
            start.y1.saturating_add(motion.y.max(0)).saturating_add(down),
        )
    }

    /// Tests whether the mover overlaps an obstacle that may push it out.
    fn is_overlapped(&self, obstacle: &Obstacle<'_>) -> bool {
        !obstacle.one_way && self.touches(obstacle, self.by)
    }

    /// Pushes the mover out of its overlaps, or else drops the overlapped obstacles.
    pub(super) fn push_out_of_overlaps(&mut self, motion: Point) {
        let overlaps = |obstacle: &Obstacle<'_>| self.is_overlapped(obstacle);
        // For each obstacle whether it is solid. A veto is asked about an obstacle that does not overlap
        // the mover only if the push out would enter it.
        let is_solid = |obstacle: &Obstacle<'_>| match self.keep {
            _ if obstacle.one_way => Some(false),
            None => Some(true),
            Some(keep) if overlaps(obstacle) => Some(keep(&self.entry_contact(obstacle, motion))),
            Some(_) => None,
        };
        let mut solid: Vec<Option<bool>> = self.obstacles.iter().map(is_solid).collect();
        loop {
            let others =
                self.obstacles.iter().zip(&solid).filter(|(_, solid)| **solid == Some(true));
            let others: Vec<_> = others.map(|(other, _)| other.view.beside(self.at)).collect();
            let Some(by) = push_out::out_of_all(self.mask, &others, MAX_PUSH_OUT_PX) else { break };
            let mut is_free = true;
            for (obstacle, solid) in self.obstacles.iter().zip(&mut solid) {
                if solid.is_none() && self.touches(obstacle, by) {
                    *solid = Some(self.blocks_push(obstacle, by));
                    is_free = false;
                }
            }
            if is_free {
                return self.place(by);
            }
        }
        let (mask, at, mut solid) = (self.mask, self.at, solid.into_iter());
        let drops = |obstacle: &mut Obstacle<'_>| {
            solid.next() == Some(Some(true)) && obstacle.is_touched_by((mask, at))
        };
        self.stuck.extend(self.obstacles.extract_if(.., drops));
    }

    /// Moves to a place at once, as a push out does.
    fn place(&mut self, by: Point) {
        self.by = by;
        if self.route.names(by) {
            self.named = by;
        }
    }

    /// Raises the mover onto one-way platforms that have risen into its lowest rows.
    pub(super) fn rise_with_platforms(&mut self) {
        if self.rules.one_way == 0 {
            return;
        }
        let most = self.rules.rise.min(MAX_ASIDE_PX) as i32;
        let here = self.by;
        let raised = |pixels: i32| here + Point::new(0, -pixels);
        let risen = |obstacle: &Obstacle<'w>| {
            if !obstacle.one_way || !self.touches(obstacle, here) {
                return None;
            }
            let rise = (1..=most).find(|&pixels| !self.touches(obstacle, raised(pixels)))?;
            self.keeps(obstacle, raised(rise), Point::new(0, 1)).then_some(rise)
        };
        let mut rises: Vec<i32> = self.obstacles.iter().filter_map(risen).collect();
        rises.sort_unstable_by(|a, b| b.cmp(a));
        let up = Point::new(0, -1);
        let is_free = |rise: i32| (1..=rise).all(|by| !self.is_solid_at(raised(by), up, here));
        if let Some(rise) = rises.into_iter().find(|&rise| is_free(rise)) {
            self.place(raised(rise));
        }
    }

    /// Returns the obstacles that the mover could not be pushed out of and overlaps at its end.
    pub(super) fn stuck_in(&self) -> Vec<ColliderId> {
        let still = self.stuck.iter().filter(|obstacle| self.touches(obstacle, self.named));
        let mut ids: Vec<ColliderId> = still.map(|obstacle| obstacle.id).collect();
        ids.sort_unstable();
        ids
    }

    pub(super) fn advance(&mut self, mut rest: Point) {
        self.go(PixelPath::new([0, 0]), 0);
        while rest != Point::default() {
            let path = PixelPath::new(rest);
            let Some((step, other)) = self.first_obstacle(path) else {
                self.go(path, path.steps());
                break;
            };
            let id = other.id;
            let before = path.at(step.saturating_sub(1));
            self.go(path, step.saturating_sub(1));
            rest = rest - before;
            let Point { x, y } = path.at(step) - before;
            if (x, y) == (0, 0) {
                // The mover still overlaps an obstacle that it was pushed out of. This happens only
                // with damaged masks, for which the overlap tests disagree. Stops, because no step
                // would use up the rest.
                break;
            }
            if x != 0 && y != 0 {
                // Tries the sideways part of a diagonal step first, then the vertical part.
                let (aside, down) = (Point::new(x, 0), Point::new(0, y));
                let parts = [(aside, down), (down, aside)];
                if let Some(parts) = parts.into_iter().find(|parts| self.is_free(parts.0)) {
                    self.slide_along(parts, &mut rest);
                    continue;
                }
            }
            if y != 0 {
                if !self.step_aside(Point::new(0, y), rest.x, &mut rest) {
                    self.contacts.push((id, if y > 0 { Side::Below } else { Side::Above }));
                    rest.y = 0;
                }
            } else if !self.step_aside(Point::new(x, 0), -1, &mut rest) {
                self.contacts.push((id, if x > 0 { Side::Right } else { Side::Left }));
                rest.x = 0;
            }
        }
    }

    fn go(&mut self, path: PixelPath, last: u32) {
        if !self.sensors.is_empty() {
            let (mask, at) = (self.mask, self.at + self.by);
            let mut met: Vec<(u32, ColliderId)> = (self.sensors.iter())
                .filter_map(|sensor| {
                    let (other, offset) = sensor.view.beside(at);
                    Some((first_touch(mask, other, offset, path, (0, last))?, sensor.id))
                })
                .collect();
            met.sort_unstable();
            self.sensors.retain(|sensor| !met.iter().any(|&(_, id)| id == sensor.id));
            self.passed.extend(met.into_iter().map(|(_, id)| id));
        }
        if let Some(by) = self.route.last_named(self.by, path, last) {
            self.named = by;
        }
        self.by = self.by + path.at(last);
    }

    /// Slides along one axis, whose first step is free, while the other axis is blocked.
    fn slide_along(&mut self, (part, other): (Point, Point), rest: &mut Point) {
        let times = |steps: u32| Point::new(part.x * steps as i32, part.y * steps as i32);
        let mut steps = 1;
        loop {
            self.go(PixelPath::new(times(steps)), steps);
            *rest = *rest - times(steps);
            let left = if part.x != 0 { rest.x } else { rest.y }.unsigned_abs();
            let Some(obstacle) = self.blocker(self.by, other, self.by) else { return };
            // The obstacle blocks the other axis here and for `blocked` further steps.
            let blocked = self.blocked_beyond(obstacle, part, other, left);
            let ahead = left.min(blocked + 1);
            steps = match self.first_obstacle(PixelPath::new(times(ahead))) {
                Some((step, _)) => step.saturating_sub(1),
                None => ahead,
            };
            if steps < ahead || steps == 0 {
                self.go(PixelPath::new(times(steps)), steps);
                *rest = *rest - times(steps);
                return;
            }
        }
    }

    /// Returns up to `most` steps of `part` after each of which `obstacle` surely blocks `other`.
    fn blocked_beyond(&self, obstacle: &Obstacle<'_>, part: Point, other: Point, most: u32) -> u32 {
        // A veto may end at any pixel, and so may the hold of a one-way obstacle at the side.
        if self.keep.is_some() || (obstacle.one_way && other.y <= 0) {
            return 0;
        }
        let (mask, offset) = obstacle.view.beside(self.at + self.by + other);
        let shared = self.mask.first_overlap(ScanOrder::Top, mask, offset);
        let blocked = shared.map_or(0, |pixel| mask.set_beyond(pixel - offset, part, most));
        if !obstacle.one_way || blocked == 0 {
            return blocked;
        }
        // A one-way obstacle stops blocking where the mover overlaps it.
        let (mask, offset) = obstacle.view.beside(self.at + self.by);
        let path = PixelPath::new([part.x * blocked as i32, part.y * blocked as i32]);
        let entry = first_touch(self.mask, mask, offset, path, (1, blocked));
        entry.map_or(blocked, |step| step - 1)
    }

    /// Steps aside, first to the side of `first`, and takes `step`, if rules and room allow.
    fn step_aside(&mut self, step: Point, first: i32, rest: &mut Point) -> bool {
        let sideways = step.x != 0;
        let sign = if first < 0 { -1 } else { 1 };
        for side in [sign, -sign] {
            let most = match (sideways, side) {
                (true, -1) => self.rules.climb.max(self.rules.slip),
                _ => self.rules.slip,
            };
            let unit = if sideways { Point::new(0, side) } else { Point::new(side, 0) };
            let mut aside = Point::default();
            for _ in 0..most.min(MAX_ASIDE_PX) {
                let before = self.by + aside;
                if self.blocker(before, unit, before).is_some() {
                    break;
                }
                aside = aside + unit;
                if self.blocker(self.by + aside, step, self.by).is_none() {
                    let path = PixelPath::new(aside);
                    self.go(path, path.steps());
                    self.go(PixelPath::new(step), 1);
                    *rest = *rest - step;
                    return true;
                }
            }
        }
        false
    }

    fn first_obstacle(&self, path: PixelPath) -> Option<(u32, &Obstacle<'w>)> {
        let mover = (self.mask, self.at + self.by);
        first_hit_of(&self.obstacles, mover, path, path.steps(), |obstacle, step| {
            let before = path.at(step.saturating_sub(1));
            let from = self.by + before;
            self.blocks(obstacle, from, path.at(step) - before, from)
        })
    }

    fn is_free(&self, step: Point) -> bool {
        self.blocker(self.by, step, self.by).is_none()
    }

    /// Returns the obstacle that blocks a step of 1 px from `before`. Of several, returns the one
    /// of lowest index. The mover stands at `base`.
    fn blocker(&self, before: Point, step: Point, base: Point) -> Option<&Obstacle<'w>> {
        let blocks = |obstacle: &&Obstacle<'w>| {
            self.touches(obstacle, before + step) && self.blocks(obstacle, before, step, base)
        };
        self.obstacles.iter().filter(blocks).min_by_key(|obstacle| obstacle.id)
    }
}
