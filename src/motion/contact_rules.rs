//! Contact rules of a move: which obstacles block a step that enters them.
//!
//! Solid obstacles block every step. One-way obstacles and obstacles under a veto block some steps,
//! by the side that is entered:
//!
//! ```text
//! the sideways part of the step alone enters it:   a wall
//! else:                                            a floor or a ceiling
//! both parts alone enter it:                       both; one of them is enough to block
//! ```
//!
//! Invariant: an obstacle of such rules never blocks while the mover overlaps it.

use crate::geom::{PixelPath, Point};
use crate::motion::cast::Obstacle;
use crate::motion::walk::{MAX_ASIDE_PX, Walk};
use crate::narrow::motion::cast::first_touch;
use crate::narrow::{Impact, Side};
use crate::query::MoveContact;

impl Walk<'_> {
    /// Tests whether the mover, moved by `by` from its start, overlaps an obstacle.
    pub(super) fn touches(&self, obstacle: &Obstacle<'_>, by: Point) -> bool {
        obstacle.is_touched_by((self.mask, self.at + by))
    }

    /// Tests whether an obstacle blocks a step from `before` that ends in it. A climbing mover
    /// stands at `base`; any other stands at `before`.
    pub(super) fn blocks(
        &self,
        obstacle: &Obstacle<'_>,
        before: Point,
        step: Point,
        base: Point,
    ) -> bool {
        if !obstacle.one_way && self.keep.is_none() {
            return true;
        }
        if step == Point::default() || self.touches(obstacle, before) {
            return false;
        }
        let (aside, upright) = (Point::new(step.x, 0), Point::new(0, step.y));
        let enters =
            |part: Point| part != Point::default() && self.touches(obstacle, before + part);
        let (by_side, by_height) = (enters(aside), enters(upright));
        let keeps = |part| self.keeps(obstacle, before, part);
        let is_wall = || (!obstacle.one_way || self.holds(obstacle, base, step)) && keeps(aside);
        // A corner is entered by neither part alone.
        let part = if by_height { upright } else { step };
        let is_floor_or_ceiling = || (!obstacle.one_way || step.y > 0) && keeps(part);
        (by_side && is_wall()) || ((by_height || !by_side) && is_floor_or_ceiling())
    }

    /// Tests whether a mover at `base` is held by a one-way obstacle that it enters sideways.
    fn holds(&self, obstacle: &Obstacle<'_>, base: Point, step: Point) -> bool {
        if self.touches(obstacle, base) {
            return false;
        }
        let stands = self.touches(obstacle, base + Point::new(0, 1));
        (stands && step.y >= 0)
            || (self.can_climb(obstacle, base, step.x) && (stands || self.is_on_ground(base)))
    }

    /// Tests whether a mover at `base` that steps sideways into an obstacle can climb it.
    fn can_climb(&self, obstacle: &Obstacle<'_>, base: Point, x: i32) -> bool {
        let (up, aside) = (Point::new(0, -1), Point::new(x, 0));
        let is_open = |at: Point, step: Point| !self.is_solid_at(at, step, base);
        self.touches(obstacle, base + aside)
            && (1..=self.rules.climb.min(MAX_ASIDE_PX) as i32)
                .map(|pixels| base + Point::new(0, -pixels))
                .take_while(|&at| is_open(at, up))
                .any(|at| !self.touches(obstacle, at + aside) && is_open(at + aside, aside))
    }

    fn is_on_ground(&self, base: Point) -> bool {
        let reach = self.ground_reach();
        let (path, down) = (PixelPath::new([0, reach as i32]), Point::new(0, 1));
        self.obstacles.iter().any(|obstacle| {
            let (other, offset) = obstacle.view.beside(self.at + base);
            let step = first_touch(self.mask, other, offset, path, (0, reach)).unwrap_or(0);
            step > 0 && self.keeps(obstacle, base + path.at(step - 1), down)
        })
    }

    /// Returns how far beneath a mover on the ground the ground may be, in mask pixels.
    pub(super) fn ground_reach(&self) -> u32 {
        self.rules.climb.clamp(1, MAX_ASIDE_PX)
    }

    /// Tests whether the mover at `by`, after a step, overlaps a solid obstacle that it does not
    /// overlap at `base`.
    pub(super) fn is_solid_at(&self, by: Point, step: Point, base: Point) -> bool {
        self.obstacles.iter().any(|obstacle| {
            !obstacle.one_way
                && self.touches(obstacle, by)
                && !self.touches(obstacle, base)
                && self.keeps(obstacle, by - step, step)
        })
    }

    /// Tests whether an obstacle, which the mover does not overlap, blocks a push out by `by` that
    /// ends in it.
    pub(super) fn blocks_push(&self, obstacle: &Obstacle<'_>, by: Point) -> bool {
        let (path, (other, offset)) = (PixelPath::new(by), obstacle.view.beside(self.at));
        let step = first_touch(self.mask, other, offset, path, (0, path.steps()));
        let step = step.unwrap_or_default();
        let before = path.at(step.saturating_sub(1));
        self.blocks(obstacle, before, path.at(step) - before, before)
    }

    /// Tests whether the veto leaves the contact of a step of 1 px from `before` to an obstacle.
    pub(super) fn keeps(&self, obstacle: &Obstacle<'_>, before: Point, step: Point) -> bool {
        self.keep.is_none_or(|keep| keep(&self.contact(obstacle, before, step)))
    }

    /// Returns the contact of a step of 1 px from `before` that enters an obstacle. The step is a
    /// floor or ceiling unless it is sideways.
    pub(super) fn contact(
        &self,
        obstacle: &Obstacle<'_>,
        before: Point,
        step: Point,
    ) -> MoveContact {
        let (other, offset) = obstacle.view.beside(self.at + before);
        let impact = Impact::new(self.mask, other, offset, PixelPath::new(step), 1);
        let side = match (step.x, step.y) {
            (x, 0) if x > 0 => Side::Right,
            (_, 0) => Side::Left,
            (_, y) if y > 0 => Side::Below,
            _ => Side::Above,
        };
        MoveContact { collider: obstacle.id, side, normal: impact.normal }
    }

    /// Returns the contact at which a motion would have entered an obstacle of its start.
    pub(super) fn entry_contact(&self, obstacle: &Obstacle<'_>, motion: Point) -> MoveContact {
        let (other, offset) = obstacle.view.beside(self.at);
        let back = Point::new(motion.x.saturating_neg(), motion.y.saturating_neg());
        if let Some(before) = self.mask.push_along(other, offset, back) {
            let aside = Point::new(motion.x.signum(), 0);
            let upright = Point::new(0, motion.y.signum());
            let enters = |part: Point| self.touches(obstacle, before + part);
            let steps = [aside, upright].into_iter().find(|&part| enters(part));
            return self.contact(obstacle, before, steps.unwrap_or(aside + upright));
        }
        // The motion has no direction: the contact is that of the overlap.
        let normal = Impact::new(self.mask, other, offset, PixelPath::new([0, 0]), 0).normal;
        MoveContact { collider: obstacle.id, side: normal.side(), normal }
    }
}
