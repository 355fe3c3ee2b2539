//! Draws the poses that colliders show for the first time.
//!
//! Called by the calls that place colliders, after they have checked their input and before they
//! change the world. Invariant: a failed call leaves the colliders unchanged. Poses that it has
//! drawn may stay.

use crate::geom::Point;
use crate::pose::{self, Angle};
use crate::world::poses::pose_arena::MissingPose;
use crate::world::state::placement::{MaskSource, PlacedMask, snap};
use crate::world::{BulkPlaceError, ColliderId, PlaceError, Placement, World};

impl World {
    /// Returns the placed mask of a sprite whose pose the table of poses does not have, and draws
    /// the pose if no collider has shown it. Stores it in the table of `appearance`.
    #[cold]
    pub(crate) fn show(
        &mut self,
        source: MaskSource,
        appearance: Option<u32>,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, PlaceError> {
        let records = self.atlas.records();
        let MaskSource::Atlas(sprite_poses) = source else { return Ok(PlacedMask::default()) };
        let scales = records.poses().scales(&sprite_poses);
        let shown = pose::nearest(sprite_poses.angles(), scales, angle, scale)
            .and_then(|pose| Some((pose, sprite_poses.pose_id(pose)?.index() as u32)));
        let (pose, number) = shown.ok_or(PlaceError::Angle(angle))?;
        if let Some(arena) = self.poses.arena_mut()
            && !arena.contains(number)
        {
            arena.draw(&self.atlas, number)?;
        }
        let located = self.poses.locate(&records, &sprite_poses, pose);
        let located = located.ok_or(PlaceError::Angle(angle))?;
        let placed = PlacedMask::located(located, Point::default());
        if let Some(appearance) = appearance {
            self.appearances.store_pose(appearance, pose, placed);
        }
        let Point { x, y } =
            snap(position, self.atlas.resolution()).ok_or(PlaceError::Position(position))?;
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
        let records = self.atlas.records();
        let Some(arena) = self.poses.arena_mut() else { return Ok(()) };
        let mut shown = Vec::with_capacity(undrawn.len());
        let mut missing = Vec::new();
        for &item in undrawn {
            let slot = ids[item].slot();
            let appearance = self.slots.appearances[slot];
            let MaskSource::Atlas(sprite_poses) = self.appearances.source(appearance) else {
                continue;
            };
            let (angles, scales) = (sprite_poses.angles(), records.poses().scales(&sprite_poses));
            let pose =
                pose::nearest(angles, scales, placements[item].angle, self.slots.scales[slot]);
            let Some((pose, id)) = pose.and_then(|pose| Some((pose, sprite_poses.pose_id(pose)?)))
            else {
                continue;
            };
            shown.push((appearance, pose));
            let number = id.index() as u32;
            if !arena.contains(number) {
                missing.push(MissingPose { number, item });
            }
        }
        missing.sort_unstable();
        missing.dedup_by_key(|missing| missing.number);
        arena
            .draw_all(&self.atlas, &missing)
            .map_err(|(index, cause)| BulkPlaceError { index, cause })?;
        for (appearance, pose) in shown {
            let MaskSource::Atlas(sprite_poses) = self.appearances.source(appearance) else {
                continue;
            };
            if let Some(located) = arena.locate(&sprite_poses, pose) {
                let placed = PlacedMask::located(located, Point::default());
                self.appearances.store_pose(appearance, pose, placed);
            }
        }
        Ok(())
    }
}
