//! Very many colliders on their way to their places: a run of slots, or some of them.
//!
//! ```text
//! for each block, gathered unless its slots follow each other:
//!   keep positions and angles as they come
//!   steps of a turn, corners on the lattice                 without a branch, two and more at a time
//!   look up each one's pose                                 one by one
//! ```
//!
//! Called by the world where many are placed. What it takes has been checked; what it keeps true: a
//! collider is where [`PlacedMask::place_one`] says.

use crate::simd::vectorized;
use crate::world::state::appearance::Appearances;
use crate::world::state::packed_angle::{self, PackedAngle};
use crate::world::state::placement::{self, PlaceContext, PlacedMask};
use crate::world::{ColliderId, Placement};

/// Colliders to be placed, and the slots that they are in.
pub(crate) struct PlacementJob<'s> {
    /// The slot of the first of each slice.
    pub(crate) from: usize,
    /// True where the slots of `ids` follow each other without a gap.
    pub(crate) contiguous: bool,
    pub(crate) ids: &'s [ColliderId],
    pub(crate) placements: &'s [Placement],
    pub(crate) positions: &'s mut [[f32; 2]],
    pub(crate) angles: &'s mut [PackedAngle],
    pub(crate) scales: &'s [f32],
    pub(crate) appearance_ids: &'s [u32],
    pub(crate) moving: &'s mut [PlacedMask],
}

impl PlacementJob<'_> {
    /// Two parts of a part whose slots ascend.
    pub(crate) fn split(self, left: usize, right: usize) -> (Self, Self) {
        let cut = self.ids.len() * left / (left + right);
        let (ids, later_ids) = self.ids.split_at(cut);
        let (placements, later_placements) = self.placements.split_at(cut);
        let border = later_ids.first().map_or(self.from, |id| id.slot()) - self.from;
        let (positions, later_positions) = self.positions.split_at_mut(border);
        let (angles, later_angles) = self.angles.split_at_mut(border);
        let (scales, later_scales) = self.scales.split_at(border);
        let (appearance_ids, later_appearance_ids) = self.appearance_ids.split_at(border);
        let (moving, later_moving) = self.moving.split_at_mut(border);
        let later = PlacementJob {
            from: self.from + border,
            contiguous: self.contiguous,
            ids: later_ids,
            placements: later_placements,
            positions: later_positions,
            angles: later_angles,
            scales: later_scales,
            appearance_ids: later_appearance_ids,
            moving: later_moving,
        };
        let Self { from, contiguous, .. } = self;
        let part = PlacementJob {
            from,
            contiguous,
            ids,
            placements,
            positions,
            angles,
            scales,
            appearance_ids,
            moving,
        };
        (part, later)
    }

    /// Writes each collider's place, pose and box, the last as if it moved.
    pub(crate) fn place(self, context: &PlaceContext<'_>, appearances: &Appearances) {
        // Compiled apart: together, those in a row take a quarter longer.
        if self.contiguous {
            vectorized(
                #[inline(always)]
                move || self.blocks::<true>(context, appearances),
            );
        } else {
            vectorized(
                #[inline(always)]
                move || self.blocks::<false>(context, appearances),
            );
        }
    }

    #[inline(always)]
    fn blocks<const CONTIGUOUS: bool>(self, context: &PlaceContext<'_>, appearances: &Appearances) {
        let Self {
            from, ids, placements, positions, angles, scales, appearance_ids, moving, ..
        } = self;
        // Of one length, said so that one check stands for five.
        let slots = moving.len();
        let (positions, angles) = (&mut positions[..slots], &mut angles[..slots]);
        let (scales, appearance_ids) = (&scales[..slots], &appearance_ids[..slots]);
        let (mut lookup, mut gathered) = (BlockLookup::of(appearances), None);
        for (ids, placements) in ids.chunks(BLOCK).zip(placements.chunks(BLOCK)) {
            let is_gathered = !CONTIGUOUS && !are_contiguous(ids);
            let block = if is_gathered {
                let gathered = gathered.get_or_insert_with(Gathered::default);
                for ((scale, appearance), id) in
                    gathered.scales.iter_mut().zip(&mut gathered.appearance_ids).zip(ids)
                {
                    (*scale, *appearance) =
                        (scales[id.slot() - from], appearance_ids[id.slot() - from]);
                }
                gathered.block(placements)
            } else {
                let first = ids[0].slot() - from;
                let all = first..first + ids.len();
                Block {
                    placements,
                    scales: &scales[all.clone()],
                    appearance_ids: &appearance_ids[all.clone()],
                    positions: &mut positions[all.clone()],
                    angles: &mut angles[all.clone()],
                    moving: &mut moving[all],
                }
            };
            block.place(&mut lookup, context, appearances);
            if let (true, Some(gathered)) = (is_gathered, &gathered) {
                let Gathered { positions: at, angles: turned, moving: placed, .. } = gathered;
                for (((id, &at), &turned), &placed) in ids.iter().zip(at).zip(turned).zip(placed) {
                    let slot = id.slot() - from;
                    (positions[slot], angles[slot], moving[slot]) = (at, turned, placed);
                }
            }
        }
    }
}

/// True where the slots of `ids`, of which there is one, follow each other.
#[inline(always)]
fn are_contiguous(ids: &[ColliderId]) -> bool {
    let slots = ids[0].index()..;
    // Without a branch, many at once.
    ids.iter().zip(slots).fold(0, |odd, (id, slot)| odd | (id.index() ^ slot)) == 0
}

/// Up to [`BLOCK`] colliders: slices of one length.
struct Block<'s> {
    placements: &'s [Placement],
    scales: &'s [f32],
    appearance_ids: &'s [u32],
    positions: &'s mut [[f32; 2]],
    angles: &'s mut [PackedAngle],
    moving: &'s mut [PlacedMask],
}

impl Block<'_> {
    #[inline(always)]
    fn place(
        self,
        lookup: &mut BlockLookup,
        context: &PlaceContext<'_>,
        appearances: &Appearances,
    ) {
        let Self { placements, scales, appearance_ids, positions, angles, moving } = self;
        let poses = appearances.poses();
        let (entries, casts) = (poses.appearances(), appearances.casts());
        let pose_set = context.records.poses();
        // Apart from what is worked out: together, the angle would be taken apart on its way to
        // memory and waited for there.
        for ((position, angle), place) in positions.iter_mut().zip(&mut *angles).zip(placements) {
            (*position, *angle) = (place.position, place.angle.into());
        }
        let is_found =
            lookup.fill(context.resolution, appearances, positions, angles, appearance_ids);
        let mut are_left = !is_found;
        if is_found {
            let worked =
                lookup.steps.iter().zip(&lookup.corners).zip(scales.iter().zip(appearance_ids));
            for (to, ((&step, &corner), (&scale, &appearance))) in moving.iter_mut().zip(worked) {
                let appearance = appearance as usize;
                let scale = || pose_set.nearest_scale(&casts[appearance], scale);
                match poses.get(entries[appearance], step, scale) {
                    Some(pose) => *to = pose.moved(corner),
                    None => are_left = true,
                }
            }
        }
        if are_left {
            for ((to, place), (&scale, &appearance)) in
                moving.iter_mut().zip(placements).zip(scales.iter().zip(appearance_ids))
            {
                if !is_found || !entries[appearance as usize].is_present() {
                    *to = place_one(context, appearances, appearance, place, scale);
                }
            }
        }
    }
}

/// A block of colliders whose slots do not follow each other, gathered.
struct Gathered {
    scales: [f32; BLOCK],
    appearance_ids: [u32; BLOCK],
    positions: [[f32; 2]; BLOCK],
    angles: [PackedAngle; BLOCK],
    moving: [PlacedMask; BLOCK],
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            scales: [0.0; BLOCK],
            appearance_ids: [0; BLOCK],
            positions: [[0.0; 2]; BLOCK],
            angles: [PackedAngle::default(); BLOCK],
            moving: [PlacedMask::default(); BLOCK],
        }
    }
}

impl Gathered {
    /// Those that go to `placements`.
    #[inline(always)]
    fn block<'s>(&'s mut self, placements: &'s [Placement]) -> Block<'s> {
        let count = placements.len();
        Block {
            placements,
            scales: &self.scales[..count],
            appearance_ids: &self.appearance_ids[..count],
            positions: &mut self.positions[..count],
            angles: &mut self.angles[..count],
            moving: &mut self.moving[..count],
        }
    }
}

/// Colliders that are written together: all that is known of them stays in the nearest cache.
pub(crate) const BLOCK: usize = 256;

/// What is worked out of a block of colliders together.
struct BlockLookup {
    /// Steps of a full turn that each has.
    angle_counts: [u32; BLOCK],
    /// The step nearest to each angle.
    steps: [u32; BLOCK],
    /// The lattice origin of each position.
    corners: [[i32; 2]; BLOCK],
}

impl BlockLookup {
    /// Nothing yet, of colliders that have these looks.
    fn of(appearances: &Appearances) -> Self {
        let angle_counts = [appearances.angles().unwrap_or(0); BLOCK];
        Self { angle_counts, steps: [0; BLOCK], corners: [[0; 2]; BLOCK] }
    }

    /// False where an angle is too great for it.
    #[inline(always)]
    fn fill(
        &mut self,
        resolution: f32,
        appearances: &Appearances,
        positions: &[[f32; 2]],
        angles: &[PackedAngle],
        appearance_ids: &[u32],
    ) -> bool {
        let Self { angle_counts, steps, corners } = self;
        // As a rule all have as many, and they are there already.
        if appearances.angles().is_none() {
            let casts = appearances.casts();
            for (number, &appearance) in angle_counts.iter_mut().zip(appearance_ids) {
                *number = casts[appearance as usize].angles();
            }
        }
        let edges = corners.as_flattened_mut().iter_mut().zip(positions.as_flattened());
        edges.for_each(|(edge, &p)| *edge = placement::snap_edge(p, resolution));
        packed_angle::steps(angles, &angle_counts[..angles.len()], steps)
    }
}

/// Where a collider is, and what it shows, by itself. Everything has been checked: there is nobody
/// who cannot be placed.
#[cold]
#[inline(never)]
fn place_one(
    context: &PlaceContext<'_>,
    appearances: &Appearances,
    appearance: u32,
    place: &Placement,
    scale: f32,
) -> PlacedMask {
    appearances
        .placed(context, appearance, (place.position, place.angle, scale))
        .unwrap_or_default()
}
