//! Motions that end at what is in the way, or go on along it.
//!
//! ```text
//! come free of what it is in, if it is near
//! while some of the motion is left:
//!   go as far as nothing is met
//!   the step that met something was slanting, and a part of it is free:
//!     go on along that axis for as long as the other is blocked      along a wall, a floor
//!   it was down or up:    give that part of the motion up      a floor, a ceiling
//!   it was sideways:      take it higher or lower, by the rules, or give it up      a wall
//! ```
//!
//! Each turn uses up a step or gives up an axis, so there is an end. All in whole pixels: what is
//! at rest stays where it is to the bit.
//!
//! How long an axis stays blocked is not tried pixel by pixel: a pixel that would hit something
//! goes on to hit it as far as that has set pixels in a row. A flat wall is one cast along it.

use crate::geom::{PixelPath, Point, Rect};
use crate::mask::MaskRef;
use crate::narrow::motion::push_out;
use crate::narrow::{Accuracy, ScanOrder, Side};
use crate::world::motion::cast::{self, Near, Way};
use crate::world::{ColliderId, Hit, PlaceError, World};

/// How a collider gets along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveRules {
    /// Pixels it may step up for each pixel that it goes sideways: 1 takes slopes of 45 degrees,
    /// 2 steeper ones; 0 none.
    pub climb: u32,
    /// Pixels it may give way, to whichever side is free, for each pixel that it goes on: 1 slides
    /// along slopes of 45 degrees in all directions, as seen from above; 0 stops there, as what
    /// stands on ground does.
    pub slip: u32,
    /// Colliders on these layers, one bit each, are in the way of what comes down on them, and of
    /// nobody else: platforms to jump through.
    pub one_way: u32,
}

impl Default for MoveRules {
    /// Climbs 1, slips 0, no one-way layers.
    fn default() -> Self {
        Self { climb: 1, slip: 0, one_way: 0 }
    }
}

/// What came of a motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveResult {
    /// Where the collider is now.
    pub position: [f32; 2],
    /// Mask pixels it came from where it was.
    pub translation: Point,
    /// Who ended a part of the motion, and where it lay: below for a floor, to the left or right
    /// for a wall. In the order in which they were met.
    pub contacts: Vec<(ColliderId, Side)>,
}

impl MoveResult {
    /// True where something on this side ended a part of the motion.
    #[must_use]
    pub fn blocked_on(&self, side: Side) -> bool {
        self.contacts.iter().any(|&(_, blocked)| blocked == side)
    }
}

/// Pixels that a collider is pushed at most to come free of what it is in before it moves.
const FREEING: u32 = 16;

impl World {
    /// Moves a collider by `motion`, in the units of positions, or as much of it as is free: see
    /// [`cast`](Self::cast). Gives what ended the motion.
    ///
    /// # Errors
    /// As [`cast`](Self::cast); the collider is then where it was.
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

    /// Moves a collider by `motion`, in the units of positions; what is in its way ends the part of
    /// the motion that leads into it, and the rest goes on along it. It stops flat at walls and
    /// floors: it never overlaps, never bounces, and never sticks. By default it walks up slopes of
    /// up to 45 degrees; see [`move_by_rules`](Self::move_by_rules) for others. Pixels decide, as
    /// in [`cast`](Self::cast).
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
    /// [`PlaceError::Stale`], and [`PlaceError::Position`] where the end is not finite or too far
    /// from the origin, what coming free adds to it counted; the collider is then where it was.
    pub fn move_and_slide(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules(id, motion, MoveRules::default())
    }

    /// As [`move_and_slide`](Self::move_and_slide), by other rules.
    ///
    /// In its way is whom it may meet by the layers of both, but for sensors. Where it overlaps
    /// somebody before it moves, it is first pushed out of all of them, by at most 16 mask pixels;
    /// whom it still overlaps then is not in its way.
    ///
    /// # Errors
    /// As [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
    ) -> Result<MoveResult, PlaceError> {
        self.move_by_rules_with(id, motion, rules, |_| true)
    }

    /// As [`move_by_rules`](Self::move_by_rules), and asks `keep` of everybody near its way whether
    /// they count: who is refused is not in its way, and it is not pushed out of it either.
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
    /// As [`move_and_slide`](Self::move_and_slide).
    pub fn move_by_rules_with(
        &mut self,
        id: ColliderId,
        motion: impl Into<[f32; 2]>,
        rules: MoveRules,
        keep: impl Fn(ColliderId) -> bool,
    ) -> Result<MoveResult, PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let way = Way::new(self.slots.positions[slot], motion.into(), self.atlas.resolution())?;
        let us = self.view().pixels(slot);
        let mut walk =
            Walk { mask: us.mask(), at: us.origin, by: Point::default(), near: Vec::new(), rules };
        let met = match cast::frame((us.mask(), us.origin)) {
            None => {
                walk.by = way.path.motion();
                Vec::new()
            }
            Some(start) => {
                let area = walk.area(start, way.path.motion());
                let in_way = |other| self.is_in_way(slot, other) && keep(other);
                self.gather(area, (Accuracy::Exact, rules.one_way), in_way, &mut walk.near);
                walk.come_free();
                walk.go(way.path.motion())
            }
        };
        let (by, position) = (walk.by, way.position(walk.by));
        let collider = self.slots.collider(&self.appearances, slot);
        self.set(id, collider.at(position))?;
        Ok(MoveResult { position, translation: by, contacts: met })
    }
}

/// A motion under way.
struct Walk<'w> {
    mask: MaskRef<'w>,
    at: Point,
    /// How far it has come.
    by: Point,
    near: Vec<Near<'w>>,
    rules: MoveRules,
}

impl Walk<'_> {
    /// All pixels that it may come to.
    fn area(&self, start: Rect, motion: Point) -> Rect {
        let aside = |along: i32, pixels: u32| {
            let most = u64::from(along.unsigned_abs()) * u64::from(pixels) + u64::from(FREEING);
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

    /// Leaves what it is in, or forgets that it is in the way.
    fn come_free(&mut self) {
        let is_in = |near: &Near<'_>| !near.one_way && near.is_touched_by((self.mask, self.at));
        if !self.near.iter().any(is_in) {
            return;
        }
        let solid = self.near.iter().filter(|near| !near.one_way);
        let others: Vec<_> = solid.map(|near| near.seen.beside(self.at)).collect();
        if let Some(by) = push_out::out_of_all(self.mask, &others, FREEING) {
            self.by = by;
        } else {
            let (mask, at) = (self.mask, self.at);
            self.near.retain(|near| near.one_way || !near.is_touched_by((mask, at)));
        }
    }

    /// Goes, and tells who ended which part.
    fn go(&mut self, mut rest: Point) -> Vec<(ColliderId, Side)> {
        let mut met = Vec::new();
        while rest != Point::default() {
            let path = PixelPath::new(rest);
            let Some((step, other)) = self.first(path) else {
                self.by = self.by + rest;
                break;
            };
            let id = other.id;
            let before = path.at(step.saturating_sub(1));
            self.by = self.by + before;
            rest = rest - before;
            let Point { x, y } = path.at(step) - before;
            if (x, y) == (0, 0) {
                // It is in what it came free of: its masks are damaged, and ways to look at them
                // disagree. No step would use up any of the rest.
                break;
            }
            if x != 0 && y != 0 {
                // Of a slanting step the sideways part first, unless only the other is free.
                let (aside, down) = (Point::new(x, 0), Point::new(0, y));
                let parts = [(aside, down), (down, aside)];
                if let Some(parts) = parts.into_iter().find(|parts| self.is_free(parts.0)) {
                    self.go_along(parts, &mut rest);
                    continue;
                }
            }
            if y != 0 {
                if !self.give_way(Point::new(0, y), rest.x, &mut rest) {
                    met.push((id, if y > 0 { Side::Below } else { Side::Above }));
                    rest.y = 0;
                }
            } else if !self.give_way(Point::new(x, 0), -1, &mut rest) {
                met.push((id, if x > 0 { Side::Right } else { Side::Left }));
                rest.x = 0;
            }
        }
        met
    }

    /// Goes on along one axis, a step at first that is free, for as long as a step along the other
    /// is blocked.
    fn go_along(&mut self, (part, other): (Point, Point), rest: &mut Point) {
        let times = |steps: u32| Point::new(part.x * steps as i32, part.y * steps as i32);
        let mut steps = 1;
        loop {
            self.by = self.by + times(steps);
            *rest = *rest - times(steps);
            let left = if part.x != 0 { rest.x } else { rest.y }.unsigned_abs();
            let Some(met) = self.blocker(other) else { return };
            // Blocked here, and for certain at so many places more.
            let blocked = self.blocked_beyond(met, part, other, left);
            let ahead = left.min(blocked + 1);
            steps = match self.first(PixelPath::new(times(ahead))) {
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

    /// Steps of `part` after each of which `other` is blocked by `met`, as it is here: at least so
    /// many, and no more than `most`.
    fn blocked_beyond(&self, met: &Near<'_>, part: Point, other: Point, most: u32) -> u32 {
        // What holds from above alone may let pass farther on, where it is in it.
        if met.one_way {
            return 0;
        }
        let (mask, offset) = met.seen.beside(self.at + self.by + other);
        let shared = self.mask.first_overlap(ScanOrder::Top, mask, offset);
        shared.map_or(0, |pixel| mask.set_beyond(pixel - offset, part, most))
    }

    /// Takes a step along one axis somewhat to the side, where the rules allow it and there is
    /// room: at first to the side of `first`.
    fn give_way(&mut self, step: Point, first: i32, rest: &mut Point) -> bool {
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

    /// Who is met first on a path from where it is.
    fn first(&self, path: PixelPath) -> Option<(u32, &Near<'_>)> {
        cast::first_of(&self.near, (self.mask, self.at + self.by), path, path.steps())
    }

    /// True where the end of a straight way is free; all of it before that is.
    fn is_free(&self, motion: Point) -> bool {
        self.blocker(motion).is_none()
    }

    /// Who is in the way at the end of a straight way, of which all before that is free; of several
    /// the one of lowest index.
    fn blocker(&self, motion: Point) -> Option<&Near<'_>> {
        let is_met = |near: &&Near<'_>| {
            let (mask, offset) = near.seen.beside(self.at + self.by + motion);
            let touches = |offset| self.mask.touches(mask, offset);
            // What holds from above alone does so where the last pixel down leads into it.
            let holds = || motion.y > 0 && !touches(offset + Point::new(0, 1));
            touches(offset) && (!near.one_way || holds())
        };
        self.near.iter().filter(is_met).min_by_key(|near| near.id)
    }
}
