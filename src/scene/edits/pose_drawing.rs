//! Draws the poses that colliders show for the first time.
//!
//! Called by the calls that place colliders, after they have checked their input and before they
//! change the world. Invariant: a failed call leaves the colliders unchanged. Poses that it has
//! drawn may stay.

use crate::atlas::{Atlas, SpritePoses};
use crate::geom::Point;
use crate::pose::{self, Angle, Pose};
use crate::scene::appearances::Appearances;
use crate::scene::placement::{MaskSource, PlacedMask, snap};
use crate::scene::pose_arena::{DrawnPiece, MissingPose, draw_missing};
use crate::scene::pose_budget::{BitSet, Leaving, line_of};
use crate::scene::slots::Slots;
use crate::scene::{BulkPlaceError, ColliderId, PlaceError, Placement, Scene};

impl Scene {
    /// Returns the placed mask of a sprite, with its pose drawn and stored in the table of
    /// `appearance`. `slot` is that of the collider, if any.
    #[cold]
    pub(crate) fn show(
        &mut self,
        appearance: u32,
        slot: Option<usize>,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, PlaceError> {
        let shown = self.shown_pose(appearance, angle, scale);
        let (sprite_poses, pose, number) = shown.ok_or(PlaceError::Angle(angle))?;
        let has_budget = self.poses.budget.is_some();
        if let Some(arena) = self.poses.arena_mut()
            && !arena.contains(number)
        {
            let lines = arena.draw(&self.atlas, number)?;
            let has_block = arena.masks.has_block(lines);
            self.poses.check_filling(lines)?;
            if has_budget && !has_block {
                let leaving = slot.map_or(Leaving::None, Leaving::Slot);
                self.make_room(lines.into(), &leaving)?;
            }
            if let Some(arena) = self.poses.arena_mut() {
                arena.store_drawn(number)?;
            }
        }
        let located = self.poses.locate(&self.atlas.records(), &sprite_poses, pose);
        let placed = located.map(|located| PlacedMask::located(located, Point::default()));
        let placed = placed.ok_or(PlaceError::Angle(angle))?;
        self.appearances.store_pose(appearance, pose, placed);
        let lattice = snap(position, self.atlas.resolution());
        let Point { x, y } = lattice.ok_or(PlaceError::Position(position))?;
        Ok(placed.moved([x, y]))
    }

    /// Draws the poses that the valid `placements` at `undrawn` show for the first time.
    #[cold]
    pub(crate) fn show_all(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
        undrawn: &[usize],
    ) -> Result<(), BulkPlaceError> {
        let Some(arena) = self.poses.arena() else { return Ok(()) };
        let (mut shown, mut missing) = (Vec::with_capacity(undrawn.len()), Vec::new());
        for &item in undrawn {
            let Some((appearance, (sprite_poses, pose, number))) =
                self.placed_pose(ids[item], placements[item])
            else {
                continue;
            };
            shown.push((appearance, sprite_poses, pose));
            if !arena.contains(number) {
                missing.push(MissingPose { number, item });
            }
        }
        let missing = MissingPose::in_order(missing);
        let failed = |(index, cause)| BulkPlaceError { index, cause };
        let drawn = draw_missing(&self.atlas, &missing).map_err(failed)?;
        if let (Some(_), Some(first)) =
            (self.poses.budget, missing.iter().map(|one| one.item).min())
        {
            let lines = drawn.iter().map(DrawnPiece::lines).sum();
            let made = self.make_room_for_all(lines, ids, placements);
            made.map_err(|cause| failed((first, cause)))?;
        }
        let Some(arena) = self.poses.arena_mut() else { return Ok(()) };
        arena.store_all(&drawn).map_err(failed)?;
        for (appearance, sprite_poses, pose) in shown {
            if let Some(located) = arena.locate(&sprite_poses, pose) {
                let placed = PlacedMask::located(located, Point::default());
                self.appearances.store_pose(appearance, pose, placed);
            }
        }
        Ok(())
    }

    /// Returns true if drawing a pose may fail: by the budget, or because a side is too large.
    pub(crate) fn drawing_may_fail(&self) -> bool {
        self.poses.are_drawn_on_demand() && self.poses.budget.is_some()
            || self.atlas.has_huge_poses()
    }

    /// Draws the poses of placed colliders, and places these again. Drawing cannot fail here.
    #[cold]
    pub(crate) fn draw_placed(&mut self, slots: &[u32]) {
        let Some(arena) = self.poses.arena_mut() else { return };
        let atlas = &self.atlas;
        let shown = |slot: usize, slots: &Slots, appearances: &Appearances| {
            let (angle, scale) = (slots.angles[slot], slots.scales[slot]);
            shown_pose(atlas, appearances, slots.appearances[slot], angle, scale)
        };
        let mut missing = Vec::new();
        for &slot in slots {
            let item = slot as usize;
            if let Some((_, _, number)) = shown(item, &self.slots, &self.appearances)
                && !arena.contains(number)
            {
                missing.push(MissingPose { number, item });
            }
        }
        let missing = MissingPose::in_order(missing);
        if let Ok(drawn) = draw_missing(&self.atlas, &missing) {
            // Fails beyond 32 GiB only. Such a pose has no pixels.
            let _ = arena.store_all(&drawn);
        }
        for &slot in slots {
            let slot = slot as usize;
            let placed = shown(slot, &self.slots, &self.appearances)
                .and_then(|(sprite_poses, pose, _)| {
                    Some((pose, arena.locate(&sprite_poses, pose)?))
                })
                .map(|(pose, located)| (pose, PlacedMask::located(located, Point::default())));
            let lattice = snap(self.slots.positions[slot], self.atlas.resolution());
            let Point { x, y } = lattice.unwrap_or_default();
            self.slots.moving[slot] = match placed {
                Some((pose, placed)) => {
                    let appearance = self.slots.appearances[slot];
                    self.appearances.store_pose(appearance, pose, placed);
                    placed.moved([x, y])
                }
                None => PlacedMask::default(),
            };
        }
    }

    /// Makes room for `lines` cache lines, while the colliders of `ids` leave their poses.
    fn make_room_for_all(
        &mut self,
        lines: u64,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), PlaceError> {
        let Some(arena) = self.poses.arena() else { return Ok(()) };
        let mut slots = BitSet::new(self.slots.len());
        let mut shown = Vec::new();
        for (&id, &placement) in ids.iter().zip(placements) {
            slots.set(id.slot());
            if let Some((_, (sprite_poses, pose, _))) = self.placed_pose(id, placement)
                && let Some(located) = arena.locate(&sprite_poses, pose)
                && !located.hot.size.is_empty()
            {
                shown.push(line_of(located.hot.words));
            }
        }
        self.make_room(lines, &Leaving::Many { slots: &slots, shown: &shown })
    }

    /// Returns the appearance of a collider, and the pose that it shows at a placement.
    fn placed_pose(
        &self,
        id: ColliderId,
        placement: Placement,
    ) -> Option<(u32, (SpritePoses, Pose, u32))> {
        let slot = id.slot();
        let appearance = self.slots.appearances[slot];
        let shown = self.shown_pose(appearance, placement.angle, self.slots.scales[slot])?;
        Some((appearance, shown))
    }

    /// As the function of this name; `None` for a runtime mask.
    fn shown_pose(
        &self,
        appearance: u32,
        angle: Angle,
        scale: f32,
    ) -> Option<(SpritePoses, Pose, u32)> {
        shown_pose(&self.atlas, &self.appearances, appearance, angle, scale)
    }
}

/// Returns the pose that an appearance shows at an angle and a scale, and its number.
fn shown_pose(
    atlas: &Atlas,
    appearances: &Appearances,
    appearance: u32,
    angle: Angle,
    scale: f32,
) -> Option<(SpritePoses, Pose, u32)> {
    let MaskSource::Atlas(sprite_poses) = appearances.source(appearance) else { return None };
    let scales = atlas.records().poses().scales(&sprite_poses);
    let pose = pose::nearest(sprite_poses.angles(), scales, angle, scale)?;
    Some((sprite_poses, pose, sprite_poses.pose_id(pose)?.index() as u32))
}
