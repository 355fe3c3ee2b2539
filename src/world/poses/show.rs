//! Draws the poses that colliders show for the first time.
//!
//! Called by the calls that place colliders, after they have checked their input and before they
//! change the world. Invariant: a failed call leaves the colliders unchanged. Poses that it has
//! drawn may stay.

use crate::atlas::SpritePoses;
use crate::geom::Point;
use crate::mask::MaskDescriptor;
use crate::pose::{self, Angle, Pose};
use crate::world::poses::budget::Leaving;
use crate::world::poses::pose_arena::{DrawnPiece, MissingPose, draw_missing};
use crate::world::state::placement::{MaskSource, PlacedMask, snap};
use crate::world::{BulkPlaceError, ColliderId, PlaceError, Placement, World};

impl World {
    /// Returns the placed mask of a sprite whose pose the table of poses does not have, and draws
    /// the pose if no collider has shown it. Stores it in the table of `appearance`. `slot` is that
    /// of the collider, if it has one.
    #[cold]
    pub(crate) fn show(
        &mut self,
        appearance: u32,
        slot: Option<usize>,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, PlaceError> {
        let shown = self.shown_pose(appearance, angle, scale);
        let (sprite_poses, pose, number) = shown.ok_or(PlaceError::Angle(angle))?;
        if let Some(arena) = self.poses.arena_mut()
            && !arena.contains(number)
        {
            let lines = arena.draw(&self.atlas, number)?;
            if arena.budget.is_some() && !arena.masks.has_block(lines) {
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

    /// Draws the poses that some of `placements` show for the first time: those at the indices in
    /// `undrawn`. All of them are valid.
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
                self.placed_pose(ids[item], &placements[item])
            else {
                continue;
            };
            shown.push((appearance, sprite_poses, pose));
            if !arena.contains(number) {
                missing.push(MissingPose { number, item });
            }
        }
        missing.sort_unstable();
        missing.dedup_by_key(|missing| missing.number);
        let failed = |(index, cause)| BulkPlaceError { index, cause };
        let drawn = draw_missing(&self.atlas, &missing).map_err(failed)?;
        if let (Some(_), Some(first)) = (arena.budget, missing.iter().map(|one| one.item).min()) {
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

    /// Makes room for `lines` cache lines, while the colliders of `ids` leave their poses.
    fn make_room_for_all(
        &mut self,
        lines: u64,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), PlaceError> {
        let Some(arena) = self.poses.arena() else { return Ok(()) };
        let mut slots = vec![0; self.slots.len().div_ceil(64)];
        let mut shown = Vec::new();
        for (&id, placement) in ids.iter().zip(placements) {
            let slot = id.slot();
            slots[slot / 64] |= 1 << (slot % 64);
            if let Some((_, (sprite_poses, pose, _))) = self.placed_pose(id, placement)
                && let Some(located) = arena.locate(&sprite_poses, pose)
                && !located.hot.size.is_empty()
            {
                shown.push(located.hot.words / MaskDescriptor::LINE_WORDS);
            }
        }
        self.make_room(lines, &Leaving::Many { slots: &slots, shown: &shown })
    }

    /// Returns the appearance of a collider, and the pose that it shows at a placement. Returns
    /// `None` for a runtime mask.
    fn placed_pose(
        &self,
        id: ColliderId,
        placement: &Placement,
    ) -> Option<(u32, (SpritePoses, Pose, u32))> {
        let slot = id.slot();
        let appearance = self.slots.appearances[slot];
        let shown = self.shown_pose(appearance, placement.angle, self.slots.scales[slot])?;
        Some((appearance, shown))
    }

    /// Returns the pose that an appearance shows at an angle and a scale, and its number. Returns
    /// `None` for a runtime mask.
    fn shown_pose(
        &self,
        appearance: u32,
        angle: Angle,
        scale: f32,
    ) -> Option<(SpritePoses, Pose, u32)> {
        let MaskSource::Atlas(sprite_poses) = self.appearances.source(appearance) else {
            return None;
        };
        let scales = self.atlas.records().poses().scales(&sprite_poses);
        let pose = pose::nearest(sprite_poses.angles(), scales, angle, scale)?;
        Some((sprite_poses, pose, sprite_poses.pose_id(pose)?.index() as u32))
    }
}
