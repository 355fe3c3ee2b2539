//! Character movement: motions that end at an obstacle, or slide along it.
//!
//! ```text
//! push the collider out of overlaps
//! while some of the motion is left:
//!   advance to the step before the first obstacle
//!   the blocked step was diagonal and one of its parts is free:
//!     slide along that axis while the other is blocked             along a wall or floor
//!   the blocked step was vertical:   drop that axis, or slip       a floor or ceiling
//!   the blocked step was sideways:   climb, slip or drop the axis  a wall
//! ```
//!
//! Called by users through `World`. Each turn of the loop uses up a step or drops an axis, so it
//! ends.
//!
//! Invariants: all steps are whole pixels, so a collider at rest keeps its position to the bit. A
//! mover that starts free ends free, one-way obstacles aside.
//!
//! How long an axis stays blocked is not tested pixel by pixel. A pixel that hits an obstacle keeps
//! hitting it along the obstacle's run of set pixels. A flat wall takes one cast along it.

use crate::geom::{PixelPath, Point, Rect};
use crate::mask::MaskRef;
use crate::narrow::motion::push_out;
use crate::narrow::{ScanOrder, Side};
use crate::world::motion::cast::{self, Obstacle, Route};
use crate::world::motion::move_rules::{MoveResult, MoveRules};
use crate::world::{ColliderId, Hit, PlaceError, World};

/// Upper bound on the push out of overlaps before a move, in mask pixels.
const MAX_PUSH_OUT_PX: u32 = 16;

impl World {
    /// Moves a collider by `motion`, in units of positions, up to the first obstacle. Returns the
    /// hit that ended the motion, or `None` if the whole path was free. See [`cast`](Self::cast).
    ///
    /// # Errors
    /// Returns the errors of [`cast`](Self::cast). The collider is left where it was.
    pub fn move_until_contact(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<Option<Hit>, PlaceError> {
        let motion = motion.into();
        let hit = self.cast(id, motion)?;
        let collider = self.get(id).ok_or(PlaceError::Stale(id))?;
        let [x, y] = collider.position;
        let position = hit.map_or([x + motion[0], y + motion[1]], |hit| hit.position);
        self.set(id, collider.at(position))?;
        Ok(hit)
    }

    /// Moves a collider by `motion`, in units of positions, and slides along obstacles.
    ///
    /// An obstacle ends the part of the motion that leads into it; the rest continues along the
    /// obstacle. The collider stops flat at walls and floors: it never overlaps, bounces or sticks.
    /// By default it walks up slopes of up to 45 degrees; [`move_by_rules`](Self::move_by_rules)
    /// takes other rules. Pixels or boxes decide, as in [`cast`](Self::cast).
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, Mask, Pivot, Side, World};
    /// # let mut wall = Mask::new(10, 100)?;
    /// # wall.fill();
    /// # let bytes = Bake::new().mask("hero", "####\n####".parse()?).mask("wall", wall).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let [hero, wall] = ["hero", "wall"].map(|name| atlas.sprite_id(name).unwrap());
    /// # let mut world = World::new(atlas);
    /// let hero = world.insert(Collider::new(hero).at([0.0, 0.0]))?;
    /// world.insert(Collider::new(wall).at([25.0, 0.0]).fixed())?;
    /// let moved = world.move_and_slide(hero, [100.0, 7.5])?;
    /// assert_eq!(moved.position, [18.0, 7.5]);
    /// assert!(moved.blocked_on(Side::Right));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::Stale`] if the collider was removed, and [`PlaceError::Position`] if
    /// the end is not finite or out of range. The end includes the push out of overlaps. The
    /// collider is left where it was.
    pub fn move_and_slide(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules(id, motion, MoveRules::default())
    }

    /// Does the same as [`move_and_slide`](Self::move_and_slide), by the given rules.
    ///
    /// Every non-sensor collider with compatible layers blocks the motion. If the collider overlaps
    /// such obstacles at the start, it is first pushed out of all of them, by at most 16 mask
    /// pixels. If that fails, the obstacles that it overlaps do not block the motion.
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules_with(id, motion, rules, |_| true)
    }

    /// Does the same as [`move_by_rules`](Self::move_by_rules), except that only colliders for
    /// which `keep` returns true block the motion or push the collider out.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, Mask, MoveRules, World};
    /// # let bytes = Bake::new().mask("a", Mask::disc(4)?).to_bytes()?;
    /// # let atlas = Atlas::from_vec(bytes)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// let owner = world.insert(Collider::new(a))?;
    /// let door = world.insert(Collider::new(a).at([20.0, 0.0]))?;
    /// let all = MoveRules::default();
    /// let moved = world.move_by_rules_with(owner, [40.0, 0.0], all, |other| other != door)?;
    /// assert_eq!(moved.position, [40.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules_with(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<MoveResult, PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let route = Route::new(self.slots.positions[slot], motion.into(), self.atlas.resolution())?;
        let mover = self.view().move_view(slot);
        let mut walk = Walk {
            mask: mover.mask(),
            at: mover.origin,
            by: Point::default(),
            obstacles: Vec::new(),
            rules,
        };
        let contacts = match cast::frame((mover.mask(), mover.origin)) {
            None => {
                walk.by = route.path.motion();
                Vec::new()
            }
            Some(start) => {
                let area = walk.area(start, route.path.motion());
                let blocks = |other| self.blocks_motion(slot, other) && keep(other);
                self.collect_obstacles(area, (None, rules.one_way), blocks, &mut walk.obstacles);
                walk.push_out_of_overlaps();
                walk.advance(route.path.motion())
            }
        };
        let (by, position) = (walk.by, route.position(walk.by));
        let collider = self.slots.collider(&self.appearances, slot);
        self.set(id, collider.at(position))?;
        Ok(MoveResult { position, translation: by, contacts })
    }
}

/// State of a move in progress.
struct Walk<'w> {
    mask: MaskRef<'w>,
    at: Point,
    /// Distance moved so far, in mask pixels.
    by: Point,
    obstacles: Vec<Obstacle<'w>>,
    rules: MoveRules,
}

impl Walk<'_> {
    /// Returns a box of all pixels that the move can reach.
    fn area(&self, start: Rect, motion: Point) -> Rect {
        let aside = |along: i32, pixels: u32| {
            let most =
                u64::from(along.unsigned_abs()) * u64::from(pixels) + u64::from(MAX_PUSH_OUT_PX);
            most.min(1 << 30) as i32
        };
        let MoveRules { climb, slip, .. } = self.rules;
        let (x, y) = (aside(motion.y, slip), aside(motion.x, climb.max(slip)));
        Rect::new(
            start.x0.saturating_add(motion.x.min(0)).saturating_sub(x),
            start.y0.saturating_add(motion.y.min(0)).saturating_sub(y),
            start.x1.saturating_add(motion.x.max(0)).saturating_add(x),
            start.y1.saturating_add(motion.y.max(0)).saturating_add(y),
        )
    }

    /// Pushes the mover out of its overlaps, or else drops the overlapped obstacles.
    fn push_out_of_overlaps(&mut self) {
        let overlaps = |obstacle: &Obstacle<'_>| {
            !obstacle.one_way && obstacle.is_touched_by((self.mask, self.at))
        };
        if !self.obstacles.iter().any(overlaps) {
            return;
        }
        let solid = self.obstacles.iter().filter(|obstacle| !obstacle.one_way);
        let others: Vec<_> = solid.map(|obstacle| obstacle.view.beside(self.at)).collect();
        if let Some(by) = push_out::out_of_all(self.mask, &others, MAX_PUSH_OUT_PX) {
            self.by = by;
        } else {
            let (mask, at) = (self.mask, self.at);
            self.obstacles
                .retain(|obstacle| obstacle.one_way || !obstacle.is_touched_by((mask, at)));
        }
    }

    /// Moves by `rest`, and returns the obstacles that ended a part of the motion.
    fn advance(&mut self, mut rest: Point) -> Vec<(ColliderId, Side)> {
        let mut contacts = Vec::new();
        while rest != Point::default() {
            let path = PixelPath::new(rest);
            let Some((step, other)) = self.first_obstacle(path) else {
                self.by = self.by + rest;
                break;
            };
            let id = other.id;
            let before = path.at(step.saturating_sub(1));
            self.by = self.by + before;
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
                    contacts.push((id, if y > 0 { Side::Below } else { Side::Above }));
                    rest.y = 0;
                }
            } else if !self.step_aside(Point::new(x, 0), -1, &mut rest) {
                contacts.push((id, if x > 0 { Side::Right } else { Side::Left }));
                rest.x = 0;
            }
        }
        contacts
    }

    /// Slides along one axis, whose first step is free, while a step along the other axis is
    /// blocked.
    fn slide_along(&mut self, (part, other): (Point, Point), rest: &mut Point) {
        let times = |steps: u32| Point::new(part.x * steps as i32, part.y * steps as i32);
        let mut steps = 1;
        loop {
            self.by = self.by + times(steps);
            *rest = *rest - times(steps);
            let left = if part.x != 0 { rest.x } else { rest.y }.unsigned_abs();
            let Some(obstacle) = self.blocker(other) else { return };
            // The obstacle blocks the other axis here and for `blocked` further steps.
            let blocked = self.blocked_beyond(obstacle, part, other, left);
            let ahead = left.min(blocked + 1);
            steps = match self.first_obstacle(PixelPath::new(times(ahead))) {
                Some((step, _)) => step.saturating_sub(1),
                None => ahead,
            };
            if steps < ahead || steps == 0 {
                self.by = self.by + times(steps);
                *rest = *rest - times(steps);
                return;
            }
        }
    }

    /// Returns a lower bound, at most `most`, on the steps of `part` after each of which `obstacle`
    /// still blocks `other`.
    fn blocked_beyond(&self, obstacle: &Obstacle<'_>, part: Point, other: Point, most: u32) -> u32 {
        // A one-way obstacle may stop blocking farther on, where the mover overlaps it.
        if obstacle.one_way {
            return 0;
        }
        let (mask, offset) = obstacle.view.beside(self.at + self.by + other);
        let shared = self.mask.first_overlap(ScanOrder::Top, mask, offset);
        shared.map_or(0, |pixel| mask.set_beyond(pixel - offset, part, most))
    }

    /// Steps aside and takes `step`, if the rules allow it and there is room. The side of the sign
    /// of `first` is tried first.
    fn step_aside(&mut self, step: Point, first: i32, rest: &mut Point) -> bool {
        let sideways = step.x != 0;
        let sign = if first < 0 { -1 } else { 1 };
        for side in [sign, -sign] {
            let most = match (sideways, side) {
                (true, -1) => self.rules.climb.max(self.rules.slip),
                _ => self.rules.slip,
            };
            for pixels in 1..=most.min(1 << 15) as i32 {
                let aside = if sideways {
                    Point::new(0, side * pixels)
                } else {
                    Point::new(side * pixels, 0)
                };
                if !self.is_free(aside) {
                    break;
                }
                let here = self.by;
                self.by = here + aside;
                if self.is_free(step) {
                    self.by = self.by + step;
                    *rest = *rest - step;
                    return true;
                }
                self.by = here;
            }
        }
        false
    }

    /// Returns the first obstacle on a path from the current place.
    fn first_obstacle(&self, path: PixelPath) -> Option<(u32, &Obstacle<'_>)> {
        cast::first_hit_of(&self.obstacles, (self.mask, self.at + self.by), path, path.steps())
    }

    /// Tests whether the end of a straight path is free; all pixels before it must be free.
    fn is_free(&self, motion: Point) -> bool {
        self.blocker(motion).is_none()
    }

    /// Returns the obstacle at the end of a straight path, all of which is free before. Of several,
    /// returns the one of lowest index.
    fn blocker(&self, motion: Point) -> Option<&Obstacle<'_>> {
        let blocks = |obstacle: &&Obstacle<'_>| {
            let (mask, offset) = obstacle.view.beside(self.at + self.by + motion);
            let touches = |offset| self.mask.touches(mask, offset);
            // A one-way obstacle blocks only if the last pixel down leads into it.
            let lands_on = || motion.y > 0 && !touches(offset + Point::new(0, 1));
            touches(offset) && (!obstacle.one_way || lands_on())
        };
        self.obstacles.iter().filter(blocks).min_by_key(|obstacle| obstacle.id)
    }
}
